//! The outbox: events and their deliveries are written in the transaction of their cause, or not at all.

use diesel::prelude::*;
use kernel::{AccountId, Event, NewEvent, Timestamp, id::EventId};

use super::deliveries as outbox;
use crate::{
    db::Db,
    schema::events::{self, dsl},
    statement::Statement,
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
    let subscribers = outbox::subscribers(tx.db, account)?;
    for event in events {
        let event = record(tx, account, now, event)?;
        for subscription in outbox::wanting(&subscribers, event.name) {
            outbox::open(tx, account, subscription, &event.id.to_string(), event.name, None, now)?;
        }
    }
    Ok(())
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
    insert(tx.db, EventRow::new(account, &event))?;
    Ok(event)
}

/// Writes an event behind all that were committed before.
fn insert(db: &mut Db, mut row: EventRow) -> QueryResult<()> {
    match db {
        Db::Sqlite(conn) => {
            row.position = last_position(conn, &row.account_id)? + 1;
            diesel::insert_into(events::table).values(&row).execute(conn)
        }
        Db::Postgres(conn) => {
            let EventRow { account_id, id, name, entity_id, body, created_at, .. } = row;
            let values = [
                account_id.into(),
                id.into(),
                name.to_owned().into(),
                entity_id.into(),
                body.into(),
                created_at.into(),
            ];
            Statement::<()>::new(
                "INSERT INTO events (account_id, id, name, entity_id, body, created_at, position) \
                 VALUES (?, ?, ?, ?, ?, ?, pg_current_xact_id()::text::bigint)",
                values,
            )
            .execute(conn)
        }
    }
    .map(drop)
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
