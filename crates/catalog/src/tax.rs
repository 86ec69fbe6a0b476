//! The taxes of a product, in the terms of CFDI 4.0.

mod reading;

use kernel::{Amount, Message, message};
use serde::{Deserialize, Serialize};

pub use reading::{Misstated, Stated, read};

/// A tax (SAT catalog c_Impuesto).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TaxKind {
    /// Value added tax, SAT `002`.
    Iva,
    /// Income tax, SAT `001`; only withheld.
    Isr,
    /// Excise, SAT `003`.
    Ieps,
}

impl TaxKind {
    /// What people and the API call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iva => "IVA",
            Self::Isr => "ISR",
            Self::Ieps => "IEPS",
        }
    }
}

/// How a tax is reckoned (SAT catalog c_TipoFactor).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaxFactor {
    /// A rate on the base.
    Tasa,
    /// An amount per unit.
    Cuota,
    /// Exempt: no rate.
    Exento,
}

/// One tax of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Tax {
    pub tax: TaxKind,
    /// Rate, amount per unit, or exempt.
    pub factor: TaxFactor,
    /// Rate as a fraction (0.16 for 16%) or amount per unit; absent if exempt.
    pub rate: Option<Amount>,
    /// Whether the buyer withholds the tax instead of paying it.
    pub withheld: bool,
}

/// The most taxes of one product.
pub const TAXES_MAX: usize = 10;

impl Tax {
    /// What is wrong with the combination, as a clause that follows the field's name.
    #[must_use]
    pub fn problem(&self) -> Option<Message> {
        let rate = self.rate.unwrap_or(Amount::ZERO);
        match (self.factor, self.rate) {
            (TaxFactor::Exento, Some(_)) => Some(message!(
                "must have no rate when the factor is Exento",
                "no debe llevar tasa cuando el factor es Exento"
            )),
            (TaxFactor::Exento, None) if self.withheld => Some(message!(
                "must not be withheld when the factor is Exento",
                "no debe ser retenido cuando el factor es Exento"
            )),
            (TaxFactor::Tasa | TaxFactor::Cuota, None) => Some(message!(
                "must have a rate unless the factor is Exento",
                "debe llevar tasa salvo que el factor sea Exento"
            )),
            _ if rate.is_negative() => {
                Some(message!("must not have a negative rate", "no debe llevar una tasa negativa"))
            }
            (TaxFactor::Tasa, _) if rate > Amount::from_micros(3_000_000) => Some(message!(
                "must have a rate as a share such as 0.16, not as a percentage",
                "debe llevar la tasa como fracción, por ejemplo 0.16, no como porcentaje"
            )),
            _ if self.tax == TaxKind::Isr && !self.withheld => Some(message!(
                "must be withheld when the tax is ISR",
                "debe ser retenido cuando el impuesto es ISR"
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validates_combinations() {
        let tax = |tax, factor, rate: Option<i64>, withheld| Tax {
            tax,
            factor,
            rate: rate.map(Amount::from_micros),
            withheld,
        };
        let good = [
            tax(TaxKind::Iva, TaxFactor::Tasa, Some(160_000), false),
            tax(TaxKind::Iva, TaxFactor::Tasa, Some(0), false),
            tax(TaxKind::Iva, TaxFactor::Exento, None, false),
            tax(TaxKind::Ieps, TaxFactor::Cuota, Some(5_000_000), false),
            tax(TaxKind::Isr, TaxFactor::Tasa, Some(12_500), true),
        ];
        let bad = [
            tax(TaxKind::Iva, TaxFactor::Tasa, None, false),
            tax(TaxKind::Iva, TaxFactor::Tasa, Some(16_000_000), false),
            tax(TaxKind::Iva, TaxFactor::Tasa, Some(-1), false),
            tax(TaxKind::Iva, TaxFactor::Exento, Some(0), false),
            tax(TaxKind::Iva, TaxFactor::Exento, None, true),
            tax(TaxKind::Isr, TaxFactor::Tasa, Some(12_500), false),
        ];
        assert!(good.iter().all(|tax| tax.problem().is_none()));
        assert!(bad.iter().all(|tax| tax.problem().is_some()));
    }
}
