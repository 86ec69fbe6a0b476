//! `/invoices/exports`: invoices of some days as one file.

use accounts::Scope;
use intake::{Check, Fields, Form, checks::one_of, noun};
use invoices::export::{Content, ExportInvoices};
use kernel::{Done, Language};

use super::forms::{LANGUAGES, branch, customer, kind};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, json, taking},
    error::{ApiError, Code},
    reply::written,
    resources::{
        fiscal::day,
        issuers::issuer_id,
        jobs::{EXPORTING_EXAMPLE, JobBody},
    },
};

const EXPORTS: &str = "/invoices/exports";
const CREATE: Form<ExportInvoices> =
    Form::body("ExportInvoices", noun("an export", "una exportación"), read, EXAMPLE);
const EXAMPLE: &str = r#"{"from": "2026-01-01", "to": "2026-01-31", "content": "xml_and_pdf"}"#;

/// Statuses of invoices that have been stamped, with whether these are cancelled.
const STATUSES: &[(&str, bool)] = &[("stamped", false), ("cancelled", true)];

pub(super) fn endpoint() -> Endpoint {
    Endpoint::post(EXPORTS, Scope::Invoices, taking(json(CREATE), export))
        .summary("Export invoices")
        .describes(
            "Starts a job that writes the stamped and cancelled invoices of some days of issue into one file: their \
             XML and PDF as a ZIP archive with a folder for each issuer, or a CSV table for the accountant with a row \
             for each invoice. Poll the job, then download `links.file`. A file holds at most 100,000 invoices and \
             1 GiB, and is kept for 7 days; an account has at most 30 of them.",
        )
        .answers::<JobBody>(202, "The job that writes the file.", EXPORTING_EXAMPLE)
        .refuses(&[Code::Conflict])
}

async fn export(call: Call, command: ExportInvoices) -> Result<Answer, ApiError> {
    let done = written(call.services().exports.export(call.ctx()?, command)).await?;
    let Done { value: task, replayed } = done;
    let result = call.services().exports.exported(&task)?;
    let job = JobBody::new(task, result.map(Into::into), (call.now, call.language()))?;
    Answer::accepted(&Done { value: job, replayed })
}

fn read(fields: &mut Fields<'_>) -> Option<ExportInvoices> {
    let status = one_of(STATUSES, |status| status.0);
    let language = one_of(LANGUAGES, Language::tag);
    let from = fields.required("from", day().about("First day of issue, in local time."));
    let to =
        fields.required("to", day().about("Last day of issue, less than 366 days after `from`."));
    let content = one_of(Content::EVERY, Content::name)
        .about("What the file holds; defaults to `xml_and_pdf`.");
    let content = fields.optional("content", content).unwrap_or(Content::XmlAndPdf);
    let kind = fields.optional("type", kind().about("Only invoices of this CFDI type."));
    let about = "Only invoices of this status; stamped and cancelled ones by default.";
    let cancelled = fields.optional("status", status.about(about)).map(|status| status.1);
    let about = "Only invoices of this issuer.";
    let issuer = fields.optional("issuerId", issuer_id().about(about));
    let about = "Only invoices of this branch.";
    let branch = fields.optional("branchId", branch().about(about));
    let about = "Only invoices of this customer.";
    let customer = fields.optional("customerId", customer().about(about));
    let about = "Language of the headings and PDFs; by default Spanish, and each receiver's.";
    let language = fields.optional("language", language.about(about));
    let (from, to) = (from?, to?);
    let wanted =
        ExportInvoices { from, to, kind, cancelled, issuer, branch, customer, content, language };
    match wanted.check() {
        Ok(()) => Some(wanted),
        Err(fault) => fields.refuse("to", fault.problem),
    }
}
