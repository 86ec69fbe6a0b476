//! Payments as far as providers have to be called: for whoever asks, and as durable work.

mod desk;
mod gauges;
mod notices;
mod reconciling;
mod sandbox_news;

use std::{sync::Arc, time::Duration};

use kernel::{AccountId, Clock, Ctx, Done, Fault, Gauge, Refused, Written, reason::Reason};
use payments::{
    CallFault, CallKind, CallQueue, Gateway, Gateways, NewPayment, Payment, PaymentError,
    PaymentId,
    calls::Step,
    gateway::{Asked, AskedRefund},
    reconcile::{Reconciled, Wanted},
    sandbox::{Charges, Teller},
    service::{Attempted, Begin, Subject},
};
use tasks::{
    Pause, Task, TaskKind,
    kind::{PAYMENT_CALL, PAYMENT_CHECK, REFUND},
};
use tokio::time::{Instant, timeout};

pub use desk::CollectingDesk;
use gauges::Gauges;

use crate::{
    recorded::{self, gone, recorded},
    tasks::{Hold, Performed, Performing, TaskEngine, Work},
};

/// How long one call to a provider may take.
const CALL_TIME: Duration = Duration::from_secs(15);
/// Seconds before an attempt is made again that could not be recorded or looked up.
const UNREAD_PAUSE: i64 = 5;

/// Payments through providers: what the engine is given to do, and what serves callers with it.
#[derive(Clone)]
pub struct Collecting(Arc<Shared>);

struct Shared {
    queue: Arc<dyn CallQueue>,
    gateways: Arc<dyn Gateways>,
    charges: Arc<dyn Charges>,
    /// Who carries the notifications of the sandbox.
    teller: Arc<dyn Teller>,
    clock: Arc<dyn Clock>,
    gauges: Gauges,
}

impl Collecting {
    /// Calls on record in `queue`, made to `gateways`; the sandbox keeps its books in `charges`.
    pub fn new(
        queue: Arc<dyn CallQueue>,
        gateways: Arc<dyn Gateways>,
        charges: Arc<dyn Charges>,
        teller: Arc<dyn Teller>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let gauges = Gauges::default();
        Self(Arc::new(Shared { queue, gateways, charges, teller, clock, gauges }))
    }

    /// The kinds of work that this is.
    #[must_use]
    pub fn works(&self) -> Vec<Arc<dyn Work>> {
        let calls = |kind: &'static TaskKind| -> Arc<dyn Work> {
            Arc::new(Calling { kind, shared: Arc::clone(&self.0) })
        };
        vec![
            calls(&PAYMENT_CALL),
            calls(&REFUND),
            calls(&PAYMENT_CHECK),
            Arc::new(notices::LookingInto(Arc::clone(&self.0))),
            Arc::new(sandbox_news::Telling(Arc::clone(&self.0))),
        ]
    }

    /// Figures for monitoring.
    #[must_use]
    pub fn gauges(&self) -> Vec<Gauge> {
        self.0.gauges.read()
    }

    /// Compares the payments of an account with what its providers list, for whoever has no engine.
    ///
    /// # Errors
    /// When a provider or the store gives no answer.
    pub async fn reconciled(
        &self,
        account: AccountId,
        wanted: Wanted,
    ) -> Written<Reconciled, PaymentError> {
        self.0.reconciled(account, wanted).await.map(Done::now)
    }

    /// Records a payment in hand for work that holds a place of its own in the engine: nobody is called.
    pub(crate) async fn record_in_hand(
        &self,
        ctx: Ctx,
        new: NewPayment,
    ) -> Result<PaymentId, Refused<PaymentError>> {
        let now = ctx.now;
        let begun = self.0.queue.begin(ctx, Begin::Create(Box::new(new)), now).await;
        Ok(begun.unwrap_or_else(|| Err(gone().into()))?.value.payment)
    }

    /// Serves callers on the engine that does this work.
    #[must_use]
    pub fn on(&self, engine: Arc<TaskEngine>) -> CollectingDesk {
        CollectingDesk { engine, shared: Arc::clone(&self.0) }
    }
}

/// Calling a provider about a payment, as the engine does it.
struct Calling {
    kind: &'static TaskKind,
    shared: Arc<Shared>,
}

