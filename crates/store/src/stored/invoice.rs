//! Invoices, their stamps and their cancellations.

use cfdi::{document::Document, stamp::Stamp};
use invoices::{
    Applied, CancelReason, Cancellation, CancellationStatus, Draft, Invoice, InvoiceId, LastError,
    Stamped, Status,
    provider::{FiscalStatus, ProviderKind, Rejection},
};
use kernel::{Amount, Timestamp};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use super::{
    document::{DocumentForm, local_time},
    draft::DraftForm,
    forms::{Each, Form, Maybe, forms},
    issuer::ProviderKindForm,
};

forms!(
    AppliedForm of Applied,
    CancellationForm of Cancellation,
    FiscalStatusForm of FiscalStatus,
    InvoiceForm of Invoice,
    LastErrorForm of LastError,
    RejectionForm of Rejection,
    StampedForm of Stamped,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Invoice")]
pub(super) struct InvoiceForm {
    id: InvoiceId,
    #[serde(with = "StatusForm")]
    status: Status,
    #[serde(with = "DraftForm")]
    draft: Draft,
    #[serde(with = "DocumentForm")]
    document: Document,
    folio: Option<u64>,
    #[serde(default, with = "Maybe::<StampedForm>")]
    stamp: Option<Stamped>,
    balance: Option<Amount>,
    installments: u32,
    #[serde(default, with = "Each::<AppliedForm>")]
    applied_to: Vec<Applied>,
    #[serde(default, with = "Maybe::<CancellationForm>")]
    cancellation: Option<Cancellation>,
    #[serde(default, with = "Maybe::<LastErrorForm>")]
    last_error: Option<LastError>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Applied")]
pub(super) struct AppliedForm {
    invoice: InvoiceId,
    amount: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Status", rename_all = "lowercase")]
pub(super) enum StatusForm {
    Draft,
    Stamping,
    Stamped,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Stamped")]
pub(super) struct StampedForm {
    #[serde(with = "StampForm")]
    stamp: Stamp,
    #[serde(with = "ProviderKindForm")]
    provider: ProviderKind,
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Stamp", rename_all = "camelCase")]
pub(super) struct StampForm {
    uuid: String,
    #[serde(with = "local_time")]
    stamped_at: PrimitiveDateTime,
    provider_rfc: String,
    legend: Option<String>,
    issuer_seal: String,
    certificate_number: String,
    seal: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LastError")]
pub(super) struct LastErrorForm {
    at: Timestamp,
    #[serde(with = "RejectionForm")]
    rejection: Rejection,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Rejection")]
struct RejectionForm {
    code: String,
    message: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Cancellation")]
pub(super) struct CancellationForm {
    #[serde(with = "CancellationStatusForm")]
    status: CancellationStatus,
    #[serde(with = "CancelReasonForm")]
    reason: CancelReason,
    replacement_uuid: Option<String>,
    #[serde(default)]
    asked_before: bool,
    requested_at: Timestamp,
    received_at: Option<Timestamp>,
    resolved_at: Option<Timestamp>,
    #[serde(default, with = "Maybe::<RejectionForm>")]
    answer: Option<Rejection>,
    #[serde(default, with = "Maybe::<FiscalStatusForm>")]
    fiscal_status: Option<FiscalStatus>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CancellationStatus", rename_all = "lowercase")]
enum CancellationStatusForm {
    Requested,
    Accepted,
    Rejected,
    Expired,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CancelReason")]
enum CancelReasonForm {
    #[serde(rename = "01")]
    ErrorsReplaced,
    #[serde(rename = "02")]
    Errors,
    #[serde(rename = "03")]
    NoSale,
    #[serde(rename = "04")]
    InGlobal,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FiscalStatus", rename_all = "camelCase")]
struct FiscalStatusForm {
    state: String,
    cancellable: Option<String>,
    cancellation: Option<String>,
}
