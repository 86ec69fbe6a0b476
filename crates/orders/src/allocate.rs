//! Where what an order sells is taken from.

use std::collections::BTreeMap;

use kernel::Quantity;

use crate::{ItemSku, order::WarehouseId};

/// What one line takes from one warehouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Place of the line in the order, from 0.
    pub line: usize,
    /// Where from.
    pub warehouse: WarehouseId,
    /// How many units.
    pub quantity: Quantity,
}

/// More is asked for than all warehouses together have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfStock {
    /// What is lacking.
    pub sold: ItemSku,
    /// Total quantity asked for, across all lines.
    pub asked: Quantity,
    /// What the warehouses have.
    pub available: Quantity,
}

/// Allocates lines to warehouses, which are in the order of their priority: all of them to the first one that has the
/// whole order; otherwise each to the first one that has all of the line, and what no single one has to several.
///
/// # Errors
/// [`OutOfStock`] of the first product that too little is there of.
pub fn allocate(
    lines: &[(ItemSku, Quantity)],
    levels: impl Fn(ItemSku, WarehouseId) -> Quantity,
    warehouses: &[WarehouseId],
) -> Result<Vec<Taken>, OutOfStock> {
    let mut asked: BTreeMap<ItemSku, Quantity> = BTreeMap::new();
    for (sold, quantity) in lines {
        *asked.entry(*sold).or_default() += quantity;
    }
    for (sold, asked) in &asked {
        let available = warehouses.iter().map(|warehouse| levels(*sold, *warehouse)).sum();
        if *asked > available {
            return Err(OutOfStock { sold: *sold, asked: *asked, available });
        }
    }
    let has_all = |warehouse: &&WarehouseId| {
        asked.iter().all(|(sold, asked)| *asked <= levels(*sold, **warehouse))
    };
    if let Some(warehouse) = warehouses.iter().find(has_all) {
        let whole = |(line, (_, quantity)): (usize, &(ItemSku, Quantity))| Taken {
            line,
            warehouse: *warehouse,
            quantity: *quantity,
        };
        return Ok(lines.iter().enumerate().map(whole).collect());
    }
    Ok(line_by_line(lines, levels, warehouses))
}

/// Allocates each line by itself to what the lines before have left; all of them together are there.
fn line_by_line(
    lines: &[(ItemSku, Quantity)],
    levels: impl Fn(ItemSku, WarehouseId) -> Quantity,
    warehouses: &[WarehouseId],
) -> Vec<Taken> {
    let mut gone: BTreeMap<(ItemSku, WarehouseId), Quantity> = BTreeMap::new();
    let mut taken = Vec::with_capacity(lines.len());
    for (line, (sold, quantity)) in lines.iter().enumerate() {
        let left = |gone: &BTreeMap<_, Quantity>, warehouse| {
            levels(*sold, warehouse) - gone.get(&(*sold, warehouse)).copied().unwrap_or_default()
        };
        let has_line = |warehouse: &&WarehouseId| left(&gone, **warehouse) >= *quantity;
        let whole = warehouses.iter().find(has_line);
        let mut wanted = *quantity;
        for warehouse in whole.map_or(warehouses, std::slice::from_ref) {
            let part = left(&gone, *warehouse).min(wanted);
            if part > 0 {
                wanted -= part;
                *gone.entry((*sold, *warehouse)).or_default() += part;
                taken.push(Taken { line, warehouse: *warehouse, quantity: part });
            }
        }
    }
    taken
}

