//! Kills whatever delivers, or what it delivers from, and audits what arrived.

pub(super) mod arrivals_audit;
mod cycle;
mod fleet;
pub(super) mod promise;
mod quiet;
pub(super) mod recovery;

use std::sync::{Arc, Mutex};

use crate::arguments::ChaosOptions;
use crate::chaos::verdict::Verdict;
use crate::chaos::writer::open;
use crate::chaos::{audit, audit_database, open_shop, settle};
use crate::database::Database;
use crate::database::postgres_server::PostgresServer;
use crate::load;
use crate::random::SplitMix64;
use crate::receiver::Receiver;
use crate::run_directory::RunDirectory;
use crate::service::process::ServiceOptions;
use crate::service::webhooks::{ORDERS, SCHEDULE, for_webhooks, subscribe};
use crate::service::{ApiClient, Tenant};

use cycle::{Subject, paths};
use fleet::Fleet;

/// Seconds before each attempt: a flaky endpoint is done within a few of them.
const SCHEDULE_SECONDS: &str = "0,0,1,1,1,2,2,3,3,5,5";
/// All of them get everything in the end. The flaky one fails no later attempt than its fifth, so that no
/// delivery fails for good.
const TARGETS: [&str; 4] = ["/ok/1", "/ok/2", "/flaky/1?p=30&until=6", "/slow/1?ms=5"];

/// Runs the cycles on one database and prints what held; whether everything did.
pub(crate) fn run_on(
    options: &ChaosOptions,
    seed: u64,
    directory: &RunDirectory,
    database: &Database,
) -> anyhow::Result<bool> {
    let runtime = load::generator()?;
    runtime.block_on(async {
        let mut subject = prepare(options, seed, directory, database).await?;
        let mut failure = None;
        for cycle in 1..=options.cycles {
            eprintln!("chaos: {} cycle {cycle} of {}", database.name(), options.cycles);
            if let Err(error) = subject.cycle().await {
                failure = Some(error.context(format!("cycle {cycle} on {}", database.name())));
                break;
            }
        }
        if failure.is_none() {
            failure = finish(&mut subject).await.err();
        }
        let violations = subject.verdict.violations() + open(&subject.book).verdict.violations();
        failure.map_or(Ok(violations == 0), Err)
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
    let binary = &options.surroundings.binary;
    let service = for_webhooks(&ServiceOptions::new(binary, database.url(), &folder)?)?;
    let service = service.with(SCHEDULE, SCHEDULE_SECONDS);
    let fleet = match database {
        Database::Sqlite { .. } => Fleet::alone(&service)?,
        Database::Postgres { .. } => {
            let postgres = PostgresServer::of(&options.surroundings)?;
            Fleet::with_workers(&service, postgres, &folder, &mut random)?
        }
    };
    let tenant = Tenant::create(&service)?;
    let mut client = ApiClient::new(fleet.address(), &tenant.api_key);
    let book = open_shop(&mut client, &tenant.api_key, seed).await?;
    let receiver = Receiver::start()?;
    let mut subscriptions = Vec::new();
    for target in TARGETS {
        subscriptions.push(subscribe(&mut client, &receiver, target, ORDERS).await?);
    }
    Ok(Subject {
        database,
        fleet,
        tenant,
        receiver,
        subscriptions,
        book: Arc::new(Mutex::new(book)),
        random,
        kills: Vec::new(),
        verdict: Verdict::default(),
        retries: 0,
    })
}

/// Waits until nothing is left to be delivered, and prints what held.
async fn finish(subject: &mut Subject<'_>) -> anyhow::Result<()> {
    let mut book = std::mem::take(&mut *open(&subject.book));
    let outcome = async {
        let mut client = subject.client();
        subject.retries += settle::settle(&mut book, &mut client).await?;
        // Explains every order there is, so that no event can be of one that is not known.
        audit::audit(&mut book, &mut client, true).await?;
        audit_database::audit(&mut book, subject.database, &subject.tenant.account_id, true)?;
        let quiet = quiet::wait(subject, &mut client).await?;
        let orders = book.orders.len() as u64;
        quiet::verify(subject, &mut client, orders).await?;
        anyhow::Ok(quiet)
    };
    let outcome = outcome.await;
    let arrivals = subject.receiver.arrivals(0).await?;
    let malformed = subject.receiver.malformed().await?;
    arrivals_audit::audit(
        &mut subject.verdict,
        &book,
        &paths(&subject.subscriptions),
        &arrivals,
        malformed,
    );
    let summary = subject.summary(&book, &arrivals);
    println!("\n{summary}\n{}\n{}", subject.verdict.report(), book.verdict.report());
    *open(&subject.book) = book;
    if let Ok(false) = outcome {
        eprintln!("chaos: {} did not become quiet", subject.database.name());
    }
    outcome.map(drop)
}
