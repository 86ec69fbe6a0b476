//! The issuers of an account.

use ::accounts::{
    Act, Action,
    audit::{Fields, present},
};
use ::invoices::{
    InvoiceError, Issuer, IssuerFields, IssuerId, SheetSettings, Status,
    issuer::{self, named},
};
use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::{
    catalogs::zones::Zone,
    tax::{Factor, TaxRate},
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::global;
pub(super) use super::rows::{id_of, key_of};
use crate::{
    audit,
    db::{Db, on},
    error::{Failure, refuse_stale},
    rows::corrupt,
    schema::{
        branches, invoices, issuer_certificates as certificates,
        issuers::{self, dsl},
        withholdings,
    },
    stored::{from_text, to_text},
    tx::Tx,
    unreadable::if_readable,
};

type Outcome<T> = Result<T, Failure<InvoiceError>>;
type Chosen = issuers::BoxedQuery<'static, <Db as Connection>::Backend>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = issuers, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct IssuerRow {
    account_id: String,
    id: String,
    rfc: String,
    legal_name: String,
    tax_regime: String,
    tax_zip: String,
    series: String,
    default_taxes: String,
    shipping_taxes: Option<String>,
    stamps_receipts: i64,
    stamps_credit_notes: i64,
    is_default: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl IssuerRow {
    fn of(account: AccountId, issuer: &Issuer) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: key_of(account, Some(issuer.id)),
            rfc: issuer.rfc.clone(),
            legal_name: issuer.legal_name.clone(),
            tax_regime: issuer.tax_regime.clone(),
            tax_zip: issuer.tax_zip.clone(),
            series: to_text(&issuer.series)?,
            default_taxes: to_text(&issuer.default_taxes)?,
            shipping_taxes: issuer.shipping_taxes.as_ref().map(to_text).transpose()?,
            stamps_receipts: i64::from(issuer.stamps_receipts),
            stamps_credit_notes: i64::from(issuer.stamps_credit_notes),
            is_default: i64::from(issuer.is_default),
            created_at: issuer.created_at.micros(),
            updated_at: issuer.updated_at.micros(),
            version: issuer.version,
        })
    }

    fn issuer(self, has_logo: bool) -> Result<Issuer, DieselError> {
        Ok(Issuer {
            id: id_of(&self.account_id, &self.id)?,
            rfc: self.rfc,
            legal_name: self.legal_name,
            tax_regime: self.tax_regime,
            tax_zip: self.tax_zip,
            series: from_text(&self.series)?,
            default_taxes: from_text(&self.default_taxes)?,
            shipping_taxes: self.shipping_taxes.as_deref().map(from_text).transpose()?,
            stamps_receipts: self.stamps_receipts != 0,
            stamps_credit_notes: self.stamps_credit_notes != 0,
            has_logo,
            is_default: self.is_default != 0,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// One issuer, or the default one.
fn chosen(account: AccountId, which: Option<IssuerId>) -> Chosen {
    let own = issuers::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
    match which {
        Some(id) => own.filter(dsl::id.eq(key_of(account, Some(id)))),
        None => own.filter(dsl::is_default.eq(1)),
    }
}

pub(super) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<Issuer>> {
    let rows: Vec<(IssuerRow, bool)> = issuers::table
        .filter(dsl::account_id.eq(account.to_string()))
        .order((dsl::is_default.desc(), dsl::id.asc()))
        .select((IssuerRow::as_select(), dsl::logo.is_not_null()))
        .load(db)?;
    rows.into_iter().map(|(row, has_logo)| row.issuer(has_logo)).collect()
}

/// Every issuer; none where they cannot be read, which is logged.
pub(super) fn readable(db: &mut Db, account: AccountId) -> QueryResult<Vec<Issuer>> {
    let key = account.to_string();
    Ok(if_readable("issuer", &key, &key, all(db, account))?.unwrap_or_default())
}

pub(super) fn one(
    db: &mut Db,
    account: AccountId,
    which: Option<IssuerId>,
) -> QueryResult<Option<Issuer>> {
    let row: Option<(IssuerRow, bool)> = chosen(account, which)
        .select((IssuerRow::as_select(), dsl::logo.is_not_null()))
        .first(db)
        .optional()?;
    row.map(|(row, has_logo)| row.issuer(has_logo)).transpose()
}

/// An issuer with the certificate that seals for it: its identifier, itself and its sealed key.
pub(super) fn with_certificate(
    db: &mut Db,
    account: AccountId,
    id: IssuerId,
) -> QueryResult<Option<(Issuer, Option<CertificateTexts>)>> {
    let of_issuer = certificates::account_id
        .eq(dsl::account_id)
        .and(certificates::rfc.eq(dsl::rfc))
        .and(certificates::is_active.eq(1));
    let texts = (certificates::id, certificates::certificate, certificates::private_key);
    let row = on!(db, |conn| issuers::table
        .left_join(certificates::table.on(of_issuer))
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(key_of(account, Some(id))))
        .select((IssuerRow::as_select(), dsl::logo.is_not_null(), texts.nullable()))
        .first::<(IssuerRow, bool, Option<CertificateTexts>)>(conn)
        .optional())?;
    row.map(|(row, has_logo, texts)| Ok((row.issuer(has_logo)?, texts))).transpose()
}

/// The identifier of a certificate, the certificate, and its sealed key.
pub(super) type CertificateTexts = (String, String, String);

/// Where an account's days begin and end: at its tax address, and as in most of the country where it has none.
pub(crate) fn zone(db: &mut Db, account: AccountId) -> QueryResult<Zone> {
    let issuer = one(db, account, None)?;
    Ok(issuer.map_or(Zone::Central, |issuer| ::invoices::global::zone(&issuer, None)))
}

/// The logo, PNG or JPEG.
pub(super) fn logo(
    db: &mut Db,
    account: AccountId,
    which: Option<IssuerId>,
) -> QueryResult<Option<Vec<u8>>> {
    let logo: Option<Option<String>> =
        chosen(account, which).select(dsl::logo).first(db).optional()?;
    let decoded = |text| STANDARD.decode(text).map_err(|_| corrupt("a logo that is no base64"));
    logo.flatten().map(decoded).transpose()
}

/// How invoices are printed; as usual where there is no issuer, or nothing was set.
pub(super) fn sheet(
    db: &mut Db,
    account: AccountId,
    which: Option<IssuerId>,
) -> QueryResult<SheetSettings> {
    let kept: Option<Option<String>> =
        chosen(account, which).select(dsl::sheet).first(db).optional()?;
    kept.flatten().map_or_else(|| Ok(SheetSettings::default()), |text| from_text(&text))
}

/// Waits for whoever changes issuers, chooses the provider or begins to stamp in another transaction, and keeps others
/// from all of it until this one ends; drafts are made meanwhile. Without an issuer there is nothing to stamp.
pub(super) fn lock(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    match &mut *tx.db {
        Db::Postgres(conn) => {
            let own = issuers::table.filter(dsl::account_id.eq(account.to_string()));
            let own = own.order(dsl::id).select(dsl::version).for_no_key_update();
            own.load::<i64>(conn).map(drop)
        }
        Db::Sqlite(_) => Ok(()),
    }
}

/// Keeps an issuer from being deleted until the end of the transaction; says whether it is there.
pub(super) fn keep(tx: &mut Tx<'_>, account: AccountId, id: IssuerId) -> QueryResult<bool> {
    match &mut *tx.db {
        Db::Postgres(conn) => {
            let version = this(account, id).select(dsl::version).for_key_share();
            version.first::<i64>(conn).optional().map(|found| found.is_some())
        }
        // Who writes is alone, and has read the issuers before.
        Db::Sqlite(_) => Ok(true),
    }
}

/// Waits for whoever makes a draft of an issuer that is to be deleted.
fn lock_to_delete(tx: &mut Tx<'_>, account: AccountId, id: IssuerId) -> QueryResult<()> {
    match &mut *tx.db {
        Db::Postgres(conn) => {
            let version = this(account, id).select(dsl::version).for_update();
            version.first::<i64>(conn).optional().map(drop)
        }
        Db::Sqlite(_) => Ok(()),
    }
}

/// The issuers of an account, which nobody changes until the end of the transaction.
fn locked(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<Vec<Issuer>> {
    lock(tx, account)?;
    all(tx.db, account)
}

/// Adds an issuer.
pub(super) fn add(tx: &mut Tx<'_>, ctx: &Ctx, fields: IssuerFields) -> Outcome<Issuer> {
    let known = locked(tx, ctx.account)?;
    let issuer = issuer::issuer_added(&known, ctx.account, tx.ids.next(), fields, ctx.now)?;
    if issuer.is_default {
        leave_default(tx, ctx, &known)?;
    }
    let row = IssuerRow::of(ctx.account, &issuer)?;
    diesel::insert_into(issuers::table).values(&row).execute(tx.db)?;
    let act = Act::new(Action::IssuerCreated, &issuer.id);
    audit::record(tx, ctx, &act.with_all(&Fields::new(), &told(&issuer)))?;
    Ok(issuer)
}

/// Sets an issuer; the default one is added where the account has none.
pub(super) fn set(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    which: Option<IssuerId>,
    fields: IssuerFields,
    version: Option<i64>,
) -> Outcome<Issuer> {
    let known = locked(tx, ctx.account)?;
    let before = match named(&known, which) {
        Some(before) => before,
        None if which.is_some() => return Err(Refused::NotFound.into()),
        None if version.is_some() => return Err(Refused::Stale.into()),
        None => return add(tx, ctx, fields),
    };
    refuse_stale(version, before.version)?;
    let after = issuer::changed(&known, before, fields, ctx.now)?;
    if after.is_default && !before.is_default {
        leave_default(tx, ctx, &known)?;
    }
    let row = IssuerRow::of(ctx.account, &after)?;
    diesel::update(this(ctx.account, after.id)).set(&row).execute(tx.db)?;
    let act = Act::new(Action::IssuerChanged, &after.id);
    audit::record(tx, ctx, &act.with_all(&told(before), &told(&after)))?;
    Ok(after)
}

/// An issuer as the audit log tells it: every part by the name that the API gives it.
fn told(issuer: &Issuer) -> Fields {
    let shipping = issuer.shipping_taxes.as_deref().map(taxes);
    let parts = [
        ("rfc", issuer.rfc.clone()),
        ("legalName", issuer.legal_name.clone()),
        ("taxRegime", issuer.tax_regime.clone()),
        ("taxZip", issuer.tax_zip.clone()),
        ("series.income", issuer.series.income.clone()),
        ("series.credit", issuer.series.credit.clone()),
        ("series.payment", issuer.series.payment.clone()),
        ("series.transfer", issuer.series.transfer.clone()),
        ("defaultTaxes", taxes(&issuer.default_taxes)),
        ("autoReceipts", issuer.stamps_receipts.to_string()),
        ("autoCreditNotes", issuer.stamps_credit_notes.to_string()),
        ("isDefault", issuer.is_default.to_string()),
    ];
    let parts = parts.into_iter().chain(shipping.map(|taxes| ("shippingTaxes", taxes)));
    parts.map(|(name, text)| (name.to_owned(), text)).collect()
}

/// As in `IVA Tasa 0.16, ISR Tasa 0.0125 withheld`.
fn taxes(rates: &[TaxRate]) -> String {
    let told = |one: &TaxRate| {
        let rate = match one.factor {
            Factor::Exento => String::new(),
            Factor::Tasa | Factor::Cuota => format!(" {}", one.rate),
        };
        let withheld = if one.withheld { " withheld" } else { "" };
        format!("{} {}{rate}{withheld}", one.tax.name(), one.factor.code())
    };
    match rates {
        [] => "none".to_owned(),
        rates => rates.iter().map(told).collect::<Vec<_>>().join(", "),
    }
}

fn leave_default(tx: &mut Tx<'_>, ctx: &Ctx, known: &[Issuer]) -> QueryResult<()> {
    for before in known.iter().filter(|one| one.is_default) {
        let after = issuer::no_longer_default(before.clone(), ctx.now);
        let row = IssuerRow::of(ctx.account, &after)?;
        diesel::update(this(ctx.account, after.id)).set(&row).execute(tx.db)?;
    }
    Ok(())
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: IssuerId) -> _ {
    let (key, account): (String, String) = (key_of(account, Some(id)), account.to_string());
    issuers::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(key))
}

/// Deletes an issuer that nothing names.
pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: IssuerId,
    version: Option<i64>,
) -> Outcome<IssuerId> {
    let known = locked(tx, ctx.account)?;
    let issuer = named(&known, Some(id)).ok_or(Refused::NotFound)?;
    refuse_stale(version, issuer.version)?;
    lock_to_delete(tx, ctx.account, id)?;
    issuer::deletable(issuer, is_named(tx.db, ctx.account, id)?)?;
    diesel::delete(this(ctx.account, id)).execute(tx.db)?;
    let act = Act::new(Action::IssuerDeleted, &id);
    audit::record(tx, ctx, &act.with_all(&told(issuer), &Fields::new()))?;
    Ok(id)
}

/// Whether a branch names an issuer, or an invoice or withholding that is not stamped yet, or global invoices are to be its.
fn is_named(db: &mut Db, account: AccountId, id: IssuerId) -> QueryResult<bool> {
    let branch = branches::table
        .filter(branches::account_id.eq(account.to_string()))
        .filter(branches::issuer_id.eq(id.to_string()));
    if diesel::select(diesel::dsl::exists(branch)).get_result(db)?
        || global::names(db, account, id)?
    {
        return Ok(true);
    }
    let unstamped = [Status::Draft.name(), Status::Stamping.name()];
    let invoice = invoices::table
        .filter(invoices::account_id.eq(account.to_string()))
        .filter(invoices::issuer_id.eq(key_of(account, Some(id))))
        .filter(invoices::status.eq_any(unstamped));
    if diesel::select(diesel::dsl::exists(invoice)).get_result(db)? {
        return Ok(true);
    }
    let withholding = withholdings::table
        .filter(withholdings::account_id.eq(account.to_string()))
        .filter(withholdings::issuer_id.eq(id.to_string()))
        .filter(withholdings::status.eq_any(unstamped));
    diesel::select(diesel::dsl::exists(withholding)).get_result(db)
}

/// Sets the logo, in base64.
pub(super) fn set_logo(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    which: Option<IssuerId>,
    logo: Option<&str>,
    version: Option<i64>,
) -> Outcome<Issuer> {
    let issuer = to_set(tx, ctx, which)?;
    refuse_stale(version, issuer.version)?;
    let before: Option<String> = this(ctx.account, issuer.id).select(dsl::logo).first(tx.db)?;
    let after = issuer::with_logo(issuer, logo.is_some(), ctx.now);
    diesel::update(this(ctx.account, after.id))
        .set((
            dsl::logo.eq(logo),
            dsl::updated_at.eq(after.updated_at.micros()),
            dsl::version.eq(after.version),
        ))
        .execute(tx.db)?;
    let act = Act::new(Action::IssuerChanged, &after.id);
    let act = act.with("logo", before.as_deref().map(told_logo), logo.map(told_logo));
    audit::record(tx, ctx, &act)?;
    Ok(after)
}

/// A logo in base64 as the audit log tells it: whoever has the file can tell that it is this one.
fn told_logo(logo: &str) -> String {
    let bytes = STANDARD.decode(logo).unwrap_or_default();
    format!("{} bytes, SHA-256 {}", bytes.len(), hex::encode(digest(&SHA256, &bytes)))
}

/// Sets how invoices are printed.
pub(super) fn set_sheet(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    which: Option<IssuerId>,
    settings: SheetSettings,
    version: Option<i64>,
) -> Outcome<SheetSettings> {
    let issuer = to_set(tx, ctx, which)?;
    let before = sheet(tx.db, ctx.account, Some(issuer.id))?;
    refuse_stale(version, before.version)?;
    let after = settings.over(&before, ctx.now);
    let this = this(ctx.account, issuer.id);
    diesel::update(this).set(dsl::sheet.eq(to_text(&after)?)).execute(tx.db)?;
    let act = Act::new(Action::IssuerChanged, &issuer.id);
    audit::record(tx, ctx, &act.with_all(&told_sheet(&before), &told_sheet(&after)))?;
    Ok(after)
}

/// How invoices are printed, as the audit log tells it: every part by the name that the API gives it.
fn told_sheet(sheet: &SheetSettings) -> Fields {
    let hidden: Vec<_> = sheet.hidden.iter().map(|detail| detail.name()).collect();
    let several = |parts: String| Some(parts).filter(|parts| !parts.is_empty());
    let parts = [
        ("pdf.accent", sheet.accent.clone()),
        ("pdf.logoPlace", Some(sheet.logo_place.name().to_owned())),
        ("pdf.hidden", several(hidden.join(", "))),
        ("pdf.address", several(sheet.address.join("; "))),
        ("pdf.phone", sheet.phone.clone()),
        ("pdf.email", sheet.email.clone()),
        ("pdf.website", sheet.website.clone()),
        ("pdf.footer", sheet.footer.clone()),
        ("pdf.spanishAbroad", Some(sheet.spanish_abroad.to_string())),
    ];
    present(parts)
}

/// An issuer of which something is to be set.
fn to_set(tx: &mut Tx<'_>, ctx: &Ctx, which: Option<IssuerId>) -> Outcome<Issuer> {
    let known = locked(tx, ctx.account)?;
    let missing = match which {
        Some(_) => Refused::NotFound,
        None => Refused::Rule(InvoiceError::NoIssuer),
    };
    Ok(named(&known, which).cloned().ok_or(missing)?)
}
