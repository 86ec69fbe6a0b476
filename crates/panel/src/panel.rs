//! The panel as a whole: what its pages share.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use accounts::{
    ApiKeys, AuditLog, FormResults, KeyMaker, Mails, ParkedForms, People, RequestLog, SavedViews,
    SessionId, Team, TestAccounts, ToDos,
};
use approvals::{Approvals, Gate, Rules};
use bulk::BulkActions;
use catalog::{Categories, PriceLists, Products};
use crm::{Activities, CustomerGroups, Customers, Deals, Leads, Pipelines};
use imports::{ImportFiles, Imports, Uploads};
use inventory::{
    Adjustment, Count, DispatchTransfer, Inventory, NewAdjustment, PostCount, StockError, Transfer,
};
use invoices::{
    Branches, CancelInvoice, Certifier, Credits, Emails, Invoice, InvoiceError, Invoices, Issuers,
    Printer,
};
use kernel::{
    AccountId, Clock,
    network::{ClientNetwork, Network},
};
use links::Links;
use orders::{
    Order, Orders, PlaceError, PlaceOrder, Return, ReturnError, ReturnItems, ReviseOrder,
    UpdateError, packing::PackingPrinter,
};
use payments::{Collector, PaymentError, PaymentLinks, Payments, Refund, RefundPayment};
use quotes::{QuoteError, QuoteId, QuotePrinter, Quotes, SendQuote};
use tasks::{JobFiles, Jobs};
use tokio::sync::Semaphore;
use webhooks::{Reach, Webhooks};

use crate::{csv::Exports, limits::Limit, page::Page, pages, parking, repeats::Repeats};

/// So much is computed at once, to leave processors to everybody else: papers are printed, keys opened.
const COMPUTING_MAX: usize = 2;
const MINUTE: Duration = Duration::from_secs(60);

