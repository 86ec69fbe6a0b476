//! The whole service in this process: store, API, listeners.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use accounts::Accounts;
use actix_web::web::Data;
use anyhow::Context;
use api::{Api, Clock, Services, SystemClock, endpoint::Endpoint};
use dispatch::{Dispatcher, PeopleMail};
use kernel::rate::SharedCounter;
use outbound::{
    collect,
    counting::{self, Counter},
};
use panel::Panel;
use store::Store;

use crate::{
    approving,
    backend::StoreBackend,
    certifying::Certifying,
    delivering::Delivering,
    http::{self, Http, Parts},
    keys,
    mailing::Mailing,
    master_key, paneling,
    printing::Press,
    settings::Settings,
    test_accounts::Opener,
    tls::Tls,
    working::Working,
};

/// Long enough for a busy client's next request, which then learns that the connection closes.
const FAREWELL: Duration = Duration::from_millis(500);

/// What to run.
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Service {
    pub store: store::Settings,
    /// Whether it applies missing migrations, instead of refusing a database that lacks one.
    pub migrates: bool,
    pub api: api::Settings,
    /// How it delivers events, unless others do.
    pub delivering: Option<Delivering>,
    pub certifying: Certifying,
    /// Where the payment providers are.
    pub collectors: collect::Settings,
    /// How it sends mail.
    pub mail: Mailing,
    /// Where rate limits are counted for all nodes, unless each counts alone.
    pub counting: Option<counting::Settings>,
    /// Where files are kept until their imports end.
    pub files_dir: PathBuf,
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
    /// Address of the API; port 0 picks a free one.
    pub api: SocketAddr,
    /// The address of the metrics, if they are served.
    pub metrics: Option<SocketAddr>,
    /// What HTTPS is served with; plain HTTP without.
    pub tls: Option<Tls>,
    /// Threads that answer requests.
    pub workers: usize,
    /// Maximum open connections.
    pub connections_max: usize,
    /// How long it keeps answering before shutdown while asking clients to close their connections.
    pub farewell: Duration,
    /// Timeout for requests in progress to finish at shutdown.
    pub shutdown_timeout: Duration,
    /// How long a peer may acknowledge nothing of what it is sent, until the system ends its connection.
    pub peer_timeout: Duration,
}

impl Default for Listeners {
    /// On a free port of this machine alone, with two workers: what tests want.
    fn default() -> Self {
        Self {
            api: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            metrics: None,
            tls: None,
            workers: 2,
            connections_max: 10_000,
            farewell: Duration::ZERO,
            shutdown_timeout: Duration::from_secs(30),
            peer_timeout: Duration::from_secs(60),
        }
    }
}

impl Service {
    /// A service on a free port of this machine, on the system's clock, that delivers nothing.
    #[must_use]
    pub fn new(store: store::Settings, api: api::Settings) -> Self {
        let (listeners, clock) = (Listeners::default(), Arc::new(SystemClock));
        let certifying = Certifying::default();
        let (collectors, mail) = (collect::Settings::default(), Mailing::default());
        let (delivering, counting, further) = (None, None, Vec::new());
        let files_dir = std::env::temp_dir().join("trastienda-files");
        Self {
            store,
            migrates: true,
            api,
            delivering,
            certifying,
            collectors,
            mail,
            counting,
            files_dir,
            further,
            listeners,
            clock,
        }
    }

