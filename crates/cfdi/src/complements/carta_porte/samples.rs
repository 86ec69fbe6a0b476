//! Valid journeys, for tests.

use kernel::{Amount, Currency};
use time::macros::datetime;

use super::*;
use crate::complements::Address;

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Two laptops from Mexico City to Monterrey, in a truck without a trailer.
pub(crate) fn national() -> CartaPorte {
    CartaPorte {
        id: some("5FB2822E-396D-4725-8521-CDC4BDD20CCF"),
        international: None,
        isthmus: None,
        locations: vec![mexico_city(), monterrey()],
        goods: Goods {
            gross_weight: None,
            weight_unit: "KGM".to_owned(),
            appraisal_charge: None,
            reverse_logistics: false,
            items: vec![laptops()],
        },
        road: Some(truck()),
        sea: None,
        air: None,
        rail: None,
        figures: vec![driver()],
    }
}

/// Petrol from Texas to Monterrey, on two trailers, with all that can be stated.
pub(crate) fn international() -> CartaPorte {
    let mut carta = national();
    carta.international = Some(International {
        direction: Direction::Entry,
        country: "USA".to_owned(),
        via: "01".to_owned(),
        customs_regimes: vec!["IMD".to_owned(), "DFI".to_owned()],
    });
    carta.isthmus = Some(Isthmus { origin: "01".to_owned(), destination: "05".to_owned() });
    carta.locations = vec![laredo(), monterrey()];
    carta.goods.gross_weight = Some(amount("31.5"));
    "TNE".clone_into(&mut carta.goods.weight_unit);
    carta.goods.reverse_logistics = true;
    carta.goods.items = vec![petrol(), laptops_from_abroad()];
    let mut road = truck();
    "T3S2R4".clone_into(&mut road.vehicle.configuration);
    road.insurance.environment = Some(policy("Seguros del Ambiente", "AMB-1"));
    road.insurance.cargo = Some(policy("Seguros de Carga", "CAR-1"));
    road.insurance.premium = Some(amount("1250.5"));
    road.trailers = vec![trailer("1AB2C3"), trailer("9XYZ8")];
    carta.road = Some(road);
    carta.figures = vec![foreign_driver(), lessor()];
    carta
}

/// Laptops from Ensenada to Cozumel, in containers and in a truck on the ship.
pub(crate) fn by_sea() -> CartaPorte {
    let mut carta = by_station(["PM005", "PM121"]);
    for location in &mut carta.locations {
        location.distance_km = None;
        location.station.as_mut().unwrap().navigation = Some(Navigation::Coastal);
    }
    carta.goods.items[0].weights = Some(WeightDetails {
        unit: "KGM".to_owned(),
        gross: amount("4.25"),
        net: amount("4"),
        pieces: Some(2),
    });
    carta.sea = Some(SeaTransport {
        permit_type: some("TPTM01"),
        permit_number: some("SEMAR-1"),
        insurance: Some(policy("Seguros del Mar", "MAR-1")),
        ship: Ship {
            kind: "B04".to_owned(),
            registration: "MAT-0001".to_owned(),
            imo_number: "IMO1234567".to_owned(),
            year: Some(2004),
            name: some("Perla"),
            flag: "MEX".to_owned(),
            gross_tonnage: amount("5000.125"),
            length: Some(amount("600.5")),
            beam: Some(amount("90")),
            draft: Some(amount("30.25")),
            depth: Some(amount("45")),
        },
        cargo_type: "CGC".to_owned(),
        shipping_line: some("Naviera del Golfo"),
        agent_name: "Agencia Naviera".to_owned(),
        agent_authorization: "ANC001/2022".to_owned(),
        voyage_number: some("V-12"),
        bill_of_lading: some("BL-34"),
        temporary_permit: some("PTN-56"),
        containers: vec![
            ShipContainer {
                kind: "CM005".to_owned(),
                registration: some("ABCU1234560"),
                seal: some("SELLO1"),
                truck: None,
            },
            ShipContainer {
                kind: "CM011".to_owned(),
                registration: None,
                seal: None,
                truck: Some(FerriedTruck {
                    carta_porte_id: "CCC2822E-396D-4725-8521-CDC4BDD20CCF".to_owned(),
                    stamped_at: datetime!(2026-08-02 10:00:00),
                    plate: "501AA1".to_owned(),
                    trailers: vec![trailer("1AB2C3")],
                }),
            },
        ],
    });
    carta
}

