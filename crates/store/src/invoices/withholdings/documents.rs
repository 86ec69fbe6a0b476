//! The documents kept of withholdings: what they were sealed, stamped and cancelled as.

use ::invoices::{
    provider::ProviderKind,
    settled::DocumentChange,
    withholding::{Documents, WithholdingId},
};
use cfdi::seal::Sealed;
use diesel::prelude::*;
use kernel::AccountId;

use super::rows;
use crate::{
    db::{Db, on},
    invoices::issuers,
    rows::read,
    schema::withholding_papers::{self as papers, dsl},
    statement::Statement,
    tx::Tx,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = papers)]
pub(super) struct PapersRow {
    certificate_number: String,
    pub(super) seal: String,
    pub(super) sealed_xml: String,
    stamped_xml: Option<String>,
    pub(super) cancel_request: Option<String>,
    receipt: Option<String>,
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: WithholdingId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    papers::table.filter(dsl::account_id.eq(account)).filter(dsl::withholding_id.eq(id))
}

pub(super) fn by_withholding(
    db: &mut Db,
    account: AccountId,
    id: WithholdingId,
) -> QueryResult<Option<PapersRow>> {
    this(account, id).select(PapersRow::as_select()).first(db).optional()
}

/// The seal of the document kept of a withholding.
pub(super) fn seal(
    db: &mut Db,
    account: AccountId,
    id: WithholdingId,
) -> QueryResult<Option<String>> {
    this(account, id).select(dsl::seal).first(db).optional()
}

/// The withholding that has this seal.
pub(super) fn sealed_so(
    db: &mut Db,
    account: AccountId,
    seal: &str,
) -> QueryResult<Option<WithholdingId>> {
    let id: Option<String> = papers::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::seal.eq(seal))
        .select(dsl::withholding_id)
        .first(db)
        .optional()?;
    id.map(|id| read(&id, WithholdingId::parse)).transpose()
}

/// Keeps the document that a draft is sealed as.
pub(super) fn keep_sealed(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: WithholdingId,
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
        "INSERT INTO withholding_papers (account_id, withholding_id, certificate_number, seal, sealed_xml) \
         VALUES (?, ?, ?, ?, ?)",
        values,
    );
    on!(tx.db, |conn| insert.execute(conn)).map(drop)
}

pub(super) fn keep_cancel_request(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: WithholdingId,
    xml: &str,
) -> QueryResult<()> {
    diesel::update(this(account, id)).set(dsl::cancel_request.eq(xml)).execute(tx.db).map(drop)
}

/// Does with the documents what follows from the end of a step.
pub(super) fn change(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: WithholdingId,
    change: &DocumentChange,
) -> QueryResult<()> {
    let this = this(account, id);
    match change {
        DocumentChange::Stamped(xml) => {
            diesel::update(this).set(dsl::stamped_xml.eq(xml)).execute(tx.db)
        }
        DocumentChange::Forget => diesel::delete(this).execute(tx.db),
        DocumentChange::Receipt(receipt) => {
            diesel::update(this).set(dsl::receipt.eq(receipt)).execute(tx.db)
        }
        DocumentChange::LateReceipt(receipt) => {
            let missing = this.filter(dsl::receipt.is_null());
            diesel::update(missing).set(dsl::receipt.eq(receipt)).execute(tx.db)
        }
    }
    .map(drop)
}

/// All that there is of a withholding.
pub(super) fn all(
    db: &mut Db,
    account: AccountId,
    id: WithholdingId,
) -> QueryResult<Option<Documents>> {
    let withholding = rows::by_id(db, account, id)?;
    let Some(withholding) = rows::as_now(db, account, withholding)? else { return Ok(None) };
    let issuer = Some(withholding.draft.issuer);
    let (logo, sheet) = (issuers::logo(db, account, issuer)?, issuers::sheet(db, account, issuer)?);
    let row = by_withholding(db, account, id)?;
    let (xml, certificate_number, receipt) = match row {
        Some(row) => (
            Some(row.stamped_xml.unwrap_or(row.sealed_xml)),
            Some(row.certificate_number),
            row.receipt,
        ),
        None => (None, None, None),
    };
    let is_sandbox =
        withholding.stamp.as_ref().is_some_and(|stamp| stamp.provider == ProviderKind::Sandbox);
    Ok(Some(Documents {
        withholding: withholding.document,
        stamp: withholding.stamp.map(|stamped| stamped.stamp),
        xml,
        certificate_number,
        receipt,
        status: withholding.status,
        is_sandbox,
        logo,
        sheet,
    }))
}
