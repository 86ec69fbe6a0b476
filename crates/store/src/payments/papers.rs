//! The papers of payments and refunds: the tasks that make them, opened in the transaction of the money, and what payments
//! and refunds know of them.

mod awaited;
mod net;
mod standing;

use ::invoices::{Invoice, Status as InvoiceStatus};
use ::orders::OrderStatus;
use ::payments::{InvoiceId, OrderId, Payment, Refund, RefundStatus, Status};
use ::tasks::{NewTask, Payload, Task, kind};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Timestamp};

use super::{refunds, rows};
use crate::{
    db::Db,
    invoicing,
    lookups::Key,
    ordering::rows::{order_by_id, orders_by_key},
    schema::{invoices, order_returns, orders, payments, refunds as refunds_table},
    tasks,
    tx::Tx,
};

pub(crate) use awaited::{misjudged, note_anew, note_receipt_due, note_receipted};
pub(crate) use net::{decide_withheld, invoice_refused, redecide_withheld};
pub(crate) use standing::{
    Gone, note_gone, note_stands, note_waits, receipt_gone, receipt_stands, receipt_waits,
    wait_no_more,
};

/// With which the keys of papers begin.
const WORD: &str = "paper";
/// How many papers of one invoice are looked at: a global one may have many.
const BESIDE_MAX: i64 = 16;

/// The invoice as payments name it.
fn named(id: InvoiceId) -> ::invoices::InvoiceId {
    ::invoices::InvoiceId::from_u128(id.to_u128())
}

/// The invoice of what a payment is for, if there is one that is stamped or about to be.
pub(crate) fn invoice_of(
    db: &mut Db,
    account: AccountId,
    payment: &Payment,
) -> QueryResult<Option<Invoice>> {
    let is_stamped = |invoice: &Invoice| {
        matches!(invoice.status, InvoiceStatus::Stamped | InvoiceStatus::Stamping)
    };
    let own = match payment.invoice {
        Some(id) => invoicing::by_id(db, account, named(id))?.filter(is_stamped),
        None => None,
    };
    match (own, payment.order) {
        (Some(own), _) => Ok(Some(own)),
        (None, Some(order)) => {
            let order = ::invoices::OrderId::from_u128(order.to_u128());
            Ok(invoicing::of_order(db, account, order)?.filter(is_stamped))
        }
        (None, None) => Ok(None),
    }
}

/// Has the receipt of a payment made that has brought money for an invoice paid in parts.
pub(super) fn receipt_due(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: &Payment,
    now: Timestamp,
) -> QueryResult<()> {
    if payment.status != Status::Paid || payment.receipt.is_some() {
        return Ok(());
    }
    match invoice_of(tx.db, account, payment)? {
        Some(invoice) if invoice.balance.is_some() || invoice.status == InvoiceStatus::Stamping => {
            open(tx, account, Some(&invoice), payment.id.to_string(), now)
        }
        _ => Ok(()),
    }
}

/// Has the credit note of a refund made where what it gives back was invoiced, or taken back where it gives nothing back
/// after all.
pub(super) fn note_due(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: &Payment,
    refund: &Refund,
    now: Timestamp,
) -> QueryResult<()> {
    let invoice = invoice_of(tx.db, account, payment)?;
    let is_due = match refund.status {
        RefundStatus::Succeeded => refund.credit_note.is_none() && invoice.is_some(),
        // One that is being made sees it before its task ends.
        _ => refund.credit_note.is_some() || refund.credit_note_problem.is_some(),
    };
    match is_due {
        true => open(tx, account, invoice.as_ref(), refund.id.to_string(), now),
        false => Ok(()),
    }
}

