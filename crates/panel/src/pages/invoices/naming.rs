//! What rows name by a code: a SKU or an article number.

use accounts::{Right, Scope};
use catalog::{Code, lookup::Match};
use intake::Faults;
use invoices::{ItemFields, ProductId};
use kernel::{FieldFault, Message};

use crate::{
    call::{Call, Member},
    failure::Failure,
    pages::lookup::{looked_up, unknown},
};

/// Fills an item from what the code in a row names; or says what is wrong with the code.
pub(super) async fn name(
    call: &Call<Member>,
    place: usize,
    sku: &str,
    item: &mut ItemFields,
    faults: &mut Faults,
) -> Result<(), Failure> {
    let problem = match Code::parse(sku) {
        Ok(code) => found(call, code, item).await?,
        Err(problem) => Some(problem),
    };
    faults.extend(problem.map(|problem| FieldFault::new(format!("items[{place}].sku"), problem)));
    Ok(())
}

async fn found(
    call: &Call<Member>,
    code: Code,
    item: &mut ItemFields,
) -> Result<Option<Message>, Failure> {
    if !call.may(Right::read(Scope::Products)) {
        return Err(Failure::NotAllowed);
    }
    Ok(match looked_up(call, code).await? {
        Ok(Some(found)) => {
            fill(item, &found);
            None
        }
        Ok(None) => Some(unknown()),
        Err(problem) => Some(problem),
    })
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
