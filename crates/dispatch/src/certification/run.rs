//! One call to a provider from its beginning to an end or a pause.

use std::{sync::Arc, time::Duration};

use invoices::{
    Cancellation, CancellationStatus, Certified, InvoiceError, ProviderCalls, Status,
    calls::{Begun, Directory, Ended, ProviderCall, Recorded, Step},
    cancel,
    provider::{
        CancelOutcome, Expression, Provider, Recovery, Rejection, StampOutcome, StatusOutcome,
        ToCancel, ToStamp,
    },
    stamping::{self, NOT_TAKEN, Verdict, pause_seconds},
};
use kernel::{Clock, Ctx, Done, Fault, Idempotency, Refused, Timestamp, Written, reason::Reason};
use tasks::{End, Pause, Task};
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep, timeout},
};

use super::{CertificationSettings, gauges::Gauges};
use crate::{
    recorded::{gone, recorded},
    tasks::{Performed, TaskSettings},
};

/// What all calls share.
pub(super) struct Shared<T: Certified> {
    pub(super) settings: CertificationSettings,
    pub(super) calls: Arc<dyn ProviderCalls<T>>,
    pub(super) directory: Arc<dyn Directory>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) gauges: Gauges,
}

/// Between two looks whether a twin has its answer.
const TWIN_PAUSE: Duration = Duration::from_millis(100);

impl<T: Certified> Shared<T> {
    fn claim_until(&self, now: Timestamp) -> Timestamp {
        self.settings.claim_until(now)
    }
}

fn broken(what: &str) -> Refused<InvoiceError> {
    Refused::Fault(Fault::Internal(what.to_owned()))
}

/// Stamps for a caller. Who sends one request twice under one key gets one answer twice, and waits
/// for it.
pub(super) async fn stamp<T: Certified>(
    shared: Arc<Shared<T>>,
    ctx: Ctx,
    id: T::Id,
    version: Option<i64>,
) -> Written<T, InvoiceError> {
    let deadline = Instant::now() + shared.settings.claim_time();
    loop {
        let claimed = shared.clock.now();
        let (own, asked, until) = (Arc::clone(&shared), ctx.clone(), shared.claim_until(claimed));
        let begun =
            spawn_blocking(move || own.calls.begin_stamping(asked, id, version, until)).await;
        match begun.map_err(|_| broken("sealing panicked"))? {
            Err(Refused::Rule(InvoiceError::UnderWay))
                if ctx.idempotency.is_some() && Instant::now() < deadline =>
            {
                sleep(TWIN_PAUSE).await;
            }
            begun => return go_on(shared, begun?, ctx.idempotency, claimed).await,
        }
    }
}

/// Cancels for a caller.
pub(super) async fn cancel<T: Certified>(
    shared: Arc<Shared<T>>,
    ctx: Ctx,
    command: T::Cancel,
) -> Written<T, InvoiceError> {
    let claimed = shared.clock.now();
    let (own, until, key) =
        (Arc::clone(&shared), shared.claim_until(claimed), ctx.idempotency.clone());
    let begun = spawn_blocking(move || own.calls.begin_cancelling(ctx, command, until)).await;
    let begun = begun.map_err(|_| broken("signing the request panicked"))??;
    go_on(shared, begun, key, claimed).await
}

async fn go_on<T: Certified>(
    shared: Arc<Shared<T>>,
    begun: Done<Begun<T>>,
    idempotency: Option<Idempotency>,
    claimed: Timestamp,
) -> Written<T, InvoiceError> {
    match begun.value {
        Begun::Already(subject) => Ok(Done { value: *subject, replayed: begun.replayed }),
        // The claim may run out during the call: whoever takes the task over then makes it.
        Begun::Call(_) if !TaskSettings::is_in_time(claimed, shared.clock.now()) => {
            let reason = Reason::SentLater.alone();
            Err(Refused::Rule(InvoiceError::OutcomeUnknown { reason }))
        }
        Begun::Call(call) => carry(&shared, *call, idempotency).await,
    }
}

/// One attempt at a task that was taken up: what it asks is read, asked, and recorded.
pub(super) async fn attempt<T: Certified>(shared: Arc<Shared<T>>, task: Task) -> Performed {
    let (Some(id), Some(claim)) = (T::id_of(&task.subject), task.claim) else {
        return Performed::Ended(End::Failed("names nothing that could be stamped".to_owned()));
    };
    match shared.calls.call(task.account, id, claim.id).await.unwrap_or_else(|| Err(gone())) {
        Ok(Some(call)) => match carry(&shared, call, None).await {
            Ok(done) => {
                let status = done.value.status().name();
                tracing::info!(subject = %id, status, "resumed a pending stamping or cancellation");
                Performed::Recorded
            }
            Err(refused) => {
                tracing::warn!(subject = %id, ?refused, "a pending stamping or cancellation is still \
                    not complete");
                Performed::Recorded
            }
        },
        Ok(None) => Performed::Recorded,
        // Credentials that no key opens stop no other task; the claim keeps this one for later.
        Err(fault) => {
            tracing::error!(subject = %id, %fault, "a pending stamping or cancellation cannot be read");
            let seconds = pause_seconds(task.attempts.saturating_add(1));
            Performed::Postponed(Pause { seconds, is_doubtful: false, reason: fault.to_string() })
        }
    }
}

