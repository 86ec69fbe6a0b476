//! Carrying out what was approved.

use ::approvals::{Approval, ApprovalError, CommandKind, Outcome, Refusal};
use ::orders::{OrderId, PlaceOrder, ReturnItems, ReviseOrder};
use ::payments::RefundPayment;
use ::quotes::{QuoteId, SendQuote};
use ::tasks::{NewTask, Payload, kind::CANCEL_APPROVED};
use diesel::{Connection, QueryResult};
use inventory::{AdjustmentId, DispatchTransfer, NewAdjustment, PostCount};
use kernel::{Ctx, Refused};

use super::{Wording, stocking, subjects};
use crate::{
    db::Db,
    error::Failure,
    orders::{
        order_update,
        place::{self, Settled},
        return_items,
    },
    payments, quotes,
    rows::{corrupt, read},
    stock,
    stored::{Stored, Ticket, from_text, to_text},
    tasks,
    tx::{Effects, Tx},
};

/// Whether what a request is about is as it was. What could not be carried out any more is not another thing for that.
pub(super) fn is_unchanged(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    approval: &Approval,
    command: Option<&str>,
) -> QueryResult<bool> {
    let now = match (approval.command, command) {
        (Some(CommandKind::PlaceOrder), Some(text)) => {
            let command: PlaceOrder = from_text(text)?;
            let id = read(&approval.entity_id, OrderId::parse)?;
            match place::judge(tx, ctx, &command, id) {
                Ok(judged) => subjects::of_judged(&judged)?,
                Err(Failure::Database(error)) => return Err(error),
                Err(Failure::Refused(_)) => return Ok(true),
            }
        }
        (Some(CommandKind::SendQuote), _) => {
            let id = read(&approval.entity_id, QuoteId::parse)?;
            match quotes::judged(tx, ctx, id) {
                Ok(Some((quote, judged))) => subjects::of_quote(&quote, &judged)?,
                Err(Failure::Database(error)) => return Err(error),
                // It is sent at the prices that it has: what cannot be judged any more must not be sent for an old word.
                Ok(None) | Err(Failure::Refused(_)) => return Ok(false),
            }
        }
        (
            Some(CommandKind::AdjustStock | CommandKind::PostCount | CommandKind::DispatchTransfer),
            Some(text),
        ) => match stocking::of_waiting(tx, ctx, approval, text)? {
            Some(subject) => Some(subject),
            None => return Ok(true),
        },
        (Some(CommandKind::ReturnItems), _) => {
            let id = read(&approval.entity_id, OrderId::parse)?;
            subjects::refunded_order(tx.db, ctx, id)?
        }
        (Some(CommandKind::CancelOrder), Some(text))
            if from_text::<ReviseOrder>(text)?.changes.refund =>
        {
            let id = read(&approval.entity_id, OrderId::parse)?;
            subjects::refunded_order(tx.db, ctx, id)?
        }
        _ => {
            let named = (approval.entity, approval.entity_id.as_str());
            subjects::named(tx.db, ctx.account, named, ctx.now)?
        }
    };
    Ok(now.is_some_and(|now| now.digest == approval.digest))
}

/// Carries out the command of a request that was approved, or has it carried out from here.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wording: &Wording,
    (approval, command): (Approval, Option<&str>),
) -> Result<Approval, Failure<ApprovalError>> {
    let Some((kind, text)) = approval.command.zip(command) else { return Ok(approval) };
    let outcome = match kind {
        CommandKind::PlaceOrder => {
            let command: PlaceOrder = from_text(text)?;
            let id = read(&approval.entity_id, OrderId::parse)?;
            let settled = Settled { id, at: approval.created_at };
            let placed = |tx: &mut Tx<'_>| place::place_alone(tx, ctx, &command, settled);
            attempted(tx, wording.placing, placed)?
        }
        CommandKind::CancelOrder => {
            let command: ReviseOrder = from_text(text)?;
            attempted(tx, wording.changing, |tx| order_update(tx, ctx, &command))?
        }
        CommandKind::RefundPayment => {
            let command: RefundPayment = from_text(text)?;
            attempted(tx, wording.refunding, |tx| payments::refund_payment(tx, ctx, &command))?
        }
        CommandKind::ReturnItems => {
            let command: ReturnItems = from_text(text)?;
            let returned = |tx: &mut Tx<'_>| return_items(tx, ctx, &command);
            attempted(tx, wording.returning, |tx| returned(tx).map(|done| done.value))?
        }
        CommandKind::SendQuote => {
            let command: SendQuote = from_text(text)?;
            attempted(tx, wording.sending, |tx| quotes::send(tx, ctx, &command))?
        }
        CommandKind::AdjustStock => {
            let command: NewAdjustment = from_text(text)?;
            let id = read(&approval.entity_id, AdjustmentId::parse)?;
            attempted(tx, wording.stocking, |tx| stock::adjust(tx, ctx, id, &command))?
        }
        CommandKind::PostCount => {
            let command: PostCount = from_text(text)?;
            attempted(tx, wording.stocking, |tx| stock::post(tx, ctx, &command))?
        }
        CommandKind::DispatchTransfer => {
            let command: DispatchTransfer = from_text(text)?;
            attempted(tx, wording.stocking, |tx| stock::dispatch(tx, ctx, command))?
        }
        CommandKind::CancelInvoice => {
            open_task(tx, ctx, &approval)?;
            return Ok(approval.queued(ctx.now));
        }
    };
    Ok(approval.carried_out(outcome, ctx.now))
}

/// The task that asks for the cancellation of an invoice.
fn open_task(tx: &mut Tx<'_>, ctx: &Ctx, approval: &Approval) -> QueryResult<()> {
    let payload = to_text(&Ticket { approval: Some(approval.id) })?;
    let new = NewTask {
        kind: CANCEL_APPROVED.name,
        subject: approval.entity_id.clone(),
        exclusive_key: Some(approval.id.to_string()),
        payload: Payload { version: CANCEL_APPROVED.version, text: payload },
        due_at: ctx.now,
        claim: None,
    };
    tasks::open(tx, ctx.account, new, ctx.now).map(drop)
}

/// Tries a command: what is refused leaves nothing but the refusal.
fn attempted<T: Stored, E>(
    tx: &mut Tx<'_>,
    told: fn(Refused<E>) -> Refusal,
    work: impl FnOnce(&mut Tx<'_>) -> Result<T, Failure<E>>,
) -> Result<Outcome, Failure<ApprovalError>> {
    let (ids, retention) = (tx.ids, tx.retention);
    let (mut effects, mut held) = (Effects::default(), tx.held.clone());
    let result = tx.db.transaction(|db: &mut Db| {
        let before = held.clone();
        let mut tx = Tx { db, ids, retention, effects: Effects::default(), held: before };
        let result = work(&mut tx);
        (effects, held) = (tx.effects, tx.held);
        result
    });
    match result {
        Ok(value) => {
            tx.effects.append(effects);
            tx.held = held;
            Ok(Outcome::Made(to_text(&value)?))
        }
        Err(Failure::Database(error)) => Err(error.into()),
        Err(Failure::Refused(Refused::Fault(fault))) => Err(corrupt(fault.to_string()).into()),
        Err(Failure::Refused(refused)) => Ok(Outcome::Refused(told(refused))),
    }
}
