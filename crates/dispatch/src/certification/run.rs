//! One saga from its beginning to an end or a pause.

use std::{sync::Arc, time::Duration};

use invoices::{
    CancelInvoice, CancellationStatus, Invoice, InvoiceError, InvoiceId, Sagas, Status, cancel,
    provider::{
        CancelOutcome, Expression, Provider, Recovery, Rejection, StampOutcome, StatusOutcome,
        ToCancel, ToStamp,
    },
    sagas::{Begun, Directory, Ended, Recorded, Step, Task},
    stamping::{self, NOT_TAKEN, Verdict},
};
use kernel::{Clock, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};
use tokio::{
    sync::Semaphore,
    task::spawn_blocking,
    time::{Instant, sleep, timeout},
};

use super::{CertificationSettings, gauges::Gauges, places::Places};

/// What all sagas share.
pub(super) struct Shared {
    pub(super) settings: CertificationSettings,
    pub(super) sagas: Arc<dyn Sagas>,
    pub(super) directory: Arc<dyn Directory>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) slots: Semaphore,
    pub(super) accounts: Places,
    pub(super) gauges: Gauges,
}

/// How often an end is recorded anew while the database is away; then it is found out again later.
const RECORDS_MAX: u32 = 5;
/// Between two of these.
const RECORD_PAUSE: Duration = Duration::from_secs(1);

/// Between two looks whether a twin has its answer.
const TWIN_PAUSE: Duration = Duration::from_millis(100);

impl Shared {
    fn claim_until(&self, now: Timestamp) -> Timestamp {
        let seconds = i64::try_from(self.settings.claim_time().as_secs()).unwrap_or(i64::MAX);
        now.plus_seconds(seconds)
    }
}

fn broken(what: &str) -> Refused<InvoiceError> {
    Refused::Fault(Fault::Internal(what.to_owned()))
}

/// Stamps an invoice for a caller. Who sends one request twice under one key gets one answer twice, and waits
/// for it.
pub(super) async fn stamp(
    shared: Arc<Shared>,
    ctx: Ctx,
    id: InvoiceId,
) -> Written<Invoice, InvoiceError> {
    let patience = Instant::now() + shared.settings.claim_time();
    loop {
        let (own, asked, until) =
            (Arc::clone(&shared), ctx.clone(), shared.claim_until(shared.clock.now()));
        let begun = spawn_blocking(move || own.sagas.begin_stamping(asked, id, until)).await;
        match begun.map_err(|_| broken("sealing panicked"))? {
            Err(Refused::Rule(InvoiceError::UnderWay))
                if ctx.idempotency.is_some() && Instant::now() < patience =>
            {
                sleep(TWIN_PAUSE).await;
            }
            begun => return go_on(shared, begun?, ctx.idempotency).await,
        }
    }
}

/// Cancels an invoice for a caller.
pub(super) async fn cancel(
    shared: Arc<Shared>,
    ctx: Ctx,
    command: CancelInvoice,
) -> Written<Invoice, InvoiceError> {
    let (own, until, key) =
        (Arc::clone(&shared), shared.claim_until(shared.clock.now()), ctx.idempotency.clone());
    let begun = spawn_blocking(move || own.sagas.begin_cancelling(ctx, command, until)).await;
    go_on(shared, begun.map_err(|_| broken("signing the request panicked"))??, key).await
}

async fn go_on(
    shared: Arc<Shared>,
    begun: Done<Begun>,
    idempotency: Option<Idempotency>,
) -> Written<Invoice, InvoiceError> {
    match begun.value {
        Begun::Already(invoice) => Ok(Done { value: *invoice, replayed: begun.replayed }),
        Begun::Task(task) => carry(&shared, *task, idempotency).await,
    }
}

