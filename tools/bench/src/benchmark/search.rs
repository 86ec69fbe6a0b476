//! Rows about finding: searches and filters of lists of a million products and a million orders.
//!
//! The rows are copies of one product and one order that were made through the API, written by SQL: making a million of
//! each through the API would take the time of many measurements.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::{Measured, Stage};
use crate::http::{Request, Response};
use crate::load::Script;
use crate::random::SplitMix64;
use crate::service::ApiClient;

/// Rows of each list.
pub(crate) const ROWS: u64 = 1_000_000;
const ROWS_A_STATEMENT: u64 = 2_000;
/// Orders of one block, as the service makes them.
const BLOCK_ORDERS: u64 = 16;
const GOAL_MS: f64 = 20.0;

const NOUNS: [&str; 10] =
    ["taza", "plato", "jarra", "olla", "cafetera", "mesa", "silla", "vaso", "cuchara", "tenedor"];
const COLOURS: [&str; 8] = ["azul", "rojo", "verde", "barro", "negro", "blanco", "grande", "chico"];
const NAMES: [&str; 10] =
    ["ana", "eva", "luis", "jose", "maria", "juan", "rosa", "pedro", "sofia", "diego"];
const SURNAMES: [&str; 10] =
    ["lopez", "perez", "ruiz", "garcia", "hernandez", "torres", "flores", "diaz", "cruz", "reyes"];
/// Makers of products, and customers, so many that each has few of the rows.
const FEW: u64 = 20_000;

/// What is asked, by the number of a request.
struct Question {
    what: &'static str,
    path: fn(&mut SplitMix64, &Filled) -> String,
}

/// What the questions need to know of the rows.
struct Filled {
    rows: u64,
    now_ms: u64,
}

const QUESTIONS: [Question; 16] = [
    Question {
        what: "products: one word that a tenth has",
        path: |random, _| format!("products?search={}", one_of(random, &NOUNS)),
    },
    Question {
        what: "products: two words of many",
        path: |random, _| {
            format!("products?search={}+{}", one_of(random, &COLOURS), one_of(random, &NOUNS))
        },
    },
    Question {
        what: "products: a word of many and one of few",
        path: |random, _| {
            format!("products?search={}+m{:05}", one_of(random, &NOUNS), random.below(20_000))
        },
    },
    Question {
        what: "products: two letters",
        path: |random, _| {
            let word = one_of(random, &NOUNS).get(..2).unwrap_or_default();
            format!("products?search={word}")
        },
    },
    Question {
        what: "products: a SKU",
        path: |random, filled| format!("products?search=sku-{}", below(random, filled.rows)),
    },
    Question {
        what: "products: a word that none has",
        path: |random, _| format!("products?search=zz{}", random.below(1_000)),
    },
    Question {
        what: "products: by price, a word of few",
        path: |random, _| format!("products?sort=price&search=m{:05}", random.below(20_000)),
    },
    Question {
        what: "orders: a customer's name",
        path: |random, _| {
            format!("orders?search={}+{}", one_of(random, &NAMES), one_of(random, &SURNAMES))
        },
    },
    Question {
        what: "orders: a customer's email",
        path: |random, _| format!("orders?search=c{}@correo.mx", random.below(20_000)),
    },
    Question {
        what: "orders: a SKU",
        path: |random, filled| format!("orders?search=sku-{}", below(random, filled.rows)),
    },
    Question {
        what: "orders: a number",
        path: |random, filled| format!("orders?search=ORD-{}", 2 + below(random, filled.rows)),
    },
    Question {
        what: "orders: a status of many, or of few",
        path: |random, _| {
            let status = one_of(random, &["delivered", "shipped", "cancelled", "pending"]);
            format!("orders?status={status}")
        },
    },
    Question {
        what: "orders: a customer and a status",
        path: |random, _| {
            let customer = customer_id(random.below(20_000) as u64);
            format!("orders?customerId={customer}&status=delivered")
        },
    },
    Question {
        what: "orders: a day",
        path: |random, filled| {
            let day = random.below(10) as u64;
            let from = filled.now_ms - (day + 1) * 86_400_000;
            format!("orders?createdFrom={}&createdTo={}", moment(from), moment(from + 86_400_000))
        },
    },
    Question {
        what: "orders: changed in the last minutes",
        path: |random, filled| {
            let since = filled.now_ms - 60_000 * (1 + random.below(60) as u64);
            format!("orders?updatedSince={}", moment(since))
        },
    },
    Question {
        what: "orders: by the last change, a status",
        path: |random, _| {
            format!("orders?sort=-updatedAt&status={}", one_of(random, &["delivered", "pending"]))
        },
    },
];

