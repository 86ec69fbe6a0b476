//! Payments of invoices: what is owed of them, and the orders that they bill.

use ::invoices::{Invoice, InvoiceId, Status, uncollectible, unpayable};
use ::payments::{CustomerId, NewPayment, OrderId, Owed, Payment, PaymentError, PaymentId, open};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Currency, FieldFault, Message, Refused, Timestamp, message};

use super::{begin::Outcome, links, money::call_off, rows};
use crate::{
    db::Db,
    error::Failure,
    invoicing::{self, credited_by_hand},
    schema::invoices::dsl,
    tx::Tx,
};

/// An invoice as payments name it.
const fn payments_of(invoice: &Invoice) -> ::payments::InvoiceId {
    ::payments::InvoiceId::from_u128(invoice.id.to_u128())
}

/// The invoice that is to be paid, locked, if it can be.
pub(super) fn named(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: Option<::payments::InvoiceId>,
) -> Outcome<Option<Invoice>> {
    let Some(id) = id else { return Ok(None) };
    let wrong = |problem: Message| {
        Failure::from(Refused::Invalid(vec![FieldFault::new("invoiceId", problem)]))
    };
    let id = InvoiceId::from_u128(id.to_u128());
    let invoice = match invoicing::locked::<PaymentError>(tx, account, id, None) {
        Ok(invoice) => invoice,
        Err(Failure::Refused(Refused::NotFound)) => {
            return Err(wrong(message!(
                "names no invoice of this account: {id}",
                "no corresponde a ninguna factura de esta cuenta: {id}"
            )));
        }
        Err(failure) => return Err(failure),
    };
    if invoice.status == Status::Cancelled {
        return Err(Refused::Rule(PaymentError::InvoiceCancelled).into());
    }
    match uncollectible(&invoice) {
        Some(problem) => Err(wrong(problem)),
        None => Ok(Some(invoice)),
    }
}

/// The one order that an invoice bills.
pub(super) fn order_billed(invoice: &Invoice) -> Option<OrderId> {
    match invoice.draft.orders.as_slice() {
        [order] => Some(OrderId::from_u128(order.to_u128())),
        _ => None,
    }
}

/// Series and folio of an invoice.
pub(super) fn number_of(invoice: &Invoice) -> String {
    let document = &invoice.document;
    let parts = [&document.series, &document.folio];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("-")
}

/// A payment of an invoice that bills an order is one of that order, too, and the other way round where the invoice is paid
/// in parts.
pub(super) fn completed(
    db: &mut Db,
    account: AccountId,
    new: &NewPayment,
    billed: Option<&Invoice>,
) -> Outcome<NewPayment> {
    let mut new = new.clone();
    match (billed, new.order) {
        (Some(invoice), order) => new.order = order_billed(invoice).or(order),
        (None, Some(order)) => {
            let order = ::invoices::OrderId::from_u128(order.to_u128());
            let invoice = invoicing::of_order(db, account, order)?;
            let invoice = invoice.filter(|invoice| unpayable(invoice).is_none());
            new.invoice =
                invoice.map(|invoice| ::payments::InvoiceId::from_u128(invoice.id.to_u128()));
        }
        _ => {}
    }
    Ok(new)
}

/// What is owed of an invoice: where it bills an order, no more than is owed of that.
pub(super) fn owed(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    of_order: Option<Owed>,
) -> QueryResult<Owed> {
    let due = due(db, account, invoice)?;
    if let Some(of_order) = of_order {
        return Ok(of_order.of_invoice(due));
    }
    let payments = rows::of_invoice(db, account, payments_of(invoice))?;
    Ok(Owed {
        currency: invoice.document.currency.unwrap_or(Currency::MXN),
        due,
        usual: due,
        in_progress: open::in_progress(&payments),
        is_cancelled: invoice.status == Status::Cancelled,
        customer: invoice.draft.customer.map(|id| CustomerId::from_u128(id.to_u128())),
    })
}

/// What is still to be paid of an invoice by itself. Of one paid in one go there are no receipts: its payments tell.
fn due(db: &mut Db, account: AccountId, invoice: &Invoice) -> QueryResult<Amount> {
    let payments = rows::of_invoice(db, account, payments_of(invoice))?;
    let Some(balance) = invoice.outstanding() else {
        let credited = credited_by_hand(db, account, invoice)?;
        let left = Amount::from_micros(invoice.amount().micros() - credited.micros());
        return Ok(open::due_of_invoice(left, &payments, |_| false));
    };
    let receipted = receipted(db, account, &payments)?;
    Ok(open::due_of_invoice(balance, &payments, |payment| receipted.contains(&payment.id)))
}

/// What was paid of invoices, of which so much is to be paid by their receipts, and has no stamped receipt yet; one for one.
pub(super) fn unreceipted(
    db: &mut Db,
    account: AccountId,
    invoices: &[(::payments::InvoiceId, Amount)],
) -> QueryResult<Vec<Amount>> {
    let payments = rows::unreceipted_of(db, account, invoices.iter().map(|(id, _)| *id))?;
    let of = |(id, balance): &(::payments::InvoiceId, Amount)| {
        let own = payments.iter().filter(|payment| payment.invoice == Some(*id));
        let own: Vec<Payment> = own.cloned().collect();
        let due = open::due_of_invoice(*balance, &own, |_| false);
        Amount::from_micros(balance.micros() - due.micros())
    };
    Ok(invoices.iter().map(of).collect())
}

/// Those of these payments that have a stamped receipt.
fn receipted(db: &mut Db, account: AccountId, payments: &[Payment]) -> QueryResult<Vec<PaymentId>> {
    let named = |payment: &Payment| Some((payment.id, payment.receipt?.to_string()));
    let named: Vec<(PaymentId, String)> = payments.iter().filter_map(named).collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let receipts: Vec<String> = named.iter().map(|(_, receipt)| receipt.clone()).collect();
    let stamped: Vec<String> = dsl::invoices
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq_any(receipts))
        .filter(dsl::status.eq(Status::Stamped.name()))
        .select(dsl::id)
        .load(db)?;
    let is_stamped = |(_, receipt): &(PaymentId, String)| stamped.contains(receipt);
    Ok(named.into_iter().filter(is_stamped).map(|(id, _)| id).collect())
}

/// Closes the links of an invoice of which nothing is to be paid any more, and calls off whoever is paying it by itself, but
/// for one.
pub(crate) fn settle_invoice(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    spared: Option<PaymentId>,
    now: Timestamp,
) -> QueryResult<()> {
    let is_cancelled = invoice.status == Status::Cancelled;
    let is_settled = is_cancelled || due(tx.db, account, invoice)? == Amount::ZERO;
    if !is_settled {
        return Ok(());
    }
    let links = links::settle_invoice(tx, account, payments_of(invoice), is_cancelled, now)?;
    for payment in rows::of_invoice(tx.db, account, payments_of(invoice))? {
        // What pays an order, too, is called off with that.
        let is_of_invoice =
            payment.order.is_none() || payment.link.is_some_and(|link| links.contains(&link));
        if is_of_invoice && payment.is_called_off_when_settled() && spared != Some(payment.id) {
            call_off(tx, account, &payment, now)?;
        }
    }
    Ok(())
}

/// The same of the invoice that a payment names.
pub(super) fn settle_named(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ::payments::InvoiceId,
    spared: Option<PaymentId>,
    now: Timestamp,
) -> QueryResult<()> {
    match invoicing::by_id(tx.db, account, InvoiceId::from_u128(id.to_u128()))? {
        Some(invoice) => settle_invoice(tx, account, &invoice, spared, now),
        None => Ok(()),
    }
}
