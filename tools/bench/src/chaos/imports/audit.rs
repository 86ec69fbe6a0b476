//! The audit of an import that has ended: what the API says of its rows, and what the database holds.

use std::collections::HashMap;

use anyhow::Context;
use serde_json::Value;

use super::promise::Rows;
use super::table::{Expected, Shelf};
use crate::chaos::verdict::Verdict;
use crate::database::Database;

/// Compares what the API says of an import with its table.
pub(super) fn counts(verdict: &mut Verdict<Rows>, import: &Value, expected: Expected) {
    let count = |name: &str| import.get(name).and_then(Value::as_u64);
    let rows = expected.created + expected.updated + expected.failed;
    let status = import.get("status").and_then(Value::as_str);
    let status_expected = if expected.failed > 0 { "completed_with_errors" } else { "completed" };
    let is_right = status == Some(status_expected)
        && [
            ("total", rows),
            ("processed", rows),
            ("created", expected.created),
            ("updated", expected.updated),
            ("unchanged", 0),
            ("failed", expected.failed),
        ]
        .iter()
        .all(|(name, number)| count(name) == Some(*number));
    verdict.check(Rows::EachRowOnce, is_right, || format!("{expected:?}: {import}"));
}

/// Compares what the database holds with all tables so far.
pub(super) fn database(
    verdict: &mut Verdict<Rows>,
    database: &Database,
    account: &str,
    (import, expected): (&str, Expected),
    shelf: &Shelf,
) -> anyhow::Result<()> {
    let own = format!("account_id = '{account}' AND sku LIKE 'IMP-%'");
    let products = numbers(
        database,
        &format!("SELECT COUNT(*), COUNT(DISTINCT sku), SUM(version) FROM products WHERE {own}"),
    )?;
    let (made, versions) = (shelf.products(), shelf.versions);
    let detail =
        || format!("{products:?} products, SKUs and versions; {made}, {versions} expected");
    let one_each = [made, made].map(i128::from);
    verdict.check(Rows::OneProductPerRow, products.get(..2) == Some(&one_each), detail);
    let is_right = products.get(2) == Some(&i128::from(versions));
    verdict.check(Rows::OneVersionPerRow, is_right, detail);
    let ours = format!("SELECT id FROM products WHERE {own}");
    for (name, expected) in [("product.created", made), ("product.updated", versions - made)] {
        let told = numbers(
            database,
            &format!(
                "SELECT COUNT(*) FROM events WHERE account_id = '{account}' AND name = '{name}' \
                 AND entity_id IN ({ours})"
            ),
        )?;
        let is_right = told == [i128::from(expected)];
        verdict.check(Rows::OneEventPerRow, is_right, || {
            format!("{told:?} {name}, {expected} expected")
        });
    }
    stock(verdict, database, account, &ours, shelf)?;
    let errors = numbers(
        database,
        &format!(
            "SELECT COUNT(*), COUNT(DISTINCT row_number) FROM import_errors \
             WHERE account_id = '{account}' AND import_id = '{import}'"
        ),
    )?;
    let refused = [expected.failed, expected.failed].map(i128::from);
    verdict.check(Rows::OneErrorPerRefusedRow, errors == refused, || {
        format!("{errors:?} errors and rows with errors, {} expected", expected.failed)
    });
    Ok(())
}

fn stock(
    verdict: &mut Verdict<Rows>,
    database: &Database,
    account: &str,
    ours: &str,
    shelf: &Shelf,
) -> anyhow::Result<()> {
    let of = |columns: &str, table: &str| {
        let sql = format!(
            "SELECT {columns} FROM {table} WHERE account_id = '{account}' AND product_id IN ({ours})"
        );
        numbers(database, &sql)
    };
    let moved = of("COUNT(*), COALESCE(SUM(delta), 0)", "stock_movements")?;
    let levels = of("COALESCE(SUM(quantity), 0)", "stock_levels")?;
    let (counts, stock) = (i128::from(shelf.movements), i128::from(shelf.stock()));
    verdict.check(Rows::OneMovementPerRow, moved.first() == Some(&counts), || {
        format!("{moved:?} rows of the ledger and their sum, {counts} rows expected")
    });
    let agrees = levels == [stock] && moved.get(1) == Some(&stock);
    verdict.check(Rows::StockIsOfTheLastFile, agrees, || {
        format!("levels {levels:?}, ledger {moved:?}, {stock} expected")
    });
    Ok(())
}

/// The numbers of the only row of a query.
fn numbers(database: &Database, sql: &str) -> anyhow::Result<Vec<i128>> {
    let row = database.query(sql)?.into_iter().next().unwrap_or_default();
    let numbers =
        row.iter().map(|value| value.parse().with_context(|| format!("{value} in {sql}")));
    numbers.collect()
}

/// How many files each kind of a folder has, by the ends of their names.
pub(super) fn files(folder: &std::path::Path) -> anyhow::Result<HashMap<String, usize>> {
    let mut files = HashMap::new();
    if !folder.exists() {
        return Ok(files);
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let end =
            path.extension().map_or_else(String::new, |end| end.to_string_lossy().into_owned());
        *files.entry(end).or_default() += 1;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_row_that_is_done_twice_or_never_is_seen() {
        let expected = Expected { created: 5, updated: 4, failed: 1 };
        let sound = json!({"status": "completed_with_errors", "total": 10, "processed": 10, "created": 5,
            "updated": 4, "unchanged": 0, "failed": 1});
        let mut verdict = Verdict::default();
        counts(&mut verdict, &sound, expected);
        assert_eq!(verdict.violations(), 0, "{}", verdict.report());
        for (name, spoilt) in [
            ("unchanged", json!(1)),
            ("processed", json!(11)),
            ("created", json!(4)),
            ("status", json!("completed")),
            ("failed", json!(null)),
        ] {
            let mut import = sound.clone();
            import[name] = spoilt;
            let mut verdict = Verdict::default();
            counts(&mut verdict, &import, expected);
            assert_eq!(verdict.violations(), 1, "{name}");
        }
    }
}
