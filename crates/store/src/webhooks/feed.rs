//! The feed: events for those who would rather ask than be told.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use kernel::{AccountId, id::EventId};
use webhooks::{Feed, FeedPosition, FeedQuery, catalog::EVENTS};

use super::replays::first_event_at;
use crate::{
    db::Db,
    rows,
    schema::events::{self, dsl},
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

/// The events behind a place. On PostgreSQL, where transactions commit side by side, those are held back
/// whose transaction is not older than every one under way: a later look could find one before them.
macro_rules! query {
    ($conn:expr, $account:expr, $query:expr, $settled:literal) => {{
        let names: Vec<&str> = EVENTS
            .iter()
            .map(|event| event.name)
            .filter(|name| $query.events.as_ref().is_none_or(|events| events.want(name)))
            .collect();
        let after = $query
            .after
            .map_or((-1, String::new()), |after| (after.position, after.event.to_string()));
        let mut rows = dsl::events
            .filter(dsl::account_id.eq($account.to_string()))
            .filter(diesel::dsl::sql::<Bool>($settled))
            .filter(
                diesel::dsl::sql::<Bool>("(position, id) > (")
                    .bind::<BigInt, _>(after.0)
                    .sql(", ")
                    .bind::<Text, _>(after.1)
                    .sql(")"),
            )
            .filter(dsl::name.eq_any(names))
            .into_boxed();
        if let Some(since) = $query.since {
            rows = rows.filter(dsl::created_at.ge(since.micros()));
            if $query.after.is_none() {
                rows =
                    rows.filter(dsl::position.ge(start(first_position!($conn, $account, since)?)));
            }
        }
        rows.order((dsl::position, dsl::id))
            .limit(i64::from($query.limit) + 1)
            .select((dsl::position, dsl::id, dsl::body))
            .load::<Row>($conn)
    }};
}

/// The position of the first event that can have happened at a moment: saves reading all that came before.
macro_rules! first_position {
    ($conn:expr, $account:expr, $since:expr) => {
        dsl::events
            .filter(dsl::account_id.eq($account.to_string()))
            .filter(dsl::id.ge(first_event_at($since).to_string()))
            .order(events::id)
            .select(dsl::position)
            .first::<i64>($conn)
            .optional()
    };
}

/// Without any such event nothing is there to be found, nor excluded.
fn start(position: Option<i64>) -> i64 {
    position.unwrap_or_default()
}

pub(super) fn read(db: &mut Db, account: AccountId, query: &FeedQuery) -> QueryResult<Feed> {
    let rows = match db {
        Db::Sqlite(conn) => query!(conn, account, query, "TRUE"),
        Db::Postgres(conn) => query!(
            conn,
            account,
            query,
            "position < pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
        ),
    };
    part(query, rows?)
}
