//! What stands before orders and quotes that give something away.

use ::approvals::{Approval, CommandKind, EntityType, Gate, Passed, Person};
use ::orders::{Order, OrderId, PlaceError, PlaceOrder};
use ::quotes::{QuoteError, QuoteId, SendQuote};
use kernel::{Ctx, Fault, Pending, Written};

use super::{Ready, asked, made, ready, undone};
use crate::{
    approvals::subjects,
    error::Failure,
    orders::place::{self, Settled},
    quotes,
    store::Store,
    tx::Tx,
};

impl Gate<PlaceOrder, Order, PlaceError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::OrderDiscount], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: PlaceOrder,
    ) -> Pending<Written<Passed<Order>, PlaceError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let settled = Settled { id: OrderId::from_u128(tx.ids.next()), at: ctx.now };
            let look = |tx: &mut Tx<'_>| placing(tx, &ctx, (by, settled.id), &command);
            asked(tx, &ctx, &[EntityType::OrderDiscount], look, |tx| {
                place::place_alone(tx, &ctx, &command, settled).map(Some)
            })
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Order>, Fault> {
        made(approval, &[CommandKind::PlaceOrder, CommandKind::CancelOrder])
    }
}

fn placing(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (by, id): (Person, OrderId),
    command: &PlaceOrder,
) -> Result<Option<Ready>, Failure<PlaceError>> {
    let judged = place::judge(tx, ctx, command, id)?;
    let Some(subject) = subjects::of_judged(&judged)? else { return Ok(None) };
    let reason = command.discount.as_ref().and_then(|discount| discount.reason.clone());
    ready(CommandKind::PlaceOrder, id.to_string(), subject, (reason, by), command).map(Some)
}

impl Gate<SendQuote, QuoteId, QuoteError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::OrderDiscount], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: SendQuote,
    ) -> Pending<Written<Passed<QuoteId>, QuoteError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| sending(tx, &ctx, by, &command);
            asked(tx, &ctx, &[EntityType::OrderDiscount], look, |tx| {
                quotes::send(tx, &ctx, &command).map(Some)
            })
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<QuoteId>, Fault> {
        made(approval, &[CommandKind::SendQuote])
    }
}

/// A quote gives away what the order will: rules are asked before its customer has seen it.
fn sending(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    by: Person,
    command: &SendQuote,
) -> Result<Option<Ready>, Failure<QuoteError>> {
    let Some((quote, judged)) = quotes::judged(tx, ctx, command.id)? else { return Ok(None) };
    undone(tx, |tx| quotes::send(tx, ctx, command))?;
    let Some(subject) = subjects::of_quote(&quote, &judged)? else { return Ok(None) };
    let reason = quote.offered.discount.and_then(|discount| discount.reason);
    let id = quote.id.to_string();
    // What the caller has seen counts now; by what is decided later, the digest does.
    let kept = SendQuote { version: None, ..command.clone() };
    ready(CommandKind::SendQuote, id, subject, (reason, by), &kept).map(Some)
}
