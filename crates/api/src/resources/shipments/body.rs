//! How the API shows shipments.

use std::fmt::Display;

use kernel::{Measure, Timestamp};
use orders::{
    OrderId, Shipment, ShipmentId, WarehouseId,
    shipments::{ShipmentLine, ShipmentStatus},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// Goods of an order that left a warehouse together.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Shipment)]
pub(super) struct ShipmentBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "shp_01KG9DBS3V5X7Z9B1D3F5H7K9M")]
    id: ShipmentId,
    /// Order.
    #[schema(value_type = String, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    order_id: OrderId,
    /// Status.
    #[schema(value_type = shapes::ShipmentStatus)]
    status: &'static str,
    /// Warehouse that it left.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: WarehouseId,
    /// What it holds.
    items: Vec<LineBody>,
    /// Carrier.
    carrier: Option<String>,
    /// Carrier's tracking number.
    tracking_number: Option<String>,
    /// Where it can be followed.
    tracking_url: Option<String>,
    /// When it left.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When the customer received it.
    #[schema(value_type = Option<shapes::Timestamp>)]
    delivered_at: Option<Timestamp>,
    /// When it was cancelled.
    #[schema(value_type = Option<shapes::Timestamp>)]
    cancelled_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

/// Units of an item in a shipment.
#[derive(Serialize, ToSchema)]
#[schema(as = ShipmentItem)]
struct LineBody {
    /// Which item of the order, starting at 1.
    line: usize,
    /// How many units.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
}

impl Resource for ShipmentBody {
    type Thing = Shipment;

    const PATH: &'static str = "/shipments";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }

    fn weight(shipment: &Shipment) -> usize {
        1 + shipment.lines.len() / 4
    }
}

impl From<Shipment> for ShipmentBody {
    fn from(shipment: Shipment) -> Self {
        Self {
            id: shipment.id,
            order_id: shipment.order,
            status: ShipmentStatus::name(shipment.status),
            warehouse_id: shipment.warehouse,
            items: shipment.lines.into_iter().map(LineBody::from).collect(),
            carrier: shipment.carrier,
            tracking_number: shipment.tracking_number,
            tracking_url: shipment.tracking_url,
            created_at: shipment.created_at,
            updated_at: shipment.updated_at,
            delivered_at: shipment.delivered_at,
            cancelled_at: shipment.cancelled_at,
            version: shipment.version,
        }
    }
}

impl From<ShipmentLine> for LineBody {
    fn from(part: ShipmentLine) -> Self {
        Self { line: part.line + 1, quantity: part.quantity }
    }
}
