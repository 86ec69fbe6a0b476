//! What stands before cancelling orders and invoices.

use ::approvals::{Approval, CommandKind, EntityType, Gate, Passed, Person};
use ::orders::{Order, OrderStatus, ReviseOrder, UpdateError};
use invoices::{CancelInvoice, Invoice, InvoiceError};
use kernel::{Amount, Ctx, Fault, Pending, Refused, Written};

use super::{
    Ready, asked, made, ready,
    refunding::{parts, payments_of},
    undone,
};
use crate::{
    approvals::subjects, error::Failure, invoices::judge_cancelling, ordering::money::locked,
    orders::order_update, payments, store::Store, tx::Tx,
};

impl Gate<ReviseOrder, Order, UpdateError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::OrderCancellation, EntityType::Refund], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: ReviseOrder,
    ) -> Pending<Written<Passed<Order>, UpdateError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| changing(tx, &ctx, by, &command);
            // What is given back by it is guarded as any refund is.
            let entities: &[EntityType] = match command.changes.refund {
                true => &[EntityType::OrderCancellation, EntityType::Refund],
                false => &[EntityType::OrderCancellation],
            };
            asked(tx, &ctx, entities, look, |tx| order_update(tx, &ctx, &command).map(Some))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Order>, Fault> {
        made(approval, &[CommandKind::CancelOrder])
    }
}

fn changing(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    by: Person,
    command: &ReviseOrder,
) -> Result<Option<Ready>, Failure<UpdateError>> {
    let id = command.id.to_string();
    // What is asked about is what the caller has seen, if it says so: nothing comes in between.
    let before = locked(tx, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    let is_cancellation = command.changes.status == Some(OrderStatus::Cancelled);
    let has_money = before.paid_at.is_some() || before.amount_kept() > Amount::ZERO;
    if !is_cancellation || !has_money || before.status == OrderStatus::Cancelled {
        return Ok(None);
    }
    let payments = payments_of(tx, ctx, &before)?;
    undone(tx, |tx| order_update(tx, ctx, command))?;
    let reason = command.changes.reason.clone();
    // What the caller has seen counts now. By what is decided later the digest does: of all that is approved, and of nothing else,
    // such as notes that are written meanwhile.
    let kept = ReviseOrder { version: None, ..command.clone() };
    if !command.changes.refund {
        let subject = subjects::of_order(&before)?;
        return ready(CommandKind::CancelOrder, id, subject, (reason, by), &kept).map(Some);
    }
    let known = payments::without_holds(tx.db, ctx.account, payments.clone())?;
    // What waits elsewhere is asked about, too: it may never be given back there.
    let owed = known.iter().map(|payment| payment.refundable().micros()).sum();
    let owed = Amount::from_micros(owed);
    let holds = parts(&payments, owed, ctx);
    let payments = known;
    let refund = (owed, reason.clone());
    let subject = subjects::of_refunded_order(tx.db, ctx, (&before, &payments), refund)?;
    let ready = ready(CommandKind::CancelOrder, id, subject, (reason, by), &kept)?;
    Ok(Some(Ready { holds, ..ready }))
}

impl Gate<CancelInvoice, Invoice, InvoiceError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::InvoiceCancellation], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: CancelInvoice,
    ) -> Pending<Written<Passed<Invoice>, InvoiceError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| {
                let invoice = judge_cancelling(tx, &vault, &ctx, &command)?;
                let Some(invoice) = invoice else { return Ok(None) };
                let subject = subjects::of_invoice(&invoice, Some(command.reason), ctx.now)?;
                let id = invoice.id.to_string();
                ready(CommandKind::CancelInvoice, id, subject, (None, by), &command).map(Some)
            };
            // Its provider is asked by whoever does that for all.
            asked(tx, &ctx, &[EntityType::InvoiceCancellation], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Invoice>, Fault> {
        made(approval, &[CommandKind::CancelInvoice])
    }
}
