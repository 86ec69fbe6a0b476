//! The goods that a row of a form names by a code: a SKU or an article number.

use catalog::{Code, Product, VariantId, lookup::Match};
use kernel::{Message, message};
use orders::{
    ItemSku,
    order::{ItemProductId, ItemVariantId},
};

use crate::{
    call::{Call, Member},
    failure::Failure,
    reply::answered,
};

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
pub(super) fn sold_as(product: &Product, variant: Option<VariantId>) -> ItemSku {
    ItemSku {
        product: ItemProductId::from_u128(product.id.to_u128()),
        variant: variant.map(|id| ItemVariantId::from_u128(id.to_u128())),
    }
}
