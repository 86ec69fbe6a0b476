//! Deliveries as their owner sees them.

use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use kernel::{AccountId, Ctx, Page, Refused, Timestamp, id::EventId};
use webhooks::{
    Attempt, AttemptError, AttemptRecord, Delivery, DeliveryDetail, DeliveryFilter, DeliveryId,
    DeliveryQuery, DeliveryState, ListedEvent, Recent, SubscriptionId, WebhookError, service,
};

use super::subscriptions;
use crate::{
    db::{Db, first_locked},
    error::Failure,
    events,
    listing::{self, newest_first},
    outbox::deliveries as outbox,
    rows::{moment, read, read_name},
    schema::{
        attempts,
        deliveries::{self, dsl},
        events as events_table, subscriptions as subscriptions_table,
    },
    stored,
    tx::Tx,
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = deliveries)]
pub(super) struct DeliveryRow {
    id: String,
    subscription_id: String,
    event_id: String,
    event_name: String,
    state: String,
    attempts: i64,
    next_attempt_at: Option<i64>,
    claimed_until: Option<i64>,
    retry_of: Option<String>,
    created_at: i64,
    finished_at: Option<i64>,
}

impl DeliveryRow {
    fn delivery(self) -> QueryResult<Delivery> {
        // While it is claimed it is under way, or about to be.
        let next = self.next_attempt_at.filter(|_| self.claimed_until.is_none());
        Ok(Delivery {
            id: read(&self.id, DeliveryId::parse)?,
            subscription: read(&self.subscription_id, SubscriptionId::parse)?,
            event: read(&self.event_id, EventId::parse)?,
            event_name: self.event_name,
            state: read_name(&self.state, DeliveryState::EVERY, DeliveryState::name)?,
            attempts: u32::try_from(self.attempts).unwrap_or(u32::MAX),
            next_attempt_at: moment(next),
            retry_of: self.retry_of.map(|id| read(&id, DeliveryId::parse)).transpose()?,
            created_at: Timestamp::from_micros(self.created_at),
            finished_at: moment(self.finished_at),
        })
    }
}

type Filtered = deliveries::BoxedQuery<'static, <Db as Connection>::Backend>;

fn filtered(account: AccountId, subscription: SubscriptionId, filter: &DeliveryFilter) -> Filtered {
    let mut query = deliveries::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::subscription_id.eq(subscription.to_string()))
        .into_boxed();
    query = match filter.state {
        None => query,
        // The conditions of the partial indexes, in their own words.
        Some(DeliveryState::Attempting) => query.filter(dsl::next_attempt_at.is_not_null()),
        // SQLite does not see it from a parameter.
        Some(DeliveryState::Failed) => query.filter(sql::<Bool>("deliveries.state = 'failed'")),
        Some(state) => query.filter(dsl::state.eq(state.name())),
    };
    if let Some(name) = &filter.event_name {
        query = query.filter(dsl::event_name.eq(name.clone()));
    }
    if let Some(event) = filter.event {
        query = query.filter(dsl::event_id.eq(event.to_string()));
    }
    query
}

pub(super) fn list(
    db: &mut Db,
    account: AccountId,
    subscription: SubscriptionId,
    query: &DeliveryQuery,
) -> QueryResult<Option<Page<Delivery>>> {
    if subscriptions::by_id(db, account, subscription)?.is_none() {
        return Ok(None);
    }
    let all = || filtered(account, subscription, &query.filter);
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, DeliveryRow, dsl::id, query.page, all())?;
    let key = |row: &DeliveryRow| (account.to_string(), row.id.clone());
    let read = DeliveryRow::delivery;
    listing::newest_page(rows, &query.page, total, "delivery", key, read).map(Some)
}

/// The subscriptions of an account. A delivery is found below one of them: its own table starts with it, so
/// that a subscription's deliveries lie together.
fn subscriptions_of(db: &mut Db, account: AccountId) -> QueryResult<Vec<String>> {
    use subscriptions_table::dsl;
    dsl::subscriptions
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::deleted_at.is_null())
        .select(dsl::id)
        .load(db)
}