impl Work for Calling {
    fn kind(&self) -> &'static TaskKind {
        self.kind
    }

    fn attempt_time(&self) -> Duration {
        CALL_TIME + Duration::from_secs(5)
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let subject = match shared.queue.subject(&task).await.unwrap_or_else(|| Err(gone())) {
                Ok(subject) => subject,
                Err(fault) => return later(&fault),
            };
            let attempted = match subject {
                Some(subject) => {
                    let begun = Instant::now();
                    let attempted = shared.attempt(&task, subject).await;
                    shared.gauges.count(&attempted, begun.elapsed());
                    if let Some(fault) = gauges::fault(&attempted) {
                        let (kind, reason) = (task.kind.as_str(), fault.kept());
                        tracing::warn!(task = %task.id, kind, reason, "a payment provider was called in vain");
                    }
                    attempted
                }
                // Whatever it was about is gone or over; recording nothing new ends the task.
                None => Attempted::Fetched(Err(CallFault::Unknown(Reason::NotDone.alone()))),
            };
            let settled = recorded(&task.id, || {
                shared.queue.settle(&task, attempted.clone(), shared.clock.now())
            });
            match settled.await {
                Ok(_) => Performed::Recorded,
                Err(refused) => unrecorded(&refused, true),
            }
        })
    }
}

/// Another attempt, since nobody knows what has come of this one.
fn unrecorded<E: std::fmt::Debug>(refused: &Refused<E>, is_doubtful: bool) -> Performed {
    let reason = recorded::unrecorded(refused);
    Performed::Postponed(Pause { seconds: UNREAD_PAUSE, is_doubtful, reason })
}

fn later(fault: &Fault) -> Performed {
    let reason = fault.to_string();
    Performed::Postponed(Pause { seconds: UNREAD_PAUSE, is_doubtful: false, reason })
}

/// An outcome within the time that a call may take.
async fn in_time<T>(call: impl Future<Output = Result<T, CallFault>>) -> Result<T, CallFault> {
    let ended = timeout(CALL_TIME, call).await;
    ended.unwrap_or_else(|_| {
        Err(CallFault::Unknown(Reason::TimedOut.kept(format_args!("{} s", CALL_TIME.as_secs()))))
    })
}

impl Shared {
    fn gateway(&self, task: &Task, subject: &Subject) -> Result<Arc<dyn Gateway>, CallFault> {
        let (kind, credentials) = (subject.payment.provider, subject.credentials.as_ref());
        self.gateways.gateway(task.account, kind, credentials).map_err(CallFault::Config)
    }

    /// One attempt at whatever a task is about.
    async fn attempt(&self, task: &Task, subject: Subject) -> Attempted {
        let gateway = self.gateway(task, &subject);
        let Subject { payment, call, refund, .. } = subject;
        let now = self.clock.now();
        let key_seconds = key_seconds(&payment);
        let call = match (&refund, call) {
            (Some(refund), _) => Some(refund.call.clone()),
            (None, call) => call,
        };
        let asked = |call: &payments::Call| Asked {
            account: task.account,
            payment: payment.clone(),
            call: call.id,
            tries: call.tries,
            now,
        };
        let Some(mut call) = call.filter(|_| task.kind != PAYMENT_CHECK.name) else {
            let check = payments::Call::open(
                payments::CallId::from_u128(task.id.to_u128()),
                payment.id,
                CallKind::Create,
                None,
                now,
            );
            let asked = asked(&check);
            return Attempted::Fetched(match gateway {
                Ok(gateway) => in_time(gateway.fetch(asked)).await,
                Err(fault) => Err(fault),
            });
        };
        // Whoever was at it before may have made it.
        call.is_unknown |= task.is_doubtful;
        let step = call.step(key_seconds, now);
        let asked = asked(&call);
        match (gateway, refund, step) {
            (Err(fault), Some(_), _) => Attempted::Refunded(Err(fault)),
            (Err(fault), None, Step::Make) => Attempted::Called(Err(fault)),
            (Err(fault), None, Step::Find) => Attempted::Found(Err(fault)),
            (Ok(gateway), Some(refund), Step::Make) => Attempted::Refunded(
                in_time(gateway.refund(AskedRefund { of: asked, refund })).await,
            ),
            (Ok(gateway), _, Step::Find) => Attempted::Found(in_time(gateway.find(asked)).await),
            (Ok(gateway), None, Step::Make) => {
                let amount = call.amount.unwrap_or(payment.authorized);
                Attempted::Called(match call.kind {
                    CallKind::Create => in_time(gateway.create(asked)).await,
                    CallKind::Capture => in_time(gateway.capture(asked, amount)).await,
                    CallKind::Cancel => in_time(gateway.cancel(asked)).await,
                    CallKind::Refund => Err(CallFault::Unknown("not a refund".to_owned())),
                })
            }
        }
    }
}

/// For how many seconds the provider of a payment knows a repeated call.
fn key_seconds(payment: &Payment) -> i64 {
    let capabilities = payment.provider.capabilities(payment.method, payment.currency);
    capabilities.map_or(0, |capabilities| capabilities.key_seconds)
}