/// Takes up what is due and held by nobody.
pub(super) async fn take_up(shared: &Arc<Shared>) -> Result<(), Fault> {
    let gone = || Fault::Unavailable("the store is shutting down".to_owned());
    let now = shared.clock.now();
    if !shared.sagas.has_due(now).await.unwrap_or_else(|| Err(gone()))? {
        return Ok(());
    }
    let room = u32::try_from(shared.slots.available_permits()).unwrap_or(u32::MAX);
    let claimed = shared.sagas.claim_due(now, shared.claim_until(now), room).await;
    let tasks = match claimed {
        Some(Ok(done)) => done.value,
        Some(Err(Refused::Fault(fault))) => return Err(fault),
        Some(Err(_)) | None => return Err(gone()),
    };
    for task in tasks {
        shared.gauges.count_taken_up();
        let own = Arc::clone(shared);
        tokio::spawn(async move {
            let Ok(_slot) = own.slots.acquire().await else { return };
            let (invoice, attempts) = (task.invoice, task.attempts + 1);
            match carry(&own, task, None).await {
                Ok(done) => {
                    let status = done.value.status.name();
                    tracing::info!(%invoice, status, attempts, "resumed a pending stamping or \
                        cancellation");
                }
                Err(refused) => tracing::warn!(%invoice, attempts, ?refused, "a pending stamping \
                    or cancellation is still not complete"),
            }
        });
    }
    Ok(())
}

/// Calls the provider, records the end, and goes on with what follows at once.
async fn carry(
    shared: &Shared,
    mut task: Task,
    idempotency: Option<Idempotency>,
) -> Written<Invoice, InvoiceError> {
    loop {
        let ended = perform(shared, &task).await;
        shared.gauges.count(&ended);
        let error = error_of(&ended, task.doubtful);
        let recorded = record(shared, &task, ended, idempotency.as_ref()).await?;
        match (recorded.next, error) {
            (Some(next), _) => task = next,
            (None, Some(_)) if recorded.invoice.status == Status::Stamped && is_stamp(&task) => {
                // Another has brought the stamp meanwhile.
                return Ok(Done::now(recorded.invoice));
            }
            (None, error) if is_another_at_it(&task, error.as_ref(), &recorded.invoice) => {
                return Err(Refused::Rule(InvoiceError::UnderWay));
            }
            (None, Some(error)) => return Err(Refused::Rule(error)),
            (None, None) => return Ok(Done::now(recorded.invoice)),
        }
    }
}

/// Whether the end did not count, since the claim had passed to another: then nobody is to be told that it
/// is all over.
fn is_another_at_it(task: &Task, error: Option<&InvoiceError>, invoice: &Invoice) -> bool {
    let requested =
        |cancellation: &cancel::Cancellation| cancellation.status == CancellationStatus::Requested;
    match error {
        None => is_stamp(task) && matches!(invoice.status, Status::Draft | Status::Stamping),
        Some(InvoiceError::Provider(_) | InvoiceError::ProviderUnavailable { .. }) => {
            match is_stamp(task) {
                true => invoice.status == Status::Stamping,
                false => invoice.cancellation.as_ref().is_some_and(requested),
            }
        }
        Some(_) => false,
    }
}

fn is_stamp(task: &Task) -> bool {
    matches!(task.step, Step::Stamp { .. })
}

/// What a caller is told of an end that is not what was asked for.
fn error_of(ended: &Ended, doubtful: bool) -> Option<InvoiceError> {
    match ended {
        Ended::Stamping(Verdict::Stamped { .. })
        | Ended::Cancelling(CancelOutcome::Received { .. })
        | Ended::Following(_) => None,
        Ended::Stamping(Verdict::Back(rejection)) if rejection.code == NOT_TAKEN => {
            Some(InvoiceError::ProviderUnavailable { reason: rejection.message.clone() })
        }
        Ended::Stamping(Verdict::Back(rejection))
        | Ended::Cancelling(CancelOutcome::Rejected(rejection)) => {
            Some(InvoiceError::Provider(rejection.clone()))
        }
        Ended::Stamping(Verdict::Wait { reason }) => {
            Some(InvoiceError::OutcomeUnknown { reason: reason.clone() })
        }
        Ended::Stamping(Verdict::Recover) => Some(InvoiceError::OutcomeUnknown {
            reason: "the provider had already stamped the invoice but did not return the stamp"
                .to_owned(),
        }),
        Ended::Cancelling(CancelOutcome::NotTaken { reason }) if !doubtful => {
            Some(InvoiceError::ProviderUnavailable { reason: reason.clone() })
        }
        Ended::Cancelling(
            CancelOutcome::NotTaken { reason } | CancelOutcome::Unknown { reason },
        ) => Some(InvoiceError::OutcomeUnknown { reason: reason.clone() }),
    }
}

