//! On whose behalf an item is sold.

use super::{
    case::Case,
    finding::{At, Findings, Shown},
    parties, text,
};
use crate::document::{ThirdParty, is_generic};

/// The RFC that stands for anybody abroad who offers through an intermediary in Mexico.
const OFFERER_ABROAD: &str = "EXT990101NI1";

pub(super) fn check(case: &Case<'_>, party: &ThirdParty, at: &At<'_>, found: &mut Findings) {
    text::rfc(&party.rfc, &at.field("rfc"), found);
    somebody_else(case, &party.rfc, &at.field("rfc"), found);
    let named = (party.legal_name.as_str(), party.rfc.as_str());
    parties::name(named, ("CFDI40190", &at.field("legalName")), found);
    let error = ("CFDI40191", &at.field("taxRegime"));
    let regime = parties::regime(&party.tax_regime, case.day(), error, found);
    let is_somebody = party.rfc != OFFERER_ABROAD && !is_generic(&party.rfc);
    if let Some(regime) = regime.filter(|_| is_somebody) {
        parties::regime_of_person(regime, &party.rfc, error, found);
    }
    zip(case, party, &at.field("taxZip"), found);
}

/// In the catalog (40192); the place of issue of whoever offers from abroad (40193).
fn zip(case: &Case<'_>, party: &ThirdParty, at: &At<'_>, found: &mut Findings) {
    if party.rfc == OFFERER_ABROAD && party.tax_zip != case.document.place_of_issue {
        let place = Shown(&case.document.place_of_issue);
        found.add(
            "CFDI40193",
            at,
            format_args!(
                "must be {place}, the place of issue, because the RFC {OFFERER_ABROAD} is that of \
                 whoever offers from abroad",
            ),
            format_args!(
                "debe ser {place}, el lugar de expedición, porque el RFC {OFFERER_ABROAD} es el de \
                 los oferentes residentes en el extranjero",
            ),
        );
    } else {
        parties::zip(&party.tax_zip, ("CFDI40192", at), found);
    }
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
             is sold, or leave the third party out",
        ),
        format_args!(
            "es {rfc}, el mismo RFC del {spanish}: indicar el RFC del tercero por cuya cuenta se \
             vende, u omitir al tercero",
        ),
    );
}
