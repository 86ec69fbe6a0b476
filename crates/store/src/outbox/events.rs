//! The outbox: events and their deliveries are written in the transaction of their cause, or not at all.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, btree_map::Entry};

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
    positions::{INSERT, Places, last_position},
};
use crate::{
    db::Db,
    rows::read,
    schema::events,
    statement::{Bound, Statement, columns},
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
    let events = events.into_iter().map(|event| {
        let event = event.recorded(EventId::from_u128(tx.ids.next()), now);
        let row = EventRow { batch: batch.clone(), ..EventRow::new(account, &event) };
        Told { row, is_delivered: false }
    });
    let events: Vec<Told> = events.collect();
    tx.effects.leave(events);
}

/// Records an event, without deliveries: with the others of the transaction.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    event: NewEvent,
) -> Event {
    let event = event.recorded(EventId::from_u128(tx.ids.next()), now);
    append_rows(tx, vec![EventRow::new(account, &event)]);
    event
}

/// The same for events whose deliveries are opened by whoever tells them.
pub(crate) fn append_rows(tx: &mut Tx<'_>, rows: Vec<EventRow>) {
    if rows.is_empty() {
        return;
    }
    let told = rows.into_iter().map(|row| Told { row, is_delivered: true });
    tx.effects.leave(told.collect::<Vec<_>>());
}

/// An event, to be recorded with its deliveries, or as one of a batch.
struct Told {
    row: EventRow,
    /// Whether somebody else opens its deliveries, if it has any.
    is_delivered: bool,
}

impl Late for Told {
    /// On PostgreSQL whoever else records events of the accounts waits from here on.
    const LAST: bool = true;

    fn write(mut told: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        tx.effects.count(RECORDED, told.len() as u64);
        let audiences = insert(tx.db, &mut told)?;
        let mut deliveries = Vec::new();
        for (account, audience) in audiences {
            let own: Vec<&Self> =
                told.iter().filter(|told| told.row.account_id == account).collect();
            let account = read(&account, AccountId::parse)?;
            let later = audience.tell_later(tx, account, &own)?;
            let now = own.iter().filter(|told| !told.is_delivered).map(|told| &told.row);
            for row in now.filter(|row| !later.contains(&row.id)) {
                audience.open(tx, account, row, &mut deliveries);
            }
        }
        outbox::insert(tx.db, &deliveries)
    }
}

/// Who subscribes to the events of an account, and what of batches is still to be opened for each.
#[derive(Default)]
struct Audience {
    /// The position of the last of the events that have just been written.
    last: i64,
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
    fn open(
        &self,
        tx: &mut Tx<'_>,
        account: AccountId,
        event: &EventRow,
        deliveries: &mut Vec<DeliveryRow>,
    ) {
        let now = Timestamp::from_micros(event.created_at);
        let delivered = outbox::DeliveredEvent { id: &event.id, name: event.name };
        for subscription in outbox::wanting(&self.subscribers, event.name) {
            let row = DeliveryRow::new(account, subscription, delivered, tx.ids, now);
            let opened_at = self.under_way.get(&subscription).and_then(|it| it.opened_at);
            let next_attempt_at = row.next_attempt_at.max(opened_at);
            deliveries.push(DeliveryRow { next_attempt_at, ..row });
            tx.effects.wake(crate::notifier::due(account, subscription));
        }
    }

