//! The sandbox as a provider.

use std::sync::Arc;

use kernel::{AccountId, Amount, Ctx, Fault, Pending, Refused, Timestamp, Written, reason::Reason};
use tasks::Task;

use super::{Charge, Deed, Denied, Plan, SIGNATURE_HEADER, signing::is_genuine};
use crate::{
    CallFault, Calling, Gateway, PaymentId, SeenRefund,
    gateway::{About, Asked, AskedRefund, CallResult, ListAsked, Listed, Verified},
    notice::Received,
    reconcile::Theirs,
    sandbox::charge::failure,
};

/// Keeps the books of the sandbox.
pub trait Charges: Send + Sync {
    /// Books a charge, unless there is one of the same payment; gives the one that is booked.
    fn book(
        &self,
        account: AccountId,
        charge: Charge,
        now: Timestamp,
    ) -> Pending<Written<Charge, ()>>;

    /// The charge of a payment as it stands at `now`.
    fn charge(
        &self,
        account: AccountId,
        payment: PaymentId,
        now: Timestamp,
    ) -> Pending<Result<Option<Charge>, Fault>>;

    /// Charges booked in a time, those of later payments than `after`, at most so many.
    fn booked_between(
        &self,
        account: AccountId,
        between: (Timestamp, Timestamp),
        after: Option<PaymentId>,
        limit: usize,
    ) -> Pending<Result<Vec<Charge>, Fault>>;

    /// Does something to the charge of a payment.
    fn act(&self, ctx: Ctx, payment: PaymentId, deed: Deed) -> Pending<Written<Charge, Denied>>;

    /// What the sandbox signs its notifications to an account with.
    fn secret(&self, account: AccountId) -> Pending<Result<Option<String>, Fault>>;

    /// Records that a charge was told of as it stood in a version. Its task is due again when there is more to tell,
    /// and otherwise ends.
    fn told(&self, task: &Task, version: i64, now: Timestamp) -> Pending<Written<(), ()>>;
}

/// A notification of the sandbox.
#[derive(Clone, PartialEq, Eq)]
pub struct News {
    /// To whom.
    pub account: AccountId,
    /// What it says: JSON.
    pub body: Vec<u8>,
    /// The value of its header [`SIGNATURE_HEADER`].
    pub signature: String,
}

/// Carries the notifications of the sandbox over HTTP, as they come from any provider.
pub trait Teller: Send + Sync {
    /// Delivers one.
    ///
    /// # Errors
    /// Why it was not taken, as a clause.
    fn tell(&self, news: News) -> Calling<Result<(), String>>;
}

/// The sandbox as one account uses it.
#[derive(Clone)]
pub struct Sandbox {
    account: AccountId,
    charges: Arc<dyn Charges>,
    /// What its notifications are signed with.
    secret: Option<String>,
}

impl Sandbox {
    /// The sandbox of an account.
    #[must_use]
    pub fn new(account: AccountId, charges: Arc<dyn Charges>, secret: Option<String>) -> Self {
        Self { account, charges, secret }
    }

    async fn acted(&self, asked: &Asked, deed: Deed) -> Result<Charge, CallFault> {
        let ctx = Ctx::system(self.account, asked.now);
        let acted = self.charges.act(ctx, asked.payment.id, deed).await;
        let missing = || failure("not_found", "There is no such payment.", false);
        match acted {
            Some(Ok(done)) => Ok(done.value),
            Some(Err(Refused::Rule(Denied(failure)))) => Err(CallFault::Rejected(failure)),
            Some(Err(Refused::NotFound)) => Err(CallFault::Rejected(missing())),
            Some(Err(Refused::Fault(fault))) => Err(CallFault::Unknown(fault.to_string())),
            Some(Err(_)) | None => Err(CallFault::Unknown(Reason::SandboxWithoutRecords.alone())),
        }
    }
}

/// Charges on a page of its list.
const PAGE: usize = 100;
/// Whether a text can be what something is called: not long, and without control characters.
fn is_name(text: &str) -> bool {
    text.len() <= 255 && !text.chars().any(char::is_control)
}

/// What goes wrong with the first call of a plan, before it has an effect.
fn before(plan: Plan, tries: u32) -> Option<CallFault> {
    match (plan, tries) {
        (Plan::CallLost, 0) => Some(CallFault::Unknown(Reason::SandboxLostAnswer.alone())),
        (Plan::Unreachable, 0) => Some(CallFault::Unreachable(Reason::SandboxAway.alone())),
        (Plan::RateLimited, 0) => Some(CallFault::RateLimited { seconds: 1 }),
        (Plan::Rejected, _) => {
            Some(CallFault::Rejected(failure("invalid_request", "The request is invalid.", false)))
        }
        _ => None,
    }
}

