//! The payment complement (Recepción de pagos 2.0): what was paid, and of which documents.

use std::{collections::BTreeMap, fmt, num::NonZeroU64};

use kernel::{Amount, Currency};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use crate::{
    decimal,
    document::local_time,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

/// One payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payment {
    /// When it was received, local time.
    #[serde(with = "local_time")]
    pub paid_at: PrimitiveDateTime,
    /// How, a code of c_FormaPago.
    pub payment_form: String,
    /// In what currency.
    pub currency: Currency,
    /// Pesos for one unit of its currency; none for pesos.
    pub exchange_rate: Option<Amount>,
    /// How much.
    pub amount: Amount,
    /// The bank's number of it.
    pub operation: Option<String>,
    /// The account it came from.
    pub payer_account: Option<BankAccount>,
    /// The account it went to.
    pub payee_account: Option<BankAccount>,
    /// What it pays.
    pub documents: Vec<PaidDocument>,
}

/// A bank account as a payment names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BankAccount {
    /// The bank's tax identifier.
    pub bank_rfc: Option<String>,
    /// The bank's name, for a foreign one.
    pub bank_name: Option<String>,
    /// The account's number.
    pub number: Option<String>,
}

/// The part of a payment that pays one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaidDocument {
    /// The document's fiscal folio.
    pub uuid: String,
    /// Its series.
    pub series: Option<String>,
    /// Its folio.
    pub folio: Option<String>,
    /// Its currency.
    pub currency: Currency,
    /// Units of the document's currency for one unit of the payment's.
    pub equivalence: Equivalence,
    /// The how manieth payment of the document it is, from 1.
    pub installment: u32,
    /// What was owed before, in the document's currency.
    pub balance_before: Amount,
    /// What is paid, in the document's currency.
    pub amount: Amount,
    /// Whether taxes apply, a code of c_ObjetoImp.
    pub tax_object: String,
    /// The document's taxes in proportion to what is paid.
    pub taxes: Vec<ItemTax>,
}

impl PaidDocument {
    /// What is owed after, in the document's currency.
    #[must_use]
    pub fn balance_after(&self) -> Amount {
        decimal::less(self.balance_before, self.amount)
    }

    /// The taxes of a document of `total` with those `sums`, in proportion to `paid`.
    #[must_use]
    pub fn proportional(sums: &[ItemTax], paid: Amount, total: Amount) -> Vec<ItemTax> {
        let part = |sum: &ItemTax| {
            let base = decimal::share(sum.base, paid, total);
            ItemTax { rate: sum.rate, base, amount: sum.rate.of(base) }
        };
        sums.iter().map(part).collect()
    }
}

/// Units of a document's currency for one unit of a payment's, to ten decimals (`EquivalenciaDR`); never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Equivalence(NonZeroU64);

impl Equivalence {
    const SCALE: u64 = 10_000_000_000;
    /// One for one: the currencies are the same.
    pub const ONE: Self = match NonZeroU64::new(Self::SCALE) {
        Some(one) => Self(one),
        None => Self(NonZeroU64::MIN),
    };

    /// The units of the document's currency per unit of the payment's, from the amount in each. Rounded up: what is paid
    /// of a document, divided by it, is then never more than its part of the payment, so that the parts never add up to
    /// more than `Monto`, even without the margin that SAT leaves for it (CRP20276).
    /// None when one of them is not above zero, or the quotient is beyond measure.
    #[must_use]
    pub fn of(document: Amount, payment: Amount) -> Option<Self> {
        if document.micros() <= 0 || payment.micros() <= 0 {
            return None;
        }
        let scaled = i128::from(document.micros()) * i128::from(Self::SCALE);
        let divisor = i128::from(payment.micros());
        let units = u64::try_from((scaled + divisor - 1) / divisor).ok()?;
        NonZeroU64::new(units).map(Self)
    }

