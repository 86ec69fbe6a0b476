//! Global invoices: the sales to the general public of a period, made when it ends.
//!
//! What nobody has asked an invoice for is invoiced all the same, to `PUBLICO EN GENERAL` (RMF 2.7.1.21). The [settings](GlobalSettings)
//! of an account say how, and whether that happens by itself.

mod period;
mod run;
mod sale;
mod settings;

pub use period::{Period, Periodicity, SETTLING_SECONDS};
pub use run::{Fate, GlobalInvoice, GlobalRun, GlobalTerms, WantedRun};
pub use sale::{LeftOut, Sale, SalePlace, with_room};
pub use settings::{DELAY_HOURS_MAX, GlobalSettings, TICKETS_MAX, zone};
