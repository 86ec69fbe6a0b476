//! What goods cost: the average of what is on hand, kept by receipts of goods and set by hand.

use std::collections::BTreeMap;

use kernel::{
    Amount, Currency, FieldFault, Measure, PageRequest, Quantity, Refused, Timestamp, message,
};

use crate::{ProductId, Sku, StockError, VariantId, adjustment::Named};

kernel::ids! {
    /// The identifier of a change of an average cost.
    CostChangeId = "cst";
}

/// Why an average cost changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CostReason {
    /// Goods came from a supplier.
    Receipt,
    /// Goods did not come from a supplier after all.
    ReceiptCancelled,
    /// Set by hand.
    Revaluation,
}

impl CostReason {
    /// Every reason.
    pub const EVERY: &'static [Self] = &[Self::Receipt, Self::ReceiptCancelled, Self::Revaluation];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::ReceiptCancelled => "receipt_cancelled",
            Self::Revaluation => "revaluation",
        }
    }
}

/// What is known of the cost of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Valued {
    /// How many there are, wherever they lie: promised and in transit, too.
    pub on_hand: Quantity,
    /// What a unit has cost on average; `None` while nobody knows.
    pub average: Option<Amount>,
    /// Currency of the average: that of the product.
    pub currency: Currency,
}

/// A change of what a unit of something has cost on average.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CostChange {
    pub id: CostChangeId,
    pub sku: Sku,
    pub reason: CostReason,
    /// Identifier of the cause, e.g. of a receipt.
    pub reference: Option<String>,
    /// How many there were just before, wherever they lay.
    pub on_hand: Measure,
    /// `None` while it was not known.
    pub before: Option<Amount>,
    pub after: Option<Amount>,
    pub currency: Currency,
    pub note: Option<String>,
    pub created_at: Timestamp,
}

/// Which changes are listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CostFilter {
    pub product: Option<ProductId>,
    pub variant: Option<VariantId>,
}

/// A wanted page of changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CostQuery {
    pub filter: CostFilter,
    pub page: PageRequest,
}

/// A cost to be set by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewCost {
    pub named: Named,
    /// `None`: it is not known any more.
    pub average: Option<Amount>,
    /// That of the product when absent.
    pub currency: Option<Currency>,
}

/// Costs to be set by hand, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Revalue {
    pub note: Option<String>,
    /// The caller's own reference.
    pub reference: Option<String>,
    /// 1 to [`LINES_MAX`](crate::adjustment::LINES_MAX) lines.
    pub lines: Vec<NewCost>,
}

/// The average once `quantity` units at `cost` have joined those there are: (Q·a + q·c) / (Q + q), rounded to the millionth,
/// half away from zero. It is `cost` where there were none, or nobody knew what they had cost.
#[must_use]
pub fn joined(valued: Valued, quantity: Quantity, cost: Amount) -> Amount {
    match valued.average {
        Some(average) if valued.on_hand > 0 => {
            let value = worth(valued.on_hand, average) + worth(quantity, cost);
            average_of(value, valued.on_hand + quantity).unwrap_or(cost)
        }
        _ => cost,
    }
}

/// The average once `quantity` units that came at `cost` have left again: (Q·a − q·c) / (Q − q). It stays what it is where none
/// are left, or where later receipts would leave the rest below zero.
#[must_use]
pub fn parted(valued: Valued, quantity: Quantity, cost: Amount) -> Option<Amount> {
    let average = valued.average?;
    let value = worth(valued.on_hand, average) - worth(quantity, cost);
    let rest = average_of(value, valued.on_hand - quantity);
    rest.filter(|rest| !rest.is_negative()).or(Some(average))
}

/// What so many of the smallest unit are worth, in millionths of what a unit costs: beyond the range of an amount where there
/// are many.
#[must_use]
pub fn worth(quantity: Quantity, cost: Amount) -> i128 {
    i128::from(quantity) * i128::from(cost.micros())
}

/// Units that people move, and what they are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// How many there are.
    pub units: Measure,
    /// What those are worth whose cost is known, by currency.
    pub values: BTreeMap<Currency, Amount>,
}

