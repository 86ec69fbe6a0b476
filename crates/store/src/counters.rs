//! The size of each list, kept in the transaction that changes it: a page says its total without counting.

use diesel::{prelude::*, upsert::excluded};
use kernel::AccountId;

use crate::{
    db::{Db, on},
    schema::counters::{self, dsl},
};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// Also the number of the last order: orders are never deleted.
    Orders,
    Products,
    Customers,
    Leads,
}

impl Counter {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Orders => "orders",
            Self::Products => "products",
            Self::Customers => "customers",
            Self::Leads => "leads",
        }
    }
}

pub(crate) fn value(db: &mut Db, account: AccountId, counter: Counter) -> QueryResult<i64> {
    on!(db, |conn| dsl::counters
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::name.eq(counter.name()))
        .select(dsl::value)
        .first(conn))
    .optional()
    .map(Option::unwrap_or_default)
}

/// Adds `delta`, which may be negative.
pub(crate) fn add(
    db: &mut Db,
    account: AccountId,
    counter: Counter,
    delta: i64,
) -> QueryResult<()> {
    let row = (dsl::account_id.eq(account.to_string()), dsl::name.eq(counter.name()));
    let changed = diesel::update(dsl::counters.filter(row.0).filter(row.1))
        .set(dsl::value.eq(dsl::value + delta))
        .execute(db)?;
    if changed == 0 {
        let row = (
            dsl::account_id.eq(account.to_string()),
            dsl::name.eq(counter.name()),
            dsl::value.eq(delta),
        );
        on!(db, |conn| diesel::insert_into(counters::table)
            .values(row)
            .on_conflict((dsl::account_id, dsl::name))
            .do_update()
            .set(dsl::value.eq(dsl::value + excluded(dsl::value)))
            .execute(conn))?;
    }
    Ok(())
}
