//! `/stock/costs` and `/stock/valuation`: what goods have cost, and what stock is worth.

use std::fmt::Display;

use accounts::Scope;
use actix_web::http::StatusCode;
use inventory::{
    CostChange, CostChangeId, CostReason, ProductId, Revalue, Valuation, ValuationQuery,
    ValuedPlace, VariantId, WarehouseId,
};
use kernel::{Amount, Currency, Measure, Sum, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::{examples::receipts as examples, forms::receipts as forms};
use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, json, query, taking},
    error::ApiError,
    etag::ETag,
    reply::{answered, written},
    resources::shapes,
};

const VALUATION: &str = "/stock/valuation";

/// A change of what a unit of something has cost on average.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CostChange)]
pub(super) struct CostBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cst_01KG9D6M8P0R2T4V6X8Z0B2D4F")]
    id: CostChangeId,
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` for the product itself.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// Why.
    #[schema(value_type = shapes::CostReason)]
    reason: &'static str,
    /// Identifier of the receipt, or your own reference.
    reference: Option<String>,
    /// Units on hand just before, in all places.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
    /// Average cost before; `null` if it was not known.
    #[schema(value_type = Option<shapes::Amount>)]
    cost_before: Option<Amount>,
    /// Average cost since; `null` if it is not known any more.
    #[schema(value_type = Option<shapes::Amount>)]
    average_cost: Option<Amount>,
    /// Currency of both.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Note.
    note: Option<String>,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

/// The costs that were set.
#[derive(Serialize, ToSchema)]
struct Costs {
    /// In the order in which they were sent.
    data: Vec<CostBody>,
}

/// What stock is or was worth.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockValuation)]
struct ValuationBody {
    /// The moment that it is of.
    #[schema(value_type = shapes::Timestamp)]
    at: Timestamp,
    /// All places together, by currency.
    totals: Vec<TotalBody>,
    /// Each place that has something, by currency.
    warehouses: Vec<PlaceBody>,
}

/// What stock is worth in one currency.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockValue)]
struct TotalBody {
    /// Currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Units whose average cost is known, promised ones too.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
    /// Value of these: each at the average cost of its product or variant.
    #[schema(value_type = shapes::Amount)]
    value: Sum,
    /// Units of products that are sold in this currency whose cost is not known; worth nothing here.
    #[schema(value_type = shapes::Quantity)]
    unvalued: Measure,
}

/// What lies in one place in one currency.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockValueInWarehouse)]
struct PlaceBody {
    /// Warehouse; `null` for goods in transit between two.
    #[schema(value_type = Option<String>, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: Option<WarehouseId>,
    /// Currency.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Units whose average cost is known, promised ones too.
    #[schema(value_type = shapes::Quantity)]
    on_hand: Measure,
    /// Value of these.
    #[schema(value_type = shapes::Amount)]
    value: Sum,
    /// Units whose cost is not known.
    #[schema(value_type = shapes::Quantity)]
    unvalued: Measure,
}

impl Resource for CostBody {
    type Thing = CostChange;

    const PATH: &'static str = "/stock/costs";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<CostChange> for CostBody {
    fn from(change: CostChange) -> Self {
        Self {
            id: change.id,
            product_id: change.sku.product,
            variant_id: change.sku.variant,
            reason: CostReason::name(change.reason),
            reference: change.reference,
            on_hand: change.on_hand,
            cost_before: change.before,
            average_cost: change.after,
            currency: change.currency,
            note: change.note,
            created_at: change.created_at,
        }
    }
}

impl From<Vec<CostChange>> for Costs {
    fn from(changes: Vec<CostChange>) -> Self {
        Self { data: changes.into_iter().map(CostBody::from).collect() }
    }
}

impl From<ValuedPlace> for TotalBody {
    fn from(place: ValuedPlace) -> Self {
        let ValuedPlace { currency, on_hand, value, unvalued, .. } = place;
        Self { currency, on_hand, value, unvalued }
    }
}

impl From<Valuation> for ValuationBody {
    fn from(valuation: Valuation) -> Self {
        let totals = valuation.totals().into_iter().map(TotalBody::from).collect();
        let place = |place: ValuedPlace| PlaceBody {
            warehouse_id: place.warehouse,
            currency: place.currency,
            on_hand: place.on_hand,
            value: place.value,
            unvalued: place.unvalued,
        };
        Self {
            at: valuation.at,
            totals,
            warehouses: valuation.places.into_iter().map(place).collect(),
        }
    }
}

pub(super) fn endpoints() -> [Endpoint; 3] {
    [
        Endpoint::post(CostBody::PATH, Scope::Warehouses, taking(json(forms::REVALUE), revalue))
            .summary("Set average costs")
            .describes(
                "Sets average costs by hand: all lines, or none. For goods that you had before their costs were recorded, and to revalue \
                 stock at the end of a year; later receipts are averaged with it. `null` clears a cost, which must be done before \
                 the currency of its product can change.",
            )
            .answers::<Costs>(200, "The changes.", examples::COSTS),
        Endpoint::get(
            CostBody::PATH,
            Scope::Warehouses,
            crud::list::<CostBody, _, _>(forms::CHANGES, |services, account, query| {
                services.inventory.cost_changes(account, query)
            }),
        )
        .summary("List changes of average costs")
        .describes("Changes by receipts and by hand, newest first.")
        .pages::<CostBody>("A page of changes.", examples::CHANGES),
        Endpoint::get(VALUATION, Scope::Warehouses, taking(query(forms::VALUATION), valuation))
            .summary("Get the value of stock")
            .describes(
                "What is on hand at its average cost, by currency and warehouse, now or at a moment in the past. Goods in \
                 transit between two warehouses belong to neither.",
            )
            .answers::<ValuationBody>(200, "The value.", examples::VALUATION),
    ]
}

async fn revalue(call: Call, new: Revalue) -> Result<Answer, ApiError> {
    let done = written(call.services().inventory.revalue(call.ctx()?, new)).await?;
    Answer::acted::<Costs, _>(done)
}

async fn valuation(call: Call, wanted: ValuationQuery) -> Result<Answer, ApiError> {
    let valuing = call.services().inventory.valuation(call.account, wanted, call.now);
    Answer::json(StatusCode::OK, &ValuationBody::from(answered(valuing).await?))
}
