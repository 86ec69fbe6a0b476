//! The outbox: events and their deliveries are written in the transaction of their cause, or not at all.

use std::collections::{BTreeSet, HashMap, HashSet};

use diesel::{
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use engine::Late;
use kernel::{AccountId, Event, NewEvent, Timestamp, id::EventId};
use webhooks::SubscriptionId;

use super::{
    backlogs::{self, UnderWay},
    deliveries::{self as outbox, DeliveryRow, Subscriber},
};
use crate::{
    db::Db,
    rows::read,
    schema::events::{self, dsl},
    statement::{Bound, Column, Statement, columns},
    tx::Tx,
};

/// The figure of events recorded.
pub(crate) const RECORDED: &str = "events";

#[derive(Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(crate) struct EventRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) name: &'static str,
    pub(crate) entity_id: String,
    pub(crate) body: String,
    pub(crate) created_at: i64,
    /// Set while it is written.
    pub(crate) position: i64,
    /// What told it with many others at once.
    pub(crate) batch: Option<String>,
}

impl EventRow {
    pub(crate) fn new(account: AccountId, event: &Event) -> Self {
        Self {
            account_id: account.to_string(),
            id: event.id.to_string(),
            name: event.name,
            entity_id: event.entity.clone(),
            body: event.body.clone(),
            created_at: event.created_at.micros(),
            position: 0,
            batch: None,
        }
    }
}

/// Records events in the order in which they happened, each with its deliveries: with those of the other commands of the
/// transaction, before its commit.
#[expect(clippy::unnecessary_wraps, reason = "its callers record other things beside it")]
pub(crate) fn append(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    events: Vec<NewEvent>,
) -> QueryResult<()> {
    leave(tx, (account, None), now, events);
    Ok(())
}

/// The same for many events that one thing tells at once, named by `batch`: their deliveries are opened as each endpoint takes
/// them, so that those of other events do not wait behind them, but for those about the same as one of them.
#[expect(clippy::unnecessary_wraps, reason = "its callers record other things beside it")]
pub(crate) fn append_batch(
    tx: &mut Tx<'_>,
    (account, batch): (AccountId, String),
    now: Timestamp,
    events: Vec<NewEvent>,
) -> QueryResult<()> {
    leave(tx, (account, Some(batch)), now, events);
    Ok(())
}

fn leave(
    tx: &mut Tx<'_>,
    (account, batch): (AccountId, Option<String>),
    now: Timestamp,
    events: Vec<NewEvent>,
) {
    if events.is_empty() {
        return;
    }
    let events = events.into_iter().map(|event| Told {
        account,
        event: event.recorded(EventId::from_u128(tx.ids.next()), now),
        batch: batch.clone(),
    });
    let events: Vec<Told> = events.collect();
    tx.effects.leave(events);
}

/// An event of an account, to be recorded with its deliveries, or as one of a batch.
struct Told {
    account: AccountId,
    event: Event,
    batch: Option<String>,
}

impl Late for Told {
    fn write(told: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        tx.effects.count(RECORDED, told.len() as u64);
        let audiences = insert(tx.db, told.iter().map(Self::row).collect())?;
        let accounts: BTreeSet<AccountId> = told.iter().map(|told| told.account).collect();
        let mut deliveries = Vec::new();
        for account in accounts {
            let Some(audience) = audiences.get(&account.to_string()) else { continue };
            let own: Vec<&Self> = told.iter().filter(|told| told.account == account).collect();
            let later = audience.tell_later(tx, account, &own)?;
            for told in own.iter().filter(|told| !later.contains(&told.event.id)) {
                audience.open(tx, told, &mut deliveries);
            }
        }
        outbox::insert(tx.db, &deliveries)
    }
}

impl Told {
    fn row(&self) -> EventRow {
        EventRow { batch: self.batch.clone(), ..EventRow::new(self.account, &self.event) }
    }
}

