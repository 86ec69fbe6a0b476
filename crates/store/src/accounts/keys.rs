//! API keys as a resource: made, given another text and revoked by keys and users.

use ::accounts::{
    AccountError, ApiKey, ApiKeyError, ApiKeyId, ApiKeyQuery, ApiKeys, GrantApiKey, Grantor,
    IssuedApiKey, KeyMaker, NewApiKey, Overlap,
    audit::{Act, Action},
    grant::{self, KEYS_MAX},
    role::{Access, Area, Right},
};
use diesel::prelude::*;
use engine::Vault;
use kernel::{
    AccountId, Actor, Ctx, Done, Fault, Mode, Page, Pending, Refused, Timestamp, Written,
    page::Total,
};

use super::{KeyRow, audit, team};
use crate::{
    answers,
    db::{Db, first_locked},
    error::{Failure, refuse_stale},
    listing::{self, newest_first},
    notifier,
    readers::Cost,
    rows::{corrupt, micros},
    schema::{accounts, api_keys as table, api_keys::dsl},
    store::Store,
    stored::KeptApiKey,
    tx::Tx,
};

/// Where the text of a key is kept for repeats of the request that made it, as its seal has it.
fn place(account: AccountId, id: ApiKeyId) -> String {
    format!("api key {account} {id}")
}

impl KeptApiKey {
    /// The key as it is now, and the text that it was made with.
    fn opened(self, db: &mut Db, vault: &Vault) -> Result<IssuedApiKey, Failure<ApiKeyError>> {
        let text = vault.open(&place(self.account, self.id), &self.sealed)?;
        let key = of_account(db, self.account, self.id)?.ok_or(Refused::NotFound)?;
        Ok(IssuedApiKey { key, text })
    }
}

/// What the commands of this module are carried out with.
struct Desk<'a> {
    ctx: &'a Ctx,
    vault: &'a Vault,
    maker: &'a KeyMaker,
}

impl ApiKeys for Store {
    fn grant(
        &self,
        ctx: Ctx,
        mode: Mode,
        command: GrantApiKey,
        maker: KeyMaker,
    ) -> Pending<Written<IssuedApiKey, ApiKeyError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let desk = Desk { ctx: &ctx, vault: &vault, maker: &maker };
            let Done { value, replayed } =
                answers::once(tx, &ctx, |tx| grant(tx, &desk, mode, &command))?;
            let value: KeptApiKey = value;
            Ok(Done { value: value.opened(tx.db, &vault)?, replayed })
        })
    }

    fn api_keys(
        &self,
        account: AccountId,
        query: ApiKeyQuery,
        now: Timestamp,
    ) -> Pending<Result<Page<ApiKey>, Fault>> {
        self.engine.read_of(account, Cost::Small, move |db| list(db, account, &query, now))
    }

    fn api_key(&self, account: AccountId, id: ApiKeyId) -> Pending<Result<Option<ApiKey>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            for own in own_accounts(db, account)? {
                if let Some(key) = of_account(db, own, id)? {
                    return Ok(Some(key));
                }
            }
            Ok(None)
        })
    }

    fn rotate(
        &self,
        ctx: Ctx,
        id: ApiKeyId,
        overlap: Overlap,
        maker: KeyMaker,
    ) -> Pending<Written<IssuedApiKey, ApiKeyError>> {
        let vault = self.engine.vault();
        self.engine.command(Some(ctx.account), move |tx| {
            let desk = Desk { ctx: &ctx, vault: &vault, maker: &maker };
            let Done { value, replayed } =
                answers::once(tx, &ctx, |tx| rotate(tx, &desk, id, overlap))?;
            let value: KeptApiKey = value;
            Ok(Done { value: value.opened(tx.db, &vault)?, replayed })
        })
    }

    fn revoke(
        &self,
        ctx: Ctx,
        id: ApiKeyId,
        version: Option<i64>,
    ) -> Pending<Written<ApiKey, ApiKeyError>> {
        self.engine
            .command(Some(ctx.account), move |tx| revoke(tx, &ctx, id, version).map(Done::now))
    }
}

/// The account and, of a live one, its test account.
fn own_accounts(db: &mut Db, account: AccountId) -> QueryResult<Vec<AccountId>> {
    let test: Option<String> = accounts::table
        .filter(accounts::test_of.eq(account.to_string()))
        .select(accounts::id)
        .first(db)
        .optional()?;
    let test = test.map(|id| crate::rows::read(&id, AccountId::parse)).transpose()?;
    Ok([account].into_iter().chain(test).collect())
}

