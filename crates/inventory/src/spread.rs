//! What a change of the stock of a whole account does to its warehouses.

use kernel::Quantity;

use crate::WarehouseId;

/// Spreads a change over warehouses, the default one first and the others in the order of their priority, each with what
/// it has: what is added goes to the default one, what is taken comes from it and, where it has too little, from the
/// others. Nobody takes more than they have together.
#[must_use]
pub fn spread(delta: Quantity, levels: &[(WarehouseId, Quantity)]) -> Vec<(WarehouseId, Quantity)> {
    if delta >= 0 {
        let default = levels.first().filter(|_| delta > 0);
        return default.map(|(warehouse, _)| (*warehouse, delta)).into_iter().collect();
    }
    let mut missing = -delta;
    let mut parts = Vec::new();
    for (warehouse, level) in levels {
        let part = missing.min(*level);
        if part > 0 {
            missing -= part;
            parts.push((*warehouse, -part));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_whole_changes_by_the_delta_and_nothing_falls_below_zero(
            levels in prop::collection::vec(0i64..20, 1..6),
            delta in -60i64..60,
        ) {
            let levels: Vec<_> = levels.iter().zip(0u128..).map(|(level, number)| (WarehouseId::from_u128(number), *level)).collect();
            let there: i64 = levels.iter().map(|(_, level)| level).sum();
            prop_assume!(there + delta >= 0);
            let parts = spread(delta, &levels);
            prop_assert_eq!(parts.iter().map(|(_, part)| part).sum::<i64>(), delta);
            for (warehouse, part) in &parts {
                let level = levels.iter().find(|(other, _)| other == warehouse).map(|(_, level)| *level);
                prop_assert!(*part != 0 && level.unwrap() + part >= 0);
            }
            if delta > 0 {
                prop_assert_eq!(parts, vec![(levels[0].0, delta)]);
            }
        }
    }
}
