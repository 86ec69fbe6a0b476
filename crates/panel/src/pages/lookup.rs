//! The goods that a row of a form names: by a SKU, an article number, or words of the name.

use std::collections::HashMap;

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
async fn looked_up(
    call: &Call<Member>,
    code: Code,
) -> Result<Result<Option<Match>, Message>, Failure> {
    Ok(only(answered(call.services().products.look_up(call.account(), code)).await?))
}

/// The same of all the codes in the rows of a form by one look, however many there are.
pub(super) async fn looked_up_all(
    call: &Call<Member>,
    mut codes: Vec<Code>,
) -> Result<Vec<(Code, Result<Option<Match>, Message>)>, Failure> {
    codes.sort_unstable_by(|one, other| one.as_str().cmp(other.as_str()));
    codes.dedup();
    if codes.is_empty() {
        return Ok(Vec::new());
    }
    let looking = call.services().products.look_up_all(call.account(), codes.clone());
    let found = answered(looking).await?;
    Ok(codes.into_iter().zip(found.into_iter().map(only)).collect())
}

/// The only match of a code, if it has any; or that it has several.
fn only(matches: Vec<Match>) -> Result<Option<Match>, Message> {
    let mut matches = matches.into_iter();
    match (matches.next(), matches.next()) {
        (Some(_), Some(_)) => Err(message!(
            "is that of several products: type a SKU",
            "es de varios productos: escribe un SKU"
        )),
        (found, _) => Ok(found),
    }
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

/// What the rows of a form mean, by what is written in them.
pub(super) struct Sold(HashMap<String, Result<ItemSku, Message>>);

impl Sold {
    /// What a row means, or why it means nothing.
    pub(super) fn by(&self, code: &Code) -> Result<ItemSku, Message> {
        self.0.get(code.as_str()).cloned().unwrap_or_else(|| Err(unknown()))
    }
}

/// What SKUs, article numbers, or words of names mean. All codes are looked up at once; what none has is looked for by its words.
pub(super) async fn sold<'a>(
    call: &Call<Member>,
    codes: impl IntoIterator<Item = &'a Code>,
) -> Result<Sold, Failure> {
    let codes: Vec<Code> = codes.into_iter().cloned().collect();
    let mut sold = HashMap::new();
    for (code, found) in looked_up_all(call, codes).await? {
        let meant = match found {
            Ok(Some(found)) => Ok(sold_as(&found.product, found.variant)),
            Ok(None) => match named(call, &code).await?.as_slice() {
                [] => Err(unknown()),
                [only] if only.variants.is_empty() => Ok(sold_as(only, None)),
                several => Err(may_be(several)),
            },
            Err(problem) => Err(problem),
        };
        sold.insert(code.as_str().to_owned(), meant);
    }
    Ok(Sold(sold))
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
