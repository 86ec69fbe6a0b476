//! `/products`: the product catalog and its stock.

mod body;
mod examples;
mod forms;
mod lookup;
mod variants;

use accounts::Scope;
use catalog::{
    ProductChanges, ProductFilter, ProductId, ProductQuery, PutProduct, Seen, UpdateProduct,
};
use intake::SentBack;
use kernel::{
    Done, FieldFault, Refused, message,
    text::{self, EXTERNAL_ID_CHARS_MAX},
};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, changes, id, segment, taking},
    error::{ApiError, Code},
    etag::{self, ETag},
    reply::{answered, outcome},
};
pub(super) use body::ProductBody;
pub(super) use forms::{ean, sku};

const ALL: &str = ProductBody::PATH;
const ONE: &str = "/products/{id}";
const BY_EXTERNAL_ID: &str = "/products/by-external-id/{externalId}";
const EXTERNAL_ID: Segment<String> =
    segment("externalId", "Your own identifier of the product.", |text| Some(text.to_owned()));
const ID: Segment<ProductId> = id(ProductId::PREFIX, ProductId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    products().into_iter().chain([lookup::endpoint()]).chain(variants::endpoints()).collect()
}

/// What of a product the caller has seen.
fn seen(tag: ETag) -> Seen {
    Seen { version: tag.of_version(), stock: tag.digest() }
}

async fn put(
    call: Call,
    (external_id, (changes, sent_back)): (String, (ProductChanges, SentBack)),
) -> Result<Answer, ApiError> {
    // Two names that are no UTF-8 look the same once decoded, and would lead to one product.
    if external_id.contains(char::REPLACEMENT_CHARACTER) {
        return Err(ApiError::of_faults(&[FieldFault::new(
            "externalId",
            message!("must be percent-encoded UTF-8", "debe ser UTF-8 con codificación por ciento"),
        )]));
    }
    let external_id = text::line(&external_id, EXTERNAL_ID_CHARS_MAX)
        .map_err(|problem| ApiError::of_faults(&[FieldFault::new("externalId", problem)]))?;
    if changes.external_id.as_ref().is_some_and(|given| given.as_ref() != Some(&external_id)) {
        return Err(ApiError::of_faults(&[FieldFault::new(
            "externalId",
            message!("must be the one in the path", "debe ser el de la ruta"),
        )]));
    }
    if !sent_back.is_empty() && !call.is_repeat().await? {
        let filter = ProductFilter { external_id: Some(external_id.clone()), ..Default::default() };
        let query = ProductQuery { filter, ..Default::default() };
        let found = answered(call.services().products.list(call.account, query)).await?;
        match found.items.into_iter().next() {
            Some(product) => crud::unchanged(&call, sent_back, &ProductBody::from(product))?,
            None => sent_back.refuse().map_err(|faults| ApiError::of_faults(&faults))?,
        }
    }
    let seen = call.expected().map(seen);
    let exists = match etag::expects_nothing(call.headers()) {
        true => Some(false),
        false => etag::expects_anything(call.headers()).then_some(true),
    };
    let command = PutProduct { external_id, changes, seen, exists };
    let saving = call.services().products.put(call.ctx()?, command);
    let Done { value: saved, replayed } = match (outcome(saving).await?, exists) {
        (Err(Refused::Stale), Some(exists)) => return Err(unexpected(exists)),
        (saved, _) => saved?,
    };
    let done = Done { value: saved.product, replayed };
    if saved.is_new {
        Answer::created::<ProductBody>(done)
    } else {
        Answer::changed::<ProductBody>(done)
    }
}

/// There is no product where the caller expects one, or there is one where the caller expects none.
fn unexpected(expected: bool) -> ApiError {
    let message = match expected {
        true => message!(
            "there is no product with this externalId; to create it, leave If-Match out",
            "no hay un producto con este externalId; para crearlo, omita If-Match"
        ),
        false => message!(
            "there is a product with this externalId; to change it, leave If-None-Match out",
            "ya hay un producto con este externalId; para cambiarlo, omita If-None-Match"
        ),
    };
    ApiError::new(Code::PreconditionFailed, message)
}

fn products() -> [Endpoint; 6] {
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
        .pages::<ProductBody>("A page of products.", examples::PAGE),
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
        .refuses(&[Code::Conflict, Code::DuplicateSku, Code::DuplicateExternalId]),
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
        .repeatable()
        .summary("Update a product")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. \
                 `inventory` sets the stock on hand to a new count: with `If-Match`, only if no \
                 stock has moved since the product was read (otherwise 412), so that sales in \
                 between do not come back; without `If-Match`, in any case. `inventoryDelta` adds \
                 to the stock or takes from it. A change that names no `inventory` is not hindered \
                 by sales. `variants` updates the entries with an `id` and adds those without one; \
                 variants not listed stay. `removeVariants` removes variants, with their stock, \
                 wherever it is, only if `force` is `true`. `currency` does not change while there is \
                 an average cost in it: clear that by `POST /stock/costs` first. `quantityDecimals` does not change once \
                 stock has moved, or while a price list, an open transfer or an open count has some of it. Emits `product.updated` when anything changes.",
        )
        .answers::<ProductBody>(200, "The updated product.", examples::PRODUCT)
        .refuses(&[
            Code::Conflict,
            Code::DecimalsFixed,
            Code::DuplicateSku,
            Code::DuplicateExternalId,
            Code::InsufficientStock,
        ]),
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
        Endpoint::put(BY_EXTERNAL_ID, Scope::Products, taking((EXTERNAL_ID, changes(forms::PUT)), put))
            .repeatable()
            .summary("Save a product by external id")
            .describes(
                "Updates the product with this `externalId`, or creates it if there is none, for \
                 which `name` and `price` are required. Otherwise like the update of a product. \
                 With `If-Match: *` it only updates, with `If-None-Match: *` it only creates \
                 (otherwise 412). Emits `product.created` or `product.updated`.",
            )
            .answers::<ProductBody>(200, "The updated product.", examples::PRODUCT)
            .or_creates::<ProductBody>("The new product.", examples::PRODUCT)
            .refuses(&[
                Code::Conflict,
                Code::DecimalsFixed,
                Code::DuplicateSku,
                Code::InsufficientStock,
            ]),
    ]
}
