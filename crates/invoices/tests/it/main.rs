//! The rules of invoices, without a database.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests fail at the line that is wrong"
)]

mod abandoning;
mod attaching;
mod building;
mod cancelling;
mod choosing;
mod crediting;
mod credits;
mod drafting;
mod emailing;
mod exporting;
mod finding;
mod issuing;
mod making;
mod owing;
mod refunding;
mod reserving;
mod returning;
mod samples;
mod settling;
mod stamping;
mod withholding;

use std::collections::HashMap;

use cfdi::{document::DocumentType, tax::TaxRate};
use invoices::{
    CustomerId, Draft, Holders, Issuer, IssuerId, Known, OrderId, ProductId, Series, build,
    known::{KnownCustomer, KnownProduct},
    provider::ProviderKind,
    sales::{SoldItem, SoldOrder},
};
use kernel::{Amount, Currency, FieldFault, Timestamp};

fn now() -> Timestamp {
    Timestamp::parse("2026-11-21T18:00:00Z").unwrap()
}

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn customer() -> CustomerId {
    CustomerId::from_u128(1)
}

fn order(number: u128) -> OrderId {
    OrderId::from_u128(number)
}

fn product(number: u128) -> ProductId {
    ProductId::from_u128(number)
}

fn issuer() -> Issuer {
    Issuer {
        id: IssuerId::from_u128(7),
        rfc: "EKU9003173C9".to_owned(),
        legal_name: "ESCUELA KEMPER URGATE".to_owned(),
        tax_regime: "601".to_owned(),
        tax_zip: "42501".to_owned(),
        series: Series::default(),
        default_taxes: vec![TaxRate::iva(160_000)],
        shipping_taxes: None,
        stamps_receipts: false,
        stamps_credit_notes: false,
        has_logo: false,
        is_default: true,
        created_at: now(),
        updated_at: now(),
        version: 1,
    }
}

/// An account with one customer that can be invoiced, and nothing else.
fn known() -> Known {
    let text = |text: &str| Some(text.to_owned());
    let person = KnownCustomer {
        rfc: text("CACX7605101P8"),
        legal_name: text("XOCHILT CASAS CHAVEZ"),
        tax_regime: text("612"),
        tax_zip: text("36257"),
        cfdi_use: text("G03"),
        tax_residence: None,
        foreign_tax_id: None,
    };
    Known {
        issuer: issuer(),
        issuers: vec![issuer()],
        former: None,
        branch: None,
        provider: Some(ProviderKind::Sandbox),
        customers: HashMap::from([(customer(), person)]),
        products: HashMap::new(),
        orders: HashMap::new(),
        paid: HashMap::new(),
        related: HashMap::new(),
        credited: HashMap::new(),
        holders: Holders::new(),
    }
}

fn taxed(taxes: Vec<TaxRate>) -> KnownProduct {
    KnownProduct {
        name: "Café".to_owned(),
        sku: "CAFE".to_owned(),
        price: amount("10"),
        currency: Currency::MXN,
        tax_included: true,
        sat_product_key: Some("50201706".to_owned()),
        sat_unit_key: Some("H87".to_owned()),
        unit: None,
        is_weighed: false,
        taxes,
    }
}

/// An order of so many pieces at a price in centavos, by product.
fn sold(lines: &[(u128, i64, i64)]) -> SoldOrder {
    let in_micros =
        lines.iter().map(|(number, quantity, centavos)| (*number, *quantity, centavos * 10_000));
    sold_at(&in_micros.collect::<Vec<_>>())
}

/// The same at a price in millionths.
fn sold_at(lines: &[(u128, i64, i64)]) -> SoldOrder {
    let item = |(number, quantity, micros): &(u128, i64, i64)| SoldItem {
        product: product(*number),
        name: "Café".to_owned(),
        sku: "CAFE".to_owned(),
        quantity: Amount::from_micros(quantity * 1_000_000),
        unit_price: Amount::from_micros(*micros),
        discount: Amount::ZERO,
        tax_included: true,
        taxes: None,
    };
    SoldOrder {
        number: "ORD-000001".to_owned(),
        customer: customer(),
        currency: Currency::MXN,
        is_cancelled: false,
        is_refunded: false,
        items: lines.iter().map(item).collect(),
        shipping: None,
        total: paid_at(lines),
        is_paid: true,
        withheld: Amount::ZERO,
        payment_form: None,
    }
}

/// What is paid for it: the sum, rounded once.
fn paid_at(lines: &[(u128, i64, i64)]) -> Amount {
    let sum = lines.iter().map(|(_, quantity, micros)| quantity * micros).sum();
    Amount::from_micros(sum).rounded(2)
}

fn fields_of(faults: &[FieldFault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.field.as_str()).collect()
}

fn document(draft: &Draft) -> cfdi::document::Document {
    assert_ne!(draft.kind, DocumentType::Payment, "receipts need what is owed");
    build(
        draft,
        &issuer(),
        (invoices::InvoiceId::from_u128(1), Some(1)),
        &invoices::Debts::default(),
        now(),
    )
    .unwrap()
}