    /// An amount of the document's currency in the payment's, to six decimals.
    #[must_use]
    pub fn in_payment(self, amount: Amount) -> Amount {
        let scaled = i128::from(amount.micros()) * i128::from(Self::SCALE);
        decimal::narrow(decimal::divided(scaled, i128::from(self.0.get())))
    }
}

impl fmt::Display for Equivalence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One for one is written `1`, anything else with all its decimals (CRP20236, CRP20238).
        if *self == Self::ONE {
            return f.write_str("1");
        }
        let units = self.0.get();
        write!(f, "{}.{:010}", units / Self::SCALE, units % Self::SCALE)
    }
}

/// The taxes of one payment in its currency: those of its documents, each turned by its equivalence. Only
/// the sums are rounded (CRP20268, CRP20274).
#[must_use]
pub fn taxes_of(payment: &Payment) -> Vec<ItemTax> {
    let sums = turned(payment, |rate| Some(*rate));
    let rounded = |(rate, (base, amount)): (TaxRate, (Fine, Fine))| ItemTax {
        rate,
        base: base.rounded(),
        amount: amount.rounded(),
    };
    sums.into_iter().map(rounded).collect()
}

/// What one payment withholds of each tax, in its currency, whatever the rates (CRP20263, CRP20265).
#[must_use]
pub fn withheld_of(payment: &Payment) -> Vec<(Tax, Amount)> {
    let sums = turned(payment, |rate| rate.withheld.then_some(rate.tax));
    sums.into_iter().map(|(tax, (_, amount))| (tax, amount.rounded())).collect()
}

/// Bases and amounts of the documents' taxes in the payment's currency, by what `key` tells them apart.
fn turned<K: Ord>(
    payment: &Payment,
    key: impl Fn(&TaxRate) -> Option<K>,
) -> BTreeMap<K, (Fine, Fine)> {
    let mut sums = BTreeMap::<K, (Fine, Fine)>::new();
    for document in &payment.documents {
        for tax in &document.taxes {
            if let Some(key) = key(&tax.rate) {
                let (base, amount) = sums.entry(key).or_default();
                base.add(document.equivalence, tax.base);
                amount.add(document.equivalence, tax.amount);
            }
        }
    }
    sums
}

/// A sum of quotients, in thousand-millionths of a millionth: fine enough that rounding it is rounding once.
#[derive(Clone, Copy, Default)]
struct Fine(i128);

impl Fine {
    const SCALE: i128 = 1_000_000_000;

    fn add(&mut self, equivalence: Equivalence, amount: Amount) {
        let scaled = i128::from(amount.micros()) * i128::from(Equivalence::SCALE) * Self::SCALE;
        let quotient = decimal::divided(scaled, i128::from(equivalence.0.get()));
        self.0 = self.0.saturating_add(quotient);
    }

    fn rounded(self) -> Amount {
        decimal::narrow(decimal::divided(self.0, Self::SCALE))
    }
}

/// The sums of all payments in pesos (node `Totales`). Only what occurs is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaymentTotals {
    /// Withheld IVA.
    pub withheld_iva: Option<Amount>,
    /// Withheld ISR.
    pub withheld_isr: Option<Amount>,
    /// Withheld IEPS.
    pub withheld_ieps: Option<Amount>,
    /// Base and IVA at 16 %.
    pub iva_16: Option<(Amount, Amount)>,
    /// Base and IVA at 8 %.
    pub iva_8: Option<(Amount, Amount)>,
    /// Base and IVA at 0 %.
    pub iva_0: Option<(Amount, Amount)>,
    /// Base exempt of IVA.
    pub iva_exempt: Option<Amount>,
    /// IEPS charged, whatever the rates. The node does not state it, but it is due with what was paid, as IVA is.
    pub ieps: Option<Amount>,
    /// What was paid.
    pub amount: Amount,
}

