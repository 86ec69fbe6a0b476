//! One of the accounts: what was asked for, what it was told of, and where its deliveries go.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use super::feed::Feed;
use super::promise::NodePromise;
use crate::chaos::verdict::Verdict;
use crate::chaos::writer::{SharedBook, open};
use crate::chaos::{audit, audit_database, open_shop, settle};
use crate::database::Database;
use crate::receiver::Receiver;
use crate::service::process::ServiceOptions;
use crate::service::webhooks::{ORDERS, Subscription, deliveries, subscribe};
use crate::service::{ApiClient, Tenant};

/// An account that sells.
pub(super) struct Shop {
    pub(super) tenant: Tenant,
    pub(super) book: SharedBook,
    pub(super) feed: Feed,
    pub(super) subscription: Subscription,
}

/// How closely is looked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) cycle: u32,
    pub(super) is_last: bool,
    /// Whether the database is asked whether its files are whole.
    pub(super) is_deep: bool,
}

impl Shop {
    pub(super) async fn open(
        options: &ServiceOptions,
        address: SocketAddr,
        receiver: &Receiver,
        number: usize,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let tenant = Tenant::create(options)?;
        let mut client = ApiClient::new(address, &tenant.api_key);
        let book = open_shop(&mut client, &tenant.api_key, seed).await?;
        let target = format!("/ok/{number}");
        let subscription = subscribe(&mut client, receiver, &target, ORDERS).await?;
        let (book, feed) = (Arc::new(Mutex::new(book)), Feed::default());
        Ok(Self { tenant, book, feed, subscription })
    }

    pub(super) fn client(&self, address: SocketAddr) -> ApiClient {
        ApiClient::new(address, &self.tenant.api_key)
    }

    /// How many deliveries are on their way.
    pub(super) async fn on_their_way(&self, address: SocketAddr) -> anyhow::Result<u64> {
        deliveries(&mut self.client(address), &self.subscription, "attempting").await
    }

    /// Sends again what has no answer, to a node that may not be the one that was asked, and compares what there is with
    /// what was acknowledged; how many requests were sent again. No writer is left.
    pub(super) async fn settle_and_audit(
        &mut self,
        address: SocketAddr,
        database: &Database,
        verdict: &mut Verdict<NodePromise>,
        look: Look,
    ) -> anyhow::Result<u64> {
        let mut client = self.client(address);
        let mut book = std::mem::take(&mut *open(&self.book));
        let outcome = async {
            let retries = settle::settle(&mut book, &mut client).await?;
            let is_full = audit::is_full(&book, look.cycle, look.is_last);
            audit::audit(&mut book, &mut client, is_full).await?;
            audit_database::audit(&mut book, database, &self.tenant.account_id, look.is_deep)?;
            self.feed.catch_up(&mut client, &book).await?;
            anyhow::Ok(retries)
        };
        let outcome = outcome.await;
        if outcome.is_ok() {
            self.feed.audit(verdict, &book);
        }
        *open(&self.book) = book;
        outcome
    }
}
