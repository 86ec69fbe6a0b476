//! The refusals of invoices: by rules, by the authority's rules, by providers.

use cfdi::rules::{Finding, Language};
use invoices::{CancelRefusal, InvoiceError, STAMP_COST, Status, provider::Rejection};
use kernel::FieldFault;

use crate::error::{ApiError, Code};

/// The most findings that one message names.
const FINDINGS_NAMED_MAX: usize = 20;

impl From<InvoiceError> for ApiError {
    fn from(error: InvoiceError) -> Self {
        match error {
            InvoiceError::NoIssuer => Self::new(
                Code::IssuerMissing,
                "the account has not told who issues: PUT /invoices/cfdi/issuer first",
            ),
            InvoiceError::NoCertificate => no_certificate("seal the invoice"),
            InvoiceError::NotDraft { status: Status::Stamping } => Self::new(
                Code::InvalidTransition,
                "the invoice is being stamped; wait until the outcome is known (GET it, or POST to its /timbrar \
                 again), and do not copy it meanwhile",
            ),
            InvoiceError::NotDraft { status } => Self::new(
                Code::InvalidTransition,
                format!(
                    "only a draft can be changed, deleted or stamped, and this invoice is {}; POST \
                     to its /copy to make a draft of it",
                    status.name()
                ),
            ),
            InvoiceError::NotStamped { status } => Self::new(
                Code::InvalidTransition,
                format!("only a stamped invoice can be replaced, and this is {}", status.name()),
            ),
            InvoiceError::OrderInvoiced { order, invoice } => Self::new(
                Code::OrderAlreadyInvoiced,
                format!("order {order} is invoiced by {invoice}; cancel or delete that one first"),
            ),
            InvoiceError::Findings(list) => findings(&list, Language::English),
            InvoiceError::InsufficientCredits { available } => Self::new(
                Code::InsufficientCredits,
                format!("a stamp takes {STAMP_COST} credits and {available} are available"),
            ),
            InvoiceError::UnderWay => Self::new(
                Code::InProgress,
                "the invoice is being stamped or cancelled at this moment; read it to see what came \
                 of it",
            ),
            InvoiceError::Provider(rejection) => rejected(&rejection),
            InvoiceError::ProviderUnavailable { reason } => Self::new(
                Code::ProviderError,
                format!(
                    "the provider did not take the request: {reason}. Nothing was stamped or \
                     cancelled and no credit was spent; try again later"
                ),
            ),
            InvoiceError::OutcomeUnknown { reason } => Self::new(
                Code::ProviderTimeout,
                format!(
                    "the provider gave no answer that can be relied on: {reason}. It is being found \
                     out: read the invoice, or repeat the request. Neither makes a second stamp or \
                     charge"
                ),
            ),
            InvoiceError::Cancel(refusal) => refusal.into(),
            InvoiceError::ProviderInUse => Self::new(
                Code::InProgress,
                "invoices are being stamped with the provider at this moment; until their outcome is \
                 known its password or token can be changed, but neither provider nor user",
            ),
            InvoiceError::TooManyCertificates => Self::new(
                Code::Conflict,
                format!(
                    "the account has {} certificates, the most it may have; delete one",
                    invoices::issuer::CERTIFICATES_MAX
                ),
            ),
            InvoiceError::KnownCertificate { id } => {
                Self::new(Code::Conflict, format!("the certificate was added before, as {id}"))
            }
        }
    }
}

impl From<CancelRefusal> for ApiError {
    fn from(refusal: CancelRefusal) -> Self {
        match refusal {
            CancelRefusal::NotStamped { status } => {
                let fix = match status {
                    Status::Draft => "; delete it instead",
                    Status::Stamping => "; wait until it is stamped",
                    Status::Stamped | Status::Cancelled => "",
                };
                let status = status.name();
                Self::new(
                    Code::InvalidTransition,
                    format!("only a stamped invoice can be cancelled, and this is {status}{fix}"),
                )
            }
            CancelRefusal::UnderWay { reason } => Self::new(
                Code::Conflict,
                format!("its cancellation was asked for before, with reason {}", reason.code()),
            ),
            CancelRefusal::Related { uuids } => Self::new(
                Code::RelatedDocuments,
                format!(
                    "living documents refer to the invoice; cancel them first: {}",
                    uuids.join(", ")
                ),
            ),
            CancelRefusal::BadReplacement => Self::of_faults(&[FieldFault::new(
                "replacementUuid",
                "must be the uuid of a stamped invoice of this account that refers to this one with \
                 relation 04: POST to its /copy with \"replace\": true and stamp the copy",
            )]),
            CancelRefusal::NoCertificate => no_certificate("sign the request"),
        }
    }
}

