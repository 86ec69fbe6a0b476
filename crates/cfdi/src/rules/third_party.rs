//! On whose behalf an item is sold.

use super::{
    case::Case,
    finding::{At, Findings},
    parties, text,
};
use crate::document::ThirdParty;

pub(super) fn check(case: &Case<'_>, party: &ThirdParty, at: &At<'_>, found: &mut Findings) {
    text::rfc(&party.rfc, &at.field("rfc"), found);
    somebody_else(case, &party.rfc, &at.field("rfc"), found);
    let named = (party.legal_name.as_str(), party.rfc.as_str());
    parties::name(named, ("CFDI40190", &at.field("legalName")), found);
    let error = ("CFDI40191", &at.field("taxRegime"));
    parties::regime(&party.tax_regime, case.day(), error, found);
    parties::zip(&party.tax_zip, ("CFDI40192", &at.field("taxZip")), found);
}

/// Neither issuer nor receiver (40188).
fn somebody_else(case: &Case<'_>, rfc: &str, at: &At<'_>, found: &mut Findings) {
    let (english, spanish) = match rfc {
        rfc if rfc == case.document.issuer.rfc => ("issuer", "emisor"),
        rfc if rfc == case.document.receiver.rfc => ("receiver", "receptor"),
        _ => return,
    };
    found.add(
        "CFDI40188",
        at,
        format_args!(
            "is {rfc}, the {english}'s own RFC: set the RFC of the third party on whose behalf it \
             is sold, or leave thirdParty out",
        ),
        format_args!(
            "es {rfc}, el mismo RFC del {spanish}: indique el RFC del tercero por cuya cuenta se \
             vende, u omita thirdParty",
        ),
    );
}
