//! Placing orders: all that wait together, by a few statements for all of them.
//!
//! A batch is loaded (what is offered, who buys, which keys were answered), planned in memory by the
//! domain's rule, one order after the other on what the one before has left, and recorded. Nothing is
//! written for an order that is refused, so it harms no neighbour.

mod loaded;
mod plan;
mod postgres;
mod prices;
mod remembered;
mod rows;
mod sqlite;

use std::{
    any::Any,
    collections::{BTreeSet, HashMap},
};

use ::orders::{ItemSku, Order, OrderId, PlaceError, PlaceOrder};
use diesel::{
    prelude::*,
    result::{DatabaseErrorKind, Error as DieselError},
};
use engine::{AtOnce, Batch, BatchFailure, ByItself, Caller, Memory, Together};
use kernel::{AccountId, Amount, Ctx, Fault, Pending, Refused, Timestamp, Written, id::IdSource};

use crate::{
    db::Db,
    error::{ErrorClass, Failure},
    events, notifier,
    rows::{corrupt, external_id_holder, read},
    schema::orders,
    tx::{Effects, Tx},
};
use plan::Loaded;
use remembered::Remembered;

const FROM_MEMORY: &str = "orders_from_memory";
const LOOKED_UP: &str = "orders_looked_up";

/// Figures for monitoring, on PostgreSQL: name, meaning, and what is counted.
pub(crate) const COUNTERS: [(&str, &str, &str); 2] = [
    (
        "store_order_batches_from_memory_total",
        "Batches of orders that were placed in one round trip to the database, by what was remembered",
        FROM_MEMORY,
    ),
    (
        "store_order_batches_looked_up_total",
        "Batches of orders whose premises were looked up first",
        LOOKED_UP,
    ),
];

/// An order waiting to be placed.
pub(crate) struct PlaceJob {
    ctx: Ctx,
    command: PlaceOrder,
    /// What it is, where that is settled already.
    settled: Option<Settled>,
    caller: Caller<Order, PlaceError>,
}

impl PlaceJob {
    pub(crate) fn new(
        ctx: Ctx,
        command: PlaceOrder,
    ) -> (Self, Pending<Written<Order, PlaceError>>) {
        let (caller, pending) = Caller::waiting();
        (Self { ctx, command, settled: None, caller }, pending)
    }
}

/// What an order has been since it was asked for, though it is placed later.
#[derive(Clone, Copy)]
pub(crate) struct Settled {
    /// Its identifier.
    pub(crate) id: OrderId,
    /// When it was asked for, which is what its identifier begins with.
    pub(crate) at: Timestamp,
}

/// An order as it would be placed, with what its products are offered for.
pub(crate) struct Judged {
    pub(crate) order: Order,
    /// What its products cost its customer without any word of the order about prices.
    pub(crate) prices: HashMap<ItemSku, Amount>,
}

/// Says what placing an order would lead to, without placing it.
pub(crate) fn judge(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &PlaceOrder,
    id: OrderId,
) -> Result<Judged, Failure<PlaceError>> {
    let mut job = settled_job(ctx, command, Settled { id, at: ctx.now });
    let (loaded, jobs) = loaded(tx, vec![&mut job])?;
    plan::judge(jobs, loaded, tx.ids)
}

/// The same of an order that asks for no stock: what it would cost, whatever is there.
pub(crate) fn judge_unlimited(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &PlaceOrder,
    id: OrderId,
) -> Result<Judged, Failure<PlaceError>> {
    let mut job = settled_job(ctx, command, Settled { id, at: ctx.now });
    let (mut loaded, jobs) = loaded(tx, vec![&mut job])?;
    loaded.lift_stock(ctx.account);
    plan::judge(jobs, loaded, tx.ids)
}

/// What an order would be, however much there is in stock. Nothing is locked and nothing written.
pub(crate) fn preview(
    db: &mut Db,
    ctx: &Ctx,
    command: &PlaceOrder,
) -> QueryResult<Result<Order, Refused<PlaceError>>> {
    // The identifier of nothing.
    let settled = Settled { id: OrderId::from_u128(0), at: ctx.now };
    let mut job = settled_job(ctx, command, settled);
    let jobs = vec![&mut job];
    let mut loaded = load(db, &plan::Wanted::of(&jobs), Loaded::default())?;
    loaded.lift_stock(ctx.account);
    match plan::judge(jobs, loaded, &IdSource::default()) {
        Ok(judged) => Ok(Ok(judged.order)),
        Err(Failure::Refused(refused)) => Ok(Err(refused)),
        Err(Failure::Database(error)) => Err(error),
    }
}

