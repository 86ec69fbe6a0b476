//! The audit of what the database holds, beside what was acknowledged.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde_json::Value;

use super::ask::{Goods, Kind};
use super::book::Book;
use super::promise::Promised;
use crate::database::Database;
use crate::service::ApiClient;

/// Quantities, in pieces or in thousandths of what is weighed, or how often something happened, by what they are of.
type Sums = BTreeMap<String, i64>;

/// Where what asks of a kind have made is kept.
const MADE: [(Kind, &str); 7] = [
    (Kind::Order, "orders"),
    (Kind::Receipt, "stock_receipts"),
    (Kind::Adjust, "stock_adjustments"),
    (Kind::Plan, "transfers"),
    (Kind::OpenCount, "stock_counts"),
    (Kind::Ship, "shipments"),
    (Kind::Return, "order_returns"),
];

/// What asks of a kind have done to something that was there, and can be done to it once.
const DONE: [(Kind, &str, &str); 6] = [
    (Kind::CancelReceipt, "stock_receipts", "cancelled_at IS NOT NULL"),
    (Kind::Dispatch, "transfers", "dispatched_at IS NOT NULL"),
    (Kind::CancelTransfer, "transfers", "cancelled_at IS NOT NULL"),
    (Kind::PostCount, "stock_counts", "posted_at IS NOT NULL"),
    (Kind::CancelCount, "stock_counts", "cancelled_at IS NOT NULL"),
    (Kind::CancelShipment, "shipments", "cancelled_at IS NOT NULL"),
];

/// By what the ledger names what asks of a kind have moved, and which of its rows are theirs.
const MOVED: [(Kind, &str, &str); 7] = [
    (Kind::Receipt, "reference", "reason = 'receipt'"),
    (Kind::CancelReceipt, "reference", "reason = 'receipt_cancelled'"),
    (Kind::Adjust, "reference", "reference LIKE 'adj%'"),
    (Kind::Receive, "reference", "reference LIKE 'trf%'"),
    (Kind::Ship, "note", "reason = 'shipment'"),
    (Kind::CancelShipment, "note", "reason = 'shipment_cancelled'"),
    (Kind::Return, "reference", "reason = 'return'"),
];

/// The database of an account while nothing but the housekeeping runs on it.
struct Kept<'a> {
    database: &'a Database,
    account: &'a str,
}

impl Kept<'_> {
    /// The numbers of rows of two columns, by the first.
    fn sums(&self, sql: &str) -> anyhow::Result<Sums> {
        let sql = sql.replace("{account}", self.account);
        let mut sums = Sums::new();
        for row in self.database.query(&sql)? {
            let mut values = row.into_iter();
            let (Some(name), Some(sum)) = (values.next(), values.next()) else { continue };
            sums.insert(name, sum.parse().with_context(|| format!("{sum} in {sql}"))?);
        }
        Ok(sums)
    }

    /// How often each name is in the rows of a table.
    fn named(&self, column: &str, table: &str, condition: &str) -> anyhow::Result<Sums> {
        self.sums(&format!(
            "SELECT {column}, COUNT(*) FROM {table} WHERE account_id = '{{account}}' AND {condition} GROUP BY {column}"
        ))
    }
}

/// Compares everything.
pub(super) fn audit(
    book: &mut Book,
    database: &Database,
    account: &str,
    is_last: bool,
) -> anyhow::Result<()> {
    let kept = Kept { database, account };
    made_and_done(book, &kept)?;
    repeated(book, &kept)?;
    moved(book, &kept)?;
    levels(book, &kept)?;
    events(book, &kept)?;
    if is_last && let Some(faults) = database.integrity_faults()? {
        let is_whole = faults.is_empty();
        book.verdict.check(Promised::DatabaseIsWhole, is_whole, || faults.join("; "));
    }
    Ok(())
}

/// What was acknowledged is there, once, and nothing else.
fn made_and_done(book: &mut Book, kept: &Kept<'_>) -> anyhow::Result<()> {
    for (kind, table) in MADE {
        let mut expected = counted(book.acknowledged(kind).map(|(_, id)| id.to_owned()));
        let mut found = kept.named("id", table, "0 = 0")?;
        let set_up = |id: &String| book.set_up.contains(id);
        found.retain(|id, _| !set_up(id));
        expected.retain(|id, _| !set_up(id));
        compare(book, Promised::AcknowledgedIsKept, &format!("{kind:?}"), &expected, &found);
    }
    for (kind, table, condition) in DONE {
        let expected = counted(book.acknowledged(kind).filter_map(|(ask, _)| ask.about.clone()));
        let found = kept.named("id", table, condition)?;
        compare(book, Promised::DoneOnce, &format!("{kind:?}"), &expected, &found);
    }
    Ok(())
}

