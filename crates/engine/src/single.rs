//! Commands that need no transaction around them: each of their statements is one.

use std::any::Any;

use diesel::QueryResult;
use kernel::Fault;

use crate::{
    command::Command,
    jobs::{AtOnce, Batch, BatchFailure, Together},
    memory::Memory,
    tx::Tx,
};

/// A command of which each statement may be all that happens: see [`Engine::relaxed_at_once`](crate::Engine::relaxed_at_once)
/// for what it must not do. Where nothing else is in its batch, nobody waits for a BEGIN and
/// a COMMIT.
pub(crate) struct Single(pub(crate) Box<dyn Command>);

impl Together for Single {
    fn batch(&self) -> &'static dyn Batch {
        &Singles
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn answer(self: Box<Self>) {
        self.0.answer();
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.0.fail(fault);
    }
}

struct Singles;

impl Batch for Singles {
    fn name(&self) -> &'static str {
        "single statements"
    }

    fn run_in_tx(&self, tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
        run(tx, jobs)
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
    run(tx, jobs).map_err(BatchFailure::NotCommitted)
}

fn run(tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
    for job in jobs {
        if let Some(Single(command)) = job.as_any().downcast_mut::<Single>() {
            command.run(tx)?;
        }
    }
    Ok(())
}
