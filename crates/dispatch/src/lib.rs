//! Delivers events: claims the deliveries that are due, sends them, and records what came of it.
//!
//! The [`Dispatcher`] knows neither database nor network: it works through [`webhooks::Deliveries`] and
//! [`webhooks::Sender`]. Many of them, in as many processes, may work on one database: a claim makes a
//! delivery one dispatcher's for a while, and one that dies loses nothing but that while.
//!
//! Deliveries arrive at least once. Those about the same thing go to an endpoint one after the other, in
//! order unless an attempt fails. However many endpoints hang or fail, the healthy ones are not kept
//! waiting, and no account keeps others from their turn. What is held here is bounded, whatever waits in
//! the store.

mod approved;
mod asked;
mod bulk;
mod certification;
mod collecting;
mod dispatcher;
mod emailing;
mod engine;
mod exporting;
mod gauges;
mod global_invoicing;
mod halt;
mod hints;
mod importing;
mod jitter;
mod mailing;
mod moments;
mod papers;
mod pause;
mod recorded;
mod scheduler;
mod settings;
mod tasks;

pub use approved::ApprovedCancelling;
pub use bulk::{BulkActing, BulkServices, BulkWording};
pub use certification::{Certification, CertificationDesk, CertificationSettings, Counted, Figure};
pub use collecting::{Collecting, CollectingDesk};
pub use dispatcher::Dispatcher;
pub use emailing::{EmailDesk, Emailing};
pub use exporting::Exporting;
pub use global_invoicing::GlobalInvoicing;
pub use importing::{FileSweep, Importing, KeptFiles};
pub use mailing::PeopleMail;
pub use papers::Papers;
pub use settings::Settings;
pub use tasks::{Hold, Performed, Performing, TaskEngine, TaskSettings, Work};