/// Places an order by itself within a transaction that has more to do.
pub(crate) fn place_alone(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &PlaceOrder,
    settled: Settled,
) -> Result<Order, Failure<PlaceError>> {
    let mut job = settled_job(ctx, command, settled);
    run_in_tx(tx, vec![&mut job])?;
    let outcome = job.caller.into_outcome();
    let outcome = outcome.ok_or_else(|| corrupt("an order that was not judged"))?;
    Ok(outcome?.value)
}

/// A job that nobody waits for: its answer is kept by whoever runs it.
fn settled_job(ctx: &Ctx, command: &PlaceOrder, settled: Settled) -> PlaceJob {
    let ctx = Ctx { idempotency: None, ..ctx.clone() };
    let (job, _) = PlaceJob::new(ctx, command.clone());
    PlaceJob { settled: Some(settled), ..job }
}

impl Together for PlaceJob {
    fn batch(&self) -> &'static dyn Batch {
        &Placing
    }

    fn weight(&self) -> u64 {
        self.command.items.len() as u64
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn answer(self: Box<Self>) {
        self.caller.answer();
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.caller.fail(fault);
    }
}

/// Executes all orders of a batch together.
struct Placing;

impl Batch for Placing {
    fn name(&self) -> &'static str {
        "orders"
    }

    fn run_in_tx(&self, tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
        run_in_tx(tx, place_jobs(jobs))
    }

    fn at_once(&self) -> Option<AtOnce> {
        Some(|tx, memory, jobs| run_at_once(tx, memory, place_jobs(jobs)))
    }

    fn by_itself(&self) -> Option<ByItself> {
        Some(|tx, memory, jobs| match tx.db {
            Db::Postgres(_) => run_locking(tx, memory, place_jobs(jobs)),
            Db::Sqlite(_) => run_remembering(tx, memory, place_jobs(jobs)),
        })
    }
}

fn place_jobs(jobs: Vec<&mut dyn Together>) -> Vec<&mut PlaceJob> {
    jobs.into_iter().filter_map(|job| job.as_any().downcast_mut()).collect()
}

/// Places the orders inside a transaction. On PostgreSQL everything they depend on is locked first.
fn run_in_tx(tx: &mut Tx<'_>, jobs: Vec<&mut PlaceJob>) -> QueryResult<()> {
    for job in &jobs {
        tx.effects.outdate(job.ctx.account);
    }
    let (loaded, mut jobs) = loaded(tx, jobs)?;
    let (mut plan, _) = plan::plan(&mut jobs, loaded, tx.ids, tx.retention)?;
    plan.leave_out_versions();
    if matches!(tx.db, Db::Postgres(_)) {
        // Behind all else that the transaction does, so that it holds nobody up meanwhile.
        events::append_rows(tx, std::mem::take(&mut plan.events));
    }
    record_in_tx(tx, plan)
}

/// Places the orders inside a transaction on SQLite that has nothing else in it, by what the last batch has left unless
/// something else was written since.
fn run_remembering(
    tx: &mut Tx<'_>,
    memory: &mut Memory,
    mut jobs: Vec<&mut PlaceJob>,
) -> QueryResult<()> {
    let wanted = plan::Wanted::of(&jobs);
    // Whatever was written since is noticed, by whomever.
    memory.take_outdated();
    let remembered = memory.take::<sqlite::Remembered>();
    let known = match tx.db {
        Db::Sqlite(conn) => remembered.recall(conn, &wanted)?,
        Db::Postgres(_) => Loaded::default(),
    };
    let loaded = load(tx.db, &wanted, known)?;
    let (plan, left) = plan::plan(&mut jobs, loaded, tx.ids, tx.retention)?;
    let is_telling = !plan.told.is_empty();
    record_in_tx(tx, plan)?;
    if let Db::Sqlite(conn) = tx.db
        && !is_telling
    {
        memory.put(Box::new(sqlite::Remembered::of(conn, &wanted, left)?));
    }
    Ok(())
}

