//! The whole service in this process: store, API, listeners.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use actix_web::web::Data;
use anyhow::Context;
use api::{Api, Clock, Services, SystemClock};
use store::Store;

use crate::{
    backend::StoreBackend,
    http::{self, Http, Parts},
    settings::Settings,
};

/// What to run.
pub struct Service {
    /// How the store is opened.
    pub store: store::Settings,
    /// How the API behaves.
    pub api: api::Settings,
    /// Where it listens.
    pub listeners: Listeners,
    /// The clock of the API and of housekeeping.
    pub clock: Arc<dyn Clock>,
}

/// Where and how the service listens.
#[derive(Clone, Debug)]
pub struct Listeners {
    /// The address of the API; port 0 takes a free one.
    pub api: SocketAddr,
    /// The address of the metrics, if they are served.
    pub metrics: Option<SocketAddr>,
    /// Threads that answer requests.
    pub workers: usize,
    /// Most connections open at once.
    pub connections_max: usize,
    /// How long requests under way have to finish when the service stops.
    pub shutdown_timeout: Duration,
}

impl Default for Listeners {
    /// On a free port of this machine alone, with two workers: what tests want.
    fn default() -> Self {
        Self {
            api: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            metrics: None,
            workers: 2,
            connections_max: 10_000,
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

impl Service {
    /// A service on a free port of this machine, on the system's clock.
    #[must_use]
    pub fn new(store: store::Settings, api: api::Settings) -> Self {
        Self { store, api, listeners: Listeners::default(), clock: Arc::new(SystemClock) }
    }

    /// The service that an operator has set up.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Self {
        let listeners = Listeners {
            api: settings.listen,
            metrics: settings.metrics_listen,
            workers: settings.http_workers.count(),
            connections_max: settings.connections_max.count(),
            shutdown_timeout: settings.shutdown_timeout_seconds.seconds(),
        };
        Self { listeners, ..Self::new(settings.store(), settings.api()) }
    }

    /// The same with other listeners.
    #[must_use]
    pub fn listeners(mut self, listeners: Listeners) -> Self {
        self.listeners = listeners;
        self
    }

    /// The same on another clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }
}

/// Brings the database up to date, opens it and answers requests until [`Running::stop`].
///
/// # Errors
/// When the database cannot be reached or migrated, or an address cannot be bound.
pub fn start(service: Service) -> anyhow::Result<Running> {
    let Service { store: store_settings, api: api_settings, listeners, clock } = service;
    migrate(&store_settings)?;
    let store = Store::open(&store_settings).context("the database cannot be opened")?;
    let services = Services {
        accounts: store.clone(),
        products: store.clone(),
        orders: store.clone(),
        customers: store.clone(),
        leads: store.clone(),
        backend: Arc::new(StoreBackend(store.clone())),
    };
    let api = Data::new(Api::new(api_settings, services, clock.clone()));
    let parts = Parts { listeners, api: api.clone(), store: store.clone(), clock };
    match http::start(parts) {
        Ok(http) => Ok(Running { http, api, store, stopped: false }),
        Err(error) => {
            store.close();
            Err(error)
        }
    }
}

/// Applies the migrations that are missing, says so in the log, and names them.
///
/// # Errors
/// When the database cannot be reached or refuses.
pub fn migrate(settings: &store::Settings) -> anyhow::Result<Vec<String>> {
    let applied = store::migrate(settings).context("the database cannot be migrated")?;
    for name in &applied {
        tracing::info!(migration = name, "migration applied");
    }
    Ok(applied)
}

/// A service that answers requests. Dropping it stops it at once.
pub struct Running {
    http: Http,
    api: Data<Api>,
    store: Arc<Store>,
    stopped: bool,
}

impl Running {
    /// The address of the API, with the port that it really has.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.http.addr
    }

    /// The address of the metrics.
    #[must_use]
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.http.metrics_addr
    }

    /// The store, for making accounts and keys.
    #[must_use]
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// Waits until the service ends by itself, which only a defect or a broken system makes it do.
    pub async fn ended(&mut self) -> anyhow::Error {
        match self.http.ended().await {
            Ok(()) => anyhow::anyhow!("the listener ended by itself"),
            Err(error) => anyhow::Error::new(error).context("the listener failed"),
        }
    }

    /// Stops: takes nothing new, lets every accepted request finish, commits every queued write.
    pub fn stop(mut self) {
        self.end(true);
    }

    fn end(&mut self, graceful: bool) {
        if std::mem::replace(&mut self.stopped, true) {
            return;
        }
        self.api.stop_accepting();
        self.http.stop(graceful);
        self.store.close();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end(false);
    }
}
