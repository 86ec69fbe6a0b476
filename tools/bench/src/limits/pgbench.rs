//! The limit of orders on PostgreSQL: pgbench doing the same work in one statement.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::database::postgres::{FreshDatabase, PostgresTools, successful};
use crate::limits::ORDERED_PRODUCTS;

/// The service's own tables.
const SCHEMA: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../migrations/postgres/2026-11-21-000001_foundation/up.sql"
));
const FUNCTION: &str = include_str!("../../sql/pgbench_order_function.sql");
const ORDER: &str = include_str!("../../sql/pgbench_order.sql");

/// A database of pgbench's own beside the service's, on the same server.
#[derive(Debug)]
pub(crate) struct Pgbench {
    tools: PostgresTools,
    database: FreshDatabase,
    script: PathBuf,
}

impl Pgbench {
    pub(crate) fn prepare(tools: &PostgresTools, folder: &Path) -> anyhow::Result<Self> {
        let schema = folder.join("pgbench_schema.sql");
        std::fs::write(&schema, [SCHEMA, FUNCTION].concat())?;
        let script = folder.join("pgbench_order.sql");
        std::fs::write(&script, ORDER)?;
        let database = tools.fresh_database("limit")?;
        tools.run_file(database.url(), &schema)?;
        Ok(Self { tools: tools.clone(), database, script })
    }

    /// Orders per second that so many clients place.
    pub(crate) fn rate(&self, clients: usize, seconds: u32) -> anyhow::Result<f64> {
        let mut pgbench = self.tools.command("pgbench");
        pgbench
            .args(["-n", "-M", "prepared"])
            .args(["-c", &clients.to_string(), "-j", &clients.min(2).to_string()])
            .args(["-T", &seconds.to_string()])
            .args(["-D", &format!("products={ORDERED_PRODUCTS}")])
            .arg("-f")
            .arg(&self.script)
            .arg(self.database.url());
        let said = successful(pgbench.output().context("running pgbench")?)?;
        let (rate, failed) = parse(&said).with_context(|| format!("reading: {said}"))?;
        ensure!(failed == 0, "{failed} transactions of pgbench failed");
        Ok(rate)
    }
}

/// Transactions per second and failed transactions in what pgbench reports.
fn parse(said: &str) -> Option<(f64, u64)> {
    let number = |label: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(label))?;
        line.split_whitespace().next()
    };
    // Versions before 15 report no failures: they stop at the first.
    let failed = number("number of failed transactions: ").map_or(Some(0), |n| n.parse().ok())?;
    Some((number("tps = ")?.parse().ok()?, failed))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_report_of_pgbench_is_read() {
        let said = "number of transactions actually processed: 13129\n\
            number of failed transactions: 2 (0.015%)\n\
            latency average = 14.6 ms\ninitial connection time = 90.1 ms\n\
            tps = 4370.931105 (without initial connection time)\n";
        assert_eq!(parse(said), Some((4_370.931_105, 2)));
        assert_eq!(parse("tps = 12.5 (without)\n"), Some((12.5, 0)));
        assert_eq!(parse("nothing"), None);
    }
}