/// Fills the lists and asks each question over one connection.
pub(crate) fn measure(stage: &Stage<'_>, rows: u64) -> anyhow::Result<Vec<Line>> {
    let filled = fill(stage, rows)?;
    let filled = Arc::new(filled);
    let mut lines = Vec::new();
    for question in &QUESTIONS {
        let seed = AtomicUsize::new(1);
        let script = |_| Asking {
            path: question.path,
            key: stage.shop.api_key.clone(),
            random: SplitMix64::new(seed.fetch_add(1, Ordering::Relaxed) as u64),
            filled: Arc::clone(&filled),
        };
        let rounds = Rounds::repeat(&stage.bench.plan, || stage.closed(1, script))?;
        let p99 = |round: &Measured| round.tally.latency(0.99).as_secs_f64() * 1e3;
        let what = format!("{} of {rows}", question.what);
        lines.push(rounds.absolute_line(stage, what, (p99, "ms"), Goal::AtMost(GOAL_MS))?);
    }
    Ok(lines)
}

struct Asking {
    path: fn(&mut SplitMix64, &Filled) -> String,
    key: String,
    random: SplitMix64,
    filled: Arc<Filled>,
}

impl Script for Asking {
    fn write(&mut self, bytes: &mut Vec<u8>) {
        let path = format!("/api/v1/{}", (self.path)(&mut self.random, &self.filled));
        bytes.extend(Request::get(&path, Some(&self.key)).render());
    }

    fn check(&mut self, response: &Response<'_>) -> Result<(), String> {
        let body = std::str::from_utf8(response.body).map_err(|error| error.to_string())?;
        let whole = response.status == 200 && body.contains("\"total\":") && body.ends_with('}');
        if whole { Ok(()) } else { Err(format!("status {}: {body}", response.status)) }
    }
}

fn fill(stage: &Stage<'_>, rows: u64) -> anyhow::Result<Filled> {
    eprintln!("bench: filling {} with {rows} products and orders", stage.database.name());
    let mut client = ApiClient::new(stage.service.address(), &stage.shop.api_key);
    let product = stage.shop.product_ids.first().cloned().unwrap_or_default();
    let body = format!(
        r#"{{"customerId":"{}","items":[{{"productId":"{product}","quantity":1}}]}}"#,
        stage.shop.customer_id
    );
    let order = stage.bench.runtime.block_on(client.create("/api/v1/orders", &body))?;
    let now_ms = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis())?;
    let filled = Filled { rows, now_ms };
    let customer = &stage.shop.customer_id;
    stage.database.run(&copies("customers", CUSTOMER, customer, 0..FEW, customer_row))?;
    let mut from = 0;
    while from < rows {
        let to = rows.min(from + ROWS_A_STATEMENT);
        let products = copies("products", PRODUCT, &product, from..to, |i| product_row(&filled, i));
        let orders = copies("orders", ORDER, &order, from..to, |i| order_row(&filled, i));
        let items = copies("order_items", ITEM, &order, from..to, |i| item_row(&filled, i));
        let blocks = order_blocks(&order, from..to);
        stage.database.run(&format!("{products};\n{orders};\n{items};\n{blocks};\n"))?;
        from = to;
    }
    let counted = format!(
        "UPDATE counters SET value = value + {rows} WHERE name IN ('products', 'orders', 'order_number')"
    );
    stage.database.run(&counted)?;
    stage.database.analyze()?;
    Ok(filled)
}

/// The columns that copies have of their own, and those that they share.
type Columns = (&'static str, &'static str);

const PRODUCT: Columns = (
    "id, search_text, price, created_at, updated_at",
    "account_id, name, sku, description, ean, currency, status, low_stock_threshold, tax_included, taxes, \
     sat_product_key, sat_unit_key, metadata, sort_name, deleted_at, version, search_version",
);
const ORDER: Columns = (
    "id, number, search_text, status, customer_id, created_at, updated_at",
    "account_id, fulfillment_status, total, currency, refund_due, carrier, tracking_number, cancel_reason, notes, \
     metadata, paid_at, shipped_at, delivered_at, cancelled_at, version, search_version",
);
const ITEM: Columns =
    ("order_id, product_id", "account_id, line, variant_id, name, sku, quantity, unit_price");
