//! Calls to providers that are under way, as whoever keeps them sees them.
//!
//! Each has a task on record from the transaction that begins it to the one that ends it. Whoever holds the task's
//! claim calls the provider; when the claim runs out (a crash, a lost machine) another takes the task over and goes on
//! with the same bytes.

use std::sync::Arc;

use kernel::{AccountId, Actor, Ctx, Fault, Idempotency, Pending, Timestamp, Written};
use tasks::ClaimId;

use crate::{
    InvoiceError,
    certified::Certified,
    issuer::Simulate,
    provider::{
        CancelOutcome, Credentials, Expression, Provider, ProviderKind, StatusOutcome, ToCancel,
        ToStamp,
    },
    stamping::{AttachRefusal, Verdict},
};

/// What is to be asked of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To stamp.
    Stamp {
        /// The sealed document.
        document: ToStamp,
        /// Its seal: what a stamp must confirm.
        seal: String,
    },
    /// To cancel.
    Cancel {
        /// The signed request.
        request: ToCancel,
        /// What the document is asked after by, in case that an earlier answer was lost. Of withholdings the
        /// authority tells nothing; it answers a repeated request as it did the first.
        expression: Option<Expression>,
    },
    /// What became of a request to cancel.
    Follow(Expression),
}

/// Who is called, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    /// For whom.
    pub account: AccountId,
    /// Which provider.
    pub provider: ProviderKind,
    /// With what.
    pub credentials: Option<Credentials>,
    /// What the sandbox is to pretend.
    pub simulate: Simulate,
}

/// A step that is this worker's until the claim ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderCall<I> {
    /// What it is about.
    pub subject: I,
    /// What fences it.
    pub claim: ClaimId,
    /// How many calls were made before.
    pub attempts: u32,
    /// Whether one of them may have had an effect that nobody has seen.
    pub doubtful: bool,
    /// Who is to be called.
    pub callee: Callee,
    /// What is to be asked.
    pub step: Step,
}

/// The beginning of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Begun<T: Certified> {
    /// There is nothing to ask: it was done before.
    Already(Box<T>),
    /// A call to be made, under a claim.
    Call(Box<ProviderCall<T::Id>>),
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Of stamping.
    Stamping(Verdict),
    /// Of a request to cancel.
    Cancelling(CancelOutcome),
    /// Of asking what became of one.
    Following(StatusOutcome),
}

/// A step on record.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded<T: Certified> {
    /// The invoice or withholding now.
    pub subject: T,
    /// What is to be asked next, at once and under the same claim.
    pub next: Option<ProviderCall<T::Id>>,
}

/// Keeps calls to providers. Many workers may work on one database.
pub trait ProviderCalls<T: Certified>: Send + Sync {
    /// Seals a draft, sets the credits aside and claims the task until `until`; of the version as in
    /// [`Certifier::stamp`](crate::Certifier::stamp). It may take as long as a signature, and is not to be called where that
    /// would keep others waiting.
    fn begin_stamping(
        &self,
        ctx: Ctx,
        id: T::Id,
        version: Option<i64>,
        until: Timestamp,
    ) -> Written<Begun<T>, InvoiceError>;

    /// Records that a cancellation is asked for, with the signed request, and claims the task.
    fn begin_cancelling(
        &self,
        ctx: Ctx,
        command: T::Cancel,
        until: Timestamp,
    ) -> Written<Begun<T>, InvoiceError>;

    /// Records what came of a step. A worker whose claim has passed to another changes nothing, unless it
    /// brings the stamp that all are waiting for.
    fn record(
        &self,
        call: ProviderCall<T::Id>,
        ended: Ended,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> Pending<Written<Recorded<T>, InvoiceError>>;

    /// What a claimed task asks of whom; `None` when the claim has passed to another.
    fn call(
        &self,
        account: AccountId,
        id: T::Id,
        claim: ClaimId,
    ) -> Pending<Result<Option<ProviderCall<T::Id>>, Fault>>;
}

/// A stamp that an operator brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachStamp<I> {
    /// Whose.
    pub account: AccountId,
    /// What it is the stamp of.
    pub subject: I,
    /// The stamped XML.
    pub xml: String,
    /// Who brings it, for the audit log.
    pub actor: Actor,
    /// Where it comes from, for the audit log.
    pub note: String,
}

/// Takes stamps from operators, across accounts.
pub trait StampDesk<T: Certified>: Send + Sync {
    /// Records the stamp as [`stamping::attach`](crate::stamping::attach) has it, and ends the task.
    fn attach(
        &self,
        command: AttachStamp<T::Id>,
        now: Timestamp,
    ) -> Pending<Written<T, AttachRefusal>>;
}

/// Finds the provider that a call is to be made to.
pub trait Directory: Send + Sync {
    /// The provider of an account.
    ///
    /// # Errors
    /// Why there is none, as a clause.
    fn provider_for(&self, callee: &Callee) -> Result<Arc<dyn Provider>, String>;
}
