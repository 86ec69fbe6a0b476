//! Whether a customer could be invoiced, before there is an invoice.

use cfdi::{
    document::{DocumentType, Receiver},
    rules::{self, Finding},
};
use kernel::Timestamp;

use crate::{
    known::KnownCustomer,
    receivers::{NO_OBLIGATIONS, usual_use},
};

/// How fit a customer's tax data are for an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxStatus {
    /// There is no RFC: an invoice to this customer needs a receiver of its own.
    Missing,
    /// Something that every receiver has is not there.
    Incomplete,
    /// SAT would refuse them.
    Invalid,
    /// SAT refuses nothing that can be checked, but something is nearly always a mistake.
    Doubtful,
    /// Nothing is to be said against them; whether they are the registered ones only SAT knows.
    Valid,
}

impl TaxStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Missing, Self::Incomplete, Self::Invalid, Self::Doubtful, Self::Valid];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Incomplete => "incomplete",
            Self::Invalid => "invalid",
            Self::Doubtful => "doubtful",
            Self::Valid => "valid",
        }
    }
}

/// What is to be said of a customer's tax data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxCheck {
    /// All in all.
    pub status: TaxStatus,
    /// What keeps them from an invoice, what is missing first.
    pub findings: Vec<Finding>,
    /// What is nearly always a mistake.
    pub doubts: Vec<Finding>,
}

/// Checks the tax data of a customer for an income invoice at `now` from a place of issue; where that is not known, from
/// the customer's own, which no rule refuses. While something is missing, nothing else is checked.
#[must_use]
pub fn check(customer: &KnownCustomer, place_of_issue: Option<&str>, now: Timestamp) -> TaxCheck {
    let mut findings: Vec<Finding> = missing(customer).collect();
    if !findings.is_empty() {
        let status =
            if customer.rfc.is_some() { TaxStatus::Incomplete } else { TaxStatus::Missing };
        return TaxCheck { status, findings, doubts: Vec::new() };
    }
    let receiver = receiver(customer);
    let place = place_of_issue.unwrap_or(&receiver.tax_zip);
    findings.extend(rules::check_receiver(&receiver, DocumentType::Income, place, now));
    if customer.is_generic() {
        // That of the place of issue is taken, whichever that is.
        findings.retain(|finding| finding.field != "receiver.taxZip");
    }
    let doubts = rules::doubts(&receiver);
    let status = match (findings.is_empty(), doubts.is_empty()) {
        (false, _) => TaxStatus::Invalid,
        (true, false) => TaxStatus::Doubtful,
        (true, true) => TaxStatus::Valid,
    };
    TaxCheck { status, findings, doubts }
}

/// What every receiver has, but for what follows where there is no RFC of one's own. 301 is the authority's code of a document
/// that is not well-formed.
fn missing(customer: &KnownCustomer) -> impl Iterator<Item = Finding> {
    let parts = [
        ("rfc", &customer.rfc, "the RFC", "el RFC"),
        (
            "legalName",
            &customer.legal_name,
            "the name, without corporate suffix,",
            "el nombre, sin el régimen societario,",
        ),
        (
            "taxZip",
            &customer.tax_zip,
            "the postal code of the tax address",
            "el código postal del domicilio fiscal",
        ),
        (
            "taxRegime",
            &customer.tax_regime,
            "the code (GET /invoices/cfdi/regimenes-fiscales) of the tax regime",
            "la clave (GET /invoices/cfdi/regimenes-fiscales) del régimen fiscal",
        ),
    ];
    let is_generic = customer.is_generic();
    let absent = parts.into_iter().filter(move |(field, part, ..)| {
        let follows = is_generic && ["taxZip", "taxRegime"].contains(field);
        part.is_none() && !follows
    });
    absent.map(|(field, _, english, spanish)| {
        let english =
            format!("is missing: set {english} stated in the Constancia de Situación Fiscal");
        let spanish =
            format!("falta: indicar {spanish} que aparece en la Constancia de Situación Fiscal");
        Finding::new("301", &format!("receiver.{field}"), &english, &spanish)
    })
}

