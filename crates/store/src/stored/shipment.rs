//! Shipments.

use kernel::{Measure, Timestamp};
use orders::{
    OrderId, Shipment, ShipmentId, WarehouseId,
    shipments::{ShipmentLine, ShipmentStatus},
};
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, forms};

forms!(
    ShipmentForm of Shipment,
    ShipmentLineForm of ShipmentLine,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "ShipmentStatus", rename_all = "snake_case")]
enum ShipmentStatusForm {
    Shipped,
    Delivered,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ShipmentLine")]
struct ShipmentLineForm {
    line: usize,
    quantity: Measure,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Shipment")]
pub(super) struct ShipmentForm {
    id: ShipmentId,
    order: OrderId,
    warehouse: WarehouseId,
    #[serde(with = "ShipmentStatusForm")]
    status: ShipmentStatus,
    #[serde(with = "Each::<ShipmentLineForm>")]
    lines: Vec<ShipmentLine>,
    carrier: Option<String>,
    tracking_number: Option<String>,
    tracking_url: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    delivered_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    version: i64,
}
