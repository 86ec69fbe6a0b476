//! Documents of nonsense, which must be judged all the same.

use kernel::{Amount, Timestamp};
use proptest::prelude::*;
use time::{Date, PrimitiveDateTime, Time};

use super::{assert_readable, check, samples};
use crate::{
    document::{Document, Item},
    payments::Payment,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

fn amounts() -> impl Strategy<Value = Amount> {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    prop_oneof![
        any::<i64>().prop_map(Amount::from_micros),
        prop::sample::select(ends.map(Amount::from_micros).to_vec()),
        (-Amount::MAX.micros()..=Amount::MAX.micros()).prop_map(Amount::from_micros),
        (0..100_000_000_i64).prop_map(Amount::from_micros),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[0-9]{0,8}",
        "[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3}",
        prop::sample::select(vec!["01", "02", "06", "07", "99", "XAXX010101000", "XEXX010101000"])
            .prop_map(str::to_owned),
    ]
}

fn taxes() -> impl Strategy<Value = ItemTax> {
    let tax = prop::sample::select(vec![Tax::Isr, Tax::Iva, Tax::Ieps]);
    let factor = prop::sample::select(vec![Factor::Tasa, Factor::Cuota, Factor::Exento]);
    (tax, factor, amounts(), any::<bool>(), amounts(), amounts()).prop_map(
        |(tax, factor, rate, withheld, base, amount)| ItemTax {
            rate: TaxRate { tax, factor, rate, withheld },
            base,
            amount,
        },
    )
}

fn moments() -> impl Strategy<Value = PrimitiveDateTime> {
    prop_oneof![
        Just(PrimitiveDateTime::MIN),
        Just(PrimitiveDateTime::MAX),
        (1900..2200, 1..365_u16).prop_map(|(year, day)| {
            PrimitiveDateTime::new(Date::from_ordinal_date(year, day).unwrap(), Time::MIDNIGHT)
        }),
    ]
}

prop_compose! {
    fn item()(
        texts in prop::array::uniform8(words()),
        amounts in prop::array::uniform4(amounts()),
        discounted in any::<bool>(),
        taxes in prop::collection::vec(taxes(), 0..3),
    ) -> Item {
        let [sat_product_key, sku, sat_unit_key, unit, description, tax_object, customs, account] =
            texts;
        let [quantity, unit_price, amount, discount] = amounts;
        Item {
            sat_product_key,
            sku: Some(sku),
            quantity,
            sat_unit_key,
            unit: Some(unit),
            description,
            unit_price,
            amount,
            discount: discounted.then_some(discount),
            tax_object,
            taxes,
            third_party: None,
            customs: vec![customs],
            property_accounts: vec![account],
        }
    }
}

prop_compose! {
    fn payment()(
        form in words(),
        paid_at in moments(),
        amounts in prop::array::uniform4(amounts()),
        taxes in prop::collection::vec(taxes(), 0..3),
        abroad in any::<bool>(),
        installment in any::<u32>(),
        object in words(),
    ) -> Payment {
        let sample = if abroad { samples::receipt_in_dollars() } else { samples::receipt() };
        let mut payment = sample.payments[0].clone();
        let [amount, rate, before, paid] = amounts;
        (payment.payment_form, payment.paid_at, payment.amount) = (form, paid_at, amount);
        payment.exchange_rate = Some(rate);
        let document = &mut payment.documents[0];
        (document.balance_before, document.amount, document.taxes) = (before, paid, taxes);
        (document.installment, document.tax_object) = (installment, object);
        payment
    }
}

prop_compose! {
    fn documents()(
        sample in prop::sample::select(samples::ALL.to_vec()),
        texts in prop::array::uniform16(words()),
        issued_at in moments(),
        rate in amounts(),
        items in prop::collection::vec(item(), 0..4),
        payments in prop::collection::vec(payment(), 0..3),
        year in any::<u16>(),
        mixed in any::<bool>(),
    ) -> Document {
        let mut document = sample();
        let [
            series, folio, form, terms, export, place, confirmation, rfc, name, regime, to, called,
            zip, status, used, country,
        ] = texts;
        document.series = Some(series);
        document.folio = Some(folio);
        document.payment_form = Some(form);
        document.payment_terms = Some(terms);
        document.export = export;
        document.place_of_issue = place;
        document.confirmation = Some(confirmation);
        document.issued_at = issued_at;
        document.exchange_rate = Some(rate);
        document.issuer.rfc = rfc;
        document.issuer.legal_name = name;
        document.issuer.tax_regime = regime;
        document.receiver.rfc = to;
        document.receiver.legal_name = called;
        document.receiver.tax_zip = zip;
        document.receiver.tax_regime = status;
        document.receiver.cfdi_use = used;
        document.receiver.tax_residence = Some(country.clone());
        document.receiver.foreign_tax_id = Some(country);
        if let Some(global) = &mut document.global {
            global.year = year;
        }
        if mixed {
            document.items = items;
            document.payments = payments;
        }
        document
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn nonsense_is_judged(document in documents(), now in any::<i64>()) {
        let findings = check(&document, Timestamp::from_micros(now));
        prop_assert!(!findings.is_empty());
        for finding in &findings {
            let english = finding.message(super::Language::English);
            let spanish = finding.message(super::Language::Spanish);
            prop_assert!(english.starts_with(&finding.field) && spanish.starts_with(&finding.field));
            prop_assert_ne!(english, spanish);
        }
    }
}

#[test]
fn long_values_are_quoted_by_their_beginning() {
    let mut document = samples::invoice();
    document.receiver.tax_zip = "9".repeat(1_000_000);
    let [finding] = check(&document, super::now()).try_into().unwrap();
    assert_readable(&finding);
    assert!(finding.message(super::Language::English).len() < 400);
}
