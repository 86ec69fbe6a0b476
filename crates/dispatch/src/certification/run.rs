//! One call to a provider from its beginning to an end or a pause.

use std::{sync::Arc, time::Duration};

use invoices::{
    CancelInvoice, CancellationStatus, Invoice, InvoiceError, InvoiceId, ProviderCalls, Status,
    calls::{Begun, Directory, Ended, ProviderCall, Recorded, Step},
    cancel,
    provider::{
        CancelOutcome, Expression, Provider, Recovery, Rejection, StampOutcome, StatusOutcome,
        ToCancel, ToStamp,
    },
    stamping::{self, NOT_TAKEN, Verdict, pause_seconds},
};
use kernel::{Clock, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written};
use tasks::{End, Pause, Task};
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep, timeout},
};

use super::{CertificationSettings, gauges::Gauges};
use crate::{
    recorded::{gone, recorded},
    tasks::Performed,
};

/// What all calls share.
pub(super) struct Shared {
    pub(super) settings: CertificationSettings,
    pub(super) calls: Arc<dyn ProviderCalls>,
    pub(super) directory: Arc<dyn Directory>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) gauges: Gauges,
}

/// Between two looks whether a twin has its answer.
const TWIN_PAUSE: Duration = Duration::from_millis(100);

impl Shared {
    fn claim_until(&self, now: Timestamp) -> Timestamp {
        self.settings.claim_until(now)
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
    let deadline = Instant::now() + shared.settings.claim_time();
    loop {
        let (own, asked, until) =
            (Arc::clone(&shared), ctx.clone(), shared.claim_until(shared.clock.now()));
        let begun = spawn_blocking(move || own.calls.begin_stamping(asked, id, until)).await;
        match begun.map_err(|_| broken("sealing panicked"))? {
            Err(Refused::Rule(InvoiceError::UnderWay))
                if ctx.idempotency.is_some() && Instant::now() < deadline =>
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
    let begun = spawn_blocking(move || own.calls.begin_cancelling(ctx, command, until)).await;
    go_on(shared, begun.map_err(|_| broken("signing the request panicked"))??, key).await
}

async fn go_on(
    shared: Arc<Shared>,
    begun: Done<Begun>,
    idempotency: Option<Idempotency>,
) -> Written<Invoice, InvoiceError> {
    match begun.value {
        Begun::Already(invoice) => Ok(Done { value: *invoice, replayed: begun.replayed }),
        Begun::Call(call) => carry(&shared, *call, idempotency).await,
    }
}

/// One attempt at a task that was taken up: what it asks is read, asked, and recorded.
pub(super) async fn attempt(shared: Arc<Shared>, task: Task) -> Performed {
    let (Some(invoice), Some(claim)) = (InvoiceId::parse(&task.subject), task.claim) else {
        return Performed::Ended(End::Failed("names no invoice".to_owned()));
    };
    match shared.calls.call(task.account, invoice, claim.id).await.unwrap_or_else(|| Err(gone())) {
        Ok(Some(call)) => match carry(&shared, call, None).await {
            Ok(done) => {
                let status = done.value.status.name();
                tracing::info!(%invoice, status, "resumed a pending stamping or cancellation");
                Performed::Recorded
            }
            Err(refused) => {
                tracing::warn!(%invoice, ?refused, "a pending stamping or cancellation is still \
                    not complete");
                Performed::Recorded
            }
        },
        Ok(None) => Performed::Recorded,
        // Credentials that no key opens stop no other task; the claim keeps this one for later.
        Err(fault) => {
            tracing::error!(%invoice, %fault, "a pending stamping or cancellation cannot be read");
            let seconds = pause_seconds(task.attempts.saturating_add(1));
            Performed::Postponed(Pause { seconds, is_doubtful: false, reason: fault.to_string() })
        }
    }
}

/// Calls the provider, records the end, and goes on with what follows at once.
async fn carry(
    shared: &Shared,
    mut call: ProviderCall,
    idempotency: Option<Idempotency>,
) -> Written<Invoice, InvoiceError> {
    loop {
        let ended = perform(shared, &call).await;
        shared.gauges.count(&ended);
        let error = error_of(&ended, call.doubtful);
        let recorded = record(shared, &call, ended, idempotency.as_ref()).await?;
        match (recorded.next, error) {
            (Some(next), _) => call = next,
            (None, Some(_)) if recorded.invoice.status == Status::Stamped && is_stamp(&call) => {
                // Another has brought the stamp meanwhile.
                return Ok(Done::now(recorded.invoice));
            }
            (None, error) if is_another_at_it(&call, error.as_ref(), &recorded.invoice) => {
                return Err(Refused::Rule(InvoiceError::UnderWay));
            }
            (None, Some(error)) => return Err(Refused::Rule(error)),
            (None, None) => return Ok(Done::now(recorded.invoice)),
        }
    }
}

/// Whether the end did not count, since the claim had passed to another: then nobody is to be told that it
/// is all over.
fn is_another_at_it(call: &ProviderCall, error: Option<&InvoiceError>, invoice: &Invoice) -> bool {
    let requested =
        |cancellation: &cancel::Cancellation| cancellation.status == CancellationStatus::Requested;
    match error {
        None => is_stamp(call) && matches!(invoice.status, Status::Draft | Status::Stamping),
        Some(InvoiceError::Provider(_) | InvoiceError::ProviderUnavailable { .. }) => {
            match is_stamp(call) {
                true => invoice.status == Status::Stamping,
                false => invoice.cancellation.as_ref().is_some_and(requested),
            }
        }
        Some(_) => false,
    }
}

fn is_stamp(call: &ProviderCall) -> bool {
    matches!(call.step, Step::Stamp { .. })
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
    call: &ProviderCall,
    ended: Ended,
    idempotency: Option<&Idempotency>,
) -> Result<Recorded, Refused<InvoiceError>> {
    recorded(&call.invoice, || {
        let now = shared.clock.now();
        shared.calls.record(call.clone(), ended.clone(), idempotency.cloned(), now)
    })
    .await
}

/// Makes the calls of one step.
async fn perform(shared: &Shared, call: &ProviderCall) -> Ended {
    let provider = shared.directory.provider_for(call);
    let limit = shared.settings.call_time();
    match (&call.step, provider) {
        (Step::Stamp { document, seal }, Ok(provider)) => {
            let verdict = stamped(&*provider, document, seal, call.doubtful, limit).await;
            Ended::Stamping(verdict)
        }
        (Step::Stamp { seal, .. }, Err(reason)) => {
            let outcome = StampOutcome::NotTaken { reason };
            Ended::Stamping(stamping::interpret(outcome, seal, call.doubtful))
        }
        (Step::Cancel { request, expression }, Ok(provider)) => {
            let outcome = cancelled(&*provider, request, expression, call.doubtful, limit).await;
            Ended::Cancelling(outcome)
        }
        (Step::Cancel { .. }, Err(reason)) => Ended::Cancelling(CancelOutcome::NotTaken { reason }),
        (Step::Follow(expression), Ok(provider)) => {
            let answer = timeout(limit, provider.status(expression.clone())).await;
            let outcome = answer.unwrap_or_else(|_| StatusOutcome::Unknown { reason: late(limit) });
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
    let answer = timeout(limit, provider.cancel(request.clone())).await;
    match answer.unwrap_or_else(|_| CancelOutcome::Unknown { reason: late(limit) }) {
        CancelOutcome::Rejected(rejection) if doubtful => {
            let answer = timeout(limit, provider.status(expression.clone())).await;
            let status = answer.unwrap_or_else(|_| StatusOutcome::Unknown { reason: late(limit) });
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
    let answer = timeout(limit, provider.stamp(document.clone())).await;
    let outcome = answer.unwrap_or_else(|_| StampOutcome::Unknown { reason: late(limit) });
    let rejected: Option<Rejection> = match &outcome {
        StampOutcome::Rejected(rejection) => Some(rejection.clone()),
        _ => None,
    };
    match stamping::interpret(outcome, seal, doubtful) {
        Verdict::Recover => {
            let answer = timeout(limit, provider.recover(document.clone())).await;
            let recovery = answer.unwrap_or_else(|_| Recovery::Unknown { reason: late(limit) });
            stamping::interpret_recovery(recovery, seal, rejected)
        }
        verdict => verdict,
    }
}

fn late(limit: Duration) -> String {
    format!("no answer within {} s", limit.as_secs())
}
