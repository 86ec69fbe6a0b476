//! Warehouses, stock settings, adjustments, receipts and costs.

use inventory::{
    Address, Adjustment, AdjustmentId, AdjustmentLine, Allocation, Cause, CostChange, CostChangeId,
    CostReason, Kind, ProductId, Receipt, ReceiptId, ReceiptLine, ReceiptStatus, Sku,
    StockSettings, VariantId, Warehouse, WarehouseId,
    transfer::{ArrivedLine, Transfer, TransferId, TransferLine, TransferStatus},
};
use kernel::{Amount, Currency, Decimals, Measure, ScaleCode, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    forms::{Each, Form, Maybe, forms},
    product::is_by_the_piece,
};

mod commands;
mod count;
pub(super) use commands::{DispatchTransferForm, NewAdjustmentForm, PostCountForm};
pub(super) use count::{CountForm, CountLineForm};

forms!(
    AddressForm of Address,
    AdjustmentForm of Adjustment,
    AdjustmentLineForm of AdjustmentLine,
    AllocationForm of Allocation,
    CauseForm of Cause,
    CostChangeForm of CostChange,
    CostReasonForm of CostReason,
    KindForm of Kind,
    ReceiptForm of Receipt,
    ReceiptLineForm of ReceiptLine,
    ReceiptStatusForm of ReceiptStatus,
    SkuForm of Sku,
    StockSettingsForm of StockSettings,
    ArrivedLineForm of ArrivedLine,
    TransferForm of Transfer,
    TransferLineForm of TransferLine,
    TransferStatusForm of TransferStatus,
    WarehouseForm of Warehouse,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Address")]
pub(super) struct AddressForm {
    street: String,
    neighborhood: Option<String>,
    city: Option<String>,
    state: Option<String>,
    zip: Option<String>,
    country: String,
    phone: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Kind", rename_all = "snake_case")]
enum KindForm {
    Store,
    Quarantine,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Warehouse")]
pub(super) struct WarehouseForm {
    id: WarehouseId,
    name: String,
    #[serde(default, with = "Maybe::<AddressForm>")]
    address: Option<Address>,
    #[serde(with = "KindForm")]
    kind: Kind,
    priority: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Allocation", rename_all = "camelCase")]
enum AllocationForm {
    Default,
    AnyAvailable,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "StockSettings")]
pub(super) struct StockSettingsForm {
    #[serde(with = "AllocationForm")]
    allocation: Allocation,
    default_warehouse: WarehouseId,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    scale_codes: Vec<ScaleCode>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Sku")]
struct SkuForm {
    product: ProductId,
    variant: Option<VariantId>,
    #[serde(default, skip_serializing_if = "is_by_the_piece")]
    decimals: Decimals,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Cause", rename_all = "snake_case")]
enum CauseForm {
    Damage,
    Theft,
    Expired,
    Found,
    Sample,
    InternalUse,
    Correction,
    Other,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Adjustment")]
pub(super) struct AdjustmentForm {
    id: AdjustmentId,
    #[serde(with = "CauseForm")]
    cause: Cause,
    note: Option<String>,
    reference: Option<String>,
    #[serde(with = "Each::<AdjustmentLineForm>")]
    lines: Vec<AdjustmentLine>,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AdjustmentLine")]
pub(super) struct AdjustmentLineForm {
    #[serde(with = "SkuForm")]
    sku: Sku,
    warehouse: WarehouseId,
    delta: Measure,
    available: Measure,
    on_hand: Measure,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ReceiptStatus", rename_all = "snake_case")]
enum ReceiptStatusForm {
    Received,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Receipt")]
pub(super) struct ReceiptForm {
    id: ReceiptId,
    #[serde(with = "ReceiptStatusForm")]
    status: ReceiptStatus,
    supplier: Option<String>,
    reference: Option<String>,
    note: Option<String>,
    received_at: Option<Timestamp>,
    #[serde(with = "Each::<ReceiptLineForm>")]
    lines: Vec<ReceiptLine>,
    created_at: Timestamp,
    cancelled_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ReceiptLine")]
pub(super) struct ReceiptLineForm {
    #[serde(with = "SkuForm")]
    sku: Sku,
    warehouse: WarehouseId,
    quantity: Measure,
    unit_cost: Option<Amount>,
    currency: Currency,
    average_cost: Option<Amount>,
    available: Measure,
    on_hand: Measure,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CostReason", rename_all = "snake_case")]
enum CostReasonForm {
    Receipt,
    ReceiptCancelled,
    Revaluation,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CostChange")]
pub(super) struct CostChangeForm {
    id: CostChangeId,
    #[serde(with = "SkuForm")]
    sku: Sku,
    #[serde(with = "CostReasonForm")]
    reason: CostReason,
    reference: Option<String>,
    on_hand: Measure,
    before: Option<Amount>,
    after: Option<Amount>,
    currency: Currency,
    note: Option<String>,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TransferStatus", rename_all = "snake_case")]
enum TransferStatusForm {
    Draft,
    InTransit,
    Received,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Transfer")]
pub(super) struct TransferForm {
    id: TransferId,
    #[serde(with = "TransferStatusForm")]
    status: TransferStatus,
    from: WarehouseId,
    to: WarehouseId,
    quarantine: Option<WarehouseId>,
    reference: Option<String>,
    note: Option<String>,
    #[serde(with = "Each::<TransferLineForm>")]
    lines: Vec<TransferLine>,
    created_at: Timestamp,
    updated_at: Timestamp,
    dispatched_at: Option<Timestamp>,
    received_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TransferLine")]
struct TransferLineForm {
    #[serde(with = "SkuForm")]
    sku: Sku,
    quantity: Measure,
    received: Measure,
    damaged: Measure,
    lost: Measure,
    found: Measure,
    returned: Measure,
    in_transit: Measure,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ArrivedLine")]
pub(super) struct ArrivedLineForm {
    line: usize,
    received: Measure,
    damaged: Measure,
    lost: Measure,
    found: Measure,
    reason: Option<String>,
}
