//! One cycle: load, kill, restart, settle.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time;

use super::fleet::{Fleet, Victim};
use super::promise::DeliveryPromise;
use super::recovery::{Kill, duplicates, recoveries, slowest_delivery};
use crate::chaos::book::Book;
use crate::chaos::settle;
use crate::chaos::verdict::Verdict;
use crate::chaos::writer::{SharedBook, Writer, open};
use crate::database::Database;
use crate::random::SplitMix64;
use crate::receiver::{Arrival, Receiver};
use crate::service::webhooks::Subscription;
use crate::service::{ApiClient, Tenant};
use crate::wall_clock::unix_micros;

const WRITERS_MIN: usize = 2;
const WRITERS_MAX: usize = 8;
/// Keeps the deliveries up with the orders: what is late then is so for the kills.
const PAUSE: Duration = Duration::from_millis(4);
const LIFE_MS: (usize, usize) = (300, 2_000);
/// How long orders still come in after a worker's death, which no client notices.
const AFTERLIFE_MS: (usize, usize) = (100, 600);
/// Orders placed after each restart, so that there is something to arrive.
const PROBES: usize = 3;
const RECOVERY_GOAL_SECONDS: u64 = 30;

/// The processes, what was asked of them, and what was done to them.
pub(crate) struct Subject<'a> {
    pub(crate) database: &'a Database,
    pub(crate) fleet: Fleet,
    pub(crate) tenant: Tenant,
    pub(crate) receiver: Receiver,
    pub(crate) subscriptions: Vec<Subscription>,
    pub(crate) book: SharedBook,
    pub(crate) random: SplitMix64,
    pub(crate) kills: Vec<Kill>,
    pub(crate) verdict: Verdict<DeliveryPromise>,
    pub(crate) retries: u64,
}

impl Subject<'_> {
    /// Speaks to the server that lives at this moment.
    pub(crate) fn client(&self) -> ApiClient {
        ApiClient::new(self.fleet.address(), &self.tenant.api_key)
    }

    pub(crate) async fn cycle(&mut self) -> anyhow::Result<()> {
        let stopped = Arc::new(AtomicBool::new(false));
        let mut writers = self.spawn_writers(&stopped);
        self.sleep_between(LIFE_MS).await;
        let fallen = self.fleet.fallen()?;
        let all_live = fallen.is_empty();
        self.verdict.check(DeliveryPromise::ProcessesLive, all_live, || fallen.join(", "));
        let victim = self.fleet.draw(&mut self.random);
        self.fleet.kill(victim)?;
        let at_micros = unix_micros();
        if !matches!(victim, Victim::Worker(_)) {
            stop(&stopped, &mut writers).await?;
        }
        let restart_micros = unix_micros();
        self.fleet.restart(victim, &mut self.random)?;
        self.kills.push(Kill { who: victim.name(), at_micros, restart_micros });
        if matches!(victim, Victim::Worker(_)) {
            self.sleep_between(AFTERLIFE_MS).await;
            stop(&stopped, &mut writers).await?;
        }
        self.settle().await
    }

    fn spawn_writers(&mut self, stopped: &Arc<AtomicBool>) -> JoinSet<()> {
        let mut writers = JoinSet::new();
        for _ in 0..self.random.between(WRITERS_MIN, WRITERS_MAX) {
            let writer = Writer {
                client: self.client(),
                twin: self.client(),
                book: Arc::clone(&self.book),
                random: self.random.fork(),
                pause: PAUSE,
                server_killed: Arc::clone(stopped),
            };
            writers.spawn(writer.work());
        }
        writers
    }

    async fn settle(&mut self) -> anyhow::Result<()> {
        // No writer is left, so the book is ours until the next cycle.
        let mut book = std::mem::take(&mut *open(&self.book));
        for _ in 0..PROBES {
            let ask = book.ask(&mut self.random);
            book.unsettled.insert(ask);
        }
        let mut client = self.client();
        let retries = settle::settle(&mut book, &mut client).await;
        *open(&self.book) = book;
        self.retries += retries?;
        Ok(())
    }

    async fn sleep_between(&mut self, (min, max): (usize, usize)) {
        let milliseconds = self.random.between(min, max);
        time::sleep(Duration::from_millis(milliseconds as u64)).await;
    }

    /// What was done and how long it took to get over it.
    pub(crate) fn summary(&self, book: &Book, arrivals: &[Arrival]) -> String {
        let mut text = format!(
            "{}: {} kills, {} keys, {} orders, {} answers lost, {} retries, {} arrivals\n\n\
             | killed | times | duplicates | most after one kill | slowest first arrival ms |\n\
             |---|---|---|---|---|\n",
            self.database.name(),
            self.kills.len(),
            book.asks.len(),
            book.orders.len(),
            book.answers_lost,
            self.retries,
            arrivals.len(),
        );
        let mut rows: BTreeMap<&str, (u64, u64, u64, Duration)> = BTreeMap::new();
        let recovered = recoveries(&self.kills, arrivals);
        let (before, after) = duplicates(&self.kills, arrivals);
        for ((kill, duplicates), recovered) in self.kills.iter().zip(after).zip(&recovered) {
            let row = rows.entry(kill.who).or_default();
            row.0 += 1;
            row.1 += duplicates;
            row.2 = row.2.max(duplicates);
            row.3 = row.3.max(recovered.unwrap_or(Duration::MAX));
        }
        for (who, (times, all, most, slowest)) in rows {
            let slowest = match slowest {
                Duration::MAX => "never".to_owned(),
                slowest => slowest.as_millis().to_string(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {who} | {times} | {all} | {most} | {slowest} |");
        }
        let steady: Vec<&str> = paths(&self.subscriptions)
            .into_iter()
            .filter(|path| path.starts_with("/ok/"))
            .collect();
        let orders = book.orders.iter().map(|order| (&*order.shown.id, order.placed_micros));
        let slowest = slowest_delivery(orders, &steady, arrivals);
        let goal = Duration::from_secs(RECOVERY_GOAL_SECONDS);
        let met = slowest <= goal && recovered.iter().all(|time| time.is_some_and(|t| t <= goal));
        let _ = write!(
            text,
            "\n{before} duplicates before the first kill. Slowest arrival of an acknowledged order \
             at an endpoint that is always well: {} ms. Recovered within {RECOVERY_GOAL_SECONDS} s: \
             {}.\n",
            slowest.as_millis(),
            if met { "yes" } else { "**no**" }
        );
        text
    }
}

/// Where every order must arrive.
pub(crate) fn paths(subscriptions: &[Subscription]) -> Vec<&str> {
    subscriptions.iter().map(|subscription| subscription.path.as_str()).collect()
}

async fn stop(stopped: &AtomicBool, writers: &mut JoinSet<()>) -> anyhow::Result<()> {
    stopped.store(true, Ordering::Relaxed);
    while let Some(ended) = writers.join_next().await {
        ended?;
    }
    Ok(())
}
