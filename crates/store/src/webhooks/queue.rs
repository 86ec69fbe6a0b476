//! The queue of deliveries, as dispatchers work on it.
//!
//! It is the table of deliveries itself: what waits has a moment at which it is due. A claim moves that
//! moment to its own end and leaves its mark; whoever records an attempt must still find that mark. A
//! worker that dies leaves its claims to end by themselves.

mod claim;
mod complete;

use std::{collections::BTreeMap, sync::Arc};

use diesel::{
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use kernel::{AccountId, Done, Fault, Pending, Timestamp, Written};
use webhooks::{Claim, ClaimId, Deliveries, DeliveryId, Due, Ended, SubscriptionId, Want, Watcher};

use super::replays;
use crate::{
    db::{Db, on},
    lane::Tx,
    readers::Cost,
    rows::read,
    statement::{Column, Statement},
    store::Store,
};

impl Deliveries for Store {
    fn watch(&self, watcher: Arc<dyn Watcher>) {
        self.bell.watch(watcher);
    }

    fn due(&self) -> Pending<Result<Vec<Due>, Fault>> {
        self.read(Cost::Large, due)
    }

    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Claim, ()>> {
        let vault = Arc::clone(&self.vault);
        self.relaxed(move |tx| Ok(Done::now(claim::claim(tx, &vault, &wants, now, until)?)))
    }

    fn complete(
        &self,
        ended: Vec<Ended>,
        failures_max: u32,
        now: Timestamp,
    ) -> Pending<Written<Vec<SubscriptionId>, ()>> {
        self.relaxed(move |tx| Ok(Done::now(complete::complete(tx, &ended, failures_max, now)?)))
    }

    fn release(
        &self,
        unsent: Vec<(AccountId, DeliveryId, ClaimId)>,
        now: Timestamp,
    ) -> Pending<Written<(), ()>> {
        self.relaxed(move |tx| Ok(Done::now(release(tx, &unsent, now)?)))
    }

    fn advance_replays(&self, now: Timestamp) -> Pending<Written<u64, ()>> {
        self.relaxed(move |tx| Ok(Done::now(replays::advance(tx, now)?)))
    }
}

type DueRow = (String, String, Option<i64>);

/// One look into the index for each enabled subscription.
fn due(db: &mut Db) -> QueryResult<Vec<Due>> {
    const SQL: &str = "SELECT s.account_id, s.id, (SELECT MIN(d.next_attempt_at) FROM deliveries d \
         WHERE d.account_id = s.account_id AND d.subscription_id = s.id AND d.next_attempt_at IS NOT NULL) \
         FROM subscriptions s WHERE s.disabled_at IS NULL AND s.deleted_at IS NULL";
    let rows: Vec<DueRow> =
        on!(db, |conn| Statement::<(Text, Text, Nullable<BigInt>)>::new(SQL, []).load(conn))?;
    let waiting = |(account, subscription, at): DueRow| {
        let at = Timestamp::from_micros(at?);
        let account = read(&account, AccountId::parse);
        let subscription = read(&subscription, SubscriptionId::parse);
        Some(account.and_then(|account| Ok(Due { account, subscription: subscription?, at })))
    };
    rows.into_iter().filter_map(waiting).collect()
}

/// Lets anybody claim these again, as far as they are still under the claim.
fn release(
    tx: &mut Tx<'_>,
    unsent: &[(AccountId, DeliveryId, ClaimId)],
    now: Timestamp,
) -> QueryResult<()> {
    let mut by_account: BTreeMap<AccountId, Vec<(String, String)>> = BTreeMap::new();
    for (account, delivery, claim) in unsent {
        by_account.entry(*account).or_default().push((delivery.to_string(), claim.to_string()));
    }
    for (account, rows) in by_account {
        release_of(tx.db, account, rows, now)?;
    }
    Ok(())
}

fn release_of(
    db: &mut Db,
    account: AccountId,
    rows: Vec<(String, String)>,
    now: Timestamp,
) -> QueryResult<()> {
    match db {
        Db::Postgres(conn) => {
            let (ids, claims): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            let values = [
                now.micros().into(),
                vec![Column::Texts(ids), Column::Texts(claims)].into(),
                account.to_string().into(),
                account.to_string().into(),
            ];
            Statement::<()>::new(
                "UPDATE deliveries d SET next_attempt_at = ?, claim_id = NULL FROM ? AS w (id, claim) \
                 WHERE d.account_id = ? AND d.subscription_id IN \
                 (SELECT s.id FROM subscriptions s WHERE s.account_id = ?) \
                 AND d.id = w.id AND d.claim_id = w.claim",
                values,
            )
            .execute(conn)
            .map(drop)
        }
        Db::Sqlite(conn) => {
            for (id, claim) in rows {
                let values = [
                    now.micros().into(),
                    account.to_string().into(),
                    account.to_string().into(),
                    id.into(),
                    claim.into(),
                ];
                Statement::<()>::new(
                    "UPDATE deliveries SET next_attempt_at = ?, claim_id = NULL WHERE account_id = ? \
                     AND subscription_id IN (SELECT s.id FROM subscriptions s WHERE s.account_id = ?) \
                     AND id = ? AND claim_id = ?",
                    values,
                )
                .execute(conn)?;
            }
            Ok(())
        }
    }
}