fn of_account(db: &mut Db, account: AccountId, id: ApiKeyId) -> QueryResult<Option<ApiKey>> {
    let row: Option<KeyRow> = table::table
        .find((account.to_string(), id.to_string()))
        .select(KeyRow::as_select())
        .first(db)
        .optional()?;
    row.map(KeyRow::key).transpose()
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn list(
    db: &mut Db,
    account: AccountId,
    query: &ApiKeyQuery,
    now: Timestamp,
) -> QueryResult<Page<ApiKey>> {
    let nothing = || Page { items: Vec::new(), total: Total::exact(0), next: None };
    let own = super::mode(db, account)?;
    let account = match (own, query.mode.unwrap_or(own)) {
        (Mode::Live, Mode::Live) | (Mode::Test, Mode::Test) => account,
        (Mode::Live, Mode::Test) => match own_accounts(db, account)?.get(1) {
            Some(test) => *test,
            None => return Ok(nothing()),
        },
        (Mode::Test, Mode::Live) => return Ok(nothing()),
    };
    let all = || -> Filtered {
        let all = table::table.filter(dsl::account_id.eq(account.to_string())).into_boxed();
        let now = now.micros();
        match query.active {
            None => all,
            Some(true) => {
                let lives = dsl::expires_at.is_null().or(dsl::expires_at.gt(now));
                all.filter(dsl::revoked_at.is_null()).filter(lives)
            }
            Some(false) => all.filter(dsl::revoked_at.is_not_null().or(dsl::expires_at.le(now))),
        }
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, KeyRow, dsl::id, query.page, all())?;
    let key = |row: &KeyRow| (row.account_id.clone(), row.id.clone());
    listing::newest_page(rows, &query.page, total, "api key", key, KeyRow::key)
}

/// What whoever acts has, beyond which they give nothing.
fn grantor(tx: &mut Tx<'_>, ctx: &Ctx) -> Result<Grantor, Failure<ApiKeyError>> {
    let forbidden = || Refused::Rule(ApiKeyError::Forbidden);
    match &ctx.actor {
        Actor::System | Actor::Operator(_) => Ok(Grantor::Operator),
        Actor::Public => Err(forbidden().into()),
        Actor::Key(id) => {
            // Locked: one that is revoked meanwhile makes nothing any more.
            let (account, id) = (ctx.account.to_string(), id.to_string());
            let this = || table::table.find((account.clone(), id.clone()));
            let row = first_locked!(tx.db, KeyRow, this())?;
            let key = row.ok_or_else(forbidden)?.key()?;
            if !key.is_live(ctx.now) {
                return Err(forbidden().into());
            }
            Ok(Grantor::Key(Box::new(key)))
        }
        Actor::User(user) => {
            let live = live(tx.db, ctx.account)?;
            let role = team::role_of(tx.db, live, *user)?.ok_or_else(forbidden)?;
            if !role.allows(Right::of(Area::ApiKeys, Access::Write)) {
                return Err(forbidden().into());
            }
            Ok(Grantor::Member(role))
        }
    }
}

/// The live account of an account.
fn live(db: &mut Db, account: AccountId) -> Result<AccountId, Failure<ApiKeyError>> {
    let account = super::by_id(db, account)?.ok_or(Refused::NotFound)?;
    Ok(account.test_of.unwrap_or(account.id))
}

/// The text of a new key for an account.
fn made(maker: &KeyMaker, mode: Mode) -> QueryResult<NewApiKey> {
    maker(mode).map_err(corrupt)
}

fn grant(
    tx: &mut Tx<'_>,
    desk: &Desk<'_>,
    mode: Mode,
    command: &GrantApiKey,
) -> Result<KeptApiKey, Failure<ApiKeyError>> {
    let ctx = desk.ctx;
    let by = grantor(tx, ctx)?;
    let own = super::by_id(tx.db, ctx.account)?.ok_or(Refused::NotFound)?;
    let mode_fault = grant::mode_fault(own.mode(), mode);
    let faults: Vec<_> =
        grant::faults(&by, command, ctx.now).into_iter().chain(mode_fault).collect();
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults).into());
    }
    let account = match own.mode() == mode {
        true => own.id,
        false => {
            let opened = super::test_account(tx, own.id, ctx.now);
            opened.map_err(|failure| refused_as(failure, ApiKeyError::Forbidden))?.id
        }
    };
    let alive = table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::revoked_at.is_null());
    let count: i64 = alive.count().get_result(tx.db)?;
    if count >= i64::from(KEYS_MAX) {
        return Err(Refused::Rule(ApiKeyError::TooMany { max: KEYS_MAX }).into());
    }
    let made = made(desk.maker, mode)?;
    let id = ApiKeyId::from_u128(tx.ids.next());
    let row = KeyRow {
        account_id: account.to_string(),
        id: id.to_string(),
        name: command.name.clone(),
        digest: made.digest.to_hex(),
        last4: made.last4().to_owned(),
        scopes: command.scopes.to_string(),
        may_approve: command.may_approve,
        rate_per_hour: command.rate_per_hour.map(i64::from),
        created_at: ctx.now.micros(),
        expires_at: micros(command.expires_at),
        previous_digest: None,
        previous_until: None,
        revoked_at: None,
        last_used_at: None,
        version: 1,
    };
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    audit::record(tx, &Ctx { account, ..ctx.clone() }, &created(id, &row))?;
    let sealed = desk.vault.seal(&place(account, id), &made.text)?;
    Ok(KeptApiKey { account, id, sealed })
}

