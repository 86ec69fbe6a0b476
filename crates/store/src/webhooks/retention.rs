//! Removing what webhooks no longer need, in small batches.

use std::collections::HashSet;

use diesel::prelude::*;
use kernel::{Timestamp, id::least_at};
use webhooks::DeliveryId;

use crate::{
    db::Db,
    schema::{
        accounts, attempts, deliveries, events,
        subscriptions::{self, dsl},
    },
};

/// Longer than any transaction lasts.
const TRANSACTION_MICROS_MAX: i64 = 60 * 60 * 1_000_000;
/// Rows that one step removes at most.
const BATCH_ROWS: i64 = 500;

/// Removes one batch of deliveries, attempts, events and deleted subscriptions whose time is over; says how
/// many rows.
pub(crate) fn remove_expired(db: &mut Db, now: Timestamp, retention: i64) -> QueryResult<u64> {
    let oldest = now.micros().saturating_sub(retention);
    let rows: Vec<(String, String, Option<i64>, Option<i64>)> = subscriptions::table
        .select((dsl::account_id, dsl::id, dsl::deleted_at, dsl::disabled_at))
        .load(db)?;
    let mut removed = 0;
    for (account, subscription, deleted_at, disabled_at) in &rows {
        let fate = match (deleted_at, disabled_at) {
            (Some(at), _) => {
                Fate::Deleted { long_ago: *at < now.micros() - TRANSACTION_MICROS_MAX }
            }
            (None, Some(at)) if *at < oldest => Fate::GivenUp,
            _ => Fate::Alive,
        };
        removed += remove_deliveries(db, account, subscription, fate, oldest)?;
        if removed >= BATCH_ROWS as u64 {
            return Ok(removed);
        }
    }
    let accounts: Vec<String> = accounts::table.select(accounts::id).load(db)?;
    for account in &accounts {
        removed += remove_events(db, account, oldest)?;
        if removed >= BATCH_ROWS as u64 {
            break;
        }
    }
    Ok(removed)
}

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

/// Removes deliveries of one subscription with their attempts.
fn remove_deliveries(
    db: &mut Db,
    account: &str,
    subscription: &str,
    fate: Fate,
    oldest: i64,
) -> QueryResult<u64> {
    let is_deleted = matches!(fate, Fate::Deleted { .. });
    let created_before = if is_deleted { i64::MAX } else { oldest };
    let mut expired = deliveries::table
        .filter(deliveries::account_id.eq(account))
        .filter(deliveries::subscription_id.eq(subscription))
        .into_boxed();
    if fate == Fate::Alive {
        // However long nobody has delivered: what waits is owed.
        // Identifiers bound the search to what may be old.
        let young = DeliveryId::from_u128(least_at(Timestamp::from_micros(oldest)));
        expired = expired
            .filter(deliveries::next_attempt_at.is_null())
            .filter(deliveries::id.lt(young.to_string()));
    }
    let expired: Vec<(String, i64, Option<i64>)> = expired
        .order(deliveries::id)
        .limit(BATCH_ROWS)
        .select((deliveries::id, deliveries::created_at, deliveries::next_attempt_at))
        .load(db)?;
    let all = expired.len();
    // The oldest come first: whatever follows one that stays is younger.
    let gone: Vec<String> = expired
        .into_iter()
        .take_while(|(_, created_at, _)| *created_at < created_before)
        .filter(|(_, _, next)| is_deleted || next.is_none_or(|next| next < oldest))
        .map(|(id, ..)| id)
        .collect();
    let log = attempts::table
        .filter(attempts::account_id.eq(account))
        .filter(attempts::delivery_id.eq_any(&gone));
    let these = deliveries::table
        .filter(deliveries::account_id.eq(account))
        .filter(deliveries::subscription_id.eq(subscription))
        .filter(deliveries::id.eq_any(&gone));
    let mut removed = 0;
    if !gone.is_empty() {
        // In this order: the end of an attempt that is recorded meanwhile finds no delivery to log it for.
        removed += diesel::delete(these).execute(db)?;
        diesel::delete(log).execute(db)?;
    }
    if fate == (Fate::Deleted { long_ago: true }) && all == 0 {
        let this = subscriptions::table
            .filter(dsl::account_id.eq(account))
            .filter(dsl::id.eq(subscription));
        removed += diesel::delete(this).execute(db)?;
    }
    Ok(removed as u64)
}

/// Events go when they are old and no delivery that is still waiting needs their body.
fn remove_events(db: &mut Db, account: &str, oldest: i64) -> QueryResult<u64> {
    let old: Vec<(String, i64)> = events::table
        .filter(events::account_id.eq(account))
        .order(events::id)
        .limit(BATCH_ROWS)
        .select((events::id, events::created_at))
        .load(db)?;
    let old: Vec<String> = old
        .into_iter()
        .take_while(|(_, created_at)| *created_at < oldest)
        .map(|(id, _)| id)
        .collect();
    let Some(last) = old.last() else { return Ok(0) };
    let needed: HashSet<String> = deliveries::table
        .filter(deliveries::account_id.eq(account))
        .filter(deliveries::next_attempt_at.is_not_null())
        .filter(deliveries::event_id.le(last))
        .select(deliveries::event_id)
        .load::<String>(db)?
        .into_iter()
        .collect();
    // The last one stays: the position of the next follows from it.
    let newest: Option<String> = events::table
        .filter(events::account_id.eq(account))
        .order((events::position.desc(), events::id.desc()))
        .select(events::id)
        .first(db)
        .optional()?;
    let kept = |id: &String| needed.contains(id) || newest.as_ref() == Some(id);
    let gone: Vec<&String> = old.iter().filter(|id| !kept(id)).collect();
    let these =
        events::table.filter(events::account_id.eq(account)).filter(events::id.eq_any(gone));
    Ok(diesel::delete(these).execute(db)? as u64)
}
