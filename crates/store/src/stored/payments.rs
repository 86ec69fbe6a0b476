//! What payments keep beside their columns, and the books of the embedded provider.

use kernel::{Amount, Currency, Metadata, Timestamp};
use payments::{
    Call, CallId, CallKind, CallOutcome, Card, Conflict, Failure, Funding, InstallmentPlan,
    Instructions, InvoiceId, Method, NewRefund, OrderId, Origin, Payer, Payment, PaymentId,
    PaymentSettings, ProviderAccount, ProviderKind, Refund, RefundId, RefundPayment, RefundStatus,
    sandbox::{Charge, ChargeRefund, ChargeState},
    settings::LatePayments,
};
use serde::{Deserialize, Serialize};
use tasks::TaskId;

use super::forms::{Each, Form, Maybe, forms};

forms!(
    CardForm of Card,
    ConflictForm of Conflict,
    FailureForm of Failure,
    InstructionsForm of Instructions,
    PayerForm of Payer,
    ChargeForm of Charge,
    ChargeRefundForm of ChargeRefund,
    CredentialsForm of payments::Credentials,
    InstallmentPlanForm of InstallmentPlan,
    PaymentSettingsForm of PaymentSettings,
    ProviderAccountForm of ProviderAccount,
    CallForm of Call,
    NewRefundForm of NewRefund,
    RefundForm of Refund,
    RefundPaymentForm of RefundPayment,
);

/// What is kept of a payment in its column `details`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct PaymentDetails {
    pub(crate) is_captured_at_once: bool,
    #[serde(skip_serializing_if = "is_no")]
    pub(crate) allows_overpayment: bool,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<InstructionsForm>")]
    pub(crate) instructions: Option<Instructions>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<FailureForm>")]
    pub(crate) failure: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<CardForm>")]
    pub(crate) card: Option<Card>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) installments: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) installments_chosen: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tracking_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fee: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<ConflictForm>")]
    pub(crate) conflict: Option<Conflict>,
    #[serde(skip_serializing_if = "is_nobody", with = "PayerForm")]
    pub(crate) payer: Payer,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) return_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sat_payment_form: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) exchange_rate: Option<Amount>,
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    pub(crate) metadata: Metadata,
    #[serde(skip_serializing_if = "is_no")]
    pub(crate) is_outcome_unknown: bool,
}

/// What is kept of a refund in its column `details`, with the call that makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RefundDetails {
    pub(crate) is_manual: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<FailureForm>")]
    pub(crate) failure: Option<Failure>,
    pub(crate) call: CallId,
    pub(crate) outcome: String,
    #[serde(default, skip_serializing_if = "is_no")]
    pub(crate) is_unknown: bool,
    #[serde(default)]
    pub(crate) tries: u32,
    #[serde(default)]
    pub(crate) absences: u32,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<FailureForm>")]
    pub(crate) call_failure: Option<Failure>,
}

/// What a repeated request is answered with: what the first one has begun.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptPayment {
    pub(crate) payment: PaymentId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refund: Option<RefundId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<TaskId>,
}

/// The failure of a call, in its column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct KeptFailure(#[serde(with = "FailureForm")] pub(crate) Failure);

impl PaymentDetails {
    pub(crate) fn of(payment: &Payment) -> Self {
        Self {
            is_captured_at_once: payment.is_captured_at_once,
            allows_overpayment: payment.allows_overpayment,
            instructions: payment.instructions.clone(),
            failure: payment.failure.clone(),
            card: payment.card.clone(),
            installments: payment.installments.clone(),
            installments_chosen: payment.installments_chosen,
            tracking_key: payment.tracking_key.clone(),
            fee: payment.fee,
            conflict: payment.conflict.clone(),
            payer: payment.payer.clone(),
            description: payment.description.clone(),
            reference: payment.reference.clone(),
            return_url: payment.return_url.clone(),
            sat_payment_form: payment.sat_payment_form.clone(),
            exchange_rate: payment.exchange_rate,
            metadata: payment.metadata.clone(),
            is_outcome_unknown: payment.is_outcome_unknown,
        }
    }
}

