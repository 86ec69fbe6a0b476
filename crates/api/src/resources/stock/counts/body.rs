//! How the API shows stock counts.

use std::fmt::Display;

use inventory::{
    ProductId, VariantId, WarehouseId,
    count::{Count, CountId, CountLine, CountLineId, CountStatus, Uncounted},
};
use kernel::{Measure, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A count of the goods in a warehouse.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockCount)]
pub(in crate::resources) struct CountBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cnt_01KG9D9Q1S3V5X7Z9B1D3F5H7K")]
    id: CountId,
    /// Status.
    #[schema(value_type = shapes::CountStatus)]
    status: &'static str,
    /// Warehouse.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: WarehouseId,
    /// What becomes of lines that nobody has counted.
    #[schema(value_type = shapes::Uncounted)]
    uncounted: &'static str,
    /// Note.
    note: Option<String>,
    /// How many lines it has.
    lines: i64,
    /// How many of them were counted.
    counted: i64,
    /// How many of them are on record.
    posted: i64,
    /// How many of them were left out when it was posted, because their product or variant had left the catalog.
    left_out: i64,
    /// When it was opened.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When it was posted.
    #[schema(value_type = Option<shapes::Timestamp>)]
    posted_at: Option<Timestamp>,
    /// When it was called off.
    #[schema(value_type = Option<shapes::Timestamp>)]
    cancelled_at: Option<Timestamp>,
    #[serde(skip)]
    version: i64,
}

/// A line of a stock count.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockCountLine)]
pub(super) struct CountLineBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cln_01KG9DAR2T4W6Y8A0C2E4G6J8M")]
    id: CountLineId,
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for what is sold without naming one.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// What was on hand when the line was added.
    #[schema(value_type = shapes::Quantity)]
    snapshot: Measure,
    /// How many were counted; `null` while nobody has.
    #[schema(value_type = Option<shapes::Quantity>)]
    counted_quantity: Option<Measure>,
    /// What was on hand by the record at that moment.
    #[schema(value_type = Option<shapes::Quantity>)]
    on_hand_then: Option<Measure>,
    /// `countedQuantity` less `onHandThen`: what posting it changes, or has changed.
    #[schema(value_type = Option<shapes::QuantityChange>)]
    difference: Option<Measure>,
    /// Who counted.
    counted_by: Option<String>,
    /// When.
    #[schema(value_type = Option<shapes::Timestamp>)]
    counted_at: Option<Timestamp>,
    /// Whether it is on record.
    posted: bool,
}

impl Resource for CountBody {
    type Thing = Count;

    const PATH: &'static str = "/stock/counts";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl Resource for CountLineBody {
    type Thing = CountLine;

    const PATH: &'static str = "/stock/counts/{id}/lines";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<Count> for CountBody {
    fn from(count: Count) -> Self {
        Self {
            id: count.id,
            status: CountStatus::name(count.status),
            warehouse_id: count.warehouse,
            uncounted: Uncounted::name(count.uncounted),
            note: count.note,
            lines: count.lines,
            counted: count.counted,
            posted: count.posted,
            left_out: count.left_out,
            created_at: count.created_at,
            updated_at: count.updated_at,
            posted_at: count.posted_at,
            cancelled_at: count.cancelled_at,
            version: count.version,
        }
    }
}

impl From<CountLine> for CountLineBody {
    fn from(line: CountLine) -> Self {
        let CountLine { id, sku, snapshot, counted, posted } = line;
        let of = counted.as_ref();
        Self {
            id,
            product_id: sku.product,
            variant_id: sku.variant,
            snapshot,
            counted_quantity: of.map(|counted| counted.quantity),
            on_hand_then: of.map(|counted| counted.on_hand_then),
            difference: of.map(|counted| counted.quantity - counted.on_hand_then),
            counted_at: of.map(|counted| counted.at),
            counted_by: counted.and_then(|counted| counted.by),
            posted: posted.is_some(),
        }
    }
}
