//! Why rows of bulk actions were left out, as the pages say it that do the same about one.

use ::bulk::{Action, Outcome, Reason, Row};
use invoices::{InvoiceError, Status};
use kernel::FieldFault;
use orders::{OrderStatus, ShipmentError, UpdateError};
use webhooks::WebhookError;

use crate::{
    pages::{
        invoices::{told::told as unstamped, with_fields_named},
        orders::{unchanged, unshipped},
        webhooks::told as unsent,
    },
    texts::Say,
};

/// Why a row was left out. On record are the words of the API, which name calls and fields that no page has.
pub(super) fn told(say: Say, action: &Action, row: &Row) -> Option<String> {
    let result = row.result.as_ref()?;
    let is_skipped = result.outcome == Outcome::Skipped;
    let Some(reason) = result.reason.as_ref() else {
        return done_before(say, action).filter(|_| is_skipped).map(str::to_owned);
    };
    let own = match reason.code.as_str() {
        "not_found" => None,
        _ => own_words(say, action, reason, is_skipped),
    };
    Some(own.unwrap_or_else(|| finished(with_fields_named(say, reason.message.in_language(say.0)))))
}

/// With a full stop: the API's sentences about fields have none.
fn finished(sentence: String) -> String {
    if sentence.ends_with('.') { sentence } else { format!("{sentence}.") }
}

/// What is said of a row for which nothing was left to do, where nothing else is on record.
const fn done_before(say: Say, action: &Action) -> Option<&'static str> {
    match action {
        Action::CancelOrders { .. } => Some(say.order_was_cancelled()),
        Action::InvoiceOrders { .. } | Action::StampInvoices => Some(say.invoice_was_stamped()),
        _ => None,
    }
}

fn own_words(say: Say, action: &Action, reason: &Reason, is_skipped: bool) -> Option<String> {
    let told = |fault: FieldFault| fault.problem.in_language(say.0).to_owned();
    let of_invoice = |error: InvoiceError| unstamped(&error).into_iter().next().map(told);
    Some(match (action, reason.code.as_str()) {
        (Action::PayOrders { .. }, "order_cancelled") => say.pay_order_cancelled().to_owned(),
        (Action::PayOrders { .. }, _) if is_skipped => say.pay_nothing_due().to_owned(),
        (Action::ShipOrders, _) if is_skipped => {
            told(unshipped(&ShipmentError::NothingOpen { warehouse: None }))
        }
        (Action::ShipOrders, "invalid_transition") => {
            told(unshipped(&ShipmentError::WrongStatus { status: OrderStatus::Cancelled }))
        }
        (Action::CancelOrders { .. }, "has_shipments") => {
            told(unchanged(&UpdateError::HasShipments))
        }
        (Action::CancelOrders { .. }, "invalid_transition") => {
            let (from, to) = (OrderStatus::Delivered, OrderStatus::Cancelled);
            told(unchanged(&UpdateError::InvalidTransition { from, to, allowed: &[] }))
        }
        (Action::CancelOrders { .. }, "conflict") => say.bulk_refund_needed(say.bulk_refund()),
        (Action::InvoiceOrders { .. }, "order_already_invoiced") => {
            say.order_has_invoice().to_owned()
        }
        (Action::StampInvoices, "invalid_transition") if is_skipped => {
            say.invoice_was_stamped().to_owned()
        }
        (Action::InvoiceOrders { .. } | Action::StampInvoices, code) => {
            return not_stamped(code).and_then(of_invoice);
        }
        (Action::EmailInvoices, "validation_failed") => {
            let clause = reason.message.in_language(say.0).strip_prefix("to ")?;
            format!("{} {clause}", say.mail_recipient())
        }
        (Action::ResendDeliveries, "webhook_disabled") => told(unsent(&WebhookError::Disabled)),
        (Action::ResendDeliveries, "conflict") => told(unsent(&WebhookError::InProgress)),
        (Action::ResendDeliveries, "event_gone") => told(unsent(&WebhookError::EventGone)),
        _ => return None,
    })
}

/// What is in the way of a stamp, by its code in the API.
fn not_stamped(code: &str) -> Option<InvoiceError> {
    Some(match code {
        "issuer_missing" => InvoiceError::NoIssuer,
        "certificate_missing" => InvoiceError::NoCertificate,
        "provider_missing" => InvoiceError::NoProvider,
        "invalid_transition" => InvoiceError::NotDraft { status: Status::Stamped },
        _ => return None,
    })
}
