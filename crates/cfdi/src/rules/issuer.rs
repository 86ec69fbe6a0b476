//! Who issues the document.

use time::Date;

use super::{
    case::Case,
    finding::{At, Findings},
    parties, text,
};
use crate::document::Issuer;

/// SAT's codes for a name, a regime, and a regime of another kind of person.
pub(super) type Codes = [&'static str; 3];

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let codes = ["CFDI40139", "CFDI40140", "CFDI40141"];
    of(&case.document.issuer, case.day(), (codes, parties::NAME_CHARS_MAX), found);
}

/// The issuer of any document of that day.
pub(super) fn of(
    issuer: &Issuer,
    day: Date,
    ([name, regime, person], chars_max): (Codes, usize),
    found: &mut Findings,
) {
    let at = At::top("issuer");
    text::rfc(&issuer.rfc, &at.field("rfc"), found);
    let named = (issuer.legal_name.as_str(), issuer.rfc.as_str());
    parties::name_within(chars_max, named, (name, &at.field("legalName")), found);
    let at = at.field("taxRegime");
    if let Some(known) = parties::regime(&issuer.tax_regime, day, (regime, &at), found) {
        parties::regime_of_person(known, &issuer.rfc, (person, &at), found);
    }
}
