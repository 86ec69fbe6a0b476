//! Sending an invoice by email, and what is appended to its XML for the buyer.

use std::time::Duration;

use accounts::{Right, Scope};
use cfdi::addenda;
use intake::{
    Form,
    checks::{line, paragraph, text},
    noun,
};
use invoices::{
    EmailInvoice, Emailed, Invoice, InvoiceError, Status,
    email::{ADDRESSES_MAX, MESSAGE_CHARS_MAX, SUBJECT_CHARS_MAX},
};
use kernel::{FieldFault, Message, message, text::deliverable_email};
use tokio::time::timeout;

use super::{
    PATH, WRITE,
    detail::{invoice, place},
    names::{did_email, number},
    told::told,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    parts::Field,
    reply::{answered, concluded, found},
};

/// So long a page waits for the mail server.
const PATIENCE: Duration = Duration::from_secs(8);
const ADDENDA_LINES: u8 = 12;
const MESSAGE_LINES: u8 = 6;

/// What a form says of an email.
struct Wanted {
    to: Vec<String>,
    subject: Option<String>,
    message: Option<String>,
}

const EMAIL: Form<Wanted> = Form::body(
    "SendInvoice",
    noun("this form", "este formulario"),
    |fields| {
        let to = fields.required("to", text(addresses));
        let subject = fields.optional("subject", line(SUBJECT_CHARS_MAX));
        let message = fields.optional("message", paragraph(MESSAGE_CHARS_MAX));
        Some(Wanted { to: to?, subject, message })
    },
    "",
);
const ADDENDA: Form<Option<String>> = Form::body(
    "SetInvoiceAddenda",
    noun("this form", "este formulario"),
    |fields| {
        let xml = text(|xml| match addenda::check(xml) {
            Ok(()) => Ok(xml.to_owned()),
            Err(problem) => Err(problem.message()),
        });
        Some(fields.optional("xml", xml))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("invoices/{id}/email", WRITE, ask_email),
        Page::post("invoices/{id}/email", WRITE, email),
        Page::get("invoices/{id}/addenda", WRITE, ask_addenda),
        Page::post("invoices/{id}/addenda", WRITE, set_addenda),
    ]
}

/// Addresses with commas, semicolons or spaces between.
fn addresses(given: &str) -> Result<Vec<String>, Message> {
    let parts = given.split(|at: char| at == ',' || at == ';' || at.is_whitespace());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if parts.len() > ADDRESSES_MAX {
        return Err(message!(
            "must be at most {ADDRESSES_MAX} addresses",
            "debe tener a lo más {ADDRESSES_MAX} direcciones"
        ));
    }
    parts.into_iter().map(deliverable_email).collect()
}

async fn ask_email(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let known = match invoice.draft.customer {
        Some(id) if call.may(Right::read(Scope::Customers)) => {
            let id = crm::CustomerId::from_u128(id.to_u128());
            answered(call.services().customers.get(call.account(), id)).await?
        }
        _ => None,
    };
    let to = known.and_then(|customer| customer.email).unwrap_or_default();
    let missing = match call.services().emails.has_mail_server() {
        true => Vec::new(),
        false => told(&InvoiceError::NoMailServer),
    };
    Ok(emailing(&call, &invoice, &Values::with(&[("to", to.as_str())]), &missing, false))
}

fn emailing(
    call: &Call<Member>,
    invoice: &Invoice,
    values: &Values,
    faults: &[FieldFault],
    is_wrong: bool,
) -> Answer {
    let say = call.say();
    let fields = vec![
        Field::text("to", say.mail_recipient(), values).hint(say.mail_recipients_hint()),
        Field::text("subject", say.subject(), values).hint(say.mail_usual_hint()),
        Field::area("message", say.mail_message(), MESSAGE_LINES, values),
    ];
    let action = place(call, invoice.id, "email");
    let form = call.form(action, fields, say.send_by_email(), faults);
    let title = format!("{}: {}", say.send_by_email(), number(say, invoice));
    let sheet = Sheet::new(title, &form).wrong_if(is_wrong);
    call.page(sheet.back(number(say, invoice), place(call, invoice.id, "")))
}

async fn email(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let sent = call.sent.values();
    let Wanted { to, subject, message } = match call.read(&EMAIL)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(emailing(&call, &invoice, sent, &faults, true)),
    };
    if !call.services().emails.has_mail_server() {
        let faults = told(&InvoiceError::NoMailServer);
        return Ok(emailing(&call, &invoice, sent, &faults, true));
    }
    let command = EmailInvoice { id: invoice.id, to: Some(to), subject, message };
    let handing_over = call.services().emails.email(call.ctx(), command);
    let handing_over = concluded(handing_over, |error| told(&error));
    let word = match timeout(PATIENCE, handing_over).await {
        Ok(Ok(Ok(Emailed::Sent(_)))) => did_email(invoice.draft.kind),
        Ok(Ok(Err(faults))) => return Ok(emailing(&call, &invoice, sent, &faults, true)),
        Ok(Err(failure)) => return Err(failure),
        // It is on record: who does not wait for the mail server stops nothing.
        Ok(Ok(Ok(Emailed::Queued(_)))) | Err(_) => "invoice.email_queued",
    };
    Ok(call.done_at(&format!("{PATH}/{}", invoice.id), word))
}

async fn ask_addenda(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    if invoice.status != Status::Stamped {
        return Ok(Answer::see(&place(&call, invoice.id, "")));
    }
    let documents = found(call.services().invoices.documents(call.account(), invoice.id)).await?;
    let xml = documents.addenda.unwrap_or_default();
    Ok(appending(&call, &invoice, &Values::with(&[("xml", xml.as_str())]), &[]))
}

fn appending(
    call: &Call<Member>,
    invoice: &Invoice,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let xml = Field::area("xml", say.xml(), ADDENDA_LINES, values).hint(say.addenda_hint());
    let form = call.form(place(call, invoice.id, "addenda"), vec![xml], say.save(), faults);
    let title = format!("{}: {}", say.addenda(), number(say, invoice));
    let sheet = Sheet::new(title, &form).wrong_if(!faults.is_empty());
    call.page(sheet.back(number(say, invoice), place(call, invoice.id, "")))
}

async fn set_addenda(call: Call<Member>) -> Result<Answer, Failure> {
    let invoice = invoice(&call).await?;
    let xml = match call.read(&ADDENDA)? {
        Ok(xml) => xml,
        Err(faults) => return Ok(appending(&call, &invoice, call.sent.values(), &faults)),
    };
    let setting = call.services().invoices.set_addenda(call.ctx(), invoice.id, xml);
    Ok(match concluded(setting, |error| told(&error)).await? {
        Ok(_) => call.done_at(&format!("{PATH}/{}", invoice.id), "invoice.addenda_set"),
        Err(faults) => appending(&call, &invoice, call.sent.values(), &faults),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_written_in_many_ways() {
        for (given, wanted) in [
            ("ana@shop.example", 1),
            ("ana@shop.example, beto@shop.example;carla@shop.example", 3),
            ("ana@shop.example\nbeto@shop.example", 2),
        ] {
            assert_eq!(addresses(given).unwrap().len(), wanted, "{given}");
        }
        assert!(addresses("ana@shop.example beto").is_err());
        assert!(addresses(&"ana@shop.example ".repeat(ADDRESSES_MAX + 1)).is_err());
    }
}
