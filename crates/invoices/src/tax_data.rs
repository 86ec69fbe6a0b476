//! Whether a customer could be invoiced, before there is an invoice.

use cfdi::{
    document::{DocumentType, FOREIGNER, Receiver, is_generic},
    rules::{self, Finding},
};
use kernel::Timestamp;

use crate::{
    known::KnownCustomer,
    receivers::{completed, use_of},
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

/// What can be judged of a receiver whose RFC is not known yet.
const OF_ANY_RFC: [&str; 3] = ["taxZip", "taxRegime", "cfdiUse"];

/// Checks the tax data of a customer for an income invoice at `now` from a place of issue; where that is not known, from
/// the customer's own, which no rule refuses. All that is missing comes first, then what is wrong of the rest.
#[must_use]
pub fn check(customer: &KnownCustomer, place_of_issue: Option<&str>, now: Timestamp) -> TaxCheck {
    let missing = customer.missing();
    let mut receiver = customer.receiver();
    if customer.is_abroad() {
        FOREIGNER.clone_into(&mut receiver.rfc);
    }
    let has_rfc = !receiver.rfc.is_empty();
    let found = check_receiver(receiver, DocumentType::Income, place_of_issue, now);
    if missing.is_empty() {
        return found;
    }
    let is_there = |finding: &Finding| {
        let field = finding.field.trim_start_matches("receiver.");
        !missing.contains(&field) && (has_rfc || OF_ANY_RFC.contains(&field))
    };
    let status = if customer.rfc.is_some() { TaxStatus::Incomplete } else { TaxStatus::Missing };
    let lacking = missing.iter().map(|name| lacking(customer, name));
    let findings = lacking.chain(found.findings.into_iter().filter(is_there)).collect();
    TaxCheck { status, findings, doubts: found.doubts.into_iter().filter(is_there).collect() }
}

/// Checks a receiver for a document of that type at `now` from a place of issue; where that is not known, from the receiver's
/// own, which no rule refuses. What follows need not be told: postal code and regime of who has no RFC of their own, and the use
/// of anybody.
#[must_use]
pub fn check_receiver(
    receiver: Receiver,
    kind: DocumentType,
    place_of_issue: Option<&str>,
    now: Timestamp,
) -> TaxCheck {
    let follows = is_generic(&receiver.rfc) && receiver.tax_zip.is_empty();
    let place = place_of_issue.unwrap_or(&receiver.tax_zip).to_owned();
    let mut receiver = completed(receiver, &place);
    if receiver.cfdi_use.is_empty() {
        use_of(&receiver, kind).clone_into(&mut receiver.cfdi_use);
    }
    let mut findings = rules::check_receiver(&receiver, kind, &place, now);
    if follows {
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

/// What is said of a datum that a customer lacks. 301 is the authority's code of a document that is not well-formed.
fn lacking(customer: &KnownCustomer, name: &str) -> Finding {
    let (english, spanish) = match name {
        "rfc" if customer.is_abroad() => (
            "XEXX010101000, which customers abroad have",
            "XEXX010101000, que es el de los clientes extranjeros",
        ),
        // SAT has registered nobody by that name: there is no Constancia of theirs.
        "legalName" if customer.is_unregistered() => {
            ("the name of the customer", "el nombre del cliente")
        }
        "rfc" => (
            "the RFC stated in the Constancia de Situación Fiscal",
            "el RFC que aparece en la Constancia de Situación Fiscal",
        ),
        "legalName" => (
            "the name, without corporate suffix, stated in the Constancia de Situación Fiscal",
            "el nombre, sin el régimen societario, que aparece en la Constancia de Situación Fiscal",
        ),
        "taxZip" => (
            "the postal code of the tax address stated in the Constancia de Situación Fiscal",
            "el código postal del domicilio fiscal que aparece en la Constancia de Situación Fiscal",
        ),
        _ => (
            "the code (GET /invoices/cfdi/regimenes-fiscales) of the tax regime stated in the Constancia de Situación Fiscal",
            "la clave (GET /invoices/cfdi/regimenes-fiscales) del régimen fiscal que aparece en la Constancia de Situación \
             Fiscal",
        ),
    };
    let (english, spanish) =
        (format!("is missing: set {english}"), format!("falta: indicar {spanish}"));
    Finding::new("301", &format!("receiver.{name}"), &english, &spanish)
}

#[cfg(test)]
mod tests {
    use kernel::Language;

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
            // Of whoever has no RFC of their own no regime but 616 is stated, and no use but S01.
            (["XEXX010101000", "ACME INC", "", "601", ""], "valid", vec![]),
            (["XEXX010101000", "ACME INC", "", "601", "G03"], "valid", vec![]),
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
    fn all_that_is_missing_is_told_and_what_is_wrong_of_the_rest() {
        let person = "XOCHILT CASAS CHAVEZ";
        let lower = person.to_lowercase();
        let cases = [
            (
                ["", person, "00001", "", "CP01"],
                "missing",
                vec!["rfc", "taxRegime", "taxZip", "cfdiUse"],
            ),
            (["", lower.as_str(), "36257", "612", ""], "missing", vec!["rfc"]),
            (["CACX7605101P8", "", "00001", "612", ""], "incomplete", vec!["legalName", "taxZip"]),
            (
                ["CACX7605101P9", person, "", "601", ""],
                "incomplete",
                vec!["taxZip", "taxRegime", "rfc"],
            ),
        ];
        for (data, status, fields) in cases {
            let found = check(&customer(data), None, NOW);
            let all = found.findings.iter().chain(&found.doubts);
            let named: Vec<_> = all.map(|one| one.field.trim_start_matches("receiver.")).collect();
            assert_eq!((found.status.name(), named), (status, fields), "{data:?}");
        }
    }

    #[test]
    fn customers_abroad_are_told_of_no_papers_of_the_authority() {
        let abroad = |rfc: &str, residence: &str, id: &str| {
            let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            let data = customer([rfc, "", "", "", ""]);
            KnownCustomer { tax_residence: given(residence), foreign_tax_id: given(id), ..data }
        };
        for (customer, fields) in [
            (abroad("", "USA", ""), vec!["rfc", "legalName"]),
            (abroad("", "", "123456789"), vec!["rfc", "legalName", "taxResidence"]),
            (abroad("", "USA", "12-3456789"), vec!["rfc", "legalName", "foreignTaxId"]),
            (abroad("XEXX010101000", "", ""), vec!["legalName"]),
            (abroad("XAXX010101000", "", ""), vec!["legalName"]),
        ] {
            let findings = check(&customer, None, NOW).findings;
            let named: Vec<_> =
                findings.iter().map(|one| one.field.trim_start_matches("receiver.")).collect();
            assert_eq!(named, fields, "{customer:?}");
            for language in [Language::English, Language::Spanish] {
                let is_told = |one: &Finding| one.message(language).contains("Constancia");
                assert!(!findings.iter().any(is_told), "{findings:?}");
            }
        }
    }

    #[test]
    fn a_receiver_is_judged_as_told_but_for_what_follows() {
        let abroad = |tax_zip: &str, tax_regime: &str| Receiver {
            tax_zip: tax_zip.to_owned(),
            tax_regime: tax_regime.to_owned(),
            ..customer(["XEXX010101000", "ACME INC", "", "", ""]).receiver()
        };
        for (zip, regime, place, fields) in [
            ("", "", None, vec![]),
            ("", "", Some("36257"), vec![]),
            ("36257", "616", Some("36257"), vec![]),
            ("36257", "601", None, vec!["receiver.taxRegime"]),
            ("36257", "", Some("42501"), vec!["receiver.taxZip"]),
        ] {
            let found = check_receiver(abroad(zip, regime), DocumentType::Income, place, NOW);
            let named: Vec<_> = found.findings.iter().map(|one| one.field.as_str()).collect();
            assert_eq!(named, fields, "{zip} {regime} {place:?}");
        }
        let paid = check_receiver(abroad("", ""), DocumentType::Payment, None, NOW);
        assert_eq!(paid.status, TaxStatus::Valid, "its use follows from the type");
    }

    #[test]
    fn generic_receivers_get_the_place_of_issue() {
        for zip in ["36257", "42501", ""] {
            let public = customer(["XAXX010101000", "PUBLICO EN GENERAL", zip, "616", "S01"]);
            assert_eq!(check(&public, Some("36257"), NOW).status, TaxStatus::Valid, "{zip}");
        }
    }
}