const CUSTOMER: Columns = (
    "id, search_text",
    "account_id, name, legal_name, tax_regime, tax_zip, cfdi_use, addresses, metadata, created_at, updated_at, \
     version, search_version",
);

fn copies(
    table: &str,
    (own, shared): Columns,
    of: &str,
    numbers: std::ops::Range<u64>,
    row: impl Fn(u64) -> String,
) -> String {
    let places: Vec<String> =
        (1..=own.split(", ").count()).map(|i| format!("v.column{i}")).collect();
    let rows: Vec<String> = numbers.map(|number| format!("({})", row(number))).collect();
    let id = if table == "order_items" { "order_id" } else { "id" };
    format!(
        "INSERT INTO {table} ({own}, {shared}) SELECT {}, {shared} FROM {table}, (VALUES {}) AS v WHERE {id} = '{of}'",
        places.join(", "),
        rows.join(",")
    )
}

fn product_row(filled: &Filled, i: u64) -> String {
    let (noun, colour) = (pick(&NOUNS, i), pick(&COLOURS, i / 10));
    let moment = filled.moment_of(i);
    let price = (i * 7_919 % 100_000) * 10_000;
    format!(
        "'prd_{}','{colour} m{:05} {noun} sku sku-{i} {i} 750{i:010}',{price},{m},{m}",
        ulid(moment, i),
        i * 31 % FEW,
        m = moment * 1_000,
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
    let customer = i * 31 % FEW;
    format!(
        "'ord_{}',{number},'#{number} {} sku sku-{i} {i}','{status}','{}',{},{}",
        ulid(moment, i),
        customer_terms(customer),
        customer_id(customer),
        moment * 1_000,
        changed.min(filled.now_ms) * 1_000,
    )
}

/// The blocks of orders, which begin with the one that was made through the API; from an even number to another. The
/// service may have made some of them meanwhile.
fn order_blocks(order: &str, numbers: std::ops::Range<u64>) -> String {
    let starts = numbers.step_by(BLOCK_ORDERS as usize);
    let rows = starts.map(|from| {
        let skus: Vec<String> = (from..from + BLOCK_ORDERS)
            .map(|number| format!("sku-{0} {0}", number.wrapping_sub(1)))
            .collect();
        let (first, last) = (from + 1, from + BLOCK_ORDERS);
        format!("('blk_{first:016}',{first},{last},'sku {}')", skus.join(" "))
    });
    let rows = rows.collect::<Vec<_>>().join(",");
    format!(
        "INSERT INTO order_blocks (account_id, id, first_number, last_number, search_text) \
         SELECT o.account_id, v.column1, v.column2, v.column3, v.column4 FROM orders o, (VALUES {rows}) AS v WHERE o.id = '{order}' \
         ON CONFLICT DO NOTHING"
    )
}

fn item_row(filled: &Filled, i: u64) -> String {
    let id = ulid(filled.moment_of(i), i);
    format!("'ord_{id}','prd_{id}'")
}

fn customer_row(number: u64) -> String {
    format!("'{}','{}'", customer_id(number), customer_terms(number))
}

fn customer_terms(number: u64) -> String {
    let (name, surname) = (pick(&NAMES, number), pick(&SURNAMES, number / 10));
    format!("{name} {surname} c{number}@correo.mx correo.mx mx")
}

impl Filled {
    /// A row each second, the last one now.
    const fn moment_of(&self, i: u64) -> u64 {
        self.now_ms - (self.rows - i) * 1_000
    }
}

fn pick(words: &[&'static str], i: u64) -> &'static str {
    let place = usize::try_from(i).unwrap_or_default() % words.len();
    words.get(place).copied().unwrap_or_default()
}

fn one_of(random: &mut SplitMix64, words: &[&'static str]) -> &'static str {
    words.get(random.below(words.len())).copied().unwrap_or_default()
}

fn below(random: &mut SplitMix64, rows: u64) -> usize {
    random.below(usize::try_from(rows).unwrap_or(usize::MAX))
}

fn customer_id(number: u64) -> String {
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
fn moment(ms: u64) -> String {
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
        let filled = Filled { rows: 10, now_ms: 1_772_323_199_000 };
        for (columns, row) in [(PRODUCT, product_row(&filled, 3)), (ORDER, order_row(&filled, 3))] {
            assert_eq!(columns.0.split(", ").count(), row.split(',').count(), "{row}");
        }
    }
}
