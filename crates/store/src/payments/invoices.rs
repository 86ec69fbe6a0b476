//! Payments of invoices: what is owed of them, and the orders that they bill.

use ::invoices::{Invoice, InvoiceId, Status, unpayable};
use ::payments::{CustomerId, NewPayment, OrderId, Owed, PaymentError, open};
use kernel::{AccountId, Currency, FieldFault, Message, Refused, message};

use super::{begin::Outcome, rows};
use crate::{db::Db, error::Failure, invoicing, tx::Tx};

/// The invoice that a payment names, locked, if it can be paid.
pub(super) fn named(
    tx: &mut Tx<'_>,
    account: AccountId,
    new: &NewPayment,
) -> Outcome<Option<Invoice>> {
    let Some(id) = new.invoice else { return Ok(None) };
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
    match unpayable(&invoice) {
        Some(problem) => Err(wrong(problem)),
        None => Ok(Some(invoice)),
    }
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
    match (billed.map(|invoice| invoice.draft.orders.as_slice()), new.order) {
        (Some([order]), _) => new.order = Some(OrderId::from_u128(order.to_u128())),
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

/// What is owed of an invoice: where it bills an order, no more than is due of that.
pub(super) fn owed(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    of_order: Option<Owed>,
) -> Outcome<Owed> {
    let id = ::payments::InvoiceId::from_u128(invoice.id.to_u128());
    let payments = rows::of_invoice(db, account, id)?;
    let mut receipted = Vec::new();
    for payment in &payments {
        let Some(receipt) = payment.receipt else { continue };
        let receipt = invoicing::by_id(db, account, InvoiceId::from_u128(receipt.to_u128()))?;
        if receipt.is_some_and(|receipt| receipt.status == Status::Stamped) {
            receipted.push(payment.id);
        }
    }
    let balance = invoice.outstanding().unwrap_or_default();
    let due = open::due_of_invoice(balance, &payments, |payment| receipted.contains(&payment.id));
    if let Some(of_order) = of_order {
        return Ok(Owed { due: due.min(of_order.due), ..of_order });
    }
    Ok(Owed {
        currency: invoice.document.currency.unwrap_or(Currency::MXN),
        due,
        in_progress: open::in_progress(&payments),
        is_cancelled: false,
        customer: invoice.draft.customer.map(|id| CustomerId::from_u128(id.to_u128())),
    })
}
