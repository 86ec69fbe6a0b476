//! How the API shows transfers.

use std::fmt::Display;

use inventory::{
    ProductId, VariantId, WarehouseId,
    transfer::{
        Arrival, ArrivalId, ArrivedLine, Transfer, TransferId, TransferLine, TransferStatus,
    },
};
use kernel::{Measure, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// Goods on their way from one warehouse to another.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Transfer)]
pub(in crate::resources) struct TransferBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "trf_01KG9D7N9Q1S3V5X7Z9B1D3F5H")]
    id: TransferId,
    /// Status.
    #[schema(value_type = shapes::TransferStatus)]
    status: &'static str,
    /// Warehouse that they leave.
    #[schema(value_type = String, example = "whs_01KG8VXA1B2C3D4E5F6G7H8J9K")]
    from_warehouse_id: WarehouseId,
    /// Warehouse that they go to.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    to_warehouse_id: WarehouseId,
    /// Warehouse of kind `quarantine` that damaged goods are put into; `null` where they are written off.
    #[schema(value_type = Option<String>, example = "whs_01KG9D3G5J7M9P1R3T5V7X9Z1B")]
    quarantine_id: Option<WarehouseId>,
    /// Reference of your own.
    reference: Option<String>,
    /// Note.
    note: Option<String>,
    /// What is moved.
    items: Vec<LineBody>,
    /// When it was planned.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When it was sent.
    #[schema(value_type = Option<shapes::Timestamp>)]
    dispatched_at: Option<Timestamp>,
    /// When all of it was accounted for.
    #[schema(value_type = Option<shapes::Timestamp>)]
    received_at: Option<Timestamp>,
    /// When it was called off.
    #[schema(value_type = Option<shapes::Timestamp>)]
    cancelled_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

/// A line of a transfer. Once it was sent, `quantity` = `received` + `damaged` + `lost` + `returned` + `inTransit`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TransferItem)]
struct LineBody {
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for what is sold without naming one.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// How many are to be sent, or were.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
    /// How many have arrived in order.
    #[schema(value_type = shapes::Quantity)]
    received: Measure,
    /// How many have arrived damaged.
    #[schema(value_type = shapes::Quantity)]
    damaged: Measure,
    /// How many were lost on the way.
    #[schema(value_type = shapes::Quantity)]
    lost: Measure,
    /// How many have arrived that were not sent.
    #[schema(value_type = shapes::Quantity)]
    found: Measure,
    /// How many went back because the transfer was cancelled.
    #[schema(value_type = shapes::Quantity)]
    returned: Measure,
    /// How many are on the way.
    #[schema(value_type = shapes::Quantity)]
    in_transit: Measure,
}

/// What was received of a transfer at once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TransferArrival)]
pub(super) struct ArrivalBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "tar_01KG9D8P0R2T4W6Y8A0C2E4G6J")]
    id: ArrivalId,
    /// Whether nothing else was to come.
    #[serde(rename = "final")]
    is_final: bool,
    /// What became of each line.
    items: Vec<ArrivedBody>,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

/// What has become of a part of a line.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TransferArrivalItem)]
struct ArrivedBody {
    /// Which item of the transfer, starting at 1.
    line: usize,
    /// How many arrived in order.
    #[schema(value_type = shapes::Quantity)]
    received: Measure,
    /// How many arrived damaged.
    #[schema(value_type = shapes::Quantity)]
    damaged: Measure,
    /// How many were lost on the way.
    #[schema(value_type = shapes::Quantity)]
    lost: Measure,
    /// How many arrived that were not sent.
    #[schema(value_type = shapes::Quantity)]
    found: Measure,
    /// Why that differs from what was sent.
    reason: Option<String>,
}

impl Resource for TransferBody {
    type Thing = Transfer;

    const PATH: &'static str = "/transfers";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Transfer> for TransferBody {
    fn from(transfer: Transfer) -> Self {
        Self {
            id: transfer.id,
            status: TransferStatus::name(transfer.status),
            from_warehouse_id: transfer.from,
            to_warehouse_id: transfer.to,
            quarantine_id: transfer.quarantine,
            reference: transfer.reference,
            note: transfer.note,
            items: transfer.lines.into_iter().map(LineBody::from).collect(),
            created_at: transfer.created_at,
            updated_at: transfer.updated_at,
            dispatched_at: transfer.dispatched_at,
            received_at: transfer.received_at,
            cancelled_at: transfer.cancelled_at,
            version: transfer.version,
        }
    }
}

impl From<TransferLine> for LineBody {
    fn from(line: TransferLine) -> Self {
        Self {
            product_id: line.sku.product,
            variant_id: line.sku.variant,
            quantity: line.quantity,
            received: line.received,
            damaged: line.damaged,
            lost: line.lost,
            found: line.found,
            returned: line.returned,
            in_transit: line.in_transit,
        }
    }
}

impl From<Arrival> for ArrivalBody {
    fn from(arrival: Arrival) -> Self {
        let Arrival { id, lines, is_final, created_at } = arrival;
        Self { id, is_final, items: lines.into_iter().map(ArrivedBody::from).collect(), created_at }
    }
}

impl From<ArrivedLine> for ArrivedBody {
    fn from(part: ArrivedLine) -> Self {
        let ArrivedLine { line, received, damaged, lost, found, reason } = part;
        Self { line: line + 1, received, damaged, lost, found, reason }
    }
}
