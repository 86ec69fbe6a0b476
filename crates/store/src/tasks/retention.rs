//! Ended tasks that are kept no longer.

use engine::cleanup::RowsByAge;

/// Ended tasks, kept for so many microseconds.
pub(crate) const fn ended_tasks(retention_micros: i64) -> RowsByAge {
    RowsByAge {
        find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM tasks t \
               WHERE t.account_id = a.id AND t.ended_at < ?) THEN 'yes' ELSE 'no' END \
               FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
        remove: "DELETE FROM tasks WHERE account_id = ? AND id IN \
                 (SELECT t.id FROM tasks t WHERE t.account_id = ? AND t.ended_at < ? \
                 ORDER BY t.ended_at LIMIT ?)",
        retention_micros,
    }
}