/// Who subscribes to the events of an account, and what of batches is still to be opened for each.
#[derive(Default)]
struct Audience {
    subscribers: Vec<Subscriber>,
    under_way: HashMap<SubscriptionId, UnderWay>,
}

impl Audience {
    /// Adds what of batches is still to be opened for a subscription.
    fn add(&mut self, subscription: SubscriptionId, backlog: &UnderWay) {
        let known = self.under_way.get(&subscription);
        let both = known.map_or_else(|| backlog.clone(), |known| known.with(backlog));
        self.under_way.insert(subscription, both);
    }

    /// Opens the deliveries of an event, behind those that were opened before it was recorded.
    fn open(&self, tx: &mut Tx<'_>, told: &Told, deliveries: &mut Vec<DeliveryRow>) {
        let Told { account, event, .. } = told;
        let (id, now) = (event.id.to_string(), event.created_at);
        for subscription in outbox::wanting(&self.subscribers, event.name) {
            let row = DeliveryRow::new(*account, subscription, &id, event.name, tx.ids, now);
            let opened_at = self.under_way.get(&subscription).and_then(|it| it.opened_at);
            let next_attempt_at = row.next_attempt_at.max(opened_at);
            deliveries.push(DeliveryRow { next_attempt_at, ..row });
            tx.effects.wake(crate::notifier::due(*account, subscription));
        }
    }

    /// Leaves those events of an account to be told little by little that are of batches, and those that are about what such an
    /// event is still to be told of; says which these are.
    fn tell_later(
        &self,
        tx: &mut Tx<'_>,
        account: AccountId,
        told: &[&Told],
    ) -> QueryResult<HashSet<EventId>> {
        let has_batch = told.iter().any(|told| told.batch.is_some());
        if self.subscribers.is_empty() || (!has_batch && self.under_way.is_empty()) {
            return Ok(HashSet::new());
        }
        let written = backlogs::written(tx.db, account, told.len())?;
        let own = has_batch.then(|| (written.0, backlogs::BEHIND_ALL.to_owned()));
        let places = self.under_way.values().map(|it| it.after.clone()).chain(own);
        let after = places.min().unwrap_or_default();
        let others = told.iter().filter(|told| told.batch.is_none());
        let entities = others.map(|told| told.event.entity.as_str()).collect();
        let still_told = backlogs::still_told(tx.db, account, &entities, &after)?;
        let (mut later, mut following) = (Vec::<&Event>::new(), Vec::new());
        for told in told {
            let Told { event, batch, .. } = told;
            if batch.is_none() && still_told.contains(&event.entity) {
                following.push(event.id.to_string());
                later.push(event);
            } else if batch.is_some() {
                later.push(event);
            }
        }
        backlogs::follow(tx.db, account, &following)?;
        let Some(now) = later.iter().map(|event| event.created_at).max() else {
            return Ok(HashSet::new());
        };
        let names: BTreeSet<&str> = later.iter().map(|event| event.name).collect();
        let wants = |one: &&Subscriber| names.iter().any(|name| one.topics.want(name));
        for subscriber in self.subscribers.iter().filter(wants) {
            backlogs::open_later(tx, account, subscriber.id, written, now)?;
            tx.effects.wake(crate::notifier::due(account, subscriber.id));
        }
        Ok(later.into_iter().map(|event| event.id).collect())
    }
}

/// Records one event, without deliveries.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    event: NewEvent,
) -> QueryResult<Event> {
    let event = event.recorded(EventId::from_u128(tx.ids.next()), now);
    tx.effects.count(RECORDED, 1);
    insert(tx.db, vec![EventRow::new(account, &event)])?;
    Ok(event)
}

/// By account.
type Audiences = HashMap<String, Audience>;

/// Subscription, its topics, and how far what is still to be opened of batches is.
type ListenerColumns = (Text, Text, Text, Nullable<BigInt>, Nullable<Text>, Nullable<BigInt>);
type ListenerRow = (String, String, String, Option<i64>, Option<String>, Option<i64>);

