//! Loading and recording a batch of orders on PostgreSQL: one statement each, whatever the size of the batch.
//!
//! The statements are written out, with an array for every column, and prepared once: diesel's own batch
//! inserts have another text for every number of rows.

mod load;
mod record;

use diesel::{PgConnection, QueryResult, RunQueryDsl};

use super::plan::{Plan, Wanted};

pub(super) use load::load;

/// Locks the stock and the order number of everything wanted, always in the same order.
pub(super) fn lock(conn: &mut PgConnection, wanted: &Wanted) -> QueryResult<()> {
    load::Lock::of(wanted).execute(conn).map(drop)
}

/// Writes the rows, if what was loaded still stands; otherwise it fails as a serialization does and has
/// written nothing.
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
