//! The documents of an invoice: XML, PDF and cancellation receipt, and sending them by email.

use accounts::Scope;
use invoices::{Documents, Invoice, InvoiceId, Status};
use kernel::{Done, FieldFault, message};

use super::{
    ID, examples, forms,
    mail::{self, SentBody},
};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Waits, json, taking},
    error::{ApiError, Code},
    reply::{answered, computed, found, written},
};

const XML: &str = "/invoices/{id}/xml";
const PDF: &str = "/invoices/{id}/pdf";
const RECEIPT: &str = "/invoices/{id}/cancellation-receipt";
const EMAIL: &str = "/invoices/{id}/email";

pub(super) const XML_TYPE: &str = "application/xml";
pub(super) const PDF_TYPE: &str = "application/pdf";

pub(super) fn endpoints() -> [Endpoint; 4] {
    [
        Endpoint::get(XML, Scope::Invoices, taking(ID, xml))
            .summary("Download the XML of an invoice")
            .describes(
                "The stamped document, byte for byte as returned by the provider; while stamping \
                 is in progress, the sealed document. A draft has no XML.",
            )
            .answers_file(XML_TYPE, "The XML.")
            .refuses(&[Code::Conflict]),
        Endpoint::get(PDF, Scope::Invoices, taking(ID, pdf))
            .summary("Download the PDF of an invoice")
            .describes(
                "The printed representation (representación impresa), with QR code and seals. The \
                 PDF of a draft is marked as a draft.",
            )
            .answers_file(PDF_TYPE, "The PDF."),
        Endpoint::get(RECEIPT, Scope::Invoices, taking(ID, receipt))
            .summary("Download the cancellation receipt of an invoice")
            .describes("SAT's receipt (acuse) for the cancellation request.")
            .answers_file(XML_TYPE, "The receipt, as XML.")
            .refuses(&[Code::Conflict]),
        Endpoint::post(EMAIL, Scope::Invoices, taking((ID, json(forms::EMAIL)), email))
            .waits_for(Waits::Mail)
            .summary("Email an invoice")
            .describes(
                "Emails the XML and PDF of a stamped invoice, to the customer unless `to` names \
                 other recipients. The email is handed over to the mail server before the response \
                 is sent.",
            )
            .answers::<SentBody>(200, "The email that was sent.", examples::SENT)
            .refuses(&[Code::Conflict, Code::ProviderError, Code::ProviderTimeout]),
    ]
}

async fn xml(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let Documents { invoice, xml, .. } = documents(&call, id).await?;
    let xml = xml.ok_or_else(|| {
        let message = message!(
            "the invoice is not sealed yet, so it has no XML; stamp it first",
            "la factura aún no está sellada y no tiene XML; tímbrela primero"
        );
        ApiError::new(Code::Conflict, message)
    })?;
    Answer::file(XML_TYPE, &format!("{}.xml", file_stem(&invoice)), xml)
}

async fn pdf(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let documents = documents(&call, id).await?;
    let name = format!("{}.pdf", file_stem(&documents.invoice));
    let (_, pdf) = printed(&call, documents).await?;
    Answer::file(PDF_TYPE, &name, pdf)
}

async fn receipt(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let Documents { invoice, receipt, .. } = documents(&call, id).await?;
    let receipt = receipt.ok_or_else(|| {
        let message = match invoice.cancellation {
            Some(_) => message!(
                "the receipt of the cancellation has not come yet; try again later",
                "el acuse de cancelación aún no llega; intente más tarde"
            ),
            None => message!(
                "no cancellation of the invoice was asked for, so there is no receipt",
                "no se ha solicitado cancelar la factura, por lo que no hay acuse"
            ),
        };
        ApiError::new(Code::Conflict, message)
    })?;
    Answer::file(XML_TYPE, &format!("{}-acuse.xml", file_stem(&invoice)), receipt)
}

