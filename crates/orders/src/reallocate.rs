//! Reallocation: what is promised to an order from one warehouse is promised from another one instead.
//!
//! Only what was not shipped yet can be, since it still lies where it is promised from.

use std::collections::BTreeMap;

use kernel::{FieldFault, Measure, Message, Quantity, Refusal, Timestamp, message};

use crate::{
    ItemSku, Order, OrderStatus, WarehouseId, order::no_such_line, shipments::LineProgress,
};

/// Units of a line that are to be promised from another warehouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reallocation {
    /// Place of the line in the order, from 0.
    pub line: usize,
    /// How many units.
    pub quantity: Measure,
    /// Where they are promised from.
    pub from: WarehouseId,
    /// Where they are to be promised from.
    pub to: WarehouseId,
}

/// Why an order stays promised from where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReallocateError {
    /// The order is not in a status for it.
    WrongStatus {
        /// Its status.
        status: OrderStatus,
    },
    /// More is to go than is promised from there and was not shipped yet.
    TooMany {
        /// Which line, starting at 1.
        line: usize,
        /// What is open there.
        open: Measure,
    },
    /// More is asked of a warehouse than it has.
    OutOfStock {
        /// The SKU that is lacking.
        sku: String,
        /// What is asked of it.
        asked: Measure,
        /// What it has.
        available: Measure,
    },
    /// Orders are promised from one warehouse until the upgrade to this release is finished.
    UpgradeUnfinished,
}

/// What comes of a reallocation: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reallocated {
    /// The order.
    pub order: Order,
    /// By how much what each warehouse is promised of something changes: what it has to sell changes by as much the other way.
    pub promised: BTreeMap<(ItemSku, WarehouseId), Quantity>,
}

/// Has parts of an order promised from other warehouses. `progress` is that of each line, `warehouses` all that the account
/// has with whether goods are sold from them, and `available` what can be promised there.
///
/// # Errors
/// [`Refusal`]; nothing changes then.
pub fn reallocate(
    before: &Order,
    parts: &[Reallocation],
    progress: &[LineProgress],
    warehouses: &BTreeMap<WarehouseId, bool>,
    available: impl Fn(ItemSku, WarehouseId) -> Quantity,
    now: Timestamp,
) -> Result<Reallocated, Refusal<ReallocateError>> {
    let rule = |error| Err(Refusal::Rule(error));
    if !matches!(before.status, OrderStatus::Pending | OrderStatus::Paid) {
        return rule(ReallocateError::WrongStatus { status: before.status });
    }
    let faults = misnamed(before, parts, warehouses);
    if !faults.is_empty() {
        return Err(Refusal::Invalid(faults));
    }
    let mut taken: BTreeMap<(usize, WarehouseId), Quantity> = BTreeMap::new();
    let mut promised: BTreeMap<(ItemSku, WarehouseId), Quantity> = BTreeMap::new();
    for part in parts {
        let Some(item) = before.items.get(part.line) else { continue };
        let quantity = part.quantity.quantity(item.decimals);
        *taken.entry((part.line, part.from)).or_default() += quantity;
        *promised.entry((item.sold, part.from)).or_default() -= quantity;
        *promised.entry((item.sold, part.to)).or_default() += quantity;
    }
    for ((line, warehouse), quantity) in taken {
        let open = progress.get(line).map_or(0, |line| line.open_in(warehouse));
        if quantity > open {
            let item = before.items.get(line);
            let open = item.map_or(Measure::ZERO, |item| item.measure(open));
            return rule(ReallocateError::TooMany { line: line + 1, open });
        }
    }
    // What lines give each other needs no stock.
    promised.retain(|_, change| *change != 0);
    for ((sold, warehouse), asked) in &promised {
        let available = available(*sold, *warehouse);
        if *asked > available {
            let item = before.items.iter().find(|item| item.sold == *sold);
            let sku = item.map(|item| item.sku.clone()).unwrap_or_default();
            let decimals = item.map(|item| item.decimals).unwrap_or_default();
            let [asked, available] =
                [*asked, available].map(|quantity| Measure::of(quantity, decimals));
            return rule(ReallocateError::OutOfStock { sku, asked, available });
        }
    }
    let order = Order { updated_at: now, version: before.version + 1, ..before.clone() };
    Ok(Reallocated { order, promised })
}

