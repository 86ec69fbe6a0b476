//! Receipts of payments.

use ::invoices::{
    Invoice, InvoiceId, PaymentId,
    papers::{self, Received, Step},
};
use ::payments::Payment;
use ::tasks::Task;
use cfdi::document::DocumentType;
use kernel::{Ctx, Refused, Timestamp};

use super::{Outcome, known, known_paper, locked, made, over, replacing::delete_outdated, write};
use crate::{payments, tx::Tx};

pub(super) fn receipt_step(
    tx: &mut Tx<'_>,
    task: &Task,
    id: ::payments::PaymentId,
    now: Timestamp,
) -> Outcome<Step> {
    let account = task.account;
    let seen = payments::payment_by_id(tx.db, account, id)?.ok_or(Refused::NotFound)?;
    let invoice = payments::papers::invoice_of(tx.db, account, &seen)?;
    // Invoices are locked before payments.
    let invoice = locked(tx, account, invoice)?;
    if invoice.is_some() {
        delete_outdated(tx, account, seen.receipt, now)?;
    }
    let payment: Payment = payments::payment_locked(tx, account, id)?;
    if let Some(receipt) = payment.receipt {
        let id = InvoiceId::from_u128(receipt.to_u128());
        return known_paper(tx, task, id, |issuer| issuer.stamps_receipts, now);
    }
    let is_due =
        |invoice: &Invoice| invoice.balance.is_some() && payment.status == ::payments::Status::Paid;
    let Some(invoice) = invoice.filter(is_due) else { return over(tx, task, now) };
    let received = Received {
        payment: PaymentId::from_u128(id.to_u128()),
        paid_at: payment.paid_at.unwrap_or(payment.updated_at),
        payment_form: payment.payment_form().map(str::to_owned),
        currency: payment.currency,
        exchange_rate: payment.exchange_rate,
        amount: payment.captured,
        operation: payment.tracking_key.clone(),
    };
    let fields = papers::receipt_fields(&received, &invoice);
    let known = known::load(tx, account, (DocumentType::Payment, &fields), None)?;
    let new = InvoiceId::from_u128(tx.ids.next());
    let created = papers::receipt(&received, &invoice, new, &known, now)?;
    let ctx = Ctx::system(account, now);
    let receipt = write::record(tx, &ctx, created)?;
    let named = ::payments::InvoiceId::from_u128(receipt.id.to_u128());
    // The one that it named may be cancelled, and its order invoiced by another.
    let of = ::payments::InvoiceId::from_u128(invoice.id.to_u128());
    let payment = Payment { invoice: Some(of), ..payment };
    payments::save_payment(tx, account, &payment.receipted(Ok(named), now))?;
    made(tx, task, &receipt, known.issuer.stamps_receipts, now)
}
