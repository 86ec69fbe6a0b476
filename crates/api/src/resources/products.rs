//! `/products`: the product catalog and its stock.

mod body;
mod examples;
mod forms;
mod variants;

use accounts::Scope;
use catalog::{ProductId, Seen, UpdateProduct};

use crate::{
    answer::{DeletedBody, Resource},
    crud,
    endpoint::{Endpoint, Segment, id},
    error::Code,
    etag::ETag,
    page::PageOf,
};
use body::ProductBody;

const ALL: &str = ProductBody::PATH;
const ONE: &str = "/products/{id}";
const ID: Segment<ProductId> = id(ProductId::PREFIX, ProductId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    products().into_iter().chain(variants::endpoints()).collect()
}

/// What of a product the caller has seen.
fn seen(tag: ETag) -> Seen {
    Seen { version: tag.of_version(), stock: tag.digest() }
}

fn products() -> [Endpoint; 5] {
    [
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
            crud::update::<ProductBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.products.get(account, id),
                |services, ctx, (id, tag), changes| {
                    let seen = tag.map(seen);
                    services.products.update(ctx, UpdateProduct { id, seen, changes })
                },
            ),
        )
        .summary("Update a product")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. \
                 `inventory` sets the stock on hand to a new count: with `If-Match`, only if no \
                 stock has moved since the product was read (otherwise 412), so that sales in \
                 between do not come back; without `If-Match`, in any case. `inventoryDelta` adds \
                 to the stock or takes from it. A change that names no `inventory` is not hindered \
                 by sales. `variants` updates the entries with an `id` and adds those without one; \
                 variants not listed stay. `removeVariants` removes variants, with their stock only \
                 if `force` is `true`. Emits `product.updated` when anything changes.",
        )
        .answers::<ProductBody>(200, "The updated product.", examples::PRODUCT)
        .refuses(&[Code::Conflict, Code::DuplicateSku, Code::InsufficientStock]),
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
