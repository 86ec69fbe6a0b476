//! Which variant of a product a row is about.

use catalog::{Product, ProductChanges, VariantChange, VariantChanges, product::is_sku};

use super::outcome;
use crate::{Code, Column, Problem, ToldApart};

/// A row that wants what is no more than a variant of something else.
const NOT_OF_A_VARIANT: Code = Code::DuplicateSku;

/// How a product changes so that it has a variant as a row wants it, and whether the variant is new. A variant is found by
/// its identifier, else by its SKU, or by its name where one of the two has no SKU.
///
/// # Errors
/// What a new one lacks; that nothing tells it from another of its name.
pub(super) fn variant_change(
    product: &Product,
    wanted: &VariantChanges,
    ToldApart { id, has_twin }: ToldApart,
) -> Result<(VariantChange, bool), Vec<Problem>> {
    let sku = wanted.sku.as_ref().and_then(Option::as_deref);
    let by_id = id.and_then(|id| product.variants.iter().find(|variant| variant.id == id));
    let by_sku = || {
        let sku = sku?;
        let has_it = |kept: &str| is_sku(kept, sku);
        product.variants.iter().find(|variant| variant.sku.as_deref().is_some_and(has_it))
    };
    let by_name = || {
        let name = wanted.name.as_deref()?;
        let mut named = product.variants.iter().filter(|variant| variant.name == name);
        named.find(|variant| sku.is_none() || variant.sku.is_none())
    };
    let known = by_id.or_else(by_sku);
    if known.is_none() && has_twin {
        let name = wanted.name.as_deref().unwrap_or_default();
        return Err(vec![Problem::of(Column::VariantName, Code::DuplicateInFile, name)]);
    }
    match known.or_else(by_name) {
        Some(variant) => {
            Ok((VariantChange::Change { id: variant.id, changes: wanted.clone() }, false))
        }
        None => Ok((VariantChange::Add(outcome::new_variant(wanted)?), true)),
    }
}

/// What a row that names a variant by its SKU alone says of it.
pub(super) fn of_variant_alone(
    sku: &str,
    changes: &ProductChanges,
) -> Result<VariantChanges, Vec<Problem>> {
    let ProductChanges { ean, price, inventory, .. } = changes.clone();
    let others =
        ProductChanges { sku: None, ean: None, price: None, inventory: None, ..changes.clone() };
    if !outcome::says_nothing(&others) {
        return Err(vec![Problem::of(Column::Sku, NOT_OF_A_VARIANT, sku)]);
    }
    let price = price.map(Some);
    Ok(VariantChanges {
        sku: Some(Some(sku.to_owned())),
        ean,
        price,
        inventory,
        ..VariantChanges::default()
    })
}
