//! What is transported.

use cfdi::{
    catalogs::carta_porte::{
        conditions, customs_documents, dosage_forms, hazardous_materials, health_sectors,
        material_types, packagings,
    },
    complements::carta_porte::{
        CustomsDocument, GoodsItem, GoodsValue, Guide, HealthControl, International, Location,
        LocationKind, Portion,
    },
};
use kernel::{Amount, Currency};

use crate::{DAY, items::Catalogs, parties, rng::Rng, words};

/// Codes of foreign trade with and without a statistical number.
const TARIFF_CODES: [&str; 2] = ["8471300199", "0101210100"];

/// From a gram to ten thousand tons.
pub(super) fn weight(rng: &mut Rng) -> Amount {
    let most = rng.weighted(&[(60, 10_000), (30, 10_000_000), (10, 10_000_000_000)]);
    Amount::from_micros(rng.between(1, most) * 1_000)
}

pub(super) fn item(
    rng: &mut Rng,
    catalogs: &Catalogs,
    (locations, international): (&[Location], Option<&International>),
) -> GoodsItem {
    let hazardous = rng.sometimes(40, |rng| rng.chance(50));
    let is_hazardous = hazardous == Some(true);
    let material_type =
        (international.is_some() || rng.chance(10)).then(|| rng.pick(material_types::all()).code);
    let is_other = material_type == Some(material_types::OTHER);
    let documents = if international.is_some() { rng.between(1, 3) } else { 0 };
    let guides = rng.weighted(&[(80, 0), (20, 3)]);
    GoodsItem {
        sat_product_key: catalogs.goods(rng).to_owned(),
        stcc: None,
        description: words::description(rng),
        quantity: Amount::from_micros(rng.between(1, 9_999_999_999)),
        sat_unit_key: catalogs.unit(rng).to_owned(),
        unit: rng.sometimes(30, |rng| words::label(rng, 20)),
        dimensions: rng.sometimes(20, dimensions),
        hazardous,
        hazardous_material: is_hazardous.then(|| hazardous_material(rng)),
        packaging: is_hazardous.then(|| rng.pick(packagings::all()).code.to_owned()),
        packaging_description: rng.sometimes(10, |rng| words::label(rng, 100)),
        health: rng.sometimes(15, health),
        weight_kg: weight(rng),
        value: rng.sometimes(40, value),
        tariff_code: rng.sometimes(20, |rng| rng.pick(&TARIFF_CODES).to_owned()),
        foreign_trade_uuid: rng.sometimes(10, Rng::uuid),
        material_type: material_type.map(str::to_owned),
        material_description: (is_other || rng.chance(5)).then(|| words::label(rng, 50)),
        customs_documents: (0..documents).map(|_| customs_document(rng)).collect(),
        guides: (0..guides).map(|_| guide(rng)).collect(),
        portions: portions(rng, locations),
        weights: None,
    }
}

fn dimensions(rng: &mut Rng) -> String {
    let sides = [rng.between(0, 999), rng.between(1, 99), rng.between(1, 9)];
    let [length, height, width] = sides;
    format!("{length}/{height}/{width}{}", rng.pick(&["cm", "plg"]))
}

fn hazardous_material(rng: &mut Rng) -> String {
    let all: Vec<_> = hazardous_materials::all().collect();
    rng.pick(&all).code.to_owned()
}

pub(super) fn value(rng: &mut Rng) -> GoodsValue {
    let currency = Currency::parse(rng.pick(&["MXN", "USD", "EUR"])).unwrap_or(Currency::MXN);
    GoodsValue { amount: Amount::from_micros(rng.between(0, 9_999_999_999_999)), currency }
}

fn customs_document(rng: &mut Rng) -> CustomsDocument {
    let code = rng.pick(customs_documents::all()).code;
    let is_entry = code == customs_documents::PEDIMENTO;
    let number = [rng.digits(2), rng.digits(2), rng.digits(4), rng.digits(7)].join("  ");
    CustomsDocument {
        document_type: code.to_owned(),
        pedimento: is_entry.then_some(number),
        identifier: (!is_entry).then(|| words::label(rng, 150)),
        importer_rfc: (is_entry || rng.chance(30)).then(|| parties::receiver(rng, false).rfc),
    }
}

fn guide(rng: &mut Rng) -> Guide {
    let length = rng.between(10, 30);
    Guide {
        number: rng.text("ABC0123456789", length),
        description: words::description(rng),
        weight_kg: weight(rng),
    }
}

/// How many go from some origin to some destination.
fn portions(rng: &mut Rng, locations: &[Location]) -> Vec<Portion> {
    let codes = |kind: LocationKind| -> Vec<String> {
        let of_kind = locations.iter().filter(|location| location.kind == kind);
        of_kind.filter_map(|location| location.code.clone()).collect()
    };
    let (origins, destinations) = (codes(LocationKind::Origin), codes(LocationKind::Destination));
    let count = rng.weighted(&[(50, 0), (50, 3)]);
    let portion = |rng: &mut Rng| Portion {
        quantity: Amount::from_micros(rng.between(1, 999_999_999)),
        origin: rng.pick(&origins),
        destination: rng.pick(&destinations),
    };
    (0..count).map(|_| portion(rng)).collect()
}

fn health(rng: &mut Rng) -> HealthControl {
    let text = |rng: &mut Rng, most: i64| rng.sometimes(40, |rng| words::label(rng, most));
    HealthControl {
        sector: rng.pick(health_sectors::all()).code.to_owned(),
        active_ingredient: text(rng, 1000),
        chemical_name: text(rng, 150),
        generic_name: text(rng, 50),
        brand_name: text(rng, 50),
        manufacturer: text(rng, 240),
        expires_on: rng.sometimes(50, |_| DAY),
        batch: text(rng, 10),
        dosage_form: rng.sometimes(40, |rng| rng.pick(dosage_forms::all()).code.to_owned()),
        special_conditions: rng.sometimes(40, |rng| rng.pick(conditions::all()).code.to_owned()),
        sanitary_registration: text(rng, 15),
        import_permit: text(rng, 6),
        vucem_folio: text(rng, 25),
        cas_number: text(rng, 15),
        importer_name: text(rng, 80),
        pesticide_registration: text(rng, 60),
        manufacturer_details: text(rng, 600),
        formulator_details: text(rng, 600),
        processor_details: text(rng, 600),
        authorized_use: text(rng, 1000),
    }
}
