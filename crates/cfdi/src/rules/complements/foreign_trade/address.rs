//! Addresses of those who send and receive exported goods.

use crate::{
    catalogs::countries,
    complements::Address,
    rules::{
        case::Case,
        complements::address,
        finding::{At, Findings, Shown},
        text,
    },
};

use super::GUIDE;

/// The most characters of a street.
const STREET_CHARS_MAX: usize = 100;

/// That of the issuer, which is in Mexico.
pub(super) fn of_issuer(case: &Case<'_>, address: &Address, at: &At<'_>, found: &mut Findings) {
    if address.country == countries::MEXICO {
        check(case, address, at, found);
        address::neighborhood(address, at, found);
        return;
    }
    let value = Shown(&address.country);
    found.add(
        GUIDE,
        &at.field("country"),
        format_args!("is {value}, but must be MEX: state the issuer's address in Mexico"),
        format_args!("es {value}, pero debe ser MEX: indicar el domicilio del emisor en México"),
    );
}

/// As any, and with a street (301).
pub(super) fn check(case: &Case<'_>, address: &Address, at: &At<'_>, found: &mut Findings) {
    if address.street.is_none() {
        text::check("", STREET_CHARS_MAX, &at.field("street"), found);
    }
    address::check(case, address, at, found);
}
