//! Removing what webhooks no longer need, a slice at a time.

use std::{collections::HashSet, fmt::Display};

use diesel::{prelude::*, sql_types::Text};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::{
    Timestamp,
    id::{EventId, least_at},
};
use webhooks::DeliveryId;

use crate::{
    db::{Db, on},
    schema::{
        attempts, deliveries, events,
        subscriptions::{self, dsl},
    },
    statement::Statement,
    tx::Tx,
};

/// Longer than any transaction lasts.
const TRANSACTION_MICROS_MAX: i64 = 60 * 60 * 1_000_000;
/// What is kept for days is looked at this seldom.
const MINUTES: u64 = 10;

/// Whether subscriptions may have something to remove, without looking at it closely: takes the least identifier of a delivery
/// that is kept, the oldest moment kept, the subscription to begin after by its account, and a limit.
const DELIVERIES_OVER: &str = "SELECT s.account_id, s.id, CASE WHEN s.deleted_at IS NOT NULL OR EXISTS \
    (SELECT 1 FROM deliveries d WHERE d.account_id = s.account_id AND d.subscription_id = s.id AND d.id < ? \
    AND (d.next_attempt_at IS NULL OR s.disabled_at < ?)) THEN 'yes' ELSE 'no' END \
    FROM subscriptions s WHERE (s.account_id, s.id) > (?, ?) ORDER BY s.account_id, s.id LIMIT ?";
/// The same of accounts and their events, of which the last always stays: takes the least identifier of an event that is
/// kept, the account to begin after, and a limit.
const EVENTS_OVER: &str = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM events e WHERE e.account_id = a.id AND e.id < ?) \
    AND (SELECT e.id FROM events e WHERE e.account_id = a.id ORDER BY e.id LIMIT 1 OFFSET 1) IS NOT NULL \
    THEN 'yes' ELSE 'no' END FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";

/// Deliveries and attempts that are kept no longer, and subscriptions that were deleted. A place is an account
/// with one of its subscriptions.
pub(crate) struct ExpiredDeliveries {
    /// How long they are kept, in microseconds.
    pub(crate) retention_micros: i64,
}

impl Chore for ExpiredDeliveries {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let (account, subscription) = after.split_once(' ').unwrap_or_default();
        let values = [
            young(DeliveryId::from_u128, oldest).into(),
            oldest.into(),
            account.to_owned().into(),
            subscription.to_owned().into(),
            LOOKED_AT_MAX.into(),
        ];
        let rows: Vec<(String, String, String)> = on!(db, |conn| {
            Statement::<(Text, Text, Text)>::new(DELIVERIES_OVER, values).load(conn)
        })?;
        let place = |(account, subscription, has): (String, String, String)| {
            (format!("{account} {subscription}"), has == "yes")
        };
        Ok(Found::of(rows.into_iter().map(place).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, place: &str, now: Timestamp) -> QueryResult<u64> {
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let (account, subscription) = place.split_once(' ').unwrap_or_default();
        let row: Option<SubscriptionRow> = subscriptions::table
            .find((account, subscription))
            .select((dsl::account_id, dsl::id, dsl::deleted_at, dsl::disabled_at))
            .first(tx.db)
            .optional()?;
        match row {
            Some(row) => {
                let fate = Fate::of(&row, now, oldest);
                remove_deliveries(tx.db, &row, fate, oldest)
            }
            None => Ok(0),
        }
    }

    fn minutes(&self) -> u64 {
        MINUTES
    }
}

/// Events that are kept no longer. A place is an account.
pub(crate) struct ExpiredEvents {
    /// How long they are kept, in microseconds.
    pub(crate) retention_micros: i64,
}

impl Chore for ExpiredEvents {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let values = [
            young(EventId::from_u128, oldest).into(),
            after.to_owned().into(),
            LOOKED_AT_MAX.into(),
        ];
        let rows: Vec<(String, String)> =
            on!(db, |conn| Statement::<(Text, Text)>::new(EVENTS_OVER, values).load(conn))?;
        Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, now: Timestamp) -> QueryResult<u64> {
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let gone = expired_events(tx.db, account, oldest)?;
        let these =
            events::table.filter(events::account_id.eq(account)).filter(events::id.eq_any(gone));
        Ok(diesel::delete(these).execute(tx.db)? as u64)
    }

    fn minutes(&self) -> u64 {
        MINUTES
    }
}

/// The least identifier of something made at a moment or later.
fn young<I: Display>(id: impl Fn(u128) -> I, moment: i64) -> String {
    id(least_at(Timestamp::from_micros(moment))).to_string()
}

/// Account, identifier, when it was deleted, when it was disabled.
type SubscriptionRow = (String, String, Option<i64>, Option<i64>);

