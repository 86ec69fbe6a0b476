//! Receipts: goods that came from suppliers, and what they cost.

use std::collections::BTreeMap;

use kernel::{Amount, Currency, FieldFault, Measure, Refused, Timestamp, quantity::QUANTITY_MAX};

use crate::{
    Level, Move, Reason, Sku, StockError, WarehouseId,
    adjustment::{Named, too_many},
    cost::{CostReason, Valued, joined, other_currency, parted},
};

kernel::ids! {
    /// A receipt's identifier.
    ReceiptId = "rcp";
}

/// What has become of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReceiptStatus {
    /// The goods are in stock.
    Received,
    /// They were taken out again.
    Cancelled,
}

impl ReceiptStatus {
    /// Every status.
    pub const EVERY: &'static [Self] = &[Self::Received, Self::Cancelled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A line of a receipt to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewReceiptLine {
    /// Where; in the default warehouse when absent.
    pub warehouse: Option<WarehouseId>,
    pub named: Named,
    /// Above 0.
    pub quantity: Measure,
    /// What a unit costs; the average of what there is when absent.
    pub unit_cost: Option<Amount>,
}

/// A receipt to be recorded; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewReceipt {
    pub supplier: Option<String>,
    /// The caller's own reference, e.g. the number of an invoice.
    pub reference: Option<String>,
    pub note: Option<String>,
    /// Currency of the costs; that of each product when absent.
    pub currency: Option<Currency>,
    /// When the goods came; for the record only.
    pub received_at: Option<Timestamp>,
    /// 1 to [`LINES_MAX`](crate::adjustment::LINES_MAX) lines.
    pub lines: Vec<NewReceiptLine>,
}

/// A line of a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ReceiptLine {
    pub sku: Sku,
    pub warehouse: WarehouseId,
    pub quantity: Measure,
    /// What a unit of it counts for; `None` where neither the line nor the stock said.
    pub unit_cost: Option<Amount>,
    pub currency: Currency,
    /// What a unit had cost on average afterwards.
    pub average_cost: Option<Amount>,
    /// What was available there afterwards.
    pub available: Measure,
    /// What was on hand there afterwards.
    pub on_hand: Measure,
}

/// Goods that came from a supplier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Receipt {
    pub id: ReceiptId,
    pub status: ReceiptStatus,
    pub supplier: Option<String>,
    pub reference: Option<String>,
    pub note: Option<String>,
    pub received_at: Option<Timestamp>,
    pub lines: Vec<ReceiptLine>,
    pub created_at: Timestamp,
    pub cancelled_at: Option<Timestamp>,
}

/// What a receipt does to the average cost of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Revalued {
    pub sku: Sku,
    pub reason: CostReason,
    /// What was known before.
    pub before: Valued,
    pub after: Option<Amount>,
}

/// What comes of receiving goods or of cancelling that: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Received {
    pub record: Receipt,
    pub moves: Vec<Move>,
    /// The averages that change, each once.
    pub costs: Vec<Revalued>,
}

/// What there is of goods, changing from line to line.
struct Shelves<L, V> {
    level: L,
    valued: V,
    levels: BTreeMap<(Sku, WarehouseId), Level>,
    costs: BTreeMap<Sku, (Valued, Valued)>,
}

impl<L: Fn(Sku, WarehouseId) -> Level, V: Fn(Sku) -> Valued> Shelves<L, V> {
    const fn new(level: L, valued: V) -> Self {
        Self { level, valued, levels: BTreeMap::new(), costs: BTreeMap::new() }
    }

    fn level(&mut self, at: (Sku, WarehouseId)) -> &mut Level {
        let level = &self.level;
        self.levels.entry(at).or_insert_with(|| level(at.0, at.1))
    }

    fn valued(&mut self, sku: Sku) -> &mut Valued {
        let valued = &self.valued;
        let both = self.costs.entry(sku).or_insert_with(|| {
            let known = valued(sku);
            (known, known)
        });
        &mut both.1
    }

    fn revalued(self, reason: CostReason) -> Vec<Revalued> {
        let changed = self.costs.into_iter().filter(|(_, (was, is))| was.average != is.average);
        changed
            .map(|(sku, (before, is))| Revalued { sku, reason, before, after: is.average })
            .collect()
    }
}

