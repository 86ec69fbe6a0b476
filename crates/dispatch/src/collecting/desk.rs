//! Payments for callers who wait: each is answered after the first attempt, in the state reached.

use std::sync::Arc;

use kernel::{AccountId, Amount, Ctx, Done, Fault, Pending, Refused, Timestamp, Written};
use payments::{
    Collector, NewPayment, NewRefund, Notice, NoticeId, NoticeStatus, Payment, PaymentError,
    PaymentId, ProviderKind, Refund, Seen,
    gateway::{Asked, Verified},
    link::Attempt,
    notice::Received,
    provider::is_in_hand,
    reconcile::{Reconciled, Wanted},
    sandbox::{Deed, Denied},
    service::{Begin, Begun, Subject, Taken},
};
use tasks::{
    TaskKind,
    kind::{PAYMENT_CALL, PAYMENT_CHECK, REFUND},
};

use super::{Shared, in_time};
use crate::{recorded::gone, tasks::TaskEngine};

type Refusal = Refused<PaymentError>;

/// Serves callers.
pub struct CollectingDesk {
    pub(super) engine: Arc<TaskEngine>,
    pub(super) shared: Arc<Shared>,
}

impl CollectingDesk {
    /// Begins something, waits for the first attempt, and says what there is then.
    fn attend<T, F>(
        &self,
        kind: &'static TaskKind,
        ctx: Ctx,
        begin: Begin,
        conclude: impl FnOnce(Arc<Shared>, AccountId, Begun) -> F + Send + 'static,
    ) -> Pending<Written<T, PaymentError>>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Refusal>> + Send + 'static,
    {
        let (account, shared) = (ctx.account, Arc::clone(&self.shared));
        let opening = Arc::clone(&shared);
        let open = move |until| opening.queue.begin(ctx, begin, until);
        let task_of = |begun: &Begun| begun.task.clone();
        self.engine.attend_if(kind, account, open, task_of, move |done| async move {
            let Done { value: begun, replayed } = done;
            Ok(Done { value: conclude(shared, account, begun).await?, replayed })
        })
    }
}

pub(super) async fn answered<T>(pending: Pending<Result<T, Fault>>) -> Result<T, Refusal> {
    Ok(pending.await.unwrap_or_else(|| Err(gone()))?)
}

async fn payment_of(
    shared: Arc<Shared>,
    account: AccountId,
    begun: Begun,
) -> Result<Payment, Refusal> {
    let found = answered(shared.queue.payment(account, begun.payment)).await?;
    found.map(|subject| subject.payment).ok_or(Refused::NotFound)
}

async fn refund_of(
    shared: Arc<Shared>,
    account: AccountId,
    begun: Begun,
) -> Result<Refund, Refusal> {
    let id = begun.refund.ok_or(Refused::AnswerUnreadable)?;
    answered(shared.queue.refund(account, id)).await?.ok_or(Refused::NotFound)
}

impl Collector for CollectingDesk {
    fn create(&self, ctx: Ctx, new: NewPayment) -> Pending<Written<Payment, PaymentError>> {
        if !is_in_hand(new.provider, new.method) {
            return self.attend(&PAYMENT_CALL, ctx, Begin::Create(Box::new(new)), payment_of);
        }
        // Nobody is called, so that there is no line to wait in.
        let (shared, account, now) = (Arc::clone(&self.shared), ctx.account, ctx.now);
        self.engine.run(async move {
            let begun = shared.queue.begin(ctx, Begin::Create(Box::new(new)), now).await;
            let Done { value: begun, replayed } = begun.unwrap_or_else(|| Err(gone().into()))?;
            let value = match begun.recorded {
                Some(payment) => payment,
                None => payment_of(shared, account, begun).await?,
            };
            Ok(Done { value, replayed })
        })
    }

    fn attempt(&self, ctx: Ctx, attempt: Attempt) -> Pending<Written<Payment, PaymentError>> {
        self.attend(&PAYMENT_CALL, ctx, Begin::Attempt(attempt), payment_of)
    }

    fn capture(
        &self,
        ctx: Ctx,
        id: PaymentId,
        amount: Option<Amount>,
    ) -> Pending<Written<Payment, PaymentError>> {
        self.attend(&PAYMENT_CALL, ctx, Begin::Capture(id, amount), payment_of)
    }

    fn cancel(&self, ctx: Ctx, id: PaymentId) -> Pending<Written<Payment, PaymentError>> {
        self.attend(&PAYMENT_CALL, ctx, Begin::Cancel(id), payment_of)
    }

    fn refund(
        &self,
        ctx: Ctx,
        id: PaymentId,
        new: NewRefund,
    ) -> Pending<Written<Refund, PaymentError>> {
        self.attend(&REFUND, ctx, Begin::Refund(id, new), refund_of)
    }

    fn sync(&self, ctx: Ctx, id: PaymentId) -> Pending<Written<Payment, PaymentError>> {
        let (shared, account) = (Arc::clone(&self.shared), ctx.account);
        self.engine.serve(&PAYMENT_CHECK, account, async move { shared.synced(account, id).await })
    }

