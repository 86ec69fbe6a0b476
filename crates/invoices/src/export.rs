//! Invoices handed over as one file: a ZIP of their documents, or a table for an accountant.

mod table;

use cfdi::{
    catalogs::zones::Zone,
    document::{DocumentType, day},
};
use kernel::{
    AccountId, Ctx, Fault, FieldFault, Language, Pending, Refused, Timestamp, Written, message,
};
use tasks::Task;
use time::{Date, Duration, Time};

pub use table::{heading, row};

use crate::{
    BranchId, CustomerId, Invoice, InvoiceError, InvoiceId, IssuerId, Status, email::file_stem,
    receivers::NO_CUSTOMER,
};

/// Days of issue that one file covers at most: a year.
pub const DAYS_MAX: i64 = 366;
/// Invoices in one file at most.
pub const INVOICES_MAX: usize = 100_000;

/// A stamp may be recorded days after its document was issued: the authority takes documents of the last 72 hours, and
/// an answer that was lost is found out later.
const DAYS_UNTIL_RECORDED: i64 = 10;

/// Invoices to be written into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportInvoices {
    /// The first day of issue, as documents state it.
    pub from: Date,
    /// The last day of issue.
    pub to: Date,
    /// What they are.
    pub kind: Option<DocumentType>,
    /// Only those that are cancelled, or only those that are not.
    pub cancelled: Option<bool>,
    /// Who issues them.
    pub issuer: Option<IssuerId>,
    /// The branch that they are issued at.
    pub branch: Option<BranchId>,
    /// Who buys.
    pub customer: Option<CustomerId>,
    /// What is written of them.
    pub content: Content,
    /// The language of headings and PDFs; Spanish, and that of each receiver, where it is not told.
    pub language: Option<Language>,
}

/// What is written of invoices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Their XML, with the receipts of cancellations, and their PDF, in a ZIP archive.
    XmlAndPdf,
    /// Their XML alone, with the receipts of cancellations, in a ZIP archive.
    Xml,
    /// Their PDF alone, in a ZIP archive.
    Pdf,
    /// A row for each, as CSV.
    Csv,
}

impl Content {
    /// Every content.
    pub const EVERY: &'static [Self] = &[Self::XmlAndPdf, Self::Xml, Self::Pdf, Self::Csv];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::XmlAndPdf => "xml_and_pdf",
            Self::Xml => "xml",
            Self::Pdf => "pdf",
            Self::Csv => "csv",
        }
    }

    /// Whether it holds XML.
    #[must_use]
    pub const fn has_xml(self) -> bool {
        matches!(self, Self::XmlAndPdf | Self::Xml)
    }

    /// Whether it holds printed representations.
    #[must_use]
    pub const fn has_pdf(self) -> bool {
        matches!(self, Self::XmlAndPdf | Self::Pdf)
    }
}

/// A file of invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedInvoices {
    /// Its name.
    pub name: String,
    /// What it holds of them.
    pub content: Content,
    /// How many invoices it holds.
    pub invoices: u64,
    /// Its bytes.
    pub size: u64,
    /// The pieces that it is kept in.
    pub pieces: u32,
    /// Until when it is kept.
    pub expires_at: Timestamp,
}

/// Has invoices written into files. Each is a task from the transaction that asks for it.
pub trait Exports: Send + Sync {
    /// Puts a file to be made on record.
    fn export(&self, ctx: Ctx, command: ExportInvoices) -> Pending<Written<Task, InvoiceError>>;

    /// The file that a task has made; `None` when it has made none.
    ///
    /// # Errors
    /// When what is on record cannot be read.
    fn exported(&self, task: &Task) -> Result<Option<ExportedInvoices>, Fault>;
}

/// What whoever makes the files asks for.
pub trait ExportQueue: Send + Sync {
    /// What a task asks to be written.
    ///
    /// # Errors
    /// When it cannot be read.
    fn export_wanted(&self, task: &Task) -> Result<ExportInvoices, Fault>;

    /// How a file that was made is kept as the outcome of its task.
    ///
    /// # Errors
    /// When it cannot be written down.
    fn export_outcome(&self, exported: &ExportedInvoices) -> Result<String, Fault>;

    /// Up to `limit` invoices stamped from the one moment to before the other, in the order of their stamps, behind a
    /// place that was reached. One that cannot be read is a fault: no file leaves an invoice out silently.
    fn stamped(
        &self,
        account: AccountId,
        between: (Timestamp, Timestamp),
        behind: Option<StampPlace>,
        limit: usize,
    ) -> Pending<Result<StampedBatch, Fault>>;
}