impl RefundDetails {
    pub(crate) fn of(refund: &Refund) -> Self {
        Self {
            is_manual: refund.is_manual,
            reason: refund.reason.clone(),
            note: refund.note.clone(),
            failure: refund.failure.clone(),
            call: refund.call.id,
            outcome: refund.call.outcome.name().to_owned(),
            is_unknown: refund.call.is_unknown,
            tries: refund.call.tries,
            absences: refund.call.absences,
            call_failure: refund.call.failure.clone(),
        }
    }
}

fn is_nobody(payer: &Payer) -> bool {
    *payer == Payer::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_no(is: &bool) -> bool {
    !*is
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Card")]
struct CardForm {
    brand: Option<String>,
    last4: Option<String>,
    funding: Option<Funding>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Conflict")]
struct ConflictForm {
    amount: Amount,
    currency: Currency,
    captured: Amount,
    #[serde(default, skip_serializing_if = "is_no")]
    is_rejected: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Failure")]
struct FailureForm {
    code: String,
    message: String,
    is_retryable: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Instructions")]
struct InstructionsForm {
    clabe: Option<String>,
    bank: Option<String>,
    reference: Option<String>,
    barcode: Option<String>,
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Payer")]
struct PayerForm {
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "payments::Credentials")]
pub(super) struct CredentialsForm {
    key: String,
    notification_secret: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PaymentSettings")]
pub(super) struct PaymentSettingsForm {
    #[serde(default)]
    sat_forms: Vec<(Method, String)>,
    late_payments: LatePayments,
    updated_at: Option<Timestamp>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ProviderAccount")]
pub(super) struct ProviderAccountForm {
    kind: ProviderKind,
    is_default: bool,
    key_end: Option<String>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "Maybe::<Each<InstallmentPlanForm>>"
    )]
    installments: Option<Vec<InstallmentPlan>>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "InstallmentPlan")]
struct InstallmentPlanForm {
    months: u8,
    min: Amount,
}

/// The installments that an account has set, in their column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct KeptPlans(
    #[serde(with = "Each::<InstallmentPlanForm>")] pub(crate) Vec<InstallmentPlan>,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Call")]
struct CallForm {
    id: CallId,
    payment: PaymentId,
    kind: CallKind,
    amount: Option<Amount>,
    outcome: CallOutcome,
    is_unknown: bool,
    tries: u32,
    absences: u32,
    #[serde(with = "Maybe::<FailureForm>")]
    failure: Option<Failure>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NewRefund")]
struct NewRefundForm {
    amount: Option<Amount>,
    is_manual: bool,
    origin: Origin,
    reason: Option<String>,
    note: Option<String>,
}

/// What waits for an approval.
#[derive(Serialize, Deserialize)]
#[serde(remote = "RefundPayment")]
pub(super) struct RefundPaymentForm {
    payment: PaymentId,
    #[serde(with = "NewRefundForm")]
    new: NewRefund,
}

/// What an approval has made.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Refund")]
pub(super) struct RefundForm {
    id: RefundId,
    payment: PaymentId,
    order: Option<OrderId>,
    amount: Amount,
    currency: Currency,
    status: RefundStatus,
    origin: Origin,
    is_manual: bool,
    provider_ref: Option<String>,
    reason: Option<String>,
    note: Option<String>,
    #[serde(with = "Maybe::<FailureForm>")]
    failure: Option<Failure>,
    #[serde(with = "CallForm")]
    call: Call,
    created_at: Timestamp,
    updated_at: Timestamp,
    succeeded_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credit_note: Option<InvoiceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credit_note_problem: Option<String>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Charge")]
pub(super) struct ChargeForm {
    id: String,
    payment: PaymentId,
    key: CallId,
    method: Method,
    amount: Amount,
    currency: Currency,
    is_captured_at_once: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    installments: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    installments_chosen: Option<u8>,
    state: ChargeState,
    received: Amount,
    authorized: Amount,
    captured: Amount,
    #[serde(with = "Maybe::<FailureForm>")]
    failure: Option<Failure>,
    #[serde(with = "Each::<ChargeRefundForm>")]
    refunds: Vec<ChargeRefund>,
    expires_at: Option<Timestamp>,
    next_at: Option<Timestamp>,
    paid_at: Option<Timestamp>,
    created_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ChargeRefund")]
struct ChargeRefundForm {
    id: String,
    refund: Option<RefundId>,
    amount: Amount,
    status: RefundStatus,
    #[serde(with = "Maybe::<FailureForm>")]
    failure: Option<Failure>,
}
