//! Checks of SAT identifiers: RFCs, postal codes and catalog codes.
//!
//! Those of an invoice check the format only: whether a code is in its catalog and fits the others is for the rules of
//! the tax authority to say, which are asked when the invoice is validated and stamped. What is saved for later, of
//! issuers and customers, must be in the catalog (`known_…`).

use catalog::product::{checked_sat_product_key, checked_sat_unit_key};
use cfdi::{
    catalogs::{countries, postal_codes, regimes, uses},
    document::day::{self, Date},
};
use crm::tax;
use intake::{Check, checks::text};
use kernel::{Message, message};

/// Characters of a fiscal folio.
const UUID_CHARS: usize = 36;

/// An RFC.
pub(super) fn rfc() -> impl Check<Value = String> {
    text(tax::rfc)
        .pattern("^[A-ZÑ&]{3,4}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[A-Z0-9]{3}$")
        .example("XAXX010101000")
}

/// A code of c_RegimenFiscal.
pub(super) fn regime() -> impl Check<Value = String> {
    text(tax::regime).pattern("^[0-9]{3}$").example("601")
}

/// A Mexican postal code.
pub(super) fn zip() -> impl Check<Value = String> {
    text(tax::zip).pattern("^[0-9]{5}$").example("06600")
}

/// A code of c_UsoCFDI.
pub(super) fn cfdi_use() -> impl Check<Value = String> {
    text(tax::cfdi_use).pattern("^[A-Z]{1,2}[0-9]{2}$").example("G03")
}

/// A code of c_RegimenFiscal that there is.
pub(super) fn known_regime() -> impl Check<Value = String> {
    text(|code| match regimes::find(code) {
        Some(regime) => Ok(regime.code.to_owned()),
        None => Err(message!(
            "must be a tax regime, see GET /invoices/cfdi/regimenes-fiscales",
            "debe ser un régimen fiscal, consulte GET /invoices/cfdi/regimenes-fiscales"
        )),
    })
    .pattern("^[0-9]{3}$")
    .example("601")
}

/// A postal code that there is.
pub(super) fn known_zip() -> impl Check<Value = String> {
    text(|code| match postal_codes::find(code) {
        Some(_) => Ok(code.to_owned()),
        None => Err(message!(
            "must be a postal code of SAT's catalog, 5 digits",
            "debe ser un código postal del catálogo del SAT, de 5 dígitos"
        )),
    })
    .pattern("^[0-9]{5}$")
    .example("06600")
}

/// A code of c_UsoCFDI that there is.
pub(super) fn known_use() -> impl Check<Value = String> {
    text(|code| match uses::find(code) {
        Some(row) => Ok(row.code.to_owned()),
        None => Err(message!(
            "must be a CFDI use, see GET /invoices/cfdi/usos-cfdi",
            "debe ser un uso de CFDI, consulte GET /invoices/cfdi/usos-cfdi"
        )),
    })
    .pattern("^[A-Z]{1,2}[0-9]{2}$")
    .example("G03")
}

/// A code of c_ClaveProdServ.
pub(super) fn sat_product_key() -> impl Check<Value = String> {
    text(checked_sat_product_key).pattern("^[0-9]{8}$").example("52152100")
}

/// A code of c_ClaveUnidad.
pub(super) fn sat_unit_key() -> impl Check<Value = String> {
    text(checked_sat_unit_key).pattern("^[A-Z0-9]{1,3}$").example("H87")
}

/// A code of two digits, as most of SAT's small catalogs have it.
pub(super) fn two_digits(example: &'static str) -> impl Check<Value = String> {
    text(|code| match code.len() == 2 && code.bytes().all(|b| b.is_ascii_digit()) {
        true => Ok(code.to_owned()),
        false => Err(message!("must be a code of 2 digits", "debe ser un código de 2 dígitos")),
    })
    .pattern("^[0-9]{2}$")
    .example(example)
}

/// A country of c_Pais; lower case is raised.
pub(super) fn country() -> impl Check<Value = String> {
    text(tax::residence).pattern("^[A-Za-z]{3}$").example("USA")
}

/// A country of c_Pais that there is; lower case is raised.
pub(super) fn known_country() -> impl Check<Value = String> {
    text(|code| match countries::find(&code.trim().to_ascii_uppercase()) {
        Some(country) => Ok(country.code.to_owned()),
        None => Err(message!(
            "must be a country, see GET /invoices/cfdi/paises",
            "debe ser un país, consulte GET /invoices/cfdi/paises"
        )),
    })
    .pattern("^[A-Za-z]{3}$")
    .example("USA")
}

/// A day.
pub(super) fn day() -> impl Check<Value = Date> {
    text(|text| {
        day::from_text(text).ok_or_else(|| {
            message!(
                "must be a day such as \"2026-01-31\"",
                "debe ser una fecha, como \"2026-01-31\""
            )
        })
    })
    .format("date")
    .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
    .example("2026-01-31")
}

/// A fiscal folio; lower case is raised.
pub(super) fn uuid() -> impl Check<Value = String> {
    text(checked_uuid)
        .pattern("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$")
        .example("6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60")
}

fn checked_uuid(text: &str) -> Result<String, Message> {
    let well_formed = text.len() == UUID_CHARS
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    match well_formed {
        true => Ok(text.to_ascii_uppercase()),
        false => Err(message!(
            "must be a fiscal folio (UUID) such as \"6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60\"",
            "debe ser un folio fiscal (UUID) como \"6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60\""
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folios_are_written_in_capitals() {
        let folio = "6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60";
        assert_eq!(checked_uuid(folio), Ok(folio.to_uppercase()));
        for wrong in ["", "6e1ce7a8", &folio.replace('-', "0"), &folio.replace('6', "g")] {
            assert!(checked_uuid(wrong).is_err(), "{wrong}");
        }
    }
}
