//! Rates, latencies, processor time and memory of the service beside the limits of the machine.

mod filled;
mod growth;
mod imports;
mod line;
pub(crate) mod orders;
mod panel;
mod payments;
mod reads;
mod rounds;
mod search;
pub(crate) mod shop;
mod stage;
mod stampings;
mod startup;
mod stock;
mod table;
mod webhooks;

use std::time::Duration;

use tokio::runtime::Runtime;

use crate::arguments::{BenchOptions, Row};
use crate::database::postgres::PostgresTools;
use crate::database::{self, Database};
use crate::limits::ORDERED_PRODUCTS;
use crate::limits::static_answer::StaticServer;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::readiness::free_address;
use crate::{disk, load, machine};

use growth::Growth;
use line::Line;
use stage::Stage;

/// Everything, in the order in which it is measured: the cold start ends the server.
const ALL_ROWS: [Row; 14] = [
    Row::Get,
    Row::Page,
    Row::Orders,
    Row::Latency,
    Row::Stampings,
    Row::Payments,
    Row::Startup,
    Row::WebhooksLimit,
    Row::WebhooksOne,
    Row::WebhooksFifty,
    Row::WebhooksPump,
    Row::WebhooksLatency,
    Row::WebhooksIsolation,
    Row::WebhooksAbuse,
];
const QUICK_PRODUCTS: u32 = 1_000;
const QUICK_SEARCHED: u64 = 20_000;
const QUICK_IMPORTED: u64 = 2_000;
const QUICK_LISTED: u64 = 1_600;
/// Products of a stage that needs no more than orders do.
const SHOP_PRODUCTS: u32 = ORDERED_PRODUCTS;

/// What is measured, how often, how long.
#[derive(Debug)]
pub(crate) struct Plan {
    rows: Vec<Row>,
    webhook_rows: Vec<Row>,
    /// Rows of each list that is searched, if any.
    searched: Option<u64>,
    /// Rows of each file that is imported, if any.
    imported: Option<u64>,
    /// Rows of each list that the account panel shows, if it is measured.
    listed: Option<u64>,
    /// Whether stock in several warehouses is measured.
    stocked: bool,
    /// How far the lists grow, if they do.
    grown: Option<Growth>,
    rounds: u32,
    seconds: u32,
    products: u32,
}

impl Plan {
    fn of(options: &BenchOptions) -> Self {
        let group = options.rows.contains(&Row::Webhooks);
        let wanted = |row: &Row| {
            // OpenSSL is not everywhere, and payments are measured beside orders, not beside a limit.
            let is_named_only = matches!(row, Row::Stampings | Row::Payments);
            let is_usual = options.rows.is_empty() && !is_named_only;
            is_usual || options.rows.contains(row) || (group && is_of_webhooks(*row))
        };
        let rows = ALL_ROWS.into_iter().filter(wanted);
        let (webhook_rows, rows) = rows.partition(|row| is_of_webhooks(*row));
        let BenchOptions { rounds, seconds, products, .. } = *options;
        let searched = options.rows.contains(&Row::Search);
        let imported = options.rows.contains(&Row::Imports);
        let listed = options.rows.contains(&Row::Panel);
        let stocked = options.rows.contains(&Row::Stock);
        let grown = options.rows.contains(&Row::Growth);
        if options.quick {
            return Self {
                rows,
                webhook_rows,
                searched: searched.then_some(QUICK_SEARCHED),
                imported: imported.then_some(QUICK_IMPORTED),
                listed: listed.then_some(QUICK_LISTED),
                stocked,
                grown: grown.then_some(growth::QUICK),
                rounds: 2,
                seconds: 1,
                products: QUICK_PRODUCTS,
            };
        }
        let searched = searched.then_some(search::ROWS);
        let imported = imported.then_some(options.imported);
        let listed = listed.then_some(options.listed);
        let grown = grown.then_some(growth::FULL);
        Self {
            rows,
            webhook_rows,
            searched,
            imported,
            listed,
            stocked,
            grown,
            rounds,
            seconds,
            products,
        }
    }

