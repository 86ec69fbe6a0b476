//! Lists of any length: copies of what was made through the API, written by SQL as the service would have written them.
//! Making a million of each through the API would take the time of many measurements.
//!
//! What the service forgets after a while, its events and the answers that it keeps, is not copied.

use std::fmt::Write;
use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use serde_json::{Value, json};

use crate::benchmark::shop::{self, Shop};
use crate::benchmark::stage::Stage;
use crate::database::Database;
use crate::service::{ApiClient, Tenant};

/// A multiple of the orders of a block.
const ROWS_A_STATEMENT: u64 = 2_000;
/// Orders of one block, as the service makes them.
const BLOCK_ORDERS: u64 = 16;
/// The most makers of products, and customers, of an account: so many that each has few of many rows.
const FEW: u64 = 20_000;
/// Of each list of each further account; a multiple of the orders of a block.
const CROWD_ROWS: u64 = 32;
const ACCOUNTS_A_STATEMENT: u64 = 250;
/// Of a page, unless it is asked for otherwise.
pub(super) const PAGE_ROWS: u64 = 20;
/// Places of a list that are read on from.
const CURSORS: u64 = 16;

pub(super) const NOUNS: [&str; 10] =
    ["taza", "plato", "jarra", "olla", "cafetera", "mesa", "silla", "vaso", "cuchara", "tenedor"];
pub(super) const COLOURS: [&str; 8] =
    ["azul", "rojo", "verde", "barro", "negro", "blanco", "grande", "chico"];
pub(super) const NAMES: [&str; 10] =
    ["ana", "eva", "luis", "jose", "maria", "juan", "rosa", "pedro", "sofia", "diego"];
pub(super) const SURNAMES: [&str; 10] =
    ["lopez", "perez", "ruiz", "garcia", "hernandez", "torres", "flores", "diaz", "cruz", "reyes"];

/// What is known of the rows of an account.
#[derive(Debug)]
pub(super) struct Filled {
    /// Of products and of orders.
    pub(super) rows: u64,
    /// How many customers there are, and makers of products.
    pub(super) few: u64,
    pub(super) now_ms: u64,
    /// Of places all over the list of products, once they were looked for.
    pub(super) product_cursors: Vec<String>,
    /// The same of orders.
    pub(super) order_cursors: Vec<String>,
}

/// How a row of a table is copied: what has values of its own in each copy; all else is as it was.
struct Kind {
    table: &'static str,
    /// What the row that is copied is found by, within its account.
    key: &'static str,
    own: &'static [&'static str],
    values: fn(&Filled, u64) -> String,
}

const CUSTOMER: Kind = Kind {
    table: "customers",
    key: "id",
    own: &["id", "search_text", "email", "email_key"],
    values: customer_row,
};
const PRODUCT: Kind = Kind {
    table: "products",
    key: "id",
    own: &["id", "sku", "search_text", "price", "created_at", "updated_at"],
    values: product_row,
};
const SKU: Kind = Kind {
    table: "skus",
    key: "product_id",
    own: &["sku", "product_id"],
    values: |filled, i| format!("'sku-{i}','{}'", filled.product_id(i)),
};
const LEVEL: Kind = Kind {
    table: "stock_levels",
    key: "product_id",
    own: &["product_id"],
    values: |filled, i| format!("'{}'", filled.product_id(i)),
};
const ORDER: Kind = Kind {
    table: "orders",
    key: "id",
    own: &["id", "number", "search_text", "status", "customer_id", "created_at", "updated_at"],
    values: order_row,
};
const ITEM: Kind = Kind {
    table: "order_items",
    key: "order_id",
    own: &["order_id", "product_id"],
    values: |filled, i| format!("'{}','{}'", filled.order_id(i), filled.product_id(i)),
};
const MOVEMENT: Kind = Kind {
    table: "stock_movements",
    key: "id",
    own: &["id", "product_id", "reference", "created_at"],
    values: movement_row,
};

/// Tables that a further account has rows of, the referenced first.
const CROWDED: [&str; 10] = [
    "customers",
    "products",
    "skus",
    "stock_levels",
    "orders",
    "order_items",
    "stock_movements",
    "order_blocks",
    "counters",
    "subscriptions",
];

