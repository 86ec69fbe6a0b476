//! What refunds give back, and what was never paid of goods that came back and of cancelled orders, and which credit notes of it
//! there are already.

use ::invoices::{
    Invoice, RefundId, Status, credit_notes,
    papers::{self, GivenBack},
};
use ::orders::{Order, OrderId, OrderStatus, Return, ReturnId, number_text};
use ::payments::{Origin, Payment, Refund};
use cfdi::{decimal, tax::TaxRate};
use diesel::prelude::*;
use kernel::{AccountId, Amount};

use crate::{
    db::Db,
    invoices::{relations, rows},
    orders::{order_of, return_by_id, returns_of},
    payments,
};

/// What came back with a return, by the taxes of the lines.
pub(super) fn by_taxes(order: &Order, record: &Return) -> Vec<(Vec<TaxRate>, Amount)> {
    let item = |line: usize| order.items.get(line.saturating_sub(1));
    let lines = record.lines.iter().map(|line| {
        let taxes = item(line.line).and_then(|item| item.taxes.clone());
        (taxes.unwrap_or_default(), line.amount)
    });
    let shipping = order.shipping.iter();
    let shipping = shipping.map(|shipping| (shipping.taxes.clone(), record.shipping));
    lines.chain(shipping).collect()
}

/// What is left of an order of which something came back, by the taxes of the lines.
pub(super) fn left_by_taxes(order: &Order) -> Vec<(Vec<TaxRate>, Amount)> {
    let (lines, sent): (Vec<Amount>, Amount) = match order.left() {
        Some(left) => (left.lines.iter().map(|line| line.amount).collect(), left.shipping),
        None => (order.item_totals(), order.shipping_total()),
    };
    let taxes = order.items.iter().map(|item| item.taxes.clone().unwrap_or_default());
    let shipping = order.shipping.iter().map(|shipping| (shipping.taxes.clone(), sent));
    taxes.zip(lines).chain(shipping).collect()
}

/// What a refund gives back, as credit notes see it, of which these are the others.
pub(super) fn given_back(
    db: &mut Db,
    account: AccountId,
    (refund, payment, order): (&Refund, &Payment, Option<&Order>),
    (invoice, notes): (&Invoice, &[Invoice]),
) -> QueryResult<GivenBack> {
    // The note of such a refund is its return.
    let note = refund.note.as_deref().filter(|_| refund.origin == Origin::Return);
    let returned = match note.and_then(ReturnId::parse) {
        Some(id) => return_by_id(db, account, id)?,
        None => None,
    };
    let returned = returned.zip(order).map(|(record, order)| by_taxes(order, &record));
    let kept = order.filter(|_| returned.is_some()).map(left_by_taxes);
    let is_ticket = invoice.document.global.is_some();
    let given = GivenBack {
        refund: Some(RefundId::from_u128(refund.id.to_u128())),
        goods: None,
        cancelled_order: None,
        amount: refund.amount,
        currency: refund.currency,
        payment_form: payment.payment_form().map(str::to_owned),
        ticket: order.filter(|_| is_ticket).map(|order| number_text(order.number)),
        returned,
        kept: kept.unwrap_or_default(),
        discounts_kept: false,
    };
    let settles = |order: &&Order| {
        order.status != OrderStatus::Cancelled && order.amount_paid_beyond() > Amount::ZERO
    };
    let Some(order) = order.filter(settles).filter(|_| given.returned.is_none()) else {
        return Ok(given);
    };
    let records = returns_of(db, account, order.id)?;
    let came_back = records.iter().flat_map(|record| by_taxes(order, record)).collect();
    Ok(given.settling(invoice, notes, (came_back, left_by_taxes(order))))
}

