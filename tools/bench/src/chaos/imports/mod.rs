//! Tables of products and of changes to their stock that are imported beside orders while the server dies, at each of the
//! steps of an import by turns: every row is done once, no order is lost.

mod audit;
mod cycle;
mod promise;
mod step;
mod table;

use crate::arguments::ChaosOptions;
use crate::database::Database;
use crate::load;
use crate::run_directory::RunDirectory;

use super::verdict::Verdict;
use super::writer::open;
use cycle::Importing;
use step::Step;
use table::Shelf;

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
        let (verdict, shelf) = (Verdict::default(), Shelf::default());
        let (rows, kills) = (options.rows / 2 * 2, [0; Step::ALL.len()]);
        let mut importing = Importing { shop, rows, verdict, shelf, kills, orphans: 0 };
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
        let kills = Step::ALL.iter().zip(importing.kills);
        let kills: Vec<String> =
            kills.map(|(step, times)| format!("{times} {}", step.name())).collect();
        println!(
            "\n{}\n{}\nkills by what was on record: {}",
            super::summary(&importing.shop, cycles),
            importing.verdict.report(),
            kills.join(", ")
        );
        let orders = open(&importing.shop.book).verdict.violations();
        failure.map_or(Ok(orders + importing.verdict.violations() == 0), Err)
    })
}