/// What can be done to one thing again and again has been done so often, and of so much.
fn repeated(book: &mut Book, kept: &Kept<'_>) -> anyhow::Result<()> {
    let arrivals = book.acknowledged(Kind::Receive).filter_map(|(ask, _)| ask.about.clone());
    let expected = counted(arrivals);
    let found = kept.named("transfer_id", "transfer_arrivals", "0 = 0")?;
    compare(book, Promised::DoneOnce, "arrivals", &expected, &found);

    let mut expected = Sums::new();
    for (ask, _) in book.acknowledged(Kind::Scan) {
        let count = ask.about.clone().unwrap_or_default();
        for goods in &ask.lines {
            *expected.entry(format!("{count} {}", goods.product)).or_default() += goods.quantity;
        }
    }
    let found = kept.sums(
        "SELECT count_id || ' ' || product_id, counted FROM count_lines \
         WHERE account_id = '{account}' AND counted IS NOT NULL",
    )?;
    compare(book, Promised::DoneOnce, "scanned", &expected, &found);

    let mut expected = Sums::new();
    for (ask, _) in book.acknowledged(Kind::Reallocate) {
        let moved: i64 = ask.lines.iter().map(|goods| goods.quantity).sum();
        *expected.entry(ask.about.clone().unwrap_or_default()).or_default() += moved;
    }
    let found = kept.sums(
        "SELECT reference, SUM(delta) FROM stock_movements \
         WHERE account_id = '{account}' AND reason = 'reallocation' AND delta > 0 GROUP BY reference",
    )?;
    compare(book, Promised::DoneOnce, "reallocated", &expected, &found);
    Ok(())
}

/// The ledger has moved what each call was asked for.
fn moved(book: &mut Book, kept: &Kept<'_>) -> anyhow::Result<()> {
    for (kind, column, condition) in MOVED {
        let mut expected = Sums::new();
        for (ask, id) in book.acknowledged(kind) {
            let name = if kind.makes() { Some(id.to_owned()) } else { ask.about.clone() };
            *expected.entry(name.unwrap_or_default()).or_default() += ask.moved();
        }
        let mut found = kept.sums(&format!(
            "SELECT {column}, SUM(delta + committed_delta) FROM stock_movements \
             WHERE account_id = '{{account}}' AND {condition} GROUP BY {column}"
        ))?;
        found.retain(|name, _| !book.set_up.contains(name));
        // What moves nothing has no row, and what goes from here to there moves nothing in all.
        expected.retain(|_, pieces| *pieces != 0);
        found.retain(|_, pieces| *pieces != 0);
        compare(book, Promised::LedgerAsAsked, &format!("{kind:?}"), &expected, &found);
    }
    Ok(())
}

/// Levels, ledger, transfers and orders agree.
fn levels(book: &mut Book, kept: &Kept<'_>) -> anyhow::Result<()> {
    let mut expected = book.expected();
    let posted = kept.sums(
        "SELECT product_id, SUM(posted) FROM count_lines \
         WHERE account_id = '{account}' AND posted IS NOT NULL GROUP BY product_id",
    )?;
    for (product, pieces) in posted {
        *expected.entry(product).or_default() += pieces;
    }
    let on_hand = kept.sums(
        "SELECT product_id, SUM(quantity + committed) FROM stock_levels \
         WHERE account_id = '{account}' GROUP BY product_id",
    )?;
    compare(book, Promised::OnHandAddsUp, "on hand", &expected, &on_hand);
    for (what, level, row) in
        [("available", "quantity", "delta"), ("committed", "committed", "committed_delta")]
    {
        let of = |column: &str, table: &str| {
            kept.sums(&format!(
                "SELECT product_id || ' ' || warehouse_id, SUM({column}) FROM {table} \
                 WHERE account_id = '{{account}}' GROUP BY product_id, warehouse_id"
            ))
        };
        let mut levels = of(level, "stock_levels")?;
        let mut ledger = of(row, "stock_movements")?;
        levels.retain(|_, pieces| *pieces != 0);
        ledger.retain(|_, pieces| *pieces != 0);
        compare(book, Promised::LedgerAddsUp, what, &ledger, &levels);
    }
    let mut promised = kept.sums(
        "SELECT i.product_id, SUM(i.quantity - i.removed - COALESCE(h.quantity, 0)) FROM orders o \
         JOIN order_items i ON i.account_id = o.account_id AND i.order_id = o.id \
         LEFT JOIN (SELECT s.account_id, s.order_id, x.line, SUM(x.quantity) AS quantity FROM shipments s \
         JOIN shipment_items x ON x.account_id = s.account_id AND x.shipment_id = s.id \
         WHERE s.status <> 'cancelled' GROUP BY s.account_id, s.order_id, x.line) h \
         ON h.account_id = i.account_id AND h.order_id = i.order_id AND h.line = i.line \
         WHERE o.account_id = '{account}' AND o.status IN ('pending', 'paid') GROUP BY i.product_id",
    )?;
    let mut committed = kept.sums(
        "SELECT product_id, SUM(committed) FROM stock_levels WHERE account_id = '{account}' GROUP BY product_id",
    )?;
    promised.retain(|_, pieces| *pieces != 0);
    committed.retain(|_, pieces| *pieces != 0);
    compare(book, Promised::PromisesAddUp, "committed", &promised, &committed);
    let transfers = kept.sums(
        "SELECT product_id, SUM(in_transit) FROM transfer_lines \
         WHERE account_id = '{account}' AND in_transit > 0 GROUP BY product_id",
    )?;
    let mut transit = kept.sums(
        "SELECT product_id, SUM(quantity) FROM stock_levels \
         WHERE account_id = '{account}' AND warehouse_id LIKE 'wht%' GROUP BY product_id",
    )?;
    transit.retain(|_, pieces| *pieces != 0);
    compare(book, Promised::TransitAddsUp, "in transit", &transfers, &transit);
    let below = kept.sums(
        "SELECT product_id || ' ' || warehouse_id, quantity FROM stock_levels \
         WHERE account_id = '{account}' AND (quantity < 0 OR committed < 0 OR elsewhere < 0)",
    )?;
    book.verdict.check(Promised::NothingBelowZero, below.is_empty(), || format!("{below:?}"));
    Ok(())
}