/// A few of the stamped invoices.
#[derive(Clone, Debug, PartialEq)]
pub struct StampedBatch {
    /// The invoices, in the order of their stamps.
    pub invoices: Vec<Invoice>,
    /// Where the next ones follow; `None` when there are no more.
    pub next: Option<StampPlace>,
}

/// A place among the stamped invoices of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StampPlace {
    /// When the stamp was put on record.
    pub at: Timestamp,
    /// The invoice, among those of one moment.
    pub id: InvoiceId,
}

impl ExportInvoices {
    /// Refuses days that are not in order, or too many.
    ///
    /// # Errors
    /// [`FieldFault`] of the last day.
    pub fn check(&self) -> Result<(), FieldFault> {
        if self.to < self.from {
            let why = message!("must not be before from", "no debe ser anterior a from");
            return Err(FieldFault::new("to", why));
        }
        if (self.to - self.from).whole_days() >= DAYS_MAX {
            let why = message!(
                "must be less than {DAYS_MAX} days after from",
                "debe ser menos de {DAYS_MAX} días posterior a from"
            );
            return Err(FieldFault::new("to", why));
        }
        Ok(())
    }

    /// The moments between which stamps of these days may be on record.
    #[must_use]
    pub fn recorded_between(&self) -> (Timestamp, Timestamp) {
        let start = |day: Date| Zone::Central.utc(day.with_time(Time::MIDNIGHT));
        // No zone of the country is a day away from another.
        let first = self.from.saturating_sub(Duration::days(1));
        let last = self.to.saturating_add(Duration::days(1 + DAYS_UNTIL_RECORDED));
        (start(first), start(last))
    }

    /// Whether a stamped invoice is one of those wanted.
    #[must_use]
    pub fn wants(&self, invoice: &Invoice) -> bool {
        let issued = invoice.document.issued_at.date();
        let is_cancelled = invoice.status == Status::Cancelled;
        (self.from..=self.to).contains(&issued)
            && matches!(invoice.status, Status::Stamped | Status::Cancelled)
            && self.kind.is_none_or(|kind| kind == invoice.document.kind)
            && self.cancelled.is_none_or(|wanted| wanted == is_cancelled)
            && self.issuer.is_none_or(|issuer| invoice.draft.issuer == Some(issuer))
            && self.branch.is_none_or(|branch| invoice.draft.branch == Some(branch))
            && self.customer.is_none_or(|customer| invoice.draft.customer == Some(customer))
    }

    /// The days of issue, as what the task is about: `2026-10-01/2026-10-31` (ISO 8601).
    #[must_use]
    pub fn period(&self) -> String {
        format!("{}/{}", day::to_text(self.from), day::to_text(self.to))
    }

    /// The name of the file: `facturas-2026-10.zip`, or with both days where they are no whole month.
    #[must_use]
    pub fn file_name(&self) -> String {
        let ending = match self.content {
            Content::XmlAndPdf | Content::Xml | Content::Pdf => "zip",
            Content::Csv => "csv",
        };
        let first = day::to_text(self.from);
        let of_month = first.get(..7).filter(|text| month(text) == Some((self.from, self.to)));
        match of_month {
            Some(month) => format!("facturas-{month}.{ending}"),
            None => format!("facturas-{first}-{}.{ending}", day::to_text(self.to)),
        }
    }
}

/// The first and the last day of a month such as `2026-10`.
fn month(text: &str) -> Option<(Date, Date)> {
    let first = day::from_text(&format!("{text}-01"))?;
    let last = first.month().length(first.year());
    Some((first, first.replace_day(last).ok()?))
}

/// Where a document of an invoice is found in an archive: a folder for each RFC that issues.
#[must_use]
pub fn entry_name(invoice: &Invoice, ending: &str) -> String {
    // An RFC may hold letters that not every archiver reads as they were written.
    let rfc = invoice.document.issuer.rfc.replace('Ñ', "N").replace('&', "_");
    format!("{rfc}/{}{ending}", file_stem(invoice))
}

/// Refuses a branch that the account does not have.
#[must_use]
pub fn unknown_branch() -> Refused<InvoiceError> {
    Refused::Invalid(vec![FieldFault::new("branchId", crate::fields::NO_BRANCH)])
}

/// Refuses a customer that the account does not have.
#[must_use]
pub fn unknown_customer() -> Refused<InvoiceError> {
    Refused::Invalid(vec![FieldFault::new("customerId", NO_CUSTOMER)])
}

#[cfg(test)]
mod tests;
