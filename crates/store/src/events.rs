//! The outbox: events are written in the transaction of their cause, or not at all.

use diesel::prelude::*;
use kernel::{AccountId, Event, NewEvent, Timestamp, id::EventId};

use crate::{
    lane::Tx,
    schema::events::{self},
};

#[derive(Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(crate) struct EventRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) name: &'static str,
    pub(crate) entity_id: String,
    pub(crate) body: String,
    pub(crate) created_at: i64,
}

impl EventRow {
    pub(crate) fn new(account: AccountId, event: Event) -> Self {
        Self {
            account_id: account.to_string(),
            id: event.id.to_string(),
            name: event.name,
            entity_id: event.entity,
            body: event.body,
            created_at: event.created_at.micros(),
        }
    }
}

/// Records events in the order in which they happened.
pub(crate) fn append(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    events: Vec<NewEvent>,
) -> QueryResult<()> {
    for event in events {
        tx.events += 1;
        let event = event.recorded(EventId::from_u128(tx.ids.next()), now);
        diesel::insert_into(events::table).values(&EventRow::new(account, event)).execute(tx.db)?;
    }
    Ok(())
}