    /// How long one measurement takes.
    fn duration(&self) -> Duration {
        Duration::from_secs(u64::from(self.seconds))
    }
}

const fn is_of_webhooks(row: Row) -> bool {
    !matches!(
        row,
        Row::Get
            | Row::Page
            | Row::Orders
            | Row::Latency
            | Row::Stampings
            | Row::Payments
            | Row::Startup
            | Row::Search
            | Row::Imports
            | Row::Stock
            | Row::Growth
            | Row::Panel
    )
}

/// What the databases are measured with alike.
pub(crate) struct Bench<'a> {
    options: &'a BenchOptions,
    plan: Plan,
    directory: &'a RunDirectory,
    runtime: Runtime,
    static_server: StaticServer,
}

/// Runs the benchmarks and prints their table; whether every answer was the right one.
pub(crate) fn run(options: &BenchOptions) -> anyhow::Result<bool> {
    let mut directory = RunDirectory::create("bench")?;
    let outcome = measure_all(options, &directory);
    if !matches!(outcome, Ok(true)) {
        directory.keep();
        eprintln!("bench: logs and databases are in {}", directory.path().display());
    }
    outcome
}

fn measure_all(options: &BenchOptions, directory: &RunDirectory) -> anyhow::Result<bool> {
    let machine = machine::description(disk::commit_time(directory.path())?);
    eprintln!("bench: {machine}");
    let surroundings = &options.surroundings;
    let plan = Plan::of(options);
    let runtime = load::generator()?;
    let bench = Bench { options, plan, directory, runtime, static_server: StaticServer::start()? };
    let mut lines = Vec::new();
    let mut notes = vec![machine, reads::generator_note(&bench)?];
    if !bench.plan.rows.is_empty() {
        for database in &database::prepare(surroundings, directory, "trastienda")? {
            lines.extend(measure_database(&bench, database)?);
        }
    }
    if let Some(rows) = bench.plan.searched {
        for database in &database::prepare(surroundings, directory, "searched")? {
            lines.extend(measure_searches(&bench, database, rows)?);
        }
    }
    if let Some(wanted) = &bench.plan.grown {
        for database in &database::prepare(surroundings, directory, "crowded")? {
            lines.extend(growth::measure(&bench, database, wanted)?);
        }
    }
    if let Some(rows) = bench.plan.listed {
        for database in &database::prepare(surroundings, directory, "listed")? {
            eprintln!("bench: the account panel on {}", database.name());
            let mut stage = set_stage(&bench, database, "listed", 1)?;
            let metrics = free_address()?;
            let options = stage.options.with("TRASTIENDA_METRICS_LISTEN", &metrics.to_string());
            stage.restart(&options)?;
            lines.extend(panel::measure(&stage, metrics, rows)?);
        }
    }
    if bench.plan.stocked {
        for database in &database::prepare(surroundings, directory, "stocked")? {
            lines.extend(measure_stock(&bench, database)?);
        }
    }
    if let Some(rows) = bench.plan.imported {
        for database in &database::prepare(surroundings, directory, "imported")? {
            lines.extend(measure_imports(&bench, database, rows)?);
        }
        if rows <= imports::LOADED_MAX {
            lines.extend(webhooks::measure_behind_imports(&bench, rows)?);
        }
    }
    if !bench.plan.webhook_rows.is_empty() {
        lines.extend(webhooks::measure(&bench)?);
    }
    if let Ok(tools) = PostgresTools::new(surroundings)
        && lines.iter().any(|line| line.database == "PostgreSQL")
    {
        notes.push(format!("PostgreSQL {}", tools.version()?));
    }
    println!("{}", table::render(&lines, &bench.plan, &notes));
    Ok(lines.iter().all(Line::is_sound))
}

