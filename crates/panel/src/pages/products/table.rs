//! Products as a table.

use catalog::{Product, ProductQuery};

use super::{READ, SORTS, filter, status_name};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    page::Page,
    sort::Sorted,
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("products.csv", READ, show)]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query);
    let sort = Sorted::asked(&call.query, SORTS).sorting;
    let table = Table::new(move |services, account, page| {
        services.products.list(account, ProductQuery { filter: filter.clone(), sort, page })
    })
    .column(say.identifier(), |product: &Product| product.id.to_string())
    .column(say.product(), |product| product.name.clone())
    .column(say.sku(), |product| product.sku.clone())
    .optional(say.ean(), |product| product.ean.as_ref().map(|ean| ean.as_str().to_owned()))
    .column(say.state(), move |product| status_name(say, product.status).to_owned())
    .column(say.currency(), |product| product.currency.to_string())
    .money(say.price(), |product| product.currency, |product| product.price)
    .number(say.in_stock(), |product| product.inventory)
    .column(say.variants(), |product| product.variants.len().to_string())
    .optional(say.external_id(), |product| product.external_id.clone());
    csv::sent(&call, "products.csv", table)
}
