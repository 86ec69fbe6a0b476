//! One life of the server: load, kill, restart, settle, stop, audit.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time;

use super::audit::{self, Moments};
use super::book::{Book, SharedBook, open};
use super::cashier::Cashier;
use super::outside::Outside;
use super::postman::Postman;
use super::promise::Money;
use super::snapshot::Snapshot;
use super::{settle, shown};
use crate::database::Database;
use crate::random::SplitMix64;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service};
use crate::wall_clock::unix_micros;

const CASHIERS_MIN: usize = 4;
const CASHIERS_MAX: usize = 20;
const LIFE_MS_MIN: usize = 300;
const LIFE_MS_MAX: usize = 3_000;
/// Longer than the provider takes for what happens there by itself.
const PROVIDER_PAUSE: Duration = Duration::from_millis(4_200);
/// In this time every call that was lost is made again: a claim of the dead server has run out, and the longest pause
/// that a second loss is followed by has passed.
const CALLS_PATIENCE: Duration = Duration::from_secs(150);
const CALLS_POLL: Duration = Duration::from_millis(500);

/// A database with its server, which dies and comes back.
pub(super) struct Subject<'a> {
    pub(super) database: &'a Database,
    pub(super) options: ServiceOptions,
    /// The test account that everything happens in.
    pub(super) account: String,
    pub(super) api_key: String,
    pub(super) service: Service,
    pub(super) postman: Postman,
    pub(super) outside: Outside,
    pub(super) book: SharedBook,
    pub(super) random: SplitMix64,
    pub(super) retries: u64,
    pub(super) ready_after: Vec<Duration>,
    /// Events of the provider whose acknowledgement is still to be checked.
    pub(super) noticed: BTreeSet<String>,
}

impl Subject<'_> {
    pub(super) async fn cycle(&mut self) -> anyhow::Result<()> {
        self.load_and_kill().await?;
        self.start()?;
        self.settle_and_audit(false).await
    }

    /// Waits until no call that was carried out is without an outcome, and audits all there is.
    pub(super) async fn finish(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        while self.calls_left()? > 0 && began.elapsed() < CALLS_PATIENCE {
            time::sleep(CALLS_POLL).await;
        }
        {
            let mut book = open(&self.book);
            let all: Vec<String> = book.payments.iter().map(|payment| payment.id.clone()).collect();
            book.touched.extend(all);
        }
        self.settle_and_audit(true).await?;
        if let Some(faults) = self.database.integrity_faults()? {
            let whole = faults.is_empty();
            open(&self.book).verdict.check(Money::DatabaseIsWhole, whole, || faults.join("; "));
        }
        Ok(())
    }

    /// How many payments wait for the outcome of a call that was carried out.
    fn calls_left(&self) -> anyhow::Result<usize> {
        let snapshot = Snapshot::read(self.database, &self.account, &self.outside)?;
        Ok(snapshot.payments.keys().filter(|payment| snapshot.is_left(payment)).count())
    }

    fn start(&mut self) -> anyhow::Result<()> {
        self.service = Service::start(&self.options)?;
        self.ready_after.push(self.service.ready_after());
        self.postman.service_is_at(self.service.address());
        Ok(())
    }

    fn client(&self) -> ApiClient {
        ApiClient::new(self.service.address(), &self.api_key)
    }

    async fn settle_and_audit(&mut self, is_last: bool) -> anyhow::Result<()> {
        // No cashier is left, so the book is ours until the next life.
        let mut book = std::mem::take(&mut *open(&self.book));
        let outcome = self.settle_and_audit_book(&mut book, is_last).await;
        *open(&self.book) = book;
        outcome
    }

    async fn settle_and_audit_book(
        &mut self,
        book: &mut Book,
        is_last: bool,
    ) -> anyhow::Result<()> {
        let (address, api_key) = (self.service.address(), self.api_key.clone());
        self.retries += settle::settle(book, || ApiClient::new(address, &api_key)).await?;
        time::sleep(PROVIDER_PAUSE).await;
        let asked = now();
        settle::ask_provider(book, &mut self.client()).await?;
        self.service.stop()?;
        let snapshot = Snapshot::read(self.database, &self.account, &self.outside)?;
        let quiet = audit::audit(book, &snapshot, Moments { asked, read: now(), is_last });
        book.touched.retain(|id| !quiet.contains(id));
        self.noticed.extend(self.postman.acknowledged());
        for event in std::mem::take(&mut self.noticed) {
            let kept = snapshot.notices.contains(&event);
            book.verdict.check(Money::NoticeIsKept, kept, || format!("{event} is gone"));
        }
        self.start()?;
        shown::audit(book, &mut self.client(), &snapshot).await
    }

    async fn load_and_kill(&mut self) -> anyhow::Result<()> {
        self.outside.misbehave(&mut self.random);
        let server_killed = Arc::new(AtomicBool::new(false));
        let mut cashiers = JoinSet::new();
        for _ in 0..self.random.between(CASHIERS_MIN, CASHIERS_MAX) {
            let cashier = Cashier {
                client: self.client(),
                twin: self.client(),
                outside: self.outside.clone(),
                book: Arc::clone(&self.book),
                random: self.random.fork(),
                server_killed: Arc::clone(&server_killed),
            };
            cashiers.spawn(cashier.work());
        }
        let life_ms = self.random.between(LIFE_MS_MIN, LIFE_MS_MAX);
        time::sleep(Duration::from_millis(life_ms as u64)).await;
        let alive = self.service.is_running()?;
        self.service.kill()?;
        server_killed.store(true, Ordering::Relaxed);
        while let Some(ended) = cashiers.join_next().await {
            ended?;
        }
        self.outside.behave();
        anyhow::ensure!(alive, "the server ended before it was killed");
        Ok(())
    }
}

fn now() -> i64 {
    i64::try_from(unix_micros()).unwrap_or(i64::MAX)
}
