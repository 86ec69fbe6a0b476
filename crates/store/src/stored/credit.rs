//! Entries of the ledger of credits.

use invoices::{CreditEntry, CreditEntryId, CreditKind, InvoiceId, withholding::WithholdingId};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};

use super::forms::forms;

forms!(CreditEntryForm of CreditEntry);

#[derive(Serialize, Deserialize)]
#[serde(remote = "CreditEntry")]
pub(super) struct CreditEntryForm {
    id: CreditEntryId,
    #[serde(with = "CreditKindForm")]
    kind: CreditKind,
    amount: i64,
    invoice: Option<InvoiceId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    withholding: Option<WithholdingId>,
    note: Option<String>,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CreditKind", rename_all = "lowercase")]
enum CreditKindForm {
    Grant,
    Reserve,
    Commit,
    Release,
}