pub(super) fn detail(
    db: &mut Db,
    account: AccountId,
    id: DeliveryId,
) -> QueryResult<Option<DeliveryDetail>> {
    let own = subscriptions_of(db, account)?;
    let row: Option<DeliveryRow> = deliveries::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::subscription_id.eq_any(own))
        .filter(dsl::id.eq(id.to_string()))
        .select(DeliveryRow::as_select())
        .first(db)
        .optional()?;
    let Some(row) = row else { return Ok(None) };
    let body = events_table::table
        .filter(events_table::account_id.eq(account.to_string()))
        .filter(events_table::id.eq(&row.event_id))
        .select(events_table::body)
        .first(db)
        .optional()?;
    let attempts = attempts_of(db, account, id)?;
    Ok(Some(DeliveryDetail { delivery: row.delivery()?, body, attempts }))
}

/// Deliveries of late whose attempts are looked at, at most.
const RECENT_MAX: i64 = 500;
/// How far back they are looked for.
const RECENT_SECONDS: i64 = 86_400;
/// Attempts of them that are looked at, at most.
const RECENT_ATTEMPTS_MAX: i64 = 2_000;

/// What became of the attempts at the newest deliveries of a day.
pub(super) fn recent(
    db: &mut Db,
    account: AccountId,
    subscription: SubscriptionId,
    now: Timestamp,
) -> QueryResult<Recent> {
    let since = now.plus_seconds(-RECENT_SECONDS);
    // Identifiers begin with their moment.
    let least = DeliveryId::least_at(since).to_string();
    let ids: Vec<String> = deliveries::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::subscription_id.eq(subscription.to_string()))
        .filter(dsl::id.ge(least))
        .order(dsl::id.desc())
        .limit(RECENT_MAX)
        .select(dsl::id)
        .load(db)?;
    let found: Vec<(Option<i64>, i64)> = attempts::table
        .filter(attempts::account_id.eq(account.to_string()))
        .filter(attempts::delivery_id.eq_any(ids))
        .limit(RECENT_ATTEMPTS_MAX)
        .select((attempts::status, attempts::duration_ms))
        .load(db)?;
    let attempt = |(status, took): (Option<i64>, i64)| {
        let status = status.and_then(|status| u16::try_from(status).ok());
        (status, u32::try_from(took).unwrap_or(u32::MAX))
    };
    Ok(Recent::of(&found.into_iter().map(attempt).collect::<Vec<_>>()))
}

/// Deliveries of one event that are shown at most.
const OF_EVENT_MAX: i64 = 200;
/// So long after its event a delivery is looked for: there is no index by event, but identifiers begin with their moment.
const OF_EVENT_SECONDS: i64 = 86_400;

/// The deliveries of an event, oldest first.
pub(super) fn of_event(
    db: &mut Db,
    account: AccountId,
    event: &ListedEvent,
) -> QueryResult<Vec<Delivery>> {
    let own = subscriptions_of(db, account)?;
    let least = |moment: Timestamp| DeliveryId::least_at(moment).to_string();
    let from = event.created_at.plus_seconds(-1);
    let rows: Vec<DeliveryRow> = deliveries::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::subscription_id.eq_any(own))
        .filter(dsl::id.ge(least(from)))
        .filter(dsl::id.lt(least(event.created_at.plus_seconds(OF_EVENT_SECONDS))))
        .filter(dsl::event_id.eq(event.id.to_string()))
        .order(dsl::id)
        .limit(OF_EVENT_MAX)
        .select(DeliveryRow::as_select())
        .load(db)?;
    rows.into_iter().map(DeliveryRow::delivery).collect()
}

type AttemptColumns = (i64, i64, i64, Option<i64>, Option<String>, Option<String>);

fn attempts_of(db: &mut Db, account: AccountId, id: DeliveryId) -> QueryResult<Vec<Attempt>> {
    let rows: Vec<AttemptColumns> = attempts::table
        .filter(attempts::account_id.eq(account.to_string()))
        .filter(attempts::delivery_id.eq(id.to_string()))
        .order(attempts::number)
        .select((
            attempts::number,
            attempts::started_at,
            attempts::duration_ms,
            attempts::status,
            attempts::error,
            attempts::answer,
        ))
        .load(db)?;
    let attempt = |(number, started_at, duration_ms, status, error, answer): AttemptColumns| {
        let status = status.and_then(|status| u16::try_from(status).ok());
        let error = error.map(error_of);
        Attempt {
            number: u32::try_from(number).unwrap_or(u32::MAX),
            started_at: Timestamp::from_micros(started_at),
            duration_ms: u32::try_from(duration_ms).unwrap_or(u32::MAX),
            record: AttemptRecord { status, error, answer },
        }
    };
    Ok(rows.into_iter().map(attempt).collect())
}

