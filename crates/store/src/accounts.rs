//! Accounts, API keys, and the people behind them.

pub(crate) mod failures;
mod form_results;
pub(crate) mod invitations;
mod keys;
pub(crate) mod mails;
pub(crate) mod parked;
mod people;
mod saved_views;
pub(crate) mod sessions;
mod signing_in;
mod slugs;
mod team;
pub(crate) mod totp;
mod user_links;
mod users;

pub(crate) use team::{members_of, role_in};

use std::sync::Arc;

use ::accounts::{
    Account, AccountError, Accounts, ApiKey, ApiKeyId, KeyDigest, KeyWatcher, Scopes,
    audit::{Act, Action},
    service::CreateApiKey,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{
    AccountId, Actor, Ctx, Done, Fault, Mode, Pending, Quantity, Refused, Timestamp, Written,
};

use crate::{
    audit,
    db::{Db, on},
    error::Failure,
    notifier,
    readers::Cost,
    rows::{micros, moment, read},
    schema::{accounts as accounts_table, api_keys},
    store::{ENDS, Store},
    tx::Tx,
    unreadable::readable,
};

const HOUR_MICROS: i64 = 3_600_000_000;

/// Counters: name, meaning, figure.
pub(crate) const COUNTERS: &[(&str, &str, &str)] = &[
    ("sign_ins_total", "Users who have signed in since the start", sessions::SIGN_INS),
    (
        "sign_ins_failed_total",
        "Wrong passwords and codes given at sign-in since the start",
        failures::FAILED,
    ),
];

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = accounts_table, treat_none_as_default_value = false)]
struct AccountRow {
    id: String,
    name: String,
    low_stock_threshold: i64,
    created_at: i64,
    test_of: Option<String>,
    commits_stock: bool,
}

impl AccountRow {
    fn of(account: &Account, commits_stock: bool) -> Self {
        Self {
            id: account.id.to_string(),
            name: account.name.clone(),
            low_stock_threshold: account.low_stock_threshold,
            created_at: account.created_at.micros(),
            test_of: account.test_of.as_ref().map(ToString::to_string),
            commits_stock,
        }
    }

    fn account(self) -> Result<Account, DieselError> {
        Ok(Account {
            id: read(&self.id, AccountId::parse)?,
            name: self.name,
            low_stock_threshold: self.low_stock_threshold,
            created_at: Timestamp::from_micros(self.created_at),
            test_of: self.test_of.map(|id| read(&id, AccountId::parse)).transpose()?,
        })
    }
}

#[derive(Clone, Insertable, Queryable, Selectable)]
#[diesel(table_name = api_keys, treat_none_as_default_value = false)]
struct KeyRow {
    account_id: String,
    id: String,
    name: String,
    digest: String,
    last4: String,
    scopes: String,
    may_approve: bool,
    rate_per_hour: Option<i64>,
    created_at: i64,
    expires_at: Option<i64>,
    previous_digest: Option<String>,
    previous_until: Option<i64>,
    revoked_at: Option<i64>,
    last_used_at: Option<i64>,
    version: i64,
}

impl KeyRow {
    fn key(self) -> Result<ApiKey, DieselError> {
        // Its hour may have begun before the key was made.
        let last_used_at = self.last_used_at.map(|hour| hour.max(self.created_at));
        Ok(ApiKey {
            id: read(&self.id, ApiKeyId::parse)?,
            account: read(&self.account_id, AccountId::parse)?,
            name: self.name,
            last4: self.last4,
            scopes: read(&self.scopes, |scopes| Scopes::parse(scopes).ok())?,
            may_approve: self.may_approve,
            rate_per_hour: self.rate_per_hour.and_then(|rate| u32::try_from(rate).ok()),
            created_at: Timestamp::from_micros(self.created_at),
            expires_at: moment(self.expires_at),
            is_by_previous_text: false,
            previous_until: moment(self.previous_until),
            revoked_at: moment(self.revoked_at),
            last_used_at: moment(last_used_at),
            version: self.version,
        })
    }
}

impl Accounts for Store {
    fn create_account(
        &self,
        name: String,
        low_stock_threshold: Quantity,
        now: Timestamp,
    ) -> Pending<Written<Account, AccountError>> {
        self.engine.command(None, move |tx| {
            Ok(Done::now(open_account(tx, name.clone(), low_stock_threshold, now)?))
        })
    }

