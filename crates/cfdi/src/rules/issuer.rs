//! Who issues the document.

use super::{
    case::Case,
    finding::{At, Findings},
    parties, text,
};

pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let issuer = &case.document.issuer;
    let at = At::top("issuer");
    text::rfc(&issuer.rfc, &at.field("rfc"), found);
    let named = (issuer.legal_name.as_str(), issuer.rfc.as_str());
    parties::name(named, ("CFDI40139", &at.field("legalName")), found);
    let at = at.field("taxRegime");
    let regime = parties::regime(&issuer.tax_regime, case.day(), ("CFDI40140", &at), found);
    if let Some(regime) = regime {
        parties::regime_of_person(regime, &issuer.rfc, ("CFDI40141", &at), found);
    }
}
