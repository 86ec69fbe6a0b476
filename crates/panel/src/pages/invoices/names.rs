//! What invoices are called, and where they stand, in words.

use cfdi::{
    catalogs::payment_forms,
    document::{DocumentType, PaymentMethod},
};
use invoices::{CancelReason, CancellationStatus, Invoice, Status};
use kernel::{Amount, Currency};

use crate::{
    format::money,
    parts::{Pill, Tone},
    texts::Say,
};

/// What a document can be.
pub(super) const KINDS: &[DocumentType] =
    &[DocumentType::Income, DocumentType::Credit, DocumentType::Payment, DocumentType::Transfer];

pub(super) const fn kind_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Income => say.kind_income(),
        DocumentType::Credit => say.kind_credit(),
        DocumentType::Payment => say.kind_payment(),
        DocumentType::Transfer => say.kind_transfer(),
    }
}

/// That a document of that type was made.
pub(super) const fn created_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.credit_note_created(),
        DocumentType::Payment => say.receipt_created(),
        DocumentType::Income | DocumentType::Transfer => say.invoice_created(),
    }
}

/// That it was stamped.
pub(super) const fn stamped_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.credit_note_stamped(),
        DocumentType::Payment => say.receipt_stamped(),
        DocumentType::Income | DocumentType::Transfer => say.invoice_stamped(),
    }
}

/// That it could not be stamped, be it rejected or not even looked at.
pub(super) const fn failed_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.credit_note_stamp_failed(),
        DocumentType::Payment => say.receipt_stamp_failed(),
        DocumentType::Income | DocumentType::Transfer => say.invoice_stamp_failed(),
    }
}

/// That it was cancelled.
pub(super) const fn cancelled_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.credit_note_cancelled(),
        DocumentType::Payment => say.receipt_cancelled(),
        DocumentType::Income | DocumentType::Transfer => say.invoice_cancelled(),
    }
}

/// That SAT was asked to cancel it.
const fn cancellation_requested_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.credit_note_cancellation_requested(),
        DocumentType::Payment => say.receipt_cancellation_requested(),
        DocumentType::Income | DocumentType::Transfer => say.invoice_cancellation_requested(),
    }
}

/// That it was not cancelled.
const fn cancellation_rejected_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.credit_note_cancellation_rejected(),
        DocumentType::Payment => say.receipt_cancellation_rejected(),
        DocumentType::Income | DocumentType::Transfer => say.invoice_cancellation_rejected(),
    }
}

/// The word that says on the next page that it was stamped.
pub(super) const fn did_stamp(kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => "credit-note.stamped",
        DocumentType::Payment => "payment-receipt.stamped",
        DocumentType::Income | DocumentType::Transfer => "invoice.stamped",
    }
}

/// The same of one that was cancelled.
pub(super) const fn did_cancel(kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => "credit-note.cancelled",
        DocumentType::Payment => "payment-receipt.cancelled",
        DocumentType::Income | DocumentType::Transfer => "invoice.cancelled",
    }
}

/// The same of one that was sent.
pub(super) const fn did_email(kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => "credit-note.emailed",
        DocumentType::Payment => "payment-receipt.emailed",
        DocumentType::Income | DocumentType::Transfer => "invoice.emailed",
    }
}

/// To cancel it.
pub(super) const fn cancel_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Credit => say.cancel_credit_note(),
        DocumentType::Payment => say.cancel_payment_receipt(),
        DocumentType::Income | DocumentType::Transfer => say.cancel_invoice(),
    }
}

/// What has happened to a document, of the type with that code if it is known, by the name of its event.
pub(in crate::pages) fn event_name(
    say: Say,
    event: &str,
    code: Option<&str>,
) -> Option<&'static str> {
    let kind = code.and_then(DocumentType::from_code).unwrap_or(DocumentType::Income);
    Some(match event {
        "invoice.created" => created_name(say, kind),
        "invoice.stamped" => stamped_name(say, kind),
        "invoice.stamp_failed" => failed_name(say, kind),
        "invoice.cancellation_requested" => cancellation_requested_name(say, kind),
        "invoice.cancelled" => cancelled_name(say, kind),
        "invoice.cancellation_rejected" => cancellation_rejected_name(say, kind),
        _ => return None,
    })
}

