//! Price lists: which of several prices holds for who buys how much at which moment.

use std::cmp::Reverse;

use kernel::{Amount, Currency, Quantity, Timestamp};

/// Whom the prices of a list are for, and when. `G` is what names a group of customers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListTerms<G> {
    /// The currency of its prices.
    pub currency: Currency,
    /// The customers that it is for; all of them if absent.
    pub group: Option<G>,
    /// Of several lists the one with the least number comes first.
    pub priority: i64,
    /// The first moment at which it holds; from ever if absent.
    pub from: Option<Timestamp>,
    /// The first moment at which it does not hold any more; for ever if absent.
    pub until: Option<Timestamp>,
}

impl<G: PartialEq> ListTerms<G> {
    /// Whether it holds at a moment for a customer of a group, or of none.
    #[must_use]
    pub fn holds(&self, now: Timestamp, group: Option<&G>) -> bool {
        let is_begun = self.from.is_none_or(|from| from <= now);
        let is_over = self.until.is_some_and(|until| until <= now);
        let is_for_them = self.group.is_none() || self.group.as_ref() == group;
        is_begun && !is_over && is_for_them
    }
}

/// What a unit costs by a list. `L` is what names the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedPrice<L> {
    /// The list.
    pub list: L,
    /// Whether it is of the variant, and not of its product.
    pub is_of_variant: bool,
    /// From how many units of it in one order on.
    pub min_quantity: Quantity,
    /// Unit price.
    pub price: Amount,
}

/// The price that holds for so many units: one of the variant comes before one of its product, then lists by their priority
/// and by their age, and of one list the price of the greatest quantity that is reached. `priority` is that of a list that
/// holds, and nothing of others.
#[must_use]
pub fn listed_price<L: Copy + Ord>(
    prices: &[ListedPrice<L>],
    quantity: Quantity,
    priority: impl Fn(L) -> Option<i64>,
) -> Option<ListedPrice<L>> {
    let reached = prices.iter().filter(|listed| listed.min_quantity <= quantity);
    let ranked = reached.filter_map(|listed| {
        let rank = priority(listed.list)?;
        let place = (!listed.is_of_variant, rank, listed.list, Reverse(listed.min_quantity));
        Some((place, *listed))
    });
    ranked.min_by_key(|(place, _)| *place).map(|(_, listed)| listed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn listed(list: u8, is_of_variant: bool, min_quantity: i64, price: i64) -> ListedPrice<u8> {
        ListedPrice { list, is_of_variant, min_quantity, price: Amount::from_micros(price) }
    }

    #[test]
    fn a_list_holds_in_its_time_for_its_group() {
        let terms = ListTerms {
            currency: Currency::MXN,
            group: Some(1),
            priority: 0,
            from: Some(at(10)),
            until: Some(at(20)),
        };
        for (now, group, expected) in [
            (9, Some(1), false),
            (10, Some(1), true),
            (19, Some(1), true),
            (20, Some(1), false),
            (15, Some(2), false),
            (15, None, false),
        ] {
            assert_eq!(terms.holds(at(now), group.as_ref()), expected, "{now} {group:?}");
        }
        let always = ListTerms { group: None, from: None, until: None, ..terms };
        assert!(always.holds(at(0), None) && always.holds(at(99), Some(&1)));
    }

    #[test]
    fn one_price_comes_before_the_others() {
        let all = [
            listed(1, false, 1, 100),
            listed(1, false, 10, 90),
            listed(2, false, 1, 80),
            listed(3, true, 5, 70),
        ];
        // List 2 comes before list 1, and list 3 behind them.
        let rank = |list: u8| Some([0, 50, 10, 99][usize::from(list)]);
        let price = |quantity, known: &[u8]| {
            let rank = |list| rank(list).filter(|_| known.contains(&list));
            listed_price(&all, quantity, rank).map(|listed| listed.price.micros())
        };
        assert_eq!(price(1, &[1]), Some(100));
        assert_eq!((price(9, &[1]), price(10, &[1])), (Some(100), Some(90)));
        assert_eq!(price(10, &[1, 2]), Some(80));
        assert_eq!((price(4, &[1, 3]), price(5, &[1, 2, 3])), (Some(100), Some(70)));
        assert_eq!((price(1, &[3]), price(5, &[])), (None, None));
    }

    proptest! {
        #[test]
        fn more_never_costs_more_where_the_steps_fall(steps in prop::collection::btree_map(1_i64..100, 1_i64..1_000, 1..10)) {
            let mut falling: Vec<i64> = steps.values().copied().collect();
            falling.sort_unstable_by(|one, other| other.cmp(one));
            let all: Vec<_> = steps.keys().zip(falling).map(|(from, price)| listed(1, false, *from, price)).collect();
            let price = |quantity| listed_price(&all, quantity, |_| Some(0)).map_or(i64::MAX, |it| it.price.micros());
            for quantity in 1..101 {
                prop_assert!(price(quantity + 1) <= price(quantity));
            }
        }
    }
}
