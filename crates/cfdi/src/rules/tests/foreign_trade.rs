//! Goods that leave the country for good.

mod documents;

use super::{
    Row, assert_valid, check, now,
    samples::{self, UUID, amount, text},
};
use crate::{
    complements::{
        Address, CertificateOfOrigin, Donation, GoodsDetails, TradeReceiver, TradedGoods,
    },
    document::{Document, GENERAL_PUBLIC, Relation, ThirdParty},
};
use documents::{by_a_person, goods, samples_given_away, trade, with_service};
pub(super) use documents::{exported, exported_in_two_kinds, moved};

fn sender(document: &mut Document) -> &mut Address {
    &mut trade(document).issuer.address
}

fn buyer(document: &mut Document) -> &mut TradeReceiver {
    trade(document).receiver.as_mut().unwrap()
}

fn home(document: &mut Document) -> &mut Address {
    buyer(document).address.as_mut().unwrap()
}

fn good(document: &mut Document) -> &mut TradedGoods {
    &mut trade(document).goods[0]
}

fn detail(document: &mut Document) -> &mut GoodsDetails {
    &mut good(document).details[0]
}

/// A row of a field of the complement.
macro_rules! row {
    ($sample:expr, $mutate:expr, $code:literal, $field:literal) => {
        ($sample, $mutate, $code, concat!("complements.foreignTrade.", $field))
    };
    ($sample:expr, $mutate:expr, $code:literal) => {
        ($sample, $mutate, $code, "complements.foreignTrade")
    };
}

