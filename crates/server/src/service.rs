//! The whole service in this process: store, API, listeners.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::web::Data;
use anyhow::Context;
use api::{Api, Clock, Services, SystemClock, endpoint::Endpoint};
use dispatch::{Certification, Dispatcher};
use store::Store;

use crate::{
    backend::StoreBackend,
    certifying::Certifying,
    delivering::Delivering,
    http::{self, Http, Parts},
    mailing::Post,
    master_key,
    printing::Press,
    settings::Settings,
};

/// Long enough for a busy client's next request, which then learns that the connection closes.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long the listener's threads may take to let go of the store.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
const CLOSE_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// What to run.
pub struct Service {
    /// How the store is opened.
    pub store: store::Settings,
    /// How the API behaves.
    pub api: api::Settings,
    /// How it delivers events, unless others do.
    pub delivering: Option<Delivering>,
    /// How it stamps and cancels invoices.
    pub certifying: Certifying,
    /// How it sends mail, if it does.
    pub mail: Option<outbound::mail::Settings>,
    /// Endpoints beside those of the API.
    pub further: Vec<Endpoint>,
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
    /// How long, before it stops, it answers on with the request to close the connection.
    pub farewell: Duration,
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
            farewell: Duration::ZERO,
            shutdown_timeout: Duration::from_secs(30),
        }
    }
}

impl Service {
    /// A service on a free port of this machine, on the system's clock, that delivers nothing.
    #[must_use]
    pub fn new(store: store::Settings, api: api::Settings) -> Self {
        let (listeners, clock) = (Listeners::default(), Arc::new(SystemClock));
        let certifying = Certifying::default();
        let further = Vec::new();
        Self { store, api, delivering: None, certifying, mail: None, further, listeners, clock }
    }

    /// The service that an operator has set up.
    ///
    /// # Errors
    /// When the master key cannot be read or made.
    pub fn from_settings(settings: &Settings) -> anyhow::Result<Self> {
        let listeners = Listeners {
            api: settings.listen,
            metrics: settings.metrics_listen,
            workers: settings.http_workers.count(),
            connections_max: settings.connections_max.count(),
            farewell: FAREWELL,
            shutdown_timeout: settings.shutdown_timeout_seconds.seconds(),
        };
        let store = master_key::store_settings(settings)?;
        let delivering = settings.deliver.0.then(|| settings.delivering());
        let (certifying, mail) = (settings.certifying(), settings.mail()?);
        let own = Self::new(store, settings.api());
        Ok(Self { listeners, delivering, certifying, mail, ..own })
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
    let Service { store: store_settings, api: api_settings, delivering, .. } = service;
    let Service { certifying, mail, further, listeners, clock, .. } = service;
    migrate(&store_settings)?;
    let store = Store::open(&store_settings).context("the database cannot be opened")?;
    let delivering = delivering.map(|delivering| delivering.start(&store, clock.clone()));
    let dispatcher = delivering.transpose()?;
    let certification = certifying.start(&store, clock.clone())?;
    let mailer = Arc::new(Post::new(mail.as_ref())?);
    let services = services(&store, dispatcher.as_ref(), &certification, mailer);
    let api = Data::new(Api::offering(api_settings, services, clock.clone(), further));
    let parts = Parts { listeners, api: api.clone(), store: store.clone(), clock };
    let http = http::start(parts)?;
    Ok(Running {
        http,
        dispatcher,
        certification: Some(certification),
        api,
        store: LastOwner(store),
    })
}

/// The services that the store offers.
pub(crate) fn services(
    store: &Arc<Store>,
    dispatcher: Option<&Arc<Dispatcher>>,
    certification: &Arc<Certification>,
    mailer: Arc<Post>,
) -> Services {
    Services {
        accounts: store.clone(),
        products: store.clone(),
        orders: store.clone(),
        customers: store.clone(),
        leads: store.clone(),
        webhooks: store.clone(),
        invoices: store.clone(),
        issuers: store.clone(),
        credits: store.clone(),
        certifier: certification.clone(),
        printer: Arc::new(Press),
        mailer,
        backend: Arc::new(StoreBackend::new(store.clone(), dispatcher, certification)),
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
    // Fields are dropped in this order: nobody must ask a store that is closed.
    http: Http,
    dispatcher: Option<Arc<Dispatcher>>,
    certification: Option<Arc<Certification>>,
    api: Data<Api>,
    store: LastOwner,
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

    /// The store, for making accounts and keys. Stopping waits a while for whoever keeps a clone.
    #[must_use]
    pub fn store(&self) -> &Arc<Store> {
        &self.store.0
    }

    /// Waits until the service ends by itself, which only a defect or a broken system makes it do.
    pub async fn ended(&mut self) -> anyhow::Error {
        match self.http.ended().await {
            Ok(()) => anyhow::anyhow!("the listener ended by itself"),
            Err(error) => anyhow::Error::new(error).context("the listener failed"),
        }
    }

    /// Stops: takes nothing new, lets every accepted request and every delivery under way finish, commits
    /// every queued write.
    pub fn stop(mut self) {
        self.api.stop_accepting();
        self.http.stop(true);
        // What the last requests brought about is delivered by the next start at the latest.
        drop(self.dispatcher.take());
        if let Some(certification) = self.certification.take() {
            certification.stop();
        }
    }
}

/// The owner of a store that lets go of it last, because that is when the store commits what is queued.
/// The listener's threads let go a moment after they have answered for the last time.
pub(crate) struct LastOwner(pub(crate) Arc<Store>);

impl Drop for LastOwner {
    fn drop(&mut self) {
        let deadline = Instant::now() + CLOSE_TIMEOUT;
        while Arc::strong_count(&self.0) > 1 {
            if Instant::now() > deadline {
                return tracing::warn!("the store is still in use; what is queued may be lost");
            }
            std::thread::sleep(CLOSE_POLL_INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests;