impl Filled {
    /// Fills the lists of an account that has a product and a customer, and no order yet, with so many rows, a multiple of
    /// [`BLOCK_ORDERS`].
    pub(super) fn load(stage: &Stage<'_>, shop: &Shop, rows: u64) -> anyhow::Result<Self> {
        eprintln!("bench: filling {} with {rows} products and orders", stage.database.name());
        let mut client = ApiClient::new(stage.service.address(), &shop.api_key);
        let product = shop.product_ids.first().context("a shop without products")?;
        let customer = &shop.customer_id;
        let body = format!(
            r#"{{"customerId":"{customer}","items":[{{"productId":"{product}","quantity":1}}]}}"#
        );
        let order = stage.bench.runtime.block_on(client.create("/api/v1/orders", &body))?;
        let now_ms = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?;
        let (product_cursors, order_cursors) = (Vec::new(), Vec::new());
        let few = rows.min(FEW);
        let filled = Self { rows, few, now_ms, product_cursors, order_cursors };
        let one = |query: String| {
            let found = stage.database.query(&query)?.into_iter().flatten().next();
            found.with_context(|| format!("nothing found: {query}"))
        };
        let account = one(format!("SELECT account_id FROM orders WHERE id = '{order}'"))?;
        let movement = one(format!(
            "SELECT id FROM stock_movements WHERE account_id = '{account}' AND reference = '{order}'"
        ))?;
        let copies = |kind, of: &str| Copies::new(stage.database, kind, &account, of);
        stage.database.run(&copies(&CUSTOMER, customer)?.of(&filled, 0..filled.few))?;
        let all = [
            copies(&PRODUCT, product)?,
            copies(&SKU, product)?,
            copies(&LEVEL, product)?,
            copies(&ORDER, &order)?,
            copies(&ITEM, &order)?,
            copies(&MOVEMENT, &movement)?,
        ];
        let mut from = 0;
        while from < rows {
            let to = rows.min(from + ROWS_A_STATEMENT);
            let mut statements = String::new();
            for copies in &all {
                statements.push_str(&copies.of(&filled, from..to));
                statements.push_str(";\n");
            }
            statements.push_str(&order_blocks(&account, from..to));
            stage.database.run(&statements)?;
            from = to;
        }
        let counted = |rows: u64, names: &str| {
            format!(
                "UPDATE counters SET value = value + {rows} WHERE account_id = '{account}' AND name IN ({names})"
            )
        };
        stage.database.run(&counted(rows, "'products', 'orders', 'order_number'"))?;
        stage.database.run(&counted(filled.few, "'customers'"))?;
        stage.database.analyze()?;
        Ok(filled)
    }

    /// Looks for places all over both lists, from which they can be read on.
    pub(super) fn find_cursors(&mut self, stage: &Stage<'_>, shop: &Shop) -> anyhow::Result<()> {
        let mut client = ApiClient::new(stage.service.address(), &shop.api_key);
        let pages = self.rows / PAGE_ROWS;
        let mut all_over = |list: &str| {
            let mut cursors = Vec::new();
            for place in 0..CURSORS {
                let path =
                    format!("/api/v1/{list}?count=false&page={}", 1 + pages * place / CURSORS);
                let page = stage.bench.runtime.block_on(client.get(&path))?;
                let cursor = page.get("nextCursor").and_then(Value::as_str);
                cursors.push(cursor.with_context(|| format!("no cursor: {path}"))?.to_owned());
            }
            anyhow::Ok(cursors)
        };
        self.product_cursors = all_over("products")?;
        self.order_cursors = all_over("orders")?;
        Ok(())
    }

    /// A product, by its place in the list, the oldest first.
    pub(super) fn product_id(&self, i: u64) -> String {
        format!("prd_{}", self.ulid(i))
    }

    fn order_id(&self, i: u64) -> String {
        format!("ord_{}", self.ulid(i))
    }

    fn ulid(&self, i: u64) -> String {
        ulid(self.moment_of(i), i)
    }

    /// A row each second, the last one now.
    const fn moment_of(&self, i: u64) -> u64 {
        self.now_ms - (self.rows - i) * 1_000
    }

    const fn customer_of(&self, i: u64) -> u64 {
        i * 31 % self.few
    }
}

