//! The limit of orders on SQLite: the same rows from one loop of prepared statements.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use rusqlite::{Connection, TransactionBehavior, params};

use crate::limits::ORDERED_PRODUCTS;
use crate::random::SplitMix64;

const SCHEMA: &str = include_str!("../../sql/sqlite_schema.sql");
const ACCOUNT: &str = "acc_00000000000000000000000001";
const CUSTOMER: &str = "cus_00000000000000000000000001";

const STOCK: &str = "UPDATE stock_levels SET quantity = quantity - ?3 \
    WHERE account_id = ?1 AND product_id = ?2 AND quantity >= ?3";
const KEY: &str = "INSERT INTO idempotency_keys \
    (account_id, method_path, key, digest, status, answer, created_at) \
    VALUES (?1, 'POST /orders', ?2, ?3, 201, ?4, ?5)";
const ORDER: &str = "INSERT INTO orders \
    (account_id, id, number, status, customer_id, total, currency, created_at) \
    VALUES (?1, ?2, ?3, 'pending', ?4, 39980000, 'MXN', ?5)";
const ITEM: &str = "INSERT INTO order_items \
    (account_id, order_id, line, product_id, quantity, unit_price) \
    VALUES (?1, ?2, ?3, ?4, 1, 19990000)";
const EVENT: &str = "INSERT INTO events (account_id, id, name, entity_id, body, created_at) \
    VALUES (?1, ?2, 'order.created', ?3, ?4, ?5)";

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
        connection.execute_batch(SCHEMA)?;
        let mut rows = Self {
            connection,
            random: SplitMix64::new(1),
            orders: 0,
            answer: "a".repeat(400),
            event: "e".repeat(250),
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
                "INSERT INTO stock_levels (account_id, product_id, quantity) VALUES (?1, ?2, ?3)",
                params![ACCOUNT, product_id(product as usize), 1_000_000_000],
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
    let digest = [0_u8; 32];
    let prepared = |sql| connection.prepare_cached(sql);
    prepared(KEY)?.execute(params![ACCOUNT, key, digest, answer, number])?;
    for product in &products {
        let sold = prepared(STOCK)?.execute(params![ACCOUNT, product, 1])?;
        anyhow::ensure!(sold == 1, "out of stock");
    }
    let shown = format!("ORD-{number:06}");
    prepared(ORDER)?.execute(params![ACCOUNT, order, shown, CUSTOMER, number])?;
    for (line, product) in products.iter().enumerate() {
        prepared(ITEM)?.execute(params![ACCOUNT, order, i64::try_from(line)?, product])?;
    }
    prepared(EVENT)?.execute(params![
        ACCOUNT,
        format!("evt_{number:026}"),
        order,
        event,
        number
    ])?;
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
        assert_eq!(count("SELECT COUNT(*) FROM idempotency_keys"), 10);
        assert_eq!(count("SELECT COUNT(*) FROM orders"), 10);
        assert_eq!(count("SELECT COUNT(*) FROM order_items"), 20);
        assert_eq!(count("SELECT COUNT(*) FROM events"), 10);
        assert_eq!(count("SELECT SUM(1000000000 - quantity) FROM stock_levels"), 20);
        assert_eq!(count("PRAGMA synchronous"), 2);
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", file.display()));
        }
    }
}
