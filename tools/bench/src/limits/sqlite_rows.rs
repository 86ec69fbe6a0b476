//! The limit of orders on SQLite: the same rows from one loop of prepared statements.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use rusqlite::{Connection, TransactionBehavior, params};

use crate::limits::{ORDERED_PRODUCTS, PRAGMAS};
use crate::random::SplitMix64;

/// The service's own tables.
const SCHEMA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../migrations/sqlite/2026-11-21-000001_foundation/up.sql"
));
const ACCOUNT: &str = "acc_00000000000000000000000001";
const WAREHOUSE: &str = "whs_00000000000000000000000001";
const CUSTOMER: &str = "cus_00000000000000000000000001";

const STOCK: &str = "UPDATE stock_levels SET quantity = quantity - 1 WHERE account_id = ?1 \
    AND product_id = ?2 AND variant_id = '' AND warehouse_id = ?3 AND quantity >= 1";
const MOVEMENT: &str = "INSERT INTO stock_movements (account_id, id, product_id, variant_id, \
    warehouse_id, delta, quantity_after, reason, reference, created_at) \
    VALUES (?1, ?2, ?3, '', ?4, -1, 1, 'order', ?5, ?6)";
const ANSWER: &str = "INSERT INTO idempotency_answers \
    (account_id, operation, key, digest, answer, created_at) \
    VALUES (?1, 'POST /api/v1/orders', ?2, ?3, ?4, ?5)";
const ORDER: &str = "INSERT INTO orders (account_id, id, number, status, fulfillment_status, \
    customer_id, total, currency, refund_due, metadata, search_text, created_at, updated_at, version) \
    VALUES (?1, ?2, ?3, 'pending', 'unfulfilled', ?4, 39980000, 'MXN', 0, '{}', '', ?3, ?3, 1)";
const ITEM: &str = "INSERT INTO order_items (account_id, order_id, line, product_id, variant_id, \
    name, sku, quantity, unit_price) VALUES (?1, ?2, ?3, ?4, '', 'Product', 'SKU', 1, 19990000)";
const EVENT: &str = "INSERT INTO events (account_id, id, name, entity_id, body, created_at) \
    VALUES (?1, ?2, 'order.created', ?3, ?4, ?5)";
const COUNTER: &str = "INSERT INTO counters (account_id, name, value) VALUES (?1, 'orders', ?2) \
    ON CONFLICT (account_id, name) DO UPDATE SET value = excluded.value";

/// An open database with its products, and how far its orders have come.
pub(crate) struct SqliteRows {
    connection: Connection,
    random: SplitMix64,
    orders: i64,
    answer: String,
    event: String,
}

impl SqliteRows {
    pub(crate) fn prepare(file: &Path) -> anyhow::Result<Self> {
        let connection =
            Connection::open(file).with_context(|| format!("opening {}", file.display()))?;
        connection.execute_batch(PRAGMAS)?;
        connection.execute_batch(SCHEMA)?;
        let mut rows = Self {
            connection,
            random: SplitMix64::new(1),
            orders: 0,
            answer: "a".repeat(500),
            event: "e".repeat(220),
        };
        rows.fill_stock()?;
        Ok(rows)
    }

    /// Orders per second with a durable commit after every `per_commit` orders.
    pub(crate) fn rate(&mut self, per_commit: usize, duration: Duration) -> anyhow::Result<f64> {
        let before = self.orders;
        let began = Instant::now();
        while began.elapsed() < duration {
            self.write_orders(per_commit)?;
        }
        let orders = u64::try_from(self.orders - before)?;
        Ok(crate::statistics::float(orders) / began.elapsed().as_secs_f64())
    }

    fn fill_stock(&mut self) -> anyhow::Result<()> {
        let transaction = self.connection.transaction()?;
        for product in 0..ORDERED_PRODUCTS {
            transaction.execute(
                "INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity) \
                 VALUES (?1, ?2, '', ?3, ?4)",
                params![ACCOUNT, product_id(product as usize), WAREHOUSE, 1_000_000_000],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    fn write_orders(&mut self, count: usize) -> anyhow::Result<()> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        for _ in 0..count {
            self.orders += 1;
            let pair = self.random.pair(ORDERED_PRODUCTS as usize);
            write_order(&transaction, self.orders, pair, &self.answer, &self.event)?;
        }
        transaction.prepare_cached(COUNTER)?.execute(params![ACCOUNT, self.orders])?;
        transaction.commit()?;
        Ok(())
    }
}

fn write_order(
    connection: &Connection,
    number: i64,
    (first, second): (usize, usize),
    answer: &str,
    event: &str,
) -> anyhow::Result<()> {
    let order = format!("ord_{number:026}");
    let products = [product_id(first), product_id(second)];
    let key = format!("key-{number:032}");
    let digest = "0".repeat(64);
    let prepared = |sql| connection.prepare_cached(sql);
    prepared(ANSWER)?.execute(params![ACCOUNT, key, digest, answer, number])?;
    prepared(ORDER)?.execute(params![ACCOUNT, order, number, CUSTOMER])?;
    for (product, line) in products.iter().zip(0_i64..) {
        let sold = prepared(STOCK)?.execute(params![ACCOUNT, product, WAREHOUSE])?;
        anyhow::ensure!(sold == 1, "out of stock");
        let movement = format!("mov_{:026}", number * 2 + line);
        let moved = params![ACCOUNT, movement, product, WAREHOUSE, order, number];
        prepared(MOVEMENT)?.execute(moved)?;
        prepared(ITEM)?.execute(params![ACCOUNT, order, line, product])?;
    }
    let told = format!("evt_{number:026}");
    prepared(EVENT)?.execute(params![ACCOUNT, told, order, event, number])?;
    Ok(())
}

fn product_id(number: usize) -> String {
    format!("prd_{number:026}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_writes_all_its_rows() {
        let file = std::env::temp_dir().join(format!("bench-rows-{}.db", std::process::id()));
        let mut rows = SqliteRows::prepare(&file).unwrap();
        rows.write_orders(10).unwrap();
        let count =
            |sql: &str| -> i64 { rows.connection.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(count("SELECT COUNT(*) FROM idempotency_answers"), 10);
        assert_eq!(count("SELECT COUNT(*) FROM orders"), 10);
        assert_eq!(count("SELECT COUNT(*) FROM order_items"), 20);
        assert_eq!(count("SELECT COUNT(*) FROM events"), 10);
        assert_eq!(count("SELECT COUNT(*) FROM stock_movements"), 20);
        assert_eq!(count("SELECT value FROM counters"), 10);
        assert_eq!(count("SELECT SUM(1000000000 - quantity) FROM stock_levels"), 20);
        assert_eq!(count("PRAGMA synchronous"), 2);
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", file.display()));
        }
    }
}
