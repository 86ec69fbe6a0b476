//! Which sealed invoices refer to which fiscal folios.

use ::invoices::{Invoice, InvoiceId, Status};
use diesel::prelude::*;
use kernel::AccountId;

use super::rows;
use crate::{
    db::Db,
    rows::read,
    schema::invoice_relations::{self, dsl},
    tx::Tx,
};

/// The relation of a receipt to what it receipts the payment of.
const PAID: &str = "paid";
/// The relation of an invoice to the one whose place it takes (c_TipoRelacion).
const REPLACES: &str = "04";

#[derive(Insertable, PartialEq, Eq, PartialOrd, Ord)]
#[diesel(table_name = invoice_relations)]
struct RelationRow {
    account_id: String,
    uuid: String,
    invoice_id: String,
    relation: String,
}

/// Notes what a sealed invoice refers to.
pub(super) fn note(tx: &mut Tx<'_>, account: AccountId, invoice: &Invoice) -> QueryResult<()> {
    let row = |uuid: &str, relation: &str| RelationRow {
        account_id: account.to_string(),
        uuid: uuid.to_ascii_uppercase(),
        invoice_id: invoice.id.to_string(),
        relation: relation.to_owned(),
    };
    let document = &invoice.document;
    let related = document.related.iter();
    let related = related
        .flat_map(|relation| relation.uuids.iter().map(|uuid| row(uuid, &relation.relation)));
    let paid = document.payments.iter().flat_map(|payment| &payment.documents);
    let mut rows: Vec<_> = related.chain(paid.map(|paid| row(&paid.uuid, PAID))).collect();
    rows.sort();
    rows.dedup();
    for row in &rows {
        diesel::insert_into(invoice_relations::table).values(row).execute(tx.db)?;
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

/// Whether another receipt of payments of an invoice is being stamped.
pub(super) fn is_being_receipted(
    db: &mut Db,
    account: AccountId,
    invoice: &Invoice,
    by: InvoiceId,
) -> QueryResult<bool> {
    let Some(uuid) = invoice.uuid() else { return Ok(false) };
    let found = to(db, account, uuid)?.others;
    Ok(found.iter().any(|other| other.id != by && other.status == Status::Stamping))
}

/// The living invoices that refer to a fiscal folio: those that take its place, and the others.
pub(super) struct Referring {
    pub(super) replacing: Vec<Invoice>,
    pub(super) others: Vec<Invoice>,
}

pub(super) fn to(db: &mut Db, account: AccountId, uuid: &str) -> QueryResult<Referring> {
    let found: Vec<(String, String)> = dsl::invoice_relations
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::uuid.eq(uuid.to_ascii_uppercase()))
        .select((dsl::invoice_id, dsl::relation))
        .load(db)?;
    let mut referring = Referring { replacing: Vec::new(), others: Vec::new() };
    for (id, relation) in found {
        let invoice = rows::by_id(db, account, read(&id, InvoiceId::parse)?)?;
        let Some(invoice) = invoice.filter(|invoice| invoice.status != Status::Cancelled) else {
            continue;
        };
        if relation == REPLACES {
            referring.replacing.push(invoice);
        } else {
            referring.others.push(invoice);
        }
    }
    Ok(referring)
}