/// What becomes of a subscription's deliveries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Those go that are finished and old.
    Alive,
    /// It has been disabled for so long that those go as well that have waited for it since.
    GivenUp,
    /// All go whatever their age, and then the subscription itself, once no transaction can be under way that
    /// still knows it.
    Deleted {
        /// Whether that is so.
        long_ago: bool,
    },
}

impl Fate {
    fn of((_, _, deleted_at, disabled_at): &SubscriptionRow, now: Timestamp, oldest: i64) -> Self {
        match (deleted_at, disabled_at) {
            (Some(at), _) => {
                Self::Deleted { long_ago: *at < now.micros() - TRANSACTION_MICROS_MAX }
            }
            (None, Some(at)) if *at < oldest => Self::GivenUp,
            _ => Self::Alive,
        }
    }
}

/// Deliveries of one subscription whose time is over.
struct Expired {
    ids: Vec<String>,
    /// Of a deleted subscription: whether it has no others.
    are_all: bool,
}

fn expired_deliveries(
    db: &mut Db,
    (account, subscription, ..): &SubscriptionRow,
    fate: Fate,
    oldest: i64,
) -> QueryResult<Expired> {
    let is_deleted = matches!(fate, Fate::Deleted { .. });
    let created_before = if is_deleted { i64::MAX } else { oldest };
    let mut expired = deliveries::table
        .filter(deliveries::account_id.eq(account))
        .filter(deliveries::subscription_id.eq(subscription))
        .into_boxed();
    if fate == Fate::Alive {
        // However long nobody has delivered: what waits is owed.
        // Identifiers bound the search to what may be old.
        expired = expired
            .filter(deliveries::next_attempt_at.is_null())
            .filter(deliveries::id.lt(young(DeliveryId::from_u128, oldest)));
    }
    let expired: Vec<(String, i64, Option<i64>)> = expired
        .order(deliveries::id)
        .limit(SLICE_ROWS)
        .select((deliveries::id, deliveries::created_at, deliveries::next_attempt_at))
        .load(db)?;
    // The oldest come first: whatever follows one that stays is younger.
    let ids: Vec<String> = expired
        .into_iter()
        .take_while(|(_, created_at, _)| *created_at < created_before)
        .filter(|(_, _, next)| is_deleted || next.is_none_or(|next| next < oldest))
        .map(|(id, ..)| id)
        .collect();
    let are_all = is_deleted && i64::try_from(ids.len()).is_ok_and(|ids| ids < SLICE_ROWS);
    Ok(Expired { ids, are_all })
}

/// Removes deliveries of one subscription with their attempts.
fn remove_deliveries(
    db: &mut Db,
    row: &SubscriptionRow,
    fate: Fate,
    oldest: i64,
) -> QueryResult<u64> {
    let (account, subscription, ..) = row;
    let Expired { ids, are_all } = expired_deliveries(db, row, fate, oldest)?;
    let mut removed = 0;
    if !ids.is_empty() {
        let these = deliveries::table
            .filter(deliveries::account_id.eq(account))
            .filter(deliveries::subscription_id.eq(subscription))
            .filter(deliveries::id.eq_any(&ids));
        let log = attempts::table
            .filter(attempts::account_id.eq(account))
            .filter(attempts::delivery_id.eq_any(&ids));
        // In this order: the end of an attempt that is recorded meanwhile finds no delivery to log it for.
        removed += diesel::delete(these).execute(db)?;
        diesel::delete(log).execute(db)?;
    }
    if fate == (Fate::Deleted { long_ago: true }) && are_all {
        removed +=
            diesel::delete(subscriptions::table.find((account, subscription))).execute(db)?;
    }
    Ok(removed as u64)
}

/// Events that are old and that no delivery which is still waiting needs the body of.
fn expired_events(db: &mut Db, account: &str, oldest: i64) -> QueryResult<Vec<String>> {
    let old: Vec<(String, i64)> = events::table
        .filter(events::account_id.eq(account))
        .order(events::id)
        .limit(SLICE_ROWS)
        .select((events::id, events::created_at))
        .load(db)?;
    let old: Vec<String> = old
        .into_iter()
        .take_while(|(_, created_at)| *created_at < oldest)
        .map(|(id, _)| id)
        .collect();
    let Some(last) = old.last() else { return Ok(Vec::new()) };
    let needed: HashSet<String> = deliveries::table
        .filter(deliveries::account_id.eq(account))
        .filter(deliveries::next_attempt_at.is_not_null())
        .filter(deliveries::event_id.le(last))
        .select(deliveries::event_id)
        .load::<String>(db)?
        .into_iter()
        .collect();
    // The last one stays: on SQLite the position of the next follows from it.
    let newest: Option<String> = events::table
        .filter(events::account_id.eq(account))
        .order((events::position.desc(), events::id.desc()))
        .select(events::id)
        .first(db)
        .optional()?;
    let kept = |id: &String| needed.contains(id) || newest.as_ref() == Some(id);
    Ok(old.into_iter().filter(|id| !kept(id)).collect())
}