/// Why there was no response. What a later release has put in its own way hides nothing else of its delivery.
fn error_of(kept: String) -> AttemptError {
    stored::from_text(&kept).unwrap_or(AttemptError::Other { text: kept })
}

fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: DeliveryId,
) -> Result<DeliveryRow, Failure<WebhookError>> {
    let own = subscriptions_of(tx.db, account)?;
    let row = first_locked!(
        tx.db,
        DeliveryRow,
        deliveries::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::subscription_id.eq_any(own))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    Ok(row.ok_or(Refused::NotFound)?)
}

/// A delivery that is still attempted is attempted now, unless it is under way; any other is repeated by a
/// new one.
pub(crate) fn retry(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: DeliveryId,
) -> Result<Delivery, Failure<WebhookError>> {
    let row = locked(tx, ctx.account, id)?;
    let subscription = read(&row.subscription_id, SubscriptionId::parse)?;
    if !subscriptions::locked(tx, ctx.account, subscription, None)?.is_enabled() {
        return Err(Refused::Rule(WebhookError::Disabled).into());
    }
    if row.state != DeliveryState::Attempting.name() {
        return repeat(tx, ctx, subscription, &row, id);
    }
    // A claim that has ended belongs to a worker that is gone.
    if row.claimed_until.is_some_and(|until| until > ctx.now.micros()) {
        return Err(Refused::Rule(WebhookError::InProgress).into());
    }
    let this = dsl::deliveries
        .filter(dsl::account_id.eq(ctx.account.to_string()))
        .filter(dsl::subscription_id.eq(&row.subscription_id))
        .filter(dsl::id.eq(&row.id));
    diesel::update(this)
        .set((
            dsl::next_attempt_at.eq(ctx.now.micros()),
            dsl::claim_id.eq(None::<String>),
            dsl::claimed_until.eq(None::<i64>),
        ))
        .execute(tx.db)?;
    tx.effects.wake(crate::notifier::due(ctx.account, subscription));
    let row = DeliveryRow { next_attempt_at: Some(ctx.now.micros()), claimed_until: None, ..row };
    Ok(row.delivery()?)
}

fn repeat(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    subscription: SubscriptionId,
    row: &DeliveryRow,
    id: DeliveryId,
) -> Result<Delivery, Failure<WebhookError>> {
    let kept: i64 = events_table::table
        .filter(events_table::account_id.eq(ctx.account.to_string()))
        .filter(events_table::id.eq(&row.event_id))
        .count()
        .get_result(tx.db)?;
    if kept == 0 {
        return Err(Refused::Rule(WebhookError::EventGone).into());
    }
    let delivered = outbox::DeliveredEvent { id: &row.event_id, name: &row.event_name };
    Ok(open(tx, ctx, subscription, delivered, Some(id))?)
}

fn open(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    subscription: SubscriptionId,
    event: outbox::DeliveredEvent<'_>,
    retry_of: Option<DeliveryId>,
) -> QueryResult<Delivery> {
    let row = outbox::open(tx, ctx.account, subscription, event, retry_of, ctx.now)?;
    let row = DeliveryRow {
        id: row.id,
        subscription_id: row.subscription_id,
        event_id: row.event_id,
        event_name: row.event_name,
        state: row.state.to_owned(),
        attempts: 0,
        next_attempt_at: row.next_attempt_at,
        claimed_until: None,
        retry_of: row.retry_of,
        created_at: row.created_at,
        finished_at: None,
    };
    row.delivery()
}

/// Records a test event and its one delivery.
pub(super) fn test(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: SubscriptionId,
) -> Result<Delivery, Failure<WebhookError>> {
    if !subscriptions::locked(tx, ctx.account, id, None)?.is_enabled() {
        return Err(Refused::Rule(WebhookError::Disabled).into());
    }
    let event = events::record(tx, ctx.account, ctx.now, service::test_event(id));
    let delivered = outbox::DeliveredEvent { id: &event.id.to_string(), name: event.name };
    Ok(open(tx, ctx, id, delivered, None)?)
}
