//! What the API works with: the services of the domains, a clock, and what stands behind it all.

use std::{
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use accounts::{Accounts, ApiKeys, AuditLog, KeyMaker, RequestLog, TestAccounts};
use approvals::{Approvals, Gate, Rules};
use catalog::{Categories, PriceLists, Products};
use crm::{Activities, CustomerGroups, Customers, Deals, Leads, Pipelines};
use imports::{ImportFiles, Imports};
use inventory::{
    Adjustment, Count, DispatchTransfer, Inventory, NewAdjustment, PostCount, StockError, Transfer,
};
use invoices::{
    Branches, CancelInvoice, Certifier, Credits, Emails, Invoice, InvoiceError, Invoices, Issuers,
    Printer,
    export::Exports,
    global::GlobalInvoices,
    withholding::{Withholding, Withholdings},
};
use kernel::{Clock, Ctx, Fault, Gauge, Pending, Timestamp, rate::SharedCounter};
use links::Links;
use orders::{
    Order, Orders, PlaceError, PlaceOrder, Return, ReturnError, ReturnItems, ReviseOrder,
    UpdateError, packing::PackingPrinter,
};
use payments::{Collector, PaymentError, PaymentLinks, Payments, Refund, RefundPayment};
use quotes::{QuoteError, QuoteId, QuotePrinter, Quotes, SendQuote};
use tasks::{JobFiles, Jobs};
use webhooks::Webhooks;

/// The services whose use cases the API offers.
pub struct Services {
    /// Accounts and keys.
    pub accounts: Arc<dyn Accounts>,
    /// Keys as a resource.
    pub api_keys: Arc<dyn ApiKeys>,
    /// Makes the texts of keys.
    pub key_maker: KeyMaker,
    /// Opens test accounts.
    pub test_accounts: Arc<dyn TestAccounts>,
    /// What was done, and by whom.
    pub audit_log: Arc<dyn AuditLog>,
    /// What keys asked for.
    pub request_log: Arc<dyn RequestLog>,
    /// The catalog.
    pub products: Arc<dyn Products>,
    /// The categories that products are in.
    pub categories: Arc<dyn Categories>,
    /// Other prices than those of the products.
    pub price_lists: Arc<dyn PriceLists>,
    /// Groups of customers.
    pub customer_groups: Arc<dyn CustomerGroups>,
    /// Imports of files.
    pub imports: Arc<dyn Imports>,
    /// Where these files are kept.
    pub import_files: Arc<dyn ImportFiles>,
    /// Warehouses and their stock.
    pub inventory: Arc<dyn Inventory>,
    /// Orders.
    pub orders: Arc<dyn Orders>,
    /// Customers.
    pub customers: Arc<dyn Customers>,
    /// Leads.
    pub leads: Arc<dyn Leads>,
    /// What people do about deals, leads and customers.
    pub activities: Arc<dyn Activities>,
    /// Deals.
    pub deals: Arc<dyn Deals>,
    /// The pipelines that they pass through.
    pub pipelines: Arc<dyn Pipelines>,
    /// Quotes.
    pub quotes: Arc<dyn Quotes>,
    /// Prints quotes.
    pub quote_printer: Arc<dyn QuotePrinter>,
    /// Links that work without a key.
    pub links: Arc<dyn Links>,
    /// Webhooks, their deliveries and the feed of events.
    pub webhooks: Arc<dyn Webhooks>,
    /// Payments and refunds on record.
    pub payments: Arc<dyn Payments>,
    /// Links that somebody pays by.
    pub payment_links: Arc<dyn PaymentLinks>,
    /// Asks for payments and refunds.
    pub collector: Arc<dyn Collector>,
    /// Invoices.
    pub invoices: Arc<dyn Invoices>,
    /// Certificates of withheld taxes.
    pub withholdings: Arc<dyn Withholdings>,
    /// Who issues them, with which certificates and provider.
    pub issuers: Arc<dyn Issuers>,
    /// The places that they are issued at.
    pub branches: Arc<dyn Branches>,
    /// Credits.
    pub credits: Arc<dyn Credits>,
    /// Stamps and cancels invoices.
    pub certifier: Arc<dyn Certifier<Invoice>>,
    /// Stamps and cancels withholdings.
    pub withholding_certifier: Arc<dyn Certifier<Withholding>>,
    /// Prints invoices and withholdings.
    pub printer: Arc<dyn Printer>,
    /// Prints packing slips.
    pub packing_printer: Arc<dyn PackingPrinter>,
    /// Sends invoices by email.
    pub emails: Arc<dyn Emails>,
    /// Writes invoices into files.
    pub exports: Arc<dyn Exports>,
    /// Invoices of what was sold to the public.
    pub global_invoices: Arc<dyn GlobalInvoices>,
    /// What needs whose approval.
    pub approval_rules: Arc<dyn Rules>,
    /// Requests for approval.
    pub approvals: Arc<dyn Approvals>,
    /// What stands before orders that give something away.
    pub placing_gate: Arc<dyn Gate<PlaceOrder, Order, PlaceError>>,
    /// What stands before quotes that give something away.
    pub quoting_gate: Arc<dyn Gate<SendQuote, QuoteId, QuoteError>>,
    /// What stands before cancellations of orders.
    pub changing_gate: Arc<dyn Gate<ReviseOrder, Order, UpdateError>>,
    /// What stands before cancellations of invoices.
    pub cancelling_gate: Arc<dyn Gate<CancelInvoice, Invoice, InvoiceError>>,
    /// Asks for the approval of refunds.
    pub refunding_gate: Arc<dyn Gate<RefundPayment, Refund, PaymentError>>,
    /// Asks for the approval of what returns give back.
    pub returning_gate: Arc<dyn Gate<ReturnItems, Return, ReturnError>>,
    /// Asks for approvals of stock that people correct.
    pub adjusting_gate: Arc<dyn Gate<NewAdjustment, Adjustment, StockError>>,
    /// Asks for approvals of what was counted.
    pub counting_gate: Arc<dyn Gate<PostCount, Count, StockError>>,
    /// Asks for approvals of goods that are sent to another warehouse.
    pub dispatching_gate: Arc<dyn Gate<DispatchTransfer, Transfer, StockError>>,
    /// Work that outlives requests.
    pub jobs: Arc<dyn Jobs>,
    /// The files that it makes.
    pub files: Arc<dyn JobFiles>,
    /// Who counts requests for all nodes, if anybody does.
    pub shared_counter: Option<Arc<dyn SharedCounter>>,
    /// What stands behind them.
    pub backend: Arc<dyn Backend>,
}

/// What stands behind the services, whatever they are about.
pub trait Backend: Send + Sync {
    /// Whether a command is a repeat, by its idempotency key, of one whose answer is kept.
    fn is_answered(&self, ctx: Ctx) -> Pending<Result<bool, Fault>>;

    /// Whether it can be reached at this moment.
    fn ready(&self) -> Pending<Result<(), Fault>>;

    /// What it counts at this moment.
    fn gauges(&self) -> Vec<Gauge>;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX))
    }
}
