//! What the own invoices amount to that a draft settles or lowers.

use std::collections::HashMap;

use ::invoices::{
    Creditable, Debts, Draft, Invoice, InvoiceId,
    credit_notes::{self, Credited},
    one_issuer::settled,
    receipts,
    references::{Referrer, is_replaced},
};
use diesel::QueryResult;
use kernel::AccountId;

use super::{by_ids, by_uuids};
use crate::{db::Db, invoices::relations};

/// The own invoices that a draft names.
#[derive(Default)]
pub(in crate::invoices) struct Named {
    /// Those that it pays.
    pub(in crate::invoices) paid: HashMap<InvoiceId, Invoice>,
    /// Those that it refers to, by their fiscal folios.
    pub(in crate::invoices) related: HashMap<String, Invoice>,
}

/// Reads them, as they are seen.
pub(in crate::invoices) fn named(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
) -> QueryResult<Named> {
    let uuids = draft.related.iter().flat_map(|relation| &relation.uuids);
    Ok(Named {
        paid: by_ids(db, account, draft.paid_invoices())?,
        related: by_uuids(db, account, uuids.map(String::as_str))?,
    })
}

/// What the own invoices amount to that a draft settles.
pub(in crate::invoices) fn debts(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
) -> QueryResult<Debts> {
    debts_beside(db, account, draft, (&HashMap::new(), &HashMap::new()))
}

/// The same where some of them were read before, in the same snapshot.
pub(in crate::invoices) fn debts_beside(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
    (paid, related): (&HashMap<InvoiceId, Invoice>, &HashMap<String, Invoice>),
) -> QueryResult<Debts> {
    let paid = by_ids_beside(db, account, paid, draft.paid_invoices())?;
    let replaced = by_uuids_beside(db, account, related, draft.replaces())?;
    let replaced = draft.replaces().filter_map(|uuid| replaced.get(uuid).cloned());
    let replaced: Vec<Invoice> = replaced.collect();
    let owed = receipts::owed(&paid, replaced.iter());
    let lowered = by_uuids_beside(db, account, related, credit_notes::lowered(draft))?;
    let lowers_others = credit_notes::lowers_others(draft, &lowered);
    let settled = settled(lowered.values().chain(&replaced), paid.values());
    let creditable = creditable_of(db, account, draft, &lowered)?;
    Ok(Debts { owed, creditable, lowers_others, settled })
}

/// What is left of the own invoices that a draft lowers.
pub(in crate::invoices) fn creditable(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
) -> QueryResult<Vec<Creditable>> {
    let lowered = by_uuids(db, account, credit_notes::lowered(draft))?;
    creditable_of(db, account, draft, &lowered)
}

fn creditable_of(
    db: &mut Db,
    account: AccountId,
    draft: &Draft,
    lowered: &HashMap<String, Invoice>,
) -> QueryResult<Vec<Creditable>> {
    let credited = credited(db, account, lowered.values())?;
    Ok(credit_notes::creditable(draft, lowered, &credited))
}

/// What living credit notes have taken off invoices, but for those whose place another has taken.
pub(super) fn credited<'a>(
    db: &mut Db,
    account: AccountId,
    invoices: impl Iterator<Item = &'a Invoice>,
) -> QueryResult<HashMap<InvoiceId, Vec<Credited>>> {
    let mut credited = HashMap::<InvoiceId, Vec<Credited>>::new();
    for invoice in invoices.filter(|invoice| credit_notes::is_creditable(invoice)) {
        let Some(uuid) = invoice.uuid() else { continue };
        let mut referrers = relations::referrers(db, account, uuid)?;
        // One that refers to it by two relations comes twice in a row.
        referrers.dedup_by_key(|referrer| referrer.invoice.id);
        for Referrer { invoice: note, .. } in referrers {
            let Some(amount) = credit_notes::taken(&note, invoice) else { continue };
            let uuid = note.uuid().map(str::to_owned);
            let others = match &uuid {
                Some(uuid) => relations::with_successors(db, account, uuid)?,
                None => Vec::new(),
            };
            if !is_replaced(&others) {
                credited.entry(invoice.id).or_default().push(Credited { uuid, amount });
            }
        }
    }
    Ok(credited)
}

/// The invoices of these identifiers, of which some are known.
fn by_ids_beside(
    db: &mut Db,
    account: AccountId,
    known: &HashMap<InvoiceId, Invoice>,
    ids: impl Iterator<Item = InvoiceId>,
) -> QueryResult<HashMap<InvoiceId, Invoice>> {
    let (mut found, mut others) = (HashMap::new(), Vec::new());
    for id in ids {
        match known.get(&id) {
            Some(one) => drop(found.insert(id, one.clone())),
            None => others.push(id),
        }
    }
    found.extend(by_ids(db, account, others.into_iter())?);
    Ok(found)
}

/// The same of fiscal folios.
fn by_uuids_beside<'a>(
    db: &mut Db,
    account: AccountId,
    known: &HashMap<String, Invoice>,
    uuids: impl Iterator<Item = &'a str>,
) -> QueryResult<HashMap<String, Invoice>> {
    let (mut found, mut others) = (HashMap::new(), Vec::new());
    for uuid in uuids {
        match known.get(uuid) {
            Some(one) => drop(found.insert(uuid.to_owned(), one.clone())),
            None => others.push(uuid),
        }
    }
    found.extend(by_uuids(db, account, others.into_iter())?);
    Ok(found)
}
