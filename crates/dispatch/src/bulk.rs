//! Acting on each of many.
//!
//! Rows are taken down first, then acted on one after the other, each by a use case of its own. What came of some of them is
//! recorded at once: whoever takes the task up again repeats at most those, to no further effect. Idempotency keys of the
//! rows see to that as long as they are kept, and behind them that the same thing cannot be done twice: what is paid, shipped,
//! cancelled or stamped is that already. What could be done twice is done with the record of its row ([`RowEffects`]).

mod deliveries;
mod invoicing;
mod orders;

use std::{sync::Arc, time::Duration};

use ::bulk::{
    Action, BulkAction, BulkQueue, Collected, Outcome, ROWS_MAX, Reason, Row, RowEffects, RowId,
    RowResult, Selection, Stopped, Subject, Tally,
};
use ::orders::{Order, OrderQuery, Orders, ReviseOrder, ShipmentError, UpdateError, number_text};
use approvals::{Gate, Refusal};
use invoices::{Invoice, InvoiceError, InvoiceQuery, Invoices};
use kernel::{
    Actor, Clock, Ctx, Fault, Idempotency, PageRequest, Refused, Timestamp, Written, message,
    page::{Count, Cursor, LIMIT_MAX},
};
use payments::PaymentError;
use tasks::{End, Standing, Task, TaskKind, Why};
use tokio::time::Instant;
use webhooks::{WebhookError, Webhooks};

use crate::{
    Certification, Collecting, Emailing,
    halt::{Halt, paused, postponed},
    recorded::gone,
    tasks::{Hold, Performed, Performing, Work},
};

/// Rows that are read at once, and of which what came of them is recorded together.
const SLICE_ROWS: u32 = 25;
/// After so long what has come of rows is recorded, and it is looked whether the rest is still wanted.
const SLICE_TIME: Duration = Duration::from_secs(2);
/// Beside a stamping, whatever else is done between two times that the claim is held.
const STEP_TIME: Duration = Duration::from_secs(30);
/// Seconds for which an action keeps those of other accounts waiting.
const TURN_SECONDS: i64 = 15;
/// Seconds before each further attempt after something was away; the last of them before all that follow.
const PAUSES: &[i64] = &[2, 5, 15, 60, 300, 900];
/// So many attempts at a row may fail for a defect; then the others get their turn.
const DEFECTS_MAX: u32 = 3;

/// What the caller of the API would be told of refusals.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct BulkWording {
    pub shipping: fn(Refused<ShipmentError>) -> Refusal,
    pub changing: fn(Refused<UpdateError>) -> Refusal,
    pub paying: fn(Refused<PaymentError>) -> Refusal,
    pub invoicing: fn(Refused<InvoiceError>) -> Refusal,
    pub delivering: fn(Refused<WebhookError>) -> Refusal,
}

/// By what is acted.
#[allow(missing_docs, reason = "self-explanatory")]
pub struct BulkServices {
    pub queue: Arc<dyn BulkQueue>,
    pub effects: Arc<dyn RowEffects>,
    pub orders: Arc<dyn Orders>,
    pub invoices: Arc<dyn Invoices>,
    /// What stands before cancellations of orders.
    pub changing_gate: Arc<dyn Gate<ReviseOrder, Order, UpdateError>>,
    pub collecting: Collecting,
    pub certification: Certification<Invoice>,
    pub emailing: Emailing,
    pub webhooks: Arc<dyn Webhooks>,
    pub wording: BulkWording,
    pub clock: Arc<dyn Clock>,
}

/// Bulk actions of a kind that are on record in a queue.
pub struct BulkActing {
    kind: &'static TaskKind,
    services: Arc<BulkServices>,
}

impl BulkActing {
    /// Actions of every kind, by these services.
    #[must_use]
    pub fn of_every_kind(services: BulkServices) -> Vec<Arc<dyn Work>> {
        let services = Arc::new(services);
        let of = |kind: &&'static TaskKind| -> Arc<dyn Work> {
            Arc::new(Self { kind: *kind, services: Arc::clone(&services) })
        };
        ::bulk::KINDS.iter().map(of).collect()
    }
}

