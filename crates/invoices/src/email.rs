//! Invoices sent by email: to whom, what the email says, and what follows from an attempt to hand it over.
//!
//! Receivers are Mexican taxpayers, so the default texts are in Spanish.

use cfdi::document::DocumentType;
use kernel::{
    Ctx, Fault, FieldFault, Message, Mode, Pending, Refused, Timestamp, Written,
    mail::{Attachment, Email, MailError},
    message,
    text::deliverable_email,
};
use tasks::{End, Pause, Task};

use crate::{
    Documents, Invoice, InvoiceError, InvoiceId, Status, provider::ProviderKind, testers::Testers,
};

/// The most recipients of one email.
pub const ADDRESSES_MAX: usize = 10;
/// The most characters of a subject.
pub const SUBJECT_CHARS_MAX: usize = 200;
/// The most characters of a text.
pub const MESSAGE_CHARS_MAX: usize = 5_000;

const XML_TYPE: &str = "application/xml";
const PDF_TYPE: &str = "application/pdf";
/// Seconds before each further attempt; after the last of them, some 24 hours, it is given up.
const PAUSES: &[i64] = &[10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];

/// An invoice to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailInvoice {
    /// Which.
    pub id: InvoiceId,
    /// To whom; the customer unless it says.
    pub to: Option<Vec<String>>,
    /// The subject; the type and number of the invoice unless it says.
    pub subject: Option<String>,
    /// The text; a short one in Spanish unless it says.
    pub message: Option<String>,
}

/// An email on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailRequest {
    /// To whom.
    pub to: Vec<String>,
    /// The subject, if the sender gives one.
    pub subject: Option<String>,
    /// The text, if the sender gives one.
    pub message: Option<String>,
}

/// An email that an invoice was sent with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentEmail {
    /// Which invoice.
    pub invoice: InvoiceId,
    /// To whom.
    pub to: Vec<String>,
    /// What it was about.
    pub subject: String,
    /// The names of the files in it.
    pub attachments: Vec<String>,
    /// When the mail server took it.
    pub sent_at: Timestamp,
}

/// What has become of an email by the time that its sender is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Emailed {
    /// The mail server has it.
    Sent(SentEmail),
    /// It is on record and will be tried again.
    Queued(Box<Task>),
}

/// Sends invoices by email.
pub trait Emails: Send + Sync {
    /// Whether there is a mail server to send them with.
    fn has_mail_server(&self) -> bool;

    /// Hands an email to the mail server, or leaves it on record to be tried again. An answer may take as long as the
    /// mail server's timeout; whoever stops waiting for it stops nothing.
    fn email(&self, ctx: Ctx, command: EmailInvoice) -> Pending<Written<Emailed, InvoiceError>>;

    /// The email that a task has sent; `None` when it has sent none.
    ///
    /// # Errors
    /// When what is on record cannot be read.
    fn sent(&self, task: &Task) -> Result<Option<SentEmail>, Fault>;
}

/// Keeps emails that are to be sent, each as a task from the transaction that asks for it.
pub trait EmailQueue: Send + Sync {
    /// Puts an email on record, its task claimed until `until`; that of a test account only if it goes to testers. A repeat of the request gives the task of the first,
    /// unless that one has failed: then nothing was sent, and it is put on record anew.
    fn open(
        &self,
        ctx: Ctx,
        command: EmailInvoice,
        testers: &Testers,
        until: Timestamp,
    ) -> Pending<Written<Task, InvoiceError>>;

    /// What a task asks to be sent.
    ///
    /// # Errors
    /// When it cannot be read.
    fn request(&self, task: &Task) -> Result<EmailRequest, Fault>;

    /// How an email that was sent is kept as the outcome of its task.
    ///
    /// # Errors
    /// When it cannot be written down.
    fn outcome(&self, sent: &SentEmail) -> Result<String, Fault>;

    /// The email that a task has sent; `None` when it has sent none.
    ///
    /// # Errors
    /// When what is on record cannot be read.
    fn sent(&self, task: &Task) -> Result<Option<SentEmail>, Fault>;
}

/// What follows from an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempted {
    /// The mail server has it.
    Sent,
    /// Another attempt is to be made.
    Again(Pause),
    /// It is given up.
    GivenUp(End),
}

