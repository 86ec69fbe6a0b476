//! The payment providers that accounts have set up. Credentials are sealed.

use ::accounts::{Act, Action};
use ::payments::{
    Credentials, InstallmentPlan, PaymentError, ProviderAccount, ProviderKind,
    provider::NoProvider,
    service::{Callee, SetProvider},
};
use diesel::prelude::*;
use kernel::{AccountId, Ctx, FieldFault, Mode, Refused, Timestamp, message};

use super::begin::Outcome;
use crate::{
    accounts, audit,
    db::{Db, first_locked, on},
    error::refuse_stale,
    rows::read_name,
    schema::payment_providers::{self as table, dsl},
    secrets::Secret,
    stored::{KeptPlans, from_text, to_text},
    tx::Tx,
    vault::Vault,
};

/// Bytes of the secret that the sandbox signs with.
const SECRET_BYTES: usize = 32;
/// The most characters of a key whose end is shown.
const SHOWN_END: usize = 4;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, provider), treat_none_as_null = true, treat_none_as_default_value = false)]
struct ProviderRow {
    account_id: String,
    provider: String,
    credentials: Option<String>,
    key_end: Option<String>,
    installments: Option<String>,
    is_default: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

/// Where the credentials are kept, as their seal has it.
fn place(account: &str, provider: &str) -> String {
    format!("payment provider {account} {provider}")
}

impl ProviderRow {
    fn provider(&self) -> QueryResult<ProviderAccount> {
        let kept: Option<KeptPlans> = self.installments.as_deref().map(from_text).transpose()?;
        Ok(ProviderAccount {
            kind: read_name(&self.provider, ProviderKind::EVERY, ProviderKind::name)?,
            is_default: self.is_default != 0,
            key_end: self.key_end.clone(),
            installments: kept.map(|plans| plans.0),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }

    fn opened(&self, vault: &Vault) -> QueryResult<Option<Credentials>> {
        let place = place(&self.account_id, &self.provider);
        let open = |sealed| from_text::<Credentials>(&vault.open(&place, sealed)?);
        self.credentials.as_deref().map(open).transpose()
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, kind: ProviderKind) -> _ {
    let (account, kind): (String, String) = (account.to_string(), kind.name().to_owned());
    table::table.filter(dsl::account_id.eq(account)).filter(dsl::provider.eq(kind))
}

fn row(db: &mut Db, account: AccountId, kind: ProviderKind) -> QueryResult<Option<ProviderRow>> {
    this(account, kind).select(ProviderRow::as_select()).first(db).optional()
}

pub(super) fn all(db: &mut Db, account: AccountId) -> QueryResult<Vec<ProviderAccount>> {
    let rows: Vec<ProviderRow> = dsl::payment_providers
        .filter(dsl::account_id.eq(account.to_string()))
        .order(dsl::provider)
        .select(ProviderRow::as_select())
        .load(db)?;
    rows.iter().map(ProviderRow::provider).collect()
}

/// A provider as an account calls it; `None` where it is not set up.
pub(super) fn callee(
    db: &mut Db,
    vault: &Vault,
    account: AccountId,
    kind: ProviderKind,
) -> QueryResult<Option<Callee>> {
    let Some(row) = row(db, account, kind)? else { return Ok(None) };
    Ok(Some(Callee { kind, credentials: row.opened(vault)? }))
}

/// Makes the secret that the sandbox signs an account's notifications with, if there is none.
pub(super) fn ensure_sandbox(
    tx: &mut Tx<'_>,
    vault: &Vault,
    account: AccountId,
    now: Timestamp,
) -> QueryResult<()> {
    if row(tx.db, account, ProviderKind::Sandbox)?.is_some_and(|row| row.credentials.is_some()) {
        return Ok(());
    }
    let secret: [u8; SECRET_BYTES] = vault.random()?;
    let secret = hex::encode(secret);
    let credentials = Credentials { key: String::new(), notification_secret: Some(secret) };
    let set = SetProvider {
        kind: ProviderKind::Sandbox,
        credentials: Some(credentials),
        is_default: None,
        installments: None,
    };
    save(tx, vault, account, &set, now).map(drop)
}

/// Writes a provider down as it is set up now.
fn save(
    tx: &mut Tx<'_>,
    vault: &Vault,
    account: AccountId,
    set: &SetProvider,
    now: Timestamp,
) -> QueryResult<ProviderAccount> {
    let SetProvider { kind, credentials, is_default, installments } = set;
    let (kind, is_default, credentials) = (*kind, *is_default, credentials.as_ref());
    let before = row(tx.db, account, kind)?;
    let installments = match installments {
        Some(plans) => plans.clone().map(|plans| to_text(&KeptPlans(plans))).transpose()?,
        None => before.as_ref().and_then(|row| row.installments.clone()),
    };
    let (owner, account, provider) = (account, account.to_string(), kind.name().to_owned());
    let place = place(&account, &provider);
    let sealed =
        credentials.map(|credentials| vault.seal(&place, &to_text(credentials)?)).transpose()?;
    let shown = credentials.filter(|credentials| !credentials.key.is_empty()).map(key_end);
    if is_default == Some(true) {
        let own = dsl::payment_providers.filter(dsl::account_id.eq(&account));
        diesel::update(own).set(dsl::is_default.eq(0)).execute(tx.db)?;
    }
    let was_default = before.as_ref().map_or(0, |row| row.is_default);
    let after = ProviderRow {
        is_default: is_default.map_or(was_default, i64::from),
        credentials: sealed.or_else(|| before.as_ref().and_then(|row| row.credentials.clone())),
        key_end: shown.or_else(|| before.as_ref().and_then(|row| row.key_end.clone())),
        installments,
        created_at: before.as_ref().map_or(now.micros(), |row| row.created_at),
        updated_at: now.micros(),
        version: before.as_ref().map_or(1, |row| row.version + 1),
        account_id: account,
        provider,
    };
    match before {
        Some(_) => diesel::update(this(owner, kind)).set(&after).execute(tx.db)?,
        None => diesel::insert_into(table::table).values(&after).execute(tx.db)?,
    };
    after.provider()
}

fn key_end(credentials: &Credentials) -> String {
    let characters = credentials.key.chars().count();
    credentials.key.chars().skip(characters.saturating_sub(SHOWN_END)).collect()
}

/// Sets a provider up.
pub(super) fn set(
    tx: &mut Tx<'_>,
    vault: &Vault,
    ctx: &Ctx,
    command: &SetProvider,
    version: Option<i64>,
) -> Outcome<ProviderAccount> {
    let before = first_locked!(tx.db, ProviderRow, this(ctx.account, command.kind))?;
    let present = before.as_ref().map_or(ProviderAccount::NOT_SET_UP, |before| before.version);
    refuse_stale(version, present)?;
    let is_sandbox = command.kind == ProviderKind::Sandbox;
    if is_sandbox && accounts::mode(tx.db, ctx.account)? == Mode::Live {
        return Err(Refused::Rule(PaymentError::NoProvider(NoProvider::SandboxInLive)).into());
    }
    let has_key = command.credentials.is_some() || before.is_some();
    if command.kind.needs_credentials() && !has_key {
        let problem = message!(
            "is required to set a provider up",
            "es obligatoria para configurar un proveedor"
        );
        return Err(Refused::Invalid(vec![FieldFault::new("key", problem)]).into());
    }
    if is_sandbox {
        ensure_sandbox(tx, vault, ctx.account, ctx.now)?;
    }
    let credentials = command.credentials.clone().filter(|_| !is_sandbox);
    let command = SetProvider { credentials, ..command.clone() };
    let given = command.credentials.as_ref();
    // What no key opens any more is replaced by whatever is given.
    let known = before.as_ref().filter(|_| given.is_some());
    let known = known.and_then(|row| row.opened(vault).ok().flatten());
    let before = before.as_ref().map(ProviderRow::provider).transpose()?;
    let after = save(tx, vault, ctx.account, &command, ctx.now)?;
    let act = changed((before.as_ref(), known.as_ref()), (&after, given));
    audit::record(tx, ctx, &act)?;
    Ok(after)
}

/// What of a provider was set: of what is secret, only that it is another one. Without new credentials, none are known.
fn changed(
    (before, known): (Option<&ProviderAccount>, Option<&Credentials>),
    (after, given): (&ProviderAccount, Option<&Credentials>),
) -> Act {
    let key = |of: Option<&Credentials>| of.map(|one| one.key.clone());
    let signing = |of: Option<&Credentials>| of.and_then(|one| one.notification_secret.clone());
    let is_default = |one: &ProviderAccount| one.is_default.to_string();
    let plans = |one: &ProviderAccount| {
        let plan = |InstallmentPlan { months, min }: &InstallmentPlan| format!("{months} × {min}");
        one.installments.as_ref().map(|plans| plans.iter().map(plan).collect::<Vec<_>>().join(", "))
    };
    Act::new(Action::PaymentProviderChanged, &after.kind.name())
        .with_secret("key", key(known).as_ref(), key(given).as_ref())
        .with_secret("notificationSecret", signing(known).as_ref(), signing(given).as_ref())
        .with("keyEnd", before.and_then(|one| one.key_end.clone()), after.key_end.clone())
        .with("default", before.map(is_default), Some(is_default(after)))
        .with("installments", before.and_then(plans), plans(after))
}

/// Every secret with its place and how to replace it.
pub(crate) fn secrets(db: &mut Db, _: Option<&str>) -> QueryResult<Vec<Secret>> {
    let rows: Vec<(String, String, Option<String>)> = on!(db, |conn| table::table
        .select((table::account_id, table::provider, table::credentials))
        .load(conn))?;
    let secrets = rows.into_iter().filter_map(|(account, provider, sealed)| {
        Some(Secret {
            place: place(&account, &provider),
            sealed: sealed?,
            replace: Box::new(move |db, before, after| {
                let row = table::table
                    .filter(table::account_id.eq(account))
                    .filter(table::provider.eq(provider))
                    .filter(table::credentials.eq(before));
                diesel::update(row).set(table::credentials.eq(after)).execute(db)
            }),
        })
    });
    Ok(secrets.collect())
}