async fn email(
    call: Call,
    (id, wanted): (InvoiceId, forms::WantedMail),
) -> Result<Answer, ApiError> {
    let ctx = call.ctx()?;
    let before = written(call.services().invoices.sent_mail(ctx.clone())).await?;
    if let Some(sent) = before.value {
        return Answer::acted::<SentBody, _>(Done { value: sent, replayed: true });
    }
    let documents = documents(&call, id).await?;
    let mailer = call.services().mailer.clone();
    if !mailer.is_configured() {
        return Err(ApiError::unavailable(
            message!(
                "no mail server is configured: whoever runs the service must set smtp_url and mail_from",
                "no hay servidor de correo: quien opera el servicio debe configurar smtp_url y mail_from"
            ),
            "an email was requested without smtp_url and mail_from",
        ));
    }
    if !is_stamped(&documents.invoice) {
        let message = message!(
            "only a stamped invoice can be sent; stamp it first",
            "solo se puede enviar una factura timbrada; tímbrela primero"
        );
        return Err(ApiError::new(Code::Conflict, message));
    }
    let forms::WantedMail { to, subject, message } = wanted;
    let to = match to {
        Some(to) => to,
        None => vec![customers_address(&call, &documents.invoice).await?],
    };
    let (documents, pdf) = printed(&call, documents).await?;
    let stem = file_stem(&documents.invoice);
    let email = mail::email(documents, pdf, &stem, mail::Wording { to, subject, message });
    let sent = mail::sent(id, &email, ctx.now);
    mailer.send(email).await.map_err(|words| {
        let message = message!(
            "the mail server did not accept the email: {words}",
            "el servidor de correo no aceptó el mensaje: {words}"
        );
        ApiError::new(Code::ProviderError, message)
    })?;
    let recorded = written(call.services().invoices.record_sent_mail(ctx, sent)).await?;
    Answer::acted::<SentBody, _>(recorded)
}

async fn documents(call: &Call, id: InvoiceId) -> Result<Documents, ApiError> {
    found(call.services().invoices.documents(call.account, id)).await
}

/// The documents, read again, and their PDF.
async fn printed(call: &Call, documents: Documents) -> Result<(Documents, Vec<u8>), ApiError> {
    let printer = call.services().printer.clone();
    let (documents, pdf) = computed(move || {
        let pdf = printer.pdf(&documents);
        (documents, pdf)
    })
    .await?;
    Ok((documents, pdf.map_err(|problem| ApiError::internal(format!("printing: {problem}")))?))
}

async fn customers_address(call: &Call, invoice: &Invoice) -> Result<String, ApiError> {
    let missing = |why| ApiError::of_faults(&[FieldFault::new("to", why)]);
    let id = invoice.draft.customer.ok_or_else(|| {
        missing(message!(
            "is required: the invoice names no customer",
            "es obligatorio: la factura no indica un cliente"
        ))
    })?;
    let id = crm::CustomerId::from_u128(id.to_u128());
    let customer = answered(call.services().customers.get(call.account, id)).await?;
    let email = customer.and_then(|customer| customer.email);
    email.ok_or_else(|| {
        missing(message!(
            "is required: the customer has no e-mail address",
            "es obligatorio: el cliente no tiene dirección de correo"
        ))
    })
}

fn is_stamped(invoice: &Invoice) -> bool {
    invoice.stamp.is_some() && matches!(invoice.status, Status::Stamped | Status::Cancelled)
}

/// Base name of its files: the fiscal folio, otherwise the number, otherwise the identifier.
fn file_stem(invoice: &Invoice) -> String {
    let stem = match (invoice.uuid(), invoice.folio) {
        (Some(uuid), _) => uuid.to_owned(),
        (None, Some(folio)) => format!("{}-{folio}", invoice.draft.series),
        (None, None) => invoice.id.to_string(),
    };
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    stem.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::invoices::body::tests::{draft_of, stamped};
    use cfdi::document::Kind;

    #[test]
    fn files_are_named_by_folio_number_or_identifier() {
        assert_eq!(file_stem(&stamped()), "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60");
        let mut sealed = draft_of(Kind::Income);
        assert_eq!(file_stem(&sealed), sealed.id.to_string());
        sealed.folio = Some(7);
        sealed.draft.series = "Ñ\"/x".to_owned();
        assert_eq!(file_stem(&sealed), "___x-7");
    }

    #[test]
    fn only_what_is_stamped_is_sent() {
        assert!(is_stamped(&stamped()));
        assert!(!is_stamped(&draft_of(Kind::Income)));
    }
}