fn measure_database(bench: &Bench<'_>, database: &Database) -> anyhow::Result<Vec<Line>> {
    let mut stage = set_stage(bench, database, "usual", bench.plan.products)?;
    let mut lines = Vec::new();
    for row in &bench.plan.rows {
        eprintln!("bench: {row:?} on {}", database.name());
        match row {
            Row::Get => lines.push(reads::get(&stage)?),
            Row::Page => lines.push(reads::page(&stage)?),
            Row::Orders => lines.extend(orders::rates(&mut stage)?),
            Row::Latency => lines.push(orders::latency(&mut stage)?),
            Row::Stampings => lines.extend(stampings::rates(&stage)?),
            Row::Payments => lines.extend(payments::rates(&stage)?),
            // The cold start comes last; webhooks have a stage of their own.
            _ => {}
        }
    }
    if bench.plan.rows.contains(&Row::Startup) {
        lines.extend(startup::measure(stage)?);
    }
    Ok(lines)
}

fn measure_searches(
    bench: &Bench<'_>,
    database: &Database,
    rows: u64,
) -> anyhow::Result<Vec<Line>> {
    search::measure(&set_stage(bench, database, "searched", 1)?, rows)
}

fn measure_imports(bench: &Bench<'_>, database: &Database, rows: u64) -> anyhow::Result<Vec<Line>> {
    eprintln!("bench: imports on {}", database.name());
    imports::measure(&set_stage(bench, database, "imported", SHOP_PRODUCTS)?, rows)
}

fn measure_stock(bench: &Bench<'_>, database: &Database) -> anyhow::Result<Vec<Line>> {
    eprintln!("bench: stock on {}", database.name());
    stock::measure(&set_stage(bench, database, "stocked", SHOP_PRODUCTS)?)
}

/// A server on a database, with a folder of its own for its purpose.
fn set_stage<'a>(
    bench: &'a Bench<'a>,
    database: &'a Database,
    purpose: &str,
    products: u32,
) -> anyhow::Result<Stage<'a>> {
    let folder = format!("{purpose}-{}", database.name().to_lowercase());
    let folder = bench.directory.folder(&folder)?;
    let binary = &bench.options.surroundings.binary;
    let options = ServiceOptions::new(binary, database.url(), &folder)?;
    Stage::set(bench, database, folder, options, products)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn plan(rows: &[&str]) -> Plan {
        let line = [&["bench", "bench", "--binary", "/bin/true"], rows].concat();
        let Command::Bench(options) = Arguments::parse_from(line).command else {
            panic!("the bench command was asked for");
        };
        Plan::of(&options)
    }

    #[test]
    fn the_group_of_webhooks_is_all_its_rows_and_no_other() {
        assert_eq!(plan(&["webhooks"]).webhook_rows, ALL_ROWS[7..]);
        assert!(plan(&["webhooks"]).rows.is_empty());
        assert_eq!(plan(&["webhooks-pump"]).webhook_rows, [Row::WebhooksPump]);
        assert_eq!(plan(&["get"]).rows, [Row::Get]);
        assert!(plan(&["get"]).webhook_rows.is_empty());
        assert_eq!(plan(&[]).rows.len() + plan(&[]).webhook_rows.len(), ALL_ROWS.len() - 2);
        assert_eq!(plan(&["stampings"]).rows, [Row::Stampings]);
        assert_eq!(plan(&["payments"]).rows, [Row::Payments]);
        assert_eq!(plan(&["imports", "--imported", "5"]).imported, Some(5));
        assert!(plan(&["imports"]).rows.is_empty() && plan(&[]).imported.is_none());
        assert!(plan(&["stock"]).stocked && plan(&["stock"]).rows.is_empty());
        assert!(!plan(&[]).stocked && plan(&[]).grown.is_none());
        assert_eq!((plan(&["panel"]).listed, plan(&[]).listed), (Some(100_000), None));
        assert!(plan(&["panel"]).rows.is_empty() && plan(&["panel"]).webhook_rows.is_empty());
        assert_eq!(plan(&["growth"]).grown.map(|growth| growth.accounts), Some(20_000));
    }
}
