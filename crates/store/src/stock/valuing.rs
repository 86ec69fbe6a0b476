//! What stock is or was worth.

use diesel::{prelude::*, sql_types::Text};
use inventory::{MovementId, Valuation, ValuationQuery, ValuedPlace, WarehouseId, cost};
use kernel::{AccountId, Measure, Quantity, Sum, Timestamp};

use super::{ledger::TRANSIT_PREFIX, places::first_warehouse};
use crate::{
    db::{Db, on},
    rows::{corrupt, currency, decimals, read},
    statement::{Bound, Statement},
};

/// Greater than every identifier.
const BEHIND_ALL: &str = "~";

/// What lies where in which currency, quantities of different decimals apart. What has moved since is taken back from what lies
/// there now. A cost that has changed
/// since is what it was before the first such change. It is in the currency of its change: that of the product may have changed
/// since then, or since a variant was removed.
/// A cost is multiplied in three parts, so that no product leaves the range of the database's numbers. Takes the account and
/// the least change of a cost since, the account, the account and the least movement since, the warehouse twice, the account
/// and its first warehouse.
const WORTH: &str = "SELECT s.warehouse_id, s.currency, CAST(s.quantity_decimals AS TEXT) || ' ' || \
    CAST(COALESCE(SUM(CASE WHEN s.cost IS NULL THEN 0 ELSE s.quantity END), 0) AS TEXT) || ' ' || \
    CAST(COALESCE(SUM(CASE WHEN s.cost IS NULL THEN s.quantity ELSE 0 END), 0) AS TEXT) || ' ' || \
    CAST(COALESCE(SUM(s.quantity * (s.cost / 1000000000000)), 0) AS TEXT) || ' ' || \
    CAST(COALESCE(SUM(s.quantity * (s.cost / 1000000 % 1000000)), 0) AS TEXT) || ' ' || \
    CAST(COALESCE(SUM(s.quantity * (s.cost % 1000000)), 0) AS TEXT) \
    FROM (SELECT n.warehouse_id, n.quantity, p.quantity_decimals, \
    CASE WHEN c.id IS NULL THEN h.average_cost ELSE c.cost_before END AS cost, \
    COALESCE(c.currency, CASE WHEN h.variant_id <> '' AND h.average_cost IS NOT NULL THEN \
    (SELECT l.currency FROM cost_changes l WHERE l.account_id = h.account_id AND l.product_id = h.product_id \
    AND l.variant_id = h.variant_id ORDER BY l.id DESC LIMIT 1) END, p.currency) AS currency \
    FROM (SELECT k.product_id, k.variant_id, k.warehouse_id, k.quantity, \
    (SELECT MIN(c.id) FROM cost_changes c WHERE c.account_id = ? AND c.product_id = k.product_id \
    AND c.variant_id = k.variant_id AND c.id >= ?) AS changed \
    FROM (SELECT m.product_id, m.variant_id, m.warehouse_id, CAST(SUM(m.quantity) AS BIGINT) AS quantity FROM \
    (SELECT product_id, variant_id, warehouse_id, quantity + committed AS quantity FROM stock_levels WHERE account_id = ? \
    UNION ALL SELECT product_id, variant_id, warehouse_id, -(delta + committed_delta) FROM stock_movements \
    WHERE account_id = ? AND id >= ?) m WHERE (? = '' OR m.warehouse_id = ?) \
    GROUP BY m.product_id, m.variant_id, m.warehouse_id HAVING SUM(m.quantity) <> 0) k) n \
    JOIN products p ON p.account_id = ? AND p.id = n.product_id \
    LEFT JOIN stock_levels h ON h.account_id = p.account_id AND h.product_id = n.product_id \
    AND h.variant_id = n.variant_id AND h.warehouse_id = ? \
    LEFT JOIN cost_changes c ON c.account_id = p.account_id AND c.id = n.changed) s \
    GROUP BY s.warehouse_id, s.currency, s.quantity_decimals \
    ORDER BY s.warehouse_id, s.currency, s.quantity_decimals";

/// What stock is or was worth; nothing in a warehouse that the account does not have.
pub(super) fn valuation(
    db: &mut Db,
    account: AccountId,
    query: ValuationQuery,
    now: Timestamp,
) -> QueryResult<Valuation> {
    let past = query.at.filter(|at| *at < now);
    let least = past.map(kernel::id::least_at);
    let since = |prefix: fn(u128) -> String| least.map_or_else(|| BEHIND_ALL.to_owned(), prefix);
    let moved = since(|number| MovementId::from_u128(number).to_string());
    let changed = since(|number| cost::CostChangeId::from_u128(number).to_string());
    let own = account.to_string();
    let warehouse = query.warehouse.map(|id| id.to_string()).unwrap_or_default();
    let values: Vec<Bound> =
        [&own, &changed, &own, &own, &moved, &warehouse, &warehouse, &own, &first_warehouse(&own)]
            .into_iter()
            .map(|text| Bound::from(text.clone()))
            .collect();
    let rows: Vec<(String, String, String)> =
        on!(db, |conn| Statement::<(Text, Text, Text)>::new(WORTH, values).load(conn))?;
    let mut places: Vec<ValuedPlace> = Vec::new();
    for row in rows {
        let part = place(row)?;
        let at = |place: &ValuedPlace| (place.warehouse, place.currency);
        match places.last_mut().filter(|last| at(last) == at(&part)) {
            Some(last) => {
                last.on_hand += part.on_hand;
                last.value += part.value;
                last.unvalued += part.unvalued;
            }
            None => places.push(part),
        }
    }
    Ok(Valuation { at: past.unwrap_or(now), places })
}

fn place((warehouse, code, sums): (String, String, String)) -> QueryResult<ValuedPlace> {
    let numbers: Result<Vec<i128>, _> = sums.split(' ').map(str::parse).collect();
    let Ok([count, on_hand, unvalued, trillions, units, micros]) =
        numbers.map_err(drop).and_then(|numbers| <[i128; 6]>::try_from(numbers).map_err(drop))
    else {
        return Err(corrupt(format!("a value of stock: {sums}")));
    };
    let decimals = decimals(i64::try_from(count).unwrap_or_default())?;
    let measure =
        |sum: i128| Measure::of(Quantity::try_from(sum).unwrap_or(Quantity::MAX), decimals);
    // A cost is that of a unit, and half a millionth is rounded away from zero.
    let value = trillions * 1_000_000_000_000 + units * 1_000_000 + micros;
    let scale = i128::from(decimals.scale());
    let value = (value + scale / 2 * value.signum()) / scale;
    Ok(ValuedPlace {
        warehouse: match warehouse.starts_with(TRANSIT_PREFIX) {
            true => None,
            false => Some(read(&warehouse, WarehouseId::parse)?),
        },
        currency: currency(&code)?,
        on_hand: measure(on_hand),
        value: Sum::from_micros(value),
        unvalued: measure(unvalued),
    })
}
