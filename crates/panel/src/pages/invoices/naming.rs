//! What rows name by a code: a SKU or an article number.

use std::collections::HashMap;

use accounts::{Right, Scope};
use catalog::{Code, lookup::Match};
use intake::Faults;
use invoices::{ItemFields, ProductId};
use kernel::{FieldFault, Message};

use crate::{
    call::{Call, Member},
    failure::Failure,
    pages::lookup::{looked_up_all, unknown},
};

/// What the codes in the rows of a form name.
pub(super) struct Named(HashMap<String, Result<Option<Match>, Message>>);

/// Looks up all the codes in the rows of a form.
pub(super) async fn named(call: &Call<Member>, skus: &[&String]) -> Result<Named, Failure> {
    let codes: Vec<Code> = skus.iter().filter_map(|sku| Code::parse(sku).ok()).collect();
    if !codes.is_empty() && !call.may(Right::read(Scope::Products)) {
        return Err(Failure::NotAllowed);
    }
    let found = looked_up_all(call, codes).await?.into_iter();
    Ok(Named(found.map(|(code, found)| (code.as_str().to_owned(), found)).collect()))
}

impl Named {
    /// Fills an item from what the code in a row names; or says what is wrong with the code.
    pub(super) fn fill(
        &self,
        item: &mut ItemFields,
        (place, sku): (usize, &str),
        faults: &mut Faults,
    ) {
        let found = Code::parse(sku).and_then(|code| {
            let found = self.0.get(code.as_str()).cloned();
            found.unwrap_or(Ok(None))?.ok_or_else(unknown)
        });
        match found {
            Ok(found) => fill(item, &found),
            Err(problem) => faults.push(FieldFault::new(format!("items[{place}].sku"), problem)),
        }
    }
}

/// Fills an item from what a code names; a variant has a name, a SKU and perhaps a price of its own.
fn fill(item: &mut ItemFields, found: &Match) {
    let product = &found.product;
    item.product = Some(ProductId::from_u128(product.id.to_u128()));
    let variant = found.variant.and_then(|id| product.variants.iter().find(|one| one.id == id));
    let Some(variant) = variant else { return };
    item.sku = variant.sku.clone();
    let named = || format!("{} {}", product.name, variant.name);
    item.description = item.description.take().or_else(|| Some(named()));
    if item.unit_price.is_none() && variant.price.is_some() {
        item.unit_price = variant.price;
        item.tax_included = Some(product.tax_included);
    }
}
