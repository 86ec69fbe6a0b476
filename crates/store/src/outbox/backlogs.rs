//! What is still to be opened of the deliveries of many events at once: of each subscription a range of events, which are opened
//! little by little as its endpoint takes them.
//!
//! There is one for each version of a subscription under which it was told of such events: each keeps what was wanted then, and
//! what happens while a subscription is disabled is in none. The next one begins when the one before has ended.

use std::collections::{BTreeSet, HashSet};

use diesel::prelude::*;
use kernel::{AccountId, Timestamp};
use webhooks::SubscriptionId;

use crate::{
    db::{Db, on},
    schema::{backlogs::dsl, events::dsl as told},
    statement::Statement,
    tx::Tx,
};

/// A place among the events of an account: a position, and an event there.
pub(super) type EventPlace = (i64, String);

/// Greater than the identifier of any event: behind all that have a position.
pub(super) const BEHIND_ALL: &str = "~";

/// How far the deliveries of a subscription are that are opened little by little.
#[derive(Clone, Debug)]
pub(super) struct UnderWay {
    /// Behind the events that were opened.
    pub(super) after: EventPlace,
    /// When some were opened last.
    pub(super) opened_at: Option<i64>,
}

impl UnderWay {
    /// How far they are that are in this one or in another.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self {
            after: self.after.clone().min(other.after.clone()),
            opened_at: self.opened_at.max(other.opened_at),
        }
    }
}

/// Those of an account, each with its subscription.
pub(super) fn under_way(
    conn: &mut SqliteConnection,
    account: &str,
) -> QueryResult<Vec<(String, UnderWay)>> {
    let rows: Vec<(String, i64, String, Option<i64>)> = dsl::backlogs
        .filter(dsl::account_id.eq(account))
        .select((dsl::subscription_id, dsl::after_position, dsl::after_event, dsl::opened_at))
        .load(conn)?;
    let one = |(subscription, position, event, opened_at)| {
        (subscription, UnderWay { after: (position, event), opened_at })
    };
    Ok(rows.into_iter().map(one).collect())
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
        .distinct()
        .load(db)?;
    Ok(found.into_iter().collect())
}

/// Has events told behind those that are still to be told of what they are about.
pub(super) fn follow(db: &mut Db, account: AccountId, events: &[String]) -> QueryResult<()> {
    if events.is_empty() {
        return Ok(());
    }
    let these = told::events
        .filter(told::account_id.eq(account.to_string()))
        .filter(told::id.eq_any(events));
    diesel::update(these).set(told::batch.eq(told::entity_id.nullable())).execute(db).map(drop)
}

/// Leaves the deliveries of events that lie there, behind all others, to be opened for a subscription, as it is now.
pub(super) fn open_later(
    tx: &mut Tx<'_>,
    account: AccountId,
    subscription: SubscriptionId,
    (after, until): (i64, i64),
    now: Timestamp,
) -> QueryResult<()> {
    const SQL: &str = "INSERT INTO backlogs (account_id, subscription_id, version, events, after_position, after_event, \
         until_position, created_at, turn) SELECT s.account_id, s.id, s.version, s.events, ?, ?, ?, ?, 0 FROM subscriptions s \
         WHERE s.account_id = ? AND s.id = ? AND s.disabled_at IS NULL AND s.deleted_at IS NULL \
         ON CONFLICT (account_id, subscription_id, version) DO UPDATE SET until_position = excluded.until_position";
    let values = [
        after.into(),
        BEHIND_ALL.to_owned().into(),
        until.into(),
        now.micros().into(),
        account.to_string().into(),
        subscription.to_string().into(),
    ];
    on!(&mut *tx.db, |conn| Statement::<()>::new(SQL, values).execute(conn)).map(drop)
}