/// Receives goods. `places` are what each line of the command names and where, `level` and `valued` what there is. Lines may
/// name the same: pieces of one delivery may differ in what they cost.
///
/// # Errors
/// Lines whose cost is in another currency than their product, or that lead to more than can be in stock.
pub fn receive(
    new: &NewReceipt,
    places: &[(Sku, WarehouseId)],
    level: impl Fn(Sku, WarehouseId) -> Level,
    valued: impl Fn(Sku) -> Valued,
    id: ReceiptId,
    now: Timestamp,
) -> Result<Received, Refused<StockError>> {
    let mut shelves = Shelves::new(level, valued);
    let (mut faults, mut lines, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (wanted, at)) in new.lines.iter().zip(places).enumerate() {
        let quantity = match wanted.quantity.kept(at.0.decimals) {
            Ok(quantity) => quantity,
            Err(problem) => {
                faults.push(FieldFault::new(format!("items[{index}].quantity"), problem));
                continue;
            }
        };
        let valued = shelves.valued(at.0);
        let own = valued.currency;
        let stated = new.currency.filter(|_| wanted.unit_cost.is_some());
        if let Some(fault) = other_currency(index, "unitCost", stated, own) {
            faults.push(fault);
            continue;
        }
        let unit_cost = wanted.unit_cost.or(valued.average);
        if let Some(cost) = wanted.unit_cost {
            valued.average = Some(joined(*valued, quantity, cost));
        }
        valued.on_hand += quantity;
        let average_cost = valued.average;
        let level = shelves.level(*at);
        level.available += quantity;
        let (sku, warehouse) = *at;
        if level.available > QUANTITY_MAX {
            faults.push(FieldFault::new(format!("items[{index}].quantity"), too_many(sku)));
            continue;
        }
        let [available, on_hand] =
            [level.available, level.on_hand()].map(|quantity| sku.measure(quantity));
        let moved = Move::new(*at, quantity, Reason::Receipt, &id.to_string());
        moves.push(Move { unit_cost, note: new.supplier.clone(), ..moved });
        let currency = own;
        lines.push(ReceiptLine {
            sku,
            warehouse,
            quantity: wanted.quantity,
            unit_cost,
            currency,
            average_cost,
            available,
            on_hand,
        });
    }
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults));
    }
    let costs = shelves.revalued(CostReason::Receipt);
    let NewReceipt { supplier, reference, note, received_at, .. } = new.clone();
    let status = ReceiptStatus::Received;
    let record = Receipt {
        id,
        status,
        supplier,
        reference,
        note,
        received_at,
        lines,
        created_at: now,
        cancelled_at: None,
    };
    Ok(Received { record, moves, costs })
}

/// Takes received goods out of stock again, and their cost out of the average. An average in another currency, since that of
/// the product has changed, has nothing of it: the goods go at the average then.
///
/// # Errors
/// [`StockError::ReceiptCancelled`], and [`StockError::BelowZero`] where they are not available any more.
pub fn cancel(
    receipt: &Receipt,
    level: impl Fn(Sku, WarehouseId) -> Level,
    valued: impl Fn(Sku) -> Valued,
    now: Timestamp,
) -> Result<Received, Refused<StockError>> {
    if receipt.status == ReceiptStatus::Cancelled {
        return Err(Refused::Rule(StockError::ReceiptCancelled));
    }
    let mut shelves = Shelves::new(level, valued);
    let mut moves = Vec::new();
    for (index, line) in receipt.lines.iter().enumerate() {
        let at = (line.sku, line.warehouse);
        let quantity = line.quantity.quantity(line.sku.decimals);
        let level = shelves.level(at);
        if level.available < quantity {
            return Err(Refused::Rule(StockError::BelowZero {
                field: format!("items[{index}]"),
                available: line.sku.measure(level.available),
                committed: line.sku.measure(level.committed),
            }));
        }
        level.available -= quantity;
        let valued = shelves.valued(line.sku);
        let is_in_it = line.currency == valued.currency;
        if let Some(cost) = line.unit_cost.filter(|_| is_in_it) {
            valued.average = parted(*valued, quantity, cost);
        }
        valued.on_hand -= quantity;
        let reference = receipt.id.to_string();
        let moved = Move::new(at, -quantity, Reason::ReceiptCancelled, &reference);
        let unit_cost = if is_in_it { line.unit_cost } else { valued.average };
        moves.push(Move { unit_cost, note: receipt.supplier.clone(), ..moved });
    }
    let mut record = receipt.clone();
    record.status = ReceiptStatus::Cancelled;
    record.cancelled_at = Some(now);
    Ok(Received { record, moves, costs: shelves.revalued(CostReason::ReceiptCancelled) })
}

#[cfg(test)]
mod tests {
    use kernel::{Decimals, Quantity};

    use super::*;
    use crate::ProductId;

    const PLACE: WarehouseId = WarehouseId::from_u128(1);
    const NOW: Timestamp = Timestamp::from_micros(1);
    const SKU: Sku = Sku::named(ProductId::from_u128(1), None);

    fn pesos(pesos: i64) -> Amount {
        Amount::from_micros(pesos * 1_000_000)
    }

    fn valued(on_hand: Quantity, average: Option<i64>) -> Valued {
        Valued { on_hand, average: average.map(pesos), currency: Currency::MXN }
    }

    fn received(
        lines: &[(Quantity, Option<i64>)],
        currency: Option<Currency>,
        known: Valued,
    ) -> Result<Received, Refused<StockError>> {
        let line = |(quantity, cost): &(Quantity, Option<i64>)| NewReceiptLine {
            warehouse: None,
            named: Named::Id(SKU),
            quantity: Measure::whole(*quantity),
            unit_cost: cost.map(pesos),
        };
        let new = NewReceipt {
            supplier: Some("Barro SA".to_owned()),
            reference: None,
            note: None,
            currency,
            received_at: None,
            lines: lines.iter().map(line).collect(),
        };
        let places = vec![(SKU, PLACE); lines.len()];
        let level = Level { available: known.on_hand, committed: 0 };
        receive(&new, &places, |_, _| level, |_| known, ReceiptId::from_u128(1), NOW)
    }

