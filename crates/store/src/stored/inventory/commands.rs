//! Commands about stock that wait for an approval.

use inventory::{
    Cause, CountId, DispatchTransfer, NewAdjustment, PostCount, Sku, TransferId, WarehouseId,
    adjustment::{Change, Named, NewLine},
};
use kernel::Measure;
use serde::{Deserialize, Serialize};

use super::{CauseForm, SkuForm};
use crate::stored::forms::{Each, Form, Maybe, forms};

forms!(
    ChangeForm of Change,
    DispatchTransferForm of DispatchTransfer,
    NamedForm of Named,
    NewAdjustmentForm of NewAdjustment,
    NewLineForm of NewLine,
    PostCountForm of PostCount,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "NewAdjustment")]
pub(in crate::stored) struct NewAdjustmentForm {
    #[serde(with = "CauseForm")]
    cause: Cause,
    note: Option<String>,
    reference: Option<String>,
    #[serde(with = "Each::<NewLineForm>")]
    lines: Vec<NewLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NewLine")]
struct NewLineForm {
    warehouse: Option<WarehouseId>,
    #[serde(with = "NamedForm")]
    named: Named,
    #[serde(with = "ChangeForm")]
    change: Change,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Named", rename_all = "snake_case")]
enum NamedForm {
    Id(#[serde(with = "SkuForm")] Sku),
    Code(String),
    Ean(String),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Change", rename_all = "snake_case")]
enum ChangeForm {
    Delta(Measure),
    Counted(Measure),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DispatchTransfer")]
pub(in crate::stored) struct DispatchTransferForm {
    id: TransferId,
    /// It was compared when the command was given. What waits for its approval is judged by what would be sent.
    #[serde(skip)]
    version: Option<i64>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PostCount")]
pub(in crate::stored) struct PostCountForm {
    id: CountId,
    #[serde(default, with = "Maybe::<Each<NamedForm>>")]
    named: Option<Vec<Named>>,
}
