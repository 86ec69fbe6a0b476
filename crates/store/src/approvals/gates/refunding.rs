//! What stands before refunds.

use ::approvals::{Approval, CommandKind, EntityType, Gate, Passed, Person};
use ::orders::Order;
use ::payments::{NewRefund, Payment, PaymentError, PaymentId, Refund, RefundPayment, refund};
use diesel::QueryResult;
use kernel::{Amount, Ctx, Fault, Pending, Refused, Written};

use super::{Ready, asked, made, ready, undone};
use crate::{approvals::subjects, payments, store::Store, tx::Tx};

impl Gate<RefundPayment, Refund, PaymentError> for Store {
    fn is_guarded(&self, ctx: &Ctx) -> Pending<Result<bool, Fault>> {
        self.is_guarded_by(&[EntityType::Refund], ctx)
    }

    fn ask(
        &self,
        ctx: Ctx,
        by: Person,
        command: RefundPayment,
    ) -> Pending<Written<Passed<Refund>, PaymentError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let look = |tx: &mut Tx<'_>| {
                let account = ctx.account;
                let payment = payments::lock_payment(tx, account, command.payment, ctx.now)?;
                undone(tx, |tx| payments::refund_payment(tx, &ctx, &command))?;
                // All that is left is what is left now.
                let amount = command.new.amount.unwrap_or_else(|| payment.refundable());
                let new = NewRefund { amount: Some(amount), ..command.new.clone() };
                let holds = vec![(payment.id, amount)];
                let (id, reason) = (payment.id.to_string(), new.reason.clone());
                let netted = payments::without_holds(tx.db, account, vec![payment])?.pop();
                let payment = netted.ok_or(Refused::NotFound)?;
                let subject = subjects::of_refund(&payment, Some(&new), ctx.now)?;
                let kept = RefundPayment { payment: payment.id, new };
                let ready = ready(CommandKind::RefundPayment, id, subject, (reason, by), &kept)?;
                Ok(Some(Ready { holds, ..ready }))
            };
            // Its provider is asked by whoever does that for all.
            asked(tx, &ctx, &[EntityType::Refund], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Refund>, Fault> {
        made(approval, &[CommandKind::RefundPayment])
    }
}

/// The payments of an order that is locked, locked with it.
pub(super) fn payments_of(tx: &mut Tx<'_>, ctx: &Ctx, order: &Order) -> QueryResult<Vec<Payment>> {
    let order = ::payments::OrderId::from_u128(order.id.to_u128());
    payments::of_locked_order(tx, ctx.account, order, ctx.now)
}

/// What is given back of which payment.
pub(super) fn parts(payments: &[Payment], owed: Amount, ctx: &Ctx) -> Vec<(PaymentId, Amount)> {
    let parts = refund::spread(payments, owed, ctx.now).into_iter();
    parts.map(|(payment, amount, _)| (payment, amount)).collect()
}
