//! What approvals tell about themselves.

use std::sync::Arc;

use ::approvals::Status;
use diesel::{
    QueryResult, RunQueryDsl,
    sql_types::{BigInt, Nullable, Text},
};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, RowsByAge};
use kernel::Timestamp;

use crate::{
    db::{Db, on},
    statement::Statement,
    tx::Tx,
    waiting::Waiting,
};

/// The figure of what is asked for.
pub(super) const REQUESTED: &str = "approvals requested";
const EXPIRED: &str = "approvals expired";

/// The figure of requests that have ended so.
pub(super) const fn ended(status: Status) -> Option<&'static str> {
    match status {
        Status::Pending => None,
        Status::Approved => Some("approvals approved"),
        Status::Rejected => Some("approvals rejected"),
        Status::Cancelled => Some("approvals canceled"),
        Status::Expired => Some(EXPIRED),
        Status::Superseded => Some("approvals superseded"),
    }
}

/// Counters: name, meaning, figure.
pub(crate) const COUNTERS: &[(&str, &str, &str)] = &[
    ("approvals_requested_total", "Approvals asked for since the start", REQUESTED),
    (
        "approvals_approved_total",
        "Approvals that all who had to have agreed to",
        "approvals approved",
    ),
    ("approvals_rejected_total", "Approvals that somebody has rejected", "approvals rejected"),
    ("approvals_canceled_total", "Approvals that were taken back", "approvals canceled"),
    (
        "approvals_superseded_total",
        "Approvals about what had changed meanwhile",
        "approvals superseded",
    ),
    ("approvals_expired_total", "Approvals that nobody has decided in time", EXPIRED),
];

/// An account, whether its time is over of some that wait there, how many others do, and since when the oldest.
type Row = (String, String, i64, Option<i64>);

const FIND: &str = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM approvals p WHERE p.account_id = a.id \
    AND p.status = 'pending' AND p.expires_at < ?) THEN 'yes' ELSE 'no' END, \
    (SELECT COUNT(*) FROM approvals p WHERE p.account_id = a.id AND p.status = 'pending' AND p.expires_at >= ?), \
    (SELECT MIN(p.created_at) FROM approvals p WHERE p.account_id = a.id AND p.status = 'pending' \
    AND p.expires_at >= ?) FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";

const MARK: RowsByAge = RowsByAge {
    find: FIND,
    remove: "UPDATE approvals SET status = 'expired', ended_at = expires_at, updated_at = expires_at, \
             version = version + 1 WHERE account_id = ? AND status = 'pending' AND id IN \
             (SELECT p.id FROM approvals p WHERE p.account_id = ? AND p.status = 'pending' \
             AND p.expires_at < ? ORDER BY p.expires_at LIMIT ?)",
    retention_micros: 0,
};

/// Requests whose time is over are marked so. Nobody depends on it: they are taken as expired from that moment on. What
/// waits is counted on the way.
pub(crate) struct ExpiredRequests(pub(crate) Arc<Waiting>);

impl Chore for ExpiredRequests {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let moment = || now.micros().into();
        let values = [moment(), moment(), moment(), after.to_owned().into(), LOOKED_AT_MAX.into()];
        let rows: Vec<Row> = on!(db, |conn| {
            Statement::<(Text, Text, BigInt, Nullable<BigInt>)>::new(FIND, values).load(conn)
        })?;
        let waiting: Vec<_> =
            rows.iter().map(|(_, _, pending, oldest)| (*pending, *oldest)).collect();
        self.0.seen(after.is_empty(), &waiting, now);
        Ok(Found::of(rows.into_iter().map(|(account, has, ..)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, now: Timestamp) -> QueryResult<u64> {
        let marked = MARK.remove(tx, account, now)?;
        tx.effects.count(EXPIRED, marked);
        Ok(marked)
    }

    /// Each node shows what it has seen.
    fn is_seen_by_all(&self) -> bool {
        true
    }
}
