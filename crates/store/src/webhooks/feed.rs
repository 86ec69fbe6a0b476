//! The feed: events for those who would rather ask than be told.
//!
//! It goes by the positions of events (`outbox::positions`), which become visible in their order: what a later look finds lies
//! behind all that an earlier one has found.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
use kernel::{AccountId, Timestamp, id::EventId};
use webhooks::{
    Feed, FeedPosition, FeedQuery, Topics,
    catalog::{event_type, is_of_contract},
};

use crate::{
    db::{Db, on},
    rows,
    schema::events::dsl,
    statement::Statement,
    unreadable::if_readable,
};

/// Events looked at for one answer that wants only some of them.
const LOOKED_AT_MAX: usize = 1_000;

/// Position, event, its name, when it happened, and its body.
type Row = (i64, String, String, i64, String);

/// The events behind a place, wanted or not.
fn look(
    db: &mut Db,
    account: AccountId,
    after: (i64, String),
    limit: usize,
) -> QueryResult<Vec<Row>> {
    const SQL: &str = "SELECT position, id, name, created_at, body FROM events \
         WHERE account_id = ? AND (position, id) > (?, ?) ORDER BY position, id LIMIT ?";
    let values = [
        account.to_string().into(),
        after.0.into(),
        after.1.into(),
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
    ];
    on!(db, |conn| Statement::<(BigInt, Text, Text, BigInt, Text)>::new(SQL, values).load(conn))
}

/// Whether a query wants an event: one of the contract unless it names some. Test deliveries are no events of the
/// account.
fn wants(query: &FeedQuery, name: &str, created_at: i64) -> bool {
    let is_named = |events: &Topics| event_type(name).is_some() && events.want(name);
    query.events.as_ref().map_or_else(|| is_of_contract(name), is_named)
        && query.since.is_none_or(|since| created_at >= since.micros())
}

pub(super) fn read(db: &mut Db, account: AccountId, query: &FeedQuery) -> QueryResult<Feed> {
    let mut after = match (query.after, query.since) {
        (Some(after), _) => (after.position, after.event.to_string()),
        (None, Some(since)) => (first_position(db, account, since)? - 1, String::new()),
        (None, None) => (-1, String::new()),
    };
    let limit = query.limit as usize;
    let wants_all = query.events.is_none() && query.since.is_none();
    let looked_at = if wants_all { limit + 1 } else { LOOKED_AT_MAX.max(limit + 1) };
    let mut feed = Feed { events: Vec::new(), next: query.after, more: false };
    loop {
        let found = look(db, account, after, looked_at)?;
        feed.more = found.len() == looked_at;
        let last = found.last().map(|(position, id, ..)| (*position, id.clone()));
        let is_named = take(&mut feed, account, query, found)?;
        match last {
            // The reader could not say where to go on: it would be shown the same again for ever.
            Some(last) if feed.more && !is_named => after = last,
            _ => return Ok(feed),
        }
    }
}

/// Takes what a query wants of the events found; whether one of them is a place to go on from, which an event
/// that cannot be read is not.
fn take(
    feed: &mut Feed,
    account: AccountId,
    query: &FeedQuery,
    found: Vec<Row>,
) -> QueryResult<bool> {
    let (account, mut is_named) = (account.to_string(), false);
    for (position, id, name, created_at, body) in found {
        if feed.events.len() == query.limit as usize {
            feed.more = true;
            break;
        }
        let event = rows::read(&id, EventId::parse);
        let Some(event) = if_readable("event", &account, &id, event)? else { continue };
        feed.next = Some(FeedPosition { position, event });
        is_named = true;
        if wants(query, &name, created_at) {
            feed.events.push(body);
        }
    }
    Ok(is_named)
}

/// A position from which on all events of a moment are found: that of the last event with an identifier of an
/// earlier time. Identifiers are minted after the request came in; a minute covers clocks that differ and
/// transactions that overlap.
pub(super) fn first_position(
    db: &mut Db,
    account: AccountId,
    since: Timestamp,
) -> QueryResult<i64> {
    const SLACK_SECONDS: i64 = 60;
    let bound = EventId::least_at(since.plus_seconds(-SLACK_SECONDS));
    let last: Option<i64> = on!(db, |conn| dsl::events
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.lt(bound.to_string()))
        .order(dsl::id.desc())
        .select(dsl::position)
        .first(conn)
        .optional())?;
    Ok(last.unwrap_or_default())
}
