//! Taxes as an invoice states them (CFDI 4.0).

use kernel::Amount;
use serde::{Deserialize, Serialize};

/// A tax (c_Impuesto).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Tax {
    /// Income tax, `001`; only withheld.
    Isr,
    /// Value added tax, `002`.
    Iva,
    /// Excise, `003`.
    Ieps,
}

/// How a tax is reckoned (c_TipoFactor).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Factor {
    /// A share of the base.
    Tasa,
    /// An amount per unit; the base is the quantity.
    Cuota,
    /// Exempt: a base, but neither rate nor amount.
    Exento,
}

/// Which tax, without the sums: what documents sum by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaxRate {
    /// Which tax.
    pub tax: Tax,
    /// How it is reckoned.
    pub factor: Factor,
    /// The share of the base (0.16 for 16 %) or the amount per unit; zero when exempt.
    #[serde(default)]
    pub rate: Amount,
    /// Whether the receiver withholds it instead of paying it.
    pub withheld: bool,
}

/// A tax of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemTax {
    /// Which.
    pub rate: TaxRate,
    /// What it is reckoned on.
    pub base: Amount,
    /// How much it is; zero when exempt.
    pub amount: Amount,
}

impl Tax {
    /// The code of c_Impuesto.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Isr => "001",
            Self::Iva => "002",
            Self::Ieps => "003",
        }
    }

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Isr => "ISR",
            Self::Iva => "IVA",
            Self::Ieps => "IEPS",
        }
    }

    /// The tax with that code or name.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Isr, Self::Iva, Self::Ieps]
            .into_iter()
            .find(|tax| tax.code() == code || tax.name() == code)
    }
}

impl Factor {
    /// The code of c_TipoFactor.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Tasa => "Tasa",
            Self::Cuota => "Cuota",
            Self::Exento => "Exento",
        }
    }
}

impl TaxRate {
    /// IVA as part of the price, at a share in millionths: `160_000` for 16 %.
    #[must_use]
    pub const fn iva(micros: i64) -> Self {
        Self {
            tax: Tax::Iva,
            factor: Factor::Tasa,
            rate: Amount::from_micros(micros),
            withheld: false,
        }
    }

    /// Whether the other is the same tax, charged or withheld, as a share (or exempt) at whatever rate, or as the same
    /// amount per unit: fuels bear several.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        let quota = |rate: &Self| (rate.factor == Factor::Cuota).then_some(rate.rate);
        let kind = |rate: &Self| (rate.tax, rate.withheld, quota(rate));
        kind(self) == kind(other)
    }

    /// The tax on `base`, rounded half up to the six decimals of an item.
    #[must_use]
    pub fn of(&self, base: Amount) -> Amount {
        match self.factor {
            Factor::Exento => Amount::ZERO,
            Factor::Tasa | Factor::Cuota => crate::decimal::product(base, self.rate),
        }
    }
}

/// Whether somebody with this RFC withholds taxes from what they pay: legal persons do, whose RFC has twelve characters (LIVA
/// art. 1-A, fr. II; LISR arts. 106, 113-J and 116). Natural persons as a rule do not, nor who has a generic RFC: these have thirteen.
#[must_use]
pub fn withholds(rfc: &str) -> bool {
    rfc.chars().count() == 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_legal_persons_withhold() {
        for (rfc, is_legal_person) in [
            ("URE180429TM6", true),
            ("ÑU&180429TM6", true),
            ("CACX7605101P8", false),
            ("ÑACX7605101P8", false),
            ("XAXX010101000", false),
            ("XEXX010101000", false),
            ("", false),
        ] {
            assert_eq!(withholds(rfc), is_legal_person, "{rfc}");
        }
    }
}
