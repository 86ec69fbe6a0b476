//! The rules of the tax authority (SAT) that can be judged before a stamp is spent.
//!
//! They are those of Anexo 20, of the guides of filling in and of the two matrices of errors (CFDI 4.0 and
//! payments 2.0), as far as a document and the catalogs decide them. Rules that only a guide or the standard of a
//! complement states have the code `CFDI40999`. What only SAT's registries know is not
//! judged: whether an RFC is active, whether name, postal code and regime are the registered ones, and
//! whether amounts and exchange rates are so unusual that a provider must confirm them.
//!
//! Withholdings are judged by their own matrix (`Reten20101` and on) and that of services sold through platforms
//! (`SPT117`), as far as their numbers are known.
//!
//! Sums of invoices are not judged either, for [`Totals`](crate::totals::Totals) and
//! [`PaymentTotals`](crate::payments::PaymentTotals) derive them as providers recompute them.

mod accounts;
mod called;
mod case;
mod certificate;
mod complements;
mod curp;
mod doubts;
mod finding;
mod global;
mod head;
mod issued;
mod issuer;
mod items;
mod limits;
mod listed;
mod parties;
mod parts;
mod pattern;
mod payments;
mod receipt;
mod receiver;
mod relations;
mod tax_object;
mod taxes;
mod text;
mod third_party;
mod totals;
mod withholding;

pub use called::told;
pub use certificate::{check_certificate, check_withholding_certificate};
pub use finding::{Finding, Language};
pub use global::asks_for_period;
use kernel::Timestamp;
pub(crate) use text::is_rfc;
pub use text::is_unprintable;
pub use withholding::check_withholding;

use crate::document::{Document, DocumentType, Receiver};
use case::Case;
use finding::Findings;

/// How many items, payments or documents of a payment one document may have. SAT knows no limit, but
/// providers limit the size of the file.
pub const LINES_MAX: usize = 5_000;

/// Everything that SAT or a provider would refuse `document` for, in the order of its fields, if it were to
/// be stamped at `now`. Nothing when it can be stamped.
#[must_use]
pub fn check(document: &Document, now: Timestamp) -> Vec<Finding> {
    let case = Case::new(document);
    let mut found = Findings::default();
    head::check(&case, now, &mut found);
    global::check(&case, &mut found);
    relations::check(&case, &mut found);
    issuer::check(&case, &mut found);
    receiver::check(&case, &mut found);
    items::check(&case, &mut found);
    totals::check(&case, &mut found);
    payments::check(&case, &mut found);
    complements::check(&case, &mut found);
    found.into_list()
}

/// Everything that SAT would refuse a receiver for in a document of that type issued at `now` in a place, as
/// [`check`] finds it.
#[must_use]
pub fn check_receiver(
    receiver: &Receiver,
    kind: DocumentType,
    place_of_issue: &str,
    now: Timestamp,
) -> Vec<Finding> {
    let mut found = Findings::default();
    let document = Document::to(receiver, kind, place_of_issue, now);
    receiver::check(&Case::new(&document), &mut found);
    found.into_list()
}

/// What of a receiver is nearly always a mistake, though SAT does not refuse it by its form: a check digit that does not
/// fit, a name that ends like the form of a company.
#[must_use]
pub fn doubts(receiver: &Receiver) -> Vec<Finding> {
    let mut found = Findings::default();
    doubts::check(receiver, &mut found);
    found.into_list()
}

#[cfg(test)]
mod tests;