impl Gateway for Sandbox {
    fn create(&self, asked: Asked) -> Calling<CallResult> {
        let sandbox = self.clone();
        Box::pin(async move {
            let plan = Plan::of(asked.payment.amount);
            if let Some(fault) = before(plan, asked.tries) {
                return Err(fault);
            }
            let booked = sandbox.charges.book(sandbox.account, Charge::made(&asked), asked.now);
            let charge = match booked.await {
                Some(Ok(done)) => done.value,
                Some(Err(Refused::Fault(fault))) => {
                    return Err(CallFault::Unknown(fault.to_string()));
                }
                Some(Err(_)) | None => {
                    return Err(CallFault::Unknown(Reason::SandboxWithoutRecords.alone()));
                }
            };
            match plan {
                Plan::AnswerLost if asked.tries == 0 => {
                    Err(CallFault::Unknown(Reason::SandboxLostAnswer.alone()))
                }
                _ => Ok(charge.seen()),
            }
        })
    }

    fn capture(&self, asked: Asked, amount: Amount) -> Calling<CallResult> {
        let sandbox = self.clone();
        Box::pin(async move { Ok(sandbox.acted(&asked, Deed::Capture(amount)).await?.seen()) })
    }

    fn cancel(&self, asked: Asked) -> Calling<CallResult> {
        let sandbox = self.clone();
        Box::pin(async move { Ok(sandbox.acted(&asked, Deed::Cancel).await?.seen()) })
    }

    fn refund(
        &self,
        AskedRefund { of, refund }: AskedRefund,
    ) -> Calling<Result<SeenRefund, CallFault>> {
        let sandbox = self.clone();
        Box::pin(async move {
            let (id, amount) = (refund.id, refund.amount);
            let deed = Deed::Refund { refund: Some(id), amount };
            let charge = sandbox.acted(&of, deed).await?;
            if Plan::of(charge.amount) == Plan::RefundAnswerLost && of.tries == 0 {
                return Err(CallFault::Unknown(Reason::SandboxLostAnswer.alone()));
            }
            let made = charge.refunds.iter().find(|made| made.refund == Some(id));
            made.map(super::ChargeRefund::seen)
                .ok_or_else(|| CallFault::Unknown(Reason::SandboxLostAnswer.alone()))
        })
    }

    fn fetch(&self, asked: Asked) -> Calling<CallResult> {
        let found = self.find(asked);
        Box::pin(async move {
            let missing = || failure("not_found", "There is no such payment.", false);
            found.await?.ok_or_else(|| CallFault::Rejected(missing()))
        })
    }

    fn find(&self, asked: Asked) -> Calling<Result<Option<crate::Seen>, CallFault>> {
        let charge = self.charges.charge(self.account, asked.payment.id, asked.now);
        Box::pin(async move {
            match charge.await {
                Some(Ok(charge)) => Ok(charge.map(|charge| charge.seen())),
                Some(Err(fault)) => Err(CallFault::Unknown(fault.to_string())),
                None => Err(CallFault::Unknown(Reason::SandboxWithoutRecords.alone())),
            }
        })
    }

    fn verify(&self, received: &Received, now: Timestamp) -> Verified {
        let Ok(body) = serde_json::from_slice::<serde_json::Value>(&received.body) else {
            return Verified::Unreadable;
        };
        let text = |name: &str| body.get(name).and_then(serde_json::Value::as_str);
        let about = About {
            event: text("id").map(str::to_owned),
            provider_ref: text("charge").map(str::to_owned),
            payment: text("payment").and_then(PaymentId::parse),
        };
        let texts = [&about.event, &about.provider_ref];
        if texts.into_iter().flatten().any(|text| !is_name(text)) {
            return Verified::Unreadable;
        }
        // It always signs: what comes without is somebody else's.
        match (received.header(SIGNATURE_HEADER), &self.secret) {
            (Some(header), Some(secret)) if is_genuine(secret, header, &received.body, now) => {
                Verified::Signed(about)
            }
            _ => Verified::Forged,
        }
    }

    fn list(&self, asked: ListAsked) -> Calling<Result<Option<Listed>, CallFault>> {
        let after = asked.cursor.as_deref().and_then(PaymentId::parse);
        let between = (asked.from, asked.to);
        let booked = self.charges.booked_between(self.account, between, after, PAGE);
        Box::pin(async move {
            let charges = match booked.await {
                Some(Ok(charges)) => charges,
                Some(Err(fault)) => return Err(CallFault::Unknown(fault.to_string())),
                None => return Err(CallFault::Unknown(Reason::SandboxWithoutRecords.alone())),
            };
            let last = charges.last().filter(|_| charges.len() == PAGE);
            let next = last.map(|charge| charge.payment.to_string());
            let listed = |charge: &Charge| Theirs {
                seen: charge.as_of(asked.now).seen(),
                created_at: Some(charge.created_at),
                is_partial: false,
            };
            Ok(Some(Listed { payments: charges.iter().map(listed).collect(), next }))
        })
    }
}
