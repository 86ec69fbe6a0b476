//! Rows about imports: products out of a table, beside the database's own bulk load of the same rows.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use serde_json::Value;
use tokio::time;

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::orders::OrderScript;
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::Stage;
use crate::benchmark::table::grouped;
use crate::database::Database;
use crate::http::Request;
use crate::limits::bulk_load::BulkLoad;
use crate::process_usage::memory;
use crate::service::ApiClient;
use crate::service::client::text_field;
use crate::statistics::{Spread, float, median};

const PATH: &str = "/api/v1/products/imports";
const LOOK_PAUSE: Duration = Duration::from_millis(5);
/// Longer than any file takes to be sent, and any import to end.
const PATIENCE: Duration = Duration::from_secs(1_800);
/// Orders a second beside an import.
const ORDERS: f64 = 100.0;
const CONNECTIONS: usize = 16;
/// The most rows of a file.
pub(super) const ROWS_MAX: u64 = 2_000_000;
/// Beyond so many rows memory alone is measured, once.
pub(super) const LOADED_MAX: u64 = 300_000;

/// Measures imports of so many rows.
pub(crate) fn measure(stage: &Stage<'_>, rows: u64) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    if rows <= LOADED_MAX {
        lines.extend(rates(stage, rows)?);
        lines.push(latency(stage, rows)?);
    } else {
        imported(stage, "M-", rows)?;
    }
    let peak = float(memory(stage.service.pid())?.peak_kib) / 1024.0;
    let what = format!("memory, peak of imports of {} rows", grouped(float(rows)));
    let peak = Spread::of(&[peak]);
    lines.push(Line::absolute(&what, stage.database.name(), peak, "MiB", Goal::AtMost(100.0)));
    Ok(lines)
}

/// New products over the bulk load of what they make, and the same file again over the first time.
fn rates(stage: &Stage<'_>, rows: u64) -> anyhow::Result<Vec<Line>> {
    let accounts = stage.database.query("SELECT DISTINCT account_id FROM products")?;
    let account = accounts.into_iter().flatten().next().context("a shop without products")?;
    let binary = &stage.bench.options.surroundings.binary;
    let load = BulkLoad::prepare(stage.database, &stage.folder, binary, &account)?;
    let (mut new, mut again, mut loaded) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=stage.bench.plan.rounds {
        let prefix = format!("R{round}-");
        let per_second = |time: Duration| float(rows) / time.as_secs_f64();
        let first = per_second(imported(stage, &prefix, rows)?);
        let second = per_second(imported(stage, &prefix, rows)?);
        let limit = per_second(load.time(&prefix)?);
        // The first of each warms up.
        if round > 0 {
            new.push(first);
            again.push(second);
            loaded.push(limit);
        }
    }
    let goal = match stage.database {
        Database::Sqlite { .. } => 0.3,
        Database::Postgres { .. } => 0.25,
    };
    let rate = |rates: &[f64]| median(rates).map(|rate| format!("{}/s", grouped(rate)));
    let line = |what: String, measured: &[f64], limit: &[f64], goal| Line {
        rate: median(measured),
        limit: rate(limit),
        ..Line::absolute(
            &what,
            stage.database.name(),
            Spread::of_ratios(measured, limit),
            "",
            Goal::AtLeast(goal),
        )
    };
    let rows = grouped(float(rows));
    Ok(vec![
        line(format!("import of {rows} new products over their bulk load"), &new, &loaded, goal),
        line(format!("the same {rows} again over the first time"), &again, &new, 3.0),
    ])
}

/// The slowest hundredth of orders beside an import over that without one. The import lasts from before the first order
/// until after the last, and is canceled then.
fn latency(stage: &Stage<'_>, rows: u64) -> anyhow::Result<Line> {
    let script = |_| OrderScript::new(&stage.shop);
    let (mut imports, mut rows) = (0, rows);
    let beside = || loop {
        imports += 1;
        let id = sent(stage, &table(&format!("L{imports}-"), rows))?;
        once(stage, &id, |import| text_field(import, "status") != "queued")?;
        let measured = stage.open(CONNECTIONS, ORDERS, script)?;
        if !has_ended(&shown(stage, &id)?) {
            cancel(stage, &id)?;
            return Ok(measured);
        }
        ensure!(rows < ROWS_MAX, "an import of {rows} rows ends before the orders beside it");
        rows = (rows * 2).min(ROWS_MAX);
        eprintln!("bench: the import ended before the orders beside it; again with {rows} rows");
    };
    let alone = || {
        let measured = stage.open(CONNECTIONS, ORDERS, script)?;
        Ok(measured.tally.latency(0.99).as_secs_f64() * 1e6)
    };
    let rounds = Rounds::alternate(&stage.bench.plan, beside, alone)?;
    let what = format!("p99 of POST order at {ORDERS:.0}/s beside an import over alone");
    rounds.latency_line(stage, what, Goal::AtMost(2.0))
}