/// The services whose use cases the panel offers.
pub struct Services {
    /// Signing in, sessions, and what users do about themselves.
    pub people: Arc<dyn People>,
    /// Who belongs to an account.
    pub team: Arc<dyn Team>,
    /// What members narrow lists to, under names.
    pub saved_views: Arc<dyn SavedViews>,
    /// What is to be done.
    pub to_do: Arc<dyn ToDos>,
    /// Mail to people.
    pub mails: Arc<dyn Mails>,
    /// Forms that were not sent.
    pub parked_forms: Arc<dyn ParkedForms>,
    /// Where forms led that were sent.
    pub form_results: Arc<dyn FormResults>,
    /// API keys.
    pub api_keys: Arc<dyn ApiKeys>,
    /// What was done in an account.
    pub audit: Arc<dyn AuditLog>,
    /// What keys asked for.
    pub request_log: Arc<dyn RequestLog>,
    /// Opens test accounts, for keys of them.
    pub test_accounts: Arc<dyn TestAccounts>,
    /// Makes the texts of keys.
    pub key_maker: KeyMaker,
    /// Invoices.
    pub invoices: Arc<dyn Invoices>,
    /// Has invoices stamped and cancelled.
    pub certifier: Arc<dyn Certifier<Invoice>>,
    /// What stands before cancellations of invoices.
    pub cancelling_gate: Arc<dyn Gate<CancelInvoice, Invoice, InvoiceError>>,
    /// Makes the printed form of invoices.
    pub printer: Arc<dyn Printer>,
    /// Sends invoices by email.
    pub emails: Arc<dyn Emails>,
    /// The places that an account sells at.
    pub branches: Arc<dyn Branches>,
    /// Who issues invoices, with their certificates and provider.
    pub issuers: Arc<dyn Issuers>,
    /// Orders.
    pub orders: Arc<dyn Orders>,
    /// Customers.
    pub customers: Arc<dyn Customers>,
    /// Groups of customers.
    pub customer_groups: Arc<dyn CustomerGroups>,
    /// The catalog.
    pub products: Arc<dyn Products>,
    /// What it costs for whom.
    pub price_lists: Arc<dyn PriceLists>,
    /// The tree that products are found by.
    pub categories: Arc<dyn Categories>,
    /// Warehouses and their stock.
    pub inventory: Arc<dyn Inventory>,
    /// What stands before corrections of stock.
    pub adjusting_gate: Arc<dyn Gate<NewAdjustment, Adjustment, StockError>>,
    /// What stands before posting counts.
    pub counting_gate: Arc<dyn Gate<PostCount, Count, StockError>>,
    /// What stands before sending transfers.
    pub dispatching_gate: Arc<dyn Gate<DispatchTransfer, Transfer, StockError>>,
    /// Imports of rows.
    pub imports: Arc<dyn Imports>,
    /// Keeps what is imported until that has ended.
    pub import_files: Arc<dyn ImportFiles>,
    /// Files that wait until somebody has said what their columns hold.
    pub uploads: Arc<dyn Uploads>,
    /// Leads.
    pub leads: Arc<dyn Leads>,
    /// Deals.
    pub deals: Arc<dyn Deals>,
    /// What people do about leads, deals and customers.
    pub activities: Arc<dyn Activities>,
    /// The pipelines of deals.
    pub pipelines: Arc<dyn Pipelines>,
    /// Quotes.
    pub quotes: Arc<dyn Quotes>,
    /// What stands before sending quotes.
    pub quoting_gate: Arc<dyn Gate<SendQuote, QuoteId, QuoteError>>,
    /// Prints quotes.
    pub quote_printer: Arc<dyn QuotePrinter>,
    /// Payments on record.
    pub payments: Arc<dyn Payments>,
    /// Prints packing slips.
    pub packing_printer: Arc<dyn PackingPrinter>,
    /// Takes payments.
    pub collector: Arc<dyn Collector>,
    /// What stands before refunds.
    pub refunding_gate: Arc<dyn Gate<RefundPayment, Refund, PaymentError>>,
    /// Links that work without a key.
    pub links: Arc<dyn Links>,
    /// Links that somebody pays by.
    pub payment_links: Arc<dyn PaymentLinks>,
    /// What stands before returns whose money is given back.
    pub returning_gate: Arc<dyn Gate<ReturnItems, Return, ReturnError>>,
    /// What needs whose approval.
    pub approval_rules: Arc<dyn Rules>,
    /// Requests for approval.
    pub approvals: Arc<dyn Approvals>,
    /// What stands before orders at other prices than the usual.
    pub placing_gate: Arc<dyn Gate<PlaceOrder, Order, PlaceError>>,
    /// What stands before cancellations of orders.
    pub changing_gate: Arc<dyn Gate<ReviseOrder, Order, UpdateError>>,
    /// Webhooks and their deliveries.
    pub webhooks: Arc<dyn Webhooks>,
    /// Work that outlives requests.
    pub jobs: Arc<dyn Jobs>,
    /// Files of invoices, each made by a job.
    pub exports: Arc<dyn invoices::export::Exports>,
    /// The files that jobs have made.
    pub files: Arc<dyn JobFiles>,
    /// What is done about each of many.
    pub bulk: Arc<dyn BulkActions>,
    /// What there is for stamping.
    pub credits: Arc<dyn Credits>,
    /// Hears of each account that somebody asks for a page of: callers of the API that ask for much leave it time.
    pub presence: Arc<dyn Fn(AccountId) + Send + Sync>,
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
    /// Which endpoints webhooks may be sent to.
    pub reach: Reach,
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
    /// Those that show forms which are kept where they could not be sent, by their declared paths.
    pub(crate) showing_forms: BTreeSet<&'static str>,
    pub(crate) sessions: Limit<SessionId>,
    pub(crate) visitors: Limit<ClientNetwork>,
    /// How many cookies of no session a client may send before none of theirs is looked up.
    pub(crate) strangers: Limit<ClientNetwork>,
    /// Turns at lists that are sent as tables.
    pub(crate) exports: Arc<Exports>,
    /// Turns at forms, and where those led that were sent a moment ago.
    pub(crate) repeats: Repeats,
    /// Turns at what takes a processor, such as printing.
    pub(crate) computing: Arc<Semaphore>,
    /// Turns at looks into files.
    pub(crate) looking: Arc<Semaphore>,
}

impl Panel {
    /// The panel over these services.
    #[must_use]
    pub fn new(settings: Settings, services: Services, clock: Arc<dyn Clock>) -> Self {
        let inside = pages::inside();
        Self {
            showing_forms: parking::shown_by(&inside),
            sessions: Limit::new(settings.session_rate_per_minute, MINUTE),
            strangers: Limit::new(settings.visitor_rate_per_minute, MINUTE),
            visitors: Limit::new(settings.visitor_rate_per_minute, MINUTE),
            exports: Exports::new(),
            repeats: Repeats::default(),
            computing: Arc::new(Semaphore::new(COMPUTING_MAX)),
            looking: Arc::new(Semaphore::new(COMPUTING_MAX)),
            outside: pages::outside(),
            inside,
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
