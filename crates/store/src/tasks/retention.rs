//! Ended tasks that are kept no longer.

use diesel::{QueryResult, RunQueryDsl, sql_types::Text};
use engine::{
    Tx,
    cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS},
    db::{Db, on},
    statement::Statement,
};
use kernel::Timestamp;

/// Ended tasks. A place is an account.
pub(crate) struct EndedTasks {
    /// How long they are kept, in microseconds.
    pub(crate) retention_micros: i64,
}

impl Chore for EndedTasks {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        const SQL: &str = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM tasks t \
             WHERE t.account_id = a.id AND t.ended_at < ?) THEN 'yes' ELSE 'no' END \
             FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let values = [oldest.into(), after.to_owned().into(), LOOKED_AT_MAX.into()];
        let rows: Vec<(String, String)> =
            on!(db, |conn| Statement::<(Text, Text)>::new(SQL, values).load(conn))?;
        Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, now: Timestamp) -> QueryResult<u64> {
        const SQL: &str = "DELETE FROM tasks WHERE account_id = ? AND id IN \
             (SELECT t.id FROM tasks t WHERE t.account_id = ? AND t.ended_at < ? \
             ORDER BY t.ended_at LIMIT ?)";
        let oldest = now.micros().saturating_sub(self.retention_micros);
        let values = [
            account.to_owned().into(),
            account.to_owned().into(),
            oldest.into(),
            SLICE_ROWS.into(),
        ];
        let removed = on!(&mut *tx.db, |conn| Statement::<()>::new(SQL, values).execute(conn))?;
        Ok(removed as u64)
    }
}