impl EmailInvoice {
    /// What is put on record, for an invoice whose customer has this address.
    ///
    /// # Errors
    /// When there is no stamped document to send, or nobody to send it to, or somebody who must not get it.
    pub fn request(
        &self,
        invoice: &Invoice,
        customers_address: Option<&str>,
        (mode, testers): (Mode, &Testers),
    ) -> Result<EmailRequest, Refused<InvoiceError>> {
        if invoice.stamp.is_none() || !matches!(invoice.status, Status::Stamped | Status::Cancelled)
        {
            return Err(Refused::Rule(InvoiceError::NothingToEmail));
        }
        let fault = |fault| Refused::Invalid(vec![fault]);
        let to = match &self.to {
            Some(to) => to.clone(),
            None => vec![recipient(invoice, customers_address).map_err(fault)?],
        };
        if mode == Mode::Test {
            testers.check(&to).map_err(fault)?;
        }
        Ok(EmailRequest { to, subject: self.subject.clone(), message: self.message.clone() })
    }
}

fn recipient(invoice: &Invoice, address: Option<&str>) -> Result<String, FieldFault> {
    let missing = |why: Message| FieldFault::new("to", why);
    if invoice.draft.customer.is_none() {
        return Err(missing(message!(
            "is required: the invoice names no customer",
            "es obligatorio: la factura no indica un cliente"
        )));
    }
    let address = address.ok_or_else(|| {
        missing(message!(
            "is required: the customer has no e-mail address",
            "es obligatorio: el cliente no tiene dirección de correo"
        ))
    })?;
    deliverable_email(address).map_err(|_| {
        missing(message!(
            "is required: mail servers do not accept the customer's address {address:?}",
            "es obligatorio: los servidores de correo no aceptan la dirección del cliente {address:?}"
        ))
    })
}

/// The email with the documents of a stamped invoice. `id` is its name in every attempt.
#[must_use]
pub fn compose(id: &str, request: &EmailRequest, documents: Documents, pdf: Vec<u8>) -> Email {
    let Documents { invoice, xml, .. } = documents;
    let stem = file_stem(&invoice);
    let attached = |ending: &str, content_type: &str, bytes| Attachment {
        name: format!("{stem}.{ending}"),
        content_type: content_type.to_owned(),
        bytes,
    };
    let xml = xml.map(|xml| attached("xml", XML_TYPE, xml.into_bytes()));
    Email {
        id: id.to_owned(),
        to: request.to.clone(),
        subject: request.subject.clone().unwrap_or_else(|| usual_subject(&invoice)),
        text: request.message.clone().unwrap_or_else(|| usual_text(&invoice)),
        attachments: xml.into_iter().chain([attached("pdf", PDF_TYPE, pdf)]).collect(),
    }
}

/// What is recorded of an email that the mail server took.
#[must_use]
pub fn sent(invoice: InvoiceId, email: &Email, sent_at: Timestamp) -> SentEmail {
    let attachments = email.attachments.iter().map(|file| file.name.clone()).collect();
    SentEmail {
        invoice,
        to: email.to.clone(),
        subject: email.subject.clone(),
        attachments,
        sent_at,
    }
}

/// What follows from an attempt that came after `attempts` others.
#[must_use]
pub fn attempted(outcome: Result<(), MailError>, attempts: u32) -> Attempted {
    let (reason, is_doubtful) = match outcome {
        Ok(()) => return Attempted::Sent,
        Err(MailError::Refused { reason }) => return Attempted::GivenUp(End::Failed(reason)),
        Err(MailError::Unreachable { reason }) => (reason, false),
        Err(MailError::Unknown { reason }) => (reason, true),
    };
    let place = usize::try_from(attempts).unwrap_or(usize::MAX);
    match PAUSES.get(place) {
        Some(seconds) => Attempted::Again(Pause { seconds: *seconds, is_doubtful, reason }),
        None => Attempted::GivenUp(End::Failed(reason)),
    }
}

/// Base name of an invoice's files: the fiscal folio, otherwise the number, otherwise the identifier.
#[must_use]
pub fn file_stem(invoice: &Invoice) -> String {
    let named = invoice.uuid().map(str::to_owned).or_else(|| invoice.number());
    let stem = named.unwrap_or_else(|| invoice.id.to_string());
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    stem.chars().map(plain).collect()
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
        DocumentType::Income => "Factura",
        DocumentType::Credit => "Nota de crédito",
        DocumentType::Payment => "Constancia de pago",
        DocumentType::Transfer => "Factura de traslado",
    };
    match invoice.number() {
        Some(number) => format!("{name} {number}"),
        None => name.to_owned(),
    }
}
