//! The flight, its permit and shipper.

use super::{common, foreign, lists, places::NAME_CHARS_MAX};
use crate::{
    catalogs::carta_porte::{air_carriers, permits},
    complements::carta_porte::{AirTransport, Shipper},
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        listed, text,
    },
};

/// How many characters the registration of a plane has.
const REGISTRATION_CHARS: std::ops::RangeInclusive<usize> = 5..=11;
/// How many characters the number of an air waybill has.
const WAYBILL_CHARS: (usize, usize) = (12, 15);

pub(super) fn check(case: &Case<'_>, air: &AirTransport, at: &At<'_>, found: &mut Findings) {
    permit(case, &air.permit_type, &at.field("permitType"), found);
    text::check(&air.permit_number, 50, &at.field("permitNumber"), found);
    registration(air, &at.field("aircraftRegistration"), found);
    if let Some(insurance) = &air.insurance {
        common::policy(insurance, &at.field("insurance"), found);
    }
    common::text_between(&air.waybill_number, WAYBILL_CHARS, &at.field("waybillNumber"), found);
    text::optional(air.contract_place.as_deref(), 120, &at.field("contractPlace"), found);
    let carrier = air_carriers::find(&air.carrier);
    let row = (air.carrier.as_str(), carrier.as_ref());
    let error = ("301", &at.field("carrier"));
    listed::check(row, &lists::AIR_CARRIERS, case.day(), error, found);
    if let Some(shipper) = &air.shipper {
        self::shipper(case, shipper, &at.field("shipper"), found);
    }
}

/// One for the air.
fn permit(case: &Case<'_>, code: &str, at: &At<'_>, found: &mut Findings) {
    let row = (code, permits::find(code));
    let row = listed::check(row, &lists::PERMITS, case.day(), ("301", at), found);
    if row.is_some_and(|permit| !permit.air) {
        found.add(
            "CFDI40999",
            at,
            format_args!(
                "is {code}, which is not a permit for the air: choose TPTA01 to TPTA04, or TPXX00"
            ),
            format_args!(
                "es {code}, que no es de transporte aéreo: elegir de TPTA01 a TPTA04, o TPXX00"
            ),
        );
    }
}

/// Capitals, digits and hyphens (301).
fn registration(air: &AirTransport, at: &At<'_>, found: &mut Findings) {
    let is_one = |text: &&str| {
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
        REGISTRATION_CHARS.contains(&text.len()) && text.bytes().all(fits)
    };
    if let Some(text) = air.aircraft_registration.as_deref().filter(|text| !is_one(text)) {
        let value = Shown(text);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, but must be 5 to 11 capitals, digits and hyphens: correct it"
            ),
            format_args!(
                "es {value}, pero debe tener de 5 a 11 mayúsculas, dígitos y guiones: corregirla",
            ),
        );
    }
}

fn shipper(case: &Case<'_>, shipper: &Shipper, at: &At<'_>, found: &mut Findings) {
    text::rfc(&shipper.rfc, &at.field("rfc"), found);
    text::optional(shipper.name.as_deref(), NAME_CHARS_MAX, &at.field("name"), found);
    let identity = foreign::Identity {
        rfc: Some(&shipper.rfc),
        foreign_tax_id: shipper.foreign_tax_id.as_deref(),
        tax_residence: shipper.tax_residence.as_deref(),
    };
    foreign::check(case, &identity, at, found);
}
