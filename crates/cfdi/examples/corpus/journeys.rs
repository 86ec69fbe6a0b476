//! Goods on the way, at home and over the border.

mod goods;
mod modes;
mod places;

use cfdi::{
    catalogs::carta_porte::{
        customs_regimes, figures, isthmus_poles, parts, permits, trailers, transport_modes,
        vehicles::{self, Trailers},
    },
    complements::{
        CartaPorte,
        carta_porte::{
            Direction, Figure, Goods, Insurance, International, Isthmus, Policy, RoadTransport,
            Trailer, Vehicle,
        },
    },
};
use kernel::Amount;

use crate::{items::Catalogs, parties, rng::Rng, words};

/// Any journey with any goods.
pub(crate) fn journey(rng: &mut Rng, catalogs: &Catalogs) -> Box<CartaPorte> {
    let international = rng.sometimes(35, international);
    let locations = places::locations(rng, international.as_ref());
    let count = rng.weighted(&[(60, 1), (30, 5), (10, 30)]);
    let count = rng.between(1, count);
    let item = |rng: &mut Rng| goods::item(rng, catalogs, (&locations, international.as_ref()));
    let items: Vec<_> = (0..count).map(|_| item(rng)).collect();
    let gross_weight = rng.sometimes(30, goods::weight);
    let unit = if gross_weight.is_some() { rng.pick(&["KGM", "TNE", "XBX", "LBR"]) } else { "KGM" };
    let goods = Goods {
        gross_weight,
        weight_unit: unit.to_owned(),
        appraisal_charge: None,
        reverse_logistics: rng.chance(10),
        items,
    };
    let is_hazardous =
        goods.items.iter().any(cfdi::complements::carta_porte::GoodsItem::is_hazardous);
    let mut carta = CartaPorte {
        id: Some(rng.uuid()),
        international,
        isthmus: rng.sometimes(10, isthmus),
        locations,
        goods,
        road: Some(road(rng, is_hazardous)),
        sea: None,
        air: None,
        rail: None,
        figures: figures(rng),
    };
    modes::choose(rng, &mut carta);
    Box::new(carta)
}

fn international(rng: &mut Rng) -> International {
    let direction = rng.pick(Direction::EVERY);
    let count = rng.between(1, 10);
    let fits = |regime: &&customs_regimes::CustomsRegime| match direction {
        Direction::Entry => regime.entry,
        Direction::Exit => regime.exit,
    };
    let regimes: Vec<_> = customs_regimes::all().iter().filter(fits).collect();
    International {
        direction,
        country: places::country_abroad(rng).code.to_owned(),
        via: rng.pick(transport_modes::all()).code.to_owned(),
        customs_regimes: (0..count).map(|_| rng.pick(&regimes).code.to_owned()).collect(),
    }
}

fn isthmus(rng: &mut Rng) -> Isthmus {
    let pole = |rng: &mut Rng| rng.pick(isthmus_poles::all()).code.to_owned();
    Isthmus { origin: pole(rng), destination: pole(rng) }
}

fn road(rng: &mut Rng, is_hazardous: bool) -> RoadTransport {
    let permits: Vec<_> = permits::all().iter().filter(|permit| permit.road).collect();
    let configuration = rng.pick(vehicles::all());
    let trailers = match configuration.trailers {
        Trailers::Required => rng.between(1, 2),
        Trailers::Optional => rng.between(0, 2),
        Trailers::Never => 0,
    };
    RoadTransport {
        permit_type: rng.pick(&permits).code.to_owned(),
        permit_number: words::label(rng, 50),
        vehicle: Vehicle {
            configuration: configuration.code.to_owned(),
            gross_weight_tons: Amount::from_micros(rng.between(1, 9_999) * 10_000),
            plate: plate(rng),
            model_year: u16::try_from(rng.between(1900, 2099)).unwrap_or_default(),
        },
        insurance: Insurance {
            liability: policy(rng),
            environment: (is_hazardous || rng.chance(10)).then(|| policy(rng)),
            cargo: rng.sometimes(30, policy),
            premium: rng.sometimes(20, |rng| Amount::from_micros(rng.between(0, 9_999_999_999))),
        },
        trailers: (0..trailers).map(|_| trailer(rng)).collect(),
    }
}

fn trailer(rng: &mut Rng) -> Trailer {
    Trailer { subtype: rng.pick(trailers::all()).code.to_owned(), plate: plate(rng) }
}

fn policy(rng: &mut Rng) -> Policy {
    let length = rng.between(3, 30);
    Policy { insurer: format!("Seguros {}", words::label(rng, 42)), number: rng.digits(length) }
}

fn plate(rng: &mut Rng) -> String {
    let length = rng.between(5, 7);
    rng.text("ABCDEFGHJKLÑ0123456789", length)
}

/// Whoever drives, and others.
fn figures(rng: &mut Rng) -> Vec<Figure> {
    let count = rng.weighted(&[(70, 0), (30, 4)]);
    let others: Vec<_> = (0..count).map(|_| rng.pick(figures::all()).code).collect();
    let types = [figures::OPERATOR].into_iter().chain(others);
    types.map(|code| figure(rng, code)).collect()
}

fn figure(rng: &mut Rng, code: &str) -> Figure {
    let length = rng.between(6, 16);
    let parts =
        if [figures::OWNER, figures::LESSOR].contains(&code) { rng.between(1, 3) } else { 0 };
    let abroad = rng.sometimes(20, |rng| places::country_abroad(rng).code);
    Figure {
        figure_type: code.to_owned(),
        rfc: abroad.is_none().then(|| parties::receiver(rng, false).rfc),
        license: (code == figures::OPERATOR).then(|| rng.text("ABC0123456789", length)),
        name: words::name(rng),
        foreign_tax_id: abroad.map(|_| rng.digits(9)),
        tax_residence: abroad.map(str::to_owned),
        parts: (0..parts).map(|_| rng.pick(parts::all()).code.to_owned()).collect(),
        address: rng.sometimes(30, |rng| places::address(rng, abroad)),
    }
}
