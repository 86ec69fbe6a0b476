//! Withholdings of nonsense, which must be judged, written and summed all the same.

use kernel::Timestamp;
use proptest::prelude::*;

use super::{
    super::absurd::{amounts, moments, words},
    check_withholding, samples,
};
use crate::{
    emit::Signature,
    rules::Language,
    tax::Tax,
    withholding::{
        Foreign, National, Period, Receiver, Totals, WithheldTax, Withholding,
        samples::{interest, platform, prize},
    },
};

fn receivers() -> impl Strategy<Value = Receiver> {
    let national = prop::array::uniform4(words()).prop_map(|[rfc, legal_name, curp, tax_zip]| {
        Receiver::National(National { rfc, legal_name, curp: Some(curp), tax_zip })
    });
    let foreign = prop::array::uniform2(words()).prop_map(|[id, legal_name]| {
        Receiver::Foreign(Foreign { foreign_tax_id: Some(id), legal_name })
    });
    prop_oneof![national, foreign]
}

fn taxes() -> impl Strategy<Value = WithheldTax> {
    let tax = prop::sample::select(vec![None, Some(Tax::Isr), Some(Tax::Iva), Some(Tax::Ieps)]);
    (tax, amounts(), amounts(), words()).prop_map(|(tax, base, amount, payment_kind)| WithheldTax {
        base: Some(base),
        tax,
        amount,
        payment_kind,
    })
}

prop_compose! {
    fn totals()(amounts in prop::array::uniform6(amounts())) -> Totals {
        let [operation, taxed, exempt, withheld, profit, isr] = amounts;
        let (bimonthly_profit, bimonthly_isr) = (Some(profit), Some(isr));
        Totals { operation, taxed, exempt, withheld, bimonthly_profit, bimonthly_isr }
    }
}

prop_compose! {
    fn withholdings()(
        sample in prop::sample::select(samples::ALL.to_vec()),
        texts in prop::array::uniform8(words()),
        issued_at in moments(),
        receiver in receivers(),
        totals in totals(),
        taxes in prop::collection::vec(taxes(), 0..3),
        months in any::<(u8, u8, u16)>(),
        others in prop::array::uniform8(amounts()),
    ) -> Withholding {
        let [folio, place, code, words, rfc, name, regime, state] = texts;
        let mut withholding = Withholding {
            folio: Some(folio),
            issued_at,
            place_of_issue: place,
            code,
            description: Some(words.clone()),
            receiver,
            period: Period { first_month: months.0, last_month: months.1, year: months.2 },
            totals,
            taxes,
            ..sample()
        };
        let issuer = &mut withholding.issuer;
        (issuer.rfc, issuer.legal_name, issuer.tax_regime) = (rfc, name, regime);
        let complements = &mut withholding.complements;
        let [nominal, real, paid, price, base, rate, amount, fee] = others;
        let mut earned = interest().complements.interest.unwrap();
        (earned.nominal, earned.real) = (nominal, real);
        complements.interest = Some(earned);
        let mut won = prize().complements.prize.unwrap();
        (won.state, won.paid) = (state, paid);
        complements.prize = Some(won);
        let mut sold = platform().complements.platform_services.unwrap();
        let first = &mut sold.services[0];
        (first.kind, first.helper_rfc, first.paid_on) = (words.clone(), Some(words), issued_at.date());
        first.price = price;
        let tax = first.tax.as_mut().unwrap();
        (tax.base, tax.rate, tax.amount) = (base, rate, amount);
        let cost = first.fee.as_mut().unwrap();
        (cost.base, cost.rate, cost.amount) = (Some(base), Some(rate), fee);
        complements.platform_services = Some(sold);
        withholding
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nonsense_is_judged(withholding in withholdings(), now in any::<i64>()) {
        let findings = check_withholding(&withholding, Timestamp::from_micros(now));
        prop_assert!(!findings.is_empty());
        for finding in &findings {
            let english = finding.message(Language::English);
            let spanish = finding.message(Language::Spanish);
            prop_assert!(english.starts_with(&finding.field) && spanish.starts_with(&finding.field));
            prop_assert_ne!(english, spanish);
        }
        prop_assert!(withholding.cadena("").starts_with("||2.0|"));
        let nobody = Signature { certificate_number: "", certificate: "", seal: "" };
        prop_assert!(withholding.xml(&nobody).ends_with("</retenciones:Retenciones>"));
    }
}
