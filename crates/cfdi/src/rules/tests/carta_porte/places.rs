//! Where goods are picked up and delivered.

use super::*;

pub(super) const ROWS: &[Row] = &[
    (own, |d| carta(d).locations.clear(), "CFDI40999", "complements.cartaPorte.locations"),
    (own, |d| drop(carta(d).locations.pop()), "CFDI40999", "complements.cartaPorte.locations"),
    (
        own,
        |d| carta(d).locations = vec![carta(d).locations[1].clone(); 5_001],
        "301",
        "complements.cartaPorte.locations",
    ),
    (
        own,
        |d| carta(d).locations[0].kind = LocationKind::Destination,
        "CFDI40999",
        "complements.cartaPorte.locations",
    ),
    (
        own,
        |d| {
            to(d).distance_km = Some(amount("50000"));
            let again = to(d).clone();
            carta(d).locations.push(again);
        },
        "301",
        "complements.cartaPorte.locations",
    ),
    (own, |d| from(d).code = text("DE000001"), "301", "complements.cartaPorte.locations[0].code"),
    (own, |d| from(d).code = text("OR00001"), "301", "complements.cartaPorte.locations[0].code"),
    (own, |d| from(d).rfc = "X".to_owned(), "301", "complements.cartaPorte.locations[0].rfc"),
    (own, |d| from(d).name = text("A|B"), "301", "complements.cartaPorte.locations[0].name"),
    (
        own,
        |d| from(d).name = Some("x".repeat(255)),
        "301",
        "complements.cartaPorte.locations[0].name",
    ),
    (
        own,
        |d| from(d).foreign_tax_id = text("123456789"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].foreignTaxId",
    ),
    (
        own,
        |d| from(d).tax_residence = text("USA"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].taxResidence",
    ),
    (
        imported,
        |d| from(d).foreign_tax_id = None,
        "CFDI40999",
        "complements.cartaPorte.locations[0].foreignTaxId",
    ),
    (
        imported,
        |d| from(d).foreign_tax_id = text("12345"),
        "301",
        "complements.cartaPorte.locations[0].foreignTaxId",
    ),
    (
        imported,
        |d| from(d).foreign_tax_id = text("12-3456789"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].foreignTaxId",
    ),
    (
        imported,
        |d| from(d).tax_residence = None,
        "CFDI40999",
        "complements.cartaPorte.locations[0].taxResidence",
    ),
    (
        imported,
        |d| from(d).tax_residence = text("MEX"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].taxResidence",
    ),
    (
        imported,
        |d| from(d).tax_residence = text("US"),
        "301",
        "complements.cartaPorte.locations[0].taxResidence",
    ),
    (
        own,
        |d| from(d).at = datetime!(2009-12-31 23:59:59),
        "301",
        "complements.cartaPorte.locations[0].at",
    ),
    (
        own,
        |d| from(d).distance_km = Some(amount("1")),
        "CFDI40999",
        "complements.cartaPorte.locations[0].distanceKm",
    ),
    (
        own,
        |d| to(d).distance_km = None,
        "CFDI40999",
        "complements.cartaPorte.locations[1].distanceKm",
    ),
    (
        own,
        |d| to(d).distance_km = Some(amount("0.009")),
        "301",
        "complements.cartaPorte.locations[1].distanceKm",
    ),
    (
        own,
        |d| to(d).distance_km = Some(amount("99999.01")),
        "301",
        "complements.cartaPorte.locations[1].distanceKm",
    ),
    (own, |d| to(d).address = None, "CFDI40999", "complements.cartaPorte.locations[1].address"),
    (
        own,
        |d| address(d).street = Some("x".repeat(101)),
        "301",
        "complements.cartaPorte.locations[0].address.street",
    ),
    (
        own,
        |d| address(d).exterior_number = text(""),
        "301",
        "complements.cartaPorte.locations[0].address.exteriorNumber",
    ),
    (
        own,
        |d| address(d).interior_number = Some("x".repeat(56)),
        "301",
        "complements.cartaPorte.locations[0].address.interiorNumber",
    ),
    (
        own,
        |d| address(d).reference = Some("x".repeat(251)),
        "301",
        "complements.cartaPorte.locations[0].address.reference",
    ),
    (
        own,
        |d| address(d).neighborhood = text("Juárez"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.neighborhood",
    ),
    (
        own,
        |d| address(d).locality = text("99"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.locality",
    ),
    (
        own,
        |d| address(d).locality = text("01"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.locality",
    ),
    (
        own,
        |d| address(d).municipality = text("999"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.municipality",
    ),
    (
        own,
        |d| address(d).municipality = text("016"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.municipality",
    ),
    (
        own,
        |d| address(d).state = "TX".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.state",
    ),
    (own, |d| address(d).state.clear(), "301", "complements.cartaPorte.locations[0].address.state"),
    (
        imported,
        |d| address(d).state = "NLE".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.state",
    ),
    (
        own,
        |d| address(d).country = "MX".to_owned(),
        "301",
        "complements.cartaPorte.locations[0].address.country",
    ),
    (
        own,
        |d| address(d).zip = "64000".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.zip",
    ),
    (
        own,
        |d| address(d).zip = "1".repeat(13),
        "301",
        "complements.cartaPorte.locations[0].address.zip",
    ),
    (
        imported,
        |d| address(d).zip = "7804".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address.zip",
    ),
];

fn from(document: &mut Document) -> &mut Location {
    &mut carta(document).locations[0]
}

fn to(document: &mut Document) -> &mut Location {
    &mut carta(document).locations[1]
}

fn address(document: &mut Document) -> &mut Address {
    from(document).address.as_mut().unwrap()
}

#[test]
fn states_are_free_where_no_catalog_has_them() {
    let mut document = imported();
    let address = address(&mut document);
    "DEU".clone_into(&mut address.country);
    "Bayern".clone_into(&mut address.state);
    "D-80331".clone_into(&mut address.zip);
    assert_valid(&document);
}