    fn simulate(
        &self,
        ctx: Ctx,
        id: PaymentId,
        deed: Deed,
    ) -> Pending<Written<Payment, PaymentError>> {
        let (shared, account) = (Arc::clone(&self.shared), ctx.account);
        self.engine.serve(&PAYMENT_CHECK, account, async move {
            let subject = answered(shared.queue.payment(account, id)).await?;
            if subject.ok_or(Refused::NotFound)?.payment.provider != ProviderKind::Sandbox {
                return Err(Refused::Rule(PaymentError::NotSimulated));
            }
            let acted = shared.charges.act(ctx, id, deed).await;
            let acted = acted.unwrap_or_else(|| Err(gone().into())).map_err(denied)?;
            let Done { value, .. } = shared.synced(account, id).await?;
            Ok(Done { value, replayed: acted.replayed })
        })
    }

    fn reconcile(
        &self,
        account: AccountId,
        wanted: Wanted,
    ) -> Pending<Written<Reconciled, PaymentError>> {
        let shared = Arc::clone(&self.shared);
        self.engine.serve(&PAYMENT_CHECK, account, async move {
            shared.reconciled(account, wanted).await.map(Done::now)
        })
    }

    fn notify(
        &self,
        account: AccountId,
        received: Received,
        now: Timestamp,
    ) -> Pending<Result<Taken, Fault>> {
        let shared = Arc::clone(&self.shared);
        self.engine.run(async move { shared.notified(account, received, now).await })
    }
}

/// A refusal of the sandbox as one of payments.
fn denied(refused: Refused<Denied>) -> Refusal {
    match refused {
        Refused::Rule(Denied(failure)) => Refused::Rule(PaymentError::Denied(failure)),
        // The provider has not been called yet.
        Refused::NotFound => Refused::Rule(PaymentError::CallUnderWay),
        Refused::Invalid(faults) => Refused::Invalid(faults),
        Refused::Stale => Refused::Stale,
        Refused::KeyReused => Refused::KeyReused,
        Refused::AnswerUnreadable => Refused::AnswerUnreadable,
        Refused::Busy => Refused::Busy,
        Refused::Fault(fault) => Refused::Fault(fault),
    }
}

impl Shared {
    /// A payment after its provider was asked about it.
    async fn synced(&self, account: AccountId, id: PaymentId) -> Written<Payment, PaymentError> {
        let subject = answered(self.queue.payment(account, id)).await?;
        let Subject { payment, credentials, .. } = subject.ok_or(Refused::NotFound)?;
        if payment.provider == ProviderKind::Manual {
            return Ok(Done::now(payment));
        }
        let Some(seen) = self.fetched(account, &payment, credentials.as_ref()).await? else {
            return Ok(Done::now(payment));
        };
        let seen = self.queue.see(account, id, seen, self.clock.now()).await;
        seen.unwrap_or_else(|| Err(gone().into()))
    }

    /// What the provider shows of a payment; `None` where it does not know it.
    async fn fetched(
        &self,
        account: AccountId,
        payment: &Payment,
        credentials: Option<&payments::Credentials>,
    ) -> Result<Option<Seen>, Refusal> {
        let unanswered = |reason: String| Refused::Rule(PaymentError::Unanswered { reason });
        let gateway =
            self.gateways.gateway(account, payment.provider, credentials).map_err(unanswered)?;
        let asked = Asked {
            account,
            payment: payment.clone(),
            call: payments::CallId::from_u128(payment.id.to_u128()),
            tries: 0,
            now: self.clock.now(),
        };
        let seen = match payment.provider_ref {
            Some(_) => in_time(gateway.fetch(asked)).await.map(Some),
            None => in_time(gateway.find(asked)).await,
        };
        seen.map_err(|fault| Refused::Rule(PaymentError::Unanswered { reason: fault.kept() }))
    }

    /// Takes a notification in: what it is worth, and on record if it is worth anything.
    async fn notified(
        &self,
        account: AccountId,
        received: Received,
        now: Timestamp,
    ) -> Result<Taken, Fault> {
        let kind = received.provider;
        let callee = self.queue.credentials(account, kind).await.unwrap_or_else(|| Err(gone()))?;
        let Some(callee) = callee else { return Ok(Taken::Unknown) };
        let Ok(gateway) = self.gateways.gateway(account, kind, callee.credentials.as_ref()) else {
            return Ok(Taken::Unknown);
        };
        let (about, is_signed) = match gateway.verify(&received, now) {
            Verified::Signed(about) => (about, true),
            Verified::Hint(about) => (about, false),
            Verified::Forged => {
                self.gauges.count_forged();
                tracing::warn!(%account, provider = kind.name(), "a forged notification was refused");
                return Ok(Taken::Forged);
            }
            Verified::Unreadable => return Ok(Taken::Unreadable),
        };
        let notice = Notice {
            id: NoticeId::from_u128(0),
            provider: kind,
            // What anybody may have sent must not stand for what the provider will say.
            event_key: match about.event {
                Some(event) if is_signed => event,
                _ => received.digest(),
            },
            is_signed,
            provider_ref: about.provider_ref,
            payment: about.payment,
            status: NoticeStatus::Received,
            tries: 0,
            problem: None,
            received_at: now,
            updated_at: now,
        };
        match self.queue.keep_notice(account, notice, received).await {
            Some(Ok(_)) => {
                self.gauges.count_notice();
                Ok(Taken::Kept)
            }
            Some(Err(Refused::Fault(fault))) => Err(fault),
            Some(Err(_)) => Err(Fault::Internal("a notification was refused".to_owned())),
            None => Err(gone()),
        }
    }
}
