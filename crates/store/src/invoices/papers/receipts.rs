//! Receipts of payments.

use ::invoices::{
    Invoice, InvoiceError, InvoiceId, PaymentId, Status,
    papers::{self, Brought, Received, Step},
    references::is_being_receipted,
};
use ::payments::Payment;
use ::tasks::Task;
use cfdi::{decimal, document::DocumentType};
use diesel::QueryResult;
use kernel::{AccountId, Amount, Ctx, Refused, Timestamp};

use super::{
    Outcome, is_to_be_stamped, known, known_paper, locked, made, over, paper_locked,
    replacing::{LeftTo, delete_outdated, left_to_other},
    rows, write,
};
use crate::{db::Db, invoices::relations, payments, tx::Tx};

pub(super) fn receipt_step(
    tx: &mut Tx<'_>,
    task: &Task,
    id: ::payments::PaymentId,
    now: Timestamp,
) -> Outcome<Step> {
    let account = task.account;
    let seen = payments::payment_by_id(tx.db, account, id)?.ok_or(Refused::NotFound)?;
    let invoice = payments::papers::invoice_of(tx.db, account, &seen)?;
    if let Some(invoice) = &invoice {
        lock_unfit(tx, account, seen.receipt, invoice)?;
    }
    // Invoices are locked before payments.
    let invoice = locked(tx, account, invoice)?;
    match left_to_other(tx, task, invoice.as_ref(), now)? {
        Some(LeftTo::Own) => return over(tx, task, now),
        Some(LeftTo::Later(waiting)) => {
            show_wait(tx, account, id, (invoice, waiting.told), now)?;
            return over(tx, task, now);
        }
        None => {}
    }
    if let Some(invoice) = &invoice {
        delete_outdated(tx, account, seen.receipt, now)?;
        delete_unfit(tx, account, seen.receipt, invoice, now)?;
    }
    let payment: Payment = payments::payment_locked::<InvoiceError>(tx, account, id)?;
    let payment = payments::papers::receipt_waits(tx, account, payment, None, now)?;
    if let Some(receipt) = payment.receipt {
        let id = InvoiceId::from_u128(receipt.to_u128());
        return known_paper(tx, task, id, |issuer| issuer.stamps_receipts, now);
    }
    let Some((invoice, applied)) = due(tx.db, account, &payment, invoice)? else {
        return over(tx, task, now);
    };
    let received = Received {
        payment: PaymentId::from_u128(id.to_u128()),
        paid_at: payment.paid_at.unwrap_or(payment.updated_at),
        payment_form: payment.payment_form().map(str::to_owned),
        currency: payment.currency,
        exchange_rate: payment.exchange_rate,
        amount: payment.captured,
        applied,
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

/// The invoice of which a receipt of a payment is due, and what that is to apply to it.
fn due(
    db: &mut Db,
    account: AccountId,
    payment: &Payment,
    invoice: Option<Invoice>,
) -> QueryResult<Option<(Invoice, Amount)>> {
    let is_due =
        |invoice: &Invoice| invoice.balance.is_some() && payment.status == ::payments::Status::Paid;
    let Some(invoice) = invoice.filter(is_due) else { return Ok(None) };
    let applied = applied(db, account, payment, &invoice)?;
    Ok(applied.map(|applied| (invoice, applied)))
}

/// Shows of a payment what its receipt waits for, if one is still to be made or stamped.
fn show_wait(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ::payments::PaymentId,
    (invoice, waits): (Option<Invoice>, String),
    now: Timestamp,
) -> Outcome<()> {
    let payment: Payment = payments::payment_locked::<InvoiceError>(tx, account, id)?;
    let is_awaited = match payment.receipt {
        Some(receipt) => {
            let id = InvoiceId::from_u128(receipt.to_u128());
            is_to_be_stamped(tx.db, account, id, |issuer| issuer.stamps_receipts)?
        }
        None => due(tx.db, account, &payment, invoice)?.is_some(),
    };
    let waits = is_awaited.then_some(waits);
    let _ = payments::papers::receipt_waits(tx, account, payment, waits, now)?;
    Ok(())
}

/// What the receipt of a payment is to apply to its invoice, beside those of the other payments.
fn applied(
    db: &mut Db,
    account: AccountId,
    payment: &Payment,
    invoice: &Invoice,
) -> QueryResult<Option<Amount>> {
    let mut paid = payments::papers::paid_of(db, account, invoice)?;
    paid.retain(|other| other.id != payment.id);
    let receipts = paid.iter().filter_map(|other| other.receipt).map(|id| id.to_string());
    let mut receipts = rows::by_ids(db, account, receipts.collect())?;
    receipts.retain(|receipt| {
        receipt.status != Status::Cancelled && papers::pays(receipt, invoice.id) > Amount::ZERO
    });
    paid.retain(|other| {
        let own = other.receipt.map(|id| InvoiceId::from_u128(id.to_u128()));
        receipts.iter().all(|receipt| own != Some(receipt.id))
    });
    paid.push(payment.clone());
    paid.sort_by_key(|one| (one.paid_at, one.id));
    let brought: Vec<Brought> = paid
        .iter()
        .map(|one| Brought {
            payment: PaymentId::from_u128(one.id.to_u128()),
            amount: one.captured,
            given_back: one.refunded,
        })
        .collect();
    // What is stamped, or about to be, is owed no longer.
    let drafts = receipts.iter().filter(|receipt| receipt.status == Status::Draft);
    let drafted = decimal::sum(drafts.map(|draft| papers::pays(draft, invoice.id)));
    let open = decimal::less(invoice.outstanding().unwrap_or_default(), drafted);
    Ok(papers::applied(PaymentId::from_u128(payment.id.to_u128()), &brought, open))
}

/// The receipt, if it is a draft that pays more than is owed of its invoice.
fn unfit(
    db: &mut Db,
    account: AccountId,
    receipt: Option<::payments::InvoiceId>,
    invoice: &Invoice,
) -> QueryResult<Option<Invoice>> {
    let Some(id) = receipt.map(|id| InvoiceId::from_u128(id.to_u128())) else { return Ok(None) };
    let receipt = rows::by_id(db, account, id)?;
    Ok(receipt.filter(|one| one.status == Status::Draft && !papers::fits(one, invoice)))
}

/// Whether the receipt of a payment is a draft that is to be made anew, of what is left.
pub(super) fn is_unfit(
    db: &mut Db,
    account: AccountId,
    id: ::payments::PaymentId,
) -> QueryResult<bool> {
    let Some(payment) = payments::payment_by_id(db, account, id)? else { return Ok(false) };
    let Some(invoice) = payments::papers::invoice_of(db, account, &payment)? else {
        return Ok(false);
    };
    Ok(unfit(db, account, payment.receipt, &invoice)?.is_some())
}

/// Locks the draft of a receipt that is to be deleted before the invoice that it pays, as whoever stamps it does.
fn lock_unfit(
    tx: &mut Tx<'_>,
    account: AccountId,
    receipt: Option<::payments::InvoiceId>,
    invoice: &Invoice,
) -> QueryResult<()> {
    match unfit(tx.db, account, receipt, invoice)? {
        Some(draft) => payments::papers::lock(tx.db, account, &draft.id.to_string()),
        None => Ok(()),
    }
}

/// Deletes the draft of a receipt that pays more than is owed of its invoice, since another was stamped before it.
fn delete_unfit(
    tx: &mut Tx<'_>,
    account: AccountId,
    receipt: Option<::payments::InvoiceId>,
    invoice: &Invoice,
    now: Timestamp,
) -> Outcome<()> {
    let Some(draft) = unfit(tx.db, account, receipt, invoice)? else { return Ok(()) };
    if let Some(uuid) = invoice.uuid()
        && is_being_receipted(&relations::referrers(tx.db, account, uuid)?, &draft)
    {
        // Nobody knows yet what will be owed.
        return Err(Refused::Busy.into());
    }
    // Its stamping may have begun since it was read.
    let draft = paper_locked(tx, account, draft.id)?;
    if let Some(draft) = draft.filter(|draft| draft.status == Status::Draft) {
        write::delete(tx, &Ctx::system(account, now), draft.id, None)?;
    }
    Ok(())
}

/// Shows of a payment why there is no receipt of it.
pub(super) fn give_up(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ::payments::PaymentId,
    problem: String,
    now: Timestamp,
) -> Outcome<()> {
    let seen = payments::payment_by_id(tx.db, account, id)?.ok_or(Refused::NotFound)?;
    // Invoices are locked before payments.
    if let Some(invoice) = payments::papers::invoice_of(tx.db, account, &seen)? {
        lock_unfit(tx, account, seen.receipt, &invoice)?;
        let invoice: Invoice = rows::locked(tx, account, invoice.id, None)?;
        payments::papers::note_receipt_due(tx, account, &invoice)?;
        delete_unfit(tx, account, seen.receipt, &invoice, now)?;
    }
    let payment: Payment = payments::payment_locked::<InvoiceError>(tx, account, id)?;
    Ok(payments::save_payment(tx, account, &payment.receipted(Err(problem), now))?)
}
