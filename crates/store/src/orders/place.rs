//! Placing orders: all that wait together, by a few statements for all of them.
//!
//! A batch is loaded (what is offered, who buys, which keys were answered), planned in memory by the
//! domain's rule, one order after the other on what the one before has left, and recorded. Nothing is
//! written for an order that is refused, so it harms no neighbour.

mod plan;
mod postgres;
mod sqlite;

use ::orders::{Order, PlaceError, PlaceOrder};
use diesel::QueryResult;
use kernel::{Ctx, Fault, Pending, Written, pending::Answer};

use crate::{
    db::Db,
    error::{Kind, kind_of},
    lane::{Tx, Undone},
};

/// An order waiting to be placed.
pub(crate) struct PlaceJob {
    ctx: Ctx,
    command: PlaceOrder,
    outcome: Option<Written<Order, PlaceError>>,
    answer: Answer<Written<Order, PlaceError>>,
}

impl PlaceJob {
    pub(crate) fn new(
        ctx: Ctx,
        command: PlaceOrder,
    ) -> (Self, Pending<Written<Order, PlaceError>>) {
        let (answer, pending) = Pending::channel();
        (Self { ctx, command, outcome: None, answer }, pending)
    }

    pub(crate) fn answer(self) {
        if let Some(outcome) = self.outcome {
            self.answer.send(outcome);
        }
    }

    pub(crate) fn fail(self, fault: Fault) {
        self.answer.send(Err(fault.into()));
    }
}

/// Places the orders inside a transaction. On PostgreSQL everything they depend on is locked first.
pub(crate) fn run_in_tx(tx: &mut Tx<'_>, mut jobs: Vec<&mut PlaceJob>) -> QueryResult<()> {
    if jobs.is_empty() {
        return Ok(());
    }
    let wanted = plan::Wanted::of(&jobs);
    let loaded = match tx.db {
        Db::Postgres(conn) => {
            postgres::lock(conn, &wanted)?;
            postgres::load(conn, &wanted)?
        }
        Db::Sqlite(conn) => sqlite::load(conn, &wanted)?,
    };
    let mut plan = plan::plan(&mut jobs, loaded, tx.ids, tx.retention)?;
    tx.events += plan.events.len() as u64;
    tx.due.extend(plan.due.iter().copied());
    match tx.db {
        Db::Postgres(conn) => postgres::record(conn, &plan),
        Db::Sqlite(conn) => sqlite::record(conn, &mut plan),
    }
}

/// Places the orders on PostgreSQL without locking anything first: one statement reads, one writes. The
/// writing statement checks that what was read still stands and undoes itself when it does not; the batch
/// is then tried again inside a transaction.
pub(crate) fn run_at_once(tx: &mut Tx<'_>, mut jobs: Vec<&mut PlaceJob>) -> Result<(), Undone> {
    let Db::Postgres(conn) = tx.db else {
        return run_in_tx(tx, jobs).map_err(Undone::Before);
    };
    let wanted = plan::Wanted::of(&jobs);
    let loaded = postgres::load(conn, &wanted).map_err(Undone::Before)?;
    let plan = plan::plan(&mut jobs, loaded, tx.ids, tx.retention).map_err(Undone::Before)?;
    tx.events += plan.events.len() as u64;
    tx.due.extend(plan.due.iter().copied());
    // When the connection is lost during the statement, it may have been committed.
    postgres::record(conn, &plan).map_err(|error| match kind_of(&error) {
        Kind::Lost => Undone::Unknown(error),
        _ => Undone::Before(error),
    })
}
