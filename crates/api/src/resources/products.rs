//! `/products`: the product catalog and its stock.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use catalog::{ProductId, UpdateProduct};

use crate::{
    answer::{DeletedBody, Resource},
    crud,
    endpoint::{Endpoint, Segment, id},
    error::Code,
    page::PageOf,
};
use body::ProductBody;

const ALL: &str = ProductBody::PATH;
const ONE: &str = "/products/{id}";
const ID: Segment<ProductId> = id(ProductId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Products,
            crud::list::<ProductBody, _, _>(forms::LIST, |services, account, query| {
                services.products.list(account, query)
            }),
        )
        .summary("List products")
        .describes("Newest first unless `sort` says otherwise.")
        .answers::<PageOf<ProductBody>>(200, "A page of products.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Products,
            crud::create::<ProductBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.products.create(ctx, command)
            }),
        )
        .summary("Create a product")
        .describes(
            "Creates a product with its variants and initial stock. Emits `product.created`.",
        )
        .answers::<ProductBody>(201, "The product.", examples::PRODUCT)
        .refuses(&[Code::DuplicateSku]),
        Endpoint::get(
            ONE,
            Scope::Products,
            crud::show::<ProductBody, _, _>(ID, |services, account, id| {
                services.products.get(account, id)
            }),
        )
        .summary("Get a product")
        .answers::<ProductBody>(200, "The product.", examples::PRODUCT),
        Endpoint::patch(
            ONE,
            Scope::Products,
            crud::update::<ProductBody, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, ctx, (id, version), changes| {
                    services.products.update(ctx, UpdateProduct { id, version, changes })
                },
            ),
        )
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
        Endpoint::delete(
            ONE,
            Scope::Products,
            crud::delete(ID, |services, ctx, id, version| {
                services.products.delete(ctx, id, version)
            }),
        )
        .summary("Delete a product")
        .describes(
            "Removes a product from the catalog and frees its SKU. Existing orders for it are \
                 unaffected. Emits `product.deleted`.",
        )
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}
