//! The own invoices and orders around an invoice, locked while it changes with them.

use std::collections::{BTreeMap, BTreeSet};

use ::invoices::{
    Draft, Invoice, InvoiceError, InvoiceId, credit_notes, receipts,
    references::{PAID, is_being_receipted, is_replaced},
    settled::Around,
    stamping::Sources,
};
use cfdi::document::DocumentType;
use diesel::prelude::*;
use kernel::AccountId;

use super::{holders, known, relations, rows};
use crate::{db::Db, error::Failure, schema::orders, tx::Tx};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// What changes with an invoice.
pub(super) fn load(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> Outcome<Around> {
    // First what it takes the place of, then what both settle: as whoever cancels the former locks them.
    let replaced = replaced(tx.db, account, &invoice.draft)?.iter().map(|one| one.id).collect();
    let replaced = locked(tx, account, replaced)?;
    let orders = replaced.iter().chain([invoice]).flat_map(|one| one.draft.orders.iter().copied());
    let holders = holders::load(tx, account, orders)?;
    let lowered = lowered(tx.db, account, &invoice.draft)?;
    let owing = locked(tx, account, receipts::touched(invoice, &replaced, lowered.into_iter()))?;
    // The numbers of what takes the place of others follow from those of the other receipts.
    let receipts = match replaced.is_empty() {
        true => Vec::new(),
        false => other_receipts(tx.db, account, invoice, &owing)?,
    };
    Ok(Around { replaced, owing, receipts, holders })
}

/// What changes with an invoice that gives back what it took off others.
pub(super) fn load_giving_back(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> Outcome<Around> {
    let around = load(tx, account, invoice)?;
    let receipts = other_receipts(tx.db, account, invoice, &around.owing)?;
    Ok(Around { receipts, ..around })
}

/// The other receipts of the invoices that a receipt pays which are stamped or being stamped. These are locked by whoever
/// changes that.
fn other_receipts(
    db: &mut Db,
    account: AccountId,
    receipt: &Invoice,
    owing: &[Invoice],
) -> QueryResult<Vec<Invoice>> {
    let mut found = BTreeMap::new();
    if receipt.draft.kind != DocumentType::Payment {
        return Ok(Vec::new());
    }
    for uuid in owing.iter().filter_map(Invoice::uuid) {
        let others = relations::referrers(db, account, uuid)?.into_iter().filter(|other| {
            other.relation == PAID && other.is_active() && other.invoice.id != receipt.id
        });
        found.extend(others.map(|other| (other.invoice.id, other.invoice)));
    }
    Ok(found.into_values().collect())
}

/// The own invoices that a draft lowers.
fn lowered(db: &mut Db, account: AccountId, draft: &Draft) -> QueryResult<Vec<InvoiceId>> {
    let found = credit_notes::lowered(draft).map(|uuid| rows::by_uuid(db, account, uuid));
    let found = found.collect::<QueryResult<Vec<_>>>()?;
    Ok(found.into_iter().flatten().map(|invoice| invoice.id).collect())
}

/// The own invoices whose place a draft takes.
pub(super) fn replaced(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
) -> QueryResult<Vec<Invoice>> {
    let found = draft.replaces().map(|uuid| rows::by_uuid(db, account, uuid));
    Ok(found.collect::<QueryResult<Vec<_>>>()?.into_iter().flatten().collect())
}

/// What a draft depends on. Nobody cancels it until the end of the transaction.
pub(super) fn sources(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    around: &Around,
) -> Outcome<Sources> {
    let mut related = BTreeSet::new();
    for uuid in invoice.draft.refers_to() {
        related.extend(rows::by_uuid(tx.db, account, uuid)?.map(|own| own.id));
    }
    let mut receipted = BTreeSet::new();
    for owing in &around.owing {
        if let Some(uuid) = owing.uuid()
            && is_being_receipted(&relations::referrers(tx.db, account, uuid)?, invoice)
        {
            receipted.insert(owing.id);
        }
    }
    Ok(Sources {
        has_cancelled_order: has_cancelled_order(tx.db, account, &invoice.draft)?,
        related: locked(tx, account, related)?,
        paid: locked(tx, account, invoice.draft.paid_invoices().collect())?,
        receipted,
        creditable: known::creditable(tx.db, account, &invoice.draft)?,
        is_second_replacement: is_second_replacement(tx.db, account, invoice, around)?,
    })
}

/// Whether a receipt or credit note takes the place of one whose place another living one has taken already.
fn is_second_replacement(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    around: &Around,
) -> QueryResult<bool> {
    for uuid in around.replaced.iter().filter_map(Invoice::uuid) {
        let mut others = relations::with_successors(db, account, uuid)?;
        others.retain(|other| other.invoice.id != invoice.id);
        if is_replaced(&others) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether one of the orders that a draft bills is cancelled.
pub(super) fn has_cancelled_order(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
) -> QueryResult<bool> {
    if draft.orders.is_empty() {
        return Ok(false);
    }
    let ids: Vec<String> = draft.orders.iter().map(ToString::to_string).collect();
    let cancelled: i64 = orders::table
        .filter(orders::account_id.eq(account.to_string()))
        .filter(orders::id.eq_any(ids))
        .filter(orders::status.eq(::orders::OrderStatus::Cancelled.name()))
        .count()
        .get_result(db)?;
    Ok(cancelled > 0)
}

fn locked(tx: &mut Tx<'_>, account: AccountId, ids: BTreeSet<InvoiceId>) -> Outcome<Vec<Invoice>> {
    ids.into_iter().map(|id| rows::locked(tx, account, id, None)).collect()
}
