//! CFDI 4.0, the electronic invoice of Mexico, and the withholding certificate beside it: the documents, their rules, XML
//! and seal, and the catalogs of the tax authority (SAT).
//!
//! Nothing here touches a database, a network or a clock, so that any program can build and seal.

pub mod addenda;
pub mod cancellation;
pub mod catalogs;
pub mod complements;
pub mod constancia;
pub mod csd;
pub mod document;
pub mod emit;
pub mod local_taxes;
pub mod payments;
pub mod rules;
pub mod seal;
pub mod stamp;
pub mod totals;
pub mod withholding;

/// What the items of a document amount to: the same arithmetic that prices orders.
pub use ::pricing;
pub use ::pricing::{decimal, tax};
