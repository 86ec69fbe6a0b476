//! Commands that need no transaction around them: each of their statements is one.

use std::{any::Any, mem};

use diesel::QueryResult;
use kernel::Fault;

use crate::{
    command::Command,
    jobs::{AtOnce, Batch, BatchFailure, Together},
    memory::Memory,
    tx::{Effects, Tx},
};

/// A command of which each statement may be all that happens: see [`Engine::relaxed_at_once`](crate::Engine::relaxed_at_once)
/// for what it must not do. Where nothing else is in its batch, nobody waits for a BEGIN and
/// a COMMIT.
pub(crate) struct Single {
    command: Box<dyn Command>,
    /// What it has left, once it was run outside of any transaction: that cannot be undone, so it is not run again, whatever
    /// becomes of its batch.
    done: Option<Effects>,
}

impl Single {
    pub(crate) fn new(command: Box<dyn Command>) -> Self {
        Self { command, done: None }
    }
}

impl Together for Single {
    fn batch(&self) -> &'static dyn Batch {
        &Singles
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn answer(self: Box<Self>) {
        self.command.answer();
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.command.fail(fault);
    }
}

struct Singles;

impl Batch for Singles {
    fn name(&self) -> &'static str {
        "single statements"
    }

    fn run_in_tx(&self, tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
        for single in singles(jobs) {
            match &single.done {
                Some(left) => tx.effects.append(left.without_rows()),
                None => {
                    single.command.run(tx)?;
                }
            }
        }
        Ok(())
    }

    fn at_once(&self) -> Option<AtOnce> {
        Some(at_once)
    }
}

fn at_once(
    tx: &mut Tx<'_>,
    _: &mut Memory,
    jobs: Vec<&mut dyn Together>,
) -> Result<(), BatchFailure> {
    for single in singles(jobs) {
        let before = mem::take(&mut tx.effects);
        if single.done.is_none() {
            single.command.run(tx).map_err(BatchFailure::NotCommitted)?;
            single.done = Some(mem::take(&mut tx.effects));
        }
        tx.effects = before;
        tx.effects.append(single.done.as_ref().map(Effects::without_rows).unwrap_or_default());
    }
    Ok(())
}

fn singles(jobs: Vec<&mut dyn Together>) -> Vec<&mut Single> {
    jobs.into_iter().filter_map(|job| job.as_any().downcast_mut()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use diesel::{Connection, SqliteConnection, result::Error as DieselError};
    use kernel::id::IdSource;

    use super::*;
    use crate::db::Db;

    /// Counts how often it is run, and fails so many times first.
    struct Counting {
        figure: &'static str,
        fails: usize,
    }

    impl Command for Counting {
        fn run(&mut self, tx: &mut Tx<'_>) -> Result<bool, DieselError> {
            tx.effects.count(self.figure, 1);
            if self.fails > 0 {
                self.fails -= 1;
                return Err(DieselError::RollbackTransaction);
            }
            // It was run and has left something.
            self.figure = "again";
            Ok(true)
        }

        fn answer(self: Box<Self>) {}

        fn fail(self: Box<Self>, _: Fault) {}
    }

    #[test]
    fn what_is_committed_already_is_not_run_again() {
        let single =
            |figure, fails| Single::new(Box::new(Counting { figure, fails }) as Box<dyn Command>);
        let (mut first, mut second) = (single("first", 0), single("second", 2));
        let mut db = Db::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        let (ids, mut memory) = (IdSource::default(), Memory::default());
        let mut attempt = |is_at_once: bool| {
            let (effects, held) = (Effects::default(), BTreeMap::new());
            let mut tx = Tx { db: &mut db, ids: &ids, retention: 0, effects, held };
            let jobs: Vec<&mut dyn Together> = vec![&mut first, &mut second];
            let is_done = match is_at_once {
                true => at_once(&mut tx, &mut memory, jobs).is_ok(),
                false => Singles.run_in_tx(&mut tx, jobs).is_ok(),
            };
            let counts: Vec<_> = tx.effects.counts().map(|(figure, _)| figure).collect();
            (is_done, counts)
        };
        assert!(!attempt(true).0 && !attempt(false).0);
        // What the first has left counts with the attempt that succeeds.
        assert_eq!(attempt(true), (true, vec!["first", "second"]));
        assert_eq!(attempt(false), (true, vec!["first", "second"]));
    }
}
