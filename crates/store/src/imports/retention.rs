//! Imports that are kept no longer.

use engine::cleanup::RowsByAge;

/// What was wrong with rows of imports that ended so many microseconds ago.
pub(crate) const fn errors(retention_micros: i64) -> RowsByAge {
    RowsByAge {
        find: FIND,
        remove: "DELETE FROM import_errors WHERE account_id = ? AND (import_id, row_number, place) IN \
                 (SELECT e.import_id, e.row_number, e.place FROM imports i JOIN import_errors e \
                 ON e.account_id = i.account_id AND e.import_id = i.id \
                 WHERE i.account_id = ? AND i.ended_at < ? LIMIT ?)",
        retention_micros,
    }
}

/// What rows of imports of stock were about that have ended.
pub(crate) const fn stock() -> RowsByAge {
    RowsByAge {
        find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM imports i \
               WHERE i.account_id = a.id AND i.ended_at < ? AND EXISTS (SELECT 1 FROM import_stock s \
               WHERE s.account_id = i.account_id AND s.import_id = i.id)) THEN 'yes' ELSE 'no' END \
               FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
        remove: "DELETE FROM import_stock WHERE account_id = ? AND (import_id, item_id, warehouse_id) IN \
                 (SELECT s.import_id, s.item_id, s.warehouse_id FROM imports i JOIN import_stock s \
                 ON s.account_id = i.account_id AND s.import_id = i.id \
                 WHERE i.account_id = ? AND i.ended_at < ? LIMIT ?)",
        retention_micros: 0,
    }
}

/// Such imports, once nothing is left of their rows.
pub(crate) const fn ended(retention_micros: i64) -> RowsByAge {
    RowsByAge {
        find: FIND,
        remove: "DELETE FROM imports WHERE account_id = ? AND id IN \
                 (SELECT i.id FROM imports i WHERE i.account_id = ? AND i.ended_at < ? \
                 AND NOT EXISTS (SELECT 1 FROM import_errors e \
                 WHERE e.account_id = i.account_id AND e.import_id = i.id) \
                 AND NOT EXISTS (SELECT 1 FROM import_stock s \
                 WHERE s.account_id = i.account_id AND s.import_id = i.id) LIMIT ?)",
        retention_micros,
    }
}

/// Files that have waited long enough; what they are kept as is removed once nobody is on record for it.
pub(crate) const UPLOADS: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM import_uploads u \
           WHERE u.account_id = a.id AND u.expires_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM import_uploads WHERE account_id = ? AND id IN \
             (SELECT u.id FROM import_uploads u WHERE u.account_id = ? \
             AND u.expires_at < ? ORDER BY u.id LIMIT ?)",
    retention_micros: 0,
};

const FIND: &str = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM imports i \
    WHERE i.account_id = a.id AND i.ended_at < ?) THEN 'yes' ELSE 'no' END \
    FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";