pub(super) const fn status_name(say: Say, status: Status) -> &'static str {
    match status {
        Status::Draft => say.invoice_draft(),
        Status::Stamping => say.invoice_stamping(),
        Status::Stamped => say.invoice_is_stamped(),
        Status::Cancelled => say.invoice_is_cancelled(),
    }
}

/// Where an invoice stands; a stamped one may be about to be cancelled.
pub(super) fn status_pill(say: Say, invoice: &Invoice) -> Pill {
    let asked = invoice.cancellation.as_ref().map(|cancellation| cancellation.status);
    match invoice.status {
        Status::Draft => match &invoice.last_error {
            Some(error) if error.is_of_findings() => {
                Pill::new(Tone::Waiting, say.invoice_incomplete())
            }
            Some(error) if error.is_of_absence() => {
                Pill::new(Tone::Waiting, say.invoice_unanswered())
            }
            Some(_) => Pill::new(Tone::Bad, say.invoice_refused()),
            None => Pill::new(Tone::Plain, say.invoice_draft()),
        },
        Status::Stamping => Pill::new(Tone::Waiting, say.invoice_stamping()),
        Status::Stamped if asked == Some(CancellationStatus::Requested) => {
            Pill::new(Tone::Waiting, say.cancellation_requested())
        }
        Status::Stamped => Pill::new(Tone::Good, say.invoice_is_stamped()),
        Status::Cancelled => Pill::new(Tone::Bad, say.invoice_is_cancelled()),
    }
}

/// What has become of a cancellation.
pub(super) fn cancellation_pill(say: Say, status: CancellationStatus) -> Pill {
    match status {
        CancellationStatus::Requested => Pill::new(Tone::Waiting, say.cancellation_requested()),
        CancellationStatus::Accepted => Pill::new(Tone::Good, say.cancellation_accepted()),
        CancellationStatus::Rejected => Pill::new(Tone::Bad, say.cancellation_rejected()),
        CancellationStatus::Expired => Pill::new(Tone::Good, say.cancellation_expired()),
    }
}

/// Why an invoice is cancelled: what the reason is called, and when it is the right one.
pub(in crate::pages) const fn reason_name(
    say: Say,
    reason: CancelReason,
) -> (&'static str, &'static str) {
    match reason {
        CancelReason::ErrorsReplaced => (say.reason_01(), say.reason_01_when()),
        CancelReason::Errors => (say.reason_02(), say.reason_02_when()),
        CancelReason::NoSale => (say.reason_03(), say.reason_03_when()),
        CancelReason::InGlobal => (say.reason_04(), say.reason_04_when()),
    }
}

/// The number of an invoice, or that it has none yet.
pub(super) fn number(say: Say, invoice: &Invoice) -> String {
    numbered(say, &invoice.draft.series, invoice.folio)
}

/// The same of a series and of what number there is.
pub(in crate::pages) fn numbered(say: Say, series: &str, folio: Option<u64>) -> String {
    match folio {
        Some(folio) => format!("{series}-{folio}"),
        None => say.draft_of(series),
    }
}

/// A code of SAT's with what it means.
pub(in crate::pages) fn coded(code: &str, name: Option<&str>) -> String {
    name.map_or_else(|| code.to_owned(), |name| format!("{code} {name}"))
}

/// How an invoice says that it is paid.
pub(super) fn paid(say: Say, invoice: &Invoice) -> Vec<(&'static str, String)> {
    let method = invoice.document.payment_method.map(|method| match method {
        PaymentMethod::Pue => say.method_pue(),
        PaymentMethod::Ppd => say.method_ppd(),
    });
    let form = invoice.document.payment_form.as_ref();
    let form = form.map(|code| coded(code, payment_forms::find(code).map(|form| form.name)));
    let method = method.map(|name| (say.payment_method(), name.to_owned()));
    method.into_iter().chain(form.map(|form| (say.payment_form(), form))).collect()
}

/// An amount of an invoice, in its currency; receipts of payments add up in pesos.
pub(super) fn told_amount(invoice: &Invoice, amount: Amount) -> String {
    money(amount, currency_of(invoice))
}

/// What its amounts are in: a receipt of payments has no currency of its own.
pub(super) fn currency_of(invoice: &Invoice) -> Currency {
    match invoice.draft.kind {
        DocumentType::Payment => Currency::MXN,
        _ => invoice.draft.currency,
    }
}
