//! Where goods are picked up and delivered.

use kernel::Amount;

use super::{common, foreign, stations};
use crate::{
    complements::{
        CartaPorte,
        carta_porte::{Location, LocationKind, Mode},
    },
    decimal,
    rules::{
        case::Case,
        complements::address,
        finding::{At, Findings, Shown},
        items, text,
    },
};

/// How many characters the name of a sender, recipient or figure may have.
pub(super) const NAME_CHARS_MAX: usize = 254;
/// The shortest distance, in kilometers.
const DISTANCE_MIN: Amount = Amount::from_micros(10_000);
/// The longest distance, of one leg and of all together.
const DISTANCE_MAX: Amount = Amount::from_micros(99_999_000_000);
/// The schema does not limit the decimals of distances.
const DISTANCE_DECIMALS: u32 = 6;

pub(super) fn check(case: &Case<'_>, carta: &CartaPorte, at: &At<'_>, found: &mut Findings) {
    let locations = &carta.locations;
    if items::is_too_many(locations.len(), at, found) {
        return;
    }
    for kind in LocationKind::EVERY {
        if locations.iter().all(|location| location.kind != *kind) {
            let (name, spanish) = (kind.name(), kind.spanish());
            found.add(
                "CFDI40999",
                at,
                format_args!("has no location of kind {name}: add at least one"),
                format_args!("no tiene ninguna ubicación de tipo {spanish}: agregar al menos una"),
            );
        }
    }
    for (index, each) in locations.iter().enumerate() {
        location(case, (each, carta.mode()), &at.index(index), found);
    }
    let sum = decimal::sum(locations.iter().filter_map(|location| location.distance_km));
    if sum > DISTANCE_MAX {
        found.add(
            "301",
            at,
            format_args!("are {sum} km apart in all, but at most {DISTANCE_MAX} km are allowed"),
            format_args!("suman {sum} km, pero se permiten {DISTANCE_MAX} km como máximo"),
        );
    }
}

fn location(
    case: &Case<'_>,
    (location, mode): (&Location, Option<Mode>),
    at: &At<'_>,
    found: &mut Findings,
) {
    if let Some(code) = location.code.as_deref() {
        self::code(code, location.kind, &at.field("code"), found);
    }
    text::rfc(&location.rfc, &at.field("rfc"), found);
    text::optional(location.name.as_deref(), NAME_CHARS_MAX, &at.field("name"), found);
    let identity = foreign::Identity {
        rfc: Some(&location.rfc),
        foreign_tax_id: location.foreign_tax_id.as_deref(),
        tax_residence: location.tax_residence.as_deref(),
    };
    foreign::check(case, &identity, at, found);
    common::year(location.at.year(), &at.field("at"), found);
    distance((location, mode), &at.field("distanceKm"), found);
    stations::check(case, (location, mode), &at.field("station"), found);
    let at = at.field("address");
    match &location.address {
        Some(_) if stations::is_passed(location) => common::needless(
            &at,
            "intermediate stations have none",
            "las estaciones intermedias no lo llevan",
            found,
        ),
        Some(address) => address::coded(case, address, &at, found),
        None if mode == Some(Mode::Road) => common::missing(
            ("CFDI40999", &at),
            "transport by road needs the address of every location",
            "en autotransporte se indica el domicilio de cada ubicación",
            found,
        ),
        None if stations::is_end(location) => common::missing(
            ("CFDI40999", &at),
            "the first and last stations in the country have an address",
            "las estaciones de origen y de destino final nacional llevan domicilio",
            found,
        ),
        None => {}
    }
}

/// `OR` for origins and `DE` for destinations, and six digits.
pub(super) fn code(code: &str, kind: LocationKind, at: &At<'_>, found: &mut Findings) {
    let start = kind.code_start();
    let digits = code.strip_prefix(start);
    if !digits.is_some_and(|digits| text::is_like(digits, "000000")) {
        let value = Shown(code);
        found.add(
            "301",
            at,
            format_args!("is {value}, but must be {start} and six digits, such as {start}000001"),
            format_args!("es {value}, pero debe ser {start} y seis dígitos, como {start}000001"),
        );
    }
}

/// Of destinations, and only of them; on land alone.
fn distance((location, mode): (&Location, Option<Mode>), at: &At<'_>, found: &mut Findings) {
    let is_on_land = !matches!(mode, Some(Mode::Sea | Mode::Air));
    match (location.kind, location.distance_km) {
        (LocationKind::Origin, None) => {}
        (LocationKind::Destination, None) if !is_on_land => {}
        (LocationKind::Destination, Some(_)) if !is_on_land => common::needless(
            at,
            "distances are stated by road and rail alone",
            "la distancia recorrida solo se indica en autotransporte y ferrocarril",
            found,
        ),
        (LocationKind::Origin, Some(_)) => common::needless(
            at,
            "only destinations have the distance from the location before",
            "solo los destinos llevan la distancia recorrida",
            found,
        ),
        (LocationKind::Destination, None) => common::missing(
            ("CFDI40999", at),
            "set the kilometers from the location before",
            "indicar los kilómetros recorridos desde la ubicación anterior",
            found,
        ),
        (LocationKind::Destination, Some(km)) => {
            common::measure(km, (DISTANCE_MIN, DISTANCE_MAX), DISTANCE_DECIMALS, at, found);
        }
    }
}
