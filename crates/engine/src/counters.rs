//! Counters kept in the transaction that changes what they count: a page says its total without counting.

use diesel::{prelude::*, upsert::excluded};
use kernel::AccountId;

use crate::{
    db::{Db, on},
    schema::counters::{self, dsl},
    statement::{Bound, Statement},
};

/// What is counted in each account, by the name that the table has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter(pub &'static str);

/// Its value; 0 before anything was counted.
///
/// # Errors
/// Those of the database.
pub fn value(db: &mut Db, account: AccountId, counter: Counter) -> QueryResult<i64> {
    on!(db, |conn| dsl::counters
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::name.eq(counter.0))
        .select(dsl::value)
        .first(conn))
    .optional()
    .map(Option::unwrap_or_default)
}

/// The values of several, by one look.
///
/// # Errors
/// Those of the database.
pub fn values<const N: usize>(
    db: &mut Db,
    account: AccountId,
    wanted: [Counter; N],
) -> QueryResult<[i64; N]> {
    let rows: Vec<(String, i64)> = on!(db, |conn| dsl::counters
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::name.eq_any(wanted.map(|counter| counter.0)))
        .select((dsl::name, dsl::value))
        .load(conn))?;
    Ok(wanted.map(|counter| {
        let row = rows.iter().find(|(name, _)| name == counter.0);
        row.map(|(_, value)| *value).unwrap_or_default()
    }))
}

/// Adds `delta`, which may be negative.
///
/// # Errors
/// Those of the database.
pub fn add(db: &mut Db, account: AccountId, counter: Counter, delta: i64) -> QueryResult<()> {
    const ADD: &str = "UPDATE counters SET value = value + ? WHERE account_id = ? AND name = ?";
    let values = [Bound::from(delta), account.to_string().into(), counter.0.to_owned().into()];
    let changed = on!(&mut *db, |conn| Statement::<()>::new(ADD, values).execute(conn))?;
    if changed == 0 {
        let row = (
            dsl::account_id.eq(account.to_string()),
            dsl::name.eq(counter.0),
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
