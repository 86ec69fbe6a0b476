//! Loading and recording a batch of orders on PostgreSQL: one statement each, whatever the size of the batch.
//!
//! The statements are written out, with an array for every column or room for a few rows, and prepared once: diesel's own
//! batch inserts have another text for every number of rows.

mod forms;
mod load;
mod record;

use std::collections::BTreeSet;

use diesel::{PgConnection, QueryResult, RunQueryDsl, result::Error as DieselError};
use engine::BatchFailure;
use kernel::AccountId;

use super::plan::{Plan, Wanted};

pub(super) use load::{Locked, load, refresh};

/// Locks the stock and the order number of everything wanted, always in the same order, and says what they are.
pub(super) fn lock(conn: &mut PgConnection, wanted: &Wanted) -> QueryResult<Vec<Locked>> {
    load::Lock::of(wanted).load(conn)
}

/// Writes the rows, if what was loaded still stands; otherwise it fails as a serialization does, which names the
/// [accounts](overtaken), and has written nothing.
pub(super) fn record(conn: &mut PgConnection, plan: &Plan) -> QueryResult<()> {
    if plan.is_empty() {
        return Ok(());
    }
    for (account, operation, key) in &plan.expired {
        use crate::schema::idempotency_answers as answers;
        use diesel::prelude::*;
        diesel::delete(answers::table.find((account.to_string(), operation, key))).execute(conn)?;
    }
    record::record(conn, plan)
}

/// What has come of a batch that failed as a serialization does. The statement that records names the accounts of which
/// something is not as it was loaded, but where a key was used before.
pub(super) fn overtaken(error: DieselError) -> BatchFailure {
    let accounts: BTreeSet<AccountId> = match &error {
        DieselError::DatabaseError(_, information) => {
            let named = information.details().unwrap_or_default();
            named.split(' ').filter_map(AccountId::parse).collect()
        }
        _ => BTreeSet::new(),
    };
    match accounts.is_empty() {
        true => BatchFailure::NotCommitted(error),
        false => BatchFailure::Overtaken { accounts, error },
    }
}
