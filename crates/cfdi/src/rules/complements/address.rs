//! Addresses, in Mexico by SAT's catalogs.

use crate::{
    catalogs::{
        countries::{self, Country},
        postal_codes::{self, PostalCode},
        states,
    },
    complements::Address,
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        listed, text,
    },
};

pub(super) fn check(case: &Case<'_>, address: &Address, at: &At<'_>, found: &mut Findings) {
    let optional = [
        ("street", &address.street, 100),
        ("exteriorNumber", &address.exterior_number, 55),
        ("interiorNumber", &address.interior_number, 55),
        ("neighborhood", &address.neighborhood, 120),
        ("locality", &address.locality, 120),
        ("reference", &address.reference, 250),
        ("municipality", &address.municipality, 120),
    ];
    for (field, value, chars_max) in optional {
        text::optional(value.as_deref(), chars_max, &at.field(field), found);
    }
    text::check(&address.state, 30, &at.field("state"), found);
    text::check(&address.zip, 12, &at.field("zip"), found);
    let row = (address.country.as_str(), countries::find(&address.country));
    let error = ("301", &at.field("country"));
    let country = listed::check(row, &listed::COUNTRIES, case.day(), error, found);
    let Some(country) = country else { return };
    let has_state = state(address, &at.field("state"), found);
    if country.code != countries::MEXICO {
        foreign_zip(country, &address.zip, &at.field("zip"), found);
    } else if has_state {
        mexican(address, at, found);
    }
}

/// As any, and with the code of its neighborhood in Mexico.
pub(super) fn coded(case: &Case<'_>, address: &Address, at: &At<'_>, found: &mut Findings) {
    check(case, address, at, found);
    neighborhood(address, at, found);
}

/// Whether the state is one of its country, where the catalog has that country's (c_Estado).
fn state(address: &Address, at: &At<'_>, found: &mut Findings) -> bool {
    let country = address.country.as_str();
    let is_there = states::find(&address.state).is_some_and(|state| state.country == country);
    let is_free = || states::all().iter().all(|state| state.country != country);
    if is_there || is_free() {
        return true;
    }
    let value = Shown(&address.state);
    found.add(
        "CFDI40999",
        at,
        format_args!("is {value}, which is not a state of {country}: choose a code of c_Estado"),
        format_args!("es {value}, que no es un estado de {country}: elegir una clave de c_Estado"),
    );
    false
}

fn foreign_zip(country: &Country, zip: &str, at: &At<'_>, found: &mut Findings) {
    if !country.accepts_postal_code(zip) {
        let (value, country) = (Shown(zip), country.code);
        found.add(
            "CFDI40999",
            at,
            format_args!("is {value}, which is not a postal code of {country}: correct it"),
            format_args!("es {value}, que no es un código postal de {country}: corregirlo"),
        );
    }
}

/// The postal code, and municipality and locality where they are given.
fn mexican(address: &Address, at: &At<'_>, found: &mut Findings) {
    let state = address.state.as_str();
    let zip = postal_codes::find(&address.zip);
    match zip {
        Some(zip) if zip.state == state => {}
        _ => {
            let value = Shown(&address.zip);
            found.add(
                "CFDI40999",
                &at.field("zip"),
                format_args!(
                    "is {value}, which is not a postal code of {state} in SAT's catalog: correct \
                     one of the two",
                ),
                format_args!(
                    "es {value}, que no es un código postal de {state} en el catálogo del SAT: \
                     corregir uno de los dos",
                ),
            );
        }
    }
    let zip = zip.filter(|zip| zip.state == state);
    if let Some(code) = address.municipality.as_deref() {
        let known = postal_codes::municipality_name(state, code).is_some();
        let of_zip = |zip: PostalCode| zip.municipality == Some(code);
        let names = ("municipality", "c_Municipio");
        place((code, state), known && zip.is_none_or(of_zip), names, at, found);
    }
    if let Some(code) = address.locality.as_deref() {
        let known = postal_codes::locality_name(state, code).is_some();
        let of_zip = |zip: PostalCode| zip.locality == Some(code);
        let names = ("locality", "c_Localidad");
        place((code, state), known && zip.is_none_or(of_zip), names, at, found);
    }
}

/// Of an address in Mexico the neighborhood is a code of c_Colonia; it is free text in the address of who is abroad
/// (schema of Comercio Exterior 2.0).
pub(super) fn neighborhood(address: &Address, at: &At<'_>, found: &mut Findings) {
    if let Some(code) = address.neighborhood.as_deref()
        && address.country == countries::MEXICO
    {
        let is_code = text::is_like(code, "0000");
        place((code, &address.state), is_code, ("neighborhood", "c_Colonia"), at, found);
    }
}

/// A part of an address, which must be one of its state and postal code.
fn place(
    (code, state): (&str, &str),
    fits: bool,
    (field, catalog): (&'static str, &str),
    at: &At<'_>,
    found: &mut Findings,
) {
    if !fits {
        let value = Shown(code);
        found.add(
            "CFDI40999",
            &at.field(field),
            format_args!(
                "is {value}, which is not the code of {catalog} for this postal code of {state}: \
                 correct it or leave it out",
            ),
            format_args!(
                "es {value}, que no es la clave de {catalog} de ese código postal de {state}: \
                 corregirla u omitirla",
            ),
        );
    }
}