    fn test_account(
        &self,
        live: AccountId,
        now: Timestamp,
    ) -> Pending<Written<Account, AccountError>> {
        self.engine.command(Some(live), move |tx| test_account(tx, live, now).map(Done::now))
    }

    fn account(&self, id: AccountId) -> Pending<Result<Option<Account>, Fault>> {
        self.engine.read(Cost::Small, move |db| by_id(db, id))
    }

    fn has_accounts(&self) -> Pending<Result<bool, Fault>> {
        self.engine.read(Cost::Small, |db| {
            let first = accounts_table::table.select(accounts_table::id).first::<String>(db);
            Ok(first.optional()?.is_some())
        })
    }

    fn list_accounts(&self) -> Pending<Result<Vec<Account>, Fault>> {
        self.engine.read(Cost::Large, |db| {
            let rows: Vec<AccountRow> = accounts_table::table
                .order(accounts_table::id)
                .select(AccountRow::as_select())
                .load(db)?;
            rows.into_iter().map(AccountRow::account).collect()
        })
    }

    fn create_key(
        &self,
        command: CreateApiKey,
        now: Timestamp,
    ) -> Pending<Written<ApiKey, AccountError>> {
        self.engine.command(Some(command.account), move |tx| {
            if !is_there(tx.db, command.account)? {
                return Err(Refused::NotFound.into());
            }
            let id = ApiKeyId::from_u128(tx.ids.next());
            let row = KeyRow {
                account_id: command.account.to_string(),
                id: id.to_string(),
                name: command.name.clone(),
                digest: command.digest.to_hex(),
                last4: command.last4.clone(),
                scopes: command.scopes.to_string(),
                may_approve: command.may_approve,
                rate_per_hour: command.rate_per_hour.map(i64::from),
                created_at: now.micros(),
                expires_at: micros(command.expires_at),
                previous_digest: None,
                previous_until: None,
                revoked_at: None,
                last_used_at: None,
                version: 1,
            };
            diesel::insert_into(api_keys::table).values(&row).execute(tx.db)?;
            audit::record(tx, &by_operator(command.account, now), &keys::created(id, &row))?;
            Ok(Done::now(row.key()?))
        })
    }

    fn list_keys(&self, account: AccountId) -> Pending<Result<Vec<ApiKey>, Fault>> {
        self.engine.read(Cost::Large, move |db| {
            let rows: Vec<KeyRow> = api_keys::table
                .filter(api_keys::account_id.eq(account.to_string()))
                .order(api_keys::id)
                .select(KeyRow::as_select())
                .load(db)?;
            let key = |row: KeyRow| ((row.account_id.clone(), row.id.clone()), row.key());
            readable("api key", rows.into_iter().map(key))
        })
    }

    fn key_used(&self, key: &ApiKey, now: Timestamp) -> Pending<Written<(), ()>> {
        let (account, id) = (key.account.to_string(), key.id.to_string());
        let hour = now.micros() - now.micros().rem_euclid(HOUR_MICROS);
        // A power cut may undo it: the next request says it again.
        self.engine.relaxed(ENDS, move |tx| {
            let is_news = api_keys::last_used_at.is_null().or(api_keys::last_used_at.lt(hour));
            let this = api_keys::table.find((account.clone(), id.clone())).filter(is_news);
            diesel::update(this).set(api_keys::last_used_at.eq(hour)).execute(tx.db)?;
            Ok(Done::now(()))
        })
    }

    fn revoke_key(&self, id: ApiKeyId, now: Timestamp) -> Pending<Written<ApiKey, AccountError>> {
        self.engine.command(None, move |tx| {
            let row = api_keys::table.filter(api_keys::id.eq(id.to_string()));
            let account = row.select(api_keys::account_id).first::<String>(tx.db).optional()?;
            let account = read(&account.ok_or(Refused::NotFound)?, AccountId::parse)?;
            revoke(tx, id, &by_operator(account, now)).map(Done::now)
        })
    }

    fn find_key(&self, digest: KeyDigest) -> Pending<Result<Option<ApiKey>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let row = api_keys::table
                .filter(api_keys::digest.eq(digest.to_hex()))
                .select(KeyRow::as_select())
                .first::<KeyRow>(db)
                .optional()?;
            if let Some(row) = row {
                return row.key().map(Some);
            }
            let row = api_keys::table
                .filter(api_keys::previous_digest.eq(digest.to_hex()))
                .select(KeyRow::as_select())
                .first::<KeyRow>(db)
                .optional()?;
            Ok(row.map(KeyRow::key).transpose()?.map(ApiKey::by_previous_text))
        })
    }

    fn watch_keys(&self, watcher: &Arc<dyn KeyWatcher>) {
        self.notifier.watch_keys(watcher);
    }
}

