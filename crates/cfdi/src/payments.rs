//! The payment complement (Recepción de pagos 2.0): what was paid, and of which documents.

use std::{fmt, num::NonZeroU64};

use kernel::{Amount, Currency};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use crate::{
    decimal,
    document::local_time,
    tax::{ItemTax, TaxRate},
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

/// Units of a document's currency for one unit of a payment's, exact to ten decimals
/// (`EquivalenciaDR`); never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Equivalence(NonZeroU64);

impl Equivalence {
    const SCALE: u64 = 10_000_000_000;
    /// One for one: the currencies are the same.
    pub const ONE: Self = match NonZeroU64::new(Self::SCALE) {
        Some(one) => Self(one),
        None => Self(NonZeroU64::MIN),
    };

    /// The units of the document's currency per unit of the payment's, from the amount in each.
    /// None when one of them is not above zero, or the quotient is nothing or beyond measure.
    #[must_use]
    pub fn of(document: Amount, payment: Amount) -> Option<Self> {
        if document.micros() <= 0 || payment.micros() <= 0 {
            return None;
        }
        let scaled = i128::from(document.micros()) * i128::from(Self::SCALE);
        let units = u64::try_from(decimal::divided(scaled, i128::from(payment.micros()))).ok()?;
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

/// The taxes of one payment in its currency: those of its documents, each turned by its equivalence.
#[must_use]
pub fn taxes_of(payment: &Payment) -> Vec<ItemTax> {
    let turned = payment.documents.iter().flat_map(|document| {
        document.taxes.iter().map(|tax| ItemTax {
            rate: tax.rate,
            base: document.equivalence.in_payment(tax.base),
            amount: document.equivalence.in_payment(tax.amount),
        })
    });
    crate::totals::summed(turned)
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
    /// What was paid.
    pub amount: Amount,
}

impl PaymentTotals {
    /// Reckons them: every sum of a payment times its exchange rate, rounded to centavos at the end.
    #[must_use]
    pub fn of(payments: &[Payment]) -> Self {
        use crate::tax::{Factor, Tax};
        let mut totals = Self::default();
        for payment in payments {
            let pesos = |amount| match payment.exchange_rate {
                Some(rate) => decimal::product(amount, rate),
                None => amount,
            };
            totals.amount = decimal::sum([totals.amount, pesos(payment.amount)]);
            for tax in taxes_of(payment) {
                let (base, amount) = (pesos(tax.base), pesos(tax.amount));
                let TaxRate { tax, factor, rate, withheld } = tax.rate;
                match (withheld, tax, factor, rate.micros()) {
                    (true, Tax::Iva, ..) => add(&mut totals.withheld_iva, amount),
                    (true, Tax::Isr, ..) => add(&mut totals.withheld_isr, amount),
                    (true, Tax::Ieps, ..) => add(&mut totals.withheld_ieps, amount),
                    (_, Tax::Iva, Factor::Exento, _) => add(&mut totals.iva_exempt, base),
                    (_, Tax::Iva, _, 160_000) => add_both(&mut totals.iva_16, base, amount),
                    (_, Tax::Iva, _, 80_000) => add_both(&mut totals.iva_8, base, amount),
                    (_, Tax::Iva, _, 0) => add_both(&mut totals.iva_0, base, amount),
                    // The complement has no sums for other taxes.
                    _ => {}
                }
            }
        }
        totals.rounded()
    }

    fn rounded(self) -> Self {
        let round = |amount: Amount| amount.rounded(2);
        let both = |(base, amount): (Amount, Amount)| (base.rounded(2), amount.rounded(2));
        Self {
            withheld_iva: self.withheld_iva.map(round),
            withheld_isr: self.withheld_isr.map(round),
            withheld_ieps: self.withheld_ieps.map(round),
            iva_16: self.iva_16.map(both),
            iva_8: self.iva_8.map(both),
            iva_0: self.iva_0.map(both),
            iva_exempt: self.iva_exempt.map(round),
            amount: self.amount.rounded(2),
        }
    }
}

fn add(sum: &mut Option<Amount>, amount: Amount) {
    *sum = Some(decimal::sum([sum.unwrap_or_default(), amount]));
}

fn add_both(sum: &mut Option<(Amount, Amount)>, base: Amount, amount: Amount) {
    let (bases, amounts) = sum.unwrap_or_default();
    *sum = Some((decimal::sum([bases, base]), decimal::sum([amounts, amount])));
}
