//! Bulk actions: one act on each of many rows, chosen one by one or as all that match.
//!
//! A [`BulkAction`] is the payload of a durable task. Its worker first lists the rows as they match at the moment at which
//! somebody has confirmed the action. Then it acts on one after the other by the use case that the API offers, under an
//! idempotency key of the row or [together with its record](RowEffects): whoever takes the task over finds what has been
//! done. The result of each row is kept for some days.

mod action;
mod effects;
mod outcome;
mod selection;
mod service;
mod stopped;

pub use action::Action;
pub use effects::{RowEffects, RowId};
pub use outcome::{Outcome, Reason, Row, RowResult, Tally};
pub use selection::{DeliverySelection, InvoiceSelection, OrderSelection, Selection};
pub use service::{
    Bulk, BulkAction, BulkActions, BulkError, BulkQueue, Collected, RowQuery, Subject, Wanted,
};
pub use stopped::Stopped;

use tasks::{TaskKind, kind};

/// The most rows of one action: as many as a filtered list counts exactly.
pub const ROWS_MAX: u64 = 10_000;
/// Actions of an account that have not ended.
pub const OPEN_MAX: i64 = 10;
/// Rows of an account whose results are kept, from which on no other action is begun.
pub const KEPT_ROWS_MAX: i64 = 500_000;
/// How long results are kept after the last of them, in seconds: a week.
pub const KEPT_SECONDS: i64 = 7 * 24 * 60 * 60;

/// Every kind of task that is a bulk action.
pub const KINDS: &[&TaskKind] = &[&kind::BULK_ORDERS, &kind::BULK_INVOICES, &kind::BULK_DELIVERIES];

/// Whether a kind of task of this name is a bulk action.
#[must_use]
pub fn is_bulk(kind: &str) -> bool {
    KINDS.iter().any(|known| known.name == kind)
}
