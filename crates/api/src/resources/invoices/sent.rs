//! How the API shows an email that an invoice was sent with.

use invoices::{InvoiceId, SentEmail};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// An email that was sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentInvoice)]
pub(in crate::resources) struct SentBody {
    /// Invoice that was sent.
    #[schema(value_type = String, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    id: InvoiceId,
    /// Recipients of the email.
    to: Vec<String>,
    /// Subject of the email.
    subject: String,
    /// Names of the attached files.
    attachments: Vec<String>,
    /// When the email was sent.
    #[schema(value_type = shapes::Timestamp)]
    sent_at: Timestamp,
}

impl From<SentEmail> for SentBody {
    fn from(sent: SentEmail) -> Self {
        let SentEmail { invoice, to, subject, attachments, sent_at } = sent;
        Self { id: invoice, to, subject, attachments, sent_at }
    }
}
