//! Which node keeps house for all nodes of a database.

use diesel::RunQueryDsl;
use kernel::{Done, Pending, Timestamp, Written};

use crate::{
    db::on,
    statement::{Bound, Statement},
    store::Store,
};

const NAME: &str = "housekeeping";
/// Clocks of nodes differ by less. A turn that ends later than one can was taken before the clocks were set back.
const SKEW_SECONDS: i64 = 60;

const TAKE: &str = "INSERT INTO turns (name, holder, ends_at) VALUES (?, ?, ?) \
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at \
    WHERE turns.holder = excluded.holder OR turns.ends_at <= ? OR turns.ends_at > ?";
const LEAVE: &str = "DELETE FROM turns WHERE name = ? AND holder = ?";

impl Store {
    /// Whether the node of this number keeps house for all until a moment: it did already, or nobody does now. On SQLite
    /// one process serves, and keeps house.
    pub fn keep_house(
        &self,
        node: u128,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<bool, ()>> {
        if self.engine.has_one_writer() {
            return Pending::ready(Ok(Done::now(true)));
        }
        self.engine.apart(move |tx| {
            let values: [Bound; 5] = [
                NAME.to_owned().into(),
                node.to_string().into(),
                until.micros().into(),
                now.micros().into(),
                until.plus_seconds(SKEW_SECONDS).micros().into(),
            ];
            let taken = on!(&mut *tx.db, |conn| Statement::<()>::new(TAKE, values).execute(conn))?;
            Ok(Done::now(taken > 0))
        })
    }

    /// Leaves keeping house to another node.
    pub fn leave_house(&self, node: u128) -> Pending<Written<(), ()>> {
        if self.engine.has_one_writer() {
            return Pending::ready(Ok(Done::now(())));
        }
        self.engine.apart(move |tx| {
            let values: [Bound; 2] = [NAME.to_owned().into(), node.to_string().into()];
            on!(&mut *tx.db, |conn| Statement::<()>::new(LEAVE, values).execute(conn))?;
            Ok(Done::now(()))
        })
    }
}