/// Places the orders inside a transaction on PostgreSQL that has nothing else in it. What other nodes change all the time
/// is locked, and told with it; the rest is remembered, and compared by the statement that records, or read.
fn run_locking(
    tx: &mut Tx<'_>,
    memory: &mut Memory,
    mut jobs: Vec<&mut PlaceJob>,
) -> QueryResult<()> {
    let wanted = plan::Wanted::of(&jobs);
    let locked = match tx.db {
        Db::Postgres(conn) => postgres::lock(conn, &wanted)?,
        Db::Sqlite(_) => return run_in_tx(tx, jobs),
    };
    let mut remembered = memory.take::<Remembered>();
    for account in memory.take_outdated() {
        remembered.forget(account);
    }
    let known = remembered.all_known(&wanted);
    let placed = match place_locked(tx, &mut jobs, &wanted, (known, locked.as_slice())) {
        Ok(left) => {
            remembered.keep(left);
            Ok(())
        }
        Err(error) => {
            // It may be what was wrong, so the next attempt reads.
            wanted.accounts.iter().for_each(|account| remembered.forget(*account));
            Err(error)
        }
    };
    memory.put(remembered);
    placed
}

/// Places orders for which is locked what they take, and says what they have left.
fn place_locked(
    tx: &mut Tx<'_>,
    jobs: &mut [&mut PlaceJob],
    wanted: &plan::Wanted,
    (known, locked): (Option<Loaded>, &[postgres::Locked]),
) -> QueryResult<Loaded> {
    if let Some(mut known) = known
        && postgres::refresh(&mut known, locked)?
    {
        let (plan, left) = plan::plan(jobs, known, tx.ids, tx.retention)?;
        // Nobody is refused for what may not be so any more.
        if plan.refused.is_empty() {
            record_in_tx(tx, plan)?;
            return Ok(left);
        }
    }
    let loaded = load(tx.db, wanted, Loaded::default())?;
    let (mut plan, left) = plan::plan(jobs, loaded, tx.ids, tx.retention)?;
    plan.leave_out_versions();
    record_in_tx(tx, plan)?;
    Ok(left)
}

/// Records orders within a transaction.
fn record_in_tx(tx: &mut Tx<'_>, mut plan: plan::Plan) -> QueryResult<()> {
    announce(&mut tx.effects, &plan);
    for (account, now, event) in std::mem::take(&mut plan.told) {
        events::append(tx, account, now, vec![event])?;
    }
    match tx.db {
        Db::Postgres(conn) => postgres::record(conn, &plan),
        Db::Sqlite(conn) => sqlite::record(conn, &mut plan),
    }
}

/// What the orders depend on, locked on PostgreSQL, and the orders.
fn loaded<'a>(
    tx: &mut Tx<'_>,
    jobs: Vec<&'a mut PlaceJob>,
) -> QueryResult<(Loaded, Vec<&'a mut PlaceJob>)> {
    let wanted = plan::Wanted::of(&jobs);
    if let Db::Postgres(conn) = tx.db {
        postgres::lock(conn, &wanted)?;
    }
    Ok((load(tx.db, &wanted, Loaded::default())?, jobs))
}

/// What the orders depend on, of which on SQLite some may be `known`.
fn load(db: &mut Db, wanted: &plan::Wanted, known: Loaded) -> QueryResult<Loaded> {
    let mut loaded = match db {
        Db::Postgres(conn) => postgres::load(conn, wanted)?,
        Db::Sqlite(conn) => sqlite::load(conn, wanted, known)?,
    };
    load_external_ids(db, wanted, &mut loaded)?;
    prices::load(db, wanted, &mut loaded)?;
    Ok(loaded)
}

/// Places the orders on PostgreSQL without locking anything first: one statement reads, unless all that they ask for is
/// remembered, and one writes. The writing statement checks that what was read or remembered still stands and undoes itself
/// when it does not; the batch is then read anew, or tried again inside a transaction.
fn run_at_once(
    tx: &mut Tx<'_>,
    memory: &mut Memory,
    mut jobs: Vec<&mut PlaceJob>,
) -> Result<(), BatchFailure> {
    if matches!(tx.db, Db::Sqlite(_)) {
        return run_in_tx(tx, jobs).map_err(BatchFailure::NotCommitted);
    }
    let wanted = plan::Wanted::of(&jobs);
    let mut remembered = memory.take::<Remembered>();
    let mut is_suspect = false;
    for account in memory.take_outdated() {
        remembered.forget(account);
    }
    if memory.is_fresh()
        && let Some(known) = remembered.recall(&wanted)
    {
        match from_memory(tx, &mut jobs, known)? {
            Attempt::Recorded(left) => {
                tx.effects.count(FROM_MEMORY, 1);
                remembered.was_right(&wanted.accounts);
                remembered.keep(*left);
                memory.put(remembered);
                return Ok(());
            }
            Attempt::Refused(accounts) => remembered.was_no_help(&accounts),
            Attempt::Changed => is_suspect = true,
        }
    }
    let suspect = is_suspect.then_some(&mut *remembered);
    let left = read_and_record(tx, &mut jobs, &wanted, suspect).map(|left| {
        tx.effects.count(LOOKED_UP, 1);
        remembered.keep(left);
    });
    // What is wrong by now is found out when it is used.
    memory.put(remembered);
    left
}

