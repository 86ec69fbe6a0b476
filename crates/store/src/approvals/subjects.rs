//! What approvals are about: what is known of it, and whether it is still as it was.

use ::approvals::{EntityType, Facts, Field};
use ::orders::{Concessions, Order, OrderId};
use ::payments::{NewRefund, Payment, PaymentId};
use diesel::QueryResult;
use invoices::{CancelReason, Invoice, InvoiceId};
use kernel::{AccountId, Amount, Timestamp};
use ring::digest::{SHA256, digest};
use serde::Serialize;

use crate::{
    db::Db,
    invoicing,
    orders::{order_by_id, place::Judged},
    payments,
    rows::corrupt,
};

/// Microseconds in a day.
const DAY_MICROS: i64 = 86_400_000_000;
/// Millionths in one.
const MICROS: i64 = 1_000_000;

/// What is known of something, and a digest of what decides about it.
pub(super) struct Subject {
    pub(super) facts: Facts,
    pub(super) digest: String,
}

/// Of an order that is to be placed; `None` when it gives nothing away.
pub(super) fn of_judged(judged: &Judged) -> QueryResult<Option<Subject>> {
    let Judged { order, prices } = judged;
    let given = Concessions::of(order, |sold| prices.get(&sold).copied());
    if given.is_none() {
        return Ok(None);
    }
    let items = order.items.iter().map(|item| {
        let price = prices.get(&item.sold).copied().map(Amount::micros);
        (item.sold, item.quantity, item.unit_price, price, item.tax_included, &item.taxes)
    });
    let items: Vec<_> = items.collect();
    let sums = (order.currency, order.total, order.tax_total, given.discount);
    let facts = Facts::new(Some(order.currency))
        .number(Field::DiscountPct, given.discount_percent)
        .number(Field::DiscountTotal, given.discount)
        .number(Field::BelowPricePct, given.below_price_percent)
        .number(Field::Total, order.total)
        .text(Field::CustomerId, Some(order.customer.to_string()))
        .text(Field::Channel, order.channel.clone());
    Ok(Some(Subject { facts, digest: digest_of(&(items, sums))? }))
}

/// Of an order that there is.
pub(super) fn of_order(order: &Order) -> QueryResult<Subject> {
    let facts = Facts::new(Some(order.currency))
        .number(Field::Total, order.total)
        .text(Field::Status, Some(order.status.name().to_owned()));
    let money = (order.amount_paid(), order.amount_refunded, order.returned_total);
    let state = (order.status, order.paid_at, order.total, order.refund_due, money);
    Ok(Subject { facts, digest: digest_of(&state)? })
}

/// Of an invoice, perhaps to be cancelled for a reason.
pub(super) fn of_invoice(
    invoice: &Invoice,
    reason: Option<CancelReason>,
    now: Timestamp,
) -> QueryResult<Subject> {
    let mut facts = Facts::new(Some(invoice.draft.currency))
        .number(Field::Total, invoice.amount())
        .text(Field::Motive, reason.map(|reason| reason.code().to_owned()));
    if let Some(stamped) = &invoice.stamp {
        let days = now.micros().saturating_sub(stamped.at.micros()).max(0) / DAY_MICROS;
        facts = facts.number(Field::AgeDays, Amount::from_micros(days.saturating_mul(MICROS)));
    }
    let cancellation = invoice.cancellation.as_ref();
    let cancellation = cancellation.map(|it| (it.status.name(), it.reason.code(), it.requested_at));
    let state = (invoice.status.name(), invoice.uuid(), cancellation, invoice.balance);
    Ok(Subject { facts, digest: digest_of(&state)? })
}

/// Of a payment, perhaps of which something is to be given back.
pub(super) fn of_refund(
    payment: &Payment,
    new: Option<&NewRefund>,
    now: Timestamp,
) -> QueryResult<Subject> {
    let amount = new.and_then(|new| new.amount).unwrap_or_else(|| payment.refundable());
    let share = i128::from(amount.micros()) * 100 * i128::from(MICROS)
        / i128::from(payment.captured.micros().max(1));
    let share = Amount::from_micros(i64::try_from(share).unwrap_or(i64::MAX));
    let mut facts = Facts::new(Some(payment.currency))
        .number(Field::Amount, amount)
        .number(Field::Share, share)
        .text(Field::Method, Some(payment.method.name().to_owned()))
        .text(Field::Reason, new.and_then(|new| new.reason.clone()));
    if let Some(paid) = payment.paid_at {
        let days = now.micros().saturating_sub(paid.micros()).max(0) / DAY_MICROS;
        let days = Amount::from_micros(days.saturating_mul(MICROS));
        facts = facts.number(Field::DaysSincePaid, days);
    }
    let state = (payment.status, payment.captured, payment.refunded, payment.refund_pending);
    Ok(Subject { facts, digest: digest_of(&state)? })
}

/// Of what a request names that somebody makes by hand; `None` when the account has no such thing.
pub(super) fn named(
    db: &mut Db,
    account: AccountId,
    (entity, id): (EntityType, &str),
    now: Timestamp,
) -> QueryResult<Option<Subject>> {
    match entity {
        EntityType::OrderDiscount | EntityType::OrderCancellation => {
            let Some(id) = OrderId::parse(id) else { return Ok(None) };
            let order = order_by_id(db, &account.to_string(), &id.to_string())?;
            order.map(|order| of_order(&order)).transpose()
        }
        EntityType::InvoiceCancellation => {
            let Some(id) = InvoiceId::parse(id) else { return Ok(None) };
            let invoice = invoicing::by_id(db, account, id)?;
            invoice.map(|invoice| of_invoice(&invoice, None, now)).transpose()
        }
        EntityType::Refund => {
            let Some(id) = PaymentId::parse(id) else { return Ok(None) };
            let payment = payments::payment_by_id(db, account, id)?;
            payment.map(|payment| of_refund(&payment, None, now)).transpose()
        }
        EntityType::StockAdjustment | EntityType::StockTransfer => Ok(None),
    }
}

fn digest_of(state: &impl Serialize) -> QueryResult<String> {
    let text = serde_json::to_string(state).map_err(|error| corrupt(error.to_string()))?;
    Ok(hex::encode(digest(&SHA256, text.as_bytes())))
}
