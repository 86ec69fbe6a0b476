//! Between the catalog's words and those of rows.

use catalog::{NewVariant, ProductChanges, ProductError, VariantChanges};
use kernel::{FieldFault, Refused};

use crate::{Code, Column, Problem};

/// The catalog's faults of a command, as those of a row.
pub(super) fn problems(faults: &[FieldFault]) -> Vec<Problem> {
    let problem = |fault: &FieldFault| match fault.field.as_str() {
        "name" => Problem::of(Column::Name, Code::Required, ""),
        "price" => Problem::of(Column::Price, Code::Required, ""),
        "variants" => Problem::of(Column::ParentSku, Code::TooManyVariants, ""),
        field if field.ends_with("sku") => Problem::of(Column::Sku, Code::DuplicateSku, ""),
        _ => Problem::of_row(Code::Refused),
    };
    faults.iter().map(problem).collect()
}

/// The same of a refusal.
pub(super) fn refused(refused: &Refused<ProductError>) -> Vec<Problem> {
    match refused {
        Refused::Invalid(faults) => problems(faults),
        _ => vec![Problem::of_row(Code::Refused)],
    }
}

/// The variant that what a row says makes.
pub(super) fn new_variant(wanted: &VariantChanges) -> Result<NewVariant, Vec<Problem>> {
    let Some(name) = wanted.name.clone() else {
        return Err(vec![Problem::of(Column::VariantName, Code::Required, "")]);
    };
    Ok(NewVariant {
        name,
        sku: wanted.sku.clone().flatten(),
        ean: wanted.ean.clone().flatten(),
        price: wanted.price.flatten(),
        inventory: wanted.inventory.unwrap_or_default(),
    })
}

/// Whether a row says nothing of a product.
pub(super) const fn says_nothing(changes: &ProductChanges) -> bool {
    changes.details.is_nothing()
        && matches!(
            changes,
            ProductChanges {
                external_id: None,
                name: None,
                sku: None,
                description: None,
                ean: None,
                price: None,
                currency: None,
                inventory: None,
                inventory_delta: None,
                status: None,
                low_stock_threshold: None,
                tax_included: None,
                taxes: None,
                sat_product_key: None,
                sat_unit_key: None,
                details: _,
                category_ids: None,
                metadata: None,
                variants: _,
                remove_variants: _,
                force: _,
            }
        )
}