impl Work for BulkActing {
    fn kind(&self) -> &'static TaskKind {
        self.kind
    }

    fn attempt_time(&self) -> Duration {
        self.services.certification.attempt_time() + STEP_TIME
    }

    fn perform(&self, task: Task, hold: Hold) -> Performing {
        let services = Arc::clone(&self.services);
        Box::pin(async move {
            let run = Run { services: &services, task: &task, hold: &hold };
            match run.acted().await {
                Ok(performed) | Err(Halt::Because(performed)) => performed,
                Err(Halt::Fault(fault)) => after(&fault, task.attempts),
            }
        })
    }
}

/// What follows from a fault after so many attempts. It is not given up: whoever waits can cancel it.
fn after(fault: &Fault, attempts: u32) -> Performed {
    postponed(fault, attempts, PAUSES)
}

/// A page of what is acted on, and what lies behind it.
type Listed = (Vec<Subject>, Option<Cursor>);

/// The action has stopped, for a reason that its account is told.
fn stopped(why: Stopped) -> Halt {
    Halt::failed(why.outcome())
}

fn put_off(why: Why) -> Halt {
    Halt::Because(Performed::PutOff(paused(0, why.alone())))
}

/// One attempt.
struct Run<'a> {
    services: &'a BulkServices,
    task: &'a Task,
    hold: &'a Hold,
}