/// Has the credit note made of what was never paid of an order whose invoice is paid in parts: of goods that came back, which
/// the return names, or of all that is left of it once it is cancelled, which it names itself.
pub(crate) fn never_paid(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: ::orders::OrderId,
    subject: String,
    now: Timestamp,
) -> QueryResult<()> {
    let order = ::invoices::OrderId::from_u128(order.to_u128());
    match invoicing::of_order(tx.db, account, order)? {
        Some(invoice) if invoice.balance.is_some() || invoice.status == InvoiceStatus::Stamping => {
            open(tx, account, Some(&invoice), subject, now)
        }
        _ => Ok(()),
    }
}

/// The credit notes of the refunds of an order.
pub(crate) fn notes_of(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<Vec<String>> {
    let noted: Vec<Option<String>> = refunds_table::table
        .filter(refunds_table::account_id.eq(account.to_string()))
        .filter(refunds_table::order_id.eq(order.to_string()))
        .filter(refunds_table::credit_note_id.is_not_null())
        .select(refunds_table::credit_note_id)
        .load(db)?;
    Ok(noted.into_iter().flatten().collect())
}

/// The key of the task of a paper. Those of one invoice begin alike, so that they are found beside each other.
fn key(invoice: Option<&Invoice>, subject: &str) -> String {
    match invoice {
        Some(invoice) => format!("{WORD} {} {subject}", invoice.id),
        None => format!("{WORD} {subject}"),
    }
}

/// The open tasks of the other papers of the same invoice, the oldest first: of many as many as matter to the next of them.
pub(crate) fn beside(db: &mut Db, task: &Task) -> QueryResult<Vec<Task>> {
    let key = task.exclusive_key.as_deref();
    match key.and_then(|key| key.rsplit_once(' ')) {
        Some((words, _)) if words != WORD => {
            let mut tasks = tasks::of_group(db, task.account, words, BESIDE_MAX)?;
            tasks.retain(|other| other.id != task.id);
            Ok(tasks)
        }
        // What is of no invoice waits for none.
        _ => Ok(Vec::new()),
    }
}

/// Opens the task; one that is open looks at what is so before it ends.
fn open(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: Option<&Invoice>,
    subject: String,
    now: Timestamp,
) -> QueryResult<()> {
    let key = key(invoice, &subject);
    if tasks::by_key(tx.db, account, &key)?.is_some() {
        return Ok(());
    }
    let new = NewTask {
        kind: kind::PAPER.name,
        subject,
        exclusive_key: Some(key),
        payload: Payload::none(),
        due_at: now,
        claim: None,
    };
    tasks::open(tx, account, new, now).map(drop)
}

/// Has the papers made of what was paid and given back of an invoice, came back of it and was cancelled, before it was stamped.
/// Drafts of an earlier invoice of its orders are made anew.
pub(crate) fn invoice_stamped(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    if invoice.draft.orders.is_empty() {
        return Ok(());
    }
    decide_withheld(tx, &[(account, invoice)], now)?;
    all_due(tx, account, invoice, &[], now)
}

/// Has all papers of a stamped invoice made that are missing: of these payments, which name it, and of what concerns its orders.
fn all_due(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    named: &[Payment],
    now: Timestamp,
) -> QueryResult<()> {
    let billed: Vec<String> = invoice.draft.orders.iter().map(ToString::to_string).collect();
    let mut given_back: Vec<String> = refunds_table::table
        .filter(refunds_table::account_id.eq(account.to_string()))
        .filter(refunds_table::order_id.eq_any(&billed))
        .filter(refunds_table::status.eq(RefundStatus::Succeeded.name()))
        .select(refunds_table::id)
        .load(tx.db)?;
    for payment in named {
        let refunds = refunds::of_payment(tx.db, account, payment.id)?.into_iter();
        let refunds = refunds.filter(|refund| refund.status == RefundStatus::Succeeded);
        given_back.extend(refunds.map(|refund| refund.id.to_string()));
    }
    let mut subjects = Vec::new();
    if invoice.balance.is_some() {
        let mut paid: Vec<(Option<i64>, String)> = payments::table
            .filter(payments::account_id.eq(account.to_string()))
            .filter(payments::order_id.eq_any(&billed))
            .filter(payments::status.eq(Status::Paid.name()))
            .select((payments::paid_at, payments::id))
            .load(tx.db)?;
        let named = named.iter().filter(|payment| payment.status == Status::Paid);
        paid.extend(named.map(|one| (one.paid_at.map(Timestamp::micros), one.id.to_string())));
        // They take turns as they are opened: receipts are numbered as the payments came.
        paid.sort();
        subjects.extend(paid.into_iter().map(|(_, id)| id));
    }
    subjects.extend(given_back);
    if invoice.balance.is_some() {
        let came_back: Vec<String> = order_returns::table
            .filter(order_returns::account_id.eq(account.to_string()))
            .filter(order_returns::order_id.eq_any(&billed))
            .select(order_returns::id)
            .load(tx.db)?;
        subjects.extend(came_back);
        subjects.extend(never_credited(tx.db, account, &billed)?);
    }
    subjects.into_iter().try_for_each(|subject| open(tx, account, Some(invoice), subject, now))
}

/// Has the papers made of an invoice that had been replaced, now that the other is cancelled: they waited for this one to be.
pub(crate) fn replacement_cancelled(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    let named = rows::of_invoice(tx.db, account, InvoiceId::from_u128(invoice.id.to_u128()))?;
    all_due(tx, account, invoice, &named, now)
}

/// Leaves a paper to the task of its invoice, if its own task was opened for another: each takes its turn among those of one
/// invoice. Whether it is left.
pub(crate) fn left_to_own(
    tx: &mut Tx<'_>,
    task: &Task,
    invoice: &Invoice,
    now: Timestamp,
) -> QueryResult<bool> {
    let words = task.exclusive_key.as_deref().and_then(|key| key.strip_suffix(&task.subject));
    // Who opened it may have known of no invoice.
    let is_own =
        words.is_none_or(|words| words.trim_end() == WORD || words == key(Some(invoice), ""));
    if !is_own {
        open(tx, task.account, Some(invoice), task.subject.clone(), now)?;
    }
    Ok(!is_own)
}

/// The cancelled ones of these orders that have no credit note of what was never paid: whoever cancelled them may have seen
/// their invoice as a draft.
fn never_credited(db: &mut Db, account: AccountId, ids: &[String]) -> QueryResult<Vec<String>> {
    let account = account.to_string();
    let mut cancelled: Vec<String> = orders::table
        .filter(orders::account_id.eq(&account))
        .filter(orders::id.eq_any(ids))
        .filter(orders::status.eq(OrderStatus::Cancelled.name()))
        .select(orders::id)
        .load(db)?;
    if cancelled.is_empty() {
        return Ok(cancelled);
    }
    let keys: Vec<Key> = cancelled.iter().map(|id| (account.clone(), id.clone())).collect();
    let found = orders_by_key(db, &keys)?;
    cancelled.retain(|id| {
        let order = found.get(&(account.clone(), id.clone()));
        order.and_then(|order| order.as_ref().ok()).is_some_and(|order| order.credit_note.is_none())
    });
    Ok(cancelled)
}

/// Has the drafts taken back of what was never paid of the cancelled orders of an invoice that is cancelled, too: nothing is owed
/// of it any more.
pub(crate) fn invoice_cancelled(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    if invoice.balance.is_none() {
        return Ok(());
    }
    for id in &invoice.draft.orders {
        let order = order_by_id(tx.db, &account.to_string(), &id.to_string())?;
        if order.is_some_and(|order| order.credit_note.is_some()) {
            open(tx, account, Some(invoice), id.to_string(), now)?;
        }
    }
    Ok(())
}

/// Hands the payments of a cancelled invoice over to the one that has taken its place, and has their papers made for it.
pub(crate) fn handed_over(
    tx: &mut Tx<'_>,
    account: AccountId,
    (cancelled, successor): (&Invoice, &Invoice),
    now: Timestamp,
) -> QueryResult<()> {
    let [from, to] =
        [cancelled, successor].map(|invoice| InvoiceId::from_u128(invoice.id.to_u128()));
    // Invoices are locked before orders, and these before payments.
    lock(tx.db, account, &successor.id.to_string())?;
    decide_withheld(tx, &[(account, successor)], now)?;
    for seen in rows::of_invoice(tx.db, account, from)? {
        let Some(payment) = rows::locked_if_any(tx, account, seen.id)? else { continue };
        let order = payment.order.map(|id| ::invoices::OrderId::from_u128(id.to_u128()));
        let is_billed = order.is_none_or(|order| successor.draft.orders.contains(&order));
        if payment.invoice != Some(from) || !is_billed {
            continue;
        }
        let payment = payment.handed_over(to, now);
        rows::save(tx, account, &payment)?;
    }
    // Papers of those that named it before have waited, too.
    let named = rows::of_invoice(tx.db, account, to)?;
    all_due(tx, account, successor, &named, now)
}

/// The refunds that give back what one invoice or order has brought: those of an order, or else of the payments of an
/// invoice.
pub(crate) fn siblings(
    db: &mut Db,
    account: AccountId,
    refund: &Refund,
    invoice: &Invoice,
) -> QueryResult<Vec<Refund>> {
    let own = refunds_table::table
        .filter(refunds_table::account_id.eq(account.to_string()))
        .into_boxed::<<Db as Connection>::Backend>();
    let own = match refund.order {
        Some(order) => own.filter(refunds_table::order_id.eq(order.to_string())),
        None => {
            let id = InvoiceId::from_u128(invoice.id.to_u128());
            let payments = rows::of_invoice(db, account, id)?.into_iter();
            let ids: Vec<String> = payments.map(|payment| payment.id.to_string()).collect();
            own.filter(refunds_table::payment_id.eq_any(ids))
        }
    };
    let rows: Vec<refunds::RefundRow> = own
        .filter(refunds_table::credit_note_id.is_not_null())
        .select(refunds::RefundRow::as_select())
        .load(db)?;
    rows.into_iter().map(refunds::RefundRow::refund).collect()
}

/// The payments that have brought money for an invoice, or for an order that it bills.
pub(crate) fn paid_of(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<Vec<Payment>> {
    let orders: Vec<String> = invoice.draft.orders.iter().map(ToString::to_string).collect();
    let mut paid = rows::of_any_order(db, account, &orders)?;
    let named = rows::of_invoice(db, account, InvoiceId::from_u128(invoice.id.to_u128()))?;
    paid.extend(named);
    paid.retain(|payment| payment.status == Status::Paid);
    paid.sort_by_key(|payment| payment.id);
    paid.dedup_by_key(|payment| payment.id);
    Ok(paid)
}

/// What the payments of an invoice have brought, and what of it was given back.
pub(crate) fn money_of(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
) -> QueryResult<(Amount, Amount)> {
    let payments = rows::of_invoice(db, account, InvoiceId::from_u128(invoice.id.to_u128()))?;
    let sum = |of: fn(&Payment) -> Amount| {
        Amount::from_micros(payments.iter().map(|payment| of(payment).micros()).sum())
    };
    Ok((sum(|payment| payment.captured), sum(|payment| payment.refunded)))
}

/// Locks an invoice until the end of the transaction. SQLite has one writer.
pub(crate) fn lock(db: &mut Db, account: AccountId, id: &str) -> QueryResult<()> {
    if let Db::Postgres(conn) = db {
        let this = invoices::table.find((account.to_string(), id));
        let _: Option<String> = this.select(invoices::id).for_update().first(conn).optional()?;
    }
    Ok(())
}

/// How the largest payment of an order was made, a code of c_FormaPago; of equal ones the first.
pub(crate) fn form_of_order(
    db: &mut Db,
    account: AccountId,
    order: ::orders::OrderId,
) -> QueryResult<Option<String>> {
    let payments = rows::of_order(db, account, OrderId::from_u128(order.to_u128()))?;
    Ok(::payments::payment::largest_form(&payments).map(str::to_owned))
}
