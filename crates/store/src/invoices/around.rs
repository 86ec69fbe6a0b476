//! The own invoices and orders around an invoice, locked while it changes with them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ::invoices::{
    Draft, Invoice, InvoiceError, InvoiceId, Status, credit_notes,
    holders::seize,
    receipts,
    references::{PAID, is_being_receipted, is_replaced},
    settled::Around,
    stamping::{Billed, Sources},
    withheld,
};
use cfdi::document::DocumentType;
use diesel::prelude::*;
use kernel::AccountId;

use super::{holders, known, papers, relations, rows};
use crate::{
    db::Db, error::Failure, ordering::money::withheld_of, payments, schema::orders, tx::Tx,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// An invoice, locked with the own invoices around it. Whoever locks several locks the newest first, so that no two wait for
/// each other: as a rule it refers to the others, as a receipt to what it pays or a replacement to what it replaces.
pub(super) fn locked_newest_first(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    version: Option<i64>,
) -> Outcome<Invoice> {
    // SQLite has one writer.
    if let Db::Postgres(_) = tx.db
        && let Some(seen) = rows::by_id(tx.db, account, id)?
    {
        for other in beside(tx, account, &seen)?.iter().rev() {
            payments::papers::lock(tx.db, account, &other.to_string())?;
        }
    }
    rows::locked(tx, account, id, version)
}

/// An invoice, those that change with it or that it rests on, and those that have taken its place.
fn beside(tx: &mut Tx<'_>, account: AccountId, seen: &Invoice) -> Outcome<BTreeSet<InvoiceId>> {
    let replaced = replaced(tx.db, account, &seen.draft)?;
    let lowered = lowered(tx.db, account, &seen.draft)?;
    let mut beside = receipts::touched(seen, &replaced, lowered.into_iter());
    beside.extend(related(tx.db, account, &seen.draft)?);
    beside.extend(seen.draft.paid_invoices());
    beside.extend(replaced.iter().map(|one| one.id));
    beside.extend(standing(tx.db, account, &seen.draft)?.iter().map(|one| one.id));
    beside.extend(papers::successors(tx.db, account, seen)?.iter().map(|one| one.id));
    beside.insert(seen.id);
    Ok(beside)
}

/// What changes with an invoice, which was locked [newest first](locked_newest_first).
pub(super) fn load(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> Outcome<Around> {
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
    Ok(Around { replaced, standing: Vec::new(), owing, receipts, holders })
}

/// What changes with an invoice that gives back what it took off others.
pub(super) fn load_giving_back(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
) -> Outcome<Around> {
    let around = load(tx, account, invoice)?;
    let receipts = other_receipts(tx.db, account, invoice, &around.owing)?;
    let standing = standing(tx.db, account, &invoice.draft)?.iter().map(|one| one.id).collect();
    Ok(Around { receipts, standing: locked(tx, account, standing)?, ..around })
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

/// The stamped own invoices whose place a draft takes, also by taking that of cancelled ones.
pub(super) fn standing(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
) -> QueryResult<Vec<Invoice>> {
    let mut all = replaced(db, account, draft)?;
    let mut seen: BTreeSet<InvoiceId> = all.iter().map(|one| one.id).collect();
    let mut next = 0;
    while let Some(one) = all.get(next) {
        next += 1;
        if one.status == Status::Cancelled {
            let more = replaced(db, account, &one.draft.clone())?.into_iter();
            all.extend(more.filter(|other| seen.insert(other.id)));
        }
    }
    all.retain(|one| one.status == Status::Stamped);
    Ok(all)
}

/// The own invoices that a draft refers to other than to take their place.
fn related(db: &mut Db, account: AccountId, draft: &Draft) -> QueryResult<BTreeSet<InvoiceId>> {
    let mut related = BTreeSet::new();
    for uuid in draft.refers_to() {
        related.extend(rows::by_uuid(db, account, uuid)?.map(|own| own.id));
    }
    Ok(related)
}

/// What a draft depends on. Nobody cancels it until the end of the transaction.
pub(super) fn sources(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    around: &Around,
) -> Outcome<Sources> {
    let related = related(tx.db, account, &invoice.draft)?;
    let billed = billed(tx.db, account, &invoice.draft)?;
    let mut receipted = BTreeSet::new();
    for owing in &around.owing {
        if let Some(uuid) = owing.uuid()
            && is_being_receipted(&relations::referrers(tx.db, account, uuid)?, invoice)
        {
            receipted.insert(owing.id);
        }
    }
    Ok(Sources {
        billed,
        related: locked(tx, account, related)?,
        paid: locked(tx, account, invoice.draft.paid_invoices().collect())?,
        receipted,
        creditable: known::creditable(tx.db, account, &invoice.draft)?,
        is_second_replacement: is_second_replacement(tx.db, account, invoice, &around.replaced)?,
    })
}

/// The same as it is seen, beside the own invoices that it names; and whether its orders bear withheld taxes, if it
/// [may lack](withheld::may_lack) them. What is being stamped or credited besides is left out: it keeps no draft from being
/// stamped later.
pub(super) fn sources_seen(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    billed: Billed,
    (paid, related): (&HashMap<InvoiceId, Invoice>, &HashMap<String, Invoice>),
) -> QueryResult<(Sources, bool)> {
    let draft = &invoice.draft;
    let paying: BTreeSet<InvoiceId> = draft.paid_invoices().collect();
    let replaced: Vec<Invoice> =
        draft.replaces().filter_map(|uuid| related.get(uuid).cloned()).collect();
    let referred: BTreeSet<&str> = draft.refers_to().collect();
    // Others hold their orders from when they are made.
    let is_taken = !replaced.is_empty() && {
        let holders = holders::seen(db, account, draft.orders.iter().copied())?;
        seize(invoice.id, draft, &holders).is_err()
    };
    let sources = Sources {
        billed: Billed { is_taken, ..billed },
        related: referred.into_iter().filter_map(|uuid| related.get(uuid).cloned()).collect(),
        paid: paying.iter().filter_map(|id| paid.get(id).cloned()).collect(),
        is_second_replacement: is_second_replacement(db, account, invoice, &replaced)?,
        ..Sources::default()
    };
    Ok((sources, known::bears_withheld(db, account, draft)?))
}

/// Whether a receipt or credit note takes the place of one whose place another living one has taken already.
fn is_second_replacement(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    replaced: &[Invoice],
) -> QueryResult<bool> {
    for uuid in replaced.iter().filter_map(Invoice::uuid) {
        let mut others = relations::with_successors(db, account, uuid)?;
        others.retain(|other| other.invoice.id != invoice.id);
        if is_replaced(&others) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What has become of the orders that a draft bills, by one question as a rule.
pub(super) fn billed(db: &mut Db, account: AccountId, draft: &Draft) -> QueryResult<Billed> {
    if draft.orders.is_empty() {
        return Ok(Billed::default());
    }
    let ids: Vec<String> = draft.orders.iter().map(ToString::to_string).collect();
    let cancelled = ::orders::OrderStatus::Cancelled.name();
    let marked: Vec<(String, String)> = orders::table
        .filter(orders::account_id.eq(account.to_string()))
        .filter(orders::id.eq_any(ids))
        .filter(orders::status.eq(cancelled).or(orders::amount_withheld.gt(0_i64)))
        .select((orders::id, orders::status))
        .load(db)?;
    let mut dropped = marked.iter().filter(|(_, status)| status == cancelled).peekable();
    let is_cancelled = dropped.peek().is_some() && {
        // What was sold until then may be invoiced more correctly, by whatever takes its place.
        let replaced = replaced(db, account, draft)?;
        let stamped = replaced.iter().filter(|one| one.status == Status::Stamped);
        let billed: BTreeSet<String> =
            stamped.flat_map(|one| &one.draft.orders).map(ToString::to_string).collect();
        dropped.any(|(id, _)| !billed.contains(id))
    };
    let is_sale = draft.kind == DocumentType::Income;
    let marked = marked.into_iter().filter(|_| is_sale);
    // What was withheld may have come back since.
    let marked: Vec<String> = marked.map(|(id, _)| id).collect();
    let withheld: Vec<_> = withheld_of(db, account, &marked)?.into_values().collect();
    let lacks_withheld = withheld::states_less(draft, &withheld);
    Ok(Billed { is_cancelled, lacks_withheld, is_taken: false })
}

fn locked(tx: &mut Tx<'_>, account: AccountId, ids: BTreeSet<InvoiceId>) -> Outcome<Vec<Invoice>> {
    ids.into_iter().map(|id| rows::locked(tx, account, id, None)).collect()
}
