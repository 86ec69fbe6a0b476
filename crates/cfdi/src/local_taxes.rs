//! Taxes of states and municipalities: the complement *Impuestos locales* 1.0.
//!
//! They are stated for a document as a whole, beside those of its items: a tax on lodging that is charged, the five per
//! thousand that a public works contractor has withheld.

use kernel::Amount;
use serde::{Deserialize, Serialize};

use crate::decimal;

/// The decimals that the complement's amounts and percentages have at most.
pub const DECIMALS: u32 = 2;

/// A tax of a state or municipality, on a document as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocalTax {
    /// Its name in the law that levies it, such as `ISH`.
    pub name: String,
    /// Its rate as a share: 0.03 is 3 %. At most four decimals.
    pub rate: Amount,
    /// In the document's currency, to the cent.
    pub amount: Amount,
    /// Whether the receiver keeps it back.
    pub withheld: bool,
}

impl LocalTax {
    /// The tax of that rate on a base, rounded half up to the cent, or to the currency's decimals if it has fewer.
    #[must_use]
    pub fn on(base: Amount, name: String, rate: Amount, withheld: bool, decimals: u32) -> Self {
        let amount = decimal::product(base, rate).rounded(decimals.min(DECIMALS));
        Self { name, rate, amount, withheld }
    }

    /// The rate in percent, as the complement states it.
    #[must_use]
    pub fn percentage(&self) -> Amount {
        Amount::from_micros(self.rate.micros().saturating_mul(100))
    }
}

/// What is charged, and what is withheld.
#[must_use]
pub fn sums(taxes: &[LocalTax]) -> (Amount, Amount) {
    let of = |withheld| {
        decimal::sum(taxes.iter().filter(|tax| tax.withheld == withheld).map(|tax| tax.amount))
    };
    (of(false), of(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tax(base: &str, rate: &str, withheld: bool) -> LocalTax {
        let amount = |text: &str| Amount::parse(text).unwrap();
        LocalTax::on(amount(base), "ISH".to_owned(), amount(rate), withheld, 2)
    }

    #[test]
    fn a_tax_is_rounded_half_up_to_the_cent() {
        for (base, rate, expected) in
            [("1000", "0.03", "30"), ("0.5", "0.03", "0.02"), ("33.33", "0.005", "0.17")]
        {
            assert_eq!(tax(base, rate, false).amount, Amount::parse(expected).unwrap(), "{base}");
        }
        assert_eq!(tax("1", "0.005", true).percentage(), Amount::parse("0.5").unwrap());
    }

    #[test]
    fn what_is_charged_and_what_is_withheld_are_told_apart() {
        let taxes =
            [tax("1000", "0.03", false), tax("1000", "0.02", false), tax("1000", "0.005", true)];
        assert_eq!(sums(&taxes), (Amount::parse("50").unwrap(), Amount::parse("5").unwrap()));
        assert_eq!(sums(&[]), (Amount::ZERO, Amount::ZERO));
    }
}
