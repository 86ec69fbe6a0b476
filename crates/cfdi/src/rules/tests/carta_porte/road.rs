//! The truck and who takes part.

use super::*;

pub(super) const ROWS: &[Row] = &[
    (
        own,
        |d| road(d).permit_type = "X".to_owned(),
        "301",
        "complements.cartaPorte.road.permitType",
    ),
    (
        own,
        |d| road(d).permit_type = "TPTA01".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.road.permitType",
    ),
    (own, |d| road(d).permit_number.clear(), "301", "complements.cartaPorte.road.permitNumber"),
    (
        own,
        |d| road(d).vehicle.configuration = "OTROEV".to_owned(),
        "301",
        "complements.cartaPorte.road.vehicle.configuration",
    ),
    (
        own,
        |d| road(d).vehicle.gross_weight_tons = amount("0"),
        "301",
        "complements.cartaPorte.road.vehicle.grossWeightTons",
    ),
    (
        own,
        |d| road(d).vehicle.gross_weight_tons = amount("1.001"),
        "301",
        "complements.cartaPorte.road.vehicle.grossWeightTons",
    ),
    (
        own,
        |d| road(d).vehicle.plate = "ABC-12".to_owned(),
        "301",
        "complements.cartaPorte.road.vehicle.plate",
    ),
    (
        own,
        |d| road(d).vehicle.plate = "ABCD".to_owned(),
        "301",
        "complements.cartaPorte.road.vehicle.plate",
    ),
    (
        own,
        |d| road(d).vehicle.model_year = 2100,
        "301",
        "complements.cartaPorte.road.vehicle.modelYear",
    ),
    (
        own,
        |d| road(d).vehicle.configuration = "T3S2".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.road.trailers",
    ),
    (
        imported,
        |d| road(d).vehicle.configuration = "C2".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.road.trailers",
    ),
    (
        imported,
        |d| road(d).trailers = vec![road(d).trailers[0].clone(); 3],
        "301",
        "complements.cartaPorte.road.trailers",
    ),
    (
        imported,
        |d| road(d).trailers[1].subtype = "CTR030".to_owned(),
        "301",
        "complements.cartaPorte.road.trailers[1].subtype",
    ),
    (
        imported,
        |d| road(d).trailers[0].plate = "A B C D".to_owned(),
        "301",
        "complements.cartaPorte.road.trailers[0].plate",
    ),
    (
        own,
        |d| insurance(d).liability.insurer = "AB".to_owned(),
        "301",
        "complements.cartaPorte.road.insurance.liability.insurer",
    ),
    (
        own,
        |d| insurance(d).liability.number = "1".repeat(31),
        "301",
        "complements.cartaPorte.road.insurance.liability.number",
    ),
    (
        imported,
        |d| insurance(d).environment = None,
        "CFDI40999",
        "complements.cartaPorte.road.insurance.environment",
    ),
    (
        imported,
        |d| insurance(d).environment.as_mut().unwrap().number.clear(),
        "301",
        "complements.cartaPorte.road.insurance.environment.number",
    ),
    (
        imported,
        |d| insurance(d).cargo.as_mut().unwrap().insurer.clear(),
        "301",
        "complements.cartaPorte.road.insurance.cargo.insurer",
    ),
    (
        imported,
        |d| insurance(d).premium = Some(amount("-0.01")),
        "301",
        "complements.cartaPorte.road.insurance.premium",
    ),
    (own, |d| carta(d).figures.clear(), "CFDI40999", "complements.cartaPorte.figures"),
    (
        own,
        |d| carta(d).figures = vec![first(d).clone(); 5_001],
        "301",
        "complements.cartaPorte.figures",
    ),
    (
        own,
        |d| first(d).figure_type = "04".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.figures",
    ),
    (
        own,
        |d| first(d).figure_type = "06".to_owned(),
        "301",
        "complements.cartaPorte.figures[0].figureType",
    ),
    (own, |d| first(d).rfc = None, "CFDI40999", "complements.cartaPorte.figures[0].rfc"),
    (own, |d| first(d).rfc = text("X"), "301", "complements.cartaPorte.figures[0].rfc"),
    (
        own,
        |d| first(d).foreign_tax_id = text("123456789"),
        "CFDI40999",
        "complements.cartaPorte.figures[0].foreignTaxId",
    ),
    (
        imported,
        |d| first(d).tax_residence = None,
        "CFDI40999",
        "complements.cartaPorte.figures[0].taxResidence",
    ),
    (own, |d| first(d).license = None, "CFDI40999", "complements.cartaPorte.figures[0].license"),
    (own, |d| first(d).license = text("12345"), "301", "complements.cartaPorte.figures[0].license"),
    (own, |d| first(d).name.clear(), "301", "complements.cartaPorte.figures[0].name"),
    (
        own,
        |d| first(d).figure_type = "02".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.figures[0].parts",
    ),
    (
        imported,
        |d| carta(d).figures[1].parts[1] = "PT99".to_owned(),
        "301",
        "complements.cartaPorte.figures[1].parts[1]",
    ),
    (
        own,
        |d| first(d).parts = vec!["PT01".to_owned(); 5_001],
        "301",
        "complements.cartaPorte.figures[0].parts",
    ),
    (
        imported,
        |d| first(d).address.as_mut().unwrap().zip.clear(),
        "301",
        "complements.cartaPorte.figures[0].address.zip",
    ),
];

fn road(document: &mut Document) -> &mut RoadTransport {
    carta(document).road.as_mut().unwrap()
}

fn insurance(document: &mut Document) -> &mut Insurance {
    &mut road(document).insurance
}

fn first(document: &mut Document) -> &mut Figure {
    &mut carta(document).figures[0]
}
