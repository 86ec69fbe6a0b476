//! One life of the server: load, kill, restart, settle, audit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time;

use super::book::{Book, SharedBook, open};
use super::keeper::Keeper;
use super::{audit, settle};
use crate::database::Database;
use crate::random::SplitMix64;
use crate::service::process::ServiceOptions;
use crate::service::{ApiClient, Service, Tenant};

const KEEPERS_MIN: usize = 4;
const KEEPERS_MAX: usize = 20;
const LIFE_MS_MIN: usize = 200;
const LIFE_MS_MAX: usize = 2_000;

/// A database with its server, which dies and comes back.
pub(super) struct Subject<'a> {
    pub(super) database: &'a Database,
    pub(super) options: ServiceOptions,
    pub(super) tenant: Tenant,
    pub(super) service: Service,
    pub(super) book: SharedBook,
    pub(super) random: SplitMix64,
    pub(super) retries: u64,
    pub(super) ready_after: Vec<Duration>,
}

impl Subject<'_> {
    pub(super) async fn cycle(&mut self, is_last: bool) -> anyhow::Result<()> {
        self.load_and_kill().await?;
        self.service = Service::start(&self.options)?;
        self.ready_after.push(self.service.ready_after());
        // No storekeeper is left, so the book is ours until the next life.
        let mut book = std::mem::take(&mut *open(&self.book));
        let outcome = self.settle_and_audit(&mut book, is_last).await;
        *open(&self.book) = book;
        outcome
    }

    async fn settle_and_audit(&mut self, book: &mut Book, is_last: bool) -> anyhow::Result<()> {
        let mut clients = [self.client(), self.client()];
        self.retries += settle::settle(book, &mut clients).await?;
        let account = &self.tenant.account_id;
        audit::audit(book, self.database, account, is_last)?;
        let [client, _] = &mut clients;
        audit::shown(book, client, self.database, account).await
    }

    fn client(&self) -> ApiClient {
        ApiClient::new(self.service.address(), &self.tenant.api_key)
    }

    async fn load_and_kill(&mut self) -> anyhow::Result<()> {
        let server_killed = Arc::new(AtomicBool::new(false));
        let mut keepers = JoinSet::new();
        for _ in 0..self.random.between(KEEPERS_MIN, KEEPERS_MAX) {
            let keeper = Keeper {
                client: self.client(),
                twin: self.client(),
                book: Arc::clone(&self.book),
                random: self.random.fork(),
                server_killed: Arc::clone(&server_killed),
            };
            keepers.spawn(keeper.work());
        }
        let life_ms = self.random.between(LIFE_MS_MIN, LIFE_MS_MAX);
        time::sleep(Duration::from_millis(life_ms as u64)).await;
        let is_alive = self.service.is_running()?;
        self.service.kill()?;
        server_killed.store(true, Ordering::Relaxed);
        while let Some(ended) = keepers.join_next().await {
            ended?;
        }
        anyhow::ensure!(is_alive, "the server ended before it was killed");
        Ok(())
    }
}