/// Writes events behind all that were committed before; answers who subscribes to those of their accounts.
fn insert(db: &mut Db, mut rows: Vec<EventRow>) -> QueryResult<Audiences> {
    match db {
        Db::Sqlite(conn) => {
            let (mut positions, mut audiences) = (HashMap::new(), Audiences::new());
            for row in &mut rows {
                let account = &row.account_id;
                let position = match positions.get(account) {
                    Some(last) => *last,
                    None => {
                        audiences.insert(account.clone(), audience(conn, account)?);
                        last_position(conn, account)?
                    }
                };
                row.position = position.saturating_add(1);
                positions.insert(account.clone(), row.position);
                diesel::insert_into(events::table).values(&*row).execute(conn)?;
            }
            Ok(audiences)
        }
        Db::Postgres(conn) => {
            let columns = columns!(
                rows,
                Texts account_id, Texts id, Texts name, Texts entity_id, Texts body, Numbers created_at,
                OptionalTexts batch,
            );
            let accounts: BTreeSet<&str> = rows.iter().map(|row| row.account_id.as_str()).collect();
            let accounts = accounts.into_iter().map(str::to_owned).collect();
            let listeners = Statement::<ListenerColumns>::new(
                "WITH e AS (INSERT INTO events (account_id, id, name, entity_id, body, created_at, batch, position) \
                 SELECT w.*, pg_current_xact_id()::text::bigint FROM ? w) \
                 SELECT s.account_id, s.id, s.events, b.after_position, b.after_event, b.opened_at FROM ? AS a (account) \
                 JOIN subscriptions s ON s.account_id = a.account \
                 AND s.disabled_at IS NULL AND s.deleted_at IS NULL \
                 LEFT JOIN backlogs b ON b.account_id = s.account_id AND b.subscription_id = s.id ORDER BY s.id",
                [Bound::from(columns), vec![Column::Texts(accounts)].into()],
            );
            let rows: Vec<ListenerRow> = listeners.load(conn)?;
            let mut audiences = Audiences::new();
            for (account, id, topics, position, event, opened_at) in rows {
                let Some(subscriber) = Subscriber::of(&account, &id, &topics)? else { continue };
                let audience = audiences.entry(account).or_default();
                if let Some(after) = position.zip(event) {
                    audience.add(subscriber.id, &UnderWay { after, opened_at });
                }
                // In the order of their identifiers, which is the order in which they are written to.
                if audience.subscribers.last().is_none_or(|last| last.id != subscriber.id) {
                    audience.subscribers.push(subscriber);
                }
            }
            Ok(audiences)
        }
    }
}

fn audience(conn: &mut SqliteConnection, account: &str) -> QueryResult<Audience> {
    let subscribers = outbox::enabled!(conn, account)?;
    if subscribers.is_empty() {
        return Ok(Audience::default());
    }
    let mut audience = Audience { subscribers, under_way: HashMap::new() };
    for (id, backlog) in backlogs::under_way(conn, account)? {
        let subscription = read(&id, SubscriptionId::parse)?;
        if audience.subscribers.iter().any(|one| one.id == subscription) {
            audience.add(subscription, &backlog);
        }
    }
    Ok(audience)
}

/// The position of all events that a transaction on PostgreSQL writes.
pub(crate) fn own_position(conn: &mut PgConnection) -> QueryResult<i64> {
    Statement::<BigInt>::new("SELECT pg_current_xact_id()::text::bigint", []).get_result(conn)
}

/// The position of an account's last event. On SQLite, where one writer commits after the other, the next
/// one is the next number.
pub(crate) fn last_position(conn: &mut SqliteConnection, account: &str) -> QueryResult<i64> {
    dsl::events
        .filter(dsl::account_id.eq(account))
        .order((dsl::position.desc(), dsl::id.desc()))
        .select(dsl::position)
        .first(conn)
        .optional()
        .map(Option::unwrap_or_default)
}
