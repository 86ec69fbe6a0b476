//! One cycle: clients at work, something done to the nodes, and the audit of all accounts.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use tokio::task::JoinSet;
use tokio::time;

use super::feed::Feed;
use super::fleet::{Fleet, NODES};
use super::measures::Measures;
use super::promise::NodePromise;
use super::proxy::{Proxy, Routing};
use super::shop::{Look, Shop};
use super::{limits, revoke, routing, stall};
use crate::arguments::Deed;
use crate::benchmark::shop::Shop as BusyShop;
use crate::chaos::verdict::Verdict;
use crate::chaos::webhooks::arrivals_audit;
use crate::chaos::webhooks::promise::DeliveryPromise;
use crate::chaos::writer::{Writer, open};
use crate::database::Database;
use crate::random::SplitMix64;
use crate::receiver::{Arrival, Receiver};
use crate::service::Waits;
use crate::service::process::ServiceOptions;

/// Keeps the deliveries up with the orders: what is late then is so for what is done to the nodes.
const PAUSE: Duration = Duration::from_millis(10);
const WRITERS_MAX: usize = 2;
const LIFE_MS: (usize, usize) = (300, 2_000);
/// How long the others go on alone, and all together afterwards.
const AFTERLIFE_MS: (usize, usize) = (200, 1_000);
/// Longer than the claims of a node that died or was paused.
const DELIVERY_PATIENCE: Duration = Duration::from_secs(60);
const DELIVERY_POLL: Duration = Duration::from_millis(200);

/// The nodes, what was asked of them, and what was done to them.
pub(super) struct Subject<'a> {
    pub(super) database: &'a Database,
    /// Of the run, for logs.
    pub(super) folder: PathBuf,
    /// With these the command line reaches the database.
    pub(super) options: ServiceOptions,
    pub(super) fleet: Fleet,
    pub(super) proxy: Proxy,
    pub(super) receiver: Receiver,
    pub(super) shops: Vec<Shop>,
    /// Accounts that only place orders, to see how many they can; none when that is not to be seen.
    pub(super) busy: Vec<Arc<BusyShop>>,
    pub(super) random: SplitMix64,
    pub(super) promises: Verdict<NodePromise>,
    pub(super) deliveries: Verdict<DeliveryPromise>,
    pub(super) arrivals: Vec<Arrival>,
    pub(super) measures: Measures,
    pub(super) retries: u64,
}

/// Clients at work until they are dismissed.
#[derive(Default)]
pub(super) struct Crew {
    pub(super) is_over: Arc<AtomicBool>,
    pub(super) workers: JoinSet<()>,
    followers: JoinSet<(usize, Feed)>,
}