/// What the tax authority would refuse, each with its code, field and cure.
pub(crate) fn findings(list: &[Finding], language: Language) -> ApiError {
    let named = list.iter().take(FINDINGS_NAMED_MAX);
    let named = named.map(|one| format!("{}: {}", one.code, one.message(language)));
    let mut message = named.collect::<Vec<_>>().join(" ");
    if let Some(more @ 1..) = list.len().checked_sub(FINDINGS_NAMED_MAX) {
        message.push_str(&match language {
            Language::English => format!(" And {more} more."),
            Language::Spanish => format!(" Y {more} más."),
        });
    }
    ApiError::new(Code::InvoiceInvalid, message)
}

fn rejected(Rejection { code, message }: &Rejection) -> ApiError {
    let words = format!(
        "the provider refused with code {code}: {message}. Nothing was stamped or cancelled and no \
         credit was spent"
    );
    ApiError::new(Code::RejectedByProvider, words)
}

fn no_certificate(to_what: &str) -> ApiError {
    let message = format!(
        "no active certificate can {to_what}: POST /invoices/cfdi/issuer/certificates, or activate \
         one"
    );
    ApiError::new(Code::CertificateMissing, message)
}

#[cfg(test)]
mod tests {
    use invoices::{CancelReason, CertificateId, InvoiceId, OrderId};

    use super::*;

    fn rejection() -> Rejection {
        Rejection { code: "CFDI40147".to_owned(), message: "El nombre no coincide".to_owned() }
    }

    #[test]
    fn each_refusal_has_its_status_code_and_cure() {
        let cancel = InvoiceError::Cancel;
        let uuid = "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60".to_owned();
        let reason = || "the connection was cut".to_owned();
        let order = OrderId::from_u128(1);
        let invoice = InvoiceId::from_u128(2);
        for (error, status, code, words) in [
            (InvoiceError::NoIssuer, 409, "issuer_missing", "PUT /invoices/cfdi/issuer"),
            (InvoiceError::NoCertificate, 409, "certificate_missing", "/issuer/certificates"),
            (
                InvoiceError::NotDraft { status: Status::Stamped },
                409,
                "invalid_transition",
                "is stamped",
            ),
            (
                InvoiceError::NotStamped { status: Status::Draft },
                409,
                "invalid_transition",
                "this is draft",
            ),
            (
                InvoiceError::OrderInvoiced { order, invoice },
                409,
                "order_already_invoiced",
                "inv_00000000000000000000000002",
            ),
            (InvoiceError::Findings(Vec::new()), 409, "invoice_invalid", ""),
            (
                InvoiceError::InsufficientCredits { available: 7 },
                402,
                "insufficient_credits",
                "takes 10 credits and 7 are",
            ),
            (InvoiceError::UnderWay, 409, "in_progress", "at this moment"),
            (InvoiceError::ProviderInUse, 409, "in_progress", "neither provider nor user"),
            (
                InvoiceError::Provider(rejection()),
                409,
                "rejected_by_provider",
                "code CFDI40147: El nombre no coincide",
            ),
            (
                InvoiceError::ProviderUnavailable { reason: reason() },
                502,
                "provider_error",
                "the connection was cut. Nothing was stamped",
            ),
            (
                InvoiceError::OutcomeUnknown { reason: reason() },
                504,
                "provider_timeout",
                "Neither makes a second stamp",
            ),
            (
                cancel(CancelRefusal::NotStamped { status: Status::Draft }),
                409,
                "invalid_transition",
                "delete it instead",
            ),
            (
                cancel(CancelRefusal::UnderWay { reason: CancelReason::Errors }),
                409,
                "conflict",
                "reason 02",
            ),
            (
                cancel(CancelRefusal::Related { uuids: vec![uuid.clone()] }),
                409,
                "related_documents",
                uuid.as_str(),
            ),
            (
                cancel(CancelRefusal::BadReplacement),
                400,
                "validation_failed",
                "replacementUuid must be",
            ),
            (
                cancel(CancelRefusal::NoCertificate),
                409,
                "certificate_missing",
                "can sign the request",
            ),
            (InvoiceError::TooManyCertificates, 409, "conflict", "has 20 certificates"),
            (
                InvoiceError::KnownCertificate { id: CertificateId::from_u128(3) },
                409,
                "conflict",
                "csd_00000000000000000000000003",
            ),
        ] {
            let shown = format!("{error:?}");
            let answer = ApiError::from(error);
            assert_eq!((answer.code.status(), answer.code.name()), (status, code), "{shown}");
            assert!(answer.message.contains(words), "{shown}: {}", answer.message);
        }
    }
}
