//! Removing what has served its time, in small batches so that nobody waits for it.

use diesel::prelude::*;
use kernel::{Done, Fault, Pending, Timestamp, Written};

use crate::{
    error::Stop,
    lane::Tx,
    schema::{
        accounts,
        idempotency_answers::{self, dsl},
    },
    store::Store,
    webhooks::retention,
};

/// Rows that one command removes at most for one account.
const BATCH_ROWS: i64 = 1_000;

impl Store {
    /// Removes idempotency answers, events and deliveries whose time is over, a batch at most; says how many.
    /// When it says more than none, there may be more.
    pub fn housekeep(&self, now: Timestamp) -> Pending<Written<u64, ()>> {
        let retention = self.timing.event_retention_micros;
        self.command(None, move |tx| {
            let answers = remove_expired(tx, now).map_err(Stop::Database)?;
            let rest = retention::remove_expired(tx.db, now, retention).map_err(Stop::Database)?;
            Ok(Done::now(answers + rest))
        })
    }

    /// Whether the database answers.
    pub fn ready(&self) -> Pending<Result<(), Fault>> {
        use crate::readers::Cost;
        self.readers.read(Cost::Small, |db| {
            diesel::select(diesel::dsl::sql::<diesel::sql_types::Integer>("1"))
                .execute(db)
                .map(drop)
        })
    }
}

fn remove_expired(tx: &mut Tx<'_>, now: Timestamp) -> QueryResult<u64> {
    let oldest = now.micros() - tx.retention;
    let accounts: Vec<String> = accounts::table.select(accounts::id).load(tx.db)?;
    let mut removed = 0;
    for account in accounts {
        let expired: Vec<(String, String)> = dsl::idempotency_answers
            .filter(dsl::account_id.eq(&account))
            .filter(dsl::created_at.lt(oldest))
            .order(dsl::created_at)
            .limit(BATCH_ROWS)
            .select((dsl::operation, dsl::key))
            .load(tx.db)?;
        for (operation, key) in expired {
            let row = idempotency_answers::table.find((&account, &operation, &key));
            removed += diesel::delete(row).execute(tx.db)? as u64;
        }
    }
    Ok(removed)
}
