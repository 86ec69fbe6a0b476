//! The email that an invoice is sent with. Receivers are Mexican taxpayers, so the default texts are in
//! Spanish.

use cfdi::document::Kind;
use invoices::{Documents, Invoice, InvoiceId, SentEmail, provider::ProviderKind};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::documents::{PDF_TYPE, XML_TYPE};
use crate::{
    ports::{Attachment, Email},
    resources::shapes,
};

/// What the sender says of an email.
pub(super) struct Wording {
    /// Recipients.
    pub(super) to: Vec<String>,
    /// Subject, if the caller gives one.
    pub(super) subject: Option<String>,
    /// Body text, if the caller gives one.
    pub(super) message: Option<String>,
}

/// An email that was sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentInvoice)]
pub(super) struct SentBody {
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

/// What is recorded of an email with an invoice.
pub(super) fn sent(invoice: InvoiceId, email: &Email, sent_at: Timestamp) -> SentEmail {
    let attachments = email.attachments.iter().map(|file| file.name.clone()).collect();
    let (to, subject) = (email.to.clone(), email.subject.clone());
    SentEmail { invoice, to, subject, attachments, sent_at }
}

/// The email with the documents of a stamped invoice.
pub(super) fn email(documents: Documents, pdf: Vec<u8>, stem: &str, wording: Wording) -> Email {
    let Documents { invoice, xml, .. } = documents;
    let Wording { to, subject, message } = wording;
    let subject = subject.unwrap_or_else(|| usual_subject(&invoice));
    let text = message.unwrap_or_else(|| usual_text(&invoice));
    let attached = |ending, content_type, bytes| {
        let name = format!("{stem}.{ending}");
        Attachment { name, content_type, bytes }
    };
    let xml = xml.map(|xml| attached("xml", XML_TYPE, xml.into_bytes()));
    let attachments = xml.into_iter().chain([attached("pdf", PDF_TYPE, pdf)]).collect();
    Email { to, subject, text, attachments }
}

fn usual_subject(invoice: &Invoice) -> String {
    format!("{} de {}", title(invoice), invoice.document.issuer.legal_name)
}

fn usual_text(invoice: &Invoice) -> String {
    let issuer = &invoice.document.issuer;
    let receiver = &invoice.document.receiver.legal_name;
    let mut text = format!(
        "Estimado cliente {receiver}:\n\nAdjuntamos su {} (XML y PDF), emitida por {}, RFC {}.\n",
        title(invoice),
        issuer.legal_name,
        issuer.rfc
    );
    if let Some(stamped) = &invoice.stamp {
        text.push_str(&format!("\nFolio fiscal: {}\n", stamped.stamp.uuid));
        if stamped.provider == ProviderKind::Sandbox {
            text.push_str("Documento de prueba (SANDBOX), sin valor fiscal.\n");
        }
        let url = cfdi::stamp::verification_url(&invoice.document, &stamped.stamp);
        text.push_str(&format!("Verifíquela en: {url}\n"));
    }
    text
}

/// The document type and its number: `Factura F-123`.
fn title(invoice: &Invoice) -> String {
    let name = match invoice.document.kind {
        Kind::Income => "Factura",
        Kind::Credit => "Nota de crédito",
        Kind::Payment => "Constancia de pago",
        Kind::Transfer => "Factura de traslado",
    };
    match invoice.folio {
        Some(folio) => format!("{name} {}-{folio}", invoice.draft.series),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::invoices::body::tests::stamped;

    fn written(subject: Option<&str>, message: Option<&str>) -> Email {
        let documents = Documents {
            invoice: stamped(),
            xml: Some("<x/>".to_owned()),
            certificate_number: None,
            receipt: None,
            logo: None,
        };
        let wording = Wording {
            to: vec!["ana@example.com".to_owned()],
            subject: subject.map(str::to_owned),
            message: message.map(str::to_owned),
        };
        email(documents, b"%PDF".to_vec(), "ABC", wording)
    }

    #[test]
    fn emails_say_what_they_bring_unless_the_sender_does() {
        let email = written(None, None);
        assert_eq!(email.subject, "Factura F-123 de ESCUELA KEMPER URGATE");
        assert!(email.text.contains("Folio fiscal: 6E1CE7A8-"), "{}", email.text);
        assert!(email.text.contains("SANDBOX"), "{}", email.text);
        let names: Vec<_> = email.attachments.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["ABC.xml", "ABC.pdf"]);
        let email = written(Some("Gracias"), Some("Hasta pronto"));
        assert_eq!((email.subject.as_str(), email.text.as_str()), ("Gracias", "Hasta pronto"));
    }
}
