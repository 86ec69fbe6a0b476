//! What is stored as JSON: documents in columns, and the answers kept for idempotency keys.
//!
//! Each kind has a form of its own ([`kinds`]), so that a change of a domain type changes nothing on record
//! unnoticed: a field that is added to the domain does not compile before its form and the default for old
//! rows are decided. Two releases run side by side during an upgrade, so:
//!
//! - a new field has a default, and a reader ignores fields that it does not know: the version stays. What the
//!   release before saves has lost the new field, so its default must be a value to go on with;
//! - the version of a kind is raised only when the release before would misread what this one writes. It
//!   stands in front, `{"v":2,…`; what has none is of version 1, which is what release 0.1.0 wrote;
//! - whoever meets a version above its own refuses to read it, rather than guess.
//!
//! Samples of what every release has written are kept below `tests/fixtures/stored`, and must load for ever.

mod activity;
mod address;
mod api_key;
mod approval;
mod bulk;
mod carta_porte;
mod commands;
mod complements;
mod credit;
mod customer;
mod deal;
mod document;
mod draft;
mod email;
mod export;
mod foreign_trade;
mod forms;
mod global;
mod import;
mod inventory;
mod invoice;
mod issuer;
mod kinds;
mod lead;
mod link;
mod order;
mod payment;
mod payment_links;
mod payments;
mod product;
mod quote;
mod returns;
mod sandbox;
mod sheet;
mod shipment;
#[cfg(test)]
mod tests;
mod webhook;
mod withholding;
mod withholding_complements;

pub(crate) use api_key::{KeptApiKey, KeptInvitation};
pub(crate) use approval::Ticket;
pub(crate) use email::KeptEmail;
pub(crate) use link::KeptLink;
pub(crate) use order::{ItemTerms, OrderTerms};
pub(crate) use payment_links::PaymentLinkDetails;
pub(crate) use payments::{KeptFailure, KeptPayment, KeptPlans, PaymentDetails, RefundDetails};
pub(crate) use quote::QuoteDetails;
pub(crate) use webhook::Kept;

use std::fmt;

use diesel::result::Error as DieselError;
use serde_json::error::Category;

/// The version of what consists of names that the caller chose, and so has none.
pub(crate) const UNVERSIONED: u32 = 0;

/// A value that is stored as JSON.
pub(crate) trait Stored: Sized {
    /// What it is called in logs.
    const KIND: &'static str;
    /// The version in which it is written.
    const VERSION: u32;

    /// Writes it, without the version.
    ///
    /// # Errors
    /// Those of the serializer.
    fn to_json(&self) -> serde_json::Result<String>;

    /// Reads what was written in `version`, which is not above [`VERSION`](Self::VERSION).
    ///
    /// # Errors
    /// When the text has not the form of that version.
    fn from_json(version: u32, text: &str) -> serde_json::Result<Self>;
}

/// Writes a value as it is stored.
pub(crate) fn to_text<T: Stored>(value: &T) -> Result<String, DieselError> {
    let json = value.to_json().map_err(|error| DieselError::SerializationError(Box::new(error)))?;
    Ok(match json.strip_prefix('{') {
        Some(fields) if T::VERSION > 1 => format!("{VERSION_MARK}{},{fields}", T::VERSION),
        _ => json,
    })
}

/// Reads a stored value.
pub(crate) fn from_text<T: Stored>(text: &str) -> Result<T, DieselError> {
    let version = if T::VERSION == UNVERSIONED { UNVERSIONED } else { version_of(text) };
    let read = if version > T::VERSION {
        Err(Unreadable::Newer { kind: T::KIND, version, known: T::VERSION })
    } else {
        T::from_json(version, text).map_err(|error| Unreadable::Malformed {
            kind: T::KIND,
            version,
            category: error.classify(),
            column: error.column(),
        })
    };
    read.map_err(|unreadable| DieselError::DeserializationError(Box::new(unreadable)))
}

/// What stands in front of a version.
const VERSION_MARK: &str = "{\"v\":";

fn version_of(text: &str) -> u32 {
    let marked = text.strip_prefix(VERSION_MARK).and_then(|rest| rest.split([',', '}']).next());
    marked.and_then(|digits| digits.parse().ok()).unwrap_or(1)
}

/// Why a stored value cannot be read. It repeats nothing of the value, which may be personal data.
#[derive(Debug)]
enum Unreadable {
    /// A newer release wrote it.
    Newer { kind: &'static str, version: u32, known: u32 },
    /// It has not the form of its version.
    Malformed { kind: &'static str, version: u32, category: Category, column: usize },
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer { kind, version, known } => write!(
                f,
                "{kind} is stored in version {version} by a newer release; this one reads up to {known}"
            ),
            Self::Malformed { kind, version, category, column } => write!(
                f,
                "{kind} is not stored in the form of its version {version} ({category:?} error at column {column})"
            ),
        }
    }
}

impl std::error::Error for Unreadable {}
