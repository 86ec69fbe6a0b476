//! Cancellation before the tax authority.

mod acceptance;
mod request;
mod settle;

use kernel::{FieldFault, Timestamp, message};
use serde::{Deserialize, Serialize};

pub use acceptance::{Acceptance, Exemption, acceptance, term};
pub use request::request;
pub use settle::{MayBeReceived, give_up, settle, settle_followed};

use crate::{
    InvoiceId, Status,
    provider::{CancelOutcome, FiscalStatus, Rejection, StatusOutcome},
};

/// Why an invoice is cancelled (SAT's catalog of reasons).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CancelReason {
    /// It was issued with errors, and another takes its place.
    #[serde(rename = "01")]
    ErrorsReplaced,
    /// It was issued with errors, and none takes its place.
    #[serde(rename = "02")]
    Errors,
    /// The sale did not take place.
    #[serde(rename = "03")]
    NoSale,
    /// It is part of a global invoice.
    #[serde(rename = "04")]
    InGlobal,
}

impl CancelReason {
    /// Every reason.
    pub const EVERY: &'static [Self] =
        &[Self::ErrorsReplaced, Self::Errors, Self::NoSale, Self::InGlobal];

    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::ErrorsReplaced => "01",
            Self::Errors => "02",
            Self::NoSale => "03",
            Self::InGlobal => "04",
        }
    }

    /// The reason with that code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|reason| reason.code() == code)
    }
}

/// What is wrong with a command to cancel before anything is looked up.
#[must_use]
pub fn replacement_fault(reason: CancelReason, replacement: Option<&str>) -> Option<FieldFault> {
    match (reason, replacement) {
        (CancelReason::ErrorsReplaced, None) => Some(FieldFault::new(
            "replacementUuid",
            message!(
                "must be the fiscal folio of the document that takes its place when the reason is 01",
                "debe ser el folio fiscal del comprobante que lo sustituye cuando el motivo es 01"
            ),
        )),
        (CancelReason::ErrorsReplaced, Some(_)) | (_, None) => None,
        (_, Some(_)) => Some(FieldFault::new(
            "replacementUuid",
            message!(
                "must be absent unless the reason is 01",
                "debe omitirse salvo que el motivo sea 01"
            ),
        )),
    }
}

/// A command to cancel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelInvoice {
    /// Which.
    pub id: InvoiceId,
    /// Why.
    pub reason: CancelReason,
    /// The fiscal folio of the invoice that takes its place; with reason `01`, and only then.
    pub replacement_uuid: Option<String>,
}

/// The status of a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CancellationStatus {
    /// It is asked for.
    Requested,
    /// The document is cancelled.
    Accepted,
    /// The receiver or the authority refuses it; the document stands.
    Rejected,
    /// The receiver let its time pass, which cancels the document.
    Expired,
}

impl CancellationStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Requested, Self::Accepted, Self::Rejected, Self::Expired];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
        }
    }

    /// Whether the document is cancelled so.
    #[must_use]
    pub const fn is_cancelled(self) -> bool {
        matches!(self, Self::Accepted | Self::Expired)
    }
}

/// The cancellation of an invoice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cancellation {
    /// Its status.
    pub status: CancellationStatus,
    /// Why it was asked for.
    pub reason: CancelReason,
    /// The fiscal folio of the invoice that takes its place.
    pub replacement_uuid: Option<String>,
    /// Whether an earlier request for the same invoice was refused.
    #[serde(default)]
    pub asked_before: bool,
    /// When it was asked for.
    pub requested_at: Timestamp,
    /// When the authority had the request.
    pub received_at: Option<Timestamp>,
    /// When it was decided.
    pub resolved_at: Option<Timestamp>,
    /// The last code and words of provider or authority, as they came.
    pub answer: Option<Rejection>,
    /// What the authority said of the document when it was last asked.
    pub fiscal_status: Option<FiscalStatus>,
}

/// Why a cancellation is refused here, before anybody is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CancelRefusal {
    /// Only a stamped invoice can be cancelled.
    NotStamped {
        /// Its status.
        status: Status,
    },
    /// It is being cancelled for another reason.
    UnderWay {
        /// The reason given before.
        reason: CancelReason,
    },
    /// Active documents reference it.
    Related {
        /// Their fiscal folios.
        uuids: Vec<String>,
    },
    /// The replacement is no stamped invoice that says so (relation `04`).
    BadReplacement,
    /// A stamped invoice has taken its place, which is another reason (`01`).
    Replaced {
        /// The fiscal folio of that invoice.
        uuid: String,
    },
    /// The stamping certificate is gone: nothing can sign the request.
    NoCertificate,
}

/// Reads a refusal of a request that may have come through before, by what the authority says of the
/// document: a provider also refuses what it has passed on already.
#[must_use]
pub fn interpret_doubtful(rejection: Rejection, status: StatusOutcome) -> CancelOutcome {
    match status {
        StatusOutcome::Known(fiscal) if has_request(&fiscal) => {
            CancelOutcome::Received { code: rejection.code, receipt: None }
        }
        StatusOutcome::Known(_) => CancelOutcome::Rejected(rejection),
        StatusOutcome::Unknown { reason } => CancelOutcome::Unknown { reason },
    }
}

/// Whether the authority has a request that it has granted, or not decided yet.
fn has_request(fiscal: &FiscalStatus) -> bool {
    let decision = fiscal.cancellation.as_deref().unwrap_or_default();
    kernel::text::folded(&fiscal.state) == "cancelado"
        || kernel::text::folded(decision) == "en proceso"
}

/// So long after a request the authority may still show its decision on an earlier one: an hour.
const STALE_DECISION_MICROS: i64 = 3_600 * 1_000_000;
/// So long after a request that the authority knows nothing of, it is given up for lost: ten days.
const LOST_REQUEST_MICROS: i64 = 10 * 86_400 * 1_000_000;

impl Cancellation {
    /// Whether the authority has been seen at work on it.
    fn was_under_way(&self) -> bool {
        let seen = self.fiscal_status.as_ref().and_then(|seen| seen.cancellation.as_deref());
        kernel::text::folded(seen.unwrap_or_default()) == "en proceso"
    }
}

/// The cancellation after the authority was asked. Its words are compared without case or accents, since
/// they come in several spellings.
#[must_use]
pub fn followed(before: &Cancellation, fiscal: FiscalStatus, now: Timestamp) -> Cancellation {
    let folded = |text: Option<&str>| kernel::text::folded(text.unwrap_or_default());
    let decision = folded(fiscal.cancellation.as_deref());
    let is_cancelled = folded(Some(&fiscal.state)) == "cancelado";
    let waited = now.micros() - before.received_at.unwrap_or(before.requested_at).micros();
    let status = match (is_cancelled, decision.as_str()) {
        (true, "plazo vencido") => CancellationStatus::Expired,
        (true, _) => CancellationStatus::Accepted,
        // After an earlier request it may still be the decision on that one.
        (false, "solicitud rechazada")
            if !before.asked_before || before.was_under_way() || waited > STALE_DECISION_MICROS =>
        {
            CancellationStatus::Rejected
        }
        // The request was lost on the way: it can be made again.
        (false, "") if waited > LOST_REQUEST_MICROS && !before.was_under_way() => {
            CancellationStatus::Rejected
        }
        (false, _) => before.status,
    };
    let decided = status != CancellationStatus::Requested;
    Cancellation {
        status,
        resolved_at: before.resolved_at.or(decided.then_some(now)),
        fiscal_status: Some(fiscal),
        ..before.clone()
    }
}