impl PaymentTotals {
    /// Reckons them: what each payment states times its exchange rate, rounded to centavos at the end.
    #[must_use]
    pub fn of(payments: &[Payment]) -> Self {
        let mut sums = BTreeMap::new();
        let mut amount = Pesos::default();
        let mut ieps: Option<Pesos> = None;
        for payment in payments {
            amount.add(payment, payment.amount);
            for (tax, withheld) in withheld_of(payment) {
                let (_, sum): &mut (Pesos, Pesos) = sums.entry(Total::Withheld(tax)).or_default();
                sum.add(payment, withheld);
            }
            for tax in taxes_of(payment).into_iter().filter(|tax| !tax.rate.withheld) {
                let (base, sum) = sums.entry(Total::Charged(tax.rate)).or_default();
                base.add(payment, tax.base);
                sum.add(payment, tax.amount);
                if tax.rate.tax == Tax::Ieps {
                    ieps.get_or_insert_with(Pesos::default).add(payment, tax.amount);
                }
            }
        }
        let sums = sums.into_iter();
        let sums = sums.map(|(total, (base, sum))| (total, (base.rounded(), sum.rounded())));
        let ieps = ieps.map(Pesos::rounded);
        Self { ieps, ..Self::from_sums(&sums.collect(), amount.rounded()) }
    }

    /// The complement has no sums for other taxes than these.
    fn from_sums(sums: &BTreeMap<Total, (Amount, Amount)>, amount: Amount) -> Self {
        let withheld = |tax| sums.get(&Total::Withheld(tax)).map(|(_, sum)| *sum);
        let iva = |micros| sums.get(&Total::Charged(TaxRate::iva(micros))).copied();
        let exempt = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
        Self {
            withheld_iva: withheld(Tax::Iva),
            withheld_isr: withheld(Tax::Isr),
            withheld_ieps: withheld(Tax::Ieps),
            iva_16: iva(160_000),
            iva_8: iva(80_000),
            iva_0: iva(0),
            iva_exempt: sums.get(&Total::Charged(exempt)).map(|(base, _)| *base),
            ieps: None,
            amount,
        }
    }
}

/// What node `Totales` sums by.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Total {
    Withheld(Tax),
    Charged(TaxRate),
}

/// A sum of products with exchange rates, exact.
#[derive(Clone, Copy, Default)]
struct Pesos(i128);

impl Pesos {
    fn add(&mut self, payment: &Payment, amount: Amount) {
        let rate = payment.exchange_rate.map_or(1_000_000, Amount::micros);
        let product = i128::from(amount.micros()) * i128::from(rate);
        self.0 = self.0.saturating_add(product);
    }

