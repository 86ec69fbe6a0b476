//! The taxes that most of what is sold has: those that a form offers.

use cfdi::tax::{Factor, TaxRate};
use invoices::{DraftItem, ItemFields};
use kernel::Amount;

use crate::texts::Say;

/// c_ObjetoImp of what is no object of tax.
const NO_OBJECT: &str = "01";

/// Taxes of an item, or the usual ones of an issuer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages) enum ItemTaxes {
    Iva16,
    Iva8,
    Iva0,
    Exempt,
    NoObject,
}

impl ItemTaxes {
    pub(in crate::pages) const EVERY: &'static [Self] =
        &[Self::Iva16, Self::Iva8, Self::Iva0, Self::Exempt, Self::NoObject];

    /// As a form sends it.
    pub(in crate::pages) const fn code(self) -> &'static str {
        match self {
            Self::Iva16 => "iva16",
            Self::Iva8 => "iva8",
            Self::Iva0 => "iva0",
            Self::Exempt => "exempt",
            Self::NoObject => "none",
        }
    }

    /// What it is called.
    pub(in crate::pages) const fn name(self, say: Say) -> &'static str {
        match self {
            Self::Iva16 => say.taxes_iva16(),
            Self::Iva8 => say.taxes_iva8(),
            Self::Iva0 => say.taxes_iva0(),
            Self::Exempt => say.taxes_exempt(),
            Self::NoObject => say.taxes_no_object(),
        }
    }

    /// The taxes themselves.
    pub(in crate::pages) fn rates(self) -> Vec<TaxRate> {
        match self {
            Self::Iva16 => vec![TaxRate::iva(160_000)],
            Self::Iva8 => vec![TaxRate::iva(80_000)],
            Self::Iva0 => vec![TaxRate::iva(0)],
            Self::Exempt => {
                vec![TaxRate { factor: Factor::Exento, rate: Amount::ZERO, ..TaxRate::iva(0) }]
            }
            Self::NoObject => Vec::new(),
        }
    }

    /// Which of them these are; `None` of others.
    pub(in crate::pages) fn of(rates: &[TaxRate]) -> Option<Self> {
        Self::EVERY.iter().copied().find(|one| one.rates() == rates)
    }

    /// Which of them an item has; `None` where it has others, or says of itself what they are an object of.
    pub(super) fn of_item(item: &DraftItem) -> Option<Self> {
        let own = Self::of(&item.taxes)?;
        match item.tax_object.as_deref() {
            None | Some("02") if own != Self::NoObject => Some(own),
            None | Some(NO_OBJECT) if own == Self::NoObject => Some(own),
            _ => None,
        }
    }
}

/// Gives an item these taxes.
pub(super) fn set(item: &mut ItemFields, taxes: ItemTaxes) {
    item.taxes = Some(taxes.rates());
    item.taxes_follow = false;
    item.tax_object = (taxes == ItemTaxes::NoObject).then(|| NO_OBJECT.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_known_by_its_rates() {
        for one in ItemTaxes::EVERY {
            assert_eq!(ItemTaxes::of(&one.rates()), Some(*one), "{}", one.code());
        }
        assert_eq!(ItemTaxes::of(&[TaxRate::iva(150_000)]), None);
    }
}
