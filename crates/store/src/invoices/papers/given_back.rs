//! What refunds give back, and which credit notes of it there are already.

use ::invoices::{
    Invoice, InvoiceId, RefundId, Status, credit_notes,
    papers::{self, GivenBack},
};
use ::orders::{Order, ReturnId, number_text};
use ::payments::{Origin, Payment, Refund};
use diesel::prelude::*;
use kernel::{AccountId, Amount};

use crate::{
    db::Db,
    invoices::{relations, rows},
    orders::return_by_id,
    payments,
};

/// What a refund gives back, as credit notes see it.
pub(super) fn given_back(
    db: &mut Db,
    account: AccountId,
    (refund, payment, order): (&Refund, &Payment, Option<&Order>),
    invoice: &Invoice,
) -> QueryResult<GivenBack> {
    // The note of such a refund is its return.
    let note = refund.note.as_deref().filter(|_| refund.origin == Origin::Return);
    let returned = match note.and_then(ReturnId::parse) {
        Some(id) => return_by_id(db, account, id)?,
        None => None,
    };
    let returned = returned.zip(order).map(|(record, order)| {
        let item = |line: usize| order.items.get(line.saturating_sub(1));
        let lines = record.lines.iter().map(|line| {
            let taxes = item(line.line).and_then(|item| item.taxes.clone());
            (taxes.unwrap_or_default(), line.amount)
        });
        let shipping = order.shipping.iter();
        let shipping = shipping.map(|shipping| (shipping.taxes.clone(), record.shipping));
        lines.chain(shipping).collect()
    });
    let is_ticket = invoice.document.global.is_some();
    Ok(GivenBack {
        refund: Some(RefundId::from_u128(refund.id.to_u128())),
        goods: None,
        amount: refund.amount,
        currency: refund.currency,
        payment_form: payment.payment_form().map(str::to_owned),
        ticket: order.filter(|_| is_ticket).map(|order| number_text(order.number)),
        returned,
    })
}

/// What of the money that was given back undoes the sale, and is in no credit note yet: giving back what was paid beyond
/// what was sold undoes nothing.
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

/// The other living credit notes of what a refund gives back: those of refunds, drafts among them, and whatever else lowers
/// an invoice of its own.
pub(super) fn notes(
    db: &mut Db,
    account: AccountId,
    refund: &Refund,
    invoice: &Invoice,
) -> QueryResult<Vec<Invoice>> {
    let mut notes: Vec<Invoice> = Vec::new();
    for sibling in payments::papers::siblings(db, account, refund, invoice)? {
        let id = sibling.credit_note.map(|id| InvoiceId::from_u128(id.to_u128()));
        let note = match id.filter(|_| sibling.id != refund.id) {
            Some(id) => rows::by_id(db, account, id)?,
            None => None,
        };
        let of_this = |note: &Invoice| {
            credit_notes::lowered(&note.draft).any(|uuid| Some(uuid) == invoice.uuid())
        };
        notes.extend(note.filter(|note| note.status != Status::Cancelled && of_this(note)));
    }
    let (None, Some(uuid)) = (&invoice.document.global, invoice.uuid()) else { return Ok(notes) };
    for other in relations::referrers(db, account, uuid)? {
        let is_new = notes.iter().all(|note| note.id != other.invoice.id);
        if is_new && credit_notes::taken(&other.invoice, invoice).is_some() {
            notes.push(other.invoice);
        }
    }
    Ok(notes)
}
