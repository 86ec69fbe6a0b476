//! How the API shows price lists and their prices.

use std::fmt::Display;

use catalog::{CustomerGroupId, ListItem, PriceList, PriceListId, ProductId, VariantId};
use kernel::{Amount, Currency, Measure, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A price list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PriceList)]
pub(super) struct PriceListBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "pls_01KGC7A3C5E7G9J1M3P5R7T9V1")]
    id: PriceListId,
    /// Name, unlike those of the other price lists.
    name: String,
    /// ISO 4217 currency code of its prices.
    #[schema(value_type = String, example = "MXN")]
    currency: Currency,
    /// Group of customers that it is for; `null` if it is for all.
    #[schema(value_type = Option<String>, example = "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0")]
    customer_group_id: Option<CustomerGroupId>,
    /// Of several lists the one with the least number comes first.
    priority: i64,
    /// When it begins to hold; `null` if it always has.
    #[schema(value_type = Option<shapes::Timestamp>)]
    valid_from: Option<Timestamp>,
    /// When it ceases to hold; `null` if it does not.
    #[schema(value_type = Option<shapes::Timestamp>)]
    valid_until: Option<Timestamp>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed; prices do not count.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

impl Resource for PriceListBody {
    type Thing = PriceList;

    const PATH: &'static str = "/price-lists";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<PriceList> for PriceListBody {
    fn from(list: PriceList) -> Self {
        Self {
            id: list.id,
            name: list.name,
            currency: list.currency,
            customer_group_id: list.group,
            priority: list.priority,
            valid_from: list.valid_from,
            valid_until: list.valid_until,
            created_at: list.created_at,
            updated_at: list.updated_at,
            version: list.version,
        }
    }
}

/// A price of a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PriceListItem)]
pub(super) struct ListItemBody {
    /// Product.
    #[schema(value_type = String, example = "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V")]
    product_id: ProductId,
    /// Variant; `null` where the price is of the product and of its variants that have none of their own.
    #[schema(value_type = Option<String>, example = "var_01KG8VZW3K4M9N2P7Q5R6S8T0W")]
    variant_id: Option<VariantId>,
    /// From how many units in one order on.
    #[schema(value_type = shapes::Quantity, example = 1)]
    min_quantity: Measure,
    /// Unit price.
    #[schema(value_type = shapes::Amount)]
    price: Amount,
}

impl Resource for ListItemBody {
    type Thing = ListItem;

    const PATH: &'static str = "/price-lists/{id}/items";

    fn id(&self) -> impl Display {
        self.product_id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<ListItem> for ListItemBody {
    fn from(item: ListItem) -> Self {
        let ListItem { product, variant, min_quantity, price } = item;
        Self { product_id: product, variant_id: variant, min_quantity, price }
    }
}