/// What of the money that was given back undoes the sale, and is in no credit note yet: giving back what was paid beyond
/// what was sold undoes nothing. What was taken off it since it was never paid is sold no longer.
pub(super) fn undone(
    db: &mut Db,
    account: AccountId,
    (order, invoice): (Option<&Order>, &Invoice),
    notes: &[Invoice],
) -> QueryResult<Amount> {
    let (sold, paid, given_back) = match order {
        Some(order) => {
            let amounts = (order.total, order.returned_total);
            let sold = papers::invoiced(invoice, &number_text(order.number), amounts);
            let never_paid: Vec<String> = notes_never_paid(db, account, order.id)?.collect();
            let is_waived = |note: &&Invoice| never_paid.contains(&note.id.to_string());
            let waived = notes.iter().filter(is_waived).map(Invoice::amount);
            let sold = decimal::less(sold, decimal::sum(waived));
            (sold, order.amount_paid(), order.amount_refunded)
        }
        None => {
            let (paid, given_back) = payments::papers::money_of(db, account, invoice)?;
            (invoice.amount(), paid, given_back)
        }
    };
    let credited = notes.iter().filter(|note| note.draft.refund.is_some());
    let credited: i64 = credited.map(|note| note.amount().micros()).sum();
    let excess = (paid.micros() - sold.micros()).max(0);
    Ok(Amount::from_micros(given_back.micros() - excess - credited))
}

/// The other living credit notes of what a refund gives back: those of refunds and of what was never paid, drafts among them, and
/// whatever else lowers an invoice of its own.
pub(super) fn notes(
    db: &mut Db,
    account: AccountId,
    refund: &Refund,
    invoice: &Invoice,
) -> QueryResult<Vec<Invoice>> {
    let siblings = payments::papers::siblings(db, account, refund, invoice)?.into_iter();
    let others = siblings.filter(|sibling| sibling.id != refund.id);
    let mut ids: Vec<String> =
        others.filter_map(|other| other.credit_note).map(|id| id.to_string()).collect();
    if let Some(order) = refund.order {
        ids.extend(notes_never_paid(db, account, OrderId::from_u128(order.to_u128()))?);
    }
    living(db, account, ids, invoice)
}

/// The living credit notes of the invoice of an order: those of its refunds and of what was never paid, drafts among them, and
/// whatever else lowers the invoice.
pub(super) fn notes_of_order(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    invoice: &Invoice,
) -> QueryResult<Vec<Invoice>> {
    let paid = ::payments::OrderId::from_u128(order.to_u128());
    let mut ids = payments::papers::notes_of(db, account, paid)?;
    ids.extend(notes_never_paid(db, account, order)?);
    living(db, account, ids, invoice)
}

/// The credit notes of what was never paid of an order: of goods that came back, and of the rest once it was cancelled.
fn notes_never_paid(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<impl Iterator<Item = String>> {
    let returns = returns_of(db, account, order)?.into_iter();
    let cancelled = order_of(db, account, order)?.and_then(|order| order.credit_note);
    let notes = returns.filter_map(|record| record.credit_note).chain(cancelled);
    Ok(notes.map(|id| id.to_string()))
}

/// Those of these credit notes that live and lower an invoice, and whatever else lowers one that is no global one.
fn living(
    db: &mut Db,
    account: AccountId,
    ids: Vec<String>,
    invoice: &Invoice,
) -> QueryResult<Vec<Invoice>> {
    let of_this = |note: &Invoice| {
        let is_living = note.status != Status::Cancelled;
        is_living && credit_notes::lowered(&note.draft).any(|uuid| Some(uuid) == invoice.uuid())
    };
    let mut notes = rows::by_ids(db, account, ids)?;
    notes.retain(of_this);
    let (None, Some(uuid)) = (&invoice.document.global, invoice.uuid()) else { return Ok(notes) };
    for other in relations::referrers(db, account, uuid)? {
        let is_new = notes.iter().all(|note| note.id != other.invoice.id);
        if is_new && credit_notes::taken(&other.invoice, invoice).is_some() {
            notes.push(other.invoice);
        }
    }
    Ok(notes)
}
