//! Rows that cannot be read, because they are damaged or a newer release wrote them. One such row must not
//! keep an account from all others: whoever reads many leaves it out, logs it and counts it.

use std::sync::atomic::{AtomicU64, Ordering};

use diesel::{QueryResult, result::Error as DieselError};

use crate::lookups::Key;

/// Rows left out since the process started.
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// How many rows were left out since the process started.
pub fn left_out() -> u64 {
    LEFT_OUT.load(Ordering::Relaxed)
}

/// What of the rows of a kind can be read.
///
/// # Errors
/// Those of the database.
pub fn readable<T>(
    kind: &'static str,
    rows: impl IntoIterator<Item = (Key, QueryResult<T>)>,
) -> QueryResult<Vec<T>> {
    let rows = rows.into_iter();
    let mut found = Vec::with_capacity(rows.size_hint().0);
    for ((account, id), read) in rows {
        found.extend(if_readable(kind, &account, &id, read)?);
    }
    Ok(found)
}

/// What was read of a row, or nothing if it cannot be read.
///
/// # Errors
/// Those of the database.
pub fn if_readable<T>(
    kind: &'static str,
    account: &str,
    id: &str,
    read: QueryResult<T>,
) -> QueryResult<Option<T>> {
    match read {
        Err(DieselError::DeserializationError(error)) => {
            LEFT_OUT.fetch_add(1, Ordering::Relaxed);
            tracing::error!(kind, account, id, %error, "a row cannot be read and is left out");
            Ok(None)
        }
        read => read.map(Some),
    }
}
