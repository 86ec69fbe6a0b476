//! Goods that leave the country, and goods on the road.

use cfdi::complements::{
    Address, CartaPorte, CertificateOfOrigin, Complements, ForeignTrade, GoodsDetails, Owner,
    Recipient, TradeIssuer, TradeReceiver, TradedGoods,
    carta_porte::{
        CustomsDocument, Direction, Figure, Goods, GoodsItem, GoodsValue, Guide, HealthControl,
        Insurance, International, Isthmus, Location, LocationKind, Policy, Portion, RoadTransport,
        Trailer, Vehicle,
    },
};
use cfdi::document::{Document, DocumentType};
use kernel::{Amount, Currency};
use time::macros::date;

use super::samples::{self, cents, units};

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn address() -> Address {
    Address {
        street: some("Paseo de la Reforma"),
        exterior_number: some("10"),
        interior_number: some("B"),
        neighborhood: some("0347"),
        locality: some("06"),
        reference: some("Junto al parque"),
        municipality: some("015"),
        state: "CMX".to_owned(),
        country: "MEX".to_owned(),
        zip: "06600".to_owned(),
    }
}

/// An invoice of goods that are exported.
pub(crate) fn export() -> Document {
    let goods = |index: i64| TradedGoods {
        sku: format!("AGU-{index}"),
        tariff_code: some("0804400100"),
        customs_quantity: Some(units(40)),
        customs_unit: some("01"),
        customs_unit_price: Some(cents(2_500)),
        usd_value: units(1_000),
        details: vec![GoodsDetails {
            brand: "Hass".to_owned(),
            model: some("48"),
            submodel: some("Premium"),
            serial_number: some("L-7"),
        }],
    };
    let trade = ForeignTrade {
        transfer_reason: some("05"),
        certificate_of_origin: Some(CertificateOfOrigin { number: some("CO-778") }),
        trusted_exporter_number: some("MX-EXP-1"),
        incoterm: some("FOB"),
        remarks: some("Producto perecedero"),
        usd_rate: Amount::from_micros(18_765_400),
        issuer: TradeIssuer { curp: some("CACX760510MGTSHC04"), address: address() },
        owners: vec![Owner { foreign_tax_id: "123".to_owned(), tax_residence: "USA".to_owned() }],
        receiver: Some(TradeReceiver {
            foreign_tax_id: some("121585958"),
            address: Some(address()),
        }),
        recipients: vec![Recipient {
            foreign_tax_id: None,
            name: some("Contoso"),
            addresses: vec![address()],
        }],
        goods: (0..12).map(goods).collect(),
    };
    let complements = Complements { foreign_trade: Some(Box::new(trade)), ..Default::default() };
    Document { complements, ..samples::foreign() }
}

/// Goods that cross the border on a truck.
pub(crate) fn journey() -> Document {
    let place = |kind, code: &str, hour: &str| Location {
        kind,
        code: some(code),
        rfc: "EKU9003173C9".to_owned(),
        name: some("ESCUELA KEMPER URGATE"),
        foreign_tax_id: some("121585958"),
        tax_residence: some("USA"),
        station: None,
        at: samples::moment(hour),
        distance_km: (kind == LocationKind::Destination).then(|| cents(90_550)),
        address: Some(address()),
    };
    let policy = |number: &str| Policy { insurer: "Seguros".to_owned(), number: number.to_owned() };
    let carta = CartaPorte {
        id: some("5FB2822E-396D-4725-8521-CDC4BDD20CCF"),
        international: Some(International {
            direction: Direction::Exit,
            country: "USA".to_owned(),
            via: "01".to_owned(),
            customs_regimes: vec!["EXD".to_owned()],
        }),
        isthmus: Some(Isthmus { origin: "01".to_owned(), destination: "05".to_owned() }),
        locations: vec![
            place(LocationKind::Origin, "OR000001", "2026-08-14T08:00:00"),
            place(LocationKind::Destination, "DE000001", "2026-08-15T09:30:00"),
        ],
        goods: Goods {
            gross_weight: Some(cents(123_450)),
            weight_unit: "KGM".to_owned(),
            appraisal_charge: None,
            reverse_logistics: true,
            items: (0..8).map(|_| goods()).collect(),
        },
        road: Some(RoadTransport {
            permit_type: "TPAF01".to_owned(),
            permit_number: "PERM-1".to_owned(),
            vehicle: Vehicle {
                configuration: "T3S2R4".to_owned(),
                gross_weight_tons: units(31),
                plate: "ABC1234".to_owned(),
                model_year: 2024,
            },
            insurance: Insurance {
                liability: policy("POL-1"),
                environment: Some(policy("AMB-1")),
                cargo: Some(policy("CAR-1")),
                premium: Some(cents(125_050)),
            },
            trailers: vec![Trailer { subtype: "CTR028".to_owned(), plate: "1AB2C3".to_owned() }],
        }),
        sea: None,
        air: None,
        rail: None,
        figures: vec![Figure {
            figure_type: "01".to_owned(),
            rfc: some("CACX7605101P8"),
            license: some("A123456"),
            name: "XOCHILT CASAS CHAVEZ".to_owned(),
            foreign_tax_id: None,
            tax_residence: None,
            parts: vec!["PT01".to_owned(), "PT02".to_owned()],
            address: Some(address()),
        }],
    };
    let complements = Complements { carta_porte: Some(Box::new(carta)), ..Default::default() };
    let mut document = Document { complements, ..samples::transfer() };
    document.kind = DocumentType::Transfer;
    document
}

fn goods() -> GoodsItem {
    GoodsItem {
        sat_product_key: "15101505".to_owned(),
        stcc: None,
        description: "Gasolina regular menor a 91 octanos".to_owned(),
        quantity: units(20_000),
        sat_unit_key: "LTR".to_owned(),
        unit: some("Litro"),
        dimensions: some("30/40/30cm"),
        hazardous: Some(true),
        hazardous_material: some("1203"),
        packaging: some("Z01"),
        packaging_description: some("Autotanque"),
        health: Some(HealthControl {
            sector: "04".to_owned(),
            cas_number: some("8006-61-9"),
            expires_on: Some(date!(2027 - 01 - 31)),
            ..Default::default()
        }),
        weight_kg: units(15_000),
        value: Some(GoodsValue { amount: units(400_000), currency: Currency::MXN }),
        tariff_code: some("2710120800"),
        foreign_trade_uuid: some("3F2504E0-4F89-41D3-9A0C-0305E82C3301"),
        material_type: some("05"),
        material_description: some("Combustible"),
        customs_documents: vec![CustomsDocument {
            document_type: "01".to_owned(),
            pedimento: some("15  48  3009  0001234"),
            identifier: None,
            importer_rfc: some("EKU9003173C9"),
        }],
        guides: vec![Guide {
            number: "1234567890".to_owned(),
            description: "Bidón".to_owned(),
            weight_kg: units(20),
        }],
        portions: vec![Portion {
            quantity: units(20_000),
            origin: "OR000001".to_owned(),
            destination: "DE000001".to_owned(),
        }],
        weights: None,
    }
}
