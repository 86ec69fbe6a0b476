//! What stands before refunds.

use ::approvals::{Approval, CommandKind, EntityType, Gate, Passed, Person, required};
use ::orders::Order;
use ::payments::{NewRefund, Payment, PaymentError, PaymentId, Refund, RefundPayment, refund};
use diesel::QueryResult;
use kernel::{Amount, Ctx, Fault, Pending, Refused, Written};

use super::{Ready, asked, made, ready, undone};
use crate::{
    approvals::{
        rules,
        subjects::{self, Subject},
    },
    error::Failure,
    payments,
    store::Store,
    tx::Tx,
};

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
                let payment = payments::lock_payment(tx, ctx.account, command.payment, ctx.now)?;
                undone(tx, |tx| payments::refund_payment(tx, &ctx, &command))?;
                let (amount, subject) = looked_at(tx, &ctx, payment, &command.new)?;
                let new = NewRefund { amount: Some(amount), ..command.new.clone() };
                let (id, reason) = (command.payment, new.reason.clone());
                let kept = RefundPayment { payment: id, new };
                let kind = CommandKind::RefundPayment;
                let ready = ready(kind, id.to_string(), subject, (reason, by), &kept)?;
                Ok(Some(Ready { holds: vec![(id, amount)], ..ready }))
            };
            // Its provider is asked by whoever does that for all.
            asked(tx, &ctx, &[EntityType::Refund], look, |_| Ok(None))
        })
    }

    fn made(&self, approval: &Approval) -> Result<Option<Refund>, Fault> {
        made(approval, &[CommandKind::RefundPayment])
    }
}

/// How much is given back of a payment that is locked, and what is known of that. All that is left is what is left now.
fn looked_at(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    payment: Payment,
    new: &NewRefund,
) -> Result<(Amount, Subject), Failure<PaymentError>> {
    let amount = new.amount.unwrap_or_else(|| payment.refundable());
    let new = NewRefund { amount: Some(amount), ..new.clone() };
    let netted = payments::without_holds(tx.db, ctx.account, vec![payment])?.pop();
    let payment = netted.ok_or(Refused::NotFound)?;
    Ok((amount, subjects::of_refund(&payment, Some(&new), ctx.now)?))
}

/// Refuses a refund that rules want to be asked about. Its gate has let it through, but since then more may have come to be
/// left of the payment, and other rules may have been made.
pub(crate) fn refuse_unasked(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    payment: PaymentId,
    new: &NewRefund,
) -> Result<(), Failure<PaymentError>> {
    let rules = rules::about(tx.db, ctx.account, &[EntityType::Refund])?;
    if rules.is_empty() {
        return Ok(());
    }
    let payment = payments::lock_payment(tx, ctx.account, payment, ctx.now)?;
    let (_, subject) = looked_at(tx, ctx, payment, new)?;
    match required(&rules, &subject.facts).is_empty() {
        true => Ok(()),
        false => Err(Refused::Rule(PaymentError::NeedsApproval).into()),
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