impl Run<'_> {
    async fn acted(&self) -> Result<Performed, Halt> {
        let bulk = self.services.queue.wanted(self.task)?;
        let mut tally = self.tally().await?;
        if !tally.is_collected {
            self.collect(&bulk).await?;
            tally = self.tally().await?;
        }
        let began = self.services.clock.now();
        let mut from = 0;
        loop {
            let waiting =
                self.services.queue.waiting(self.task.account, self.task.id, from, SLICE_ROWS);
            let rows = read(waiting.await)?;
            let Some(last) = rows.last() else {
                // What is not there any more was not acted on.
                return match tally.acted() < tally.total {
                    true => Err(stopped(Stopped::RowsExpired)),
                    false => Ok(Performed::Ended(End::Succeeded("{}".to_owned()))),
                };
            };
            let behind = last.position.saturating_add(1);
            let (results, halt) = self.slice(&bulk, &rows).await;
            from = match results.last() {
                _ if results.len() == rows.len() => behind,
                Some((position, _)) => position.saturating_add(1),
                None => from,
            };
            if !results.is_empty() {
                tally = counted(tally, &results);
                self.record(tally, results).await?;
            }
            if let Some(halt) = halt {
                return Err(halt);
            }
            self.give_way(began.plus_seconds(TURN_SECONDS)).await?;
        }
    }

    async fn tally(&self) -> Result<Tally, Halt> {
        let tally = read(self.services.queue.tally(self.task.account, self.task.id).await)?;
        tally.ok_or_else(|| stopped(Stopped::RowsExpired))
    }

    /// Lets the process stop.
    fn may_go_on(&self) -> Result<(), Halt> {
        match self.hold.is_stopping() {
            true => Err(put_off(Why::ProcessStops)),
            false => Ok(()),
        }
    }

    /// Lets the process stop, and others have their turn.
    async fn give_way(&self, until: Timestamp) -> Result<(), Halt> {
        self.may_go_on()?;
        if self.services.clock.now() > until && self.hold.others_wait().await? {
            return Err(put_off(Why::OthersTurn));
        }
        Ok(())
    }

    /// Takes down which rows there are. Nothing is acted on before all are: what is done about one must not change which
    /// others match.
    async fn collect(&self, bulk: &BulkAction) -> Result<(), Halt> {
        let selection = &bulk.wanted.selection;
        if selection.is_unreadable() {
            return Err(stopped(Stopped::WordsUnreadable));
        }
        let mut page =
            PageRequest { limit: LIMIT_MAX, count: Count::Nothing, ..PageRequest::default() };
        let mut from = 0_u32;
        loop {
            let (subjects, next) = self.listed(selection, page.clone()).await?;
            let count = u32::try_from(subjects.len()).unwrap_or(u32::MAX);
            let collected = Collected { from, subjects, is_all: next.is_none() };
            from = from.saturating_add(count);
            if u64::from(from) > ROWS_MAX {
                return Err(stopped(Stopped::TooManyRows));
            }
            let recording = self.hold.record_under(|task, now, until| {
                self.services.queue.collect(task, collected, now, until)
            });
            self.go_on(recording.await?)?;
            match next {
                Some(cursor) => page.cursor = Some(cursor),
                None => return Ok(()),
            }
            self.may_go_on()?;
        }
    }

    /// A page of what is chosen.
    async fn listed(&self, selection: &Selection, page: PageRequest) -> Result<Listed, Halt> {
        let (services, account) = (self.services, self.task.account);
        match selection {
            Selection::Orders(chosen) => {
                let filter = chosen.filter();
                let query = OrderQuery { filter, page, ..OrderQuery::default() };
                let listed = read(services.orders.list(account, query).await)?;
                let orders = listed.items.iter().map(|order| Subject {
                    id: order.id.to_string(),
                    label: number_text(order.number),
                    version: None,
                });
                Ok((orders.collect(), listed.next))
            }
            Selection::Invoices(chosen) => {
                let filter = chosen.filter();
                let query = InvoiceQuery { filter, page, ..InvoiceQuery::default() };
                let listed = read(services.invoices.list(account, query).await)?;
                let invoices = listed.items.iter().map(invoicing::subject);
                Ok((invoices.collect(), listed.next))
            }
            Selection::Deliveries(chosen) => self.deliveries(chosen, page).await,
        }
    }

    async fn record(&self, tally: Tally, results: Vec<(u32, RowResult)>) -> Result<(), Halt> {
        let recording = self.hold.record_under(|task, now, until| {
            self.services.queue.record(task, tally, results, now, until)
        });
        self.go_on(recording.await?)
    }

    /// Nothing more is done for an account that wants it to stop, or by a worker that has lost the task.
    fn go_on(&self, standing: Standing) -> Result<(), Halt> {
        match standing {
            Standing::Held => Ok(()),
            Standing::HeldToStop => {
                let end = End::Cancelled("cancelled".to_owned());
                Err(Halt::Because(Performed::Ended(end)))
            }
            Standing::Lost => Err(Halt::Because(Performed::Recorded)),
        }
    }

    /// Acts on rows until their time is over; what came of each, and why the rest has to wait.
    async fn slice(
        &self,
        bulk: &BulkAction,
        rows: &[Row],
    ) -> (Vec<(u32, RowResult)>, Option<Halt>) {
        let began = Instant::now();
        let mut results = Vec::with_capacity(rows.len());
        for row in rows {
            match self.row(bulk, row).await {
                Ok(result) => results.push((row.position, result)),
                Err(halt) => return (results, Some(halt)),
            }
            if began.elapsed() >= SLICE_TIME || self.hold.is_stopping() {
                break;
            }
        }
        (results, None)
    }

    async fn row(&self, bulk: &BulkAction, row: &Row) -> Result<RowResult, Halt> {
        self.require_rights(bulk).await?;
        let acted = match &bulk.wanted.action {
            Action::PayOrders { method } => self.pay_order(bulk, row, *method).await,
            Action::ShipOrders => self.ship_order(bulk, row).await,
            Action::CancelOrders { reason, refund } => {
                self.cancel_order(bulk, row, reason, *refund).await
            }
            Action::InvoiceOrders { stamp } => self.invoice_order(bulk, row, *stamp).await,
            Action::StampInvoices => self.stamp_invoice(bulk, row).await,
            Action::EmailInvoices => self.email_invoice(bulk, row).await,
            Action::ResendDeliveries => self.resend_delivery(bulk, row).await,
        };
        match acted {
            // A row that nobody can deal with does not stand in the way of the others for ever.
            Err(Halt::Fault(Fault::Internal(why))) if self.task.attempts >= DEFECTS_MAX => {
                tracing::error!(task = %self.task.id, subject = row.subject, why, "a row failed");
                Ok(failed())
            }
            acted => acted,
        }
    }

    /// Whoever has asked for it must still be allowed to.
    async fn require_rights(&self, bulk: &BulkAction) -> Result<(), Halt> {
        let revoked = || stopped(Stopped::RightsLost);
        let Actor::User(user) = bulk.actor else { return Err(revoked()) };
        let role = read(self.services.queue.role(self.task.account, user).await)?;
        let role = role.ok_or_else(revoked)?;
        match bulk.wanted.action.rights().iter().all(|right| role.allows(*right)) {
            true => Ok(()),
            false => Err(revoked()),
        }
    }

    /// The circumstances of a step of a row: whoever repeats it in time has no further effect.
    fn keyed(&self, bulk: &BulkAction, row: &Row, step: &str) -> Ctx {
        let idempotency = Idempotency {
            operation: format!("{} {step}", bulk.wanted.action.name()),
            key: format!("{} {}", self.task.id, row.subject),
            digest: row.subject.clone(),
        };
        Ctx { idempotency: Some(idempotency), ..self.ctx(bulk) }
    }

    /// The circumstances of what is recorded with its row.
    fn ctx(&self, bulk: &BulkAction) -> Ctx {
        Ctx {
            account: self.task.account,
            now: self.services.clock.now(),
            idempotency: None,
            actor: bulk.actor.clone(),
            trace: bulk.trace.clone(),
        }
    }

    fn row_id(&self, row: &Row) -> RowId {
        RowId { task: self.task.id, position: row.position }
    }
}

