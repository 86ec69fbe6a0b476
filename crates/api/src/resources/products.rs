//! `/products`: the product catalog and its stock.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use catalog::{NewProduct, ProductChanges, ProductId, ProductQuery, UpdateProduct};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    endpoint::{Endpoint, body, plain, query},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, written},
};
use body::ProductBody;

const ALL: &str = ProductBody::PATH;
const ONE: &str = "/products/{id}";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Products, query(forms::LIST, list))
            .summary("List products")
            .describes("Newest first unless `sort` says otherwise.")
            .answers::<PageOf<ProductBody>>(200, "A page of products.", examples::PAGE),
        Endpoint::post(ALL, Scope::Products, body(forms::CREATE, create))
            .summary("Create a product")
            .describes(
                "Creates a product with its variants and initial stock. Emits `product.created`.",
            )
            .answers::<ProductBody>(201, "The product.", examples::PRODUCT)
            .refuses(&[Code::DuplicateSku]),
        Endpoint::get(ONE, Scope::Products, plain(show))
            .summary("Get a product")
            .answers::<ProductBody>(200, "The product.", examples::PRODUCT),
        Endpoint::patch(ONE, Scope::Products, body(forms::UPDATE, update))
            .summary("Update a product")
            .describes(
                "Changes only the fields that are sent; `null` clears an optional field. \
                 `inventory` sets the stock on hand to a new count, regardless of sales since the \
                 previous one. `variants`, if present, replaces the whole list: entries with an \
                 `id` are updated, entries without one are added, and variants not listed are \
                 removed. Emits `product.updated` when anything changes.",
            )
            .answers::<ProductBody>(200, "The updated product.", examples::PRODUCT)
            .refuses(&[Code::DuplicateSku]),
        Endpoint::delete(ONE, Scope::Products, plain(delete))
            .summary("Delete a product")
            .describes(
                "Removes a product from the catalog and frees its SKU. Existing orders for it are \
                 unaffected. Emits `product.deleted`.",
            )
            .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}

async fn list(call: Call, query: ProductQuery) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().products.list(call.account, query)).await?;
    Answer::page::<ProductBody>(page, &asked)
}

async fn create(call: Call, command: NewProduct) -> Result<Answer, ApiError> {
    let done = written(call.services().products.create(call.ctx()?, command)).await?;
    Answer::created::<ProductBody>(done)
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(ProductId::parse)?;
    let product = found(call.services().products.get(call.account, id)).await?;
    Answer::shown::<ProductBody>(&call, product)
}

async fn update(call: Call, changes: ProductChanges) -> Result<Answer, ApiError> {
    let id = call.id(ProductId::parse)?;
    let command = UpdateProduct { id, version: call.expected_version(), changes };
    let done = written(call.services().products.update(call.ctx()?, command)).await?;
    Answer::changed::<ProductBody>(done)
}

async fn delete(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(ProductId::parse)?;
    let version = call.expected_version();
    let done = written(call.services().products.delete(call.ctx()?, id, version)).await?;
    Answer::deleted(&done)
}
