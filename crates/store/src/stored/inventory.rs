//! Warehouses, stock settings and adjustments.

use inventory::{
    Address, Adjustment, AdjustmentId, AdjustmentLine, Allocation, Cause, Kind, ProductId, Sku,
    StockSettings, VariantId, Warehouse, WarehouseId,
};
use kernel::{Quantity, Timestamp};
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, Maybe, forms};

forms!(
    AddressForm of Address,
    AdjustmentForm of Adjustment,
    AdjustmentLineForm of AdjustmentLine,
    AllocationForm of Allocation,
    CauseForm of Cause,
    KindForm of Kind,
    SkuForm of Sku,
    StockSettingsForm of StockSettings,
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
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Sku")]
struct SkuForm {
    product: ProductId,
    variant: Option<VariantId>,
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
    delta: Quantity,
    available: Quantity,
    on_hand: Quantity,
}
