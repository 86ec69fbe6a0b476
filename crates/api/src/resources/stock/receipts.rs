//! `/stock/receipts`: goods that come from suppliers.

use std::fmt::Display;

use accounts::Scope;
use inventory::{
    ProductId, Receipt, ReceiptId, ReceiptLine, ReceiptStatus, VariantId, WarehouseId,
};
use kernel::{Amount, Currency, Measure, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::{examples::receipts as examples, forms::receipts as forms};
use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{answered, written},
    resources::shapes,
    view::{View, viewed},
};

const ALL: &str = ReceiptBody::PATH;
const ONE: &str = "/stock/receipts/{id}";
const CANCEL: &str = "/stock/receipts/{id}/cancel";
const ID: Segment<ReceiptId> = id(ReceiptId::PREFIX, ReceiptId::parse);

/// Goods that came from a supplier.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockReceipt)]
pub(super) struct ReceiptBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "rcp_01KG9D5J7M9P1R3T5V7X9Z1B3D")]
    id: ReceiptId,
    /// Status.
    #[schema(value_type = shapes::ReceiptStatus)]
    status: &'static str,
    /// Supplier.
    supplier: Option<String>,
    /// Reference of your own, e.g. the number of the supplier's invoice.
    reference: Option<String>,
    /// Note.
    note: Option<String>,
    /// When the goods arrived, if stated.
    #[schema(value_type = Option<shapes::Timestamp>)]
    received_at: Option<Timestamp>,
    /// What was received.
    items: Vec<LineBody>,
    /// When it was recorded.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it was cancelled.
    #[schema(value_type = Option<shapes::Timestamp>)]
    cancelled_at: Option<Timestamp>,
}

/// A line of a receipt.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockReceiptItem)]
struct LineBody {
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for the product itself.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// Warehouse.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: WarehouseId,
    /// Units received.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
    /// Unit cost: the average cost if the line stated none; `null` if that was not known either.
    #[schema(value_type = Option<shapes::Amount>)]
    unit_cost: Option<Amount>,
    /// Currency of the costs: that of the product.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Average cost afterwards, the same in all warehouses.
    #[schema(value_type = Option<shapes::Amount>)]
    average_cost: Option<Amount>,
    /// What was available there afterwards.
    #[schema(value_type = shapes::Quantity)]
    available: Measure,
    /// What was on hand there afterwards.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
}

impl Resource for ReceiptBody {
    type Thing = Receipt;

    const PATH: &'static str = "/stock/receipts";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1 + i64::from(self.cancelled_at.is_some()))
    }
}

impl From<Receipt> for ReceiptBody {
    fn from(receipt: Receipt) -> Self {
        Self {
            id: receipt.id,
            status: ReceiptStatus::name(receipt.status),
            supplier: receipt.supplier,
            reference: receipt.reference,
            note: receipt.note,
            received_at: receipt.received_at,
            items: receipt.lines.into_iter().map(LineBody::from).collect(),
            created_at: receipt.created_at,
            cancelled_at: receipt.cancelled_at,
        }
    }
}

impl From<ReceiptLine> for LineBody {
    fn from(line: ReceiptLine) -> Self {
        Self {
            product_id: line.sku.product,
            variant_id: line.sku.variant,
            warehouse_id: line.warehouse,
            quantity: line.quantity,
            unit_cost: line.unit_cost,
            currency: line.currency,
            average_cost: line.average_cost,
            available: line.available,
            on_hand: line.on_hand,
        }
    }
}

pub(super) fn endpoints() -> [Endpoint; 4] {
    [
        Endpoint::post(
            ALL,
            Scope::Warehouses,
            crud::create::<ReceiptBody, _, _, _>(forms::RECEIVE, |services, ctx, new| {
                services.inventory.receive(ctx, new)
            }),
        )
        .summary("Receive goods")
        .describes(
            "Puts goods from a supplier into stock: all lines, or none. If Q units are on hand at the average cost a, those promised to \
             orders or in transit included, and q more arrive at the unit cost c, the average cost becomes \
             (Q·a + q·c) / (Q + q). If there were none, or their cost was not known, it becomes c. Nothing is revalued \
             backwards.",
        )
        .answers::<ReceiptBody>(201, "The receipt.", examples::RECEIPT),
        Endpoint::get(ALL, Scope::Warehouses, taking(viewed::<ReceiptBody, _>(forms::LIST), list))
            .summary("List receipts of goods")
            .describes("Newest first.")
            .pages::<ReceiptBody>("A page of receipts.", examples::RECEIPTS),
        Endpoint::get(
            ONE,
            Scope::Warehouses,
            crud::show::<ReceiptBody, _, _>(ID, |services, account, id| {
                services.inventory.receipt(account, id)
            }),
        )
        .summary("Get a receipt of goods")
        .answers::<ReceiptBody>(200, "The receipt.", examples::RECEIPT),
        Endpoint::post(CANCEL, Scope::Warehouses, taking(ID, cancel))
            .summary("Cancel a receipt of goods")
            .describes(
                "Takes its goods out of stock again, and their cost out of the average: (Q·a − q·c) / (Q − q), unless none are left or \
                 the currency of the product has changed. Refused if the goods are no longer available.",
            )
            .answers::<ReceiptBody>(200, "The cancelled receipt.", examples::CANCELLED)
            .refuses(&[Code::InsufficientStock, Code::InvalidTransition]),
    ]
}

async fn list(call: Call, (asked, view): (kernel::PageRequest, View)) -> Result<Answer, ApiError> {
    let page = call.services().inventory.receipts(call.account, asked.clone());
    view.page::<ReceiptBody>(answered(page).await?, &asked)
}

async fn cancel(call: Call, id: ReceiptId) -> Result<Answer, ApiError> {
    let done = written(call.services().inventory.cancel_receipt(call.ctx()?, id)).await?;
    Answer::acted::<ReceiptBody, _>(done)
}
