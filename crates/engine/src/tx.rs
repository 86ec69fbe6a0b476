//! A transaction as a command sees it.

use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use diesel::QueryResult;
use kernel::{AccountId, id::IdSource};

use crate::db::Db;

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
    /// Accounts whose rows its commands have locked so far.
    pub held: BTreeMap<AccountId, Hold>,
}

/// How a transaction has locked the row of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Nobody changes it, for the command under way; others may keep it, too.
    Keeping,
    /// The same for a command before it.
    Kept,
    /// Nobody else keeps or changes it.
    Locked,
}

impl Tx<'_> {
    /// What is kept was kept by commands before the one that begins now.
    pub(crate) fn begin_command(&mut self) {
        for hold in self.held.values_mut() {
            if *hold == Hold::Keeping {
                *hold = Hold::Kept;
            }
        }
    }

    /// Writes what the commands have left so far for others of the transaction to see it, too: all but what is to be
    /// [the last](Late::LAST).
    ///
    /// # Errors
    /// Those of the database.
    pub fn write_rows_for_others(&mut self) -> QueryResult<()> {
        self.write_late(false)
    }

    /// Writes all that the commands have left to be written before the commit.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) fn write_late_rows(&mut self) -> QueryResult<()> {
        self.write_late(true)
    }

    fn write_late(&mut self, with_last: bool) -> QueryResult<()> {
        // What is written may leave something itself.
        while let Some(pile) = self.effects.late.next(with_last) {
            pile.write(self)?;
        }
        Ok(())
    }
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
    outdated: BTreeSet<AccountId>,
    late: LateRows,
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

    /// Has what the lane [remembers](crate::Memory) of an account forgotten.
    pub fn outdate(&mut self, account: AccountId) {
        self.outdated.insert(account);
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
        self.outdated.extend(part.outdated);
        self.late.append(part.late);
    }

    /// The same without the rows that are to be written before the commit.
    pub(crate) fn without_rows(&self) -> Self {
        let (counts, wakeups) = (self.counts.clone(), self.wakeups.clone());
        Self { counts, wakeups, outdated: self.outdated.clone(), late: LateRows::default() }
    }

    /// The figures and by how much they grow.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.iter().map(|(figure, more)| (*figure, *more))
    }

    /// The accounts of which what is remembered does not hold any more.
    pub(crate) fn outdated(&self) -> impl Iterator<Item = AccountId> {
        self.outdated.iter().copied()
    }

    /// Who is to be woken.
    pub(crate) const fn wakeups(&self) -> &BTreeSet<Wakeup> {
        &self.wakeups
    }
}

/// A row that nobody reads before it is committed, so that it can be written together with those of other commands.
pub trait Late: Sized + Send + 'static {
    /// Whether they are written behind all else that the transaction does, and nobody reads them in it: with them goes a lock that others wait for
    /// until the commit, and whoever holds it is to wait for nobody.
    const LAST: bool = false;

    /// Writes the rows that a batch has left, in the order in which they were left.
    ///
    /// # Errors
    /// Those of the database; then nothing of the batch is committed.
    fn write(rows: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()>;
}

/// Rows of one kind.
trait Pile: Any + Send {
    fn append(&mut self, more: Box<dyn Pile>);
    fn write(self: Box<Self>, tx: &mut Tx<'_>) -> QueryResult<()>;
}

impl<T: Late> Pile for Vec<T> {
    fn append(&mut self, more: Box<dyn Pile>) {
        let more: Box<dyn Any> = more;
        // Piles are kept by the type of their rows.
        if let Ok(more) = more.downcast::<Self>() {
            self.extend(*more);
        }
    }

    fn write(self: Box<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        T::write(*self, tx)
    }
}

/// Rows left to be written, by kind: those that are to be the last behind the others.
#[derive(Default)]
struct LateRows(BTreeMap<Kind, Box<dyn Pile>>);

/// Whether the rows are among the last, and their type.
type Kind = (bool, TypeId);

impl fmt::Debug for LateRows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "late rows of {} kinds", self.0.len())
    }
}

impl LateRows {
    fn add<T: Late>(&mut self, rows: Vec<T>) {
        self.merge((T::LAST, TypeId::of::<T>()), Box::new(rows));
    }

    fn append(&mut self, more: Self) {
        for (kind, pile) in more.0 {
            self.merge(kind, pile);
        }
    }

    /// Takes those that are to be written next.
    fn next(&mut self, with_last: bool) -> Option<Box<dyn Pile>> {
        let first = self.0.first_entry()?;
        let (is_last, _) = *first.key();
        (with_last || !is_last).then(|| first.remove())
    }

    fn merge(&mut self, kind: Kind, pile: Box<dyn Pile>) {
        match self.0.get_mut(&kind) {
            Some(known) => known.append(pile),
            None => drop(self.0.insert(kind, pile)),
        }
    }
}

#[cfg(test)]
mod tests {
    use diesel::{Connection, SqliteConnection};

    use super::*;

    struct Row(u8);

    impl Late for Row {
        fn write(_: Vec<Self>, _: &mut Tx<'_>) -> QueryResult<()> {
            Ok(())
        }
    }

    #[test]
    fn rows_of_one_kind_are_kept_in_the_order_in_which_they_were_left() {
        let (mut rows, mut more) = (LateRows::default(), LateRows::default());
        rows.add(vec![Row(1), Row(2)]);
        more.add(vec![Row(3)]);
        rows.append(more);
        let (_, pile) = rows.0.pop_first().unwrap();
        assert!(rows.0.is_empty());
        let pile: Box<dyn Any> = pile;
        let numbers: Vec<u8> =
            pile.downcast::<Vec<Row>>().unwrap().iter().map(|row| row.0).collect();
        assert_eq!(numbers, [1, 2, 3]);
    }

    impl Late for String {
        fn write(_: Vec<Self>, _: &mut Tx<'_>) -> QueryResult<()> {
            Ok(())
        }
    }

    struct LastRow;

    impl Late for LastRow {
        const LAST: bool = true;

        fn write(_: Vec<Self>, _: &mut Tx<'_>) -> QueryResult<()> {
            Ok(())
        }
    }

    #[test]
    fn rows_that_are_to_be_the_last_are_left_until_all_others_are_written() {
        let mut rows = LateRows::default();
        rows.add(vec![LastRow]);
        rows.add(vec![Row(1)]);
        rows.add(vec![String::new()]);
        assert!(rows.next(false).is_some() && rows.next(false).is_some());
        assert!(rows.next(false).is_none());
        rows.add(vec![Row(2)]);
        let are_last: Vec<bool> = rows.0.keys().map(|(is_last, _)| *is_last).collect();
        assert_eq!(are_last, [false, true]);
        assert!(rows.next(true).is_some() && rows.next(true).is_some());
        assert!(rows.next(true).is_none());
    }

    #[test]
    fn what_a_command_keeps_is_kept_before_the_next_one() {
        let mut db = Db::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        let ids = IdSource::default();
        let [kept, locked] = [1, 2].map(AccountId::from_u128);
        let held = BTreeMap::from([(kept, Hold::Keeping), (locked, Hold::Locked)]);
        let effects = Effects::default();
        let mut tx = Tx { db: &mut db, ids: &ids, retention: 0, effects, held };
        tx.begin_command();
        assert_eq!(tx.held, BTreeMap::from([(kept, Hold::Kept), (locked, Hold::Locked)]));
    }
}