/// Makes so many further accounts, all alike, each with some rows of every list and a webhook.
pub(super) fn crowd(stage: &Stage<'_>, accounts: u64) -> anyhow::Result<()> {
    let Stage { bench, database, options, service, .. } = stage;
    let tenant = Tenant::create(options)?;
    let shop = bench.runtime.block_on(shop::fill(service.address(), &tenant.api_key, 1))?;
    let filled = Filled::load(stage, &shop, CROWD_ROWS)?;
    // After the order that was copied: nothing is ever sent.
    let webhook = json!({"url": "https://shop.example/hook", "events": ["order.paid"]});
    let mut client = ApiClient::new(service.address(), &shop.api_key);
    bench.runtime.block_on(client.create("/api/v1/webhooks", &webhook.to_string()))?;
    eprintln!("bench: filling {} with {accounts} accounts", database.name());
    let copied = CROWDED.iter().map(|table| crowded(database, table, &tenant.account_id));
    let copied: Vec<String> = copied.collect::<anyhow::Result<_>>()?;
    let rest = columns_without(database, "accounts", &["id"])?.join(", ");
    let mut from = 0;
    while from < accounts {
        let to = accounts.min(from + ACCOUNTS_A_STATEMENT);
        let ids = (from..to).map(|number| format!("'acc_{}'", ulid(filled.now_ms, number)));
        let ids: Vec<String> = ids.collect();
        let values: Vec<String> = ids.iter().map(|id| format!("({id})")).collect();
        let mut statements = format!(
            "INSERT INTO accounts (id, {rest}) SELECT v.column1, {rest} FROM accounts, (VALUES {}) AS v WHERE id = '{}'",
            values.join(","),
            tenant.account_id
        );
        for insert in &copied {
            statements.push_str(";\n");
            statements.push_str(&insert.replace("{ids}", &ids.join(",")));
        }
        database.run(&statements)?;
        from = to;
    }
    database.analyze()
}

/// The statement that gives the accounts `{ids}` what another one has in a table.
fn crowded(database: &Database, table: &str, account: &str) -> anyhow::Result<String> {
    let columns = columns_without(database, table, &["account_id"])?;
    let values = columns.iter().map(|column| match column.as_str() {
        // The first warehouse of an account shares its number.
        "warehouse_id" => "replace(a.id, 'acc_', 'whs_')".to_owned(),
        column => format!("t.{column}"),
    });
    let values: Vec<String> = values.collect();
    Ok(format!(
        "INSERT INTO {table} (account_id, {}) SELECT a.id, {} FROM accounts AS a, {table} AS t \
         WHERE a.id IN ({{ids}}) AND t.account_id = '{account}'",
        columns.join(", "),
        values.join(", ")
    ))
}

/// The columns of a table but for some.
fn columns_without(database: &Database, table: &str, some: &[&str]) -> anyhow::Result<Vec<String>> {
    let mut columns = database.columns(table)?;
    columns.retain(|column| !some.contains(&column.as_str()));
    Ok(columns)
}

/// Statements that copy a row: what comes before the values of the copies, and what behind them.
struct Copies {
    start: String,
    end: String,
    values: fn(&Filled, u64) -> String,
}

impl Copies {
    /// Of the row of this kind that is found so.
    fn new(database: &Database, kind: &Kind, account: &str, of: &str) -> anyhow::Result<Self> {
        let Kind { table, key, own, values } = kind;
        let shared = columns_without(database, table, own)?.join(", ");
        let places: Vec<String> = (1..=own.len()).map(|i| format!("v.column{i}")).collect();
        let start = format!(
            "INSERT INTO {table} ({}, {shared}) SELECT {}, {shared} FROM {table}, (VALUES ",
            own.join(", "),
            places.join(", ")
        );
        let end = format!(") AS v WHERE account_id = '{account}' AND {key} = '{of}'");
        Ok(Self { start, end, values: *values })
    }

    fn of(&self, filled: &Filled, numbers: Range<u64>) -> String {
        let rows = numbers.map(|number| format!("({})", (self.values)(filled, number)));
        let rows = rows.collect::<Vec<_>>().join(",");
        [self.start.as_str(), &rows, &self.end].concat()
    }
}

fn product_row(filled: &Filled, i: u64) -> String {
    let (noun, colour) = (pick(&NOUNS, i), pick(&COLOURS, i / 10));
    let price = (i * 7_919 % 100_000) * 10_000;
    format!(
        "'{}','sku-{i}','{colour} m{:05} {noun} sku sku-{i} {i} 750{i:010}',{price},{m},{m}",
        filled.product_id(i),
        filled.customer_of(i),
        m = filled.moment_of(i) * 1_000,
    )
}

fn order_row(filled: &Filled, i: u64) -> String {
    let status = match i % 1_000 {
        0 => "pending",
        1..=9 => "cancelled",
        10..=49 => "shipped",
        _ => "delivered",
    };
    let (moment, number) = (filled.moment_of(i), i + 2);
    let changed = moment + (i * 7_919 % 100_000) * 100;
    let customer = filled.customer_of(i);
    format!(
        "'{}',{number},'#{number} {} sku sku-{i} {i}','{status}','{}',{},{}",
        filled.order_id(i),
        customer_terms(customer),
        customer_id(customer),
        moment * 1_000,
        changed.min(filled.now_ms) * 1_000,
    )
}

