//! Ships, planes and trains, and the stations they call at.

use super::*;

pub(super) const ROWS: &[Row] = &[
    (own, |d| carta(d).road = None, "CFDI40999", "complements.cartaPorte.road"),
    (own, |d| carta(d).rail = by_rail().rail, "CFDI40999", "complements.cartaPorte.road"),
    (
        own,
        |d| from(d).station = by_air().locations[0].station.clone(),
        "CFDI40999",
        "complements.cartaPorte.locations[0].station",
    ),
    (
        at_sea,
        |d| carta(d).figures = national().figures,
        "CFDI40999",
        "complements.cartaPorte.figures",
    ),
    (
        at_sea,
        |d| carta(d).locations[1].distance_km = Some(amount("1")),
        "CFDI40999",
        "complements.cartaPorte.locations[1].distanceKm",
    ),
    (
        on_rails,
        |d| carta(d).locations[1].distance_km = None,
        "CFDI40999",
        "complements.cartaPorte.locations[1].distanceKm",
    ),
    (
        at_sea,
        |d| from(d).station = None,
        "CFDI40999",
        "complements.cartaPorte.locations[0].station",
    ),
    (
        at_sea,
        |d| from(d).address = None,
        "CFDI40999",
        "complements.cartaPorte.locations[0].address",
    ),
    (
        at_sea,
        |d| station(d).station_type = text("02"),
        "CFDI40999",
        "complements.cartaPorte.locations[0].address",
    ),
    (
        at_sea,
        |d| station(d).station_type = None,
        "CFDI40999",
        "complements.cartaPorte.locations[0].station.stationType",
    ),
    (
        at_sea,
        |d| station(d).station_type = text("04"),
        "301",
        "complements.cartaPorte.locations[0].station.stationType",
    ),
    (
        at_sea,
        |d| station(d).code = "PM999".to_owned(),
        "301",
        "complements.cartaPorte.locations[0].station.code",
    ),
    (
        at_sea,
        |d| station(d).code = "EA0001".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.locations[0].station.code",
    ),
    (
        at_sea,
        |d| station(d).name = text("a|b"),
        "301",
        "complements.cartaPorte.locations[0].station.name",
    ),
    (
        at_sea,
        |d| station(d).navigation = None,
        "CFDI40999",
        "complements.cartaPorte.locations[0].station.navigation",
    ),
    (
        flying,
        |d| station(d).navigation = Some(Navigation::HighSeas),
        "CFDI40999",
        "complements.cartaPorte.locations[0].station.navigation",
    ),
    (
        at_sea,
        |d| carta(d).goods.appraisal_charge = Some(amount("1")),
        "CFDI40999",
        "complements.cartaPorte.goods.appraisalCharge",
    ),
    (
        flying,
        |d| carta(d).goods.appraisal_charge = Some(amount("-1")),
        "301",
        "complements.cartaPorte.goods.appraisalCharge",
    ),
    (flying, |d| goods(d).value = None, "CFDI40999", "complements.cartaPorte.goods.items[0].value"),
    (
        flying,
        |d| goods(d).stcc = text("357123"),
        "CFDI40999",
        "complements.cartaPorte.goods.items[0].stcc",
    ),
    (
        on_rails,
        |d| goods(d).stcc = text("35712"),
        "301",
        "complements.cartaPorte.goods.items[0].stcc",
    ),
    (
        at_sea,
        |d| goods(d).weights = None,
        "CFDI40999",
        "complements.cartaPorte.goods.items[0].weights",
    ),
    (
        at_sea,
        |d| weights(d).unit = "X".to_owned(),
        "301",
        "complements.cartaPorte.goods.items[0].weights.unit",
    ),
    (
        at_sea,
        |d| weights(d).gross = amount("4.2501"),
        "301",
        "complements.cartaPorte.goods.items[0].weights.gross",
    ),
    (
        at_sea,
        |d| weights(d).net = amount("4.25"),
        "301",
        "complements.cartaPorte.goods.items[0].weights.net",
    ),
    (
        at_sea,
        |d| weights(d).pieces = Some(0),
        "301",
        "complements.cartaPorte.goods.items[0].weights.pieces",
    ),
    (
        at_sea,
        |d| sea(d).permit_type = text("TPTA01"),
        "CFDI40999",
        "complements.cartaPorte.sea.permitType",
    ),
    (at_sea, |d| sea(d).permit_type = text("X"), "301", "complements.cartaPorte.sea.permitType"),
    (
        at_sea,
        |d| sea(d).permit_number = None,
        "CFDI40999",
        "complements.cartaPorte.sea.permitNumber",
    ),
    (
        at_sea,
        |d| sea(d).permit_number = Some("x".repeat(31)),
        "301",
        "complements.cartaPorte.sea.permitNumber",
    ),
    (
        at_sea,
        |d| sea(d).insurance.as_mut().unwrap().number.clear(),
        "301",
        "complements.cartaPorte.sea.insurance.number",
    ),
    (at_sea, |d| sea(d).cargo_type.clear(), "301", "complements.cartaPorte.sea.cargoType"),
    (
        at_sea,
        |d| sea(d).shipping_line = text("AB"),
        "301",
        "complements.cartaPorte.sea.shippingLine",
    ),
    (at_sea, |d| sea(d).agent_name.clear(), "301", "complements.cartaPorte.sea.agentName"),
    (
        at_sea,
        |d| sea(d).agent_authorization = "ANC001".to_owned(),
        "301",
        "complements.cartaPorte.sea.agentAuthorization",
    ),
    (
        at_sea,
        |d| sea(d).voyage_number = Some("x".repeat(31)),
        "301",
        "complements.cartaPorte.sea.voyageNumber",
    ),
    (
        at_sea,
        |d| sea(d).bill_of_lading = text(""),
        "301",
        "complements.cartaPorte.sea.billOfLading",
    ),
    (
        at_sea,
        |d| sea(d).temporary_permit = Some("x".repeat(20)),
        "301",
        "complements.cartaPorte.sea.temporaryPermit",
    ),
    (at_sea, |d| ship(d).kind = "B16".to_owned(), "301", "complements.cartaPorte.sea.ship.type"),
    (
        at_sea,
        |d| ship(d).registration = "MAT-01".to_owned(),
        "301",
        "complements.cartaPorte.sea.ship.registration",
    ),
    (
        at_sea,
        |d| ship(d).imo_number = "1234567".to_owned(),
        "301",
        "complements.cartaPorte.sea.ship.imoNumber",
    ),
    (at_sea, |d| ship(d).year = Some(1899), "301", "complements.cartaPorte.sea.ship.year"),
    (
        at_sea,
        |d| ship(d).name = Some("x".repeat(51)),
        "301",
        "complements.cartaPorte.sea.ship.name",
    ),
    (at_sea, |d| ship(d).flag = "MX".to_owned(), "301", "complements.cartaPorte.sea.ship.flag"),
    (
        at_sea,
        |d| ship(d).gross_tonnage = amount("0"),
        "301",
        "complements.cartaPorte.sea.ship.grossTonnage",
    ),
    (
        at_sea,
        |d| ship(d).depth = Some(amount("0.001")),
        "301",
        "complements.cartaPorte.sea.ship.depth",
    ),
    (
        at_sea,
        |d| sea(d).containers = vec![sea(d).containers[0].clone(); 5_001],
        "301",
        "complements.cartaPorte.sea.containers",
    ),
    (
        at_sea,
        |d| sea(d).containers[0].kind = "CM013".to_owned(),
        "301",
        "complements.cartaPorte.sea.containers[0].type",
    ),
    (
        at_sea,
        |d| sea(d).containers[0].kind = "CM011".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.sea.containers[0].truck",
    ),
    (
        at_sea,
        |d| sea(d).containers[1].kind = "CM005".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.sea.containers[1].truck",
    ),
    (
        at_sea,
        |d| sea(d).containers[0].registration = text("ABCU"),
        "301",
        "complements.cartaPorte.sea.containers[0].registration",
    ),
    (
        at_sea,
        |d| sea(d).containers[0].seal = text("1234"),
        "301",
        "complements.cartaPorte.sea.containers[0].seal",
    ),
    (
        at_sea,
        |d| ferried(d).carta_porte_id = "5FB2822E-396D-4725-8521-CDC4BDD20CCF".to_owned(),
        "301",
        "complements.cartaPorte.sea.containers[1].truck.cartaPorteId",
    ),
    (
        at_sea,
        |d| ferried(d).stamped_at = datetime!(2009-12-31 23:59:59),
        "301",
        "complements.cartaPorte.sea.containers[1].truck.stampedAt",
    ),
    (
        at_sea,
        |d| ferried(d).plate = "ABC-12".to_owned(),
        "301",
        "complements.cartaPorte.sea.containers[1].truck.plate",
    ),
    (
        at_sea,
        |d| ferried(d).trailers[0].subtype.clear(),
        "301",
        "complements.cartaPorte.sea.containers[1].truck.trailers[0].subtype",
    ),
    (
        flying,
        |d| air(d).permit_type = "TPAF01".to_owned(),
        "CFDI40999",
        "complements.cartaPorte.air.permitType",
    ),
    (flying, |d| air(d).permit_number.clear(), "301", "complements.cartaPorte.air.permitNumber"),
    (
        flying,
        |d| air(d).aircraft_registration = text("xa-abc"),
        "301",
        "complements.cartaPorte.air.aircraftRegistration",
    ),
    (
        flying,
        |d| air(d).insurance.as_mut().unwrap().insurer.clear(),
        "301",
        "complements.cartaPorte.air.insurance.insurer",
    ),
    (
        flying,
        |d| air(d).waybill_number = "139-1234567".to_owned(),
        "301",
        "complements.cartaPorte.air.waybillNumber",
    ),
    (
        flying,
        |d| air(d).contract_place = Some("x".repeat(121)),
        "301",
        "complements.cartaPorte.air.contractPlace",
    ),
    (flying, |d| air(d).carrier = "XX".to_owned(), "301", "complements.cartaPorte.air.carrier"),
    (
        flying,
        |d| air(d).shipper.as_mut().unwrap().rfc.clear(),
        "301",
        "complements.cartaPorte.air.shipper.rfc",
    ),
    (
        flying,
        |d| air(d).shipper.as_mut().unwrap().foreign_tax_id = None,
        "CFDI40999",
        "complements.cartaPorte.air.shipper.foreignTaxId",
    ),
    (on_rails, |d| rail(d).service.clear(), "301", "complements.cartaPorte.rail.service"),
    (on_rails, |d| rail(d).traffic.clear(), "301", "complements.cartaPorte.rail.traffic"),
    (
        on_rails,
        |d| rail(d).insurance.as_mut().unwrap().number.clear(),
        "301",
        "complements.cartaPorte.rail.insurance.number",
    ),
    (
        on_rails,
        |d| rail(d).track_rights[0].kind.clear(),
        "301",
        "complements.cartaPorte.rail.trackRights[0].type",
    ),
    (
        on_rails,
        |d| rail(d).track_rights[0].paid_km = amount("0"),
        "301",
        "complements.cartaPorte.rail.trackRights[0].paidKm",
    ),
    (on_rails, |d| rail(d).cars.clear(), "301", "complements.cartaPorte.rail.cars"),
    (
        on_rails,
        |d| car(d).kind = "TC12".to_owned(),
        "301",
        "complements.cartaPorte.rail.cars[0].type",
    ),
    (
        on_rails,
        |d| car(d).registration = "12345".to_owned(),
        "301",
        "complements.cartaPorte.rail.cars[0].registration",
    ),
    (
        on_rails,
        |d| car(d).waybill_number.clear(),
        "301",
        "complements.cartaPorte.rail.cars[0].waybillNumber",
    ),
    (
        on_rails,
        |d| car(d).net_tons = amount("0"),
        "301",
        "complements.cartaPorte.rail.cars[0].netTons",
    ),
    (
        on_rails,
        |d| car(d).containers[0].kind = "TC06".to_owned(),
        "301",
        "complements.cartaPorte.rail.cars[0].containers[0].type",
    ),
    (
        on_rails,
        |d| car(d).containers[0].empty_weight_kg = amount("0"),
        "301",
        "complements.cartaPorte.rail.cars[0].containers[0].emptyWeightKg",
    ),
    (
        on_rails,
        |d| car(d).containers[0].net_weight_kg = amount("0.0001"),
        "301",
        "complements.cartaPorte.rail.cars[0].containers[0].netWeightKg",
    ),
];