/// What has come of a batch that was judged by what is remembered.
enum Attempt {
    /// It is committed, which has left this.
    Recorded(Box<Loaded>),
    /// Orders of these accounts were refused for what may not be so any more; nothing was done.
    Refused(BTreeSet<AccountId>),
    /// Something has changed, or a key was used before; nothing was done.
    Changed,
}

fn from_memory(
    tx: &mut Tx<'_>,
    jobs: &mut [&mut PlaceJob],
    known: Loaded,
) -> Result<Attempt, BatchFailure> {
    let planned = plan::plan(jobs, known, tx.ids, tx.retention);
    let (plan, left) = planned.map_err(BatchFailure::NotCommitted)?;
    if !plan.refused.is_empty() {
        return Ok(Attempt::Refused(plan.refused));
    }
    match record_at_once(tx, &plan) {
        Ok(()) => Ok(Attempt::Recorded(Box::new(left))),
        Err(BatchFailure::NotCommitted(error))
            if matches!(ErrorClass::of(&error), ErrorClass::Conflict | ErrorClass::Duplicate) =>
        {
            Ok(Attempt::Changed)
        }
        Err(BatchFailure::Overtaken { .. }) => Ok(Attempt::Changed),
        Err(failure) => Err(failure),
    }
}

/// What the orders have left. What is remembered is compared with what is read where it is suspected to be wrong.
fn read_and_record(
    tx: &mut Tx<'_>,
    jobs: &mut [&mut PlaceJob],
    wanted: &plan::Wanted,
    suspect: Option<&mut Remembered>,
) -> Result<Loaded, BatchFailure> {
    let loaded = load(tx.db, wanted, Loaded::default()).map_err(BatchFailure::NotCommitted)?;
    if let Some(remembered) = suspect {
        remembered.compare(wanted, &loaded);
    }
    let planned = plan::plan(jobs, loaded, tx.ids, tx.retention);
    let (plan, left) = planned.map_err(BatchFailure::NotCommitted)?;
    record_at_once(tx, &plan)?;
    Ok(left)
}

fn record_at_once(tx: &mut Tx<'_>, plan: &plan::Plan) -> Result<(), BatchFailure> {
    if !plan.told.is_empty() {
        return Err(BatchFailure::NotCommitted(in_transaction()));
    }
    if let Db::Postgres(conn) = tx.db {
        // When the connection is lost during the statement, it may have been committed.
        postgres::record(conn, plan).map_err(|error| match ErrorClass::of(&error) {
            ErrorClass::Lost => BatchFailure::OutcomeUnknown(error),
            ErrorClass::Conflict => postgres::overtaken(error),
            _ => BatchFailure::NotCommitted(error),
        })?;
    }
    announce(&mut tx.effects, plan);
    Ok(())
}

/// Has the batch tried again inside a transaction: it has more to write than one statement does.
fn in_transaction() -> DieselError {
    let reason = "events of orders that follow those of an import".to_owned();
    DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, Box::new(reason))
}

/// Which orders have the external identifiers that are wanted. Few orders have one, so the usual batch is spared the
/// statement. Where another node takes one at the same moment, its index refuses the second.
fn load_external_ids(
    db: &mut Db,
    wanted: &plan::Wanted,
    loaded: &mut plan::Loaded,
) -> QueryResult<()> {
    for named in &wanted.external_ids {
        let (account, external_id) = named;
        if let Some(holder) = external_id_holder!(db, orders, account, external_id)? {
            loaded.external_ids.insert(named.clone(), read(&holder, OrderId::parse)?);
        }
    }
    Ok(())
}

/// What is to happen once the orders are committed.
fn announce(effects: &mut Effects, plan: &plan::Plan) {
    effects.count(events::RECORDED, plan.events.len() as u64);
    for (account, subscription) in &plan.due {
        effects.wake(notifier::due(*account, *subscription));
    }
}
