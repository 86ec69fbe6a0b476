//! `/products`: the catalog and its stock.

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
        Endpoint::get(ALL, Scope::Products, crud::list::<ProductBody, _, _>(forms::LIST, |services, account, query| {
                services.products.list(account, query)
            }))
            .summary("List products")
            .describes("Newest first unless sorted otherwise.")
            .answers::<PageOf<ProductBody>>(200, "A page of products.", examples::PAGE),
        Endpoint::post(ALL, Scope::Products, crud::create::<ProductBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.products.create(ctx, command)
            }))
            .summary("Create a product")
            .describes("Adds a product with its variants and first stock. Emits `product.created`.")
            .answers::<ProductBody>(201, "The product.", examples::PRODUCT)
            .refuses(&[Code::DuplicateSku]),
        Endpoint::get(ONE, Scope::Products, crud::show::<ProductBody, _, _>(ID, |services, account, id| {
                services.products.get(account, id)
            }))
            .summary("Get a product")
            .answers::<ProductBody>(200, "The product.", examples::PRODUCT),
        Endpoint::patch(ONE, Scope::Products, crud::update::<ProductBody, _, _, _, _>(ID, forms::UPDATE, |services, ctx, (id, version), changes| {
                services.products.update(ctx, UpdateProduct { id, version, changes })
            }))
            .summary("Update a product")
            .describes(
                "Changes the fields that are sent; `null` clears one that may be empty. \
                 `inventory` states a new count of the stock, whatever was sold since the last. `variants`, when sent, is the whole \
                 list: those with an `id` are changed, those without are added, the others are \
                 removed. Emits `product.updated` when anything changes.",
            )
            .answers::<ProductBody>(200, "The product afterwards.", examples::PRODUCT)
            .refuses(&[Code::DuplicateSku]),
        Endpoint::delete(ONE, Scope::Products, crud::delete(ID, |services, ctx, id, version| {
                services.products.delete(ctx, id, version)
            }))
            .summary("Delete a product")
            .describes(
                "Takes a product out of the catalog; its SKU becomes free. Orders that name it stay \
                 as they are. Emits `product.deleted`.",
            )
            .answers::<DeletedBody>(200, "What was deleted.", examples::DELETED),
    ]
}
