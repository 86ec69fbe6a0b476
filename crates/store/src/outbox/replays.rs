//! Replays as rows: deliveries of past events, and of many new ones at once, which are opened little by little as their endpoint
//! takes them.

use std::collections::{BTreeSet, HashSet};

use diesel::prelude::*;
use kernel::{AccountId, Timestamp};
use webhooks::ReplayId;

use super::{
    deliveries::Subscriber,
    events::{last_position, own_position},
};
use crate::{
    db::{Db, on},
    schema::{
        events::dsl as told,
        replays::{self, dsl},
    },
    statement::Statement,
    stored::to_text,
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = replays, treat_none_as_default_value = false)]
pub(crate) struct ReplayRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) subscription_id: String,
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) events: String,
    pub(crate) after_position: i64,
    pub(crate) after_event: String,
    pub(crate) until_position: i64,
    pub(crate) created_at: i64,
    /// 1 if it is of the events alone that are told little by little.
    pub(crate) of_batches: Option<i64>,
    /// When it last opened some.
    pub(crate) opened_at: Option<i64>,
}

/// A place among the events of an account: a position, and an event there.
pub(super) type EventPlace = (i64, String);

/// Greater than the identifier of any event: behind all that have a position.
pub(super) const BEHIND_ALL: &str = "~";

/// How far the replay of a subscription is that opens deliveries of batches.
#[derive(Clone, Debug)]
pub(super) struct UnderWay {
    /// Behind the events that it has opened.
    pub(super) after: EventPlace,
    /// When it last opened some.
    pub(super) opened_at: Option<i64>,
}

/// Those of an account, each with its subscription.
pub(super) fn under_way(
    conn: &mut SqliteConnection,
    account: &str,
) -> QueryResult<Vec<(String, UnderWay)>> {
    let rows: Vec<(String, i64, String, Option<i64>)> = dsl::replays
        .filter(dsl::account_id.eq(account))
        .filter(dsl::of_batches.eq(1_i64))
        .select((dsl::subscription_id, dsl::after_position, dsl::after_event, dsl::opened_at))
        .load(conn)?;
    let one = |(subscription, position, event, opened_at)| {
        (subscription, UnderWay { after: (position, event), opened_at })
    };
    Ok(rows.into_iter().map(one).collect())
}

/// Where the events lie that a transaction has just written for an account, so many: behind one position, up to another.
pub(super) fn written(db: &mut Db, account: AccountId, events: usize) -> QueryResult<(i64, i64)> {
    match db {
        Db::Sqlite(conn) => {
            let last = last_position(conn, &account.to_string())?;
            Ok((last.saturating_sub(i64::try_from(events).unwrap_or(i64::MAX)), last))
        }
        Db::Postgres(conn) => {
            let own = own_position(conn)?;
            Ok((own - 1, own))
        }
    }
}

/// Those of some entities of which events behind a place are told little by little.
pub(super) fn still_told(
    db: &mut Db,
    account: AccountId,
    entities: &BTreeSet<&str>,
    (position, event): &EventPlace,
) -> QueryResult<HashSet<String>> {
    if entities.is_empty() {
        return Ok(HashSet::new());
    }
    let behind =
        told::position.gt(*position).or(told::position.eq(*position).and(told::id.gt(event)));
    let found: Vec<String> = told::events
        .filter(told::account_id.eq(account.to_string()))
        .filter(told::entity_id.eq_any(entities))
        // As the index has it: no import tells of orders.
        .filter(told::name.ne("order.created"))
        .filter(told::batch.is_not_null())
        .filter(behind)
        .select(told::entity_id)
        .load(db)?;
    Ok(found.into_iter().collect())
}

/// Has an event told behind those that are still to be told of its entity.
pub(super) fn follow(
    db: &mut Db,
    account: AccountId,
    (event, entity): (&str, &str),
) -> QueryResult<()> {
    let this = told::events
        .filter(told::account_id.eq(account.to_string()))
        .filter(told::id.eq(event.to_owned()));
    diesel::update(this).set(told::batch.eq(Some(entity.to_owned()))).execute(db).map(drop)
}

/// Leaves the deliveries of events that lie there to be opened for a subscriber. A transaction that began before may have a
/// position before those that are known: nothing from there on is opened before it ends.
pub(super) fn open_later(
    tx: &mut Tx<'_>,
    account: AccountId,
    subscriber: &Subscriber,
    (after, until): (i64, i64),
    now: Timestamp,
) -> QueryResult<()> {
    const SQL: &str = "INSERT INTO replays (account_id, id, subscription_id, since, until, events, after_position, after_event, \
         until_position, created_at, of_batches) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 1) \
         ON CONFLICT (account_id, subscription_id) WHERE of_batches = 1 DO UPDATE SET events = excluded.events, \
         after_event = CASE WHEN excluded.after_position < replays.after_position THEN excluded.after_event \
         ELSE replays.after_event END, \
         after_position = CASE WHEN excluded.after_position < replays.after_position \
         THEN excluded.after_position ELSE replays.after_position END, \
         until_position = CASE WHEN excluded.until_position > replays.until_position \
         THEN excluded.until_position ELSE replays.until_position END";
    let wanted: Vec<String> = subscriber.topics.wanted().into_iter().map(str::to_owned).collect();
    let upsert = Statement::<()>::new(
        SQL,
        [
            account.to_string().into(),
            ReplayId::from_u128(tx.ids.next()).to_string().into(),
            subscriber.id.to_string().into(),
            i64::MAX.into(),
            to_text(&wanted)?.into(),
            after.into(),
            BEHIND_ALL.to_owned().into(),
            until.into(),
            now.micros().into(),
        ],
    );
    on!(&mut *tx.db, |conn| upsert.execute(conn)).map(drop)
}
