//! Which complement a code needs, and what is in it.

use kernel::Amount;

use super::{Row, assert_valid, check_withholding, now};
use crate::withholding::{
    Beneficiary, Distribution, Dividends, ForeignPayment, Interest, NonBeneficiary, Prize,
    Remainder, ShareSale, TrustLease, Withholding,
    samples::{
        abroad, amount, dividends, fees, fees_abroad, interest, prize, share_sale, text,
        trust_lease,
    },
};

pub(super) const ROWS: &[Row] = &[
    (fees, |w| w.code = "14".to_owned(), "Reten20107", "complements.dividends"),
    (fees, |w| w.code = "16".to_owned(), "Reten20107", "complements.interest"),
    (fees, |w| w.code = "26".to_owned(), "Reten20107", "complements.platformServices"),
    (fees, |w| w.code = "22".to_owned(), "Reten20107", "code"),
    (fees_abroad, |w| w.code = "22".to_owned(), "Reten20107", "code"),
    (dividends, |w| w.code = "01".to_owned(), "Reten20107", "complements.dividends"),
    (
        fees_abroad,
        |w| w.complements.foreign_payment = None,
        "Reten20107",
        "complements.foreignPayment",
    ),
    (abroad, to_somebody_here, "Reten20107", "complements.foreignPayment"),
    (dividends, |w| shared(w).distribution = None, "CFDI40999", "complements.dividends"),
    (
        dividends,
        |w| distribution(w).kind = "07".to_owned(),
        "301",
        "complements.dividends.distribution.kind",
    ),
    (
        dividends,
        |w| distribution(w).creditable_isr = Some(amount("-1")),
        "CFDI40999",
        "complements.dividends.distribution.creditableIsr",
    ),
    (
        dividends,
        |w| shared(w).remainder = Some(Remainder { percentage: Some(amount("100.01")) }),
        "CFDI40999",
        "complements.dividends.remainder.percentage",
    ),
    (interest, |w| earned(w).nominal = amount("-1"), "CFDI40999", "complements.interest.nominal"),
    (
        interest,
        |w| earned(w).real = Amount::from_micros(i64::MIN),
        "301",
        "complements.interest.real",
    ),
    (interest, |w| earned(w).loss = amount("-1"), "CFDI40999", "complements.interest.loss"),
    (
        abroad,
        |w| elsewhere(w).tax_residence = "USA".to_owned(),
        "301",
        "complements.foreignPayment.nonBeneficiary.taxResidence",
    ),
    (
        abroad,
        |w| elsewhere(w).tax_residence = "MX".to_owned(),
        "CFDI40999",
        "complements.foreignPayment.nonBeneficiary.taxResidence",
    ),
    (
        abroad,
        |w| elsewhere(w).payee = "01".to_owned(),
        "301",
        "complements.foreignPayment.nonBeneficiary.payee",
    ),
    (
        abroad,
        |w| elsewhere(w).description.clear(),
        "301",
        "complements.foreignPayment.nonBeneficiary.description",
    ),
    (
        fees_abroad,
        |w| represented(w).rfc = "1".to_owned(),
        "301",
        "complements.foreignPayment.beneficiary.rfc",
    ),
    (
        fees_abroad,
        |w| represented(w).curp = "1".to_owned(),
        "301",
        "complements.foreignPayment.beneficiary.curp",
    ),
    (
        fees_abroad,
        |w| represented(w).legal_name = " A".to_owned(),
        "301",
        "complements.foreignPayment.beneficiary.legalName",
    ),
    (
        fees_abroad,
        |w| represented(w).description = "x".repeat(256),
        "301",
        "complements.foreignPayment.beneficiary.description",
    ),
    (
        trust_lease,
        |w| lease(w).deductions = amount("-1"),
        "CFDI40999",
        "complements.trustLease.deductions",
    ),
    (
        trust_lease,
        |w| lease(w).other_description = text(""),
        "301",
        "complements.trustLease.otherDescription",
    ),
    (share_sale, |w| sale(w).contract.clear(), "301", "complements.shareSale.contract"),
    (share_sale, |w| sale(w).gain = amount("-1"), "CFDI40999", "complements.shareSale.gain"),
    (prize, |w| won(w).state = "33".to_owned(), "301", "complements.prize.state"),
    (prize, |w| won(w).taxed = amount("1000.01"), "CFDI40999", "complements.prize.paid"),
    (prize, |w| won(w).exempt = amount("-1"), "CFDI40999", "complements.prize.exempt"),
];

fn to_somebody_here(withholding: &mut Withholding) {
    withholding.receiver = fees().receiver;
    withholding.code = "03".to_owned();
}

fn shared(withholding: &mut Withholding) -> &mut Dividends {
    let dividends = withholding.complements.dividends.as_mut().unwrap();
    dividends.remainder = None;
    dividends
}

fn distribution(withholding: &mut Withholding) -> &mut Distribution {
    shared(withholding).distribution.as_mut().unwrap()
}

fn earned(withholding: &mut Withholding) -> &mut Interest {
    withholding.complements.interest.as_mut().unwrap()
}

fn elsewhere(withholding: &mut Withholding) -> &mut NonBeneficiary {
    match &mut withholding.complements.foreign_payment {
        Some(ForeignPayment::NonBeneficiary(other)) => other,
        _ => panic!("benefits"),
    }
}

fn represented(withholding: &mut Withholding) -> &mut Beneficiary {
    match &mut withholding.complements.foreign_payment {
        Some(ForeignPayment::Beneficiary(beneficiary)) => beneficiary,
        _ => panic!("does not benefit"),
    }
}

fn lease(withholding: &mut Withholding) -> &mut TrustLease {
    withholding.complements.trust_lease.as_mut().unwrap()
}

fn sale(withholding: &mut Withholding) -> &mut ShareSale {
    withholding.complements.share_sale.as_mut().unwrap()
}

fn won(withholding: &mut Withholding) -> &mut Prize {
    withholding.complements.prize.as_mut().unwrap()
}

#[test]
fn whoever_is_paid_abroad_may_be_told_of_beside_any_complement() {
    let mut withholding = dividends();
    withholding.receiver = abroad().receiver;
    assert_valid(&withholding);
    withholding.complements.foreign_payment = abroad().complements.foreign_payment;
    assert_valid(&withholding);
}

#[test]
fn what_is_not_supported_is_said_to_be_so() {
    for code in ["21", "22", "23", "24"] {
        let mut withholding = fees();
        code.clone_into(&mut withholding.code);
        let [finding] = check_withholding(&withholding, now()).try_into().unwrap();
        let message = finding.message(crate::rules::Language::English);
        assert!(message.contains("is not supported"), "{message}");
    }
    let mut withholding = fees();
    "27".clone_into(&mut withholding.code);
    assert_valid(&withholding);
}
