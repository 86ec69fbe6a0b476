//! The ship, its agent and containers.

use kernel::Amount;

use super::{common, lists, road};
use crate::{
    catalogs::{
        carta_porte::{cargo_types, permits, ship_agents, ship_containers, ships},
        countries,
    },
    complements::carta_porte::{FerriedTruck, SeaTransport, Ship, ShipContainer},
    rules::{
        case::Case,
        finding::{At, Findings, Shown},
        items, listed, text,
    },
};

/// The years of ships that the schema allows.
const YEARS: std::ops::RangeInclusive<u16> = 1900..=2099;
/// The shortest side of a ship, in feet.
const FEET_MIN: Amount = Amount::from_micros(10_000);
/// How many characters a ship's registration has.
const REGISTRATION_CHARS: (usize, usize) = (7, 30);
/// How many characters the name of a shipping line has.
const LINE_CHARS: (usize, usize) = (3, 50);
/// How many characters the number of a container has.
const CONTAINER_CHARS: (usize, usize) = (11, 15);
/// How many characters the number of a seal has.
const SEAL_CHARS: (usize, usize) = (5, 20);
/// What the folio of a Carta Porte begins with.
const FOLIO_START: &str = "CCC";

pub(super) fn check(case: &Case<'_>, sea: &SeaTransport, at: &At<'_>, found: &mut Findings) {
    permit(case, sea, at, found);
    if let Some(insurance) = &sea.insurance {
        common::policy(insurance, &at.field("insurance"), found);
    }
    ship(case, &sea.ship, &at.field("ship"), found);
    let row = (sea.cargo_type.as_str(), cargo_types::find(&sea.cargo_type));
    let error = ("301", &at.field("cargoType"));
    listed::check(row, &lists::CARGO_TYPES, case.day(), error, found);
    let line = sea.shipping_line.as_deref();
    common::optional_between(line, LINE_CHARS, &at.field("shippingLine"), found);
    text::check(&sea.agent_name, 100, &at.field("agentName"), found);
    let agent = ship_agents::find(&sea.agent_authorization);
    let row = (sea.agent_authorization.as_str(), agent.as_ref());
    let error = ("301", &at.field("agentAuthorization"));
    listed::check(row, &lists::SHIP_AGENTS, case.day(), error, found);
    text::optional(sea.voyage_number.as_deref(), 30, &at.field("voyageNumber"), found);
    text::optional(sea.bill_of_lading.as_deref(), 30, &at.field("billOfLading"), found);
    text::optional(sea.temporary_permit.as_deref(), 19, &at.field("temporaryPermit"), found);
    let lines = at.field("containers");
    if items::is_too_many(sea.containers.len(), &lines, found) {
        return;
    }
    for (index, each) in sea.containers.iter().enumerate() {
        container(case, each, &lines.index(index), found);
    }
}

/// One for the sea, with its number.
fn permit(case: &Case<'_>, sea: &SeaTransport, at: &At<'_>, found: &mut Findings) {
    let number = at.field("permitNumber");
    text::optional(sea.permit_number.as_deref(), 30, &number, found);
    let Some(code) = sea.permit_type.as_deref() else {
        return;
    };
    let at = at.field("permitType");
    let row = (code, permits::find(code));
    let row = listed::check(row, &lists::PERMITS, case.day(), ("301", &at), found);
    if row.is_some_and(|permit| !permit.sea) {
        found.add(
            "CFDI40999",
            &at,
            format_args!("is {code}, which is not a permit for the sea: choose TPTM01 or TPXX00"),
            format_args!("es {code}, que no es de transporte marítimo: elegir TPTM01 o TPXX00"),
        );
    }
    if sea.permit_number.is_none() {
        common::missing(
            ("CFDI40999", &number),
            "set the number of the permit of permitType",
            "indicar el número del permiso de permitType",
            found,
        );
    }
}

