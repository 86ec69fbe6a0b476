//! The one table of error codes, and the error that every refusal becomes.

use actix_web::http::{
    StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use kernel::{FieldFault, Language, Message, message};
use serde::Serialize;

macro_rules! codes {
    ($($name:ident = $status:literal $text:literal: $meaning:literal;)+) => {
        /// Why a request was refused, as a stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $name,)+
        }

        impl Code {
            /// Every code.
            pub(crate) const EVERY: &'static [Self] = &[$(Self::$name,)+];

            /// The HTTP status that it goes with.
            pub(crate) const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)+ }
            }

            /// The code itself, `error` in the body.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// What it means, for the documentation.
            pub(crate) const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)+ }
            }
        }
    };
}

codes! {
    MalformedRequest = 400 "malformed_request": "The body is missing, is not a JSON object, or a \
                                                 header is malformed.";
    ValidationFailed = 400 "validation_failed": "Fields or query parameters are invalid; the \
                                                 message names all of them.";
    InvalidCancellationReason = 400 "invalid_cancellation_reason": "The cancellation reason is \
        missing or not one of `01`, `02`, `03`, `04`.";
    CardDataRefused = 400 "card_data_refused": "The body holds what looks like the number of a payment \
        card; it must not be sent here, and nothing of it was kept.";
    UnsupportedFile = 400 "unsupported_file": "The file is of a kind that cannot be imported, such as a picture, a PDF or an \
        old Excel workbook.";
    EmptyFile = 400 "empty_file": "The file has no rows.";
    UnknownEncoding = 400 "unknown_encoding": "The characters of the file cannot be told; name its `encoding`.";
    InvalidFile = 400 "invalid_file": "The file cannot be imported: it is damaged or too large, or its columns are not what is \
        needed; the message says which.";
    Unauthorized = 401 "unauthorized": "The API key is missing, malformed, unknown, revoked or \
                                        expired.";
    InsufficientCredits = 402 "insufficient_credits": "The account does not have enough credits \
        for the action.";
    InsufficientScope = 403 "insufficient_scope": "The API key lacks the scope that the message names.";
    NotAnApprover = 403 "not_an_approver": "The API key may not approve, is not asked to at this level, or has asked for \
        the approval itself.";
    Forbidden = 403 "forbidden": "The API key may not do this to what has more than it has itself.";
    NotFound = 404 "not_found": "The path does not exist, or the account has no resource with this \
                                 id.";
    MethodNotAllowed = 405 "method_not_allowed": "The path does not support this method; `Allow` \
                                                  lists the methods it supports.";
    RequestTimeout = 408 "request_timeout": "The request body was not received in time.";
    Conflict = 409 "conflict": "The state of the resource does not allow the action.";
    HasShipments = 409 "has_shipments": "Goods of the order are on their way.";
    InsufficientStock = 409 "insufficient_stock": "There is less stock than was ordered.";
    DecimalsFixed = 409 "decimals_fixed": "Quantities of the product are on record, so its `quantityDecimals` stay what they are.";
    StockMoved = 409 "stock_moved": "Goods have left or come since they were counted; count them again.";
    InvalidTransition = 409 "invalid_transition": "The resource cannot change from its current \
                                                   status to the requested one.";
    DuplicateSku = 409 "duplicate_sku": "Another product of the account has this SKU.";
    DuplicateEmail = 409 "duplicate_email": "Another customer of the account has this email \
                                             address.";
    DuplicateExternalId = 409 "duplicate_external_id": "Another resource of this kind has this \
        `externalId`.";
    WebhookDisabled = 409 "webhook_disabled": "The webhook is disabled; enable it first.";
    EventGone = 409 "event_gone": "The event is past its retention period, so it cannot be \
                                   delivered again.";
    ApprovalClosed = 409 "approval_closed": "Nothing is to be decided any more: the approval is approved, rejected, \
        canceled, expired or superseded.";
    IssuerMissing = 409 "issuer_missing": "No issuer is configured for the account: set one with \
                                           `PUT /invoices/cfdi/issuer`.";
    CertificateMissing = 409 "certificate_missing": "There is no active certificate to seal or \
        sign with: add one with `POST /invoices/cfdi/issuer/certificates`.";
    ProviderMissing = 409 "provider_missing": "No certification provider is chosen for the live \
        account: choose one with `PUT /invoices/cfdi/provider`.";
    OrderAlreadyInvoiced = 409 "order_already_invoiced": "The order has already been invoiced.";
    InvoiceInvalid = 409 "invoice_invalid": "SAT would reject the invoice; the message lists each \
                                             error code, the field and how to fix it.";
    WithholdingInvalid = 409 "withholding_invalid": "SAT would reject the withholding; the message \
        lists each error code, the field and how to fix it.";
    InProgress = 409 "in_progress": "The document is being stamped or cancelled; read it later to \
                                     see the result.";
    RejectedByProvider = 409 "rejected_by_provider": "The certification provider or SAT rejected \
        the request; the message includes its error code and message.";
    RelatedDocuments = 409 "related_documents": "Active documents reference the invoice; the \
                                                 message lists them.";
    InvoiceCancelled = 409 "invoice_cancelled": "The invoice is cancelled, so nothing can be paid for it.";
    OrderCancelled = 409 "order_cancelled": "The order is cancelled, so nothing can be paid for it.";
    AmountExceedsDue = 409 "amount_exceeds_due": "More is asked for than is still to be paid; the \
        message states how much that is.";
    ProviderNotConfigured = 409 "provider_not_configured": "There is no payment provider for the \
        payment: name one, or set one up with `PUT /payments/providers/{provider}`.";
    CallInProgress = 409 "call_in_progress": "The payment provider has not answered an earlier request \
        about the payment yet; read the payment later to see the result.";
    AmountExceedsAuthorized = 409 "amount_exceeds_authorized": "More is to be captured than is \
        authorized; the message states how much that is.";
    RefundExceedsRefundable = 409 "refund_exceeds_refundable": "More is to be refunded than is left; the \
        message states how much that is.";
    MethodNotRefundable = 409 "method_not_refundable": "The payment provider does not give this payment \
        back; give the money back yourself and record it with `\"manual\": true`.";
    IdempotencyKeyInUse = 409 "idempotency_key_in_use": "A request with this `Idempotency-Key` is \
        still in progress; retry shortly.";
    IdempotencyAnswerUnreadable = 409 "idempotency_answer_unreadable": "The request was already \
        carried out under this `Idempotency-Key`, but this release cannot read the stored answer; \
        read the resource instead of sending the request again with another key.";
    PreconditionFailed = 412 "precondition_failed": "The resource has changed since the version \
        given in `If-Match`.";
    PayloadTooLarge = 413 "payload_too_large": "The request body exceeds the size limit.";
    UnsupportedMediaType = 415 "unsupported_media_type": "The body is not uncompressed \
        `application/json` in UTF-8.";
    IdempotencyKeyReused = 422 "idempotency_key_reused": "This `Idempotency-Key` was already used \
        with a different request.";
    RateLimited = 429 "rate_limited": "Too many requests; `Retry-After` states how many seconds to \
                                       wait.";
    InternalError = 500 "internal_error": "An unexpected error in the service; include the request \
                                           id when reporting it.";
    ProviderError = 502 "provider_error": "An external provider could not be reached or did not \
                                           accept the request; nothing was done.";
    Unavailable = 503 "unavailable": "The service is shutting down, cannot reach its database or \
                                      lacks a setting; `Retry-After` states how many seconds to \
                                      wait.";
    ProviderTimeout = 504 "provider_timeout": "An external provider did not respond in time; the \
                                               service is determining the outcome.";
}

