//! The issuer of an account, and its provider.

use ::invoices::{
    ChooseProvider, InvoiceError, Issuer, IssuerFields, ProviderChoice,
    issuer::{self, Simulate},
    provider::{Credentials, ProviderKind},
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, FieldFault, Refused, Timestamp, message};
use serde::{Deserialize, Serialize};

use super::tasks;
use crate::{
    db::{Db, first_locked},
    error::Stop,
    lane::Tx,
    rows::{corrupt, from_json, json},
    schema::{certification_providers as providers, issuers},
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
            series: json(&issuer.series)?,
            default_taxes: json(&issuer.default_taxes)?,
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
            series: from_json(&self.series)?,
            default_taxes: from_json(&self.default_taxes)?,
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

pub(super) fn tell(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    fields: IssuerFields,
    version: Option<i64>,
) -> Result<Issuer, Stop<InvoiceError>> {
    lock(tx, ctx.account)?;
    let before = by_account(tx.db, ctx.account)?;
    expect(before.as_ref(), version)?;
    let after = issuer::tell(before.as_ref(), fields, ctx.now);
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
) -> Result<Issuer, Stop<InvoiceError>> {
    lock(tx, ctx.account)?;
    let issuer = by_account(tx.db, ctx.account)?;
    expect(issuer.as_ref(), version)?;
    let issuer = issuer.ok_or(Refused::Rule(InvoiceError::NoIssuer))?;
    let after = Issuer {
        has_logo: logo.is_some(),
        updated_at: ctx.now,
        version: issuer.version + 1,
        ..issuer
    };
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

/// Credentials as they are sealed.
#[derive(Serialize, Deserialize)]
enum Kept {
    User { user: String, password: String },
    Token(String),
}

impl From<&Credentials> for Kept {
    fn from(credentials: &Credentials) -> Self {
        match credentials {
            Credentials::User { user, password } => {
                Self::User { user: user.clone(), password: password.clone() }
            }
            Credentials::Token(token) => Self::Token(token.clone()),
        }
    }
}

impl From<Kept> for Credentials {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::User { user, password } => Self::User { user, password },
            Kept::Token(token) => Self::Token(token),
        }
    }
}

/// Where the credentials of an account are kept, as their seal has it.
pub(super) fn place(account: &str) -> String {
    format!("certification provider {account}")
}

fn kind_of(name: &str) -> QueryResult<ProviderKind> {
    from_json(&format!("\"{name}\""))
}

pub(super) fn kind_name(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::Sandbox => "sandbox",
        ProviderKind::Sw => "sw",
        ProviderKind::Finkok => "finkok",
    }
}

type ChoiceRow = (String, Option<String>, Option<String>, String, i64);

fn choice_row(db: &mut Db, account: AccountId) -> QueryResult<Option<ChoiceRow>> {
    providers::table
        .filter(providers::account_id.eq(account.to_string()))
        .select((
            providers::kind,
            providers::user_name,
            providers::credentials,
            providers::simulate,
            providers::updated_at,
        ))
        .first(db)
        .optional()
}

/// The provider of an account; the sandbox where none was chosen.
pub(super) fn choice(db: &mut Db, account: AccountId) -> QueryResult<ProviderChoice> {
    let Some((kind, user, _, simulate, updated_at)) = choice_row(db, account)? else {
        return Ok(ProviderChoice::default());
    };
    Ok(ProviderChoice {
        kind: kind_of(&kind)?,
        user,
        simulate: from_json(&simulate)?,
        updated_at: Some(Timestamp::from_micros(updated_at)),
    })
}

/// The provider of an account with what it is called with.
pub(super) fn opened(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
) -> QueryResult<(ProviderKind, Option<Credentials>, Simulate)> {
    let Some((kind, _, sealed, simulate, _)) = choice_row(db, account)? else {
        return Ok((ProviderKind::Sandbox, None, Simulate::default()));
    };
    let credentials = sealed.map(|sealed| {
        let text = vault.open(&place(&account.to_string()), &sealed)?;
        from_json::<Kept>(&text).map_err(|_| corrupt("credentials that cannot be read"))
    });
    let credentials = credentials.transpose()?.map(Credentials::from);
    Ok((kind_of(&kind)?, credentials, from_json(&simulate)?))
}

/// Waits for whoever chooses the provider or begins to stamp in another transaction, and keeps others from
/// both until this one ends. Without an issuer there is nothing to stamp.
pub(super) fn lock(tx: &mut Tx<'_>, account: AccountId) -> QueryResult<()> {
    let own = issuers::table.filter(issuers::account_id.eq(account.to_string()));
    first_locked!(tx.db, IssuerRow, own).map(drop)
}

/// Chooses the provider. What is being stamped stays with the provider, and there with the user, that it was
/// sent to: another would stamp it a second time.
pub(super) fn choose(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    vault: &Vault,
    command: &ChooseProvider,
) -> Result<ProviderChoice, Stop<InvoiceError>> {
    lock(tx, ctx.account)?;
    let before = choice_row(tx.db, ctx.account)?;
    let account = ctx.account.to_string();
    let kind = kind_name(command.kind);
    let same = before.as_ref().filter(|(before, ..)| before == kind);
    let kept = same.and_then(|(_, user, sealed, ..)| Some((user.clone(), sealed.clone()?)));
    let (user, sealed) = match (&command.credentials, kept) {
        (Some(credentials), _) => {
            let text = json(&Kept::from(credentials))?;
            let user = match credentials {
                Credentials::User { user, .. } => Some(user.clone()),
                Credentials::Token(_) => None,
            };
            (user, Some(vault.seal(&place(&account), &text)?))
        }
        (None, Some((user, sealed))) => (user, Some(sealed)),
        (None, None) if command.kind == ProviderKind::Sandbox => (None, None),
        (None, None) => {
            let problem = message!(
                "must be given for {kind}, with password (or a token alone)",
                "es obligatorio para {kind}, junto con password (o bien solo token)"
            );
            return Err(Refused::Invalid(vec![FieldFault::new("user", problem)]).into());
        }
    };
    let sent_to =
        before.as_ref().map_or(("sandbox", None), |(kind, user, ..)| (kind, user.as_ref()));
    if sent_to != (kind, user.as_ref()) && tasks::is_stamping(tx.db, ctx.account)? {
        return Err(Refused::Rule(InvoiceError::ProviderInUse).into());
    }
    let row = (
        providers::kind.eq(kind),
        providers::user_name.eq(&user),
        providers::credentials.eq(&sealed),
        providers::simulate.eq(json(&command.simulate)?),
        providers::updated_at.eq(ctx.now.micros()),
    );
    if before.is_some() {
        let this = providers::table.filter(providers::account_id.eq(&account));
        diesel::update(this).set(row).execute(tx.db)?;
    } else {
        diesel::insert_into(providers::table)
            .values((providers::account_id.eq(&account), row))
            .execute(tx.db)?;
    }
    Ok(ProviderChoice {
        kind: command.kind,
        user,
        simulate: command.simulate,
        updated_at: Some(ctx.now),
    })
}
