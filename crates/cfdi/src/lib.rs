//! CFDI 4.0, the electronic invoice of Mexico, and the withholding certificate beside it.
//!
//! A [`Document`](document::Document) is plain data. [`rules::check`] says what the tax authority (SAT) would refuse, with
//! its codes; [`seal::seal`] writes the XML and signs it with a [certificate](csd::Csd); [`stamp`] reads what a certification
//! provider gives back. [`catalogs`] has SAT's catalogs with search, [`withholding`] the other kind of document.
//! Nothing here touches a database, a network or a clock.
//!
//! What a customer pays is turned into the amounts that SAT asks for, which a document states in the time of its place of issue:
//!
//! ```
//! use cfdi::{catalogs::postal_codes, pricing::{self, Price}, tax::TaxRate};
//! use kernel::{Amount, Timestamp};
//!
//! // Two coffees at 58.00 each, IVA inside.
//! let (quantity, price) = (Amount::parse("2")?, Price::Gross(Amount::parse("58")?));
//! let coffees = pricing::amounts(quantity, price, None, &[TaxRate::iva(160_000)]);
//! assert_eq!(coffees.unit_price, Amount::parse("50")?);
//! assert_eq!(coffees.amount, Amount::parse("100")?);
//! assert_eq!(coffees.taxes[0].amount, Amount::parse("16")?);
//!
//! let zone = postal_codes::find("42501").expect("a postal code of Hidalgo").zone();
//! let issued_at = zone.local(Timestamp::parse("2026-11-21T18:00:00Z")?);
//! assert_eq!(issued_at.hour(), 12);
//! # Ok::<(), kernel::Message>(())
//! ```
//!
//! `examples/seal_an_invoice.rs` goes on from there to a sealed invoice: `cargo run -p cfdi --example seal_an_invoice`.

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