    /// To centavos, at once: rounding to millionths first could make a half of less than a half.
    fn rounded(self) -> Amount {
        const CENTAVO: i128 = 10_000;
        decimal::narrow(decimal::divided(self.0, CENTAVO * 1_000_000) * CENTAVO)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::datetime;

    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn withheld(tax: Tax, rate: &str, amount_text: &str) -> ItemTax {
        let rate = TaxRate { tax, withheld: true, ..TaxRate::iva(amount(rate).micros()) };
        ItemTax { rate, base: amount("1"), amount: amount(amount_text) }
    }

    fn document(equivalence: Equivalence, taxes: Vec<ItemTax>) -> PaidDocument {
        PaidDocument {
            uuid: String::new(),
            series: None,
            folio: None,
            currency: Currency::MXN,
            equivalence,
            installment: 1,
            balance_before: amount("1"),
            amount: amount("1"),
            tax_object: "02".to_owned(),
            taxes,
        }
    }

    fn payment(rate: &str, paid: &str, documents: Vec<PaidDocument>) -> Payment {
        Payment {
            paid_at: datetime!(2026-08-01 12:00:00),
            payment_form: "03".to_owned(),
            currency: Currency::parse("USD").unwrap(),
            exchange_rate: Some(amount(rate)),
            amount: amount(paid),
            operation: None,
            payer_account: None,
            payee_account: None,
            documents,
        }
    }

    #[test]
    fn taxes_of_several_documents_are_rounded_once() {
        // A third of a millionth, twice: rounded each for itself, nothing would be left.
        let third = Equivalence::of(amount("3"), amount("1")).unwrap();
        let small = || ItemTax {
            rate: TaxRate::iva(160_000),
            base: amount("1.000001"),
            amount: amount("0.160001"),
        };
        let payment = payment("1", "1", vec![document(third, vec![small()]); 2]);
        let [sum] = taxes_of(&payment)[..] else { panic!("one rate") };
        assert_eq!((sum.base, sum.amount), (amount("0.666667"), amount("0.106667")));
    }

    #[test]
    fn what_is_withheld_at_two_rates_is_rounded_once() {
        let third = Equivalence::of(amount("3"), amount("1")).unwrap();
        let taxes = ["0.1", "0.0125"].map(|rate| withheld(Tax::Isr, rate, "0.000001"));
        let payment = payment("1", "1", vec![document(third, taxes.to_vec())]);
        assert_eq!(withheld_of(&payment), [(Tax::Isr, amount("0.000001"))]);
        let iva = withheld(Tax::Iva, "0.04", "0.5");
        let totals = PaymentTotals::of(&[Payment {
            documents: vec![document(Equivalence::ONE, vec![iva])],
            ..payment
        }]);
        assert_eq!((totals.withheld_iva, totals.withheld_isr), (Some(amount("0.5")), None));
    }

    #[test]
    fn pesos_are_rounded_once() {
        // 52.71 times 17.777177 is 937.03499967, which is 937.035 in millionths.
        let payment = payment("17.777177", "52.71", Vec::new());
        assert_eq!(PaymentTotals::of(&[payment]).amount, amount("937.03"));
    }

    #[test]
    fn what_is_paid_is_no_more_than_the_payment_by_the_equivalence() {
        // 1000 / 53 is 18.86792452830…: cut there, 1000 pesos would be 53.000000000005 dollars.
        let equivalence = Equivalence::of(amount("1000"), amount("53")).unwrap();
        assert_eq!(equivalence.to_string(), "18.8679245284");
        // What is exact stays so.
        let exact = Equivalence::of(amount("1865.43"), amount("100")).unwrap();
        assert_eq!(exact.to_string(), "18.6543000000");
        let none = [("0", "1"), ("1", "0"), ("-1", "1"), ("1", "-1"), ("1000000000", "0.1")];
        for (document, payment) in none {
            assert_eq!(Equivalence::of(amount(document), amount(payment)), None);
        }
    }

    /// Amounts to the cent, small ones as often as large ones.
    fn cents(most: i64) -> impl Strategy<Value = Amount> {
        prop_oneof![1..=10_000_i64, 1..=most].prop_map(|cents| Amount::from_micros(cents * 10_000))
    }

    proptest! {
        #[test]
        fn the_parts_never_add_up_to_more_than_the_payment(
            document in cents(100_000_000_000),
            payment in cents(100_000_000_000),
        ) {
            let Some(Equivalence(units)) = Equivalence::of(document, payment) else {
                // More than a thousand million for one.
                prop_assert!(i128::from(document.micros()) > 1_000_000_000 * i128::from(payment.micros()));
                return Ok(());
            };
            let units = i128::from(units.get());
            let (document, payment) = (i128::from(document.micros()), i128::from(payment.micros()));
            let scaled = document * i128::from(Equivalence::SCALE);
            // Divided by it, the part is no more than what was paid; by one unit of the last decimal less it would be.
            prop_assert!(scaled <= payment * units);
            prop_assert!(scaled > payment * (units - 1));
        }

        /// As SAT's schema has it: 100 EUR times 1.0465711361 are 104.66 USD.
        #[test]
        fn the_payment_by_the_equivalence_is_what_is_paid(
            document in cents(100_000_000_000),
            payment in cents(4_000_000_000),
        ) {
            let Some(Equivalence(units)) = Equivalence::of(document, payment) else { return Ok(()) };
            let product = i128::from(payment.micros()) * i128::from(units.get());
            let worth = decimal::narrow(decimal::divided(product, i128::from(Equivalence::SCALE)));
            prop_assert_eq!(worth.rounded(2), document);
        }
    }
}