/// Which of the parts of a line that are promised from warehouses are not needed any more: those of the `named` warehouse
/// first, then the smallest, so that as few places as possible ship.
#[must_use]
pub fn released(
    parts: &[(WarehouseId, Quantity)],
    quantity: Quantity,
    named: Option<WarehouseId>,
) -> Vec<(WarehouseId, Quantity)> {
    let mut parts = parts.to_vec();
    parts.sort_by_key(|(warehouse, part)| (Some(*warehouse) != named, *part, *warehouse));
    let mut wanted = quantity;
    let mut taken = Vec::new();
    for (warehouse, part) in parts {
        let part = part.min(wanted);
        if part > 0 {
            wanted -= part;
            taken.push((warehouse, part));
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::order::ItemProductId;

    fn sku(product: usize) -> ItemSku {
        ItemSku { product: ItemProductId::from_u128(product as u128), variant: None }
    }

    fn warehouses(count: usize) -> Vec<WarehouseId> {
        (0..count).map(|number| WarehouseId::from_u128(number as u128)).collect()
    }

    /// Line, warehouse and quantity.
    type Part = (usize, usize, Quantity);

    /// What lines of product and quantity take of stock by warehouse and product, as line, warehouse and quantity.
    fn taken(
        lines: &[(usize, Quantity)],
        stock: &[&[Quantity]],
    ) -> Result<Vec<Part>, (Quantity, Quantity)> {
        let lines: Vec<_> =
            lines.iter().map(|(product, quantity)| (sku(*product), *quantity)).collect();
        let levels = |sold: ItemSku, warehouse: WarehouseId| {
            stock[warehouse.to_u128() as usize][sold.product.to_u128() as usize]
        };
        let taken = allocate(&lines, levels, &warehouses(stock.len()));
        taken.map_err(|out| (out.asked, out.available)).map(|taken| {
            let plain = taken.iter();
            plain
                .map(|part| (part.line, part.warehouse.to_u128() as usize, part.quantity))
                .collect()
        })
    }

    #[test]
    fn the_first_with_the_whole_order_has_all_of_it() {
        assert_eq!(
            taken(&[(0, 2), (1, 2)], &[&[9, 1], &[2, 2], &[9, 9]]),
            Ok(vec![(0, 1, 2), (1, 1, 2)])
        );
        // Lines of one product count together.
        assert_eq!(taken(&[(0, 2), (0, 2)], &[&[3], &[4]]), Ok(vec![(0, 1, 2), (1, 1, 2)]));
    }

    #[test]
    fn otherwise_lines_stay_whole_and_are_split_last() {
        assert_eq!(taken(&[(0, 3), (1, 2)], &[&[3, 0], &[1, 2]]), Ok(vec![(0, 0, 3), (1, 1, 2)]));
        assert_eq!(
            taken(&[(0, 5), (1, 1)], &[&[2, 0], &[2, 0], &[2, 1]]),
            Ok(vec![(0, 0, 2), (0, 1, 2), (0, 2, 1), (1, 2, 1)])
        );
        assert_eq!(taken(&[(0, 3), (0, 2)], &[&[2], &[3]]), Ok(vec![(0, 1, 3), (1, 0, 2)]));
    }

    #[test]
    fn the_smallest_parts_are_given_up_first() {
        let [a, b, c] = [1, 2, 3].map(WarehouseId::from_u128);
        let parts = [(a, 4), (b, 2), (c, 3)];
        assert_eq!(released(&parts, 3, None), [(b, 2), (c, 1)]);
        assert_eq!(released(&parts, 5, Some(a)), [(a, 4), (b, 1)]);
        assert_eq!(released(&parts, 9, None), [(b, 2), (c, 3), (a, 4)]);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        assert_eq!(taken(&[(0, 3), (0, 3)], &[&[2], &[3]]), Err((6, 5)));
        assert_eq!(taken(&[(0, 1)], &[]), Err((1, 0)));
    }

    proptest! {
        /// No split takes more than there is, every line is taken whole, and what is there in all is always enough.
        #[test]
        fn no_split_oversells(
            stock in prop::collection::vec(prop::collection::vec(0i64..12, 3), 1..6),
            lines in prop::collection::vec((0usize..3, 1i64..15), 1..8),
        ) {
            let rows: Vec<&[Quantity]> = stock.iter().map(Vec::as_slice).collect();
            let asked = |product| lines.iter().filter(|line| line.0 == product).map(|line| line.1).sum::<i64>();
            let there = |product: usize| stock.iter().map(|row| row[product]).sum::<i64>();
            match taken(&lines, &rows) {
                Err(_) => prop_assert!((0..3).any(|product| asked(product) > there(product))),
                Ok(taken) => {
                    for (line, (_, quantity)) in lines.iter().enumerate() {
                        let parts: i64 = taken.iter().filter(|part| part.0 == line).map(|part| part.2).sum();
                        prop_assert_eq!(parts, *quantity);
                    }
                    for (warehouse, row) in stock.iter().enumerate() {
                        for (product, there) in row.iter().enumerate() {
                            let of = |part: &&(usize, usize, Quantity)| part.1 == warehouse && lines[part.0].0 == product;
                            let gone: i64 = taken.iter().filter(of).map(|part| part.2).sum();
                            prop_assert!(gone <= *there);
                        }
                    }
                    prop_assert!(taken.iter().all(|part| part.2 > 0));
                }
            }
        }
    }
}
