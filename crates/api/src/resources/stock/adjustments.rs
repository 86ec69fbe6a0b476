//! `/stock/adjustments`: stock that people correct by hand.

use std::fmt::Display;

use accounts::Scope;
use inventory::{
    Adjustment, AdjustmentId, AdjustmentLine, Cause, NewAdjustment, ProductId, VariantId,
    WarehouseId,
};
use kernel::{Measure, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::{examples, forms};
use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{answered, written},
    resources::{
        approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
        shapes,
    },
    view::{View, viewed},
};

const ALL: &str = AdjustmentBody::PATH;
const ONE: &str = "/stock/adjustments/{id}";
const ID: Segment<AdjustmentId> = id(AdjustmentId::PREFIX, AdjustmentId::parse);

/// Stock that was corrected by hand.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockAdjustment)]
pub(in crate::resources) struct AdjustmentBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "adj_01KG9D4H6K8N0Q2S4V6W8Y0A2C")]
    id: AdjustmentId,
    /// Why.
    #[schema(value_type = shapes::AdjustmentReason)]
    reason: &'static str,
    /// Note.
    note: Option<String>,
    /// Reference of your own.
    reference: Option<String>,
    /// What was corrected.
    items: Vec<LineBody>,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

/// A line of an adjustment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockAdjustmentItem)]
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
    /// Change of what is available; 0 if the count matched the record.
    #[schema(value_type = shapes::QuantityChange)]
    delta: Measure,
    /// What was available there afterwards.
    #[schema(value_type = shapes::Quantity)]
    available: Measure,
    /// What was on hand there afterwards.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
}

impl Resource for AdjustmentBody {
    type Thing = Adjustment;

    const PATH: &'static str = "/stock/adjustments";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<Adjustment> for AdjustmentBody {
    fn from(adjustment: Adjustment) -> Self {
        let Adjustment { id, cause, note, reference, lines, created_at } = adjustment;
        let items = lines.into_iter().map(LineBody::from).collect();
        Self { id, reason: Cause::name(cause), note, reference, items, created_at }
    }
}

impl From<AdjustmentLine> for LineBody {
    fn from(line: AdjustmentLine) -> Self {
        Self {
            product_id: line.sku.product,
            variant_id: line.sku.variant,
            warehouse_id: line.warehouse,
            delta: line.delta,
            available: line.available,
            on_hand: line.on_hand,
        }
    }
}

pub(super) fn endpoints() -> [Endpoint; 3] {
    [
        Endpoint::post(
            ALL,
            Scope::Warehouses,
            taking(json(forms::ADJUST), adjust),
        )
        .summary("Adjust stock")
        .describes(
            "Corrects stock by hand: all lines, or none. A line states either the change of what is available (`delta`) or what was \
             counted on the shelf (`countedQuantity`), goods promised to orders included. What is promised is never \
             taken. Emits `inventory.low` for what falls below its threshold.",
        )
        .answers::<AdjustmentBody>(201, "The adjustment.", examples::ADJUSTMENT)
        .or_accepts::<TicketBody>(
            "Rules want the adjustment to be approved: it is made once it is, with the identifier that the approval names as \
             `entityId`.",
            TICKET_EXAMPLE,
        )
        .refuses(&[Code::InsufficientStock]),
        Endpoint::get(
            ALL,
            Scope::Warehouses,
            taking(viewed::<AdjustmentBody, _>(forms::ADJUSTMENTS), list),
        )
        .summary("List stock adjustments")
        .describes("Newest first.")
        .pages::<AdjustmentBody>("A page of adjustments.", examples::ADJUSTMENTS),
        Endpoint::get(
            ONE,
            Scope::Warehouses,
            crud::show::<AdjustmentBody, _, _>(ID, |services, account, id| {
                services.inventory.adjustment(account, id)
            }),
        )
        .summary("Get a stock adjustment")
        .answers::<AdjustmentBody>(200, "The adjustment.", examples::ADJUSTMENT),
    ]
}

async fn adjust(call: Call, new: NewAdjustment) -> Result<Answer, ApiError> {
    let adjusted = match passage(&call, &*call.services().adjusting_gate, &new).await?? {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => written(call.services().inventory.adjust(call.ctx()?, new)).await?,
    };
    Answer::created::<AdjustmentBody>(adjusted)
}

async fn list(call: Call, (asked, view): (kernel::PageRequest, View)) -> Result<Answer, ApiError> {
    let page = call.services().inventory.adjustments(call.account, asked.clone());
    view.page::<AdjustmentBody>(answered(page).await?, &asked)
}
