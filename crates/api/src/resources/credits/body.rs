//! How the API shows credits and their ledger.

use std::fmt::Display;

use invoices::{Balance, CreditEntry, CreditEntryId, CreditKind, InvoiceId, STAMP_COST};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// The credits of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Credits)]
pub(super) struct BalanceBody {
    /// What can be spent.
    available: i64,
    /// What is set aside for stamps under way.
    reserved: i64,
    /// What one stamp takes.
    stamp_cost: i64,
}

/// A change of the credits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CreditEntry)]
pub(super) struct EntryBody {
    /// Its identifier.
    #[schema(value_type = String, example = "cre_01KG8Y5C2E4G6J8M0P2R4T6V8X")]
    id: CreditEntryId,
    /// `grant` gives credits, `reserve` sets them aside for a stamp, `commit` spends what was set aside and
    /// `release` gives it back.
    #[schema(value_type = shapes::CreditKind)]
    kind: CreditKind,
    /// By how much what can be spent changes; 0 when credits set aside are spent.
    amount: i64,
    /// The invoice that it is about.
    #[schema(value_type = Option<String>, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    invoice_id: Option<InvoiceId>,
    /// A note for people.
    note: Option<String>,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

impl Resource for EntryBody {
    type Thing = CreditEntry;

    const PATH: &'static str = "/credits/ledger";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<Balance> for BalanceBody {
    fn from(balance: Balance) -> Self {
        let Balance { available, reserved } = balance;
        Self { available, reserved, stamp_cost: STAMP_COST }
    }
}

impl From<CreditEntry> for EntryBody {
    fn from(entry: CreditEntry) -> Self {
        let CreditEntry { id, kind, amount, invoice, note, created_at } = entry;
        Self { id, kind, amount, invoice_id: invoice, note, created_at }
    }
}