fn movement_row(filled: &Filled, i: u64) -> String {
    format!(
        "'mov_{}','{}','{}',{}",
        filled.ulid(i),
        filled.product_id(i),
        filled.order_id(i),
        filled.moment_of(i) * 1_000
    )
}

/// The blocks of orders, which begin with the one that was made through the API; from an even number to another. The
/// service may have made some of them meanwhile.
fn order_blocks(account: &str, numbers: Range<u64>) -> String {
    let starts = numbers.step_by(BLOCK_ORDERS as usize);
    let rows = starts.map(|from| {
        let skus: Vec<String> = (from..from + BLOCK_ORDERS)
            .map(|number| format!("sku-{0} {0}", number.wrapping_sub(1)))
            .collect();
        let (first, last) = (from + 1, from + BLOCK_ORDERS);
        format!("('{account}','blk_{first:016}',{first},{last},'sku {}')", skus.join(" "))
    });
    let rows = rows.collect::<Vec<_>>().join(",");
    format!(
        "INSERT INTO order_blocks (account_id, id, first_number, last_number, search_text) VALUES {rows} \
         ON CONFLICT DO NOTHING"
    )
}

fn customer_row(_: &Filled, number: u64) -> String {
    let email = customer_email(number);
    format!("'{}','{}','{email}','{email}'", customer_id(number), customer_terms(number))
}

fn customer_terms(number: u64) -> String {
    let (name, surname) = (pick(&NAMES, number), pick(&SURNAMES, number / 10));
    format!("{name} {surname} {} correo.mx mx", customer_email(number))
}

fn customer_email(number: u64) -> String {
    format!("c{number}@correo.mx")
}

fn pick(words: &[&'static str], i: u64) -> &'static str {
    let place = usize::try_from(i).unwrap_or_default() % words.len();
    words.get(place).copied().unwrap_or_default()
}

pub(super) fn customer_id(number: u64) -> String {
    format!("cus_{}", ulid(0, number))
}

/// Crockford's base 32, as ULIDs have it: the moment in milliseconds, then a number.
fn ulid(moment_ms: u64, number: u64) -> String {
    const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let value = (u128::from(moment_ms) << 80) | u128::from(number);
    let digit = |place: u32| {
        let index = usize::try_from((value >> (5 * place)) & 31).unwrap_or_default();
        char::from(DIGITS.get(index).copied().unwrap_or(b'0'))
    };
    (0..26).rev().map(digit).collect()
}

/// A moment as RFC 3339 has it.
pub(super) fn moment(ms: u64) -> String {
    let (days, of_day) = (ms / 86_400_000, ms / 1_000 % 86_400);
    // Howard Hinnant's `civil_from_days`, for days since 1970.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        of_day / 3_600,
        of_day / 60 % 60,
        of_day % 60
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_identifiers_are_written_as_the_service_does() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(1_772_323_199_000), "2026-02-28T23:59:59Z");
        assert_eq!(moment(1_709_164_800_000), "2024-02-29T00:00:00Z");
        assert_eq!(ulid(0, 33), "00000000000000000000000011");
        assert_eq!(ulid(1_469_918_176_385, 0), "01ARYZ6S410000000000000000");
    }

    #[test]
    fn copies_have_a_value_for_every_column() {
        let (product_cursors, order_cursors) = (Vec::new(), Vec::new());
        let now_ms = 1_772_323_199_000;
        let filled = Filled { rows: 16, few: 16, now_ms, product_cursors, order_cursors };
        for kind in [&CUSTOMER, &PRODUCT, &SKU, &LEVEL, &ORDER, &ITEM, &MOVEMENT] {
            let row = (kind.values)(&filled, 3);
            assert_eq!(kind.own.len(), row.split(',').count(), "{}: {row}", kind.table);
        }
    }

    #[test]
    fn statements_end_where_blocks_do() {
        for rows in [ROWS_A_STATEMENT, CROWD_ROWS] {
            assert!(rows.is_multiple_of(BLOCK_ORDERS));
        }
        let blocks = order_blocks("acc_1", 0..32);
        assert_eq!(blocks.matches("('acc_1',").count(), 2);
        assert!(blocks.contains("'blk_0000000000000017',17,32,'sku sku-15 15 "));
    }
}
