//! A stage whose orders are delivered to a receiver.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::benchmark::Bench;
use crate::benchmark::shop::{self, Shop};
use crate::benchmark::stage::Stage;
use crate::benchmark::webhooks::bare_run;
use crate::database::Database;
use crate::receiver::Receiver;
use crate::service::process::ServiceOptions;
use crate::service::webhooks::{ORDERS, Subscription, for_webhooks, subscribe};
use crate::service::{ApiClient, Tenant};

/// So that no two endpoints of a run have the same path.
static ENDPOINTS: AtomicU32 = AtomicU32::new(0);

/// A running server, and the receiver that it delivers to.
pub(crate) struct Venue<'a> {
    pub(crate) stage: Stage<'a>,
    pub(crate) receiver: &'a Receiver,
}

/// An account with endpoints.
pub(crate) struct Subscriber {
    pub(crate) shop: Arc<Shop>,
    /// Paths at which every order must arrive: those of the endpoints that are well.
    pub(crate) paths: Arc<[Box<str>]>,
}

impl<'a> Venue<'a> {
    pub(crate) fn set(
        bench: &'a Bench<'a>,
        database: &'a Database,
        receiver: &'a Receiver,
        purpose: &str,
        products: u32,
    ) -> anyhow::Result<Self> {
        let folder = format!("{purpose}-{}", database.name().to_lowercase());
        let folder = bench.directory.folder(&folder)?;
        let binary = &bench.options.surroundings.binary;
        let options = for_webhooks(&ServiceOptions::new(binary, database.url(), &folder)?)?;
        let stage = Stage::set(bench, database, folder, options, products)?;
        Ok(Self { stage, receiver })
    }

    /// The account that every stage has, without endpoints.
    pub(crate) fn own(&self) -> Subscriber {
        Subscriber { shop: Arc::clone(&self.stage.shop), paths: Arc::new([]) }
    }

    /// Makes an account with products and with so many endpoints that are well.
    pub(crate) fn subscriber(&self, products: u32, healthy: u32) -> anyhow::Result<Subscriber> {
        let Stage { bench, database, options, service, .. } = &self.stage;
        let tenant = Tenant::create(options)?;
        let shop = bench.runtime.block_on(shop::fill(service.address(), &tenant.api_key, products));
        let mut subscriber = Subscriber { shop: Arc::new(shop?), paths: Arc::new([]) };
        let mut paths = Vec::new();
        for _ in 0..healthy {
            paths.push(self.subscribe(&subscriber, "ok", "")?.path.into_boxed_str());
        }
        subscriber.paths = paths.into();
        database.analyze()?;
        Ok(subscriber)
    }

    /// One more endpoint for orders, which behaves as its kind does.
    pub(crate) fn subscribe(
        &self,
        subscriber: &Subscriber,
        kind: &str,
        query: &str,
    ) -> anyhow::Result<Subscription> {
        self.subscribe_to(subscriber, kind, query, ORDERS)
    }

    /// One more endpoint for these events.
    pub(crate) fn subscribe_to(
        &self,
        subscriber: &Subscriber,
        kind: &str,
        query: &str,
        events: &[&str],
    ) -> anyhow::Result<Subscription> {
        let number = ENDPOINTS.fetch_add(1, Ordering::Relaxed);
        let target = format!("/{kind}/{number}{query}");
        let mut client = self.client(subscriber);
        let subscribing = subscribe(&mut client, self.receiver, &target, events);
        self.stage.bench.runtime.block_on(subscribing)
    }

    /// Takes an endpoint away.
    pub(crate) fn unsubscribe(
        &self,
        subscriber: &Subscriber,
        subscription: &Subscription,
    ) -> anyhow::Result<()> {
        let path = format!("/api/v1/webhooks/{}", subscription.id);
        self.stage.bench.runtime.block_on(self.client(subscriber).delete(&path))
    }

    /// What a bare client posts a second at this moment.
    pub(crate) fn bare_rate(&self) -> anyhow::Result<f64> {
        Ok(bare_run(self.stage.bench, self.receiver)?.rate())
    }

    fn client(&self, subscriber: &Subscriber) -> ApiClient {
        ApiClient::new(self.stage.service.address(), &subscriber.shop.api_key)
    }
}