/// What an operator does at the command line.
fn by_operator(account: AccountId, now: Timestamp) -> Ctx {
    Ctx::system(account, now).by(Actor::Operator("".into()))
}

fn open_account(
    tx: &mut Tx<'_>,
    name: String,
    low_stock_threshold: Quantity,
    now: Timestamp,
) -> QueryResult<Account> {
    let id = AccountId::from_u128(tx.ids.next());
    let account = Account { id, name, low_stock_threshold, created_at: now, test_of: None };
    let row = AccountRow::of(&account, is_upgraded(tx.db)?);
    diesel::insert_into(accounts_table::table).values(&row).execute(tx.db)?;
    Ok(account)
}

fn by_id(db: &mut Db, id: AccountId) -> QueryResult<Option<Account>> {
    let this = accounts_table::table.filter(accounts_table::id.eq(id.to_string()));
    let row = this.select(AccountRow::as_select()).first::<AccountRow>(db).optional()?;
    row.map(AccountRow::account).transpose()
}

fn test_account(
    tx: &mut Tx<'_>,
    live: AccountId,
    now: Timestamp,
) -> Result<Account, Failure<AccountError>> {
    let account = by_id(tx.db, live)?.ok_or(Refused::NotFound)?;
    if account.mode() == Mode::Test {
        return Ok(account);
    }
    let opened = account.test_account(AccountId::from_u128(tx.ids.next()), now);
    let row = AccountRow::of(&opened, is_upgraded(tx.db)?);
    // Whoever was first has opened it.
    on!(tx.db, |conn| diesel::insert_into(accounts_table::table)
        .values(&row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    slugs::follow(tx, live)?;
    let own = accounts_table::table.filter(accounts_table::test_of.eq(live.to_string()));
    Ok(own.select(AccountRow::as_select()).first::<AccountRow>(tx.db)?.account()?)
}

/// Whether no account waits for the end of an upgrade: only then are there no nodes of the last release. Whoever finishes it
/// waits for the end of the transaction, and so finds the account that it opens.
fn is_upgraded(db: &mut Db) -> QueryResult<bool> {
    let waiting = accounts_table::table
        .filter(accounts_table::commits_stock.eq(false))
        .select(accounts_table::id);
    let first = match db {
        Db::Postgres(conn) => waiting.for_share().first::<String>(conn),
        Db::Sqlite(conn) => waiting.first::<String>(conn),
    };
    Ok(first.optional()?.is_none())
}

/// What an account is for.
pub(crate) fn mode(db: &mut Db, account: AccountId) -> QueryResult<Mode> {
    let this = accounts_table::table.filter(accounts_table::id.eq(account.to_string()));
    Ok(Mode::of(this.select(accounts_table::test_of.is_not_null()).first(db)?))
}

/// Whether there is such an account.
pub(crate) fn is_there(db: &mut Db, account: AccountId) -> QueryResult<bool> {
    let this = accounts_table::table.filter(accounts_table::id.eq(account.to_string()));
    let count: i64 = this.count().get_result(db)?;
    Ok(count > 0)
}

/// Revokes a key of the account of the call.
fn revoke(tx: &mut Tx<'_>, id: ApiKeyId, ctx: &Ctx) -> Result<ApiKey, Failure<AccountError>> {
    let this = || api_keys::table.filter(api_keys::id.eq(id.to_string()));
    let row = this().select(KeyRow::as_select()).first::<KeyRow>(tx.db).optional()?;
    let mut key = row.ok_or(Refused::NotFound)?.key()?;
    if key.revoked_at.is_some() {
        return Err(Refused::Rule(AccountError::AlreadyRevoked).into());
    }
    key.revoked_at = Some(ctx.now);
    key.version += 1;
    diesel::update(this())
        .set((api_keys::revoked_at.eq(ctx.now.micros()), api_keys::version.eq(key.version)))
        .execute(tx.db)?;
    notifier::key_changed(tx, &key)?;
    let act = Act::new(Action::ApiKeyRevoked, &id).with("name", Some(key.name.clone()), None);
    audit::record(tx, ctx, &act)?;
    Ok(key)
}
