//! How the API shows a cancellation.

use invoices::{CancelReason, Cancellation, CancellationStatus, provider::FiscalStatus};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// The cancellation status of an invoice for which no cancellation was requested.
const NONE: &str = "none";

/// Cancellation of an invoice with SAT.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Cancellation)]
pub(super) struct CancellationBody {
    /// `none`; `requested` until decided; `accepted`; `rejected`, in which case the invoice remains valid; or
    /// `expired`: the receiver did not respond in time, which cancels the invoice.
    #[schema(schema_with = statuses)]
    status: &'static str,
    /// Cancellation reason code, see GET /invoices/cfdi/cancellation-motivos.
    #[schema(value_type = Option<String>, example = "02")]
    reason: Option<CancelReason>,
    /// Fiscal folio (UUID) of the replacement invoice.
    replacement_uuid: Option<String>,
    /// When the cancellation was requested.
    #[schema(value_type = Option<shapes::Timestamp>)]
    requested_at: Option<Timestamp>,
    /// When SAT acknowledged the request.
    #[schema(value_type = Option<shapes::Timestamp>)]
    received_at: Option<Timestamp>,
    /// When the cancellation was decided.
    #[schema(value_type = Option<shapes::Timestamp>)]
    resolved_at: Option<Timestamp>,
    /// Most recent response code from the provider or SAT.
    #[schema(example = "201")]
    code: Option<String>,
    /// Message that accompanied the code.
    message: Option<String>,
    /// Most recent answer from SAT's own status service.
    fiscal_status: Option<FiscalStatusBody>,
}

/// The answer from SAT's own status service, in its original wording.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalStatus)]
struct FiscalStatusBody {
    /// State of the invoice.
    #[schema(example = "Vigente")]
    state: String,
    /// Whether and how the invoice can be cancelled.
    #[schema(example = "Cancelable con aceptación")]
    cancellable: Option<String>,
    /// Status of the cancellation.
    #[schema(example = "En proceso")]
    cancellation: Option<String>,
}

fn statuses() -> utoipa::openapi::schema::ObjectBuilder {
    let mut names = vec![NONE];
    names.extend(CancellationStatus::EVERY.iter().map(|status| status.name()));
    utoipa::openapi::schema::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .enum_values(Some(names))
        .description(Some(
            "`none`; `requested` until decided; `accepted`; `rejected`, in which case the invoice \
             remains valid; or `expired`: the receiver did not respond in time, which cancels the \
             invoice.",
        ))
}

impl From<Option<Cancellation>> for CancellationBody {
    fn from(cancellation: Option<Cancellation>) -> Self {
        let known = cancellation.as_ref();
        let answer = known.and_then(|known| known.answer.clone());
        Self {
            status: known.map_or(NONE, |known| known.status.name()),
            reason: known.map(|known| known.reason),
            requested_at: known.map(|known| known.requested_at),
            received_at: known.and_then(|known| known.received_at),
            resolved_at: known.and_then(|known| known.resolved_at),
            code: answer.as_ref().map(|answer| answer.code.clone()),
            message: answer.map(|answer| answer.message).filter(|words| !words.is_empty()),
            replacement_uuid: known.and_then(|known| known.replacement_uuid.clone()),
            fiscal_status: cancellation.and_then(|it| it.fiscal_status).map(FiscalStatusBody::from),
        }
    }
}

impl From<FiscalStatus> for FiscalStatusBody {
    fn from(status: FiscalStatus) -> Self {
        let FiscalStatus { state, cancellable, cancellation } = status;
        Self { state, cancellable, cancellation }
    }
}