fn receiver(customer: &KnownCustomer) -> Receiver {
    let KnownCustomer {
        rfc,
        legal_name,
        tax_regime,
        tax_zip,
        cfdi_use,
        tax_residence,
        foreign_tax_id,
    } = customer.clone();
    // Nobody without an RFC of their own has obligations.
    let tax_regime = tax_regime.unwrap_or_else(|| NO_OBLIGATIONS.to_owned());
    let usual = || usual_use(DocumentType::Income, &tax_regime).to_owned();
    Receiver {
        rfc: rfc.unwrap_or_default(),
        legal_name: legal_name.unwrap_or_default(),
        tax_zip: tax_zip.unwrap_or_default(),
        cfdi_use: cfdi_use.unwrap_or_else(usual),
        tax_regime,
        tax_residence,
        foreign_tax_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    fn customer(data: [&str; 5]) -> KnownCustomer {
        let [rfc, legal_name, tax_zip, tax_regime, cfdi_use] =
            data.map(|text| Some(text.to_owned()).filter(|text| !text.is_empty()));
        KnownCustomer { rfc, legal_name, tax_regime, tax_zip, cfdi_use, ..KnownCustomer::default() }
    }

    #[test]
    fn tax_data_are_judged_before_an_invoice() {
        let person = "XOCHILT CASAS CHAVEZ";
        let cases = [
            (["", "", "", "", ""], "missing", vec!["rfc", "legalName", "taxZip", "taxRegime"]),
            (["", person, "36257", "612", ""], "missing", vec!["rfc"]),
            (["CACX7605101P8", person, "", "612", "G03"], "incomplete", vec!["taxZip"]),
            (["CACX7605101P8", person, "36257", "612", ""], "valid", vec![]),
            (["CACX7605101P8", person, "36257", "605", ""], "valid", vec![]),
            (["CACX7605101P8", person, "36257", "605", "G03"], "invalid", vec!["cfdiUse"]),
            (["CACX7605101P8", person, "36257", "601", "G03"], "invalid", vec!["taxRegime"]),
            (["CACX7605101P9", person, "36257", "612", "G03"], "doubtful", vec!["rfc"]),
            (["XAXX010101000", "PUBLICO EN GENERAL", "36257", "616", ""], "valid", vec![]),
            (["XEXX010101000", "ACME INC", "36257", "616", ""], "valid", vec![]),
            (["XEXX010101000", "ACME INC", "", "", ""], "valid", vec![]),
            (["XEXX010101000", "", "", "", ""], "incomplete", vec!["legalName"]),
        ];
        for (data, status, fields) in cases {
            let TaxCheck { status: found, findings, doubts } = check(&customer(data), None, NOW);
            let all = findings.iter().chain(&doubts);
            let named: Vec<_> =
                all.map(|one| one.field.strip_prefix("receiver.").unwrap_or(&one.field)).collect();
            assert_eq!((found.name(), named), (status, fields), "{data:?}");
        }
    }

    #[test]
    fn only_foreigners_reside_abroad() {
        let abroad = ["XEXX010101000", "ACME INC", "", "", ""];
        let person = ["CACX7605101P8", "XOCHILT CASAS CHAVEZ", "36257", "612", "G03"];
        let cases = [
            (abroad, "USA", "123456789", vec![]),
            (abroad, "DEU", "DE 123/456", vec![]),
            (abroad, "USA", "", vec![]),
            (abroad, "USA", "12-3456789", vec!["foreignTaxId"]),
            (abroad, "", "123456789", vec!["taxResidence"]),
            (abroad, "MEX", "", vec!["taxResidence"]),
            (person, "USA", "123456789", vec!["taxResidence", "foreignTaxId"]),
        ];
        for (data, residence, id, fields) in cases {
            let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let customer = KnownCustomer {
                tax_residence: given(residence),
                foreign_tax_id: given(id),
                ..customer(data)
            };
            let found = check(&customer, None, NOW);
            let named: Vec<_> = found.findings.iter().map(|one| one.field.as_str()).collect();
            let fields: Vec<_> = fields.iter().map(|field| format!("receiver.{field}")).collect();
            assert_eq!(named, fields, "{data:?} {residence} {id}");
            let status = if fields.is_empty() { TaxStatus::Valid } else { TaxStatus::Invalid };
            assert_eq!(found.status, status, "{data:?} {residence} {id}");
        }
    }

    #[test]
    fn generic_receivers_get_the_place_of_issue() {
        for zip in ["36257", "42501", ""] {
            let public = customer(["XAXX010101000", "PUBLICO EN GENERAL", zip, "616", "S01"]);
            assert_eq!(check(&public, Some("36257"), NOW).status, TaxStatus::Valid, "{zip}");
        }
    }
}
