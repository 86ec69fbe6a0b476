//! What invoices tell subscribers, with exactly the payload fields of the event catalog.

use kernel::{Amount, NewEvent};
use serde::Serialize;

use crate::{Invoice, InvoiceId};

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