pub(super) const ROWS: &[Row] = &[
    (exported, |d| d.complements.foreign_trade = None, "CFDI40122", "export"),
    (exported, |d| d.export = "01".to_owned(), "CFDI40999", "export"),
    (exported, |d| d.export = "04".to_owned(), "CFDI40999", "export"),
    row!(samples::receipt, |d| d.complements = exported().complements, "CFDI40999"),
    // What it asks of the document.
    (exported, |d| d.receiver.rfc = GENERAL_PUBLIC.to_owned(), "CFDI40999", "receiver.rfc"),
    (exported, |d| d.receiver.foreign_tax_id = None, "CFDI40155", "receiver.foreignTaxId"),
    (
        exported,
        |d| (d.receiver.foreign_tax_id, d.receiver.tax_residence) = (None, None),
        "CFDI40153",
        "receiver.taxResidence",
    ),
    (exported, |d| d.items[0].sku = None, "CFDI40999", "items[0].sku"),
    (exported, |d| d.items[0].sku = text("LAP-02"), "CFDI40999", "items[0].sku"),
    (exported, |d| d.items[0].third_party = Some(somebody()), "CFDI40999", "items[0].thirdParty"),
    (
        exported,
        |d| d.items[0].customs.push("24  48  3009  4001234".to_owned()),
        "CFDI40195",
        "items[0].customs",
    ),
    (
        exported,
        |d| d.items[0].parts = samples::kit().items[0].parts.clone(),
        "CFDI40200",
        "items[0].parts[0].customs",
    ),
    (
        exported,
        |d| d.items[0].property_accounts = vec!["1".to_owned()],
        "CFDI40999",
        "items[0].propertyAccounts",
    ),
    (moved, |d| d.items[0].tax_object = "03".to_owned(), "CFDI40999", "items[0].taxObject"),
    (exported, |d| d.complements.donation = Some(donation()), "CFDI40999", "complements.donation"),
    (moved, |d| trade(d).transfer_reason = text("01"), "CFDI40999", "related"),
    // Its head.
    row!(moved, |d| trade(d).transfer_reason = None, "CFDI40999", "transferReason"),
    row!(moved, |d| trade(d).transfer_reason = text("06"), "301", "transferReason"),
    row!(exported, |d| trade(d).transfer_reason = text("02"), "CFDI40999", "transferReason"),
    row!(
        exported,
        |d| trade(d).certificate_of_origin = Some(CertificateOfOrigin { number: text("12345") }),
        "301",
        "certificateOfOrigin.number"
    ),
    row!(
        exported,
        |d| trade(d).certificate_of_origin = Some(CertificateOfOrigin { number: text("") }),
        "301",
        "certificateOfOrigin.number"
    ),
    row!(
        exported,
        |d| {
            trade(d).trusted_exporter_number = text("1");
            trade(d).recipients.clear();
        },
        "CFDI40999",
        "trustedExporterNumber"
    ),
    row!(
        exported,
        |d| trade(d).trusted_exporter_number = text("1|2"),
        "301",
        "trustedExporterNumber"
    ),
    row!(exported, |d| trade(d).incoterm = text("DAT"), "301", "incoterm"),
    row!(exported, |d| trade(d).remarks = Some("x".repeat(301)), "301", "remarks"),
    row!(exported, |d| trade(d).usd_rate = amount("0"), "CFDI40999", "usdRate"),
    row!(exported, |d| trade(d).usd_rate = amount("-18"), "301", "usdRate"),
    // Who sends, owns and receives.
    row!(by_a_person, |d| trade(d).issuer.curp = None, "CFDI40999", "issuer.curp"),
    row!(by_a_person, |d| trade(d).issuer.curp = text("CACX760510"), "301", "issuer.curp"),
    row!(
        exported,
        |d| trade(d).issuer.curp = text("CACX760510MGTSHC04"),
        "CFDI40999",
        "issuer.curp"
    ),
    row!(moved, |d| trade(d).owners.clear(), "CFDI40999", "owners"),
    row!(exported, |d| trade(d).owners = trade(&mut moved()).owners.clone(), "CFDI40999", "owners"),
    row!(
        moved,
        |d| trade(d).owners[0].tax_residence = "XXX".to_owned(),
        "301",
        "owners[0].taxResidence"
    ),
    row!(
        moved,
        |d| trade(d).owners[0].foreign_tax_id = "12-3456789".to_owned(),
        "CFDI40999",
        "owners[0].foreignTaxId"
    ),
    row!(
        moved,
        |d| trade(d).owners[0].foreign_tax_id = "12345".to_owned(),
        "301",
        "owners[0].foreignTaxId"
    ),
    row!(
        moved,
        |d| trade(d).owners[0].tax_residence = "MEX".to_owned(),
        "301",
        "owners[0].foreignTaxId"
    ),
    row!(exported, |d| trade(d).receiver = None, "CFDI40999", "receiver.address"),
    row!(exported, |d| buyer(d).address = None, "CFDI40999", "receiver.address"),
    row!(
        exported,
        |d| buyer(d).foreign_tax_id = text("1234567890"),
        "CFDI40999",
        "receiver.foreignTaxId"
    ),
    row!(
        moved,
        |d| {
            let [recipient] = trade(d).recipients.clone().try_into().unwrap();
            trade(d).recipients.push(recipient);
        },
        "CFDI40999",
        "recipients"
    ),
    row!(exported, |d| trade(d).recipients[0].name = text(""), "301", "recipients[0].name"),
    row!(
        exported,
        |d| trade(d).recipients[0].foreign_tax_id = text("DE123"),
        "301",
        "recipients[0].foreignTaxId"
    ),
    row!(exported, |d| trade(d).recipients[0].addresses.clear(), "301", "recipients[0].addresses"),
    row!(
        exported,
        |d| trade(d).recipients[0].addresses[0].country = "GER".to_owned(),
        "301",
        "recipients[0].addresses[0].country"
    ),
    // Addresses.
    row!(exported, |d| sender(d).country = "USA".to_owned(), "CFDI40999", "issuer.address.country"),
    row!(exported, |d| sender(d).street = None, "301", "issuer.address.street"),
    row!(
        exported,
        |d| sender(d).exterior_number = text("1|2"),
        "301",
        "issuer.address.exteriorNumber"
    ),
    row!(
        exported,
        |d| sender(d).interior_number = Some("x".repeat(56)),
        "301",
        "issuer.address.interiorNumber"
    ),
    row!(exported, |d| sender(d).reference = text(" "), "301", "issuer.address.reference"),
    row!(exported, |d| sender(d).state = "TX".to_owned(), "CFDI40999", "issuer.address.state"),
    row!(
        exported,
        |d| sender(d).neighborhood = text("Juárez"),
        "CFDI40999",
        "issuer.address.neighborhood"
    ),
    row!(
        exported,
        |d| sender(d).municipality = text("999"),
        "CFDI40999",
        "issuer.address.municipality"
    ),
    row!(exported, |d| sender(d).locality = text("99"), "CFDI40999", "issuer.address.locality"),
    row!(
        exported,
        |d| sender(d).municipality = text("002"),
        "CFDI40999",
        "issuer.address.municipality"
    ),
    row!(exported, |d| sender(d).locality = text("05"), "CFDI40999", "issuer.address.locality"),
    row!(exported, |d| sender(d).zip = "64000".to_owned(), "CFDI40999", "issuer.address.zip"),
    row!(exported, |d| sender(d).zip = "6600".to_owned(), "CFDI40999", "issuer.address.zip"),
    row!(exported, |d| home(d).state = "Texas".to_owned(), "CFDI40999", "receiver.address.state"),
    row!(exported, |d| home(d).state = "x".repeat(31), "301", "receiver.address.state"),
    row!(
        exported,
        |d| home(d).neighborhood = Some("x".repeat(121)),
        "301",
        "receiver.address.neighborhood"
    ),
    row!(exported, |d| home(d).zip = "7700".to_owned(), "CFDI40999", "receiver.address.zip"),
    row!(exported, |d| home(d).zip.clear(), "301", "receiver.address.zip"),
    // Goods.
    row!(exported, |d| trade(d).goods.clear(), "301", "goods"),
    row!(exported, |d| trade(d).goods = vec![goods("LAP-01", "1"); 5_001], "301", "goods"),
    row!(exported, |d| good(d).sku = "LAP-02".to_owned(), "CFDI40999", "goods[0].sku"),
    row!(exported, |d| good(d).sku.clear(), "301", "goods[0].sku"),
    row!(
        exported_in_two_kinds,
        |d| good(d).tariff_code = text("8471410100"),
        "CFDI40999",
        "goods[1]"
    ),
    row!(exported, |d| good(d).tariff_code = None, "CFDI40999", "goods[0].tariffCode"),
    row!(exported, |d| good(d).tariff_code = text("84713001"), "301", "goods[0].tariffCode"),
    row!(
        with_service,
        |d| trade(d).goods[1].tariff_code = text("8471300199"),
        "CFDI40999",
        "goods[1].tariffCode"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_quantity = None,
        "CFDI40999",
        "goods[0].customsQuantity"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_unit = None,
        "CFDI40999",
        "goods[0].customsUnit"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_unit_price = None,
        "CFDI40999",
        "goods[0].customsUnitPrice"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_quantity = Some(amount("1.2505")),
        "301",
        "goods[0].customsQuantity"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_quantity = Some(amount("0")),
        "301",
        "goods[0].customsQuantity"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_unit = text("H87"),
        "301",
        "goods[0].customsUnit"
    ),
    row!(
        exported_in_two_kinds,
        |d| good(d).customs_unit_price = Some(amount("0")),
        "CFDI40999",
        "goods[0].customsUnitPrice"
    ),
    row!(
        exported,
        |d| d.items[0].quantity = amount("2.5001"),
        "CFDI40999",
        "goods[0].customsQuantity"
    ),
    row!(exported, |d| d.items[0].unit = text("Pieza"), "CFDI40999", "goods[0].customsUnit"),
    row!(exported, |d| detail(d).brand.clear(), "301", "goods[0].details[0].brand"),
    row!(exported, |d| detail(d).model = text(""), "301", "goods[0].details[0].model"),
    row!(exported, |d| detail(d).submodel = text("|"), "301", "goods[0].details[0].submodel"),
    row!(
        exported,
        |d| detail(d).serial_number = Some("1".repeat(41)),
        "301",
        "goods[0].details[0].serialNumber"
    ),
    // What they are worth.
    row!(exported, |d| good(d).usd_value = amount("49.97501"), "301", "goods[0].usdValue"),
    row!(exported, |d| good(d).usd_value = amount("-1"), "301", "goods[0].usdValue"),
    row!(exported, |d| good(d).usd_value = amount("49.99"), "CFDI40999", "goods[0].usdValue"),
    row!(by_a_person, |d| good(d).usd_value = amount("49.975"), "CFDI40999", "goods[0].usdValue"),
    row!(
        exported_in_two_kinds,
        |d| good(d).usd_value = amount("30"),
        "CFDI40999",
        "goods[0].usdValue"
    ),
    // One too many of them, each being worth what it should.
    row!(
        exported_in_two_kinds,
        |d| {
            let more = TradedGoods { tariff_code: text("8471490100"), ..good(d).clone() };
            trade(d).goods.push(more);
        },
        "CFDI40999",
        "goods[0].usdValue"
    ),
    row!(
        samples_given_away,
        |d| d.items[0].discount = Some(amount("40")),
        "CFDI40999",
        "goods[0].usdValue"
    ),
];

