//! Ships, planes and trains in place of trucks.

use cfdi::{
    catalogs::carta_porte::{
        air_carriers, cargo_types, figures, permits, rail_cars, rail_containers, rail_services,
        rail_traffic, ship_agents, ship_containers, ships, station_types,
        stations::{self, StationKind},
        track_rights,
    },
    complements::{
        CartaPorte,
        carta_porte::{
            AirTransport, FerriedTruck, Location, Mode, Navigation, RailCar, RailContainer,
            RailTransport, SeaTransport, Ship, ShipContainer, Shipper, Station, TrackRight,
            WeightDetails,
        },
    },
    document::FOREIGNER,
};
use kernel::Amount;

use super::{goods, places, plate, policy, trailer};
use crate::{DAY, parties, rng::Rng, words};

/// Leaves most journeys on the road.
pub(super) fn choose(rng: &mut Rng, carta: &mut CartaPorte) {
    let modes = [(70, Mode::Road), (10, Mode::Sea), (10, Mode::Air), (10, Mode::Rail)];
    let kind = match rng.weighted(&modes) {
        Mode::Road => return,
        Mode::Sea => {
            sail(rng, carta);
            StationKind::Port
        }
        Mode::Air => {
            fly(rng, carta);
            StationKind::Airport
        }
        Mode::Rail => {
            ride(rng, carta);
            StationKind::Railway
        }
    };
    carta.road = None;
    carta.figures.retain(|figure| figure.figure_type != figures::OPERATOR);
    for location in &mut carta.locations {
        stop(rng, location, kind);
    }
}

fn stop(rng: &mut Rng, location: &mut Location, kind: StationKind) {
    if kind != StationKind::Railway {
        location.distance_km = None;
    }
    let station_type = rng.pick(station_types::all()).code;
    if station_type == station_types::INTERMEDIATE {
        location.address = None;
    }
    let all: Vec<_> = stations::all().collect();
    let code = loop {
        let code = rng.pick(&all).code;
        if stations::kind_of(code) == Some(kind) {
            break code;
        }
    };
    let mut station = Station {
        code: code.to_owned(),
        name: rng.sometimes(30, |rng| words::label(rng, 50)),
        station_type: Some(station_type.to_owned()),
        navigation: (kind == StationKind::Port).then(|| rng.pick(Navigation::EVERY)),
    };
    if station.title().is_none() {
        station.name = Some(words::label(rng, 50));
    }
    location.station = Some(station);
}

fn sail(rng: &mut Rng, carta: &mut CartaPorte) {
    for item in &mut carta.goods.items {
        let net = goods::weight(rng);
        let tare = Amount::from_micros(rng.between(1, 9_999) * 1_000);
        item.weights = Some(WeightDetails {
            unit: rng.pick(&["KGM", "TNE", "LBR"]).to_owned(),
            gross: Amount::from_micros(net.micros() + tare.micros()),
            net,
            pieces: rng.sometimes(50, |rng| u32::try_from(rng.between(1, 99_999)).unwrap_or(1)),
        });
    }
    let agents: Vec<_> = ship_agents::all().collect();
    let permits: Vec<_> = permits::all().iter().filter(|permit| permit.sea).collect();
    let permit = rng.sometimes(50, |rng| rng.pick(&permits).code);
    let count = rng.between(0, 4);
    carta.sea = Some(SeaTransport {
        permit_type: permit.map(str::to_owned),
        permit_number: permit.map(|_| words::label(rng, 30)),
        insurance: rng.sometimes(50, policy),
        ship: ship(rng),
        cargo_type: rng.pick(cargo_types::all()).code.to_owned(),
        shipping_line: rng.sometimes(50, |rng| format!("Naviera {}", words::label(rng, 42))),
        agent_name: words::label(rng, 100),
        agent_authorization: rng.pick(&agents).code.to_owned(),
        voyage_number: rng.sometimes(50, |rng| words::label(rng, 30)),
        bill_of_lading: rng.sometimes(50, |rng| words::label(rng, 30)),
        temporary_permit: rng.sometimes(20, |rng| words::label(rng, 19)),
        containers: (0..count).map(|_| ship_container(rng)).collect(),
    });
}