    /// The service that an operator has set up.
    ///
    /// # Errors
    /// When the master key cannot be read or made.
    pub fn from_settings(settings: &Settings) -> anyhow::Result<Self> {
        let listeners = Listeners {
            api: settings.listen,
            metrics: settings.metrics_listen,
            tls: Tls::from_settings(settings)?,
            workers: settings.http_workers.count(),
            connections_max: settings.connections_max.count(),
            farewell: FAREWELL,
            shutdown_timeout: settings.shutdown_timeout_seconds.seconds(),
            // Later than the API, which can say why.
            peer_timeout: settings.answer_timeout_seconds.seconds() * 2,
        };
        let store = master_key::store_settings(settings)?;
        let delivering = settings.deliver.0.then(|| settings.delivering());
        let (certifying, mail) = (settings.certifying(), settings.mail()?);
        let (collectors, counting) = (settings.collectors(), settings.counting());
        let own = Self::new(store, settings.api());
        let files_dir = settings.files_dir.clone();
        let migrates = settings.migrate.0;
        let own = Self { listeners, migrates, delivering, certifying, collectors, ..own };
        Ok(Self { mail, counting, files_dir, ..own })
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
    let Service { store: store_settings, api: api_settings, migrates, delivering, .. } = service;
    let Service { certifying, collectors, mail, files_dir, further, listeners, clock, .. } =
        service;
    let counter = service.counting.map(Counter::start).transpose();
    let counter = counter.context("cannot count rate limits with limits_url")?;
    prepare(&store_settings, migrates)?;
    let store = Store::open(&store_settings).context("cannot open the database")?;
    let delivering = delivering.map(|delivering| delivering.start(&store, clock.clone()));
    let dispatcher = delivering.transpose()?;
    let working =
        Working::start(certifying, &collectors, &mail, &files_dir, &store, clock.clone())?;
    let shared_counter = counter.map(|counter| Arc::new(counter) as Arc<dyn SharedCounter>);
    let services = Services {
        shared_counter,
        ..services(&store, &api_settings.brand, dispatcher.as_ref(), &working)
    };
    let public_url = api_settings.public_url.clone();
    let panel_settings = paneling::settings(&api_settings, listeners.tls.is_some());
    let api = Data::new(Api::offering(api_settings, services, clock.clone(), further));
    store.watch_keys(&api.key_watcher());
    let panel_services = paneling::services(&store, &working, &panel_settings.brand, &api);
    let panel = Data::new(Panel::new(panel_settings, panel_services, clock.clone()));
    let parts = Parts { listeners, api: api.clone(), panel, store: store.clone(), clock };
    let http = http::start(parts)?;
    working.listens_at(&public_url.unwrap_or_else(|| url_of(http.addr, http.tls.is_some())));
    Ok(Running { http, dispatcher, working: Some(working), api, store: OpenStore(store) })
}

/// The services that the store offers.
pub(crate) fn services(
    store: &Arc<Store>,
    brand: &str,
    dispatcher: Option<&Arc<Dispatcher>>,
    working: &Arc<Working>,
) -> Services {
    Services {
        accounts: store.clone(),
        api_keys: store.clone(),
        key_maker: keys::maker(brand),
        test_accounts: Arc::new(Opener::new(store.clone())),
        audit_log: store.clone(),
        request_log: store.clone(),
        products: store.clone(),
        imports: store.clone(),
        import_files: working.import_files(),
        categories: store.clone(),
        price_lists: store.clone(),
        customer_groups: store.clone(),
        inventory: store.clone(),
        orders: store.clone(),
        customers: store.clone(),
        leads: store.clone(),
        activities: store.clone(),
        deals: store.clone(),
        quotes: store.clone(),
        quote_printer: Arc::new(Press),
        pipelines: store.clone(),
        links: store.clone(),
        webhooks: store.clone(),
        payments: store.clone(),
        payment_links: store.clone(),
        collector: working.collector(),
        invoices: store.clone(),
        withholdings: store.clone(),
        issuers: store.clone(),
        branches: store.clone(),
        credits: store.clone(),
        certifier: working.certifier(),
        withholding_certifier: working.withholding_certifier(),
        printer: Arc::new(Press),
        packing_printer: Arc::new(Press),
        emails: working.emails(),
        exports: store.clone(),
        global_invoices: store.clone(),
        approval_rules: store.clone(),
        approvals: approving::desk(store),
        placing_gate: store.clone(),
        quoting_gate: store.clone(),
        changing_gate: store.clone(),
        cancelling_gate: store.clone(),
        refunding_gate: store.clone(),
        returning_gate: store.clone(),
        adjusting_gate: store.clone(),
        counting_gate: store.clone(),
        dispatching_gate: store.clone(),
        jobs: store.clone(),
        files: store.clone(),
        shared_counter: None,
        backend: Arc::new(StoreBackend::new(store.clone(), dispatcher, working)),
    }
}

/// Brings the database up to date, or refuses one that is not.
pub(crate) fn prepare(settings: &store::Settings, migrates: bool) -> anyhow::Result<()> {
    if let Some(host) = store::plain_host(&settings.url) {
        tracing::warn!(host, "PostgreSQL is reached without TLS; sslmode=verify-full asks for it");
    }
    if migrates {
        return migrate(settings).map(drop);
    }
    store::require_migrated(settings).context("cannot use the database")
}

/// Applies the migrations that are missing, says so in the log, and names them.
///
/// # Errors
/// When the database cannot be reached or refuses.
pub fn migrate(settings: &store::Settings) -> anyhow::Result<Vec<String>> {
    let applied = store::migrate(settings).context("cannot migrate the database")?;
    if let (Some(first), Some(last)) = (applied.first(), applied.last()) {
        tracing::info!(count = applied.len(), first, last, "migrations applied");
    }
    Ok(applied)
}

/// Where a browser on this machine reaches `addr`.
pub(crate) fn url_of(addr: SocketAddr, is_tls: bool) -> String {
    let ip = match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    let scheme = if is_tls { "https" } else { "http" };
    format!("{scheme}://{}", SocketAddr::new(ip, addr.port()))
}

/// A service that answers requests. Dropping it stops it at once.
pub struct Running {
    // Fields are dropped in this order: the store is closed last.
    http: Http,
    dispatcher: Option<Arc<Dispatcher>>,
    working: Option<Arc<Working>>,
    api: Data<Api>,
    store: OpenStore,
}

impl Running {
    /// Where a browser on this machine reaches the service.
    #[must_use]
    pub fn url(&self) -> String {
        url_of(self.http.addr, self.http.tls.is_some())
    }

    /// What HTTPS is served with.
    pub(crate) fn tls(&self) -> Option<&Tls> {
        self.http.tls.as_ref()
    }

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

    /// What is counted, as the metrics have it.
    #[must_use]
    pub fn metrics(&self) -> String {
        self.api.render_metrics()
    }

    /// The store, for making accounts and keys. It is closed when the service stops.
    #[must_use]
    pub fn store(&self) -> &Arc<Store> {
        &self.store.0
    }

    /// Sends mail to people, or keeps it where no mail server is set.
    ///
    /// # Errors
    /// When the service is being stopped.
    pub fn mails(&self) -> anyhow::Result<Arc<PeopleMail>> {
        let working = self.working.as_ref().context("the service is stopping")?;
        Ok(working.mails())
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
        if let Some(working) = self.working.take() {
            working.stop();
        }
    }
}

/// An open store, which is closed at the end: what is queued is committed, whoever still has a share in it.
pub(crate) struct OpenStore(pub(crate) Arc<Store>);

impl Drop for OpenStore {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests;