async fn record(
    shared: &Shared,
    task: &Task,
    ended: Ended,
    idempotency: Option<&Idempotency>,
) -> Result<Recorded, Refused<InvoiceError>> {
    for attempt in 1.. {
        let now = shared.clock.now();
        let answer =
            shared.sagas.record(task.clone(), ended.clone(), idempotency.cloned(), now).await;
        match answer {
            Some(Ok(done)) => return Ok(done.value),
            Some(Err(Refused::Fault(Fault::Unavailable(reason)))) if attempt < RECORDS_MAX => {
                tracing::warn!(invoice = %task.invoice, reason, "the outcome is not recorded yet");
                sleep(RECORD_PAUSE).await;
            }
            Some(Err(refused)) => return Err(refused),
            None => break,
        }
    }
    Err(Refused::Fault(Fault::Unavailable("the store is shutting down".to_owned())))
}

/// Makes the calls of one step.
async fn perform(shared: &Shared, task: &Task) -> Ended {
    let provider = shared.directory.provider_for(task);
    let limit = shared.settings.call_time();
    match (&task.step, provider) {
        (Step::Stamp { document, seal }, Ok(provider)) => {
            let verdict = stamped(&*provider, document, seal, task.doubtful, limit).await;
            Ended::Stamping(verdict)
        }
        (Step::Stamp { seal, .. }, Err(reason)) => {
            let outcome = StampOutcome::NotTaken { reason };
            Ended::Stamping(stamping::interpret(outcome, seal, task.doubtful))
        }
        (Step::Cancel { request, expression }, Ok(provider)) => {
            let outcome = cancelled(&*provider, request, expression, task.doubtful, limit).await;
            Ended::Cancelling(outcome)
        }
        (Step::Cancel { .. }, Err(reason)) => Ended::Cancelling(CancelOutcome::NotTaken { reason }),
        (Step::Follow(expression), Ok(provider)) => {
            let call = timeout(limit, provider.status(expression.clone())).await;
            let outcome = call.unwrap_or_else(|_| StatusOutcome::Unknown { reason: late(limit) });
            Ended::Following(outcome)
        }
        (Step::Follow(_), Err(reason)) => Ended::Following(StatusOutcome::Unknown { reason }),
    }
}

async fn cancelled(
    provider: &dyn Provider,
    request: &ToCancel,
    expression: &Expression,
    doubtful: bool,
    limit: Duration,
) -> CancelOutcome {
    let call = timeout(limit, provider.cancel(request.clone())).await;
    match call.unwrap_or_else(|_| CancelOutcome::Unknown { reason: late(limit) }) {
        CancelOutcome::Rejected(rejection) if doubtful => {
            let call = timeout(limit, provider.status(expression.clone())).await;
            let status = call.unwrap_or_else(|_| StatusOutcome::Unknown { reason: late(limit) });
            cancel::interpret_doubtful(rejection, status)
        }
        outcome => outcome,
    }
}

async fn stamped(
    provider: &dyn Provider,
    document: &ToStamp,
    seal: &str,
    doubtful: bool,
    limit: Duration,
) -> Verdict {
    let call = timeout(limit, provider.stamp(document.clone())).await;
    let outcome = call.unwrap_or_else(|_| StampOutcome::Unknown { reason: late(limit) });
    let rejected: Option<Rejection> = match &outcome {
        StampOutcome::Rejected(rejection) => Some(rejection.clone()),
        _ => None,
    };
    match stamping::interpret(outcome, seal, doubtful) {
        Verdict::Recover => {
            let call = timeout(limit, provider.recover(document.clone())).await;
            let recovery = call.unwrap_or_else(|_| Recovery::Unknown { reason: late(limit) });
            stamping::interpret_recovery(recovery, seal, rejected)
        }
        verdict => verdict,
    }
}

fn late(limit: Duration) -> String {
    format!("no answer within {} s", limit.as_secs())
}