fn ship(rng: &mut Rng) -> Ship {
    let feet = |rng: &mut Rng| Amount::from_micros(rng.between(1, 99_999) * 10_000);
    Ship {
        kind: rng.pick(ships::all()).code.to_owned(),
        registration: rng.digits(10),
        imo_number: format!("IMO{}", rng.digits(7)),
        year: rng.sometimes(50, |rng| u16::try_from(rng.between(1900, 2099)).unwrap_or(2000)),
        name: rng.sometimes(50, |rng| words::label(rng, 50)),
        flag: places::country_abroad(rng).code.to_owned(),
        gross_tonnage: goods::weight(rng),
        length: rng.sometimes(50, feet),
        beam: rng.sometimes(50, feet),
        draft: rng.sometimes(50, feet),
        depth: rng.sometimes(50, feet),
    }
}

fn ship_container(rng: &mut Rng) -> ShipContainer {
    let kind = rng.pick(ship_containers::all()).code;
    let is_ferry = kind == ship_containers::FERRY;
    ShipContainer {
        kind: kind.to_owned(),
        registration: rng.sometimes(50, |rng| rng.digits(11)),
        seal: rng.sometimes(50, |rng| rng.digits(8)),
        truck: is_ferry.then(|| FerriedTruck {
            carta_porte_id: format!("CCC{}", rng.uuid().get(3..).unwrap_or_default()),
            stamped_at: DAY.midnight(),
            plate: plate(rng),
            trailers: (0..rng.between(0, 2)).map(|_| trailer(rng)).collect(),
        }),
    }
}

fn fly(rng: &mut Rng, carta: &mut CartaPorte) {
    for item in &mut carta.goods.items {
        item.value = Some(goods::value(rng));
    }
    carta.goods.appraisal_charge = rng.sometimes(30, |rng| cents(rng, 9_999_999));
    let carriers: Vec<_> = air_carriers::all().collect();
    let permits: Vec<_> = permits::all().iter().filter(|permit| permit.air).collect();
    let length = rng.between(12, 15);
    carta.air = Some(AirTransport {
        permit_type: rng.pick(&permits).code.to_owned(),
        permit_number: words::label(rng, 50),
        aircraft_registration: rng.sometimes(50, |rng| rng.text("ABCXY0123456789-", 8)),
        insurance: rng.sometimes(50, policy),
        waybill_number: rng.digits(length),
        contract_place: rng.sometimes(50, |rng| words::label(rng, 120)),
        carrier: rng.pick(&carriers).code.to_owned(),
        shipper: rng.sometimes(50, shipper),
    });
}

fn shipper(rng: &mut Rng) -> Shipper {
    let abroad = rng.sometimes(30, |rng| places::country_abroad(rng).code);
    let rfc = parties::receiver(rng, false).rfc;
    Shipper {
        rfc: if abroad.is_some() { FOREIGNER.to_owned() } else { rfc },
        name: rng.sometimes(50, words::name),
        foreign_tax_id: abroad.map(|_| rng.digits(9)),
        tax_residence: abroad.map(str::to_owned),
    }
}

fn ride(rng: &mut Rng, carta: &mut CartaPorte) {
    for item in &mut carta.goods.items {
        item.stcc = rng.sometimes(30, |rng| rng.digits(7));
    }
    let (rights, cars) = (rng.between(0, 2), rng.between(1, 5));
    carta.rail = Some(RailTransport {
        service: rng.pick(rail_services::all()).code.to_owned(),
        traffic: rng.pick(rail_traffic::all()).code.to_owned(),
        insurance: rng.sometimes(50, policy),
        track_rights: (0..rights).map(|_| track_right(rng)).collect(),
        cars: (0..cars).map(|_| car(rng)).collect(),
    });
}

fn track_right(rng: &mut Rng) -> TrackRight {
    let all: Vec<_> = track_rights::all().collect();
    TrackRight { kind: rng.pick(&all).code.to_owned(), paid_km: cents(rng, 99_999) }
}

fn car(rng: &mut Rng) -> RailCar {
    let containers = rng.between(0, 2);
    RailCar {
        kind: rng.pick(rail_cars::all()).code.to_owned(),
        registration: rng.digits(9),
        waybill_number: rng.digits(6),
        net_tons: goods::weight(rng),
        containers: (0..containers).map(|_| rail_container(rng)).collect(),
    }
}

fn rail_container(rng: &mut Rng) -> RailContainer {
    RailContainer {
        kind: rng.pick(rail_containers::all()).code.to_owned(),
        empty_weight_kg: goods::weight(rng),
        net_weight_kg: goods::weight(rng),
    }
}

fn cents(rng: &mut Rng, most: i64) -> Amount {
    Amount::from_micros(rng.between(1, most) * 10_000)
}
