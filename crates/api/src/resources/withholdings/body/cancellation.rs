//! How the API shows the cancellation of a withholding.

use invoices::{CancelReason, Cancellation, CancellationStatus};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// The status of what nobody wants to cancel.
const NONE: &str = "none";
/// What the status means.
const STATUS: &str = "`none`; `requested` until SAT's receipt is known; `accepted`; or `rejected`, in which case \
                      the withholding remains valid.";

/// Cancellation of a withholding with SAT, which asks no receiver: it is cancelled once SAT has the request.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WithholdingCancellation)]
pub(super) struct CancellationBody {
    /// Status of the cancellation.
    #[schema(schema_with = statuses)]
    status: &'static str,
    /// Cancellation reason code, see GET /invoices/cfdi/cancellation-motivos.
    #[schema(value_type = Option<String>, example = "02")]
    reason: Option<CancelReason>,
    /// Fiscal folio (UUID) of the replacement.
    replacement_uuid: Option<String>,
    /// When the cancellation was requested.
    #[schema(value_type = Option<shapes::Timestamp>)]
    requested_at: Option<Timestamp>,
    /// When the cancellation was decided.
    #[schema(value_type = Option<shapes::Timestamp>)]
    resolved_at: Option<Timestamp>,
    /// Most recent response code from the provider or SAT.
    #[schema(example = "1201")]
    code: Option<String>,
    /// Message that accompanied the code.
    message: Option<String>,
}

fn statuses() -> utoipa::openapi::schema::ObjectBuilder {
    let known =
        [CancellationStatus::Requested, CancellationStatus::Accepted, CancellationStatus::Rejected];
    let names = [NONE].into_iter().chain(known.map(CancellationStatus::name));
    utoipa::openapi::schema::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .enum_values(Some(names))
        .description(Some(STATUS))
}

impl From<Option<Cancellation>> for CancellationBody {
    fn from(cancellation: Option<Cancellation>) -> Self {
        let Some(known) = cancellation else {
            return Self {
                status: NONE,
                reason: None,
                replacement_uuid: None,
                requested_at: None,
                resolved_at: None,
                code: None,
                message: None,
            };
        };
        let (code, message) =
            known.answer.map(|answer| (answer.code, answer.message)).unwrap_or_default();
        let said = |text: String| (!text.is_empty()).then_some(text);
        Self {
            status: known.status.name(),
            reason: Some(known.reason),
            replacement_uuid: known.replacement_uuid,
            requested_at: Some(known.requested_at),
            resolved_at: known.resolved_at,
            code: said(code),
            message: said(message),
        }
    }
}
