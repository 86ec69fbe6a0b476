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
            reverse_logistics: false,
            items: vec![laptops()],
        },
        road: truck(),
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
    "T3S2R4".clone_into(&mut carta.road.vehicle.configuration);
    carta.road.insurance.environment = Some(policy("Seguros del Ambiente", "AMB-1"));
    carta.road.insurance.cargo = Some(policy("Seguros de Carga", "CAR-1"));
    carta.road.insurance.premium = Some(amount("1250.5"));
    let trailer = |plate: &str| Trailer { subtype: "CTR028".to_owned(), plate: plate.to_owned() };
    carta.road.trailers = vec![trailer("1AB2C3"), trailer("9XYZ8")];
    carta.figures = vec![foreign_driver(), lessor()];
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
