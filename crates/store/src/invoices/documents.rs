//! The documents kept of invoices: what they were sealed, stamped and cancelled as.

use ::invoices::{Documents, Invoice, InvoiceError, InvoiceId, drafting};
use cfdi::{addenda, seal::Sealed};
use diesel::prelude::*;
use kernel::AccountId;

use super::{branches, fresh, issuers, rows};
use crate::{
    db::{Db, on},
    error::Failure,
    rows::corrupt,
    schema::invoice_papers::{self, dsl},
    statement::Statement,
    tx::Tx,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = invoice_papers)]
pub(super) struct DocumentsRow {
    pub(super) certificate_number: String,
    pub(super) seal: String,
    pub(super) sealed_xml: String,
    pub(super) stamped_xml: Option<String>,
    pub(super) cancel_request: Option<String>,
    receipt: Option<String>,
    addenda: Option<String>,
}

pub(super) fn by_invoice(
    db: &mut Db,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<DocumentsRow>> {
    this(account, id).select(DocumentsRow::as_select()).first(db).optional()
}

/// The seal of the document kept of an invoice.
pub(super) fn seal(db: &mut Db, account: AccountId, id: InvoiceId) -> QueryResult<Option<String>> {
    this(account, id).select(dsl::seal).first(db).optional()
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: InvoiceId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    invoice_papers::table.filter(dsl::account_id.eq(account)).filter(dsl::invoice_id.eq(id))
}

/// Keeps a sealed document, in the place of one that was not stamped.
pub(super) fn keep_sealed(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    certificate_number: &str,
    sealed: &Sealed,
) -> QueryResult<()> {
    let values = [
        account.to_string().into(),
        id.to_string().into(),
        certificate_number.to_owned().into(),
        sealed.seal.clone().into(),
        sealed.xml.clone().into(),
    ];
    let insert = Statement::<()>::new(
        "INSERT INTO invoice_papers (account_id, invoice_id, certificate_number, seal, sealed_xml) \
         VALUES (?, ?, ?, ?, ?) ON CONFLICT (account_id, invoice_id) DO UPDATE SET \
         certificate_number = excluded.certificate_number, seal = excluded.seal, \
         sealed_xml = excluded.sealed_xml, stamped_xml = NULL, cancel_request = NULL, receipt = NULL",
        values,
    );
    on!(tx.db, |conn| insert.execute(conn)).map(drop)
}

/// Forgets a sealed document that will not be stamped.
pub(super) fn forget(tx: &mut Tx<'_>, account: AccountId, id: InvoiceId) -> QueryResult<()> {
    diesel::delete(this(account, id)).execute(tx.db).map(drop)
}

pub(super) fn keep_stamped(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    xml: &str,
) -> QueryResult<()> {
    let values = [xml.to_owned().into(), account.to_string().into(), id.to_string().into()];
    let update = Statement::<()>::new(
        "UPDATE invoice_papers SET stamped_xml = ? WHERE account_id = ? AND invoice_id = ?",
        values,
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

pub(super) fn keep_cancel_request(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    xml: &str,
) -> QueryResult<()> {
    diesel::update(this(account, id)).set(dsl::cancel_request.eq(xml)).execute(tx.db).map(drop)
}

pub(super) fn keep_receipt(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    receipt: &str,
) -> QueryResult<()> {
    diesel::update(this(account, id)).set(dsl::receipt.eq(receipt)).execute(tx.db).map(drop)
}

/// Keeps a receipt if there is none.
pub(super) fn keep_late_receipt(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    receipt: &str,
) -> QueryResult<()> {
    let missing = this(account, id).filter(dsl::receipt.is_null());
    diesel::update(missing).set(dsl::receipt.eq(receipt)).execute(tx.db).map(drop)
}

/// Sets what is appended to the document of a stamped invoice.
pub(super) fn set_addenda(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: InvoiceId,
    addenda: Option<&str>,
) -> Result<Invoice, Failure<InvoiceError>> {
    let invoice = rows::locked(tx, account, id, None)?;
    drafting::allow_addenda(&invoice)?;
    diesel::update(this(account, id)).set(dsl::addenda.eq(addenda)).execute(tx.db)?;
    Ok(invoice)
}

/// All that there is of an invoice.
pub(super) fn all(
    db: &mut Db,
    account: AccountId,
    id: InvoiceId,
) -> QueryResult<Option<Documents>> {
    let invoice = rows::by_id(db, account, id)?;
    let Some(invoice) = fresh::seen_one(db, account, invoice)? else { return Ok(None) };
    let logo = issuers::logo(db, account, invoice.draft.issuer)?;
    let sheet = issuers::sheet(db, account, invoice.draft.issuer)?;
    let branch = match invoice.draft.branch {
        Some(branch) => branches::one(db, account, branch)?,
        None => None,
    };
    let Some(row) = by_invoice(db, account, id)? else {
        let nothing = Documents {
            invoice,
            xml: None,
            addenda: None,
            certificate_number: None,
            receipt: None,
            logo,
            branch,
            sheet,
        };
        return Ok(Some(nothing));
    };
    let xml = row.stamped_xml.unwrap_or(row.sealed_xml);
    let xml = match &row.addenda {
        None => xml,
        Some(addenda) => addenda::appended(&xml, addenda)
            .ok_or_else(|| corrupt(format!("a document of {id} without an end")))?,
    };
    Ok(Some(Documents {
        invoice,
        xml: Some(xml),
        addenda: row.addenda,
        certificate_number: Some(row.certificate_number),
        receipt: row.receipt,
        logo,
        branch,
        sheet,
    }))
}
