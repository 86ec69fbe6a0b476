//! The queue of deliveries, as dispatchers work on it.
//!
//! It is the table of deliveries itself: what waits has a moment at which it is due. A claim leaves its mark
//! and its end; whoever records an attempt must still find that mark. A worker that dies leaves its claims
//! to end by themselves.
//!
//! On PostgreSQL rows are found by a look-up of their own each (LATERAL with LIMIT) and changed where they were
//! found (ctid). Joined instead, the planner may look for each of them along the whole account: it
//! did, before the table was analysed, and a claim of 256 took 140 ms instead of 3.

mod claim;
mod complete;
mod judging;

use std::sync::Arc;

use diesel::{
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{AccountId, Done, Fault, Pending, Timestamp, Written};
use webhooks::{Claim, Deliveries, Due, Ended, Next, SubscriptionId, Unsent, Want, Watcher};

use super::{backlogs, replays};
use crate::{
    db::{Db, on},
    error::Failure,
    readers::Cost,
    rows::read,
    statement::{Bound, Column, Statement},
    store::{CLAIMS, ENDS, Store},
    tx::Tx,
    unreadable::readable,
};

impl Deliveries for Store {
    fn watch(&self, watcher: Arc<dyn Watcher>) {
        self.notifier.watch(watcher);
        if self.engine.has_one_writer() {
            // SQLite has one serving process: whoever holds a claim is gone. Should this fail, they end.
            drop(self.engine.relaxed(ENDS, |tx| Ok(Done::now(free_claims(tx.db)?))));
        }
    }

    fn due(&self) -> Pending<Result<Vec<Due>, Fault>> {
        self.engine.read(Cost::Large, due)
    }

    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Claim, ()>> {
        let (vault, endpoints) = (self.engine.vault(), Arc::clone(&self.endpoints));
        self.engine.relaxed_at_once(CLAIMS, move |tx| {
            Ok(Done::now(claim::claim(tx, (&*vault, &*endpoints), &wants, now, until)?))
        })
    }

    fn complete(
        &self,
        ended: Vec<Ended>,
        failures_max: u32,
        now: Timestamp,
    ) -> Pending<Written<Vec<SubscriptionId>, ()>> {
        // What has failed is counted with the attempt, in one transaction.
        let is_delivered = ended.iter().all(|one| one.next == Next::Delivered);
        let work = move |tx: &mut Tx<'_>| -> Result<_, Failure<()>> {
            Ok(Done::now(complete::complete(tx, &ended, failures_max, now)?))
        };
        match is_delivered {
            true => self.engine.relaxed_at_once(ENDS, work),
            false => self.engine.relaxed(ENDS, work),
        }
    }

    fn release(&self, unsent: Vec<Unsent>) -> Pending<Written<(), ()>> {
        self.engine.relaxed_at_once(ENDS, move |tx| Ok(Done::now(release(tx, &unsent)?)))
    }

    fn make_due(
        &self,
        latest: Vec<Timestamp>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<u64, ()>> {
        self.engine.relaxed(ENDS, move |tx| Ok(Done::now(make_due(tx, &latest, now, until)?)))
    }

    fn advance_replays(&self, now: Timestamp) -> Pending<Written<u64, ()>> {
        self.engine.relaxed(ENDS, move |tx| {
            Ok(Done::now(replays::advance(tx, now)? + backlogs::advance(tx, now)?))
        })
    }
}

fn free_claims(db: &mut Db) -> QueryResult<()> {
    const SQL: &str = "UPDATE deliveries SET claim_id = NULL, claimed_until = NULL \
         WHERE next_attempt_at IS NOT NULL AND claim_id IS NOT NULL";
    on!(db, |conn| Statement::<()>::new(SQL, []).execute(conn)).map(drop)
}

/// Deliveries that one command makes due at most.
const MADE_DUE_MAX: i64 = 500;

/// Each endpoint's deliveries are read from the latest on, so that it costs little when there are none.
fn make_due(
    tx: &mut Tx<'_>,
    latest: &[Timestamp],
    now: Timestamp,
    until: Timestamp,
) -> QueryResult<u64> {
    const SQL: &str = "UPDATE deliveries SET next_attempt_at = ?, \
         claimed_until = CASE WHEN claimed_until > ? THEN ? ELSE claimed_until END \
         WHERE next_attempt_at > ? AND (account_id, subscription_id, id) IN \
         (SELECT d.account_id, d.subscription_id, d.id FROM subscriptions s CROSS JOIN deliveries d \
         WHERE s.disabled_at IS NULL AND s.deleted_at IS NULL AND d.account_id = s.account_id \
         AND d.subscription_id = s.id AND d.next_attempt_at > ? AND d.attempts BETWEEN ? AND ? LIMIT ?)";
    let mut made = 0;
    let (now, until, last) = (now.micros(), until.micros(), latest.len().saturating_sub(1));
    for (attempts, latest) in latest.iter().enumerate() {
        let (least, latest) = (attempts as i64, latest.micros());
        let most = if attempts == last { i64::MAX } else { least };
        let values = [now, until, until, latest, latest, least, most, MADE_DUE_MAX];
        let values = values.map(Bound::Number);
        made += on!(&mut *tx.db, |conn| Statement::<()>::new(SQL, values).execute(conn))? as u64;
    }
    Ok(made)
}

type DueRow = (String, String, Option<i64>);

/// A few rows for each enabled subscription. Those under way are the first in line, and their claims may end:
/// whoever has more under way than are looked at is heard of when the first of these claims does.
fn due(db: &mut Db) -> QueryResult<Vec<Due>> {
    const SQL: &str = "SELECT s.account_id, s.id, (SELECT MIN(COALESCE(f.claimed_until, f.next_attempt_at)) FROM \
         (SELECT d.claimed_until, d.next_attempt_at FROM deliveries d WHERE d.account_id = s.account_id \
         AND d.subscription_id = s.id AND d.next_attempt_at IS NOT NULL \
         ORDER BY d.next_attempt_at, d.id LIMIT 256) f) \
         FROM subscriptions s WHERE s.disabled_at IS NULL AND s.deleted_at IS NULL";
    let rows: Vec<DueRow> =
        on!(db, |conn| Statement::<(Text, Text, Nullable<BigInt>)>::new(SQL, []).load(conn))?;
    let waiting = |(account, subscription, at): DueRow| {
        let at = Timestamp::from_micros(at?);
        let due = read(&account, AccountId::parse).and_then(|account| {
            Ok(Due { account, subscription: read(&subscription, SubscriptionId::parse)?, at })
        });
        Some(((account, subscription), due))
    };
    readable("subscription", rows.into_iter().filter_map(waiting))
}

/// Lets anybody claim these again, as far as they are still under the claim. They keep their place.
fn release(tx: &mut Tx<'_>, unsent: &[Unsent]) -> QueryResult<()> {
    let rows = unsent.iter().map(|unsent| {
        let Unsent { account, subscription, delivery, claim } = unsent;
        [account.to_string(), subscription.to_string(), delivery.to_string(), claim.to_string()]
    });
    match tx.db {
        Db::Postgres(conn) => {
            let mut columns = [const { Vec::new() }; 4];
            for row in rows {
                for (column, text) in columns.iter_mut().zip(row) {
                    column.push(text);
                }
            }
            let columns: Vec<Column> = columns.map(Column::Texts).into();
            Statement::<()>::new(
                "WITH w AS (SELECT * FROM ? AS w (account, subscription, delivery, claim)) \
                 UPDATE deliveries d SET claim_id = NULL, claimed_until = NULL FROM w CROSS JOIN LATERAL \
                 (SELECT q.ctid FROM deliveries q WHERE q.account_id = w.account \
                 AND q.subscription_id = w.subscription AND q.id = w.delivery AND q.claim_id = w.claim \
                 LIMIT 1) q WHERE d.ctid = q.ctid",
                [columns.into()],
            )
            .execute(conn)
            .map(drop)
        }
        Db::Sqlite(conn) => {
            for row in rows {
                Statement::<()>::new(
                    "UPDATE deliveries SET claim_id = NULL, claimed_until = NULL \
                     WHERE account_id = ? AND subscription_id = ? AND id = ? AND claim_id = ?",
                    row.map(Bound::Text),
                )
                .execute(conn)?;
            }
            Ok(())
        }
    }
}
