//! Documents of nonsense, which must be judged all the same.

use kernel::{Amount, Timestamp};
use proptest::prelude::*;
use time::{Date, PrimitiveDateTime, Time};

use super::{assert_readable, check, samples};
use crate::{
    complements::{CartaPorte, TradedGoods, carta_porte::samples::international},
    document::{Document, Item},
    payments::Payment,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

pub(super) fn amounts() -> impl Strategy<Value = Amount> {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    prop_oneof![
        any::<i64>().prop_map(Amount::from_micros),
        prop::sample::select(ends.map(Amount::from_micros).to_vec()),
        (-Amount::MAX.micros()..=Amount::MAX.micros()).prop_map(Amount::from_micros),
        (0..100_000_000_i64).prop_map(Amount::from_micros),
    ]
}

pub(super) fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[0-9]{0,8}",
        "[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3}",
        prop::sample::select(vec!["01", "02", "06", "07", "99", "XAXX010101000", "XEXX010101000"])
            .prop_map(str::to_owned),
    ]
}

fn taxes() -> impl Strategy<Value = ItemTax> {
    let tax = prop::sample::select(vec![Tax::Isr, Tax::Iva, Tax::Ieps]);
    let factor = prop::sample::select(vec![Factor::Tasa, Factor::Cuota, Factor::Exento]);
    (tax, factor, amounts(), any::<bool>(), amounts(), amounts()).prop_map(
        |(tax, factor, rate, withheld, base, amount)| ItemTax {
            rate: TaxRate { tax, factor, rate, withheld },
            base,
            amount,
        },
    )
}

pub(super) fn moments() -> impl Strategy<Value = PrimitiveDateTime> {
    prop_oneof![
        Just(PrimitiveDateTime::MIN),
        Just(PrimitiveDateTime::MAX),
        (1900..2200, 1..365_u16).prop_map(|(year, day)| {
            PrimitiveDateTime::new(Date::from_ordinal_date(year, day).unwrap(), Time::MIDNIGHT)
        }),
    ]
}

prop_compose! {
    fn item()(
        texts in prop::array::uniform8(words()),
        amounts in prop::array::uniform4(amounts()),
        discounted in any::<bool>(),
        taxes in prop::collection::vec(taxes(), 0..3),
    ) -> Item {
        let [sat_product_key, sku, sat_unit_key, unit, description, tax_object, customs, account] =
            texts;
        let [quantity, unit_price, amount, discount] = amounts;
        Item {
            sat_product_key,
            sku: Some(sku),
            quantity,
            sat_unit_key,
            unit: Some(unit),
            description,
            unit_price,
            amount,
            discount: discounted.then_some(discount),
            tax_object,
            taxes,
            third_party: None,
            customs: vec![customs],
            property_accounts: vec![account],
            parts: Vec::new(),
        }
    }
}

prop_compose! {
    fn payment()(
        form in words(),
        paid_at in moments(),
        amounts in prop::array::uniform4(amounts()),
        taxes in prop::collection::vec(taxes(), 0..3),
        abroad in any::<bool>(),
        installment in any::<u32>(),
        object in words(),
    ) -> Payment {
        let sample = if abroad { samples::receipt_in_dollars() } else { samples::receipt() };
        let mut payment = sample.payments[0].clone();
        let [amount, rate, before, paid] = amounts;
        (payment.payment_form, payment.paid_at, payment.amount) = (form, paid_at, amount);
        payment.exchange_rate = Some(rate);
        let document = &mut payment.documents[0];
        (document.balance_before, document.amount, document.taxes) = (before, paid, taxes);
        (document.installment, document.tax_object) = (installment, object);
        payment
    }
}

prop_compose! {
    fn goods()(
        texts in prop::array::uniform3(words()),
        amounts in prop::array::uniform3(amounts()),
        counted in prop::array::uniform3(any::<bool>()),
    ) -> TradedGoods {
        let ([sku, tariff_code, unit], [quantity, price, usd_value]) = (texts, amounts);
        TradedGoods {
            sku,
            tariff_code: Some(tariff_code),
            customs_quantity: counted[0].then_some(quantity),
            customs_unit: counted[1].then_some(unit),
            customs_unit_price: counted[2].then_some(price),
            usd_value,
            details: Vec::new(),
        }
    }
}

