//! A node that is paused within a transaction: how long those wait who ask another one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::{task, time};

use super::cycle::Subject;
use super::fleet::{NODES, name};
use crate::chaos::verdict::Invariant;
use crate::chaos::writer::{SharedBook, open};
use crate::database::Database;
use crate::http::Request;
use crate::random::SplitMix64;
use crate::service::{ApiClient, Waits};

const LENGTH: Duration = Duration::from_secs(15);
/// Clients of the paused node wait until it goes on.
const PATIENCE: Duration = Duration::from_secs(60);
/// Clients that keep the node within transactions of one account.
const RENAMERS: usize = 6;
const BEFORE: Duration = Duration::from_millis(700);
const AFTER: Duration = Duration::from_millis(700);
/// Statements that the node has sent end meanwhile.
const SETTLING: Duration = Duration::from_millis(30);
const TRIES: usize = 60;
const BETWEEN_TRIES_MS: (usize, usize) = (10, 90);

/// Pauses one node after the other, one a cycle, at work on one account, of which and of all others another node is asked.
pub(super) async fn stall(subject: &mut Subject<'_>) -> anyhow::Result<()> {
    let paused = subject.measures.stalls % NODES;
    let other = subject.fleet.address((paused + 1) % NODES)?;
    let one = subject.random.below(subject.shops.len());
    let waits: Vec<Arc<Waits>> = subject.shops.iter().map(|_| Arc::default()).collect();
    let mut crew = subject.assemble()?;
    for (number, waits) in waits.iter().enumerate() {
        subject.add_writer(&mut crew, number, other, Some(waits));
    }
    let at_paused = subject.fleet.address(paused)?;
    for _ in 0..RENAMERS {
        let shop = subject.shops.get(one).context("no such account")?;
        let renamer = Renamer {
            client: shop.client(at_paused).waiting(PATIENCE),
            book: Arc::clone(&shop.book),
            random: subject.random.fork(),
            is_over: Arc::clone(&crew.is_over),
        };
        crew.workers.spawn(renamer.work());
    }
    time::sleep(BEFORE).await;
    let is_within = pause_within_transaction(subject, paused).await?;
    time::sleep(LENGTH).await;
    subject.fleet.go_on(paused)?;
    time::sleep(AFTER).await;
    subject.dismiss(crew).await?;
    let measures = &mut subject.measures;
    measures.stalls += 1;
    measures.within_transaction += usize::from(is_within);
    let others = waits.iter().enumerate().filter(|(number, _)| *number != one);
    let longest = others.map(|(_, waits)| waits.longest()).max().unwrap_or_default();
    measures.others.push(longest);
    measures.own.extend(waits.get(one).map(|waits| waits.longest()));
    Ok(())
}

/// Pauses a node until it is so within a transaction; whether it is.
async fn pause_within_transaction(
    subject: &mut Subject<'_>,
    number: usize,
) -> anyhow::Result<bool> {
    for _ in 0..TRIES {
        subject.fleet.pause(number)?;
        time::sleep(SETTLING).await;
        if is_within_transaction(subject.database, number).await? {
            return Ok(true);
        }
        subject.fleet.go_on(number)?;
        subject.sleep_between(BETWEEN_TRIES_MS).await;
    }
    subject.fleet.pause(number)?;
    Ok(false)
}

/// Whether the database waits for the next statement of a transaction of a node. It is asked from another thread, so that
/// clients do not wait for the question.
async fn is_within_transaction(database: &Database, number: usize) -> anyhow::Result<bool> {
    let Database::Postgres { database, tools } = database else { bail!("not a PostgreSQL") };
    let (tools, url) = (tools.clone(), database.url().to_owned());
    let sql = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
         AND application_name = '{}' AND state = 'idle in transaction'",
        name(number)
    );
    let rows = task::spawn_blocking(move || tools.query(&url, &sql)).await??;
    Ok(rows.into_iter().flatten().next().is_some_and(|count| count != "0"))
}

/// Gives products other names, which takes several statements each.
struct Renamer {
    client: ApiClient,
    book: SharedBook,
    random: SplitMix64,
    is_over: Arc<AtomicBool>,
}

impl Renamer {
    async fn work(mut self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let request = self.request();
            match self.client.exchange(&request).await {
                Ok(answer) => {
                    let is_expected = matches!(answer.status, 200 | 503);
                    let mut book = open(&self.book);
                    book.verdict.check(Invariant::ExpectedAnswer, is_expected, || answer.excerpt());
                }
                Err(_) => time::sleep(SETTLING).await,
            }
        }
    }

    fn request(&mut self) -> Vec<u8> {
        let book = open(&self.book);
        let product = book.products.get(self.random.below(book.products.len()));
        let path = format!("/api/v1/products/{}", product.map_or("", |product| &product.id));
        let body = format!(r#"{{"name":"Producto {}"}}"#, self.random.below(1_000_000));
        Request::with_body("PATCH", &path, &book.api_key, &body).render()
    }
}
