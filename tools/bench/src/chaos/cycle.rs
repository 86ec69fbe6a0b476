//! One life of the server: load, kill, restart, settle, audit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time;

use crate::chaos::writer::{SharedBook, Writer, open};
use crate::chaos::{audit, audit_database, settle};
use crate::database::Database;
use crate::random::SplitMix64;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service, Tenant};

const WRITERS_MIN: usize = 8;
const WRITERS_MAX: usize = 32;
const LIFE_MS_MIN: usize = 200;
const LIFE_MS_MAX: usize = 1_500;

/// A database with its server, which dies and comes back.
pub(crate) struct Subject<'a> {
    pub(crate) database: &'a Database,
    pub(crate) options: ServiceOptions,
    pub(crate) tenant: Tenant,
    pub(crate) service: Service,
    pub(crate) book: SharedBook,
    pub(crate) random: SplitMix64,
    pub(crate) retries: u64,
    pub(crate) ready_after: Vec<Duration>,
}

impl Subject<'_> {
    pub(crate) async fn cycle(&mut self, cycle: u32, last: bool) -> anyhow::Result<()> {
        self.load_and_kill().await?;
        self.service = Service::start(&self.options)?;
        self.ready_after.push(self.service.ready_after());
        self.settle_and_audit(cycle, last).await
    }

    /// Sends again what has no answer, and compares what there is with what was acknowledged; no writer is left.
    pub(crate) async fn settle_and_audit(&mut self, cycle: u32, last: bool) -> anyhow::Result<()> {
        let mut client = ApiClient::new(self.service.address(), &self.tenant.api_key);
        // The book is ours until the next life.
        let mut book = std::mem::take(&mut *open(&self.book));
        let outcome = async {
            self.retries += settle::settle(&mut book, &mut client).await?;
            let full = audit::is_full(&book, cycle, last);
            audit::audit(&mut book, &mut client, full).await?;
            audit_database::audit(&mut book, self.database, &self.tenant.account_id, full)
        };
        let outcome = outcome.await;
        *open(&self.book) = book;
        outcome
    }

    async fn load_and_kill(&mut self) -> anyhow::Result<()> {
        let server_killed = Arc::new(AtomicBool::new(false));
        let mut writers = JoinSet::new();
        for _ in 0..self.random.between(WRITERS_MIN, WRITERS_MAX) {
            let client = || ApiClient::new(self.service.address(), &self.tenant.api_key);
            let writer = Writer {
                client: client(),
                twin: client(),
                book: Arc::clone(&self.book),
                random: self.random.fork(),
                pause: Duration::ZERO,
                server_killed: Arc::clone(&server_killed),
            };
            writers.spawn(writer.work());
        }
        let life_ms = self.random.between(LIFE_MS_MIN, LIFE_MS_MAX);
        time::sleep(Duration::from_millis(life_ms as u64)).await;
        let alive = self.service.is_running()?;
        self.service.kill()?;
        server_killed.store(true, Ordering::Relaxed);
        while let Some(ended) = writers.join_next().await {
            ended?;
        }
        anyhow::ensure!(alive, "the server ended before it was killed");
        Ok(())
    }
}
