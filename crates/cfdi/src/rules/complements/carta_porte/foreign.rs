//! Senders, recipients and figures from abroad.

use super::common;
use crate::{
    catalogs::countries,
    document::FOREIGNER,
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        listed, pattern,
    },
};

/// How many characters a tax identifier abroad has.
const TAX_ID_CHARS: (usize, usize) = (6, 40);

/// What says who somebody is.
pub(super) struct Identity<'a> {
    pub(super) rfc: Option<&'a str>,
    pub(super) foreign_tax_id: Option<&'a str>,
    pub(super) tax_residence: Option<&'a str>,
}

/// A foreign tax identifier and its country, together and only of those who have no RFC of their own.
pub(super) fn check(case: &Case<'_>, who: &Identity<'_>, at: &At<'_>, found: &mut Findings) {
    let is_foreign = who.rfc.is_none_or(|rfc| rfc == FOREIGNER);
    tax_id(who, is_foreign, &at.field("foreignTaxId"), found);
    residence(case, who, &at.field("taxResidence"), found);
}

fn tax_id(who: &Identity<'_>, is_foreign: bool, at: &At<'_>, found: &mut Findings) {
    match who.foreign_tax_id {
        None if who.rfc == Some(FOREIGNER) => common::missing(
            ("CFDI40999", at),
            "set the tax ID in the country of residence, because the RFC is that of foreigners",
            "indicar el número de identidad tributaria de su país, porque el RFC es el de \
             extranjeros",
            found,
        ),
        None => {}
        Some(_) if !is_foreign => common::needless(
            at,
            "it is only for foreigners, with RFC XEXX010101000",
            "solo lo llevan los extranjeros, con el RFC XEXX010101000",
            found,
        ),
        Some(id) => {
            common::text_between(id, TAX_ID_CHARS, at, found);
            let country = who.tax_residence.and_then(countries::find);
            if let Some(country) = country.filter(|country| !country.accepts_tax_id(id)) {
                let tax_id_pattern = country.tax_id_pattern.unwrap_or_default();
                let (english, spanish) = pattern::in_words(tax_id_pattern);
                let (value, country) = (Shown(id), country.code);
                found.add(
                    "CFDI40999",
                    at,
                    format_args!(
                        "is {value}, which is not a tax ID of {country}: write its {english}, \
                         without hyphens or spaces",
                    ),
                    format_args!(
                        "es {value}, que no es un número de identidad tributaria de {country}: \
                         escribir sus {spanish}, sin guiones ni espacios",
                    ),
                );
            }
        }
    }
}

fn residence(case: &Case<'_>, who: &Identity<'_>, at: &At<'_>, found: &mut Findings) {
    match (who.foreign_tax_id, who.tax_residence) {
        (None, None) => {}
        (Some(_), None) => common::missing(
            ("CFDI40999", at),
            "set the country that issued foreignTaxId, such as USA",
            "indicar el país al que corresponde foreignTaxId, por ejemplo USA",
            found,
        ),
        (None, Some(_)) => common::needless(
            at,
            "it is the country of foreignTaxId, which is not given",
            "es el país de foreignTaxId, que no se indicó",
            found,
        ),
        (Some(_), Some(countries::MEXICO)) => found.add(
            "CFDI40999",
            at,
            format_args!("is MEX, but foreigners reside abroad: set that country, or the RFC"),
            format_args!(
                "es MEX, pero los extranjeros residen fuera de México: indicar ese país, o el RFC",
            ),
        ),
        (Some(_), Some(code)) => {
            let row = (code, countries::find(code));
            listed::check(row, &listed::COUNTRIES, case.day(), ("301", at), found);
        }
    }
}
