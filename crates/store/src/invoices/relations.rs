//! Which sealed invoices refer to which fiscal folios.

use std::collections::{BTreeSet, HashMap};

use ::invoices::{
    Invoice, InvoiceId, Status,
    references::{self, REPLACES, Reference, Referrer},
};
use diesel::{prelude::*, sql_types::Text};
use kernel::AccountId;

use super::rows;
use crate::{
    db::{Db, on},
    rows::read,
    schema::invoice_relations::{self, dsl},
    statement::{Bound, Statement},
    tx::Tx,
};

/// How many drafts for one receiver are looked at.
const DRAFTS_MAX: i64 = 200;
/// Which sealed invoices refer to a fiscal folio, and how; and without a word of that the newest drafts of receipts and credit
/// notes for a receiver. These are to be found by their status: of a receiver, or of a type, there may be many that are stamped.
/// Takes the account, the folio, the account again, the receiver's RFC, and how many drafts.
const WITH_DRAFTS: &str = "SELECT invoice_id, relation FROM invoice_relations WHERE account_id = ? AND uuid = ? \
    UNION ALL SELECT id, '' FROM (SELECT id FROM invoices WHERE account_id = ? AND status = 'draft' \
    AND kind || '' IN ('E', 'P') AND receiver_rfc || '' = ? ORDER BY id DESC LIMIT ?) d";

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
    let found = referring(db, account, uuid)?;
    let invoices = invoices(db, account, found.iter().map(|(id, _)| id))?;
    told(found, &invoices)
}

/// The same with the drafts of its receipts and credit notes behind them, the newest first: of as many as are looked at for its
/// receiver.
pub(super) fn with_drafts(
    db: &mut Db,
    account: AccountId,
    (invoice, uuid, rfc): (InvoiceId, &str, &str),
) -> QueryResult<Vec<Referrer>> {
    let own = || Bound::from(account.to_string());
    let values: [Bound; 5] =
        [own(), uuid.to_ascii_uppercase().into(), own(), rfc.to_owned().into(), DRAFTS_MAX.into()];
    let found: Vec<(String, String)> =
        on!(db, |conn| Statement::<(Text, Text)>::new(WITH_DRAFTS, values).load(conn))?;
    let invoices = invoices(db, account, found.iter().map(|(id, _)| id))?;
    let (mut drafts, mut found): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(_, relation)| relation.is_empty());
    found.sort();
    drafts.sort_by(|one, other| other.cmp(one));
    let mut referrers = told(found, &invoices)?;
    for (id, _) in &drafts {
        let Some(draft) = invoices.get(&read(id, InvoiceId::parse)?) else { continue };
        let relations = references::relations(&draft.draft, invoice, uuid).into_iter();
        referrers.extend(relations.map(|relation| Referrer { invoice: draft.clone(), relation }));
    }
    Ok(referrers)
}

/// Which sealed invoices refer to a fiscal folio, and how.
fn referring(db: &mut Db, account: AccountId, uuid: &str) -> QueryResult<Vec<(String, String)>> {
    dsl::invoice_relations
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .order((dsl::invoice_id, dsl::relation))
        .select((dsl::invoice_id, dsl::relation))
        .load(db)
}

fn invoices<'a>(
    db: &mut Db,
    account: AccountId,
    ids: impl Iterator<Item = &'a String>,
) -> QueryResult<HashMap<InvoiceId, Invoice>> {
    let invoices = rows::by_ids(db, account, ids.cloned().collect())?.into_iter();
    Ok(invoices.map(|one| (one.id, one)).collect())
}

fn told(
    found: Vec<(String, String)>,
    invoices: &HashMap<InvoiceId, Invoice>,
) -> QueryResult<Vec<Referrer>> {
    let mut referrers = Vec::new();
    for (id, relation) in found {
        let invoice = invoices.get(&read(&id, InvoiceId::parse)?).cloned();
        referrers.extend(invoice.map(|invoice| Referrer { invoice, relation }));
    }
    Ok(referrers)
}
