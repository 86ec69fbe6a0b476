//! What invoices tell subscribers, with exactly the payload fields of the event catalog and of its extensions.

use kernel::{Amount, NewEvent, reason::told};
use serde::Serialize;

use crate::{Invoice, InvoiceId, provider::Rejection};

/// `invoice.created`.
#[must_use]
pub fn created(invoice: &Invoice) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: InvoiceId,
        amount: Amount,
    }
    let data = Data { id: invoice.id, amount: invoice.amount() };
    NewEvent::new("invoice.created", invoice.id, &data)
}

/// `invoice.stamped`.
#[must_use]
pub fn stamped(invoice: &Invoice) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: InvoiceId,
        uuid: &'a str,
        amount: Amount,
    }
    let uuid = invoice.uuid().unwrap_or_default();
    let data = Data { id: invoice.id, uuid, amount: invoice.amount() };
    NewEvent::new("invoice.stamped", invoice.id, &data)
}

/// `invoice.stamp_failed`, with the provider's words, or else in English.
#[must_use]
pub fn stamp_failed(invoice: &Invoice, rejection: &Rejection) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: InvoiceId,
        code: &'a str,
        message: &'a str,
    }
    let Rejection { code, message } = rejection;
    let message = told(message).to_string();
    let data = Data { id: invoice.id, code, message: &message };
    NewEvent::new("invoice.stamp_failed", invoice.id, &data)
}

/// `invoice.cancellation_requested`.
#[must_use]
pub fn cancellation_requested(invoice: &Invoice) -> NewEvent {
    NewEvent::new("invoice.cancellation_requested", invoice.id, &Named::of(invoice))
}

/// `invoice.cancelled`.
#[must_use]
pub fn cancelled(invoice: &Invoice) -> NewEvent {
    NewEvent::new("invoice.cancelled", invoice.id, &Named::of(invoice))
}

/// `invoice.cancellation_rejected`.
#[must_use]
pub fn cancellation_rejected(invoice: &Invoice, reason: &str) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        #[serde(flatten)]
        named: Named<'a>,
        reason: &'a str,
    }
    let data = Data { named: Named::of(invoice), reason };
    NewEvent::new("invoice.cancellation_rejected", invoice.id, &data)
}

/// Which invoice it is about.
#[derive(Serialize)]
struct Named<'a> {
    id: InvoiceId,
    uuid: &'a str,
}

impl<'a> Named<'a> {
    fn of(invoice: &'a Invoice) -> Self {
        Self { id: invoice.id, uuid: invoice.uuid().unwrap_or_default() }
    }
}