/// A table of products whose SKUs begin so.
fn table(prefix: &str, rows: u64) -> String {
    let mut text = "sku,name,price,inventory\n".to_owned();
    for number in 0..rows {
        let (pesos, stock) = (10 + number % 90, 1 + number % 50);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{prefix}{number:07},Producto {number:07},{pesos}.99,{stock}");
    }
    text
}

/// Imports a table; how long that takes from the first byte that is sent.
pub(super) fn imported(stage: &Stage<'_>, prefix: &str, rows: u64) -> anyhow::Result<Duration> {
    let table = table(prefix, rows);
    let began = Instant::now();
    let id = sent(stage, &table)?;
    ended(stage, &id, rows)?;
    Ok(began.elapsed())
}

fn client(stage: &Stage<'_>) -> ApiClient {
    ApiClient::new(stage.service.address(), &stage.shop.api_key).waiting(PATIENCE)
}

/// Sends a table; the import's identifier.
fn sent(stage: &Stage<'_>, table: &str) -> anyhow::Result<String> {
    let request = Request::with_table(PATH, &stage.shop.api_key, table).render();
    let mut client = client(stage);
    let answer = stage.bench.runtime.block_on(client.exchange(&request));
    let answer = answer.map_err(|lost| anyhow!("sending a table: {}", lost.0))?;
    ensure!(answer.status == 202, "the table was refused: {}", answer.excerpt());
    Ok(text_field(&answer.json(), "id"))
}

fn shown(stage: &Stage<'_>, id: &str) -> anyhow::Result<Value> {
    stage.bench.runtime.block_on(client(stage).get(&format!("{PATH}/{id}")))
}

/// An import once it is as wanted.
fn once(stage: &Stage<'_>, id: &str, is_so: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
    let began = Instant::now();
    let mut client = client(stage);
    stage.bench.runtime.block_on(async {
        loop {
            let import = client.get(&format!("{PATH}/{id}")).await?;
            if is_so(&import) {
                return Ok(import);
            }
            ensure!(began.elapsed() < PATIENCE, "nothing becomes of the import: {import}");
            time::sleep(LOOK_PAUSE).await;
        }
    })
}

/// Ends an import of whose rows some are left.
fn cancel(stage: &Stage<'_>, id: &str) -> anyhow::Result<()> {
    let path = format!("{PATH}/{id}/cancel");
    let request = Request::with_body("POST", &path, &stage.shop.api_key, "");
    let request = Request { body: None, ..request }.render();
    let mut client = client(stage);
    let answer = stage.bench.runtime.block_on(client.exchange(&request));
    let answer = answer.map_err(|lost| anyhow!("canceling an import: {}", lost.0))?;
    ensure!(answer.status == 200, "the import is not canceled: {}", answer.excerpt());
    Ok(())
}

/// Waits for the end of an import, all of whose rows must be right.
fn ended(stage: &Stage<'_>, id: &str, rows: u64) -> anyhow::Result<()> {
    let import = once(stage, id, has_ended)?;
    let count = |name: &str| import.get(name).and_then(Value::as_u64).unwrap_or_default();
    let done = count("created") + count("unchanged");
    ensure!(done == rows && text_field(&import, "status") == "completed", "not imported: {import}");
    Ok(())
}

fn has_ended(import: &Value) -> bool {
    import.get("endedAt").is_some_and(|ended| !ended.is_null())
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn a_table_has_a_row_for_each_product() {
        let text = table("R1-", 2);
        let expected = "sku,name,price,inventory\nR1-0000000,Producto 0000000,10.99,1\n\
            R1-0000001,Producto 0000001,11.99,2\n";
        assert_eq!(text, expected);
    }
}