impl Subject<'_> {
    pub(super) async fn cycle(
        &mut self,
        deed: Deed,
        cycle: u32,
        is_last: bool,
    ) -> anyhow::Result<()> {
        match deed {
            Deed::Kill => self.kill().await?,
            Deed::Restart => self.restart().await?,
            Deed::Stall => stall::stall(self).await?,
            Deed::Routing => routing::compare(self).await?,
            Deed::Revoke => revoke::revoke(self).await?,
            Deed::Limits => limits::limit(self).await?,
        }
        let fallen = self.fleet.fallen()?;
        self.promises.check(NodePromise::ProcessesLive, fallen.is_empty(), || fallen.join(", "));
        ensure!(fallen.is_empty(), "{} ended", fallen.join(", "));
        self.audit(cycle, is_last).await
    }

    /// Kills one node after the other, one a cycle. Clients go on at the others.
    async fn kill(&mut self) -> anyhow::Result<()> {
        let number = self.measures.kills % NODES;
        let proxied = self.draw_routing()?;
        let mut crew = self.assemble()?;
        self.add_writers(&mut crew, proxied, None);
        self.sleep_between(LIFE_MS).await;
        let fallen = self.fleet.fallen()?;
        ensure!(fallen.is_empty(), "{} ended before it was killed", fallen.join(", "));
        self.fleet.kill(number)?;
        self.measures.kills += 1;
        self.sleep_between(AFTERLIFE_MS).await;
        let ready_after = self.fleet.start_again(number).await?;
        self.measures.ready_after.push(ready_after);
        self.sleep_between(AFTERLIFE_MS).await;
        self.dismiss(crew).await
    }

    /// Restarts all nodes, one after the other.
    async fn restart(&mut self) -> anyhow::Result<()> {
        let proxied = self.draw_routing()?;
        let waits = Arc::new(Waits::default());
        let mut crew = self.assemble()?;
        self.add_writers(&mut crew, proxied, Some(&waits));
        self.sleep_between(LIFE_MS).await;
        for number in 0..NODES {
            let ready_after = self.fleet.restart(number).await?;
            self.measures.ready_after.push(ready_after);
        }
        self.sleep_between(AFTERLIFE_MS).await;
        self.dismiss(crew).await?;
        let (requests, failed) = (waits.requests(), waits.failed());
        self.measures.restarts += 1;
        self.measures.requests_meanwhile += requests;
        self.measures.failed_meanwhile += failed;
        self.promises.check(NodePromise::NoFailedRequest, failed == 0, || {
            format!("{failed} of {requests} requests failed during a rolling restart")
        });
        Ok(())
    }

    /// Has every feed followed through the proxy, by turns of the nodes.
    pub(super) fn assemble(&mut self) -> anyhow::Result<Crew> {
        let mut crew = Crew::default();
        let address = self.proxy.address(Routing::ByTurns)?;
        for (number, shop) in self.shops.iter_mut().enumerate() {
            let feed = std::mem::take(&mut shop.feed);
            let following = feed.follow(shop.client(address), Arc::clone(&crew.is_over));
            crew.followers.spawn(async move { (number, following.await) });
        }
        Ok(crew)
    }

    /// Adds some writers to the crew for each account.
    fn add_writers(&mut self, crew: &mut Crew, address: SocketAddr, waits: Option<&Arc<Waits>>) {
        for number in 0..self.shops.len() {
            for _ in 0..self.random.between(1, WRITERS_MAX) {
                self.add_writer(crew, number, address, waits);
            }
        }
    }

    /// Adds a writer of an account to the crew.
    pub(super) fn add_writer(
        &mut self,
        crew: &mut Crew,
        number: usize,
        address: SocketAddr,
        waits: Option<&Arc<Waits>>,
    ) {
        let Some(shop) = self.shops.get(number) else { return };
        let client = || match waits {
            Some(waits) => shop.client(address).watched(waits),
            None => shop.client(address),
        };
        let writer = Writer {
            client: client(),
            twin: client(),
            book: Arc::clone(&shop.book),
            random: self.random.fork(),
            pause: PAUSE,
            server_killed: Arc::clone(&crew.is_over),
        };
        crew.workers.spawn(writer.work());
    }

    /// Ends the work, and takes back what was seen of the feeds.
    pub(super) async fn dismiss(&mut self, mut crew: Crew) -> anyhow::Result<()> {
        crew.is_over.store(true, Ordering::Relaxed);
        while let Some(ended) = crew.workers.join_next().await {
            ended?;
        }
        while let Some(ended) = crew.followers.join_next().await {
            let (number, feed) = ended?;
            self.shops.get_mut(number).context("no such account")?.feed = feed;
        }
        Ok(())
    }

    pub(super) async fn sleep_between(&mut self, (min, max): (usize, usize)) {
        let milliseconds = self.random.between(min, max);
        time::sleep(Duration::from_millis(milliseconds as u64)).await;
    }

    fn draw_routing(&mut self) -> anyhow::Result<SocketAddr> {
        let by_turns = self.random.below(2) == 0;
        self.proxy.address(if by_turns { Routing::ByTurns } else { Routing::ByKey })
    }

    async fn audit(&mut self, cycle: u32, is_last: bool) -> anyhow::Result<()> {
        let address = self.fleet.address(self.random.below(NODES))?;
        for (number, shop) in self.shops.iter_mut().enumerate() {
            let look = Look { cycle, is_last, is_deep: is_last && number == 0 };
            let audited =
                shop.settle_and_audit(address, self.database, &mut self.promises, look).await;
            self.retries += audited.with_context(|| shop.tenant.account_id.clone())?;
        }
        self.wait_for_deliveries(address).await?;
        let malformed = self.receiver.malformed().await?;
        for (number, shop) in self.shops.iter().enumerate() {
            let path = shop.subscription.path.as_str();
            let own = self.arrivals.iter().filter(|arrival| &*arrival.path == path);
            let own: Vec<Arrival> = own.cloned().collect();
            let malformed = if number == 0 { malformed } else { 0 };
            let book = open(&shop.book);
            arrivals_audit::audit(&mut self.deliveries, &book, &[path], &own, malformed);
        }
        Ok(())
    }

    /// Waits until nothing is on its way to the receiver, or for long nothing has come.
    async fn wait_for_deliveries(&mut self, address: SocketAddr) -> anyhow::Result<()> {
        let mut since = Instant::now();
        loop {
            let mut on_their_way = 0;
            for shop in &self.shops {
                on_their_way += shop.on_their_way(address).await?;
            }
            let news = self.receiver.arrivals(self.arrivals.len()).await?;
            if !news.is_empty() {
                since = Instant::now();
            }
            self.arrivals.extend(news);
            if on_their_way == 0 || since.elapsed() > DELIVERY_PATIENCE {
                return Ok(());
            }
            time::sleep(DELIVERY_POLL).await;
        }
    }
}