/// What moves, more or fewer of each at what a unit has cost on average; what it is worth is rounded once for each currency, half
/// away from zero.
#[must_use]
pub fn moved(parts: impl IntoIterator<Item = (Measure, Option<Amount>, Currency)>) -> Moved {
    let (mut units, mut values) = (Measure::ZERO, BTreeMap::<Currency, i128>::new());
    for (delta, average, currency) in parts {
        units += delta.abs();
        if let Some(average) = average {
            *values.entry(currency).or_default() += worth(delta.abs().thousandths(), average);
        }
    }
    let most = |thousandths: i128| {
        i64::try_from((thousandths + 500) / 1_000)
            .map_or(Amount::MAX, |value| Amount::from_micros(value).min(Amount::MAX))
    };
    let values = values.into_iter().map(|(currency, value)| (currency, most(value))).collect();
    Moved { units, values }
}

/// A value shared among units, half away from zero; `None` where there are none, or beyond every amount.
fn average_of(value: i128, units: Quantity) -> Option<Amount> {
    let units = i128::from(units);
    if units <= 0 {
        return None;
    }
    let half = units / 2 * value.signum();
    let micros = (value + half) / units;
    let micros = i64::try_from(micros).ok()?;
    Some(Amount::from_micros(micros)).filter(|amount| amount.micros() <= Amount::MAX.micros())
}

/// Sets costs by hand. `skus` are what the lines of the command name, `valued` what is known of each; every line is
/// on record, though it says what is known.
///
/// # Errors
/// Lines that name the same, or state a cost in another currency than that of the product.
pub fn revalue(
    new: &Revalue,
    skus: &[Sku],
    valued: impl Fn(Sku) -> Valued,
    mut id: impl FnMut() -> CostChangeId,
    now: Timestamp,
) -> Result<Vec<CostChange>, Refused<StockError>> {
    let (mut faults, mut changes) = (Vec::new(), Vec::<CostChange>::new());
    for (index, (line, sku)) in new.lines.iter().zip(skus).enumerate() {
        let known = valued(*sku);
        if let Some(fault) = other_currency(index, "averageCost", line.currency, known.currency) {
            faults.push(fault);
            continue;
        }
        if let Some(other) = skus.iter().take(index).position(|other| other == sku) {
            let problem = message!(
                "names the same product as items[{other}]",
                "nombra el mismo producto que items[{other}]"
            );
            faults.push(FieldFault::new(format!("items[{index}]"), problem));
            continue;
        }
        changes.push(CostChange {
            id: id(),
            sku: *sku,
            reason: CostReason::Revaluation,
            reference: new.reference.clone(),
            on_hand: sku.measure(known.on_hand),
            before: known.average,
            after: line.average,
            currency: known.currency,
            note: new.note.clone(),
            created_at: now,
        });
    }
    if faults.is_empty() { Ok(changes) } else { Err(Refused::Invalid(faults)) }
}