fn at_sea() -> Document {
    with(transfer(), by_sea())
}

fn flying() -> Document {
    with(transfer(), by_air())
}

fn on_rails() -> Document {
    with(invoice(), by_rail())
}

fn from(document: &mut Document) -> &mut Location {
    &mut carta(document).locations[0]
}

fn station(document: &mut Document) -> &mut Station {
    from(document).station.as_mut().unwrap()
}

fn goods(document: &mut Document) -> &mut GoodsItem {
    &mut carta(document).goods.items[0]
}

fn weights(document: &mut Document) -> &mut WeightDetails {
    goods(document).weights.as_mut().unwrap()
}

fn sea(document: &mut Document) -> &mut SeaTransport {
    carta(document).sea.as_mut().unwrap()
}

fn ship(document: &mut Document) -> &mut Ship {
    &mut sea(document).ship
}

fn ferried(document: &mut Document) -> &mut FerriedTruck {
    sea(document).containers[1].truck.as_mut().unwrap()
}

fn air(document: &mut Document) -> &mut AirTransport {
    carta(document).air.as_mut().unwrap()
}

fn rail(document: &mut Document) -> &mut RailTransport {
    carta(document).rail.as_mut().unwrap()
}

fn car(document: &mut Document) -> &mut RailCar {
    &mut rail(document).cars[0]
}

#[test]
fn stations_abroad_may_be_unknown() {
    let mut document = at_sea();
    carta(&mut document).locations[0] =
        Location { station: None, distance_km: None, ..international().locations[0].clone() };
    assert_valid(&document);
}
