//! What the API works with: the services of the domains, a clock, and what stands behind it all.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use accounts::Accounts;
use catalog::Products;
use crm::{Customers, Leads};
use invoices::{Certifier, Credits, Documents, Invoices, Issuers};
use kernel::{Clock, Fault, Message, Pending, Timestamp};
use orders::Orders;
use webhooks::Webhooks;

/// The services whose use cases the API offers.
pub struct Services {
    /// Accounts and keys.
    pub accounts: Arc<dyn Accounts>,
    /// The catalog.
    pub products: Arc<dyn Products>,
    /// Orders.
    pub orders: Arc<dyn Orders>,
    /// Customers.
    pub customers: Arc<dyn Customers>,
    /// Leads.
    pub leads: Arc<dyn Leads>,
    /// Webhooks, their deliveries and the feed of events.
    pub webhooks: Arc<dyn Webhooks>,
    /// Invoices.
    pub invoices: Arc<dyn Invoices>,
    /// Who issues them, with which certificates and provider.
    pub issuers: Arc<dyn Issuers>,
    /// Credits.
    pub credits: Arc<dyn Credits>,
    /// Stamps and cancels.
    pub certifier: Arc<dyn Certifier>,
    /// Prints invoices.
    pub printer: Arc<dyn Printer>,
    /// Sends mail.
    pub mailer: Arc<dyn Mailer>,
    /// What stands behind them.
    pub backend: Arc<dyn Backend>,
}

/// Makes the printed form of invoices. It computes for tens of milliseconds and is called where that keeps
/// nobody waiting.
pub trait Printer: Send + Sync {
    /// The PDF of an invoice; a draft's says that it is one.
    ///
    /// # Errors
    /// What went wrong, for the log.
    fn pdf(&self, documents: &Documents) -> Result<Vec<u8>, String>;

    /// Why an image cannot be printed as a logo, as a clause that follows its name.
    fn logo_problem(&self, image: &[u8]) -> Option<Message>;
}

/// An email being handed over; an error is what the mail server said.
pub type Sending = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;

/// Sends mail.
pub trait Mailer: Send + Sync {
    /// Whether a mail server is set.
    fn is_configured(&self) -> bool;

    /// Hands an email to the mail server.
    fn send(&self, email: Email) -> Sending;
}

/// An email by electronic mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    /// To whom.
    pub to: Vec<String>,
    /// What it is about.
    pub subject: String,
    /// What it says, plain text.
    pub text: String,
    /// What is enclosed.
    pub attachments: Vec<Attachment>,
}

/// A file enclosed in an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub content_type: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What stands behind the services, as health checks and metrics see it.
pub trait Backend: Send + Sync {
    /// Whether it can be reached at this moment.
    fn ready(&self) -> Pending<Result<(), Fault>>;

    /// What it counts at this moment.
    fn gauges(&self) -> Vec<Gauge>;
}

/// A number that goes up and down.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Its name in the metrics, snake_case.
    pub name: &'static str,
    /// What it counts.
    pub help: &'static str,
    /// The number.
    pub value: f64,
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
