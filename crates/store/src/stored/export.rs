//! Files of invoices.

use cfdi::document::{DocumentType, day};
use invoices::{
    BranchId, CustomerId, IssuerId,
    export::{Content, ExportInvoices, ExportedInvoices},
};
use kernel::{Language, Timestamp};
use serde::{Deserialize, Serialize, de::Error as _};

use super::Stored;

/// What the payload of a task that writes invoices into a file says.
#[derive(Serialize, Deserialize)]
struct ExportForm {
    from: String,
    to: String,
    kind: Option<DocumentType>,
    cancelled: Option<bool>,
    issuer: Option<IssuerId>,
    branch: Option<BranchId>,
    customer: Option<CustomerId>,
    content: String,
    language: Option<String>,
}

impl Stored for ExportInvoices {
    const KIND: &'static str = "export";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        let &Self { from, to, kind, cancelled, issuer, branch, customer, content, language } = self;
        serde_json::to_string(&ExportForm {
            from: day::to_text(from),
            to: day::to_text(to),
            kind,
            cancelled,
            issuer,
            branch,
            customer,
            content: content.name().to_owned(),
            language: language.map(|language| language.tag().to_owned()),
        })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let form: ExportForm = serde_json::from_str(text)?;
        let day = |text: &str| day::from_text(text).ok_or_else(|| unknown("day"));
        let language = form.language.map(|tag| {
            let mut every = Language::EVERY.into_iter();
            every.find(|language| language.tag() == tag).ok_or_else(|| unknown("language"))
        });
        Ok(Self {
            from: day(&form.from)?,
            to: day(&form.to)?,
            kind: form.kind,
            cancelled: form.cancelled,
            issuer: form.issuer,
            branch: form.branch,
            customer: form.customer,
            content: content(&form.content)?,
            language: language.transpose()?,
        })
    }
}

/// What the outcome of such a task says.
#[derive(Serialize, Deserialize)]
struct ExportedForm {
    name: String,
    content: String,
    invoices: u64,
    size: u64,
    pieces: u32,
    expires_at: Timestamp,
}

impl Stored for ExportedInvoices {
    const KIND: &'static str = "exported";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        let Self { name, content, invoices, size, pieces, expires_at } = self.clone();
        let content = content.name().to_owned();
        serde_json::to_string(&ExportedForm { name, content, invoices, size, pieces, expires_at })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let ExportedForm { name, content: of, invoices, size, pieces, expires_at } =
            serde_json::from_str(text)?;
        Ok(Self { name, content: content(&of)?, invoices, size, pieces, expires_at })
    }
}

fn content(name: &str) -> serde_json::Result<Content> {
    let mut every = Content::EVERY.iter().copied();
    every.find(|content| content.name() == name).ok_or_else(|| unknown("content"))
}

fn unknown(what: &str) -> serde_json::Error {
    serde_json::Error::custom(format!("the {what} is unknown"))
}
