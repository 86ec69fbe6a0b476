//! What an order gives away: discounts, and prices below those of the catalog and its price lists.

use kernel::Amount;

use crate::{ItemSku, Order, PlaceOrder};

/// A hundred percent of one, in millionths of a percent.
const PERCENT: i128 = 100_000_000;

/// What an order gives away. Percentages are rounded up to six decimals, so that none above a limit looks like the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Concessions {
    /// What all discounts take off.
    pub discount: Amount,
    /// The same, in percent of what the items cost without them.
    pub discount_percent: Amount,
    /// How far the unit price of an item lies below what its customer pays otherwise, in percent of that: of the item of
    /// which it is most.
    pub below_price_percent: Amount,
}

impl Concessions {
    /// What an order gives away, given what its products cost its customer otherwise.
    #[must_use]
    pub fn of(order: &Order, price: impl Fn(ItemSku) -> Option<Amount>) -> Self {
        let discount = order.discount_total();
        let below = order.items.iter().filter_map(|item| {
            let price = price(item.sold)?;
            let less = price.micros().saturating_sub(item.unit_price.micros()).max(0);
            Some(percent_of(Amount::from_micros(less), price))
        });
        Self {
            discount,
            discount_percent: percent_of(discount, order.subtotal()),
            below_price_percent: below.max().unwrap_or_default(),
        }
    }

    /// Whether it gives away nothing.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl PlaceOrder {
    /// Whether it may give away anything: one that says nothing of discounts, prices and price lists does not.
    #[must_use]
    pub fn may_concede(&self) -> bool {
        let concedes =
            |item: &crate::PlaceItem| item.discount.is_some() || item.unit_price.is_some();
        let names_list = self.price_list.is_some();
        names_list || self.discount.is_some() || self.items.iter().any(concedes)
    }
}

/// What a part is of a whole, in percent, rounded up; of nothing, nothing.
fn percent_of(part: Amount, whole: Amount) -> Amount {
    let whole = i128::from(whole.micros());
    if whole <= 0 {
        return Amount::ZERO;
    }
    let scaled = i128::from(part.micros().max(0)) * PERCENT;
    let percent = (scaled + whole - 1) / whole;
    Amount::from_micros(i64::try_from(percent).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn micros(micros: i64) -> Amount {
        Amount::from_micros(micros)
    }

    #[test]
    fn percentages_are_rounded_up() {
        for (part, whole, percent) in [
            (0, 100, 0),
            (15, 100, 15_000_000),
            (1, 3, 33_333_334),
            (150_001, 1_000_000, 15_000_100),
            (100, 100, 100_000_000),
            (5, 0, 0),
        ] {
            assert_eq!(percent_of(micros(part), micros(whole)), micros(percent), "{part}/{whole}");
        }
    }

    proptest! {
        #[test]
        fn what_is_above_a_limit_is_told_from_it(
            whole in 1_i64..1_000_000_000_000, part in 0_i64..1_000_000_000_000, limit in 0_i64..100,
        ) {
            let above = i128::from(part) * 100 > i128::from(whole) * i128::from(limit);
            let percent = percent_of(micros(part), micros(whole));
            prop_assert_eq!(percent > micros(limit * 1_000_000), above);
        }
    }
}
