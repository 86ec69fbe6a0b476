//! What the rules of the tax authority have against a draft.

use cfdi::{
    csd::Certificate,
    document::Document,
    rules::{self, Finding},
};
use kernel::{FieldFault, Language, Refused, Timestamp};

use crate::{
    Debts, Findings, Invoice, InvoiceError, Issuer, Status, Validation, build, one_issuer, papers,
    stamping::{Sources, reserve::outdated_by},
    withheld,
};

/// Everything a draft would be refused for at `now`, and what is doubtful of it. An invoice that is sealed already has no
/// findings, nor has one of an account without an issuer. `sources` are what the draft depends on; `is_withheld` says whether
/// its orders bear withheld taxes, of one that [may lack](withheld::may_lack) them.
#[must_use]
pub fn findings(
    invoice: &Invoice,
    issuer: Option<&Issuer>,
    certificate: Option<&Certificate>,
    debts: &Debts,
    (sources, is_withheld): (&Sources, bool),
    now: Timestamp,
) -> Validation {
    let (Some(issuer), Status::Draft) = (issuer, invoice.status) else {
        return Validation::default();
    };
    // What keeps a draft from being a document was refused when it was made; what is owed may have changed since.
    // Then the document as it was is checked for the rest.
    let (document, faults) =
        match build(&invoice.draft, issuer, (invoice.id, invoice.folio), debts, now) {
            Ok(document) => (document, Vec::new()),
            Err(faults) => (invoice.document.clone(), faults),
        };
    let of_others = one_issuer::faults(&issuer.rfc, &debts.settled);
    let since = outdated_by(invoice, sources);
    let faults = faults.iter().chain(&of_others).chain(&since);
    let mut findings: Findings = faults.map(outdated).collect();
    findings.extend(rules::check(&document, now));
    match certificate {
        Some(certificate) => {
            findings.extend(rules::check_certificate(&document, certificate, now));
        }
        None => findings.push(no_certificate()),
    }
    let late = papers::late(&document, now);
    let withheld = withheld::doubts(&invoice.draft, is_withheld);
    let doubts = rules::doubts(&document.receiver).into_iter();
    let warnings = doubts.chain(withheld).chain(late).collect();
    Validation { findings, warnings }
}

/// The document of a draft, to be sealed.
///
/// # Errors
/// [`Refused::Invalid`] when it is no document any more, or settles what another taxpayer has issued;
/// [`InvoiceError::Findings`] when the rules have something against it.
pub fn checked(
    invoice: &Invoice,
    issuer: &Issuer,
    certificate: &Certificate,
    debts: &Debts,
    now: Timestamp,
) -> Result<Document, Refused<InvoiceError>> {
    let document = build(&invoice.draft, issuer, (invoice.id, invoice.folio), debts, now)
        .map_err(Refused::Invalid)?;
    let of_others = one_issuer::faults(&issuer.rfc, &debts.settled);
    if !of_others.is_empty() {
        return Err(Refused::Invalid(of_others));
    }
    let mut findings = rules::check(&document, now);
    findings.extend(rules::check_certificate(&document, certificate, now));
    if findings.is_empty() {
        Ok(document)
    } else {
        Err(Refused::Rule(InvoiceError::Findings(findings)))
    }
}

/// The document of a draft that was [`checked`] before the draft had its folio. No rule has anything against one: it is a number of
/// at most twenty digits.
#[must_use]
pub fn numbered(document: Document, invoice: &Invoice) -> Document {
    Document { folio: invoice.folio.map(|folio| folio.to_string()), ..document }
}

/// What has changed around a draft since it was made. 301 is the authority's code of a malformed document.
pub(crate) fn outdated(fault: &FieldFault) -> Finding {
    let problem = |language| fault.problem.in_language(language);
    let (english, spanish) = (problem(Language::English), problem(Language::Spanish));
    Finding::new("301", &fault.field, english, spanish)
}

/// No certificate of the issuer could seal it: the authority's code 306.
#[must_use]
pub fn no_certificate() -> Finding {
    Finding::new(
        "306",
        "certificate",
        "must be one of the issuer's RFC: add a CSD with POST /invoices/cfdi/issuer/certificates, or activate one",
        "debe ser uno del RFC del emisor: agregar un CSD con POST /invoices/cfdi/issuer/certificates, o activar uno",
    )
}
