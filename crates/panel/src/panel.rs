//! The panel as a whole: what its pages share.

use std::{sync::Arc, time::Duration};

use accounts::{ApiKeys, AuditLog, KeyMaker, People, SessionId, Team, TestAccounts};
use approvals::Gate;
use catalog::Products;
use crm::Customers;
use inventory::Inventory;
use invoices::Issuers;
use kernel::{
    Clock,
    network::{ClientNetwork, Network},
};
use orders::{Order, Orders, ReviseOrder, UpdateError, packing::PackingPrinter};
use payments::Collector;
use tokio::sync::Semaphore;
use webhooks::Webhooks;

use crate::{limits::Limit, page::Page, pages};

/// So many prints at once leave processors to everybody else.
const PRINTING_MAX: usize = 2;
/// So many lists are sent at once.
const EXPORTS_MAX: usize = 4;
const MINUTE: Duration = Duration::from_secs(60);

/// The services whose use cases the panel offers.
pub struct Services {
    /// Signing in, sessions, and what users do about themselves.
    pub people: Arc<dyn People>,
    /// Who belongs to an account.
    pub team: Arc<dyn Team>,
    /// API keys.
    pub api_keys: Arc<dyn ApiKeys>,
    /// What was done in an account.
    pub audit: Arc<dyn AuditLog>,
    /// Opens test accounts, for keys of them.
    pub test_accounts: Arc<dyn TestAccounts>,
    /// Makes the texts of keys.
    pub key_maker: KeyMaker,
    /// Who issues invoices, for the account's time zone.
    pub issuers: Arc<dyn Issuers>,
    /// Orders.
    pub orders: Arc<dyn Orders>,
    /// Customers.
    pub customers: Arc<dyn Customers>,
    /// The catalog.
    pub products: Arc<dyn Products>,
    /// Warehouses and their stock.
    pub inventory: Arc<dyn Inventory>,
    /// Prints packing slips.
    pub packing_printer: Arc<dyn PackingPrinter>,
    /// Takes payments.
    pub collector: Arc<dyn Collector>,
    /// What stands before cancellations of orders.
    pub changing_gate: Arc<dyn Gate<ReviseOrder, Order, UpdateError>>,
    /// Webhooks and their deliveries.
    pub webhooks: Arc<dyn Webhooks>,
}

/// How the panel behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What API keys begin with.
    pub brand: String,
    /// Where the public reaches the service, as far as that is set.
    pub public_url: Option<String>,
    /// Whether the service itself speaks HTTPS.
    pub is_encrypted: bool,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Requests per minute allowed for each session.
    pub session_rate_per_minute: u32,
    /// Requests per minute allowed for each client without a session.
    pub visitor_rate_per_minute: u32,
    /// How long a request may take to come, and how long to be answered.
    pub request_timeout: Duration,
}

/// The panel: its pages and what they share. One value serves all threads.
pub struct Panel {
    pub(crate) settings: Settings,
    pub(crate) services: Services,
    pub(crate) clock: Arc<dyn Clock>,
    /// Pages without an account.
    pub(crate) outside: Vec<Page>,
    /// Pages of an account.
    pub(crate) inside: Vec<Page>,
    pub(crate) sessions: Limit<SessionId>,
    pub(crate) visitors: Limit<ClientNetwork>,
    /// Turns at lists that are sent as tables.
    pub(crate) exports: Arc<Semaphore>,
    /// Turns at printing, which takes a processor.
    pub(crate) printing: Semaphore,
}

impl Panel {
    /// The panel over these services.
    #[must_use]
    pub fn new(settings: Settings, services: Services, clock: Arc<dyn Clock>) -> Self {
        Self {
            sessions: Limit::new(settings.session_rate_per_minute, MINUTE),
            visitors: Limit::new(settings.visitor_rate_per_minute, MINUTE),
            exports: Arc::new(Semaphore::new(EXPORTS_MAX)),
            printing: Semaphore::new(PRINTING_MAX),
            outside: pages::outside(),
            inside: pages::inside(),
            settings,
            services,
            clock,
        }
    }

    /// Whether browsers reach it over HTTPS.
    pub(crate) fn is_https(&self) -> bool {
        let is_secure = |url: &String| url.starts_with("https://");
        self.settings.is_encrypted || self.settings.public_url.as_ref().is_some_and(is_secure)
    }
}