/// Laptops from one airport to another.
pub(crate) fn by_air() -> CartaPorte {
    let mut carta = by_station(["EA0001", "EA0002"]);
    carta.locations[1].distance_km = None;
    carta.goods.appraisal_charge = Some(amount("150.5"));
    carta.air = Some(AirTransport {
        permit_type: "TPTA01".to_owned(),
        permit_number: "AFAC-1".to_owned(),
        aircraft_registration: some("XA-ABC"),
        insurance: Some(policy("Seguros del Aire", "AIR-1")),
        waybill_number: "139-12345675".to_owned(),
        contract_place: some("Ciudad de México"),
        carrier: "CA004".to_owned(),
        shipper: Some(Shipper {
            rfc: "XEXX010101000".to_owned(),
            name: some("Fabrikam, Inc."),
            foreign_tax_id: some("123456789"),
            tax_residence: some("USA"),
        }),
    });
    carta
}

/// Laptops on a train.
pub(crate) fn by_rail() -> CartaPorte {
    let mut carta = by_station(["B0027", "B0046"]);
    carta.goods.items[0].stcc = some("357123");
    carta.rail = Some(RailTransport {
        service: "TS02".to_owned(),
        traffic: "TT01".to_owned(),
        insurance: Some(policy("Seguros del Riel", "RIE-1")),
        track_rights: vec![TrackRight { kind: "CDP003".to_owned(), paid_km: amount("12.5") }],
        cars: vec![RailCar {
            kind: "TC05".to_owned(),
            registration: "TFM123456".to_owned(),
            waybill_number: "GUIA-1".to_owned(),
            net_tons: amount("0.004"),
            containers: vec![RailContainer {
                kind: "TC02".to_owned(),
                empty_weight_kg: amount("3800"),
                net_weight_kg: amount("4.25"),
            }],
        }],
    });
    carta
}

/// Laptops from one station to another, without what takes them there.
fn by_station(codes: [&str; 2]) -> CartaPorte {
    let mut carta = national();
    for (location, (code, station_type)) in
        carta.locations.iter_mut().zip(codes.into_iter().zip(["01", "03"]))
    {
        location.station = Some(Station {
            code: code.to_owned(),
            name: None,
            station_type: some(station_type),
            navigation: None,
        });
    }
    carta.road = None;
    carta.figures.clear();
    carta
}

fn mexico_city() -> Location {
    Location {
        kind: LocationKind::Origin,
        code: some("OR000001"),
        rfc: "EKU9003173C9".to_owned(),
        name: some("ESCUELA KEMPER URGATE"),
        foreign_tax_id: None,
        tax_residence: None,
        station: None,
        at: datetime!(2026-08-03 13:00:00),
        distance_km: None,
        address: Some(Address {
            street: some("Hamburgo"),
            exterior_number: some("12"),
            interior_number: some("3-B"),
            neighborhood: some("0347"),
            locality: some("06"),
            reference: some("Junto al parque"),
            municipality: some("015"),
            state: "CMX".to_owned(),
            country: "MEX".to_owned(),
            zip: "06600".to_owned(),
        }),
    }
}

fn monterrey() -> Location {
    Location {
        kind: LocationKind::Destination,
        code: some("DE000001"),
        rfc: "CACX7605101P8".to_owned(),
        name: None,
        at: datetime!(2026-08-04 09:30:00),
        distance_km: Some(amount("905.5")),
        address: Some(Address {
            street: None,
            exterior_number: None,
            interior_number: None,
            neighborhood: None,
            locality: None,
            reference: None,
            municipality: None,
            state: "NLE".to_owned(),
            country: "MEX".to_owned(),
            zip: "64000".to_owned(),
        }),
        ..mexico_city()
    }
}

fn laredo() -> Location {
    let address = Address {
        neighborhood: some("Downtown"),
        locality: some("Laredo"),
        municipality: some("Webb"),
        state: "TX".to_owned(),
        country: "USA".to_owned(),
        zip: "78040".to_owned(),
        ..mexico_city().address.unwrap()
    };
    Location {
        rfc: "XEXX010101000".to_owned(),
        name: some("Fabrikam, Inc."),
        foreign_tax_id: some("123456789"),
        tax_residence: some("USA"),
        address: Some(address),
        ..mexico_city()
    }
}