fn somebody() -> ThirdParty {
    ThirdParty {
        rfc: "JUFA7608212V6".to_owned(),
        legal_name: "ADRIANA JUAREZ FERNANDEZ".to_owned(),
        tax_regime: "612".to_owned(),
        tax_zip: "29133".to_owned(),
    }
}

fn donation() -> Donation {
    Donation {
        authorization_number: "600-04-2019-1234".to_owned(),
        authorized_on: time::macros::date!(2019 - 01 - 31),
        legend: "Este comprobante ampara un donativo".to_owned(),
    }
}

#[test]
fn what_was_sold_before_is_moved_with_its_invoice() {
    let mut document = moved();
    let trade = trade(&mut document);
    trade.transfer_reason = text("01");
    trade.owners.clear();
    let invoices = Relation { relation: "05".to_owned(), uuids: vec![UUID.to_owned()] };
    document.related = vec![invoices];
    assert_valid(&document);
}

#[test]
fn trusted_exporters_send_to_the_european_union() {
    let mut document = exported();
    trade(&mut document).trusted_exporter_number = text("MX/1234/2026");
    assert_valid(&document);
}

#[test]
fn goods_may_have_a_token_value() {
    let mut document = exported();
    good(&mut document).usd_value = amount("1");
    assert_valid(&document);
}

#[test]
fn an_element_of_too_many_goods_is_one_finding() {
    let mut document = exported();
    trade(&mut document).goods = vec![goods("LAP-01", "1"); 5_001];
    let fields: Vec<_> = check(&document, now()).into_iter().map(|one| one.field).collect();
    assert_eq!(fields, ["complements.foreignTrade.goods"]);
}
