//! What stands before returns.

use ::approvals::{Approval, CommandKind, EntityType, Field, Gate, Passed, Person};
use ::orders::{Order, Return, ReturnError, ReturnItems};
use diesel::QueryResult;
use kernel::{Amount, Ctx, Done, Fault, Measure, Pending, Refused, Written};

use super::{
    Ready, asked, made, ready,
    refunding::{parts, payments_of},
    undone,
};
use crate::{
    approvals::{rows, subjects},
    error::Failure,
    ordering::money::locked,
    orders::return_items,
    payments,
    store::Store,
    stored::from_text,
    tx::Tx,
};

impl Gate<ReturnItems, Return, ReturnError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::Refund], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: ReturnItems,
    ) -> Pending<Written<Passed<Return>, ReturnError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| returning(tx, &ctx, by, &command);
            let mut returned = None;
            // It is taken back as it was judged: nothing is paid in between. It keeps an answer of its own.
            let passed = asked(tx, &ctx, &[EntityType::Refund], look, |tx| {
                returned = Some(return_items(tx, &ctx, &command)?.value);
                Ok(None)
            })?;
            Ok(returned.map_or(passed, |made| Done::now(Passed::Done(made))))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Return>, Fault> {
        made(approval, &[CommandKind::ReturnItems])
    }
}

/// Of a return what it gives back is to be approved.
fn returning(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    by: Person,
    command: &ReturnItems,
) -> Result<Option<Ready>, Failure<ReturnError>> {
    let id = command.order.to_string();
    let before = locked(tx, ctx.account, command.order)?.ok_or(Refused::NotFound)?;
    let payments = payments_of(tx, ctx, &before)?;
    let unkept = Ctx { idempotency: None, ..ctx.clone() };
    let returned = undone(tx, |tx| {
        // What waits elsewhere makes this no smaller: it may never be given back there.
        payments::free_all_holds(tx, ctx.account, &payments)?;
        return_items(tx, &unkept, command)
    })?;
    let returned = returned.value;
    // Also of what gives nothing back.
    refuse_promised(tx, ctx, &before, command)?;
    if returned.refund == Amount::ZERO {
        return Ok(None);
    }
    let holds = parts(&payments, returned.refund, ctx);
    let payments = payments::without_holds(tx.db, ctx.account, payments)?;
    let reason = Some(command.new.reason.clone());
    let refund = (returned.refund, reason.clone());
    let mut subject = subjects::of_refunded_order(tx.db, ctx, (&before, &payments), refund)?;
    let goods = subjects::goods(&before, &command.new.lines);
    for facts in std::iter::once(&mut subject.facts).chain(&mut subject.others) {
        *facts = facts.clone().text(Field::Items, goods.clone());
    }
    let ready = ready(CommandKind::ReturnItems, id, subject, (reason, by), command)?;
    Ok(Some(Ready { holds, ..ready }))
}

/// Refuses goods that are promised to another return that waits.
fn refuse_promised(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    before: &Order,
    command: &ReturnItems,
) -> Result<(), Failure<ReturnError>> {
    let named = (before.id.to_string(), CommandKind::ReturnItems);
    let waiting = rows::waiting_commands(tx.db, ctx.account, (named.0.as_str(), named.1), ctx.now)?;
    let waiting: Vec<ReturnItems> =
        waiting.iter().map(|text| from_text(text)).collect::<QueryResult<_>>()?;
    for wanted in &command.new.lines {
        let Some(item) = before.items.get(wanted.line.saturating_sub(1)) else { continue };
        let same = waiting.iter().flat_map(|other| &other.new.lines);
        let same = same.filter(|other| other.line == wanted.line);
        let promised: Measure = same.map(|other| other.quantity).sum();
        let left = item.measure(item.quantity - item.returned) - promised;
        let left = left.max(Measure::ZERO);
        if wanted.quantity > left {
            let error = ReturnError::TooMany { line: wanted.line, left };
            return Err(Refused::Rule(error).into());
        }
    }
    Ok(())
}