fn laptops() -> GoodsItem {
    GoodsItem {
        sat_product_key: "43211503".to_owned(),
        stcc: None,
        description: "Computadora portátil de 14\"".to_owned(),
        quantity: amount("2"),
        sat_unit_key: "H87".to_owned(),
        unit: some("Pieza"),
        dimensions: some("30/40/30cm"),
        hazardous: None,
        hazardous_material: None,
        packaging: None,
        packaging_description: None,
        health: None,
        weight_kg: amount("4.25"),
        value: Some(GoodsValue { amount: amount("25000"), currency: Currency::MXN }),
        tariff_code: None,
        foreign_trade_uuid: None,
        material_type: None,
        material_description: None,
        customs_documents: Vec::new(),
        guides: vec![Guide {
            number: "1234567890".to_owned(),
            description: "Computadoras".to_owned(),
            weight_kg: amount("4.25"),
        }],
        portions: vec![Portion {
            quantity: amount("2"),
            origin: "OR000001".to_owned(),
            destination: "DE000001".to_owned(),
        }],
        weights: None,
    }
}

fn laptops_from_abroad() -> GoodsItem {
    GoodsItem {
        hazardous: Some(false),
        tariff_code: some("8471300101"),
        foreign_trade_uuid: some("5FB2822E-396D-4725-8521-CDC4BDD20CCF"),
        material_type: some("05"),
        material_description: some("Usadas"),
        customs_documents: vec![CustomsDocument {
            document_type: "20".to_owned(),
            pedimento: None,
            identifier: some("AV-1"),
            importer_rfc: None,
        }],
        ..laptops()
    }
}

fn petrol() -> GoodsItem {
    GoodsItem {
        sat_product_key: "15101514".to_owned(),
        hazardous: Some(true),
        hazardous_material: some("1203"),
        packaging: some("1A1"),
        packaging_description: some("Bidones"),
        health: Some(HealthControl {
            sector: "04".to_owned(),
            chemical_name: some("Octano"),
            expires_on: Some(time::macros::date!(2027 - 01 - 31)),
            dosage_form: some("06"),
            special_conditions: some("04"),
            cas_number: some("111-65-9"),
            ..HealthControl::default()
        }),
        weight_kg: amount("30000.125"),
        material_type: some("03"),
        material_description: None,
        customs_documents: vec![CustomsDocument {
            document_type: "01".to_owned(),
            pedimento: some("15  48  3009  0001234"),
            identifier: None,
            importer_rfc: some("EKU9003173C9"),
        }],
        ..laptops_from_abroad()
    }
}

fn policy(insurer: &str, number: &str) -> Policy {
    Policy { insurer: insurer.to_owned(), number: number.to_owned() }
}

fn trailer(plate: &str) -> Trailer {
    Trailer { subtype: "CTR028".to_owned(), plate: plate.to_owned() }
}

fn truck() -> RoadTransport {
    RoadTransport {
        permit_type: "TPAF01".to_owned(),
        permit_number: "SICT-0001".to_owned(),
        vehicle: Vehicle {
            configuration: "C2".to_owned(),
            gross_weight_tons: amount("17.5"),
            plate: "501AA1".to_owned(),
            model_year: 2022,
        },
        insurance: Insurance {
            liability: policy("Seguros del Centro", "RC-123"),
            environment: None,
            cargo: None,
            premium: None,
        },
        trailers: Vec::new(),
    }
}

fn driver() -> Figure {
    Figure {
        figure_type: "01".to_owned(),
        rfc: some("CACX7605101P8"),
        license: some("LIC123456"),
        name: "XOCHILT CASAS CHAVEZ".to_owned(),
        foreign_tax_id: None,
        tax_residence: None,
        parts: Vec::new(),
        address: None,
    }
}

fn foreign_driver() -> Figure {
    Figure {
        rfc: None,
        foreign_tax_id: some("987654321"),
        tax_residence: some("USA"),
        address: laredo().address,
        ..driver()
    }
}

fn lessor() -> Figure {
    Figure {
        figure_type: "03".to_owned(),
        rfc: some("EKU9003173C9"),
        license: None,
        parts: vec!["PT03".to_owned(), "PT05".to_owned()],
        ..driver()
    }
}
