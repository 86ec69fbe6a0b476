//! Subscriptions and their sealed secrets.

use ::accounts::{
    Act, Action,
    audit::{Fields, REPLACED, present},
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{AccountId, Ctx, Done, Page, Pending, Refused, Timestamp, Written};
use webhooks::{
    DisabledReason, Issued, NewSubscription, Secret, Subscription, SubscriptionId,
    SubscriptionQuery, WebhookError,
    health::{FAILING_FROM, Health},
    secret,
    subscription::{self, Disabled, SUBSCRIPTIONS_MAX},
};

use crate::{
    answers, audit,
    db::{Db, first_locked, on},
    endpoints::{open, place},
    error::{Failure, refuse_stale},
    listing::{self, newest_first},
    lookups::Key,
    rows::{micros, moment, read, read_name},
    schema::subscriptions::{self, dsl},
    secrets::{self, Replace},
    store::Store,
    stored::Kept,
    stored::{from_text, to_text},
    tx::Tx,
    vault::Vault,
};

/// What its owner can see of a subscription, without secrets.
#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = subscriptions, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct SubscriptionRow {
    account_id: String,
    id: String,
    url: String,
    events: String,
    description: Option<String>,
    previous_secret_until: Option<i64>,
    disabled_at: Option<i64>,
    disabled_reason: Option<String>,
    consecutive_failures: i64,
    created_at: i64,
    updated_at: i64,
    version: i64,
}

impl SubscriptionRow {
    fn of(account: AccountId, subscription: &Subscription) -> Result<Self, DieselError> {
        Ok(Self {
            account_id: account.to_string(),
            id: subscription.id.to_string(),
            url: subscription.url.clone(),
            events: to_text(&subscription.events)?,
            description: subscription.description.clone(),
            previous_secret_until: micros(subscription.previous_secret_until),
            disabled_at: micros(subscription.disabled.map(|disabled| disabled.at)),
            disabled_reason: subscription
                .disabled
                .map(|disabled| disabled.reason.name().to_owned()),
            consecutive_failures: i64::from(subscription.consecutive_failures),
            created_at: subscription.created_at.micros(),
            updated_at: subscription.updated_at.micros(),
            version: subscription.version,
        })
    }

    fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    fn subscription(self) -> Result<Subscription, DieselError> {
        let disabled = match (moment(self.disabled_at), self.disabled_reason) {
            (Some(at), Some(name)) => {
                let reason = read_name(&name, DisabledReason::EVERY, DisabledReason::name)?;
                Some(Disabled { at, reason })
            }
            _ => None,
        };
        Ok(Subscription {
            id: read(&self.id, SubscriptionId::parse)?,
            url: self.url,
            events: from_text(&self.events)?,
            description: self.description,
            disabled,
            consecutive_failures: u32::try_from(self.consecutive_failures).unwrap_or(u32::MAX),
            previous_secret_until: moment(self.previous_secret_until),
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

pub(super) fn by_id(
    db: &mut Db,
    account: AccountId,
    id: SubscriptionId,
) -> QueryResult<Option<Subscription>> {
    let row: Option<SubscriptionRow> = subscriptions::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .filter(dsl::deleted_at.is_null())
        .select(SubscriptionRow::as_select())
        .first(db)
        .optional()?;
    row.map(SubscriptionRow::subscription).transpose()
}

type Filtered = subscriptions::BoxedQuery<'static, <Db as Connection>::Backend>;

fn matching(account: AccountId, health: Option<Health>) -> Filtered {
    let own = subscriptions::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::deleted_at.is_null())
        .into_boxed();
    let failing_from = i64::from(FAILING_FROM);
    match health {
        None => own,
        Some(Health::Disabled) => own.filter(dsl::disabled_at.is_not_null()),
        Some(Health::Failing) => own
            .filter(dsl::disabled_at.is_null())
            .filter(dsl::consecutive_failures.ge(failing_from)),
        Some(Health::Enabled) => own
            .filter(dsl::disabled_at.is_null())
            .filter(dsl::consecutive_failures.lt(failing_from)),
    }
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    query: &SubscriptionQuery,
) -> QueryResult<Page<Subscription>> {
    let own = || matching(account, query.health);
    let total = listing::total(&query.page, || own().count().get_result(db))?;
    let rows = newest_first!(db, SubscriptionRow, dsl::id, query.page, own())?;
    let (key, read) = (SubscriptionRow::key, SubscriptionRow::subscription);
    listing::newest_page(rows, &query.page, total, "subscription", key, read)
}

/// The subscription, locked until the end of the transaction, at the version that the caller has seen.
pub(super) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: SubscriptionId,
    version: Option<i64>,
) -> Result<Subscription, Failure<WebhookError>> {
    let row = first_locked!(
        tx.db,
        SubscriptionRow,
        subscriptions::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
            .filter(dsl::deleted_at.is_null())
    )?;
    let subscription = row.ok_or(Refused::NotFound)?.subscription()?;
    refuse_stale(version, subscription.version)?;
    Ok(subscription)
}

/// Changes a subscription by a rule.
pub(super) fn change(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: SubscriptionId,
    version: Option<i64>,
    rule: impl FnOnce(&Subscription) -> Subscription,
) -> Result<Subscription, Failure<WebhookError>> {
    let before = locked(tx, ctx.account, id, version)?;
    let after = rule(&before);
    if after != before {
        save(tx, ctx.account, &after)?;
        let behind =
            |of: &Subscription| of.url.split_once(['?', '#']).map(|(_, end)| end.to_owned());
        let act = Act::new(Action::WebhookChanged, &id)
            .with_all(&told(&before), &told(&after))
            .with_secret("urlQuery", behind(&before).as_ref(), behind(&after).as_ref());
        audit::record(tx, ctx, &act)?;
    }
    Ok(after)
}

/// A subscription as the audit log tells it, without what may be a secret.
fn told(of: &Subscription) -> Fields {
    let status = if of.is_enabled() { "enabled" } else { "disabled" };
    let parts = [
        ("url", Some(place_of(&of.url))),
        ("events", Some(of.events.names().join(", "))),
        ("description", of.description.clone()),
        ("status", Some(status.to_owned())),
    ];
    present(parts)
}

/// An address without what is behind its path, which may be a secret of the receiver.
fn place_of(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_owned()
}

fn save(tx: &mut Tx<'_>, account: AccountId, subscription: &Subscription) -> QueryResult<()> {
    let row = SubscriptionRow::of(account, subscription)?;
    diesel::update(this(account, subscription.id)).set(&row).execute(tx.db).map(drop)
}

#[diesel::dsl::auto_type(no_type_alias)]
fn this(account: AccountId, id: SubscriptionId) -> _ {
    let (account, id): (String, String) = (account.to_string(), id.to_string());
    subscriptions::table.filter(dsl::account_id.eq(account)).filter(dsl::id.eq(id))
}

impl Kept {
    fn issued(self, vault: &Vault, account: AccountId) -> QueryResult<Issued> {
        let place = place(&account.to_string(), &self.subscription.id.to_string());
        let secret = open(vault, &place, &self.sealed)?;
        Ok(Issued { subscription: self.subscription, secret })
    }
}

fn new_secret(vault: &Vault, account: AccountId, id: SubscriptionId) -> QueryResult<String> {
    let secret = Secret::from_random(vault.random::<{ secret::RANDOM_BYTES }>()?);
    vault.seal(&place(&account.to_string(), &id.to_string()), secret.reveal())
}

/// Runs a command that tells a secret, once for every idempotency key.
fn issue(
    store: &Store,
    ctx: Ctx,
    work: impl Fn(&mut Tx<'_>, &Ctx, &Vault) -> Result<Kept, Failure<WebhookError>> + Send + 'static,
) -> Pending<Written<Issued, WebhookError>> {
    let vault = store.engine.vault();
    store.engine.command(Some(ctx.account), move |tx| {
        let Done { value, replayed } = answers::once(tx, &ctx, |tx| work(tx, &ctx, &vault))?;
        let value: Kept = value;
        Ok(Done { value: value.issued(&vault, ctx.account)?, replayed })
    })
}

pub(super) fn create(
    store: &Store,
    ctx: Ctx,
    command: NewSubscription,
) -> Pending<Written<Issued, WebhookError>> {
    issue(store, ctx, move |tx, ctx, vault| {
        let own = dsl::subscriptions
            .filter(dsl::account_id.eq(ctx.account.to_string()))
            .filter(dsl::deleted_at.is_null());
        let count: i64 = own.count().get_result(tx.db)?;
        if count >= i64::from(SUBSCRIPTIONS_MAX) {
            return Err(Refused::Rule(WebhookError::TooMany { max: SUBSCRIPTIONS_MAX }).into());
        }
        let id = SubscriptionId::from_u128(tx.ids.next());
        let subscription = subscription::create(command.clone(), id, ctx.now);
        let sealed = new_secret(vault, ctx.account, id)?;
        let row = SubscriptionRow::of(ctx.account, &subscription)?;
        diesel::insert_into(subscriptions::table)
            .values((row, dsl::secret.eq(&sealed)))
            .execute(tx.db)?;
        let act = Act::new(Action::WebhookCreated, &id);
        audit::record(tx, ctx, &act.with_all(&Fields::new(), &told(&subscription)))?;
        Ok(Kept { subscription, sealed })
    })
}

pub(super) fn rotate_secret(
    store: &Store,
    ctx: Ctx,
    id: SubscriptionId,
) -> Pending<Written<Issued, WebhookError>> {
    let overlap_seconds = store.secret_overlap_seconds;
    issue(store, ctx, move |tx, ctx, vault| {
        let before = locked(tx, ctx.account, id, None)?;
        let after = before.with_new_secret(overlap_seconds, ctx.now);
        save(tx, ctx.account, &after)?;
        let sealed = new_secret(vault, ctx.account, id)?;
        diesel::update(this(ctx.account, id))
            .set((dsl::previous_secret.eq(dsl::secret.nullable()), dsl::secret.eq(&sealed)))
            .execute(tx.db)?;
        let act = Act::new(Action::WebhookSecretRotated, &id);
        audit::record(tx, ctx, &act.with("secret", None, Some(REPLACED.to_owned())))?;
        Ok(Kept { subscription: after, sealed })
    })
}

/// Forgets its secrets at once; the row stays until its deliveries are gone.
pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: SubscriptionId,
    version: Option<i64>,
) -> Result<SubscriptionId, Failure<WebhookError>> {
    let before = locked(tx, ctx.account, id, version)?;
    diesel::update(this(ctx.account, id))
        .set((
            dsl::deleted_at.eq(ctx.now.micros()),
            dsl::secret.eq(""),
            dsl::previous_secret.eq(None::<String>),
        ))
        .execute(tx.db)?;
    let act = Act::new(Action::WebhookDeleted, &id);
    audit::record(tx, ctx, &act.with_all(&told(&before), &Fields::new()))?;
    Ok(id)
}

/// Every secret with its place and how to replace it.
pub(crate) fn secrets(db: &mut Db, _: Option<&str>) -> QueryResult<Vec<secrets::Secret>> {
    type Row = (String, String, String, Option<String>);
    let rows: Vec<Row> = on!(db, |conn| dsl::subscriptions
        .filter(dsl::deleted_at.is_null())
        .select((dsl::account_id, dsl::id, dsl::secret, dsl::previous_secret))
        .load(conn))?;
    let mut secrets = Vec::new();
    for (account, id, secret, previous) in rows {
        let place = place(&account, &id);
        let row = (account, id);
        if let Some(sealed) = previous {
            let (account, id) = row.clone();
            let replace: Replace = Box::new(move |db, before, after| {
                let this = dsl::subscriptions
                    .filter(dsl::account_id.eq(account))
                    .filter(dsl::id.eq(id))
                    .filter(dsl::previous_secret.eq(before));
                diesel::update(this).set(dsl::previous_secret.eq(after)).execute(db)
            });
            secrets.push(secrets::Secret { place: place.clone(), sealed, replace });
        }
        let (account, id) = row;
        let replace: Replace = Box::new(move |db, before, after| {
            let this = dsl::subscriptions
                .filter(dsl::account_id.eq(account))
                .filter(dsl::id.eq(id))
                .filter(dsl::secret.eq(before));
            diesel::update(this).set(dsl::secret.eq(after)).execute(db)
        });
        secrets.push(secrets::Secret { place, sealed: secret, replace });
    }
    Ok(secrets)
}
