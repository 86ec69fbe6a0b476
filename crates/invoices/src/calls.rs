//! Calls to providers that are under way, as whoever keeps them sees them.
//!
//! Each has a task on record from the transaction that begins it to the one that ends it. Whoever holds the task's
//! claim calls the provider; when the claim runs out (a crash, a lost machine) another takes the task over and goes on
//! with the same bytes.

use std::sync::Arc;

use kernel::{AccountId, Ctx, Fault, Idempotency, Pending, Timestamp, Written};
use tasks::ClaimId;

use crate::{
    CancelInvoice, Invoice, InvoiceError, InvoiceId,
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
        /// What the document is asked after by, in case that an earlier answer was lost.
        expression: Expression,
    },
    /// What became of a request to cancel.
    Follow(Expression),
}

/// A step that is this worker's until the claim ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderCall {
    /// Whose.
    pub account: AccountId,
    /// Which invoice.
    pub invoice: InvoiceId,
    /// What fences it.
    pub claim: ClaimId,
    /// How many calls were made before.
    pub attempts: u32,
    /// Whether one of them may have had an effect that nobody has seen.
    pub doubtful: bool,
    /// Who is to be called.
    pub provider: ProviderKind,
    /// With what.
    pub credentials: Option<Credentials>,
    /// What the sandbox is to pretend.
    pub simulate: Simulate,
    /// What is to be asked.
    pub step: Step,
}

/// The beginning of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Begun {
    /// There is nothing to ask: it was done before.
    Already(Box<Invoice>),
    /// A call to be made, under a claim.
    Call(Box<ProviderCall>),
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
pub struct Recorded {
    /// The invoice now.
    pub invoice: Invoice,
    /// What is to be asked next, at once and under the same claim.
    pub next: Option<ProviderCall>,
}

/// Keeps calls to providers. Many workers may work on one database.
pub trait ProviderCalls: Send + Sync {
    /// Seals a draft, sets the credits aside and claims the task until `until`. It may take as long as a
    /// signature, and is not to be called where that would keep others waiting.
    fn begin_stamping(
        &self,
        ctx: Ctx,
        id: InvoiceId,
        until: Timestamp,
    ) -> Written<Begun, InvoiceError>;

    /// Records that a cancellation is asked for, with the signed request, and claims the task.
    fn begin_cancelling(
        &self,
        ctx: Ctx,
        command: CancelInvoice,
        until: Timestamp,
    ) -> Written<Begun, InvoiceError>;

    /// Records what came of a step. A worker whose claim has passed to another changes nothing, unless it
    /// brings the stamp that all are waiting for.
    fn record(
        &self,
        call: ProviderCall,
        ended: Ended,
        idempotency: Option<Idempotency>,
        now: Timestamp,
    ) -> Pending<Written<Recorded, InvoiceError>>;

    /// What a claimed task asks of whom; `None` when the claim has passed to another.
    fn call(
        &self,
        account: AccountId,
        invoice: InvoiceId,
        claim: ClaimId,
    ) -> Pending<Result<Option<ProviderCall>, Fault>>;
}

/// A stamp that an operator brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachStamp {
    /// Whose invoice.
    pub account: AccountId,
    /// Which invoice.
    pub invoice: InvoiceId,
    /// The stamped XML.
    pub xml: String,
    /// Who brings it, for the audit log.
    pub actor: String,
    /// Where it comes from, for the audit log.
    pub note: String,
}

/// Takes stamps from operators, across accounts.
pub trait StampDesk: Send + Sync {
    /// Records the stamp as [`stamping::attach`](crate::stamping::attach) has it, and ends the task.
    fn attach(
        &self,
        command: AttachStamp,
        now: Timestamp,
    ) -> Pending<Written<Invoice, AttachRefusal>>;
}

/// Finds the provider that a call is to be made to.
pub trait Directory: Send + Sync {
    /// The provider of an account.
    ///
    /// # Errors
    /// Why there is none, as a clause.
    fn provider_for(&self, call: &ProviderCall) -> Result<Arc<dyn Provider>, String>;
}
