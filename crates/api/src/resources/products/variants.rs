//! `/products/{id}/variants`: the variants of a product, one by one.

use accounts::Scope;
use actix_web::http::{
    StatusCode,
    header::{ETAG, LOCATION},
};
use catalog::{
    NewVariant, Product, ProductChanges, ProductError, ProductId, UpdateProduct, VariantChange,
    VariantChanges, VariantId,
};
use intake::SentBack;
use kernel::{Done, FieldFault, Refused};

use super::{body::VariantBody, examples, forms, seen};
use crate::{
    BASE_PATH,
    answer::{Answer, DeletedBody},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, changes, id, json, named_id, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{found, not_found, outcome},
};

const ALL: &str = "/products/{id}/variants";
const ONE: &str = "/products/{id}/variants/{variantId}";
const PRODUCT: Segment<ProductId> = id(ProductId::PREFIX, ProductId::parse);
const VARIANT: Segment<VariantId> =
    named_id("variantId", "The identifier of the variant.", VariantId::PREFIX, VariantId::parse);

pub(super) fn endpoints() -> [Endpoint; 4] {
    [
        Endpoint::post(ALL, Scope::Products, taking((PRODUCT, json(forms::ADD_VARIANT)), add))
            .summary("Create a variant")
            .describes("Adds a variant to a product, at most 100 in all. Emits `product.updated`.")
            .answers::<VariantBody>(201, "The variant.", examples::VARIANT)
            .refuses(&[Code::DuplicateSku]),
        Endpoint::get(ONE, Scope::Products, taking((PRODUCT, VARIANT), show))
            .of_only_one()
            .summary("Get a variant")
            .describes("Its `ETag` is that of the product.")
            .answers::<VariantBody>(200, "The variant.", examples::VARIANT),
        Endpoint::patch(
            ONE,
            Scope::Products,
            taking((PRODUCT, VARIANT, changes(forms::CHANGE_VARIANT)), change),
        )
        .of_only_one()
        .repeatable()
        .summary("Update a variant")
        .describes(
            "Changes only the fields that are sent; `null` clears an optional field. Stock and \
             `If-Match` as of the product. Emits `product.updated` when anything changes.",
        )
        .answers::<VariantBody>(200, "The updated variant.", examples::VARIANT)
        .refuses(&[Code::DuplicateSku, Code::InsufficientStock]),
        Endpoint::delete(
            ONE,
            Scope::Products,
            taking((PRODUCT, VARIANT, query(forms::REMOVE_VARIANT)), remove),
        )
        .summary("Delete a variant")
        .describes(
            "Removes a variant; with `force`, also one that has stock. Existing orders for it are \
             unaffected. Emits `product.updated`.",
        )
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED_VARIANT)
        .refuses(&[Code::Conflict]),
    ]
}

async fn add(call: Call, (product, variant): (ProductId, NewVariant)) -> Result<Answer, ApiError> {
    let changes =
        ProductChanges { variants: vec![VariantChange::Add(variant)], ..ProductChanges::default() };
    let Done { value: product, replayed } = update(&call, product, changes).await?;
    let tag = tag_of(&product);
    // New variants come last.
    let added = product.variants.into_iter().next_back();
    let added = added.ok_or_else(|| ApiError::internal("a product without the variant added"))?;
    let location = format!("{BASE_PATH}/products/{}/variants/{}", product.id, added.id);
    let answer = Answer::json(StatusCode::CREATED, &VariantBody::from(added))?;
    answer.with(ETAG, tag)?.with(LOCATION, location)?.replayed(replayed)
}

async fn show(call: Call, (product, id): (ProductId, VariantId)) -> Result<Answer, ApiError> {
    let product = found(call.services().products.get(call.account, product)).await?;
    let tag = tag_of(&product);
    Answer::tagged(call.headers(), &variant_of(product, id)?, tag)
}

async fn change(
    call: Call,
    (product, id, (changes, sent_back)): (ProductId, VariantId, (VariantChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !call.is_repeat().await? {
        let before = found(call.services().products.get(call.account, product)).await?;
        let tag = tag_of(&before);
        crud::unchanged_at(&call, sent_back, &variant_of(before, id)?, tag)?;
    }
    let variants = vec![VariantChange::Change { id, changes }];
    let changes = ProductChanges { variants, ..ProductChanges::default() };
    let Done { value: after, replayed } = update(&call, product, changes).await?;
    let tag = tag_of(&after);
    let answer = Answer::json(StatusCode::OK, &variant_of(after, id)?)?;
    answer.with(ETAG, tag)?.replayed(replayed)
}

async fn remove(
    call: Call,
    (product, id, force): (ProductId, VariantId, bool),
) -> Result<Answer, ApiError> {
    let before = found(call.services().products.get(call.account, product)).await?;
    variant_of(before, id)?;
    let changes = ProductChanges { remove_variants: vec![id], force, ..ProductChanges::default() };
    update(&call, product, changes).await?;
    Answer::deleted(&Done::now(id))
}

async fn update(
    call: &Call,
    id: ProductId,
    changes: ProductChanges,
) -> Result<Done<Product>, ApiError> {
    let command = UpdateProduct { id, seen: call.expected().map(seen), changes };
    let updated = outcome(call.services().products.update(call.ctx()?, command)).await?;
    Ok(updated.map_err(of_it_alone)?)
}

/// What is wrong with a variant, without its place in a list that the caller has not sent.
fn of_it_alone(refused: Refused<ProductError>) -> Refused<ProductError> {
    let own = |field: String| match field.split_once("].") {
        Some((list, own)) if list.starts_with("variants[") => own.to_owned(),
        _ => field,
    };
    match refused {
        Refused::Invalid(faults) => {
            let faults = faults.into_iter();
            let faults = faults.map(|fault| FieldFault { field: own(fault.field), ..fault });
            Refused::Invalid(faults.collect())
        }
        Refused::Rule(ProductError::InsufficientStock { field, available }) => {
            Refused::Rule(ProductError::InsufficientStock { field: own(field), available })
        }
        other => other,
    }
}

fn variant_of(product: Product, id: VariantId) -> Result<VariantBody, ApiError> {
    let variant = product.variants.into_iter().find(|variant| variant.id == id);
    variant.map(VariantBody::from).ok_or_else(not_found)
}

/// The tag of a product and of its variants.
fn tag_of(product: &Product) -> ETag {
    ETag::version_and_digest(product.version, product.stock_digest())
}
