//! The feed: events for those who would rather ask than be told.
//!
//! On PostgreSQL, where transactions commit side by side, an event can become visible behind one with a
//! greater identifier. So the feed goes by the number of the writing transaction, and holds back those that are
//! not older than every transaction under way: a later look could find one before them.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use kernel::{AccountId, Timestamp, id::EventId};
use webhooks::{Feed, FeedPosition, FeedQuery, catalog::EVENTS};

use crate::{
    db::{Db, on},
    events::last_position,
    rows,
    schema::events::dsl,
    statement::Statement,
};

type Row = (i64, String, String);

fn part(query: &FeedQuery, found: Vec<Row>) -> QueryResult<Feed> {
    let limit = query.limit as usize;
    let more = found.len() > limit;
    let mut next = query.after;
    let mut bodies = Vec::with_capacity(found.len());
    for (position, id, body) in found.into_iter().take(limit) {
        next = Some(FeedPosition { position, event: rows::read(&id, EventId::parse)? });
        bodies.push(body);
    }
    Ok(Feed { events: bodies, next, more })
}

/// The events behind a place.
macro_rules! query {
    ($conn:expr, $account:expr, $query:expr, $after:expr, $settled:expr) => {{
        let names: Vec<&str> = EVENTS
            .iter()
            .map(|event| event.name)
            .filter(|name| $query.events.as_ref().is_none_or(|events| events.want(name)))
            .collect();
        let mut rows = dsl::events
            .filter(dsl::account_id.eq($account.to_string()))
            .filter(dsl::position.lt($settled))
            .filter(
                diesel::dsl::sql::<Bool>("(position, id) > (")
                    .bind::<BigInt, _>($after.0)
                    .sql(", ")
                    .bind::<Text, _>($after.1)
                    .sql(")"),
            )
            .filter(dsl::name.eq_any(names))
            .into_boxed();
        if let Some(since) = $query.since {
            rows = rows.filter(dsl::created_at.ge(since.micros()));
        }
        rows.order((dsl::position, dsl::id))
            .limit(i64::from($query.limit) + 1)
            .select((dsl::position, dsl::id, dsl::body))
            .load::<Row>($conn)
    }};
}

/// The least identifier that an event of this moment can have: identifiers start with their milliseconds,
/// and are minted after the request came in. A minute covers clocks that differ.
fn first_event_at(moment: Timestamp) -> EventId {
    const SLACK_MS: i64 = 60_000;
    const RANDOM_BITS: u32 = 80;
    let ms = moment.micros().div_euclid(1_000).saturating_sub(SLACK_MS).max(0);
    EventId::from_u128(u128::from(ms.unsigned_abs()) << RANDOM_BITS)
}

/// The position of the first event that can have happened at a moment: saves reading all that came before.
pub(super) fn first_position(
    db: &mut Db,
    account: AccountId,
    since: Timestamp,
) -> QueryResult<Option<i64>> {
    on!(db, |conn| dsl::events
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.ge(first_event_at(since).to_string()))
        .order(dsl::id)
        .select(dsl::position)
        .first(conn)
        .optional())
}

/// The position below which nothing can appear any more.
pub(super) fn settled_position(db: &mut Db) -> QueryResult<i64> {
    match db {
        Db::Sqlite(_) => Ok(i64::MAX),
        Db::Postgres(conn) => Statement::<BigInt>::new(
            "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint",
            [],
        )
        .get_result(conn),
    }
}

/// A position behind all that an account's earlier transactions have.
pub(super) fn next_position(db: &mut Db, account: AccountId) -> QueryResult<i64> {
    match db {
        Db::Sqlite(conn) => last_position(conn, &account.to_string()).map(|last| last + 1),
        Db::Postgres(conn) => {
            Statement::<BigInt>::new("SELECT pg_current_xact_id()::text::bigint", [])
                .get_result(conn)
        }
    }
}

pub(super) fn read(db: &mut Db, account: AccountId, query: &FeedQuery) -> QueryResult<Feed> {
    let settled = settled_position(db)?;
    let after = match (query.after, query.since) {
        (Some(after), _) => (after.position, after.event.to_string()),
        (None, Some(since)) => {
            (first_position(db, account, since)?.unwrap_or_default() - 1, String::new())
        }
        (None, None) => (-1, String::new()),
    };
    let found = on!(db, |conn| query!(conn, account, query, after, settled))?;
    part(query, found)
}
