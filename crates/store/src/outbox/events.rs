//! The outbox: events and their deliveries are written in the transaction of their cause, or not at all.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
use engine::Late;
use kernel::{AccountId, Event, NewEvent, Timestamp, id::EventId};

use super::{
    deliveries::{self as outbox, DeliveryRow, Subscriber},
    replays,
};
use crate::{
    db::Db,
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
/// them, so that those of other events do not wait behind them.
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
        let row = |told: &Self| EventRow {
            batch: told.batch.clone(),
            ..EventRow::new(told.account, &told.event)
        };
        let subscribers = insert(tx.db, told.iter().map(row).collect())?;
        let (mut deliveries, mut batches) = (Vec::new(), Batches::new());
        for Self { account, event, batch } in &told {
            let Some(subscribers) = subscribers.get(&account.to_string()) else { continue };
            if let Some(batch) = batch {
                let batch = batches.entry((*account, batch.as_str()));
                let (_, names) = batch.or_insert_with(|| (event.created_at, BTreeSet::new()));
                names.insert(event.name);
                continue;
            }
            let (id, now) = (event.id.to_string(), event.created_at);
            for subscription in outbox::wanting(subscribers, event.name) {
                let delivery =
                    DeliveryRow::new(*account, subscription, &id, event.name, tx.ids, now);
                deliveries.push(delivery);
                tx.effects.wake(crate::notifier::due(*account, subscription));
            }
        }
        outbox::insert(tx.db, &deliveries)?;
        for ((account, batch), (now, names)) in batches {
            let of_account = told.iter().filter(|told| told.account == account).count();
            let written = replays::written(tx.db, account, of_account)?;
            let subscribers = subscribers.get(&account.to_string()).into_iter().flatten();
            let wants = |one: &&Subscriber| names.iter().any(|name| one.topics.want(name));
            for subscriber in subscribers.filter(wants) {
                replays::open_later(tx, account, subscriber, (batch, written), now)?;
                tx.effects.wake(crate::notifier::due(account, subscriber.id));
            }
        }
        Ok(())
    }
}

/// The batches of accounts, each with its moment and the names of its events.
type Batches<'t> = BTreeMap<(AccountId, &'t str), (Timestamp, BTreeSet<&'static str>)>;

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

/// Who subscribes to the events of each account.
type Subscribers = HashMap<String, Vec<Subscriber>>;

/// Writes events behind all that were committed before; answers who subscribes to those of their accounts.
fn insert(db: &mut Db, mut rows: Vec<EventRow>) -> QueryResult<Subscribers> {
    match db {
        Db::Sqlite(conn) => {
            let (mut positions, mut subscribers) = (HashMap::new(), Subscribers::new());
            for row in &mut rows {
                let account = &row.account_id;
                let position = match positions.get(account) {
                    Some(last) => *last,
                    None => {
                        subscribers.insert(account.clone(), outbox::enabled!(conn, account)?);
                        last_position(conn, account)?
                    }
                };
                row.position = position.saturating_add(1);
                positions.insert(account.clone(), row.position);
                diesel::insert_into(events::table).values(&*row).execute(conn)?;
            }
            Ok(subscribers)
        }
        Db::Postgres(conn) => {
            let columns = columns!(
                rows,
                Texts account_id, Texts id, Texts name, Texts entity_id, Texts body, Numbers created_at,
                OptionalTexts batch,
            );
            let accounts: BTreeSet<&str> = rows.iter().map(|row| row.account_id.as_str()).collect();
            let accounts = accounts.into_iter().map(str::to_owned).collect();
            let subscriptions = Statement::<(Text, Text, Text)>::new(
                "WITH e AS (INSERT INTO events (account_id, id, name, entity_id, body, created_at, batch, position) \
                 SELECT w.*, pg_current_xact_id()::text::bigint FROM ? w) \
                 SELECT s.account_id, s.id, s.events FROM ? AS a (account) \
                 JOIN subscriptions s ON s.account_id = a.account \
                 AND s.disabled_at IS NULL AND s.deleted_at IS NULL",
                [Bound::from(columns), vec![Column::Texts(accounts)].into()],
            );
            let rows: Vec<(String, String, String)> = subscriptions.load(conn)?;
            let mut subscribers = Subscribers::new();
            for (account, id, events) in rows {
                if let Some(subscriber) = Subscriber::of(&account, &id, &events)? {
                    subscribers.entry(account).or_default().push(subscriber);
                }
            }
            Ok(subscribers)
        }
    }
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
