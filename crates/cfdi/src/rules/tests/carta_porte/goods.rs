//! What is transported.

use super::*;

/// The path of a field of the first goods.
macro_rules! field {
    ($field:literal) => {
        concat!("complements.cartaPorte.goods.items[0].", $field)
    };
}

pub(super) const ROWS: &[Row] = &[
    (own, |d| carta(d).goods.items.clear(), "301", "complements.cartaPorte.goods.items"),
    (
        own,
        |d| carta(d).goods.items = vec![first(d).clone(); 5_001],
        "301",
        "complements.cartaPorte.goods.items",
    ),
    (
        own,
        |d| carta(d).goods.weight_unit = "H87".to_owned(),
        "301",
        "complements.cartaPorte.goods.weightUnit",
    ),
    (
        own,
        |d| carta(d).goods.weight_unit = "TNE".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.goods.grossWeight",
    ),
    (
        own,
        |d| carta(d).goods.gross_weight = Some(amount("0")),
        "301",
        "complements.cartaPorte.goods.grossWeight",
    ),
    (
        own,
        |d| {
            first(d).weight_kg = amount("1000000000000");
            let again = first(d).clone();
            carta(d).goods.items.push(again);
        },
        "301",
        "complements.cartaPorte.goods.grossWeight",
    ),
    (own, |d| first(d).sat_product_key = "78101802".to_owned(), "301", field!("satProductKey")),
    (own, |d| first(d).description.clear(), "301", field!("description")),
    (own, |d| first(d).quantity = amount("0"), "301", field!("quantity")),
    (own, |d| first(d).sat_unit_key = "???".to_owned(), "301", field!("satUnitKey")),
    (own, |d| first(d).unit = Some("x".repeat(21)), "301", field!("unit")),
    (own, |d| first(d).dimensions = text("30/40cm"), "301", field!("dimensions")),
    (own, |d| first(d).dimensions = text("30/40/3000cm"), "301", field!("dimensions")),
    (own, |d| first(d).dimensions = text("30/40/30"), "301", field!("dimensions")),
    (own, |d| first(d).hazardous = Some(true), "CFDI40999", field!("hazardousMaterial")),
    (own, |d| first(d).hazardous = Some(true), "CFDI40999", field!("packaging")),
    (own, |d| first(d).packaging = text("1A1"), "CFDI40999", field!("packaging")),
    (imported, |d| first(d).hazardous = Some(false), "CFDI40999", field!("hazardousMaterial")),
    (imported, |d| first(d).hazardous_material = text("9999"), "301", field!("hazardousMaterial")),
    (imported, |d| first(d).packaging = text("9Z9"), "301", field!("packaging")),
    (
        imported,
        |d| first(d).packaging_description = text(""),
        "301",
        field!("packagingDescription"),
    ),
    (own, |d| first(d).weight_kg = amount("0.0009"), "301", field!("weightKg")),
    (own, |d| first(d).weight_kg = amount("1.0001"), "301", field!("weightKg")),
    (
        own,
        |d| first(d).value.as_mut().unwrap().amount = amount("-1"),
        "301",
        field!("value.amount"),
    ),
    (
        own,
        |d| first(d).value.as_mut().unwrap().currency = Currency::parse("BYN").unwrap(),
        "301",
        field!("value.currency"),
    ),
    (own, |d| first(d).tariff_code = text("99999998"), "301", field!("tariffCode")),
    (own, |d| first(d).foreign_trade_uuid = text("1"), "301", field!("foreignTradeUuid")),
    (imported, |d| first(d).material_type = None, "CFDI40999", field!("materialType")),
    (imported, |d| first(d).material_type = text("06"), "301", field!("materialType")),
    (imported, |d| first(d).material_type = text("05"), "CFDI40999", field!("materialDescription")),
    (own, |d| first(d).material_description = text("a  b"), "301", field!("materialDescription")),
    (imported, |d| first(d).customs_documents.clear(), "CFDI40999", field!("customsDocuments")),
    (
        imported,
        |d| first(d).customs_documents = vec![paper(d).clone(); 5_001],
        "301",
        field!("customsDocuments"),
    ),
    (
        imported,
        |d| paper(d).document_type = "21".to_owned(),
        "301",
        field!("customsDocuments[0].documentType"),
    ),
    (
        imported,
        |d| paper(d).document_type = "20".to_owned(),
        "CFDI40999",
        field!("customsDocuments[0].identifier"),
    ),
    (
        imported,
        |d| paper(d).document_type = "20".to_owned(),
        "CFDI40999",
        field!("customsDocuments[0].pedimento"),
    ),
    (
        imported,
        |d| paper(d).identifier = text("AV-1"),
        "CFDI40999",
        field!("customsDocuments[0].identifier"),
    ),
    (imported, |d| paper(d).identifier = text(""), "301", field!("customsDocuments[0].identifier")),
    (imported, |d| paper(d).pedimento = None, "CFDI40999", field!("customsDocuments[0].pedimento")),
    (
        imported,
        |d| paper(d).pedimento = text("15 48 3009 0001234"),
        "301",
        field!("customsDocuments[0].pedimento"),
    ),
    (
        imported,
        |d| paper(d).importer_rfc = None,
        "CFDI40999",
        field!("customsDocuments[0].importerRfc"),
    ),
    (
        imported,
        |d| paper(d).importer_rfc = text("X"),
        "301",
        field!("customsDocuments[0].importerRfc"),
    ),
    (own, |d| guide(d).number = "123456789".to_owned(), "301", field!("guides[0].number")),
    (own, |d| guide(d).number = "1".repeat(31), "301", field!("guides[0].number")),
    (own, |d| guide(d).description.clear(), "301", field!("guides[0].description")),
    (own, |d| guide(d).weight_kg = amount("0"), "301", field!("guides[0].weightKg")),
    (own, |d| first(d).guides = vec![guide(d).clone(); 5_001], "301", field!("guides")),
    (own, |d| portion(d).quantity = amount("-1"), "301", field!("portions[0].quantity")),
    (own, |d| portion(d).origin = "DE000001".to_owned(), "301", field!("portions[0].origin")),
    (own, |d| portion(d).origin = "OR000002".to_owned(), "CFDI40999", field!("portions[0].origin")),
    (
        own,
        |d| portion(d).destination = "DE000002".to_owned(),
        "CFDI40999",
        field!("portions[0].destination"),
    ),
    (own, |d| first(d).portions = vec![portion(d).clone(); 5_001], "301", field!("portions")),
    (imported, |d| health(d).sector = "06".to_owned(), "301", field!("health.sector")),
    (imported, |d| health(d).dosage_form = text("21"), "301", field!("health.dosageForm")),
    (
        imported,
        |d| health(d).special_conditions = text("05"),
        "301",
        field!("health.specialConditions"),
    ),
    (
        imported,
        |d| health(d).expires_on = Some(date!(2100 - 01 - 01)),
        "301",
        field!("health.expiresOn"),
    ),
    (imported, |d| health(d).expires_on = Some(Date::MIN), "301", field!("health.expiresOn")),
    (imported, |d| health(d).batch = text("12345678901"), "301", field!("health.batch")),
    (imported, |d| health(d).import_permit = text("1234567"), "301", field!("health.importPermit")),
    (
        imported,
        |d| health(d).authorized_use = Some("x".repeat(1001)),
        "301",
        field!("health.authorizedUse"),
    ),
];

fn first(document: &mut Document) -> &mut GoodsItem {
    &mut carta(document).goods.items[0]
}

fn paper(document: &mut Document) -> &mut CustomsDocument {
    &mut first(document).customs_documents[0]
}

fn guide(document: &mut Document) -> &mut Guide {
    &mut first(document).guides[0]
}

fn portion(document: &mut Document) -> &mut Portion {
    &mut first(document).portions[0]
}

fn health(document: &mut Document) -> &mut HealthControl {
    first(document).health.as_mut().unwrap()
}

#[test]
fn dimensions_are_in_centimeters_or_inches() {
    let mut document = own();
    for good in ["1/2/3cm", "100/200/300plg"] {
        first(&mut document).dimensions = text(good);
        assert_valid(&document);
    }
}
