//! How fast invoices are made, beside the limit: bare RSA-2048 signatures with the same key.
//!
//! `cargo run --profile bench-release -p invoices --example speed`
//!
//! Every round measures each part in turn, so that a noisy machine disturbs all of them alike; what counts
//! are the ratios of one round.

#![allow(clippy::print_stdout, reason = "an example that prints what it measures")]

use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

use aws_lc_rs::{rand::SystemRandom, rsa, signature};
use cfdi::{
    complements::Complements,
    csd::Csd,
    document::{DocumentType, PaymentMethod, Receiver},
    emit, rules, seal,
    tax::TaxRate,
};
use invoices::{Draft, DraftItem, InvoiceId, Issuer, IssuerId, Series, build};
use kernel::{Amount, Currency, Metadata, Timestamp};

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn Error>> {
    let csd = Csd::open(
        include_bytes!("../../cfdi/fixtures/csd/EKU9003173C9.cer"),
        include_bytes!("../../cfdi/fixtures/csd/EKU9003173C9.key"),
        "12345678a",
    )?;
    let bare =
        rsa::KeyPair::from_pkcs8(&csd.private_key_der()).map_err(|error| error.to_string())?;
    let (issuer, draft) = (issuer(), draft());
    let now = Timestamp::parse("2026-11-21T12:00:00Z")?;
    let none = invoices::Debts::default();
    let document = build(&draft, &issuer, (InvoiceId::from_u128(1), Some(1)), &none, now)
        .map_err(|_| "not built")?;
    let findings = rules::check(&document, now);
    if !findings.is_empty() {
        return Err(format!("the rules refuse the invoice: {findings:?}").into());
    }
    let number = csd.certificate().number().to_owned();
    println!("a 2-item invoice, per second (and as a share of bare signatures):");
    for _ in 0..ROUNDS {
        let limit = rate(|| sign(&bare, emit::cadena(black_box(&document), &number).as_bytes()));
        let signed = rate(|| sign(&bare, b"a message"));
        let sealed = rate(|| seal::seal(black_box(&document), &csd).is_ok());
        let whole = rate(|| {
            let document =
                build(black_box(&draft), &issuer, (InvoiceId::from_u128(1), Some(1)), &none, now);
            document.is_ok_and(|document| {
                rules::check(&document, now).is_empty() && seal::seal(&document, &csd).is_ok()
            })
        });
        let checked = rate(|| rules::check(black_box(&document), now).is_empty());
        println!(
            "bare {signed:>6.0}  cadena and signature {limit:>6.0} ({:.2})  seal {sealed:>6.0} ({:.2})  \
             build, validate and seal {whole:>6.0} ({:.2})  validate alone {checked:>8.0}",
            limit / signed,
            sealed / signed,
            whole / signed,
        );
    }
    Ok(())
}

/// How often a second it is done.
fn rate(mut work: impl FnMut() -> bool) -> f64 {
    let (begun, mut times) = (Instant::now(), 0u32);
    while begun.elapsed() < ROUND {
        assert!(work(), "what is measured works");
        times += 1;
    }
    f64::from(times) / begun.elapsed().as_secs_f64()
}

fn sign(key: &rsa::KeyPair, message: &[u8]) -> bool {
    let mut out = vec![0; key.public_modulus_len()];
    key.sign(&signature::RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut out).is_ok()
}

fn issuer() -> Issuer {
    let at = Timestamp::from_micros(0);
    Issuer {
        id: IssuerId::from_u128(1),
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
        created_at: at,
        updated_at: at,
        version: 1,
    }
}

fn draft() -> Draft {
    Draft {
        kind: DocumentType::Income,
        issuer: None,
        branch: None,
        series: "F".to_owned(),
        issued_at: None,
        customer: None,
        orders: Vec::new(),
        receiver: Receiver {
            rfc: "CACX7605101P8".to_owned(),
            legal_name: "XOCHILT CASAS CHAVEZ".to_owned(),
            tax_zip: "36257".to_owned(),
            tax_regime: "612".to_owned(),
            cfdi_use: "G03".to_owned(),
            tax_residence: None,
            foreign_tax_id: None,
        },
        items: vec![item("Café de olla", 11_800), item("Papel higiénico, 4 rollos", 3_750)],
        local_taxes: Vec::new(),
        payments: Vec::new(),
        payment_form: Some("01".to_owned()),
        payment_method: Some(PaymentMethod::Pue),
        payment_terms: None,
        currency: Currency::MXN,
        exchange_rate: None,
        export: "01".to_owned(),
        place_of_issue: None,
        confirmation: None,
        global: None,
        related: Vec::new(),
        complements: Complements::default(),
        notes: None,
        metadata: Metadata::default(),
        payment: None,
        refund: None,
        goods: None,
        cancelled_order: None,
    }
}

fn item(description: &str, centavos: i64) -> DraftItem {
    DraftItem {
        product: None,
        sat_product_key: "50201706".to_owned(),
        sku: None,
        sat_unit_key: "H87".to_owned(),
        unit: None,
        description: description.to_owned(),
        quantity: Amount::from_micros(2_000_000),
        unit_price: Amount::from_micros(centavos * 10_000),
        tax_included: true,
        discount: None,
        tax_object: None,
        taxes: vec![TaxRate::iva(160_000)],
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    }
}
