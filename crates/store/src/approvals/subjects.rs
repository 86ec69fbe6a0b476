//! What approvals are about: what is known of it, and whether it is still as it was.

use std::collections::BTreeSet;

use ::approvals::{EntityType, Facts, Field};
use ::orders::{Concessions, Order, OrderId, ReturnLine};
use ::payments::{NewRefund, Payment, PaymentId};
use ::quotes::Quote;
use aws_lc_rs::digest::{SHA256, digest};
use diesel::QueryResult;
use inventory::TransferId;
use invoices::{CancelReason, Invoice, InvoiceId};
use kernel::{AccountId, Amount, Ctx, Timestamp};
use serde::Serialize;

use super::stocking;
use crate::{
    db::Db,
    invoicing,
    orders::{order_by_id, place::Judged, progress},
    payments,
    rows::corrupt,
    stock::transfer_by_id,
};

/// Microseconds in a day.
const DAY_MICROS: i64 = 86_400_000_000;
/// Millionths in one.
const MICROS: i64 = 1_000_000;

/// What is known of something, and a digest of what decides about it.
pub(super) struct Subject {
    pub(super) facts: Facts,
    pub(super) digest: String,
    /// The same with the other methods by which something was paid of which parts are given back.
    pub(super) others: Vec<Facts>,
}

impl Subject {
    pub(super) const fn of(facts: Facts, digest: String) -> Self {
        Self { facts, digest, others: Vec::new() }
    }
}

/// Of an order that is to be placed; `None` when it gives nothing away. Where nothing is known that a price could be compared
/// with, the rules are asked.
pub(super) fn of_judged(judged: &Judged) -> QueryResult<Option<Subject>> {
    let Judged { order, prices } = judged;
    let given = Concessions::of(order, |sold| prices.get(&sold).copied());
    let is_comparable = order.items.iter().all(|item| prices.contains_key(&item.sold));
    if given.is_none() && is_comparable {
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
    Ok(Some(Subject::of(facts, digest_of(&(items, sums))?)))
}

/// Of a quote that is to be sent; `None` when it gives nothing away. What is approved is this version of it and no other.
pub(super) fn of_quote(quote: &Quote, judged: &Judged) -> QueryResult<Option<Subject>> {
    let Some(subject) = of_judged(judged)? else { return Ok(None) };
    let digest = digest_of(&(subject.digest, quote.version))?;
    Ok(Some(Subject { digest, ..subject }))
}

/// Of an order that there is.
pub(super) fn of_order(order: &Order) -> QueryResult<Subject> {
    let facts = Facts::new(Some(order.currency))
        .number(Field::Total, order.total)
        .text(Field::Status, Some(order.status.name().to_owned()));
    let money = (order.amount_paid(), order.amount_refunded, order.returned_total);
    let state = (order.status, order.paid_at, order.total, order.refund_due, money);
    Ok(Subject::of(facts, digest_of(&state)?))
}

/// Of an order of whose money so much is to be given back, for a reason, with what has become of its lines and its payments as
/// they are without what waits to be approved. Of several payments the oldest counts, and each method by which they were made.
pub(super) fn of_refunded_order(
    db: &mut Db,
    ctx: &Ctx,
    (order, payments): (&Order, &[Payment]),
    (amount, reason): (Amount, Option<String>),
) -> QueryResult<Subject> {
    let Subject { facts, digest, .. } = of_order(order)?;
    let paid: Vec<&Payment> =
        payments.iter().filter(|payment| payment.refundable() > Amount::ZERO).collect();
    let mut facts = facts
        .number(Field::Amount, amount)
        .number(Field::Share, share(amount, order.amount_paid()))
        .text(Field::Reason, reason);
    if let Some(days) = paid.iter().filter_map(|payment| payment.paid_at).min() {
        facts = facts.number(Field::DaysSincePaid, days_since(days, ctx.now));
    }
    let methods: BTreeSet<&str> = paid.iter().map(|payment| payment.method.name()).collect();
    let with = |method: &str| facts.clone().text(Field::Method, Some(method.to_owned()));
    let mut each = methods.into_iter().map(with);
    let first = each.next().unwrap_or_else(|| facts.clone());
    let others = each.collect();
    let held = payments.iter().map(|payment| (payment.refundable(), payment.refund_pending));
    // What has left cannot be taken off the order any more, and what has not cannot come back.
    let progress = progress::of(db, ctx.account, order)?;
    let gone = progress.iter().map(|line| (line.shipped, line.removed));
    let digest = digest_of(&(digest, held.collect::<Vec<_>>(), gone.collect::<Vec<_>>()))?;
    Ok(Subject { facts: first, digest, others })
}

/// The goods of an order that are to come back, in words.
pub(super) fn goods(order: &Order, lines: &[ReturnLine]) -> Option<String> {
    let named = |line: &ReturnLine| {
        let item = order.items.get(line.line.checked_sub(1)?)?;
        Some(format!("{} × {}", line.quantity, item.name))
    };
    let named: Vec<String> = lines.iter().filter_map(named).collect();
    (!named.is_empty()).then(|| named.join(", "))
}

/// A part in percent of a whole.
fn share(part: Amount, whole: Amount) -> Amount {
    let share =
        i128::from(part.micros()) * 100 * i128::from(MICROS) / i128::from(whole.micros().max(1));
    Amount::from_micros(i64::try_from(share).unwrap_or(i64::MAX))
}

/// Whole days since a moment.
fn days_since(at: Timestamp, now: Timestamp) -> Amount {
    let days = now.micros().saturating_sub(at.micros()).max(0) / DAY_MICROS;
    Amount::from_micros(days.saturating_mul(MICROS))
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
        facts = facts.number(Field::AgeDays, days_since(stamped.at, now));
    }
    let cancellation = invoice.cancellation.as_ref();
    let cancellation = cancellation.map(|it| (it.status.name(), it.reason.code(), it.requested_at));
    let state = (invoice.status.name(), invoice.uuid(), cancellation, invoice.balance);
    Ok(Subject::of(facts, digest_of(&state)?))
}

