//! How the API shows a cancellation.

use invoices::{CancelReason, Cancellation, CancellationStatus, provider::FiscalStatus};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// What there is to be said of an invoice that nobody wants to cancel.
const NONE: &str = "none";

/// The cancellation of an invoice before SAT.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Cancellation)]
pub(super) struct CancellationBody {
    /// `none`; `requested` until it is decided; `accepted`; `rejected`, so that the invoice stands; or
    /// `expired`, because the receiver let its time pass, which cancels the invoice.
    #[schema(schema_with = statuses)]
    status: &'static str,
    /// Why it was asked for, see GET /invoices/cfdi/cancellation-motivos.
    #[schema(value_type = Option<String>, example = "02")]
    reason: Option<CancelReason>,
    /// The fiscal folio of the invoice that takes its place.
    replacement_uuid: Option<String>,
    /// When it was asked for.
    #[schema(value_type = Option<shapes::Timestamp>)]
    requested_at: Option<Timestamp>,
    /// When SAT had the request.
    #[schema(value_type = Option<shapes::Timestamp>)]
    received_at: Option<Timestamp>,
    /// When it was decided.
    #[schema(value_type = Option<shapes::Timestamp>)]
    resolved_at: Option<Timestamp>,
    /// The last code of the provider or SAT.
    #[schema(example = "201")]
    code: Option<String>,
    /// The words that came with it.
    message: Option<String>,
    /// What SAT's own service said of the invoice when it was last asked.
    fiscal_status: Option<FiscalStatusBody>,
}

/// What SAT's own service says of an invoice, in its words.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalStatus)]
struct FiscalStatusBody {
    /// Its state.
    #[schema(example = "Vigente")]
    state: String,
    /// Whether it can be cancelled.
    #[schema(example = "Cancelable con aceptación")]
    cancellable: Option<String>,
    /// How its cancellation stands.
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
            "`none`; `requested` until it is decided; `accepted`; `rejected`, so that the invoice \
             stands; or `expired`, because the receiver let its time pass, which cancels the invoice.",
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
