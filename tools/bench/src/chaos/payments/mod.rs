//! Payments of the sandbox and of a provider outside while the server dies: money is taken, captured, called off and given
//! back, calls to the providers are lost before and after their effect, and their notifications come early, late, twice or never.

mod ask;
mod audit;
mod book;
mod cashier;
mod cycle;
mod outside;
mod postman;
mod promise;
mod provider;
mod settle;
mod shown;
mod snapshot;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;

use crate::arguments::ChaosOptions;
use crate::database::Database;
use crate::load;
use crate::random::SplitMix64;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service, Tenant};

use doubles::FakeStripe;

use book::{Book, Ware, open};
use cycle::Subject;
use outside::Outside;
use postman::Postman;

/// Where the sandbox sends its notifications.
const PUBLIC_URL: &str = "TRASTIENDA_PUBLIC_URL";
/// Where Stripe is.
const STRIPE_URL: &str = "TRASTIENDA_STRIPE_URL";
/// In pesos; a few pieces cost more than what chooses what happens at the sandbox.
const PRICES: [i64; 10] = [89, 249, 499, 999, 1_499, 2_499, 3_999, 4_999, 6_999, 8_999];
const STOCK: i64 = 100_000;
/// Some run out.
const SCARCE: i64 = 60;

/// Runs the cycles on one database and prints what held; whether everything did.
pub(super) fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let runtime = load::generator()?;
    runtime.block_on(async {
        let mut subject = prepare(options, seed, directory, database).await?;
        let (mut cycles, mut failure) = (0, None);
        for cycle in 1..=options.cycles {
            eprintln!("chaos: {} cycle {cycle} of {}", database.name(), options.cycles);
            match subject.cycle().await {
                Ok(()) => cycles = cycle,
                Err(error) => {
                    failure = Some(error.context(format!("cycle {cycle} on {}", database.name())));
                    break;
                }
            }
        }
        if failure.is_none() {
            failure = subject.finish().await.err();
        }
        println!("\n{}", summary(&subject, cycles));
        failure.map_or(Ok(open(&subject.book).verdict.violations() == 0), Err)
    })
}

async fn prepare<'a>(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &'a Database,
) -> anyhow::Result<Subject<'a>> {
    let folder = directory.folder(&database.name().to_lowercase())?;
    let mut random = SplitMix64::new(seed);
    let postman = Postman::start(random.fork())?;
    let service = ServiceOptions::new(&options.surroundings.binary, database.url(), &folder)?;
    let stripe = FakeStripe::start();
    let service = service.with(PUBLIC_URL, &postman.url()).with(STRIPE_URL, &stripe.url());
    // The first start migrates the database, which the administration needs.
    let running = Service::start(&service)?;
    postman.service_is_at(running.address());
    let tenant = Tenant::create_test(&service)?;
    let live = &tenant.account_id;
    let account = database.query(&format!("SELECT id FROM accounts WHERE test_of = '{live}'"))?;
    let account =
        account.into_iter().flatten().next().context("the account has no test account")?;
    let mut client = ApiClient::new(running.address(), &tenant.api_key);
    Outside::set_up(&mut client).await?;
    let outside = Outside::new(stripe, &postman, &account);
    let book = open_shop(&mut client, &tenant.api_key, seed).await?;
    Ok(Subject {
        database,
        options: service,
        account,
        api_key: tenant.api_key,
        service: running,
        postman,
        outside,
        book: Arc::new(Mutex::new(book)),
        random,
        retries: 0,
        ready_after: Vec::new(),
        noticed: BTreeSet::new(),
    })
}

/// Something to sell, and somebody to sell it to.
async fn open_shop(client: &mut ApiClient, api_key: &str, seed: u64) -> anyhow::Result<Book> {
    let mut wares = Vec::new();
    for (number, price) in PRICES.into_iter().enumerate() {
        let initial_stock = if number % 5 == 4 { SCARCE } else { STOCK };
        let body = format!(
            r#"{{"name":"Producto {number}","sku":"SKU-{number}","price":{price}.90,"currency":"MXN","inventory":{initial_stock}}}"#
        );
        let id = client.create("/api/v1/products", &body).await?;
        wares.push(Ware { id, initial_stock });
    }
    let customer = r#"{"name":"Compras","email":"compras@example.com","phone":"+525512345678"}"#;
    let customer = client.create("/api/v1/customers", customer).await?;
    let (api_key, key_prefix) = (api_key.to_owned(), format!("chaos-{seed}"));
    Ok(Book { api_key, customer, wares, key_prefix, ..Book::default() })
}

fn summary(subject: &Subject<'_>, cycles: u32) -> String {
    let book = open(&subject.book);
    let slowest = subject.ready_after.iter().max().copied().unwrap_or(Duration::ZERO);
    let (carried, kept_back) = subject.postman.counts();
    format!(
        "{}: {cycles} kills, {} keys, {} orders, {} payments, {} refused, {} answers lost, {} retries, {carried} \
         notifications carried and {kept_back} kept back, slowest restart {} ms\n\n{}",
        subject.database.name(),
        book.asks.len(),
        book.orders.len(),
        book.payments.len(),
        book.refused,
        book.answers_lost,
        subject.retries,
        slowest.as_millis(),
        book.verdict.report()
    )
}
