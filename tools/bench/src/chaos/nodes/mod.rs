//! Several nodes on one database, behind a proxy: killed, restarted, paused, and told of keys.

mod counting;
mod cycle;
mod feed;
mod fleet;
mod limits;
mod measures;
mod promise;
mod proxy;
mod revoke;
mod routing;
mod shop;
mod stall;

use anyhow::ensure;
use clap::ValueEnum;

use crate::arguments::{ChaosOptions, DatabaseChoice, Deed, Surroundings};
use crate::chaos::verdict::Verdict;
use crate::chaos::webhooks::recovery::duplicates;
use crate::chaos::writer::open;
use crate::database::{Database, postgres_database};
use crate::load;
use crate::random::SplitMix64;
use crate::receiver::Receiver;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::webhooks::for_webhooks;

use cycle::Subject;
use fleet::{Fleet, NODES};
use measures::Measures;
use proxy::Proxy;
use shop::Shop;

const ACCOUNTS: usize = 12;
/// The same on every machine: all nodes together must leave connections to the command line.
const CONNECTIONS: [&str; 2] = ["TRASTIENDA_DATABASE_WRITERS", "TRASTIENDA_DATABASE_READERS"];

/// The database that nodes share.
pub(super) fn database(surroundings: &Surroundings) -> anyhow::Result<Database> {
    let on_sqlite = surroundings.databases == DatabaseChoice::Sqlite;
    ensure!(!on_sqlite, "SQLite has one serving process: nodes need a PostgreSQL");
    postgres_database(surroundings, "nodes")
}

/// Runs the cycles and prints what held and what was measured; whether everything held.
pub(super) fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let deeds = match options.deeds.as_slice() {
        [] => Deed::value_variants(),
        chosen => chosen,
    };
    let runtime = load::generator()?;
    runtime.block_on(async {
        let is_compared = deeds.contains(&Deed::Routing);
        let mut subject = prepare(options, seed, directory, database, is_compared).await?;
        let (mut cycles, mut failure) = (0, None);
        for (cycle, deed) in (1..=options.cycles).zip(deeds.iter().cycle()) {
            eprintln!("chaos: {NODES} nodes, cycle {cycle} of {}: {deed:?}", options.cycles);
            match subject.cycle(*deed, cycle, cycle == options.cycles).await {
                Ok(()) => cycles = cycle,
                Err(error) => {
                    failure = Some(error.context(format!("cycle {cycle}: {deed:?}")));
                    break;
                }
            }
        }
        let orders = orders_verdict(&subject);
        println!("\n{}", summary(&subject, cycles));
        println!("{}", subject.measures.report());
        let Subject { promises, deliveries, .. } = &subject;
        println!("{}\n{}\n{}", promises.report(), deliveries.report(), orders.report());
        let violations = promises.violations() + deliveries.violations() + orders.violations();
        failure.map_or(Ok(violations == 0), Err)
    })
}

async fn prepare<'a>(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &'a Database,
    is_compared: bool,
) -> anyhow::Result<Subject<'a>> {
    let folder = directory.folder("nodes")?;
    let binary = &options.surroundings.binary;
    let mut service = for_webhooks(&ServiceOptions::new(binary, database.url(), &folder)?)?;
    for setting in CONNECTIONS {
        service = service.with(setting, "4");
    }
    let fleet = Fleet::start(&service, &folder)?;
    let proxy = Proxy::start(&options.haproxy, &folder, &fleet.addresses())?;
    let receiver = Receiver::start()?;
    let address = fleet.address(0)?;
    let mut shops = Vec::new();
    for number in 1..=ACCOUNTS {
        shops.push(Shop::open(&service, address, &receiver, number, seed).await?);
    }
    let busy = if is_compared { routing::open_shops(&service, address).await? } else { Vec::new() };
    database.analyze()?;
    Ok(Subject {
        database,
        folder,
        options: service,
        fleet,
        proxy,
        receiver,
        shops,
        busy,
        random: SplitMix64::new(seed),
        promises: Verdict::default(),
        deliveries: Verdict::default(),
        arrivals: Vec::new(),
        measures: Measures::default(),
        retries: 0,
    })
}

/// What held of the orders of all accounts.
fn orders_verdict(subject: &Subject<'_>) -> Verdict {
    let mut all = Verdict::default();
    for shop in &subject.shops {
        all.absorb(&open(&shop.book).verdict);
    }
    all
}

fn summary(subject: &Subject<'_>, cycles: u32) -> String {
    let (mut keys, mut orders, mut lost) = (0, 0, 0);
    for shop in &subject.shops {
        let book = open(&shop.book);
        keys += book.asks.len();
        orders += book.orders.len();
        lost += book.answers_lost;
    }
    let (again, _) = duplicates(&[], &subject.arrivals);
    format!(
        "{}, {NODES} nodes: {cycles} cycles, {ACCOUNTS} accounts, {keys} keys, {orders} orders, {lost} answers lost, \
         {} retries, {} arrivals of which {again} again\n",
        subject.database.name(),
        subject.retries,
        subject.arrivals.len(),
    )
}
