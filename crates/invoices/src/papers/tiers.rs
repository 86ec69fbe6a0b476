//! What of the sets of an invoice a credit note is taken from, and in which order.

use cfdi::{decimal, pricing::spread, totals::Totals};
use kernel::Amount;

use super::{TaxSet, share::without_local};

/// What may be taken of each set: first what came back, then what else bears the same taxes, then the rest. Where no goods came
/// back there is one tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tiers {
    tiers: Vec<Vec<Amount>>,
    /// What came back of each set; empty where no goods did.
    returned: Vec<Amount>,
}

impl Tiers {
    /// Of what is left of each set, where so much of it came back and so much is kept: what came back may be credited in part, and
    /// what is kept is not taken for it.
    pub(super) fn of(left: &[Amount], returned: Option<&[Amount]>, kept: &[Amount]) -> Self {
        let Some(returned) = returned else {
            return Self { tiers: vec![left.to_vec()], returned: Vec::new() };
        };
        let open = less(left, kept);
        let first = returned.iter().zip(&open).map(|(back, open)| *back.min(open));
        let first: Vec<Amount> = first.collect();
        let rest = less(left, &first);
        let alike = rest.iter().zip(returned);
        let alike =
            alike.map(|(rest, back)| if *back > Amount::ZERO { *rest } else { Amount::ZERO });
        let alike: Vec<Amount> = alike.collect();
        let others = less(&rest, &alike);
        Self { tiers: vec![first, alike, others], returned: returned.to_vec() }
    }

    /// What came back and may still be taken as that; nothing where no goods did.
    pub(super) fn came_back(&self) -> Amount {
        let first = self.tiers.first().filter(|_| !self.returned.is_empty());
        first.map_or(Amount::ZERO, |tier| sum(tier))
    }

    /// What came back of each set, where more than that is taken: by more than the lines of an order and the sets of its
    /// invoice, rounded apart, may differ.
    pub(super) fn goods_before(
        &self,
        gross: Amount,
        rounding: (Amount, Amount),
        decimals: u32,
    ) -> Option<Vec<Amount>> {
        let came_back = self.came_back();
        let is_more = decimal::less(gross, came_back) > self.apart(rounding);
        let goods = Some(came_back).filter(|goods| is_more && *goods > Amount::ZERO)?;
        self.shared(goods, decimals)
    }

    /// The same where what is taken beyond what came back is of all that is left, whichever taxes that bears.
    pub(super) fn discounting(self) -> Self {
        let mut tiers = self.tiers.into_iter();
        let first = tiers.next().unwrap_or_default();
        let none = vec![Amount::ZERO; first.len()];
        let rest = tiers.fold(none, |rest, tier| plus(&rest, &tier));
        Self { tiers: vec![first, rest], returned: Vec::new() }
    }

    /// By how much the lines of an order and the sets of its invoice, which are rounded apart, may differ: by a `step` for each
    /// set, or `most` where that is more.
    fn apart(&self, (most, step): (Amount, Amount)) -> Amount {
        let steps = i64::try_from(self.returned.len()).unwrap_or(i64::MAX);
        most.max(Amount::from_micros(step.micros().saturating_mul(steps)))
    }

    /// All that may be taken.
    pub(super) fn total(&self) -> Amount {
        decimal::sum(self.tiers.iter().flatten().copied())
    }

    /// What is to be sold so that so much is paid once the own taxes of the sets are withheld, unrounded.
    pub(super) fn gross_for(&self, amount: Amount, totals: &Totals, sets: &[TaxSet]) -> Amount {
        // Local taxes bear the proportion that they have in the invoice.
        let mut amount = decimal::share(amount, without_local(totals), totals.total);
        let mut gross = Amount::ZERO;
        for tier in &self.tiers {
            let paid = decimal::sum(sets.iter().zip(tier).map(|(set, part)| set.net_of(*part)));
            if amount <= paid {
                return decimal::sum([gross, decimal::share(sum(tier), amount, paid)]);
            }
            gross = decimal::sum([gross, sum(tier)]);
            amount = decimal::less(amount, paid);
        }
        decimal::sum([gross, amount])
    }

