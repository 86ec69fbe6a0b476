//! Global invoices: the sales to the general public of a period, made when it ends.
//!
//! What nobody has asked an invoice for is invoiced all the same, to `PUBLICO EN GENERAL` (RMF 2.7.1.21).

mod period;
mod sale;

pub use period::{Period, Periodicity, SETTLING_SECONDS};
pub use sale::{LeftOut, Sale, SalePlace, with_room};
