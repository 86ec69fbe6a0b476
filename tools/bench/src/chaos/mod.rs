//! Kills the service under load, again and again, and audits what it had acknowledged.

mod asked;
mod audit;
mod audit_database;
mod book;
mod cancel;
mod cycle;
mod imports;
mod nodes;
mod order;
mod payments;
mod settle;
mod stock;
mod tenants;
mod verdict;
mod webhooks;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::arguments::{ChaosOptions, Subject as Tested};
use crate::database::{self, Database};
use crate::load;
use crate::random::SplitMix64;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service, Tenant};

use book::Book;
use cycle::Subject;
use order::Product;
use writer::open;

/// Some run out within a cycle, some never do.
const STOCKS: [i64; 12] =
    [20, 60, 200, 600, 2_000, 6_000, 20_000, 60_000, 100_000, 200_000, 400_000, 800_000];

/// Runs the chaos and prints what held; whether everything did.
pub(crate) fn run(options: &ChaosOptions) -> anyhow::Result<bool> {
    let seed = options.seed.unwrap_or_else(seed_of_the_clock);
    println!("seed {seed}");
    let mut directory = RunDirectory::create("chaos")?;
    let outcome = run_all(options, seed, &directory);
    if !matches!(outcome, Ok(true)) {
        directory.keep();
        println!("server logs and databases: {}", directory.path().display());
    }
    println!("seed {seed}");
    outcome
}

fn run_all(options: &ChaosOptions, seed: u64, directory: &RunDirectory) -> anyhow::Result<bool> {
    let databases = match options.subject {
        Tested::Nodes => vec![nodes::database(&options.surroundings)?],
        _ => database::prepare(&options.surroundings, directory, "trastienda")?,
    };
    let mut all_held = true;
    for database in &databases {
        all_held &= match options.subject {
            Tested::Orders => run_on(options, seed, directory, database)?,
            Tested::Webhooks => webhooks::run_on(options, seed, directory, database)?,
            Tested::Payments => payments::run_on(options, seed, directory, database)?,
            Tested::Imports => imports::run_on(options, seed, directory, database)?,
            Tested::Stock => stock::run_on(options, seed, directory, database)?,
            Tested::Tenants => tenants::run_on(options, seed, directory, database)?,
            Tested::Nodes => nodes::run_on(options, seed, directory, database)?,
        };
    }
    Ok(all_held)
}

fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let folder = directory.folder(&database.name().to_lowercase())?;
    let runtime = load::generator()?;
    runtime.block_on(async {
        let mut subject = prepare(options, seed, &folder, database).await?;
        let mut cycles = 0;
        let mut failure = None;
        for cycle in 1..=options.cycles {
            eprintln!("chaos: {} cycle {cycle} of {}", database.name(), options.cycles);
            match subject.cycle(cycle, cycle == options.cycles).await {
                Ok(()) => cycles = cycle,
                Err(error) => {
                    failure = Some(error.context(format!("cycle {cycle} on {}", database.name())));
                    break;
                }
            }
        }
        println!("\n{}", summary(&subject, cycles));
        failure.map_or(Ok(open(&subject.book).verdict.violations() == 0), Err)
    })
}

async fn prepare<'a>(
    options: &ChaosOptions,
    seed: u64,
    folder: &Path,
    database: &'a Database,
) -> anyhow::Result<Subject<'a>> {
    let options = ServiceOptions::new(&options.surroundings.binary, database.url(), folder)?;
    // The first start migrates the database, which the administration needs.
    let service = Service::start(&options)?;
    let tenant = Tenant::create(&options)?;
    let mut client = ApiClient::new(service.address(), &tenant.api_key);
    let book = open_shop(&mut client, &tenant.api_key, seed).await?;
    Ok(Subject {
        database,
        options,
        tenant,
        service,
        book: Arc::new(Mutex::new(book)),
        random: SplitMix64::new(seed),
        retries: 0,
        ready_after: Vec::new(),
    })
}

/// Products to sell, and somebody to sell them to.
async fn open_shop(client: &mut ApiClient, api_key: &str, seed: u64) -> anyhow::Result<Book> {
    let mut products = Vec::new();
    for (number, initial_stock) in STOCKS.into_iter().enumerate() {
        let pesos = 10 + i64::try_from(number)?;
        let body = format!(
            r#"{{"name":"Producto {number}","sku":"SKU-{number}","price":{pesos}.99,"currency":"MXN","inventory":{initial_stock}}}"#
        );
        let id = client.create("/api/v1/products", &body).await?;
        products.push(Product { id, price_cents: pesos * 100 + 99, initial_stock });
    }
    let customer = r#"{"name":"Compras","email":"compras@example.com","phone":"+525512345678"}"#;
    let customer_id = client.create("/api/v1/customers", customer).await?;
    let api_key = api_key.to_owned();
    let key_prefix = format!("chaos-{seed}");
    Ok(Book { api_key, customer_id, products, key_prefix, ..Book::default() })
}

fn summary(subject: &Subject<'_>, cycles: u32) -> String {
    let book = open(&subject.book);
    let cancelled = book.orders.iter().filter(|o| o.shown.status == book::CANCELLED).count();
    let slowest = subject.ready_after.iter().max().copied().unwrap_or(Duration::ZERO);
    format!(
        "{}: {cycles} kills, {} keys, {} orders, {cancelled} cancelled, {} answers lost, \
         {} retries, slowest restart {} ms\n\n{}",
        subject.database.name(),
        book.asks.len(),
        book.orders.len(),
        book.answers_lost,
        subject.retries,
        slowest.as_millis(),
        book.verdict.report()
    )
}

fn seed_of_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or_default()
}
