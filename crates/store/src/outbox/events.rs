//! The outbox: events and their deliveries are written in the transaction of their cause, or not at all.

use diesel::{prelude::*, sql_types::Text};
use kernel::{AccountId, Event, NewEvent, Timestamp, id::EventId};

use super::deliveries::{self as outbox, DeliveryRow, Subscriber};
use crate::{
    db::Db,
    schema::events::{self, dsl},
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
        }
    }
}

/// Records events in the order in which they happened, each with its deliveries.
pub(crate) fn append(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    events: Vec<NewEvent>,
) -> QueryResult<()> {
    if events.is_empty() {
        return Ok(());
    }
    let events: Vec<Event> = events
        .into_iter()
        .map(|event| event.recorded(EventId::from_u128(tx.ids.next()), now))
        .collect();
    tx.effects.count(RECORDED, events.len() as u64);
    let rows = events.iter().map(|event| EventRow::new(account, event)).collect();
    let subscribers = insert(tx.db, account, rows)?;
    let mut deliveries = Vec::new();
    for event in &events {
        for subscription in outbox::wanting(&subscribers, event.name) {
            let id = event.id.to_string();
            deliveries.push(DeliveryRow::new(account, subscription, &id, event.name, tx.ids, now));
            tx.effects.wake(crate::notifier::due(account, subscription));
        }
    }
    outbox::insert(tx.db, &deliveries)
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
    insert(tx.db, account, vec![EventRow::new(account, &event)])?;
    Ok(event)
}

/// Writes events behind all that were committed before; answers who subscribes to the account's.
fn insert(
    db: &mut Db,
    account: AccountId,
    mut rows: Vec<EventRow>,
) -> QueryResult<Vec<Subscriber>> {
    match db {
        Db::Sqlite(conn) => {
            let last = last_position(conn, &account.to_string())?;
            for (row, position) in rows.iter_mut().zip(last.saturating_add(1)..) {
                row.position = position;
                diesel::insert_into(events::table).values(&*row).execute(conn)?;
            }
            outbox::enabled!(conn, account)
        }
        Db::Postgres(conn) => {
            let columns = columns!(
                rows,
                Texts account_id, Texts id, Texts name, Texts entity_id, Texts body, Numbers created_at,
            );
            let subscriptions = Statement::<(Text, Text)>::new(
                "WITH e AS (INSERT INTO events (account_id, id, name, entity_id, body, created_at, position) \
                 SELECT w.*, pg_current_xact_id()::text::bigint FROM ? w) \
                 SELECT s.id, s.events FROM subscriptions s WHERE s.account_id = ? \
                 AND s.disabled_at IS NULL AND s.deleted_at IS NULL",
                [Bound::from(columns), account.to_string().into()],
            );
            let rows: Vec<(String, String)> = subscriptions.load(conn)?;
            outbox::subscribers_of(&account.to_string(), &rows)
        }
    }
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
