//! Rows that are counted up to a bound: how many more there are is shown to nobody.

use diesel::{QueryResult, RunQueryDsl, sql_types::BigInt};
use kernel::AccountId;

use crate::{
    db::{Db, on},
    statement::Statement,
};

/// The statement that counts rows of a table with a status, along the index of it.
macro_rules! rows_of_status {
    ($table:literal) => {
        concat!(
            "SELECT COUNT(*) FROM (SELECT 1 FROM ",
            $table,
            " WHERE account_id = ? AND status = ? LIMIT ?) counted"
        )
    };
}
pub(crate) use rows_of_status;

/// How many rows of an account have a status, up to so many; `sql` is of [`rows_of_status`].
pub(crate) fn of_status(
    db: &mut Db,
    sql: &'static str,
    (account, status): (AccountId, &'static str),
    most: u32,
) -> QueryResult<u32> {
    let values = [account.to_string().into(), status.to_owned().into(), i64::from(most).into()];
    let count = Statement::<BigInt>::new(sql, values);
    let rows: i64 = on!(db, |conn| count.get_result(conn))?;
    Ok(u32::try_from(rows).unwrap_or(most))
}
