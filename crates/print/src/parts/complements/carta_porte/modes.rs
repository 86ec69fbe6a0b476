//! Ships, planes and trains, and where they call.

use cfdi::complements::carta_porte::{AirTransport, RailTransport, SeaTransport, Station};
use kernel::Language;

use super::{Line, goods::all, policy, stated};
use crate::{figures, text::facts, texts};

/// What the document states of a port, airport or railway station.
pub(super) fn station(station: &Station) -> String {
    all([
        Some(station.code.clone()),
        station.title().map(str::to_owned),
        station.station_type.clone(),
        station.navigation.map(|navigation| navigation.spanish().to_owned()),
    ])
}

/// What it states of a ship and its containers.
pub(super) fn ship(sea: &SeaTransport) -> Vec<Line> {
    let ship = &sea.ship;
    let what = [
        Some(ship.kind.clone()),
        ship.name.clone(),
        Some(ship.registration.clone()),
        Some(ship.imo_number.clone()),
        ship.year.map(|year| year.to_string()),
        Some(ship.flag.clone()),
    ];
    let size = [
        Some(figures::plain(ship.gross_tonnage)),
        ship.length.map(figures::plain),
        ship.beam.map(figures::plain),
        ship.draft.map(figures::plain),
        ship.depth.map(figures::plain),
    ];
    let permit = [sea.permit_type.clone(), sea.permit_number.clone()];
    let permit = sea.permit_type.is_some().then(|| all(permit));
    let agent = facts(&[sea.agent_name.clone(), sea.agent_authorization.clone()]);
    let mut lines = stated([
        (texts::PERMIT, permit),
        (texts::SHIP, Some(all(what))),
        (texts::SHIP_SIZE, Some(all(size))),
        (texts::CARGO_TYPE, Some(sea.cargo_type.clone())),
        (texts::SHIPPING_LINE, sea.shipping_line.clone()),
        (texts::SHIPPING_AGENT, Some(agent)),
        (texts::VOYAGE, sea.voyage_number.clone()),
        (texts::BILL_OF_LADING, sea.bill_of_lading.clone()),
        (texts::TEMPORARY_PERMIT, sea.temporary_permit.clone()),
        (texts::INSURANCE, sea.insurance.as_ref().map(policy)),
    ]);
    for container in &sea.containers {
        let truck = container.truck.as_ref();
        let parts = [
            Some(container.kind.clone()),
            container.registration.clone(),
            container.seal.clone(),
            truck.map(|truck| truck.carta_porte_id.clone()),
            truck.map(|truck| figures::moment(truck.stamped_at)),
            truck.map(|truck| truck.plate.clone()),
        ];
        lines.push((texts::CONTAINER, all(parts)));
        let trailers = truck.into_iter().flat_map(|truck| &truck.trailers);
        lines.extend(trailers.map(|trailer| {
            (texts::TRAILER, facts(&[trailer.subtype.clone(), trailer.plate.clone()]))
        }));
    }
    lines
}

/// What it states of a flight.
pub(super) fn flight(air: &AirTransport) -> Vec<Line> {
    let shipper = air.shipper.as_ref().map(|who| {
        all([
            Some(who.rfc.clone()),
            who.name.clone(),
            who.foreign_tax_id.clone(),
            who.tax_residence.clone(),
        ])
    });
    stated([
        (texts::PERMIT, Some(facts(&[air.permit_type.clone(), air.permit_number.clone()]))),
        (texts::AIRCRAFT, air.aircraft_registration.clone()),
        (texts::AIR_CARRIER, Some(air.carrier.clone())),
        (texts::GUIDE, Some(air.waybill_number.clone())),
        (texts::CONTRACT_PLACE, air.contract_place.clone()),
        (texts::SHIPPER, shipper),
        (texts::INSURANCE, air.insurance.as_ref().map(policy)),
    ])
}

/// What it states of a train and its cars.
pub(super) fn train(rail: &RailTransport, language: Language) -> Vec<Line> {
    let service = facts(&[rail.service.clone(), rail.traffic.clone()]);
    let mut lines = stated([
        (texts::RAIL_SERVICE, Some(service)),
        (texts::INSURANCE, rail.insurance.as_ref().map(policy)),
    ]);
    lines.extend(rail.track_rights.iter().map(|right| {
        let paid = texts::KILOMETERS.with(language, &[&figures::plain(right.paid_km)]);
        (texts::TRACK_RIGHT, facts(&[right.kind.clone(), paid]))
    }));
    for car in &rail.cars {
        let tons = texts::TONS.with(language, &[&figures::plain(car.net_tons)]);
        let parts = [car.kind.clone(), car.registration.clone(), car.waybill_number.clone(), tons];
        lines.push((texts::RAIL_CAR, facts(&parts)));
        lines.extend(car.containers.iter().map(|container| {
            let kilograms = |weight| texts::KILOGRAMS.with(language, &[&figures::plain(weight)]);
            let weights = [container.empty_weight_kg, container.net_weight_kg].map(kilograms);
            let [empty, net] = weights;
            (texts::CONTAINER, facts(&[container.kind.clone(), empty, net]))
        }));
    }
    lines
}