/// What was read.
fn read<T>(answer: Option<Result<T, Fault>>) -> Result<T, Halt> {
    Ok(answer.unwrap_or_else(|| Err(gone()))?)
}

/// What was written, or why it was not.
fn written<T, E>(answer: Option<Written<T, E>>) -> Result<T, Refused<E>> {
    answer.unwrap_or_else(|| Err(gone().into())).map(|done| done.value)
}

/// The same with what came of some more rows.
fn counted(mut tally: Tally, results: &[(u32, RowResult)]) -> Tally {
    for (_, result) in results {
        match result.outcome {
            Outcome::Done => tally.done += 1,
            Outcome::Refused => tally.refused += 1,
            Outcome::Skipped => tally.skipped += 1,
        }
    }
    tally
}

/// What came of a row that was refused, in the words of the API. What only has to wait ends the attempt.
fn refused<E>(
    told: fn(Refused<E>) -> Refusal,
    refused: Refused<E>,
    outcome: Outcome,
) -> Result<RowResult, Halt> {
    match refused {
        Refused::Fault(fault) => Err(fault.into()),
        Refused::Busy => Err(Fault::Unavailable("too much is under way".to_owned()).into()),
        // It was carried out before, by an attempt that came to no record of it.
        Refused::AnswerUnreadable => Ok(RowResult::done()),
        refused => {
            let Refusal { code, message, .. } = told(refused);
            Ok(RowResult { outcome, reason: Some(Reason { code, message }), made: None })
        }
    }
}

/// What came of a row that is about nothing any more.
fn missing() -> RowResult {
    let gone = message!("It is there no longer.", "Ya no existe.");
    RowResult { outcome: Outcome::Skipped, ..RowResult::done() }.because("not_found", gone)
}

fn failed() -> RowResult {
    let told = message!(
        "An unexpected error. The log of the service has more about it.",
        "Error inesperado. La bitácora del servicio dice más."
    );
    RowResult { outcome: Outcome::Refused, ..RowResult::done() }.because("internal_error", told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_outlasted() {
        let fault = Fault::Unavailable("no route to host".to_owned());
        for (attempts, seconds) in [(0, 2), (5, 900), (50, 900)] {
            let Performed::Postponed(pause) = after(&fault, attempts) else { panic!("given up") };
            assert_eq!((pause.seconds, pause.is_doubtful), (seconds, false));
        }
    }

    #[test]
    fn outcomes_are_counted() {
        let with = |outcome| RowResult { outcome, ..RowResult::done() };
        let results: Vec<_> = [Outcome::Done, Outcome::Refused, Outcome::Skipped, Outcome::Done]
            .into_iter()
            .zip(0..)
            .map(|(outcome, position)| (position, with(outcome)))
            .collect();
        let tally = counted(Tally { total: 9, done: 1, ..Tally::default() }, &results);
        assert_eq!((tally.done, tally.refused, tally.skipped, tally.acted()), (3, 1, 1, 5));
        assert_eq!(tally.total, 9);
    }
}
