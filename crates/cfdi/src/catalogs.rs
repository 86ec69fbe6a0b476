//! SAT's catalogs of CFDI 4.0, Carta Porte 3.1 and withholdings 2.0: the codes a document may use, and what each of
//! them means.
//!
//! Each module is a catalog. `find` looks a code up, `all` lists them, `search` finds by words; a [`Row`]
//! knows when it is valid. Everything is part of the binary and is read where it lies: a catalog costs
//! memory only while it is used.
//!
//! Small catalogs are written out in their modules, large ones are in `data`, which
//! `cargo xtask sat-catalogs` makes.

mod fold;
mod row;
mod table;

pub mod cancellation_reasons;
pub mod carta_porte;
pub mod countries;
pub mod currencies;
pub mod customs_offices;
pub mod customs_units;
pub mod document_types;
pub mod exports;
pub mod factors;
pub mod incoterms;
pub mod months;
pub mod payment_forms;
pub mod payment_methods;
pub mod periodicities;
pub mod postal_codes;
pub mod products;
pub mod rates;
pub mod regimes;
pub mod relations;
pub mod states;
pub mod tariff_codes;
pub mod tax_objects;
pub mod taxes;
pub mod transfer_reasons;
pub mod units;
pub mod uses;
pub mod withholdings;
pub mod zones;

pub use row::{Entry, Found, Row};

/// Which data this is: the packages that SAT's catalogs were read from, with their versions.
pub const VERSION: &str = include_str!("../data/version.txt").trim_ascii();

#[cfg(test)]
mod tests;
