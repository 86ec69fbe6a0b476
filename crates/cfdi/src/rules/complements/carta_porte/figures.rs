//! Who drives, and who owns or lets what the issuer does not own.

use super::{common, foreign, lists, places::NAME_CHARS_MAX};
use crate::{
    catalogs::carta_porte::{figures, parts},
    complements::{
        CartaPorte,
        carta_porte::{Figure, Mode},
    },
    rules::{
        case::Case,
        complements::address,
        finding::{At, Findings},
        items, listed, text,
    },
};

/// How many characters a driver's license has.
const LICENSE_CHARS: (usize, usize) = (6, 16);

pub(super) fn check(case: &Case<'_>, carta: &CartaPorte, at: &At<'_>, found: &mut Findings) {
    let drives = |figure: &&Figure| figure.figure_type == figures::OPERATOR;
    let drivers = carta.figures.iter().filter(drives).count();
    let mode = carta.mode();
    if mode == Some(Mode::Road) && drivers == 0 {
        found.add(
            "CFDI40999",
            at,
            format_args!("has no figure of type 01 (operator): add who drives"),
            format_args!("no tiene ninguna figura de tipo 01 (operador): agregar a quien conduce"),
        );
    }
    if mode.is_some_and(|mode| mode != Mode::Road) && drivers > 0 {
        found.add(
            "CFDI40999",
            at,
            format_args!("has a figure of type 01 (operator), which is for the road: leave it out"),
            format_args!(
                "tiene una figura de tipo 01 (operador), propia del autotransporte: quitarla"
            ),
        );
    }
    if items::is_too_many(carta.figures.len(), at, found) {
        return;
    }
    for (index, each) in carta.figures.iter().enumerate() {
        figure(case, each, &at.index(index), found);
    }
}

fn figure(case: &Case<'_>, figure: &Figure, at: &At<'_>, found: &mut Findings) {
    let code = figure.figure_type.as_str();
    let row = (code, figures::find(code));
    let error = ("301", &at.field("figureType"));
    listed::check(row, &lists::FIGURES, case.day(), error, found);
    who(case, figure, at, found);
    license(figure, &at.field("license"), found);
    text::check(&figure.name, NAME_CHARS_MAX, &at.field("name"), found);
    self::parts(case, figure, &at.field("parts"), found);
    if let Some(address) = &figure.address {
        address::coded(case, address, &at.field("address"), found);
    }
}

/// An RFC, or a tax identifier abroad.
fn who(case: &Case<'_>, figure: &Figure, at: &At<'_>, found: &mut Findings) {
    match (figure.rfc.as_deref(), figure.foreign_tax_id.as_deref()) {
        (Some(rfc), _) => text::rfc(rfc, &at.field("rfc"), found),
        (None, None) => common::missing(
            ("CFDI40999", &at.field("rfc")),
            "set the RFC or, of a foreigner, foreignTaxId and taxResidence",
            "indicar el RFC o, si es extranjero, foreignTaxId y taxResidence",
            found,
        ),
        (None, Some(_)) => {}
    }
    let identity = foreign::Identity {
        rfc: figure.rfc.as_deref(),
        foreign_tax_id: figure.foreign_tax_id.as_deref(),
        tax_residence: figure.tax_residence.as_deref(),
    };
    foreign::check(case, &identity, at, found);
}

/// There of whoever drives.
fn license(figure: &Figure, at: &At<'_>, found: &mut Findings) {
    match figure.license.as_deref() {
        Some(license) => common::text_between(license, LICENSE_CHARS, at, found),
        None if figure.figure_type == figures::OPERATOR => common::missing(
            ("CFDI40999", at),
            "set the number of the driver's license",
            "indicar el número de la licencia del operador",
            found,
        ),
        None => {}
    }
}

/// There of who owns or lets them.
fn parts(case: &Case<'_>, figure: &Figure, at: &At<'_>, found: &mut Findings) {
    let needs_parts = [figures::OWNER, figures::LESSOR].contains(&figure.figure_type.as_str());
    if figure.parts.is_empty() && needs_parts {
        common::missing(
            ("CFDI40999", at),
            "owners and lessors name what is theirs, codes of c_ParteTransporte",
            "los propietarios y arrendadores indican qué es suyo, con claves de c_ParteTransporte",
            found,
        );
    }
    if items::is_too_many(figure.parts.len(), at, found) {
        return;
    }
    for (index, code) in figure.parts.iter().enumerate() {
        let row = (code.as_str(), parts::find(code));
        listed::check(row, &lists::PARTS, case.day(), ("301", &at.index(index)), found);
    }
}