fn events(book: &mut Book, kept: &Kept<'_>) -> anyhow::Result<()> {
    for (kind, name) in
        [(Kind::Ship, "shipment.created"), (Kind::CancelShipment, "shipment.cancelled")]
    {
        let acknowledged = book.acknowledged(kind);
        let things = acknowledged.filter_map(|(ask, id)| match kind.makes() {
            true => Some(id.to_owned()),
            false => ask.about.clone(),
        });
        let expected = counted(things);
        let found = kept.named("entity_id", "events", &format!("name = '{name}'"))?;
        compare(book, Promised::OneEvent, name, &expected, &found);
    }
    Ok(())
}

/// The API shows the levels of each product.
pub(super) async fn shown(
    book: &mut Book,
    client: &mut ApiClient,
    database: &Database,
    account: &str,
) -> anyhow::Result<()> {
    let available = Kept { database, account }.sums(
        "SELECT product_id, SUM(quantity) FROM stock_levels \
         WHERE account_id = '{account}' AND warehouse_id NOT LIKE 'wht%' GROUP BY product_id",
    )?;
    let of = |id: &String| available.get(id).copied().unwrap_or_default();
    let wares: Vec<Goods> = book.wares.iter().map(|ware| ware.goods(of(&ware.id))).collect();
    for kept in wares {
        let shown = client.get(&format!("/api/v1/products/{}", kept.product)).await?;
        // The same number, whether or not it is written with a decimal point.
        let inventory = shown.get("inventory").and_then(Value::as_f64);
        let is_same = inventory == kept.units().as_f64();
        book.verdict
            .check(Promised::ShownAsKept, is_same, || format!("{kept:?}: {inventory:?} shown"));
    }
    Ok(())
}

/// How often each name is there.
fn counted(names: impl Iterator<Item = String>) -> Sums {
    let mut counted = Sums::new();
    for name in names {
        *counted.entry(name).or_default() += 1;
    }
    counted
}

/// One trial for each thing that is expected or found.
fn compare(book: &mut Book, goods: Promised, what: &str, expected: &Sums, found: &Sums) {
    let names: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    for name in names {
        let (expected, found) = (expected.get(name), found.get(name));
        book.verdict.check(goods, expected == found, || {
            format!("{what} {name}: {found:?} found, {expected:?} expected")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lacking_and_what_is_too_much_is_seen() {
        let sums = |pairs: &[(&str, i64)]| -> Sums {
            pairs.iter().map(|(name, sum)| ((*name).to_owned(), *sum)).collect()
        };
        let expected = sums(&[("a", 1), ("b", 2)]);
        for (found, violations) in [
            (sums(&[("a", 1), ("b", 2)]), 0),
            (sums(&[("a", 1)]), 1),
            (sums(&[("a", 2), ("b", 2)]), 1),
            (sums(&[("a", 1), ("b", 2), ("c", 1)]), 1),
        ] {
            let mut book = Book::default();
            compare(&mut book, Promised::DoneOnce, "x", &expected, &found);
            assert_eq!(book.verdict.violations(), violations, "{found:?}");
        }
        let names = ["a", "b", "a"].into_iter().map(str::to_owned);
        assert_eq!(counted(names), sums(&[("a", 2), ("b", 1)]));
    }
}
