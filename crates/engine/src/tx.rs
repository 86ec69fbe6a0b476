//! A transaction as a command sees it.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountId, id::IdSource};

use crate::{
    db::Db,
    late::{Late, LateRows},
};

/// A transaction under way.
pub struct Tx<'a> {
    /// The connection.
    pub db: &'a mut Db,
    /// Where identifiers come from.
    pub ids: &'a IdSource,
    /// Idempotency answers older than this many microseconds no longer count.
    pub retention: i64,
    /// What is to happen when it is committed.
    pub effects: Effects,
}

/// Somebody to be woken after the commit: there is work in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wakeup {
    /// Which queue.
    pub queue: &'static str,
    /// Whose work.
    pub account: AccountId,
    /// The number of what the work is for, where the queue tells that apart.
    pub subject: u128,
}

/// What a transaction leaves to be done at its commit and after it. Undone with it.
#[derive(Debug, Default)]
pub struct Effects {
    counts: BTreeMap<&'static str, u64>,
    wakeups: BTreeSet<Wakeup>,
    pub(crate) late: LateRows,
}

impl Effects {
    /// Adds to a figure for monitoring.
    pub fn count(&mut self, figure: &'static str, more: u64) {
        *self.counts.entry(figure).or_default() += more;
    }

    /// Wakes somebody.
    pub fn wake(&mut self, wakeup: Wakeup) {
        self.wakeups.insert(wakeup);
    }

    /// Has rows written before the commit, together with those of other commands.
    pub fn leave<T: Late>(&mut self, rows: Vec<T>) {
        self.late.add(rows);
    }

    /// Takes over what a part of the transaction leaves.
    pub fn append(&mut self, part: Self) {
        for (figure, more) in part.counts {
            self.count(figure, more);
        }
        self.wakeups.extend(part.wakeups);
        self.late.append(part.late);
    }

    /// The figures and by how much they grow.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.iter().map(|(figure, more)| (*figure, *more))
    }

    /// Who is to be woken.
    pub(crate) const fn wakeups(&self) -> &BTreeSet<Wakeup> {
        &self.wakeups
    }
}
