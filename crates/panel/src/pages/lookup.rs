//! The goods that a row of a form names: by a SKU, an article number, or words of the name.

use catalog::{Code, Product, ProductFilter, ProductQuery, VariantId, lookup::Match};
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
    let Ok(words) = Words::parse(code.as_str()) else { return Ok(Err(unknown())) };
    let filter = ProductFilter { search: Some(words), ..ProductFilter::default() };
    let page = PageRequest { limit: MEANT_MAX, ..PageRequest::default() };
    let query = ProductQuery { filter, page, ..ProductQuery::default() };
    let found = answered(call.services().products.list(call.account(), query)).await?.items;
    Ok(match found.as_slice() {
        [] => Err(unknown()),
        [only] if only.variants.is_empty() => Ok(sold_as(only, None)),
        several => {
            let skus = several.iter().flat_map(skus).take(TOLD_MAX).collect::<Vec<_>>();
            let skus = skus.join(", ");
            Err(message!(
                "may be several: type one of their SKUs, such as {skus}",
                "puede ser más de uno: escribe uno de sus SKU, como {skus}"
            ))
        }
    })
}

/// The SKUs that a product is sold by.
fn skus(product: &Product) -> Vec<String> {
    match product.variants.is_empty() {
        true => vec![product.sku.clone()],
        false => product.variants.iter().filter_map(|variant| variant.sku.clone()).collect(),
    }
}
