//! How the API shows credits and their ledger.

use std::fmt::Display;

use invoices::{
    Balance, CreditEntry, CreditEntryId, CreditKind, InvoiceId, STAMP_COST,
    withholding::WithholdingId,
};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// The credit balance of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Credits)]
pub(super) struct BalanceBody {
    /// Credits available to spend.
    available: i64,
    /// Credits reserved for stampings in progress.
    reserved: i64,
    /// Credits that one stamp costs.
    stamp_cost: i64,
}

/// An entry of the credit ledger.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CreditEntry)]
pub(super) struct EntryBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cre_01KG8Y5C2E4G6J8M0P2R4T6V8X")]
    id: CreditEntryId,
    /// `grant` adds credits, `reserve` holds them for a stamp, `commit` charges the held credits and
    /// `release` returns them.
    #[schema(value_type = shapes::CreditKind)]
    kind: CreditKind,
    /// Change of the available credits; 0 when reserved credits are charged.
    amount: i64,
    /// Invoice that the entry concerns.
    #[schema(value_type = Option<String>, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    invoice_id: Option<InvoiceId>,
    /// Withholding that the entry concerns.
    #[schema(value_type = Option<String>, example = "wth_01KG91C3E5G7J9M1P3R5T7V9X1")]
    withholding_id: Option<WithholdingId>,
    /// Free-text note.
    note: Option<String>,
    /// When the entry was recorded.
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
        let CreditEntry { id, kind, amount, invoice, withholding, note, created_at } = entry;
        let (invoice_id, withholding_id) = (invoice, withholding);
        Self { id, kind, amount, invoice_id, withholding_id, note, created_at }
    }
}