prop_compose! {
    fn journey()(
        ids in prop::collection::vec(words(), 5),
        places in prop::collection::vec(words(), 12),
        goods in prop::collection::vec(words(), 16),
        trucks in prop::collection::vec(words(), 7),
        amounts in prop::collection::vec(amounts(), 8),
        at in moments(),
        model_year in any::<u16>(),
    ) -> CartaPorte {
        let mut carta = international();
        let [id, country, via, regime, pole] = ids.try_into().unwrap();
        carta.id = Some(id);
        let border = carta.international.as_mut().unwrap();
        (border.country, border.via, border.customs_regimes) = (country, via, vec![regime]);
        carta.isthmus.as_mut().unwrap().origin = pole;
        let [weight, each, quantity, value, part, parcel, distance, tons] = amounts.try_into().unwrap();
        let place = &mut carta.locations[1];
        let [code, rfc, name, tax_id, residence, street, town, near, county, state, land, zip] = places.try_into().unwrap();
        (place.code, place.rfc, place.name) = (Some(code), rfc, Some(name));
        (place.foreign_tax_id, place.tax_residence) = (Some(tax_id), Some(residence));
        (place.at, place.distance_km) = (at, Some(distance));
        let address = place.address.as_mut().unwrap();
        (address.street, address.locality) = (Some(street), Some(town));
        (address.neighborhood, address.municipality) = (Some(near), Some(county));
        (address.state, address.country, address.zip) = (state, land, zip);
        carta.goods.gross_weight = Some(weight);
        let [unit, product, text, measure, sides, hazard, pack, tariff, uuid, matter, paper, entry,
            guide, from, to, sector] = goods.try_into().unwrap();
        carta.goods.weight_unit = unit;
        let item = &mut carta.goods.items[0];
        (item.sat_product_key, item.description, item.sat_unit_key) = (product, text, measure);
        (item.weight_kg, item.quantity, item.dimensions) = (each, quantity, Some(sides));
        (item.hazardous_material, item.packaging) = (Some(hazard), Some(pack));
        (item.tariff_code, item.foreign_trade_uuid) = (Some(tariff), Some(uuid));
        item.material_type = Some(matter);
        item.value.as_mut().unwrap().amount = value;
        (item.customs_documents[0].document_type, item.customs_documents[0].pedimento) =
            (paper, Some(entry));
        (item.guides[0].number, item.guides[0].weight_kg) = (guide, parcel);
        (item.portions[0].origin, item.portions[0].destination) = (from, to);
        item.portions[0].quantity = part;
        item.health.as_mut().unwrap().sector = sector;
        let [permit, configuration, plate, insurer, role, license, owned] = trucks.try_into().unwrap();
        let road = carta.road.as_mut().unwrap();
        (road.permit_type, road.insurance.liability.insurer) = (permit, insurer);
        let vehicle = &mut road.vehicle;
        (vehicle.configuration, vehicle.plate, vehicle.model_year) =
            (configuration, plate, model_year);
        vehicle.gross_weight_tons = tons;
        let figure = &mut carta.figures[0];
        (figure.figure_type, figure.license, figure.parts) = (role, Some(license), vec![owned]);
        carta
    }
}

prop_compose! {
    fn documents()(
        sample in prop::sample::select(samples::ALL.to_vec()),
        texts in prop::array::uniform16(words()),
        issued_at in moments(),
        rate in amounts(),
        items in prop::collection::vec(item(), 0..4),
        payments in prop::collection::vec(payment(), 0..3),
        goods in prop::collection::vec(goods(), 0..4),
        journey in journey(),
        year in any::<u16>(),
        mixed in any::<bool>(),
    ) -> Document {
        let mut document = sample();
        let [
            series, folio, form, terms, export, place, confirmation, rfc, name, regime, to, called,
            zip, status, used, country,
        ] = texts;
        document.series = Some(series);
        document.folio = Some(folio);
        document.payment_form = Some(form);
        document.payment_terms = Some(terms);
        document.export = export;
        document.place_of_issue = place;
        document.confirmation = Some(confirmation);
        document.issued_at = issued_at;
        document.exchange_rate = Some(rate);
        document.issuer.rfc = rfc;
        document.issuer.legal_name = name;
        document.issuer.tax_regime = regime;
        document.receiver.rfc = to;
        document.receiver.legal_name = called;
        document.receiver.tax_zip = zip;
        document.receiver.tax_regime = status;
        document.receiver.cfdi_use = used;
        document.receiver.tax_residence = Some(country.clone());
        document.receiver.foreign_tax_id = Some(country);
        if let Some(global) = &mut document.global {
            global.year = year;
        }
        if let Some(trade) = &mut document.complements.foreign_trade {
            trade.usd_rate = rate;
            trade.goods = goods;
        }
        if mixed {
            document.items = items;
            document.payments = payments;
            document.complements.carta_porte = Some(Box::new(journey));
        }
        document
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn nonsense_is_judged(document in documents(), now in any::<i64>()) {
        let findings = check(&document, Timestamp::from_micros(now));
        prop_assert!(!findings.is_empty());
        for finding in &findings {
            let english = finding.message(super::Language::English);
            let spanish = finding.message(super::Language::Spanish);
            prop_assert!(english.starts_with(&finding.field) && spanish.starts_with(&finding.field));
            prop_assert_ne!(english, spanish);
        }
    }
}

#[test]
fn long_values_are_quoted_by_their_beginning() {
    let mut document = samples::invoice();
    document.receiver.tax_zip = "9".repeat(1_000_000);
    let [finding] = check(&document, super::now()).try_into().unwrap();
    assert_readable(&finding);
    assert!(finding.message(super::Language::English).len() < 400);
}
