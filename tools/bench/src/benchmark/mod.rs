//! Rates, latencies, processor time and memory of the service beside the limits of the machine.

mod line;
mod orders;
mod reads;
mod rounds;
mod shop;
mod stage;
mod startup;
mod table;

use std::time::Duration;

use tokio::runtime::Runtime;

use crate::arguments::{BenchOptions, Row};
use crate::database::{self, Database};
use crate::limits::static_answer::StaticServer;
use crate::run_directory::RunDirectory;
use crate::{disk, load, machine};

use line::Line;
use stage::Stage;

/// Everything, in the order in which it is measured: the cold start ends the server.
const ALL_ROWS: [Row; 5] = [Row::Get, Row::Page, Row::Orders, Row::Latency, Row::Startup];
const QUICK_PRODUCTS: u32 = 1_000;

/// What is measured, how often, how long.
#[derive(Debug)]
pub(crate) struct Plan {
    rows: Vec<Row>,
    rounds: u32,
    seconds: u32,
    products: u32,
}

impl Plan {
    fn of(options: &BenchOptions) -> Self {
        let wanted = |row: &Row| options.rows.is_empty() || options.rows.contains(row);
        let rows = ALL_ROWS.into_iter().filter(wanted).collect();
        if options.quick {
            return Self { rows, rounds: 2, seconds: 1, products: QUICK_PRODUCTS };
        }
        Self { rows, rounds: options.rounds, seconds: options.seconds, products: options.products }
    }

    /// How long one measurement takes.
    fn duration(&self) -> Duration {
        Duration::from_secs(u64::from(self.seconds))
    }
}

/// What the databases are measured with alike.
struct Bench<'a> {
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
    let databases = database::prepare(&options.surroundings, directory)?;
    let plan = Plan::of(options);
    let runtime = load::generator()?;
    let bench = Bench { options, plan, directory, runtime, static_server: StaticServer::start()? };
    let mut lines = Vec::new();
    let mut notes = vec![machine, reads::generator_note(&bench)?];
    for database in &databases {
        if let Database::Postgres { tools, .. } = database {
            notes.push(format!("PostgreSQL {}", tools.version()?));
        }
        lines.extend(measure_database(&bench, database)?);
    }
    println!("{}", table::render(&lines, &bench.plan, &notes));
    Ok(lines.iter().all(Line::is_sound))
}

fn measure_database(bench: &Bench<'_>, database: &Database) -> anyhow::Result<Vec<Line>> {
    let mut stage = Stage::set(bench, database)?;
    let mut lines = Vec::new();
    for row in bench.plan.rows.iter().filter(|row| **row != Row::Startup) {
        eprintln!("bench: {row:?} on {}", database.name());
        lines.extend(match row {
            Row::Get => vec![reads::get(&stage)?],
            Row::Page => vec![reads::page(&stage)?],
            Row::Orders => orders::rates(&mut stage)?,
            Row::Latency => vec![orders::latency(&mut stage)?],
            Row::Startup => Vec::new(),
        });
    }
    if bench.plan.rows.contains(&Row::Startup) {
        eprintln!("bench: Startup on {}", database.name());
        lines.extend(startup::measure(stage)?);
    }
    Ok(lines)
}