    /// Leaves those events of an account to be told little by little that are of batches, and those that are about what such an
    /// event is still to be told of; says which these are. Takes all that have just been written.
    fn tell_later(
        &self,
        tx: &mut Tx<'_>,
        account: AccountId,
        told: &[&Told],
    ) -> QueryResult<HashSet<String>> {
        let has_batch = told.iter().any(|told| told.row.batch.is_some());
        if self.subscribers.is_empty() || (!has_batch && self.under_way.is_empty()) {
            return Ok(HashSet::new());
        }
        let count = i64::try_from(told.len()).unwrap_or(i64::MAX);
        let written = (self.last.saturating_sub(count), self.last);
        let own = has_batch.then(|| (written.0, backlogs::BEHIND_ALL.to_owned()));
        let places = self.under_way.values().map(|it| it.after.clone()).chain(own);
        let after = places.min().unwrap_or_default();
        let others = told.iter().filter(|told| !told.is_delivered && told.row.batch.is_none());
        let entities = others.map(|told| told.row.entity_id.as_str()).collect();
        let still_told = backlogs::still_told(tx.db, account, &entities, &after)?;
        let (mut later, mut following) = (Vec::<&EventRow>::new(), Vec::new());
        for Told { row, is_delivered } in told {
            if row.batch.is_some() {
                later.push(row);
            } else if !is_delivered && still_told.contains(&row.entity_id) {
                following.push(row.id.clone());
                later.push(row);
            }
        }
        backlogs::follow(tx.db, account, &following)?;
        let Some(now) = later.iter().map(|row| row.created_at).max() else {
            return Ok(HashSet::new());
        };
        let now = Timestamp::from_micros(now);
        let names: BTreeSet<&str> = later.iter().map(|row| row.name).collect();
        let wants = |one: &&Subscriber| names.iter().any(|name| one.topics.want(name));
        for subscriber in self.subscribers.iter().filter(wants) {
            backlogs::open_later(tx, account, subscriber.id, written, now)?;
            tx.effects.wake(crate::notifier::due(account, subscriber.id));
        }
        Ok(later.into_iter().map(|row| row.id.clone()).collect())
    }
}

/// By account.
type Audiences = BTreeMap<String, Audience>;

/// Account, its last position, subscription, its topics, and how far what is still to be opened of batches is.
type ListenerColumns =
    (Text, BigInt, Text, Text, Nullable<BigInt>, Nullable<Text>, Nullable<BigInt>);
type ListenerRow = (String, i64, String, String, Option<i64>, Option<String>, Option<i64>);

/// Writes events behind all that were committed before; answers who subscribes to those of their accounts.
fn insert(db: &mut Db, told: &mut [Told]) -> QueryResult<Audiences> {
    let mut audiences = Audiences::new();
    match db {
        Db::Sqlite(conn) => {
            for Told { row, .. } in told {
                let audience = match audiences.entry(row.account_id.clone()) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(audience(conn, &row.account_id)?),
                };
                audience.last = audience.last.saturating_add(1);
                row.position = audience.last;
                diesel::insert_into(events::table).values(&*row).execute(conn)?;
            }
        }
        Db::Postgres(conn) => {
            let rows: Vec<&EventRow> = told.iter().map(|told| &told.row).collect();
            let places = Places::of(rows.iter().map(|row| row.account_id.as_str()));
            let mut columns = columns!(
                rows,
                Texts account_id, Texts id, Texts name, Texts entity_id, Texts body, Numbers created_at,
                OptionalTexts batch,
            );
            columns.push(places.behind);
            let values = [Bound::from(places.accounts), Bound::from(columns)];
            let listeners: Vec<ListenerRow> =
                Statement::<ListenerColumns>::new(INSERT, values).load(conn)?;
            for (account, last, id, topics, position, event, opened_at) in listeners {
                let Some(subscriber) = Subscriber::of(&account, &id, &topics)? else { continue };
                let audience = audiences.entry(account).or_default();
                audience.last = last;
                if let Some(after) = position.zip(event) {
                    audience.add(subscriber.id, &UnderWay { after, opened_at });
                }
                // In the order of their identifiers, which is the order in which they are written to.
                if audience.subscribers.last().is_none_or(|last| last.id != subscriber.id) {
                    audience.subscribers.push(subscriber);
                }
            }
        }
    }
    Ok(audiences)
}

/// Who subscribes to the events of an account, and the position of the last one.
fn audience(conn: &mut SqliteConnection, account: &str) -> QueryResult<Audience> {
    let (last, under_way) = (last_position(conn, account)?, HashMap::new());
    let subscribers = outbox::enabled!(conn, account)?;
    let mut audience = Audience { last, subscribers, under_way };
    if audience.subscribers.is_empty() {
        return Ok(audience);
    }
    for (id, backlog) in backlogs::under_way(conn, account)? {
        let subscription = read(&id, SubscriptionId::parse)?;
        if audience.subscribers.iter().any(|one| one.id == subscription) {
            audience.add(subscription, &backlog);
        }
    }
    Ok(audience)
}