    /// The same with the largest set widened so that `gross` can be taken, where no more than `most` is missing. A set of which
    /// something came back is also widened by a `step` for each set before another tax is named: the lines of an order and the
    /// sets of its invoice are rounded apart.
    pub(super) fn widened(&self, gross: Amount, (most, step): (Amount, Amount)) -> Self {
        let apart = self.apart((most, step));
        let is_back =
            |place: &usize| self.returned.get(*place).is_some_and(|it| *it > Amount::ZERO);
        let of_same = decimal::sum(self.tiers.iter().take(2).flatten().copied());
        let beyond = decimal::less(gross, of_same);
        let is_alike = (0..self.returned.len()).any(|place| is_back(&place)) && beyond <= apart;
        let (missing, most) = match is_alike {
            true => (beyond, apart),
            false => (decimal::less(gross, self.total()), most),
        };
        let mut widened = self.clone();
        if missing <= Amount::ZERO || missing > most {
            return widened;
        }
        let of_set =
            |place: usize| decimal::sum(self.tiers.iter().filter_map(|it| it.get(place)).copied());
        let count = self.tiers.first().map_or(0, Vec::len);
        let places = (0..count).filter(|place| !is_alike || is_back(place));
        let largest = places.max_by_key(|place| (of_set(*place), self.returned.get(*place)));
        let tier = if is_alike { widened.tiers.get_mut(1) } else { widened.tiers.last_mut() };
        if let (Some(place), Some(tier)) = (largest, tier)
            && let Some(part) = tier.get_mut(place)
        {
            *part = decimal::sum([*part, missing]);
        }
        widened
    }

    /// Shares `amount` among the sets, tier by tier, by the largest remainder. `None` where there is not so much in all.
    pub(super) fn shared(&self, amount: Amount, decimals: u32) -> Option<Vec<Amount>> {
        let mut rest = amount;
        let mut parts = vec![Amount::ZERO; self.tiers.first().map_or(0, Vec::len)];
        for tier in &self.tiers {
            let taken = rest.min(sum(tier));
            rest = decimal::less(rest, taken);
            for (part, more) in parts.iter_mut().zip(spread(taken, tier, decimals)) {
                *part = decimal::sum([*part, more]);
            }
        }
        (rest == Amount::ZERO).then_some(parts)
    }
}

fn sum(parts: &[Amount]) -> Amount {
    decimal::sum(parts.iter().copied())
}

fn plus(parts: &[Amount], others: &[Amount]) -> Vec<Amount> {
    parts.iter().zip(others).map(|(part, other)| decimal::sum([*part, *other])).collect()
}

/// What each is above the other.
pub(super) fn less(parts: &[Amount], others: &[Amount]) -> Vec<Amount> {
    let parts = parts.iter().zip(others);
    parts.map(|(part, other)| decimal::less(*part, *other).max(Amount::ZERO)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(of: [i64; 3]) -> Vec<Amount> {
        of.map(|units| Amount::from_micros(units * 1_000_000)).to_vec()
    }

    fn unit(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    #[test]
    fn what_came_back_is_taken_first_and_what_is_kept_last() {
        let (left, returned) = (units([100, 50, 30]), units([40, 0, 30]));
        // Of the last set ten have been credited already, and of the first sixty are kept.
        let tiers = Tiers::of(&left, Some(&returned), &units([60, 50, 10]));
        for (amount, expected) in [
            (60, Some([40, 0, 20])),
            (67, Some([46, 0, 21])),
            (130, Some([100, 0, 30])),
            (150, Some([100, 20, 30])),
            (180, Some([100, 50, 30])),
            (181, None),
        ] {
            assert_eq!(tiers.shared(unit(amount), 2), expected.map(units), "{amount}");
        }
        let plain = Tiers::of(&left, None, &[]);
        assert_eq!(plain.shared(unit(18), 2), Some(units([10, 5, 3])));
    }

    #[test]
    fn a_step_for_each_set_is_taken_before_other_taxes_are_named() {
        let returned = units([40, 0, 0]);
        let tiers = Tiers::of(&units([40, 50, 30]), Some(&returned), &units([0, 50, 30]));
        let widened = |steps: i64| {
            let gross = Amount::from_micros(40_000_000 + steps * 10_000);
            let widened = tiers.widened(gross, (Amount::ZERO, Amount::from_micros(10_000)));
            widened.shared(gross, 2).unwrap()
        };
        let own = |parts: &[Amount]| parts[0];
        assert_eq!(own(&widened(0)), unit(40));
        assert_eq!(own(&widened(3)), Amount::from_micros(40_030_000));
        assert_eq!(own(&widened(4)), unit(40));
    }
}