fn ship(case: &Case<'_>, ship: &Ship, at: &At<'_>, found: &mut Findings) {
    let row = (ship.kind.as_str(), ships::find(&ship.kind));
    listed::check(row, &lists::SHIPS, case.day(), ("301", &at.field("type")), found);
    let registration = at.field("registration");
    common::text_between(&ship.registration, REGISTRATION_CHARS, &registration, found);
    if !text::is_like(&ship.imo_number, "IMO0000000") {
        let value = Shown(&ship.imo_number);
        found.add(
            "301",
            &at.field("imoNumber"),
            format_args!("is {value}, but must be IMO and seven digits, such as IMO1234567"),
            format_args!("es {value}, pero debe ser IMO y siete dígitos, como IMO1234567"),
        );
    }
    if let Some(year) = ship.year.filter(|year| !YEARS.contains(year)) {
        let (first, last) = (YEARS.start(), YEARS.end());
        found.add(
            "301",
            &at.field("year"),
            format_args!("is {year}, but must be between {first} and {last}: correct it"),
            format_args!("es {year}, pero debe estar entre {first} y {last}: corregirlo"),
        );
    }
    text::optional(ship.name.as_deref(), 50, &at.field("name"), found);
    let row = (ship.flag.as_str(), countries::find(&ship.flag));
    listed::check(row, &listed::COUNTRIES, case.day(), ("301", &at.field("flag")), found);
    common::weight(ship.gross_tonnage, &at.field("grossTonnage"), found);
    let sides = [
        ("length", ship.length),
        ("beam", ship.beam),
        ("draft", ship.draft),
        ("depth", ship.depth),
    ];
    for (field, feet) in sides {
        if let Some(feet) = feet {
            common::measure(feet, (FEET_MIN, Amount::MAX), 2, &at.field(field), found);
        }
    }
}

/// A ferry carries trucks, which have a Carta Porte of their own.
fn container(case: &Case<'_>, container: &ShipContainer, at: &At<'_>, found: &mut Findings) {
    let row = (container.kind.as_str(), ship_containers::find(&container.kind));
    let error = ("301", &at.field("type"));
    listed::check(row, &lists::SHIP_CONTAINERS, case.day(), error, found);
    let registration = container.registration.as_deref();
    common::optional_between(registration, CONTAINER_CHARS, &at.field("registration"), found);
    common::optional_between(container.seal.as_deref(), SEAL_CHARS, &at.field("seal"), found);
    let at = at.field("truck");
    match &container.truck {
        Some(_) if container.kind != ship_containers::FERRY => common::needless(
            &at,
            "only ferries (CM011) carry trucks",
            "solo lo lleva el ferri (CM011)",
            found,
        ),
        Some(truck) => self::truck(case, truck, &at, found),
        None if container.kind == ship_containers::FERRY => common::missing(
            ("CFDI40999", &at),
            "state the truck on the ferry and the folio of its Carta Porte",
            "indicar el autotransporte que va en el ferri y el folio de su Carta Porte",
            found,
        ),
        None => {}
    }
}

fn truck(case: &Case<'_>, truck: &FerriedTruck, at: &At<'_>, found: &mut Findings) {
    let folio = truck.carta_porte_id.as_str();
    // The folio is a UUID whose first digits are `CCC`, digits of UUIDs themselves.
    if !(folio.starts_with(FOLIO_START) && text::is_uuid(folio)) {
        let value = Shown(folio);
        found.add(
            "301",
            &at.field("cartaPorteId"),
            format_args!("is {value}, which is not the folio of a Carta Porte: copy its IdCCP"),
            format_args!("es {value}, que no es el folio de una Carta Porte: copie su IdCCP"),
        );
    }
    common::year(truck.stamped_at.year(), &at.field("stampedAt"), found);
    common::plate(&truck.plate, &at.field("plate"), found);
    road::drawn(case, &truck.trailers, &at.field("trailers"), found);
}
