//! Tables of products that are imported beside orders while the server dies: every row is done once, no order is lost.

mod audit;
mod cycle;
mod promise;
mod table;

use crate::arguments::ChaosOptions;
use crate::database::Database;
use crate::load;
use crate::run_directory::RunDirectory;

use super::verdict::Verdict;
use super::writer::open;
use audit::Done;
use cycle::Importing;

/// Runs the cycles on one database and prints what held; whether everything did.
pub(super) fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let folder = directory.folder(&database.name().to_lowercase())?;
    let runtime = load::generator()?;
    runtime.block_on(async {
        let shop = super::prepare(options, seed, &folder, database).await?;
        let (verdict, done) = (Verdict::default(), Done::default());
        let mut importing = Importing { shop, rows: options.rows / 2 * 2, verdict, done, kills: [0; 3] };
        let (mut cycles, mut failure) = (0, None);
        for cycle in 1..=options.cycles {
            eprintln!("chaos: {} cycle {cycle} of {}", database.name(), options.cycles);
            match importing.cycle(cycle, cycle == options.cycles).await {
                Ok(()) => cycles = cycle,
                Err(error) => {
                    failure = Some(error.context(format!("cycle {cycle} on {}", database.name())));
                    break;
                }
            }
        }
        let [early, between, late] = importing.kills;
        println!(
            "\n{}\n{}\nof the kills {early} came before the first row, {between} between rows, {late} after the last",
            super::summary(&importing.shop, cycles),
            importing.verdict.report()
        );
        let orders = open(&importing.shop.book).verdict.violations();
        failure.map_or(Ok(orders + importing.verdict.violations() == 0), Err)
    })
}
