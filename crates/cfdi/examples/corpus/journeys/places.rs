//! Where goods are picked up and delivered.

use cfdi::{
    catalogs::{
        Row as _,
        countries::{self, Country},
    },
    complements::{
        Address,
        carta_porte::{Direction, International, Location, LocationKind},
    },
    document::FOREIGNER,
};
use kernel::Amount;
use time::Duration;

use crate::{DAY, addresses, parties, rng::Rng, words};

/// One or more of each kind; those of the other side of the border are abroad.
pub(super) fn locations(rng: &mut Rng, international: Option<&International>) -> Vec<Location> {
    let mut locations = Vec::new();
    for kind in LocationKind::EVERY {
        let is_abroad = international.is_some_and(|it| match it.direction {
            Direction::Entry => *kind == LocationKind::Origin,
            Direction::Exit => *kind == LocationKind::Destination,
        });
        let count = rng.weighted(&[(70, 1), (30, 4)]);
        for number in 0..rng.between(1, count) {
            let code = format!("{}{:06}", kind.code_start(), number * 111_111);
            let abroad = is_abroad.then(|| country_abroad(rng).code);
            locations.push(location(rng, (*kind, code), abroad));
        }
    }
    locations
}

fn location(
    rng: &mut Rng,
    (kind, code): (LocationKind, String),
    abroad: Option<&'static str>,
) -> Location {
    let rfc = parties::receiver(rng, false).rfc;
    let is_destination = kind == LocationKind::Destination;
    Location {
        kind,
        code: Some(code),
        rfc: if abroad.is_some() { FOREIGNER.to_owned() } else { rfc },
        name: rng.sometimes(60, words::name),
        foreign_tax_id: abroad.map(|_| rng.digits(9)),
        tax_residence: abroad.map(str::to_owned),
        station: None,
        at: DAY.midnight() + Duration::seconds(rng.between(0, 500_000)),
        distance_km: is_destination.then(|| Amount::from_micros(rng.between(1, 999_999) * 10_000)),
        address: Some(address(rng, abroad)),
    }
}

/// An address at home or in another country.
pub(super) fn address(rng: &mut Rng, abroad: Option<&'static str>) -> Address {
    match abroad.and_then(countries::find) {
        Some(country) => addresses::abroad(rng, country),
        None => addresses::in_mexico(rng),
    }
}

/// Any country but Mexico, mostly a neighbor.
pub(super) fn country_abroad(rng: &mut Rng) -> &'static Country {
    let neighbors = ["USA", "CAN", "GTM"].into_iter().filter_map(countries::find);
    let neighbors: Vec<_> = neighbors.collect();
    if rng.chance(70) {
        return rng.pick(&neighbors);
    }
    let all = countries::all().iter();
    let others: Vec<_> =
        all.filter(|it| it.code != countries::MEXICO && it.in_force(DAY)).collect();
    rng.pick(&others)
}