/// Calls the provider, records the end, and goes on with what follows at once.
async fn carry<T: Certified>(
    shared: &Shared<T>,
    mut call: ProviderCall<T::Id>,
    idempotency: Option<Idempotency>,
) -> Written<T, InvoiceError> {
    loop {
        let ended = perform(shared, &call).await;
        shared.gauges.count(&ended);
        let error = error_of(&ended, call.doubtful);
        let recorded = record(shared, &call, ended, idempotency.as_ref()).await?;
        match (recorded.next, error) {
            (Some(next), _) => call = next,
            (None, Some(_)) if recorded.subject.status() == Status::Stamped && is_stamp(&call) => {
                // Another has brought the stamp meanwhile.
                return Ok(Done::now(recorded.subject));
            }
            (None, error) if is_another_at_it(&call, error.as_ref(), &recorded.subject) => {
                return Err(Refused::Rule(InvoiceError::UnderWay));
            }
            (None, Some(error)) => return Err(Refused::Rule(error)),
            (None, None) => return Ok(Done::now(recorded.subject)),
        }
    }
}

/// Whether the end did not count, since the claim had passed to another: then nobody is to be told that it
/// is all over.
fn is_another_at_it<T: Certified>(
    call: &ProviderCall<T::Id>,
    error: Option<&InvoiceError>,
    subject: &T,
) -> bool {
    let requested =
        |cancellation: &Cancellation| cancellation.status == CancellationStatus::Requested;
    match error {
        None => is_stamp(call) && matches!(subject.status(), Status::Draft | Status::Stamping),
        Some(InvoiceError::Provider(_) | InvoiceError::ProviderUnavailable { .. }) => {
            match is_stamp(call) {
                true => subject.status() == Status::Stamping,
                false => subject.cancellation().is_some_and(requested),
            }
        }
        Some(_) => false,
    }
}

fn is_stamp<I>(call: &ProviderCall<I>) -> bool {
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
        Ended::Stamping(Verdict::Recover) => {
            Some(InvoiceError::OutcomeUnknown { reason: Reason::StampNotReturned.alone() })
        }
        Ended::Cancelling(CancelOutcome::NotTaken { reason }) if !doubtful => {
            Some(InvoiceError::ProviderUnavailable { reason: reason.clone() })
        }
        Ended::Cancelling(
            CancelOutcome::NotTaken { reason } | CancelOutcome::Unknown { reason },
        ) => Some(InvoiceError::OutcomeUnknown { reason: reason.clone() }),
    }
}

async fn record<T: Certified>(
    shared: &Shared<T>,
    call: &ProviderCall<T::Id>,
    ended: Ended,
    idempotency: Option<&Idempotency>,
) -> Result<Recorded<T>, Refused<InvoiceError>> {
    recorded(&call.subject, || {
        let now = shared.clock.now();
        shared.calls.record(call.clone(), ended.clone(), idempotency.cloned(), now)
    })
    .await
}

/// Makes the calls of one step.
async fn perform<T: Certified>(shared: &Shared<T>, call: &ProviderCall<T::Id>) -> Ended {
    let provider = shared.directory.provider_for(&call.callee);
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
            let doubt = expression.as_ref().filter(|_| call.doubtful);
            Ended::Cancelling(cancelled(&*provider, request, doubt, limit).await)
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

/// Sends a request to cancel. In doubt whether an earlier one has come through, a refusal counts only with what the
/// authority says of the document.
async fn cancelled(
    provider: &dyn Provider,
    request: &ToCancel,
    doubt: Option<&Expression>,
    limit: Duration,
) -> CancelOutcome {
    let answer = timeout(limit, provider.cancel(request.clone())).await;
    let outcome = answer.unwrap_or_else(|_| CancelOutcome::Unknown { reason: late(limit) });
    match (outcome, doubt) {
        (CancelOutcome::Rejected(rejection), Some(expression)) => {
            let answer = timeout(limit, provider.status(expression.clone())).await;
            let status = answer.unwrap_or_else(|_| StatusOutcome::Unknown { reason: late(limit) });
            cancel::interpret_doubtful(rejection, status)
        }
        (outcome, _) => outcome,
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
    Reason::TimedOut.kept(format_args!("{} s", limit.as_secs()))
}
