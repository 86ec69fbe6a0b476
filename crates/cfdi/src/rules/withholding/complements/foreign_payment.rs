//! To whom abroad is paid (pagosaextranjeros.xsd).

use time::Date;

use super::GUIDE;
use crate::{
    catalogs::withholdings::{countries, payees},
    rules::{
        curp,
        finding::{At, Findings},
        listed, text,
    },
    withholding::ForeignPayment,
};

const COUNTRIES: listed::Catalog =
    listed::named("countries of withholdings", "países de retenciones", "c_Pais");
const PAYEES: listed::Catalog =
    listed::named("payees", "tipos de contribuyente", "c_TipoContribuyenteSujetoRetencion");

pub(super) fn check(payment: &ForeignPayment, day: Date, at: &At<'_>, found: &mut Findings) {
    match payment {
        ForeignPayment::Beneficiary(beneficiary) => {
            let at = at.field("beneficiary");
            text::rfc(&beneficiary.rfc, &at.field("rfc"), found);
            curp::check(&beneficiary.curp, &at.field("curp"), found);
            text::check(&beneficiary.legal_name, 300, &at.field("legalName"), found);
            paid((&beneficiary.payee, &beneficiary.description), day, &at, found);
        }
        ForeignPayment::NonBeneficiary(other) => {
            let at = at.field("nonBeneficiary");
            tax_residence(&other.tax_residence, day, &at.field("taxResidence"), found);
            paid((&other.payee, &other.description), day, &at, found);
        }
    }
}

/// A country of the catalog (301) other than Mexico.
fn tax_residence(code: &str, day: Date, at: &At<'_>, found: &mut Findings) {
    if code == countries::MEXICO {
        found.add(
            GUIDE,
            at,
            format_args!("is MX, but must be a country abroad: set where the payee resides"),
            format_args!("es MX, pero debe ser otro país: indicar dónde reside quien cobra"),
        );
        return;
    }
    listed::check((code, countries::find(code)), &COUNTRIES, day, ("301", at), found);
}

/// To a payee of the catalog, for something in words (301).
fn paid((payee, description): (&str, &str), day: Date, at: &At<'_>, found: &mut Findings) {
    let error = ("301", &at.field("payee"));
    listed::check((payee, payees::find(payee)), &PAYEES, day, error, found);
    text::check(description, 255, &at.field("description"), found);
}
