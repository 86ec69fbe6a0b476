//! Builds, checks and seals an invoice without server, database or network.
//!
//! `cargo run -p cfdi --example seal_an_invoice`

#![allow(clippy::print_stdout, reason = "an example that prints what it makes")]

use std::error::Error;

use cfdi::{
    catalogs::postal_codes,
    complements::Complements,
    csd::Csd,
    document::{Document, DocumentType, Issuer, Item, PaymentMethod, Receiver},
    pricing::{self, Price},
    rules::{self, Language},
    seal::seal,
    tax::TaxRate,
    totals::Totals,
};
use kernel::{Amount, Currency, Timestamp};

fn main() -> Result<(), Box<dyn Error>> {
    // A certificate for trying out; a merchant's comes from the tax authority.
    let csd = Csd::open(
        include_bytes!("../fixtures/csd/EKU9003173C9.cer"),
        include_bytes!("../fixtures/csd/EKU9003173C9.key"),
        "12345678a",
    )?;
    let now = Timestamp::parse("2026-11-21T18:00:00Z")?;
    let document = invoice(now)?;

    let mut findings = rules::check(&document, now);
    findings.extend(rules::check_certificate(&document, csd.certificate(), now));
    for finding in &findings {
        println!("{}: {}", finding.code, finding.message(Language::English));
    }
    if !findings.is_empty() {
        return Err("the tax authority would refuse it".into());
    }

    let sealed = seal(&document, &csd)?;
    println!("total             {}", Totals::of(&document).total);
    println!("cadena original   {}", sealed.cadena);
    println!("XML to be stamped {}", sealed.xml);
    Ok(())
}

/// Two coffees at 58.00 each, IVA inside.
fn invoice(now: Timestamp) -> Result<Document, Box<dyn Error>> {
    let place_of_issue = "42501";
    let zone = postal_codes::find(place_of_issue).ok_or("no such postal code")?.zone();
    let (quantity, price) = (Amount::parse("2")?, Price::Gross(Amount::parse("58")?));
    let amounts = pricing::amounts(quantity, price, None, &[TaxRate::iva(160_000)]);
    let mut items = vec![Item {
        sat_product_key: "90101700".to_owned(),
        sku: None,
        quantity,
        sat_unit_key: "H87".to_owned(),
        unit: None,
        description: "Café de olla".to_owned(),
        unit_price: amounts.unit_price,
        amount: amounts.amount,
        discount: amounts.discount,
        tax_object: "02".to_owned(),
        taxes: amounts.taxes,
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }];
    // Whatever is rounded, the customer paid 116.00.
    pricing::settle(&mut items, Amount::parse("116")?, 2);
    Ok(Document {
        kind: DocumentType::Income,
        series: Some("F".to_owned()),
        folio: Some("1".to_owned()),
        issued_at: zone.local(now),
        payment_form: Some("01".to_owned()),
        payment_method: Some(PaymentMethod::Pue),
        payment_terms: None,
        currency: Some(Currency::MXN),
        exchange_rate: None,
        export: "01".to_owned(),
        place_of_issue: place_of_issue.to_owned(),
        confirmation: None,
        global: None,
        related: Vec::new(),
        issuer: Issuer {
            rfc: "EKU9003173C9".to_owned(),
            legal_name: "ESCUELA KEMPER URGATE".to_owned(),
            tax_regime: "601".to_owned(),
        },
        receiver: Receiver {
            rfc: "CACX7605101P8".to_owned(),
            legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
            tax_zip: "36257".to_owned(),
            tax_regime: "612".to_owned(),
            cfdi_use: "G03".to_owned(),
            tax_residence: None,
            foreign_tax_id: None,
        },
        items,
        local_taxes: Vec::new(),
        payments: Vec::new(),
        complements: Complements::default(),
    })
}