/// What is recorded of a new key.
pub(super) fn created(id: ApiKeyId, row: &KeyRow) -> Act {
    let expires_at = row.expires_at.map(|at| Timestamp::from_micros(at).to_string());
    Act::new(Action::ApiKeyCreated, &id)
        .with("name", None, Some(row.name.clone()))
        .with("scopes", None, Some(row.scopes.clone()))
        .with("mayApprove", None, row.may_approve.then(|| "true".to_owned()))
        .with("ratePerHour", None, row.rate_per_hour.map(|rate| rate.to_string()))
        .with("expiresAt", None, expires_at)
}

/// A key of the account or of its test account, locked until the end of the transaction.
fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ApiKeyId,
) -> Result<(AccountId, KeyRow), Failure<ApiKeyError>> {
    for own in own_accounts(tx.db, account)? {
        let (account, id) = (own.to_string(), id.to_string());
        let this = || table::table.find((account.clone(), id.clone()));
        if let Some(row) = first_locked!(tx.db, KeyRow, this())? {
            return Ok((own, row));
        }
    }
    Err(Refused::NotFound.into())
}

fn rotate(
    tx: &mut Tx<'_>,
    desk: &Desk<'_>,
    id: ApiKeyId,
    overlap: Overlap,
) -> Result<KeptApiKey, Failure<ApiKeyError>> {
    let ctx = desk.ctx;
    let by = grantor(tx, ctx)?;
    let (account, row) = locked(tx, ctx.account, id)?;
    let key = row.clone().key()?;
    if key.revoked_at.is_some() {
        return Err(Refused::Rule(ApiKeyError::AlreadyRevoked).into());
    }
    if !key.is_live(ctx.now) {
        return Err(Refused::Rule(ApiKeyError::Expired).into());
    }
    // Whoever gives a key another text holds it.
    let held = GrantApiKey {
        name: key.name.clone(),
        scopes: key.scopes.clone(),
        may_approve: key.may_approve,
        rate_per_hour: key.rate_per_hour,
        expires_at: key.expires_at,
    };
    let is_own = ctx.actor == Actor::Key(id);
    if !is_own && !grant::faults(&by, &held, ctx.now).is_empty() {
        return Err(Refused::Rule(ApiKeyError::Forbidden).into());
    }
    let made = made(desk.maker, super::mode(tx.db, account)?)?;
    let until = ctx.now.plus_seconds(overlap.seconds());
    let has_overlap = overlap != Overlap::None;
    let last4 = made.last4().to_owned();
    diesel::update(table::table.find((account.to_string(), id.to_string())))
        .set((
            dsl::digest.eq(made.digest.to_hex()),
            dsl::last4.eq(&last4),
            dsl::version.eq(row.version + 1),
            dsl::previous_digest.eq(has_overlap.then_some(row.digest)),
            dsl::previous_until.eq(has_overlap.then_some(until.micros())),
        ))
        .execute(tx.db)?;
    notifier::key_changed(tx, &key)?;
    let act = Act::new(Action::ApiKeyRotated, &id)
        .with("last4", Some(row.last4), Some(last4))
        .with("overlap", None, Some(overlap.name().to_owned()));
    audit::record(tx, &Ctx { account, ..ctx.clone() }, &act)?;
    let sealed = desk.vault.seal(&place(account, id), &made.text)?;
    Ok(KeptApiKey { account, id, sealed })
}

fn revoke(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: ApiKeyId,
    version: Option<i64>,
) -> Result<ApiKey, Failure<ApiKeyError>> {
    grantor(tx, ctx)?;
    let (account, row) = locked(tx, ctx.account, id)?;
    refuse_stale(version, row.version)?;
    let ctx = Ctx { account, ..ctx.clone() };
    let revoked = super::revoke(tx, id, &ctx);
    revoked.map_err(|failure| refused_as(failure, ApiKeyError::AlreadyRevoked))
}

/// The failure of a command of accounts, as what its refusal means here.
fn refused_as(failure: Failure<AccountError>, error: ApiKeyError) -> Failure<ApiKeyError> {
    match failure {
        Failure::Refused(refused) => Failure::Refused(refused.map(|_| error)),
        Failure::Database(error) => Failure::Database(error),
    }
}