    #[test]
    fn lines_of_one_product_are_averaged_one_after_the_other() {
        let made =
            received(&[(10, Some(20)), (20, Some(30)), (5, None)], None, valued(10, Some(10)));
        let made = made.unwrap();
        let averages: Vec<_> = made.record.lines.iter().map(|line| line.average_cost).collect();
        let last = Amount::from_micros(22_500_000);
        assert_eq!(averages, [Some(pesos(15)), Some(last), Some(last)]);
        assert_eq!(made.record.lines[2].unit_cost, Some(last));
        assert_eq!(made.record.lines[2].available, Measure::whole(45));
        assert_eq!((made.costs.len(), made.costs[0].after), (1, Some(last)));
        let unknown = received(&[(5, None)], None, valued(1, None)).unwrap();
        assert_eq!((unknown.costs.len(), unknown.moves[0].unit_cost), (0, None));
    }

    #[test]
    fn costs_are_in_the_currency_of_the_product() {
        let dollars = Currency::parse("USD").unwrap();
        let refused = received(&[(1, Some(1))], Some(dollars), valued(0, None));
        let Refused::Invalid(faults) = refused.unwrap_err() else { panic!("not a fault") };
        assert_eq!(faults[0].field, "items[0].unitCost");
        assert!(received(&[(1, None)], Some(dollars), valued(0, None)).is_ok());
    }

    #[test]
    fn a_cost_in_another_currency_is_in_no_average() {
        let made = received(&[(10, Some(20))], None, valued(0, None)).unwrap().record;
        let level = |_, _| Level { available: 12, committed: 0 };
        let dollars = Currency::parse("USD").unwrap();
        for average in [None, Some(3)] {
            let known = Valued { currency: dollars, ..valued(12, average) };
            let undone = cancel(&made, level, |_| known, NOW).unwrap();
            assert!(undone.costs.is_empty());
            assert_eq!(undone.moves[0].unit_cost, average.map(pesos));
        }
    }

    #[test]
    fn a_cancelled_receipt_takes_its_goods_and_its_cost_back_once() {
        let made = received(&[(10, Some(20))], None, valued(10, Some(10))).unwrap().record;
        let level = |available| move |_, _| Level { available, committed: 3 };
        let undone = cancel(&made, level(12), |_| valued(20, Some(15)), NOW).unwrap();
        assert_eq!(undone.moves[0].delta, -10);
        assert_eq!(undone.costs[0].after, Some(pesos(10)));
        let refused = cancel(&made, level(9), |_| valued(12, Some(15)), NOW).unwrap_err();
        let nine = Measure::whole(9);
        assert!(
            matches!(refused, Refused::Rule(StockError::BelowZero { available, .. }) if available == nine)
        );
        let twice = cancel(&undone.record, level(12), |_| valued(20, Some(15)), NOW).unwrap_err();
        assert!(matches!(twice, Refused::Rule(StockError::ReceiptCancelled)));
    }

    #[test]
    fn what_is_weighed_costs_by_the_kilogram() {
        let cheese = SKU.with_decimals(Decimals::Three);
        let line = |thousandths, cost: &str| NewReceiptLine {
            warehouse: None,
            named: Named::Id(SKU),
            quantity: Measure::from_thousandths(thousandths),
            unit_cost: Some(Amount::parse(cost).unwrap()),
        };
        let new = |lines| NewReceipt {
            supplier: None,
            reference: None,
            note: None,
            currency: None,
            received_at: None,
            lines,
        };
        let receive = |new: &NewReceipt, sku| {
            let level = |_, _| Level { available: 1_500, committed: 0 };
            let known = |_| valued(1_500, Some(100));
            receive(new, &[(sku, PLACE)], level, known, ReceiptId::from_u128(1), NOW)
        };
        // 1.5 kg at 100 and 0.5 kg at 120 are 2 kg at 105.
        let made = receive(&new(vec![line(500, "120")]), cheese).unwrap();
        assert_eq!((made.moves[0].delta, made.costs[0].after), (500, Some(pesos(105))));
        assert_eq!(made.record.lines[0].available, Measure::whole(2));
        let back = cancel(
            &made.record,
            |_, _| Level { available: 2_000, committed: 0 },
            |_| valued(2_000, Some(105)),
            NOW,
        );
        let back = back.unwrap();
        assert_eq!((back.moves[0].delta, back.costs[0].after), (-500, Some(pesos(100))));
        let refused = receive(&new(vec![line(1_500, "1")]), SKU).unwrap_err();
        let Refused::Invalid(faults) = refused else { panic!("not a fault") };
        assert_eq!(faults[0].field, "items[0].quantity");
    }
}
