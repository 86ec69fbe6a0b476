//! How the API shows stock and its ledger.

use std::fmt::Display;

use inventory::{
    Level, Movement, MovementId, ProductId, Reason, StockLine, VariantId, WarehouseId,
};
use kernel::{Amount, Currency, Measure, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// The stock of a product or variant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Stock)]
pub(super) struct StockBody {
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for the product itself.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// SKU.
    sku: Option<String>,
    /// Name of the product followed by that of the variant.
    name: String,
    /// What orders can take, in all warehouses that goods are sold from.
    #[schema(value_type = shapes::Quantity)]
    available: Measure,
    /// What is promised to orders and not shipped yet, in the warehouses listed.
    #[schema(value_type = shapes::Quantity)]
    committed: Measure,
    /// What a person counts in the warehouses listed.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
    /// In transit between warehouses; with `warehouseId`, in transit to that one.
    #[schema(value_type = shapes::Quantity)]
    incoming: Measure,
    /// Stock level below which it counts as low.
    #[schema(value_type = shapes::Quantity)]
    low_stock_threshold: Measure,
    /// Average cost of a unit; `null` while it is not known.
    #[schema(value_type = Option<shapes::Amount>)]
    average_cost: Option<Amount>,
    /// Currency of the average cost.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Stock by warehouse.
    warehouses: Vec<PlaceBody>,
}

/// Stock of a product or variant in one warehouse.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockInWarehouse)]
struct PlaceBody {
    /// Warehouse.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: WarehouseId,
    /// What orders can take; goods in a warehouse of kind `quarantine` are not for sale.
    #[schema(value_type = shapes::Quantity)]
    available: Measure,
    /// What is promised to orders and not shipped yet.
    #[schema(value_type = shapes::Quantity)]
    committed: Measure,
    /// What a person counts: both together.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
}

/// The stock of a product or variant in one warehouse.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WarehouseStock)]
pub(in crate::resources) struct PlacedBody {
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for the product itself.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// SKU.
    sku: Option<String>,
    /// Name of the product followed by that of the variant.
    name: String,
    /// What orders can take; goods in a warehouse of kind `quarantine` are not for sale.
    #[schema(value_type = shapes::Quantity)]
    available: Measure,
    /// What is promised to orders and not shipped yet.
    #[schema(value_type = shapes::Quantity)]
    committed: Measure,
    /// What a person counts: both together.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
    /// In transit to it.
    #[schema(value_type = shapes::Quantity)]
    incoming: Measure,
    /// Average cost of a unit; `null` while it is not known.
    #[schema(value_type = Option<shapes::Amount>)]
    average_cost: Option<Amount>,
    /// Currency of the average cost.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
}

/// A row of the ledger of stock.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockMovement)]
pub(super) struct MovementBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "mov_01KG9D3G5J7M9P1R3T5V7X9Z1B")]
    id: MovementId,
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for the product itself.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// Warehouse; `null` for goods in transit between two.
    #[schema(value_type = Option<String>, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: Option<WarehouseId>,
    /// Change of what is available.
    #[schema(value_type = shapes::QuantityChange)]
    delta: Measure,
    /// Change of what is promised to orders and not shipped yet.
    #[schema(value_type = shapes::QuantityChange)]
    committed_delta: Measure,
    /// What was available there afterwards.
    #[schema(value_type = shapes::Quantity)]
    available_after: Measure,
    /// Why.
    #[schema(value_type = shapes::StockReason)]
    reason: &'static str,
    /// Identifier of the cause, e.g. of an order or an adjustment.
    reference: Option<String>,
    /// Unit cost.
    #[schema(value_type = Option<shapes::Amount>)]
    unit_cost: Option<Amount>,
    /// Note.
    note: Option<String>,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

impl Resource for StockBody {
    type Thing = StockLine;

    const PATH: &'static str = "/stock";

    fn id(&self) -> impl Display {
        self.product_id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl Resource for PlacedBody {
    type Thing = StockLine;

    const PATH: &'static str = "/warehouses/{id}/stock";

    fn id(&self) -> impl Display {
        self.product_id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl Resource for MovementBody {
    type Thing = Movement;

    const PATH: &'static str = "/stock/movements";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<StockLine> for StockBody {
    fn from(line: StockLine) -> Self {
        let sku = line.sku;
        let units = |quantity| sku.measure(quantity);
        let committed = line.places.iter().map(|(_, level)| level.committed).sum();
        let on_hand = line.places.iter().map(|(_, level)| level.on_hand()).sum();
        let incoming = line.incoming.iter().map(|(_, quantity)| quantity).sum();
        let place = |(warehouse_id, level): &(WarehouseId, Level)| PlaceBody {
            warehouse_id: *warehouse_id,
            available: units(level.available),
            committed: units(level.committed),
            on_hand: units(level.on_hand()),
        };
        let warehouses = line.places.iter().map(place).collect();
        Self {
            product_id: line.sku.product,
            variant_id: line.sku.variant,
            sku: line.code,
            name: line.name,
            available: units(line.available),
            committed: units(committed),
            on_hand: units(on_hand),
            incoming: units(incoming),
            low_stock_threshold: units(line.threshold),
            average_cost: line.average_cost,
            currency: line.currency,
            warehouses,
        }
    }
}

impl From<StockLine> for PlacedBody {
    fn from(line: StockLine) -> Self {
        let level = line.places.first().map(|(_, level)| *level).unwrap_or_default();
        let sku = line.sku;
        let units = |quantity| sku.measure(quantity);
        Self {
            product_id: line.sku.product,
            variant_id: line.sku.variant,
            sku: line.code,
            name: line.name,
            available: units(level.available),
            committed: units(level.committed),
            on_hand: units(level.on_hand()),
            incoming: units(line.incoming.iter().map(|(_, quantity)| quantity).sum()),
            average_cost: line.average_cost,
            currency: line.currency,
        }
    }
}

impl From<Movement> for MovementBody {
    fn from(movement: Movement) -> Self {
        Self {
            id: movement.id,
            product_id: movement.sku.product,
            variant_id: movement.sku.variant,
            warehouse_id: movement.warehouse,
            delta: movement.sku.measure(movement.delta),
            committed_delta: movement.sku.measure(movement.committed_delta),
            available_after: movement.sku.measure(movement.quantity_after),
            reason: Reason::name(movement.reason),
            reference: movement.reference,
            unit_cost: movement.unit_cost,
            note: movement.note,
            created_at: movement.created_at,
        }
    }
}
