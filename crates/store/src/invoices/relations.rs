//! Which sealed invoices refer to which fiscal folios.

use std::collections::{BTreeSet, HashMap};

use ::invoices::{
    Invoice, InvoiceId, Status,
    references::{REPLACES, Reference, Referrer},
};
use diesel::prelude::*;
use kernel::AccountId;

use super::rows;
use crate::{
    db::Db,
    rows::read,
    schema::invoice_relations::{self, dsl},
    tx::Tx,
};

#[derive(Insertable)]
#[diesel(table_name = invoice_relations)]
struct RelationRow<'a> {
    account_id: String,
    uuid: &'a str,
    invoice_id: String,
    relation: &'a str,
}

/// Records what a sealed invoice refers to.
pub(super) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    references: &BTreeSet<Reference>,
) -> QueryResult<()> {
    for reference in references {
        let row = RelationRow {
            account_id: account.to_string(),
            uuid: &reference.uuid,
            invoice_id: id.to_string(),
            relation: &reference.relation,
        };
        diesel::insert_into(invoice_relations::table).values(&row).execute(tx.db)?;
    }
    Ok(())
}

/// Forgets what an invoice refers to.
pub(super) fn forget(tx: &mut Tx<'_>, account: AccountId, id: InvoiceId) -> QueryResult<()> {
    let own = dsl::invoice_relations
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::invoice_id.eq(id.to_string()));
    diesel::delete(own).execute(tx.db).map(drop)
}

/// The invoices that refer to a fiscal folio; and where one that has taken its place is cancelled, those that have taken
/// that one's, as if they referred to it themselves.
pub(super) fn with_successors(
    db: &mut Db,
    account: AccountId,
    uuid: &str,
) -> QueryResult<Vec<Referrer>> {
    let mut all = referrers(db, account, uuid)?;
    let mut seen = BTreeSet::from([uuid.to_ascii_uppercase()]);
    let mut next = 0;
    while let Some(referrer) = all.get(next) {
        next += 1;
        let is_gone = referrer.relation == REPLACES && referrer.invoice.status == Status::Cancelled;
        let Some(uuid) = referrer.invoice.uuid().filter(|_| is_gone).map(str::to_owned) else {
            continue;
        };
        if seen.insert(uuid.clone()) {
            let more = referrers(db, account, &uuid)?.into_iter();
            all.extend(more.filter(|referrer| referrer.relation == REPLACES));
        }
    }
    Ok(all)
}

/// The invoices that refer to a fiscal folio, those that were made first before others.
pub(super) fn referrers(db: &mut Db, account: AccountId, uuid: &str) -> QueryResult<Vec<Referrer>> {
    let found: Vec<(String, String)> = dsl::invoice_relations
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .order((dsl::invoice_id, dsl::relation))
        .select((dsl::invoice_id, dsl::relation))
        .load(db)?;
    let ids = found.iter().map(|(id, _)| id.clone()).collect();
    let invoices = rows::by_ids(db, account, ids)?.into_iter();
    let invoices: HashMap<InvoiceId, Invoice> = invoices.map(|one| (one.id, one)).collect();
    let mut referrers = Vec::new();
    for (id, relation) in found {
        let invoice = invoices.get(&read(&id, InvoiceId::parse)?).cloned();
        referrers.extend(invoice.map(|invoice| Referrer { invoice, relation }));
    }
    Ok(referrers)
}