/// A refusal on its way to the caller.
#[derive(Debug)]
pub struct ApiError {
    /// Why.
    pub(crate) code: Code,
    /// A sentence for the caller.
    pub(crate) message: Message,
    /// Headers that the status calls for.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// What the log should know and the caller should not.
    pub(crate) cause: Option<String>,
}

/// The body of every error.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorBody<'a> {
    status_code: u16,
    message: &'a str,
    error: &'static str,
}

impl ApiError {
    /// A refusal with a sentence for the caller.
    #[must_use]
    pub fn new(code: Code, message: Message) -> Self {
        Self { code, message, headers: Vec::new(), cause: None }
    }

    /// All that is wrong with the fields of a body or a query, in one message.
    #[must_use]
    pub fn of_faults(faults: &[FieldFault]) -> Self {
        Self::new(Code::ValidationFailed, intake::sentence(faults))
    }

    /// An unexpected error, whose cause is for the log alone.
    pub fn internal(cause: impl Into<String>) -> Self {
        let message = message!(
            "internal error; quote the x-request-id of this answer when reporting it",
            "error interno; al reportarlo, indique el x-request-id de esta respuesta"
        );
        Self { cause: Some(cause.into()), ..Self::new(Code::InternalError, message) }
    }

    /// Temporarily unavailable; `cause` is for the log.
    pub(crate) fn unavailable(message: Message, cause: impl Into<String>) -> Self {
        let error = Self { cause: Some(cause.into()), ..Self::new(Code::Unavailable, message) };
        error.with(header::RETRY_AFTER, HeaderValue::from_static("1"))
    }

    /// With a header.
    pub(crate) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The body of the answer, its sentence in this language.
    pub(crate) fn to_json(&self, language: Language) -> Vec<u8> {
        let body = ErrorBody {
            status_code: self.code.status(),
            message: self.message.in_language(language),
            error: self.code.name(),
        };
        // Two strings and a number always serialise.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique_snake_case_and_errors() {
        let names: HashSet<_> = Code::EVERY.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::EVERY.len());
        for code in Code::EVERY {
            assert!(code.name().bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{code:?}");
            assert!((400..600).contains(&code.status()), "{code:?}");
            assert!(code.meaning().ends_with('.'), "{code:?}");
        }
    }
}
