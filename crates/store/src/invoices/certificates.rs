//! Certificates and their sealed private keys.

use std::sync::Arc;

use ::accounts::{Act, Action};
use ::invoices::{
    CertificateId, InvoiceError, IssuerCertificate, OpenedCertificate,
    issuer::{activated, added, named},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::{Certificate, Csd};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::issuers::{self, CertificateTexts};
use crate::{
    audit,
    db::Db,
    error::Failure,
    rows::{corrupt, read},
    schema::issuer_certificates::{self, dsl},
    tx::Tx,
    vault::Vault,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = issuer_certificates, treat_none_as_default_value = false)]
struct CertificateRow {
    account_id: String,
    id: String,
    number: String,
    rfc: String,
    legal_name: String,
    valid_from: i64,
    valid_until: i64,
    is_active: i64,
    created_at: i64,
}

impl CertificateRow {
    fn of(account: AccountId, certificate: &IssuerCertificate) -> Self {
        Self {
            account_id: account.to_string(),
            id: certificate.id.to_string(),
            number: certificate.number.clone(),
            rfc: certificate.rfc.clone(),
            legal_name: certificate.legal_name.clone(),
            valid_from: certificate.valid_from.micros(),
            valid_until: certificate.valid_until.micros(),
            is_active: i64::from(certificate.is_active),
            created_at: certificate.created_at.micros(),
        }
    }

    fn certificate(self) -> QueryResult<IssuerCertificate> {
        Ok(IssuerCertificate {
            id: read(&self.id, CertificateId::parse)?,
            number: self.number,
            rfc: self.rfc,
            legal_name: self.legal_name,
            valid_from: Timestamp::from_micros(self.valid_from),
            valid_until: Timestamp::from_micros(self.valid_until),
            is_active: self.is_active != 0,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

pub(super) fn list(db: &mut Db, account: AccountId) -> QueryResult<Vec<IssuerCertificate>> {
    let rows: Vec<CertificateRow> = issuer_certificates::table
        .filter(dsl::account_id.eq(account.to_string()))
        .order(dsl::id.desc())
        .select(CertificateRow::as_select())
        .load(db)?;
    rows.into_iter().map(CertificateRow::certificate).collect()
}

/// Where a private key is kept, as its seal has it.
pub(super) fn place(account: &str, certificate: &str) -> String {
    format!("issuer certificate {account} {certificate}")
}

pub(super) fn add(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    opened: &OpenedCertificate,
) -> Result<IssuerCertificate, Failure<InvoiceError>> {
    let issuers = issuers::all(tx.db, ctx.account)?;
    let default = named(&issuers, None).ok_or(Refused::Rule(InvoiceError::NoIssuer))?;
    let owner = issuers.iter().find(|issuer| issuer.rfc == opened.rfc()).unwrap_or(default);
    let csd = opened.sealing(&owner.rfc, ctx.now).map_err(Refused::Invalid)?;
    let known = list(tx.db, ctx.account)?;
    let id = CertificateId::from_u128(tx.ids.next());
    let certificate = added(&known, csd.certificate(), id, ctx.now)?;
    if certificate.is_active {
        deactivate(tx, ctx.account, &certificate.rfc)?;
    }
    let row = CertificateRow::of(ctx.account, &certificate);
    let key = STANDARD.encode(csd.private_key_der());
    let sealed = vault.seal(&place(&row.account_id, &row.id), &key)?;
    diesel::insert_into(issuer_certificates::table)
        .values((
            &row,
            dsl::certificate.eq(csd.certificate().base64()),
            dsl::private_key.eq(sealed),
        ))
        .execute(tx.db)?;
    let act =
        Act::new(Action::CertificateAdded, &id).with("rfc", None, Some(certificate.rfc.clone()));
    audit::record(tx, ctx, &act)?;
    Ok(certificate)
}

fn deactivate(tx: &mut Tx<'_>, account: AccountId, rfc: &str) -> QueryResult<()> {
    let own = dsl::issuer_certificates.filter(dsl::account_id.eq(account.to_string()));
    diesel::update(own.filter(dsl::rfc.eq(rfc))).set(dsl::is_active.eq(0)).execute(tx.db).map(drop)
}

pub(super) fn activate(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: CertificateId,
) -> Result<IssuerCertificate, Failure<InvoiceError>> {
    let certificate = activated(&list(tx.db, ctx.account)?, id)?;
    deactivate(tx, ctx.account, &certificate.rfc)?;
    diesel::update(this(ctx.account, id)).set(dsl::is_active.eq(1)).execute(tx.db)?;
    audit::note(tx, ctx, Action::CertificateActivated, &id)?;
    Ok(certificate)
}

pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: CertificateId,
) -> Result<CertificateId, Failure<InvoiceError>> {
    let deleted = diesel::delete(this(ctx.account, id)).execute(tx.db)?;
    if deleted == 0 {
        return Err(Refused::NotFound.into());
    }
    audit::note(tx, ctx, Action::CertificateDeleted, &id)?;
    Ok(id)
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: CertificateId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    issuer_certificates::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

/// The certificate that seals for `rfc`, opened.
pub(super) fn active(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    rfc: &str,
) -> QueryResult<Option<Arc<Csd>>> {
    let row: Option<CertificateTexts> = issuer_certificates::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::is_active.eq(1))
        .filter(dsl::rfc.eq(rfc))
        .order(dsl::id.desc())
        .select((dsl::id, dsl::certificate, dsl::private_key))
        .first(db)
        .optional()?;
    row.map(|texts| sealing_with(vault, account, &texts)).transpose()
}

/// A certificate of an account, opened.
pub(super) fn sealing_with(
    vault: &Vault,
    account: AccountId,
    (id, certificate, sealed): &CertificateTexts,
) -> QueryResult<Arc<Csd>> {
    let place = place(&account.to_string(), id);
    vault.open_as(&place, sealed, |key| opened(certificate, key))
}

/// The certificate that seals for `rfc`, without its key.
pub(super) fn sealing(
    db: &mut Db,
    account: AccountId,
    rfc: &str,
) -> QueryResult<Option<Certificate>> {
    let row: Option<String> = issuer_certificates::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::is_active.eq(1))
        .filter(dsl::rfc.eq(rfc))
        .order(dsl::id.desc())
        .select(dsl::certificate)
        .first(db)
        .optional()?;
    let Some(certificate) = row else { return Ok(None) };
    let der = STANDARD.decode(certificate).map_err(|_| corrupt("no base64"))?;
    Certificate::parse(&der).map(Some).map_err(|_| corrupt("no certificate"))
}

/// A certificate and its key, both in base64, opened.
pub(super) fn opened(certificate: &str, key: &str) -> QueryResult<Arc<Csd>> {
    let decoded = |text: &str| STANDARD.decode(text).map_err(|_| corrupt("no base64"));
    let csd = Csd::restore(&decoded(certificate)?, &decoded(key)?)
        .map_err(|_| corrupt("a certificate and a key that are no pair"))?;
    Ok(Arc::new(csd))
}
