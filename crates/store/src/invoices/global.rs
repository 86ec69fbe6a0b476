//! Global invoices: how they are made, and the runs that make them.

mod preview;
mod runs;
mod sales;
mod settings;

use ::invoices::{
    InvoiceError, InvoiceId,
    global::{
        Drafted, Fate, GlobalInvoices, GlobalQueue, GlobalRun, GlobalSettings, Previewed,
        WantedRun, zone,
    },
    provider::Rejection,
};
use ::tasks::{Task, TaskError, TaskId, TaskState};
use kernel::{AccountId, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};

use super::abandoning::in_task;
use crate::{
    answers,
    db::Db,
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
    stored::from_text,
    tasks,
    tx::Tx,
};
pub(super) use runs::tell;
pub(super) use settings::names;

type Outcome<T> = Result<T, Failure<InvoiceError>>;

impl GlobalInvoices for Store {
    fn global_settings(&self, account: AccountId) -> Pending<Result<GlobalSettings, Fault>> {
        self.engine.read(Cost::Small, move |db| settings::kept(db, account))
    }

    fn set_global(
        &self,
        ctx: Ctx,
        settings: GlobalSettings,
        version: Option<i64>,
    ) -> Pending<Written<GlobalSettings, InvoiceError>> {
        self.write(ctx, move |tx, ctx| settings::set(tx, ctx, &settings, version))
    }

    fn run_global(&self, ctx: Ctx, wanted: WantedRun) -> Pending<Written<Task, InvoiceError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let before: Option<Done<TaskId>> = answers::kept_answer(tx, &ctx)?;
            if let Some(Done { value: id, .. }) = before {
                // It may have ended longer ago than tasks are kept.
                let task = tasks::locked(tx, ctx.account, id)?.ok_or(Refused::AnswerUnreadable)?;
                return Ok(Done { value: task, replayed: true });
            }
            let run = wanted_run(tx.db, ctx.account, &wanted, ctx.now)?;
            run.require_payment_form()?;
            let task = settings::open(tx, ctx.account, &run, (None, ctx.now), ctx.now)?;
            answers::keep(tx, &ctx, &task.id)?;
            Ok(Done::now(task))
        })
    }

    fn preview_global(
        &self,
        account: AccountId,
        wanted: WantedRun,
        now: Timestamp,
    ) -> Pending<Result<Previewed, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| match wanted_run(db, account, &wanted, now) {
                Ok(run) => preview::of(db, account, run).map(Ok),
                Err(Failure::Refused(refused)) => Ok(Err(refused)),
                Err(Failure::Database(error)) => Err(error),
            })
        })
    }

    fn made(&self, task: &Task) -> Result<Option<GlobalRun>, Fault> {
        if task.state == TaskState::Open {
            return Ok(None);
        }
        let run: GlobalRun =
            from_text(&task.payload.text).map_err(|error| Fault::Internal(error.to_string()))?;
        let is_shown = task.state == TaskState::Succeeded || !run.invoices.is_empty();
        Ok(is_shown.then_some(run))
    }
}

/// A run that somebody asks for, as the settings have it.
fn wanted_run(
    db: &mut Db,
    account: AccountId,
    wanted: &WantedRun,
    now: Timestamp,
) -> Outcome<GlobalRun> {
    let settings = settings::kept(db, account)?;
    let (issuer, branch) = settings::seller(db, account, wanted.seller(&settings.terms))?;
    let zone = zone(&issuer, branch.as_ref());
    Ok(GlobalRun::by_hand(wanted.clone(), &settings, (&issuer, zone), now)?)
}

impl GlobalQueue for Store {
    fn draft_next(&self, task: &Task, now: Timestamp) -> Pending<Written<Drafted, InvoiceError>> {
        let task = task.clone();
        self.engine
            .command(Some(task.account), move |tx| runs::draft_next(tx, &task, now).map(Done::now))
    }

    fn settle(
        &self,
        task: &Task,
        invoice: InvoiceId,
        (fate, error): (Fate, Option<Rejection>),
        is_told: bool,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>> {
        let task = task.clone();
        self.engine.command(Some(task.account), move |tx| {
            let outcome = (fate, error.as_ref());
            runs::settle(tx, &task, invoice, outcome, is_told, now).map(Done::now)
        })
    }

    fn finish(
        &self,
        task: &Task,
        failure: Option<String>,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>> {
        let task = task.clone();
        self.engine.command(Some(task.account), move |tx| {
            runs::finish(tx, &task, failure.as_deref(), now).map(Done::now)
        })
    }
}

/// Opens the run that follows one which is given up. Drafts that it has made stay.
pub(crate) fn skip(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> Result<(), Failure<TaskError>> {
    runs::go_on(tx, task.account, task.id, now).map_err(in_task)
}
