//! Valid exports.

use crate::{
    complements::{
        Address, CertificateOfOrigin, Complements, ForeignTrade, GoodsDetails, Owner, Recipient,
        TradeIssuer, TradeReceiver, TradedGoods,
    },
    document::Document,
    rules::tests::samples::{self, UUID, amount, text},
};

/// An item that customs count as it is, sold abroad.
pub(in crate::rules::tests) fn exported() -> Document {
    let mut document = Document { export: "02".to_owned(), ..samples::abroad() };
    document.items[0].unit = text("06");
    let trade = ForeignTrade {
        transfer_reason: None,
        certificate_of_origin: Some(CertificateOfOrigin { number: text(UUID) }),
        trusted_exporter_number: None,
        incoterm: text("FOB"),
        remarks: text("Frágil"),
        usd_rate: amount("18.654321"),
        issuer: TradeIssuer { curp: None, address: in_mexico() },
        owners: Vec::new(),
        receiver: Some(TradeReceiver {
            foreign_tax_id: text("123456789"),
            address: Some(in_texas()),
        }),
        recipients: vec![Recipient {
            foreign_tax_id: None,
            name: text("Contoso GmbH"),
            addresses: vec![in_berlin()],
        }],
        goods: vec![goods("LAP-01", "49.975")],
    };
    document.complements =
        Complements { foreign_trade: Some(Box::new(trade)), ..Complements::default() };
    document
}

/// An item that customs count as goods of two kinds.
pub(in crate::rules::tests) fn exported_in_two_kinds() -> Document {
    let mut document = exported();
    document.items[0].unit = text("Caja");
    let counted = |tariff_code: &str, usd_value: &str| TradedGoods {
        tariff_code: text(tariff_code),
        customs_quantity: Some(amount("1.25")),
        customs_unit: text("06"),
        customs_unit_price: Some(amount("19.99")),
        ..goods("LAP-01", usd_value)
    };
    trade(&mut document).goods =
        vec![counted("8471300199", "24.99"), counted("8471410100", "24.985")];
    document
}

/// Samples, given away.
pub(super) fn samples_given_away() -> Document {
    let mut document = exported();
    document.items[0].discount = Some(amount("49.975"));
    document.items[0].taxes.clear();
    "04".clone_into(&mut document.items[0].tax_object);
    trade(&mut document).goods[0].tariff_code = text("9801000100");
    document
}

/// A service beside the goods.
pub(super) fn with_service() -> Document {
    let mut document = exported();
    let mut service = document.items[0].clone();
    (service.sku, service.unit) = (text("FLETE"), text("99"));
    document.items.push(service);
    let service = TradedGoods { tariff_code: None, ..goods("FLETE", "0") };
    trade(&mut document).goods.push(service);
    document
}

/// By a natural person, in pesos.
pub(super) fn by_a_person() -> Document {
    let mut document = exported();
    (document.currency, document.exchange_rate) = (samples::invoice().currency, None);
    document.confirmation = None;
    document.issuer.rfc = "CACX7605101P8".to_owned();
    document.issuer.legal_name = "XOCHILT CASAS CHAVEZ".to_owned();
    document.issuer.tax_regime = "612".to_owned();
    let trade = trade(&mut document);
    trade.issuer.curp = text("CACX760510MGTSHC04");
    trade.goods[0].usd_value = amount("2.679");
    document
}

/// Goods of others on their way abroad.
pub(in crate::rules::tests) fn moved() -> Document {
    let moved = samples::transfer();
    let mut document = Document {
        kind: moved.kind,
        payment_form: None,
        payment_method: None,
        payment_terms: None,
        currency: None,
        exchange_rate: None,
        confirmation: None,
        receiver: moved.receiver,
        items: moved.items,
        ..exported()
    };
    document.items[0].unit = text("06");
    let trade = trade(&mut document);
    trade.transfer_reason = text("05");
    trade.owners =
        vec![Owner { foreign_tax_id: "123456789".to_owned(), tax_residence: "USA".to_owned() }];
    trade.receiver = None;
    document
}

fn in_mexico() -> Address {
    Address {
        street: text("Paseo de la Reforma"),
        exterior_number: text("10"),
        interior_number: text("B"),
        neighborhood: text("0347"),
        locality: text("06"),
        reference: text("Junto al parque"),
        municipality: text("015"),
        state: "CMX".to_owned(),
        country: "MEX".to_owned(),
        zip: "06600".to_owned(),
    }
}

fn in_texas() -> Address {
    Address { neighborhood: text("Midtown"), ..place("TX", "USA", "77002-1234") }
}

fn in_berlin() -> Address {
    place("Berlin", "DEU", "10115")
}

fn place(state: &str, country: &str, zip: &str) -> Address {
    Address {
        street: text("Main"),
        exterior_number: None,
        interior_number: None,
        neighborhood: None,
        locality: None,
        reference: None,
        municipality: None,
        state: state.to_owned(),
        country: country.to_owned(),
        zip: zip.to_owned(),
    }
}

pub(super) fn goods(sku: &str, usd_value: &str) -> TradedGoods {
    let details = GoodsDetails {
        brand: "Fabrikam".to_owned(),
        model: text("F-14"),
        submodel: text("2026"),
        serial_number: text("SN-0001"),
    };
    TradedGoods {
        sku: sku.to_owned(),
        tariff_code: text("8471300199"),
        usd_value: amount(usd_value),
        details: vec![details],
        ..TradedGoods::default()
    }
}

pub(super) fn trade(document: &mut Document) -> &mut ForeignTrade {
    document.complements.foreign_trade.as_mut().unwrap()
}
