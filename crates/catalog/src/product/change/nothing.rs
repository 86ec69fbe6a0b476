//! Whether a command changes anything: most rows of a table that is sent again say what is so.

use super::{ProductChanges, VariantChange, VariantChanges};
use crate::{DetailsChanges, Product, ProductDetails, Variant};

impl ProductChanges {
    /// Whether all that it states of a product is so already. It may be false of what makes no difference in the end.
    #[must_use]
    pub fn is_so(&self, product: &Product) -> bool {
        let Self {
            external_id,
            name,
            sku,
            description,
            ean,
            price,
            currency,
            quantity_decimals,
            inventory,
            inventory_delta,
            status,
            low_stock_threshold,
            tax_included,
            taxes,
            sat_product_key,
            sat_unit_key,
            details,
            category_ids,
            metadata,
            variants,
            remove_variants,
            force: _,
        } = self;
        let has_variants = match variants.as_slice() {
            [] => true,
            [VariantChange::Change { id, changes }] => {
                let known = product.variants.iter().find(|variant| variant.id == *id);
                known.is_some_and(|variant| changes.is_so(variant))
            }
            // Of several, two may name the same.
            _ => false,
        };
        has_variants
            && remove_variants.is_empty()
            && inventory_delta.is_none()
            && is(name.as_ref(), &product.name)
            && is(price.as_ref(), &product.price)
            && is(inventory.as_ref(), &product.inventory)
            && is(sku.as_ref(), &product.sku)
            && is(external_id.as_ref(), &product.external_id)
            && is(description.as_ref(), &product.description)
            && is(ean.as_ref(), &product.ean)
            && is(currency.as_ref(), &product.currency)
            && is(quantity_decimals.as_ref(), &product.quantity_decimals)
            && is(status.as_ref(), &product.status)
            && is(low_stock_threshold.as_ref(), &product.low_stock_threshold)
            && is(tax_included.as_ref(), &product.tax_included)
            && is(taxes.as_ref(), &product.taxes)
            && is(sat_product_key.as_ref(), &product.sat_product_key)
            && is(sat_unit_key.as_ref(), &product.sat_unit_key)
            && are_so(details, &product.details)
            && is(category_ids.as_ref(), &product.category_ids)
            && is(metadata.as_ref(), &product.metadata)
    }
}

impl VariantChanges {
    fn is_so(&self, variant: &Variant) -> bool {
        let Self { name, sku, ean, price, inventory, inventory_delta } = self;
        inventory_delta.is_none()
            && is(name.as_ref(), &variant.name)
            && is(sku.as_ref(), &variant.sku)
            && is(ean.as_ref(), &variant.ean)
            && is(price.as_ref(), &variant.price)
            && is(inventory.as_ref(), &variant.inventory)
    }
}

fn are_so(said: &DetailsChanges, details: &ProductDetails) -> bool {
    let DetailsChanges { brand, unit, compare_at_price, cost, images, weight, dimensions } = said;
    is(brand.as_ref(), &details.brand)
        && is(unit.as_ref(), &details.unit)
        && is(compare_at_price.as_ref(), &details.compare_at_price)
        && is(cost.as_ref(), &details.cost)
        && is(images.as_ref(), &details.images)
        && is(weight.as_ref(), &details.weight)
        && is(dimensions.as_ref(), &details.dimensions)
}

/// Whether a field is as it is said, if anything is said of it.
fn is<T: PartialEq>(said: Option<&T>, field: &T) -> bool {
    said.is_none_or(|said| said == field)
}