/// Of a payment, as it is without what waits to be approved, perhaps of which something is to be given back.
pub(super) fn of_refund(
    payment: &Payment,
    new: Option<&NewRefund>,
    now: Timestamp,
) -> QueryResult<Subject> {
    let amount = new.and_then(|new| new.amount).unwrap_or_else(|| payment.refundable());
    let mut facts = Facts::new(Some(payment.currency))
        .number(Field::Amount, amount)
        .number(Field::Share, share(amount, payment.captured))
        .text(Field::Method, Some(payment.method.name().to_owned()))
        .text(Field::Reason, new.and_then(|new| new.reason.clone()));
    if let Some(paid) = payment.paid_at {
        facts = facts.number(Field::DaysSincePaid, days_since(paid, now));
    }
    let state = (payment.status, payment.captured, payment.refunded, payment.refund_pending);
    Ok(Subject::of(facts, digest_of(&state)?))
}

/// Of an order that there is and of which something is to be given back, as far as it decides.
pub(super) fn refunded_order(db: &mut Db, ctx: &Ctx, id: OrderId) -> QueryResult<Option<Subject>> {
    let account = ctx.account;
    let Some(order) = order_by_id(db, &account.to_string(), &id.to_string())? else {
        return Ok(None);
    };
    let of_order = ::payments::OrderId::from_u128(id.to_u128());
    let payments = payments::of_order(db, account, of_order)?;
    let payments = payments::without_holds(db, account, payments)?;
    of_refunded_order(db, ctx, (&order, &payments), (Amount::ZERO, None)).map(Some)
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
            let payment = payments::payment_by_id(db, account, id)?.into_iter().collect();
            let payment = payments::without_holds(db, account, payment)?.pop();
            payment.map(|payment| of_refund(&payment, None, now)).transpose()
        }
        EntityType::StockTransfer => {
            let Some(id) = TransferId::parse(id) else { return Ok(None) };
            let transfer = transfer_by_id(db, account, id)?;
            transfer.map(|transfer| stocking::of_transfer(db, account, &transfer)).transpose()
        }
        EntityType::StockAdjustment => Ok(None),
    }
}

pub(super) fn digest_of(state: &impl Serialize) -> QueryResult<String> {
    let text = serde_json::to_string(state).map_err(|error| corrupt(error.to_string()))?;
    Ok(hex::encode(digest(&SHA256, text.as_bytes())))
}
