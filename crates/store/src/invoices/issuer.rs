//! The issuer of an account, and its provider.

use ::invoices::{
    ChooseProvider, InvoiceError, Issuer, IssuerFields, ProviderChoice, SheetSettings,
    issuer::{self, CredentialsChange, Simulate},
    provider::{Credentials, ProviderKind},
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Mode, Refused, Timestamp};

use super::calls;
use crate::{
    db::{Db, first_locked},
    error::Failure,
    rows::read_name,
    schema::{accounts, certification_providers as providers, issuers},
    stored::{from_text, to_text},
    tx::Tx,
    vault::Vault,
};

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = issuers, treat_none_as_null = true, treat_none_as_default_value = false)]
struct IssuerRow {
    account_id: String,
    rfc: String,
    legal_name: String,
    tax_regime: String,
    tax_zip: String,
    series: String,
    default_taxes: String,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl IssuerRow {
    fn of(account: AccountId, issuer: &Issuer) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            rfc: issuer.rfc.clone(),
            legal_name: issuer.legal_name.clone(),
            tax_regime: issuer.tax_regime.clone(),
            tax_zip: issuer.tax_zip.clone(),
            series: to_text(&issuer.series)?,
            default_taxes: to_text(&issuer.default_taxes)?,
            created_at: issuer.created_at.micros(),
            updated_at: issuer.updated_at.micros(),
            version: issuer.version,
        })
    }

    fn issuer(self, has_logo: bool) -> Result<Issuer, DieselError> {
        Ok(Issuer {
            rfc: self.rfc,
            legal_name: self.legal_name,
            tax_regime: self.tax_regime,
            tax_zip: self.tax_zip,
            series: from_text(&self.series)?,
            default_taxes: from_text(&self.default_taxes)?,
            has_logo,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

pub(super) fn by_account(db: &mut Db, account: AccountId) -> QueryResult<Option<Issuer>> {
    let row: Option<(IssuerRow, bool)> = issuers::table
        .filter(issuers::account_id.eq(account.to_string()))
        .select((IssuerRow::as_select(), issuers::logo.is_not_null()))
        .first(db)
        .optional()?;
    row.map(|(row, has_logo)| row.issuer(has_logo)).transpose()
}

pub(super) fn logo(db: &mut Db, account: AccountId) -> QueryResult<Option<String>> {
    let logo: Option<Option<String>> = issuers::table
        .filter(issuers::account_id.eq(account.to_string()))
        .select(issuers::logo)
        .first(db)
        .optional()?;
    Ok(logo.flatten())
}

/// How invoices are printed; as usual where there is no issuer, or nothing was set.
pub(super) fn sheet(db: &mut Db, account: AccountId) -> QueryResult<SheetSettings> {
    let kept: Option<Option<String>> = issuers::table
        .filter(issuers::account_id.eq(account.to_string()))
        .select(issuers::sheet)
        .first(db)
        .optional()?;
    kept.flatten().map_or_else(|| Ok(SheetSettings::default()), |text| from_text(&text))
}

/// Sets how invoices are printed.
pub(super) fn set_sheet(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    settings: SheetSettings,
    version: Option<i64>,
) -> Result<SheetSettings, Failure<InvoiceError>> {
    lock(tx, ctx.account)?;
    if by_account(tx.db, ctx.account)?.is_none() {
        return Err(Refused::Rule(InvoiceError::NoIssuer).into());
    }
    let before = sheet(tx.db, ctx.account)?;
    if version.is_some_and(|version| version != before.version) {
        return Err(Refused::Stale.into());
    }
    let after = settings.over(&before, ctx.now);
    let this = issuers::table.filter(issuers::account_id.eq(ctx.account.to_string()));
    diesel::update(this).set(issuers::sheet.eq(to_text(&after)?)).execute(tx.db)?;
    Ok(after)
}

pub(super) fn set(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    fields: IssuerFields,
    version: Option<i64>,
) -> Result<Issuer, Failure<InvoiceError>> {
    lock(tx, ctx.account)?;
    let before = by_account(tx.db, ctx.account)?;
    expect(before.as_ref(), version)?;
    let after = issuer::set(before.as_ref(), fields, ctx.now);
    let row = IssuerRow::of(ctx.account, &after)?;
    if before.is_some() {
        let this = issuers::table.filter(issuers::account_id.eq(ctx.account.to_string()));
        diesel::update(this).set(&row).execute(tx.db)?;
    } else {
        diesel::insert_into(issuers::table).values(&row).execute(tx.db)?;
    }
    Ok(after)
}

/// Refuses to overwrite another version than the caller has seen.
fn expect(issuer: Option<&Issuer>, version: Option<i64>) -> Result<(), Refused<InvoiceError>> {
    let is_seen = version.is_none() || version == issuer.map(|issuer| issuer.version);
    if is_seen { Ok(()) } else { Err(Refused::Stale) }
}

/// Sets the logo, in base64.
pub(super) fn set_logo(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    logo: Option<&str>,
    version: Option<i64>,
) -> Result<Issuer, Failure<InvoiceError>> {
    lock(tx, ctx.account)?;
    let issuer = by_account(tx.db, ctx.account)?;
    expect(issuer.as_ref(), version)?;
    let issuer = issuer.ok_or(Refused::Rule(InvoiceError::NoIssuer))?;
    let after = issuer::with_logo(issuer, logo.is_some(), ctx.now);
    let this = issuers::table.filter(issuers::account_id.eq(ctx.account.to_string()));
    diesel::update(this)
        .set((
            issuers::logo.eq(logo),
            issuers::updated_at.eq(after.updated_at.micros()),
            issuers::version.eq(after.version),
        ))
        .execute(tx.db)?;
    Ok(after)
}

/// Where the credentials of an account are kept, as their seal has it.
pub(super) fn place(account: &str) -> String {
    format!("certification provider {account}")
}

fn kind_of(name: &str) -> QueryResult<ProviderKind> {
    read_name(name, ProviderKind::EVERY, ProviderKind::name)
}

type ChoiceRow = (String, Option<String>, Option<String>, String, i64);

fn mode_and_choice(db: &mut Db, account: AccountId) -> QueryResult<(Mode, Option<ChoiceRow>)> {
    let choice = (
        providers::kind,
        providers::user_name,
        providers::credentials,
        providers::simulate,
        providers::updated_at,
    );
    let (is_test, choice): (bool, Option<ChoiceRow>) = accounts::table
        .left_join(providers::table.on(providers::account_id.eq(accounts::id)))
        .filter(accounts::id.eq(account.to_string()))
        .select((accounts::test_of.is_not_null(), choice.nullable()))
        .first(db)?;
    Ok((Mode::of(is_test), choice))
}

/// The provider of an account, as its mode has it.
pub(super) fn choice(db: &mut Db, account: AccountId) -> QueryResult<ProviderChoice> {
    let (mode, row) = mode_and_choice(db, account)?;
    Ok(issuer::in_mode(mode, choice_of(row)?))
}

fn choice_of(row: Option<ChoiceRow>) -> QueryResult<ProviderChoice> {
    let Some((kind, user, _, simulate, updated_at)) = row else {
        return Ok(ProviderChoice::default());
    };
    Ok(ProviderChoice {
        kind: Some(kind_of(&kind)?),
        user,
        simulate: from_text(&simulate)?,
        updated_at: Some(Timestamp::from_micros(updated_at)),
    })
}

/// Whom an account calls about what is under way, and what with. What began without a choice is with the sandbox, in
/// a live account too: an earlier release has let it.
pub(super) fn opened(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
) -> QueryResult<(ProviderKind, Option<Credentials>, Simulate)> {
    let (mode, choice) = mode_and_choice(db, account)?;
    let Some((kind, _, sealed, simulate, _)) = choice else {
        return Ok((ProviderKind::Sandbox, None, Simulate::default()));
    };
    let credentials =
        sealed.map(|sealed| from_text(&vault.open(&place(&account.to_string()), &sealed)?));
    // Nobody can set it any more in a live account: what is under way there is to end.
    let simulate = if mode == Mode::Test { from_text(&simulate)? } else { Simulate::default() };
    Ok((kind_of(&kind)?, credentials.transpose()?, simulate))
}

/// Which provider an account calls about what is being stamped.
pub(super) fn called(db: &mut Db, account: AccountId) -> QueryResult<ProviderKind> {
    let chosen = mode_and_choice(db, account)?.1.map(|(kind, ..)| kind_of(&kind));
    Ok(chosen.transpose()?.unwrap_or(ProviderKind::Sandbox))
}

/// Waits for whoever chooses the provider or begins to stamp in another transaction, and keeps others from
/// both until this one ends. Without an issuer there is nothing to stamp.
pub(super) fn lock(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    let own = issuers::table.filter(issuers::account_id.eq(account.to_string()));
    first_locked!(tx.db, IssuerRow, own).map(drop)
}

/// Chooses the provider.
pub(super) fn choose(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    command: &ChooseProvider,
) -> Result<ProviderChoice, Failure<InvoiceError>> {
    lock(tx, ctx.account)?;
    let (mode, row) = mode_and_choice(tx.db, ctx.account)?;
    let is_first = row.is_none();
    let kept = row.as_ref().and_then(|(_, _, sealed, ..)| sealed.clone());
    let before = issuer::in_mode(mode, choice_of(row)?);
    let is_stamping = calls::is_stamping(tx.db, ctx.account)?;
    let (after, credentials) =
        issuer::choose(mode, &before, kept.is_some(), command, is_stamping, ctx.now)?;
    let account = ctx.account.to_string();
    let sealed = match &credentials {
        CredentialsChange::Keep => kept,
        CredentialsChange::Remove => None,
        CredentialsChange::Replace(credentials) => {
            Some(vault.seal(&place(&account), &to_text(credentials)?)?)
        }
    };
    let values = (
        providers::kind.eq(command.kind.name()),
        providers::user_name.eq(&after.user),
        providers::credentials.eq(&sealed),
        providers::simulate.eq(to_text(&after.simulate)?),
        providers::updated_at.eq(ctx.now.micros()),
    );
    if is_first {
        diesel::insert_into(providers::table)
            .values((providers::account_id.eq(&account), values))
            .execute(tx.db)?;
    } else {
        let this = providers::table.filter(providers::account_id.eq(&account));
        diesel::update(this).set(values).execute(tx.db)?;
    }
    Ok(after)
}