/// What is wrong with a cost of a line in this currency.
pub(crate) fn other_currency(
    index: usize,
    field: &str,
    stated: Option<Currency>,
    own: Currency,
) -> Option<FieldFault> {
    let stated = stated.filter(|stated| *stated != own)?;
    let problem = message!(
        "is in {stated}, but the product is sold in {own}; state its cost in {own}",
        "está en {stated}, pero el producto se vende en {own}; hay que indicar su costo en {own}"
    );
    Some(FieldFault::new(format!("items[{index}].{field}"), problem))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn valued(on_hand: Quantity, average: Option<i64>) -> Valued {
        let average = average.map(Amount::from_micros);
        Valued { on_hand, average, currency: Currency::MXN }
    }

    #[test]
    fn what_moves_is_worth_what_is_known_of_it_in_each_currency() {
        let (mxn, usd) = (Currency::MXN, Currency::parse("USD").unwrap());
        let cost = |micros| Some(Amount::from_micros(micros));
        let parts = [(-4, cost(250), mxn), (3, cost(100), mxn), (-2, cost(7), usd), (9, None, usd)];
        let whole = |(delta, average, currency)| (Measure::whole(delta), average, currency);
        let Moved { units, values } = moved(parts.map(whole));
        assert_eq!(units, Measure::whole(18));
        let values: Vec<_> = values.into_iter().map(|(of, value)| (of, value.micros())).collect();
        let mut wanted = vec![(mxn, 1_300), (usd, 14)];
        wanted.sort();
        assert_eq!(values, wanted);
        assert_eq!(moved([(5, None, mxn)].map(whole)).values.len(), 0);
        let most = moved([(1_000_000_000, Some(Amount::MAX), mxn)].map(whole));
        assert_eq!(most.values[&mxn], Amount::MAX);
        // 350 g at 0.000001 and 150 g at 0.000001 are half a millionth together.
        let grams = |grams, micros| (Measure::from_thousandths(grams), cost(micros), mxn);
        let small = moved([grams(350, 1), grams(-150, 1)]);
        assert_eq!((small.units.to_string().as_str(), small.values[&mxn].micros()), ("0.5", 1));
        assert_eq!(moved([grams(499, 1)]).values[&mxn], Amount::ZERO);
    }

    #[test]
    fn an_average_is_weighted_and_rounded_half_away_from_zero() {
        let amount = Amount::from_micros;
        for (before, quantity, cost, after) in [
            (valued(10, Some(10_000_000)), 10, 20_000_000, 15_000_000),
            (valued(0, Some(10_000_000)), 3, 7_000_000, 7_000_000),
            (valued(5, None), 3, 7_000_000, 7_000_000),
            (valued(1, Some(1)), 1, 2, 2),
            (valued(2, Some(1)), 1, 2, 1),
            (valued(1, Some(0)), 2, 1, 1),
        ] {
            assert_eq!(joined(before, quantity, amount(cost)), amount(after), "{before:?}");
        }
        let largest = valued(1_000_000_000, Some(Amount::MAX.micros()));
        assert_eq!(joined(largest, 1_000_000_000, Amount::MAX), Amount::MAX);
    }

    #[test]
    fn what_leaves_again_takes_its_cost_with_it() {
        let amount = Amount::from_micros;
        let sixteen = valued(20, Some(15_000_000));
        assert_eq!(parted(sixteen, 10, amount(20_000_000)), Some(amount(10_000_000)));
        assert_eq!(parted(valued(10, Some(9)), 10, amount(5)), Some(amount(9)), "none are left");
        assert_eq!(parted(valued(3, Some(5)), 2, amount(50)), Some(amount(5)), "below zero");
        assert_eq!(parted(valued(3, None), 2, amount(50)), None);
    }

    proptest! {
        #[test]
        fn an_average_lies_between_its_parts_and_loses_less_than_half_a_millionth_a_unit(
            on_hand in 1i64..=1_000_000_000,
            average in 0i64..=Amount::MAX.micros(),
            quantity in 1i64..=1_000_000_000,
            cost in 0i64..=Amount::MAX.micros(),
        ) {
            let before = valued(on_hand, Some(average));
            let cost = Amount::from_micros(cost);
            let after = joined(before, quantity, cost);
            prop_assert!(after >= Amount::from_micros(average).min(cost));
            prop_assert!(after <= Amount::from_micros(average).max(cost));
            let value = worth(on_hand, Amount::from_micros(average)) + worth(quantity, cost);
            let units = on_hand + quantity;
            let lost = (worth(units, after) - value).abs();
            prop_assert!(lost * 2 <= i128::from(units), "{lost} of {units} units");
        }

        #[test]
        fn what_joins_and_leaves_again_changes_an_average_by_no_more_than_the_rounding(
            on_hand in 1i64..1_000_000,
            average in 0i64..1_000_000_000_000,
            quantity in 1i64..1_000_000,
            cost in 0i64..1_000_000_000_000,
        ) {
            let before = valued(on_hand, Some(average));
            let cost = Amount::from_micros(cost);
            let after = Valued { on_hand: on_hand + quantity, average: Some(joined(before, quantity, cost)), ..before };
            let again = parted(after, quantity, cost).unwrap();
            // Half a millionth for each unit of both, shared among those that stay, and the rounding of that.
            let most = (on_hand + quantity) / (2 * on_hand) + 1;
            // Where the rounding left less than nothing, the average of both stays.
            let is_kept = Some(again) == after.average;
            prop_assert!(is_kept || (again.micros() - average).abs() <= most, "{average} {again:?}");
        }
    }
}
