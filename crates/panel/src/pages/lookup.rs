//! The goods that a row of a form names: by a SKU, an article number, or words of the name.

use catalog::{Code, Product, ProductFilter, ProductId, ProductQuery, VariantId, lookup::Match};
use kernel::{Message, PageRequest, message, search::Words};
use orders::{
    ItemSku,
    order::{ItemProductId, ItemVariantId},
};

use crate::{
    call::{Call, Member},
    failure::Failure,
    reply::answered,
};

/// Products that words may mean, of which some are named.
const MEANT_MAX: u32 = 5;
/// SKUs of them that are told.
const TOLD_MAX: usize = 5;

/// What has a code, if something has; or that several have it.
pub(super) async fn looked_up(
    call: &Call<Member>,
    code: Code,
) -> Result<Result<Option<Match>, Message>, Failure> {
    let matches = answered(call.services().products.look_up(call.account(), code)).await?;
    let mut matches = matches.into_iter();
    Ok(match (matches.next(), matches.next()) {
        (Some(_), Some(_)) => Err(message!(
            "is that of several products: type a SKU",
            "es de varios productos: escribe un SKU"
        )),
        (found, _) => Ok(found),
    })
}

/// That nothing has a code.
pub(super) fn unknown() -> Message {
    message!("is none of this account's products", "no es de ningún producto de la cuenta")
}

/// A product, or a variant of it, as an item names it.
fn sold_as(product: &Product, variant: Option<VariantId>) -> ItemSku {
    ItemSku {
        product: ItemProductId::from_u128(product.id.to_u128()),
        variant: variant.map(|id| ItemVariantId::from_u128(id.to_u128())),
    }
}

/// What a SKU, an article number, or words of the name mean.
pub(super) async fn sold(
    call: &Call<Member>,
    code: &Code,
) -> Result<Result<ItemSku, Message>, Failure> {
    match looked_up(call, code.clone()).await? {
        Ok(None) => {}
        Ok(Some(found)) => return Ok(Ok(sold_as(&found.product, found.variant))),
        Err(problem) => return Ok(Err(problem)),
    }
    Ok(match named(call, code).await?.as_slice() {
        [] => Err(unknown()),
        [only] if only.variants.is_empty() => Ok(sold_as(only, None)),
        several => Err(may_be(several)),
    })
}

/// The product that a SKU, an article number, or words of the name mean; the variant that a code is of.
pub(super) async fn meant(
    call: &Call<Member>,
    code: &Code,
) -> Result<Result<(ProductId, Option<VariantId>), Message>, Failure> {
    match looked_up(call, code.clone()).await? {
        Ok(None) => {}
        Ok(Some(found)) => return Ok(Ok((found.product.id, found.variant))),
        Err(problem) => return Ok(Err(problem)),
    }
    Ok(match named(call, code).await?.as_slice() {
        [] => Err(unknown()),
        [only] => Ok((only.id, None)),
        several => Err(may_be(several)),
    })
}

/// Products with words in their name, as many as are told.
async fn named(call: &Call<Member>, words: &Code) -> Result<Vec<Product>, Failure> {
    let Ok(words) = Words::parse(words.as_str()) else { return Ok(Vec::new()) };
    let filter = ProductFilter { search: Some(words), ..ProductFilter::default() };
    let page = PageRequest { limit: MEANT_MAX, ..PageRequest::default() };
    let query = ProductQuery { filter, page, ..ProductQuery::default() };
    Ok(answered(call.services().products.list(call.account(), query)).await?.items)
}

/// That words mean several things, with some of their SKUs.
fn may_be(several: &[Product]) -> Message {
    let skus = several.iter().flat_map(skus).take(TOLD_MAX).collect::<Vec<_>>().join(", ");
    message!(
        "may be several: type one of their SKUs, such as {skus}",
        "puede ser más de uno: escribe uno de sus SKU, como {skus}"
    )
}

/// The SKUs that a product is sold by.
fn skus(product: &Product) -> Vec<String> {
    match product.variants.is_empty() {
        true => vec![product.sku.clone()],
        false => product.variants.iter().filter_map(|variant| variant.sku.clone()).collect(),
    }
}