fn misnamed(
    order: &Order,
    parts: &[Reallocation],
    warehouses: &BTreeMap<WarehouseId, bool>,
) -> Vec<FieldFault> {
    let count = order.items.len();
    let mut faults = Vec::new();
    let mut refuse = |index: usize, field: &str, problem: Message| {
        faults.push(FieldFault::new(format!("items[{index}].{field}"), problem));
    };
    for (index, part) in parts.iter().enumerate() {
        let is_same = |other: &Reallocation| {
            (other.line, other.from, other.to) == (part.line, part.from, part.to)
        };
        let item = order.items.get(part.line);
        if let Some(Err(problem)) = item.map(|item| part.quantity.kept(item.decimals)) {
            refuse(index, "quantity", problem);
        }
        if part.line >= count {
            refuse(index, "line", no_such_line(count));
        } else if parts.iter().take(index).any(is_same) {
            refuse(
                index,
                "line",
                message!("is named twice: add the quantities up", "se repite: sume las cantidades"),
            );
        }
        if !warehouses.contains_key(&part.from) {
            refuse(
                index,
                "from",
                message!(
                    "names no warehouse of this account",
                    "no corresponde a ningún almacén de esta cuenta"
                ),
            );
        }
        if !warehouses.get(&part.to).copied().unwrap_or_default() {
            refuse(
                index,
                "to",
                message!(
                    "names no warehouse of this account that goods are sold from",
                    "no corresponde a ningún almacén de esta cuenta del que se venda"
                ),
            );
        } else if part.from == part.to {
            refuse(
                index,
                "to",
                message!(
                    "must be another warehouse than from",
                    "debe ser un almacén distinto de from"
                ),
            );
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{order::ItemProductId, update::tests::order};

    const NOW: Timestamp = Timestamp::from_micros(7);
    const PLACES: [WarehouseId; 3] =
        [WarehouseId::from_u128(1), WarehouseId::from_u128(2), WarehouseId::from_u128(3)];
    const HOME: WarehouseId = PLACES[0];
    const NORTH: WarehouseId = PLACES[1];
    /// Goods are not sold from it.
    const QUARANTINE: WarehouseId = PLACES[2];

    fn warehouses() -> BTreeMap<WarehouseId, bool> {
        BTreeMap::from([(HOME, true), (NORTH, true), (QUARANTINE, false)])
    }

    /// An order with two lines of the same product.
    fn ordered() -> Order {
        let mut order = order();
        order.items.push(order.items[0].clone());
        order
    }

    fn open(lines: &[&[(WarehouseId, Quantity)]]) -> Vec<LineProgress> {
        let line = |open: &&[(WarehouseId, Quantity)]| LineProgress {
            open: open.to_vec(),
            ..LineProgress::default()
        };
        lines.iter().map(line).collect()
    }

    fn part(line: usize, quantity: Quantity, from: WarehouseId, to: WarehouseId) -> Reallocation {
        Reallocation { line, quantity: Measure::whole(quantity), from, to }
    }

    fn attempt(
        parts: &[Reallocation],
        available: Quantity,
    ) -> Result<Reallocated, Refusal<ReallocateError>> {
        let progress = open(&[&[(HOME, 2)], &[(NORTH, 1)]]);
        reallocate(&ordered(), parts, &progress, &warehouses(), |_, _| available, NOW)
    }

    #[test]
    fn what_is_open_goes_where_there_is_enough() {
        let order = ordered();
        let sold = order.items[0].sold;
        let moved = attempt(&[part(0, 2, HOME, NORTH)], 2).unwrap();
        assert_eq!(moved.promised, BTreeMap::from([((sold, HOME), -2), ((sold, NORTH), 2)]));
        assert_eq!((moved.order.version, moved.order.updated_at), (order.version + 1, NOW));
        let refused = |parts: &[Reallocation], available| attempt(parts, available).unwrap_err();
        let rule = Refusal::Rule;
        let [none, one, two] = [0, 1, 2].map(Measure::whole);
        let (sku, asked, available) = ("T".to_owned(), two, one);
        let lacking = ReallocateError::OutOfStock { sku, asked, available };
        assert_eq!(refused(&[part(0, 2, HOME, NORTH)], 1), rule(lacking));
        let too_many = ReallocateError::TooMany { line: 1, open: two };
        assert_eq!(refused(&[part(0, 3, HOME, NORTH)], 9), rule(too_many));
        let too_many = ReallocateError::TooMany { line: 2, open: none };
        assert_eq!(refused(&[part(1, 1, HOME, NORTH)], 9), rule(too_many));
    }

    #[test]
    fn lines_may_change_places_where_nothing_is_left() {
        let swapped = attempt(&[part(0, 1, HOME, NORTH), part(1, 1, NORTH, HOME)], 0).unwrap();
        assert!(swapped.promised.is_empty());
    }

    #[test]
    fn fields_that_are_wrong_are_named() {
        let elsewhere = WarehouseId::from_u128(9);
        let twice = [part(0, 1, HOME, NORTH), part(0, 1, HOME, NORTH)];
        for (parts, field) in [
            (vec![part(2, 1, HOME, NORTH)], "items[0].line"),
            (twice.to_vec(), "items[1].line"),
            (vec![part(0, 1, elsewhere, NORTH)], "items[0].from"),
            (vec![part(0, 1, HOME, elsewhere)], "items[0].to"),
            (vec![part(0, 1, HOME, QUARANTINE)], "items[0].to"),
            (vec![part(0, 1, HOME, HOME)], "items[0].to"),
        ] {
            let Err(Refusal::Invalid(faults)) = attempt(&parts, 9) else {
                panic!("{field}");
            };
            assert_eq!(
                faults.iter().map(|fault| fault.field.as_str()).collect::<Vec<_>>(),
                [field]
            );
        }
    }

    #[test]
    fn an_order_that_is_not_open_stays_as_it_is() {
        for status in [OrderStatus::Shipped, OrderStatus::Delivered, OrderStatus::Cancelled] {
            let order = Order { status, ..ordered() };
            let refused = reallocate(&order, &[], &[], &warehouses(), |_, _| 9, NOW).unwrap_err();
            let error = ReallocateError::WrongStatus { status };
            assert_eq!(refused, Refusal::Rule(error));
        }
    }

    proptest! {
        /// Nothing is made or lost, no warehouse gives more than it has, and no line more than it is promised.
        #[test]
        fn what_is_promised_stays_as_much(
            open_there in prop::collection::vec(prop::collection::vec(0i64..6, 2), 2),
            stock in prop::collection::vec(0i64..6, 2),
            wanted in prop::collection::vec((0usize..2, 1i64..5, 0usize..2), 1..4),
            is_same in any::<bool>(),
        ) {
            let mut order = ordered();
            if !is_same {
                order.items[1].sold.product = ItemProductId::from_u128(8);
            }
            let open_of = |line: &Vec<Quantity>| LineProgress {
                open: PLACES.into_iter().zip(line.iter().copied()).collect(),
                ..LineProgress::default()
            };
            let progress: Vec<_> = open_there.iter().map(open_of).collect();
            let parts: Vec<_> = wanted
                .iter()
                .map(|(line, quantity, from)| part(*line, *quantity, PLACES[*from], PLACES[1 - from]))
                .collect();
            let available = |_: ItemSku, place: WarehouseId| stock[place.to_u128() as usize - 1];
            let tried = reallocate(&order, &parts, &progress, &warehouses(), available, NOW);
            let Ok(moved) = tried else { return Ok(()) };
            prop_assert_eq!(moved.promised.values().sum::<Quantity>(), 0);
            for ((_, place), change) in &moved.promised {
                prop_assert!(*change <= stock[place.to_u128() as usize - 1]);
            }
            for (line, there) in open_there.iter().enumerate() {
                for (place, open) in PLACES.iter().zip(there) {
                    let of = |part: &&Reallocation| part.line == line && part.from == *place;
                    let moved: Measure = parts.iter().filter(of).map(|part| part.quantity).sum();
                    prop_assert!(moved <= Measure::whole(*open));
                }
            }
        }
    }
}
