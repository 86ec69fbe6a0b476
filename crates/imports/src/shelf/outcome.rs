//! Between the catalog's words and those of rows.

use catalog::{NewVariant, Product, ProductChanges, ProductError, VariantChange, VariantChanges};
use kernel::{Amount, Decimals, FieldFault, Measure, Refused};

use crate::{Code, Column, Problem, images::written, taxes};

/// The catalog's faults of a command, as those of a row.
pub(super) fn problems(faults: &[FieldFault]) -> Vec<Problem> {
    let problem = |fault: &FieldFault| match fault.field.as_str() {
        "name" => Problem::of(Column::Name, Code::Required, ""),
        "price" => Problem::of(Column::Price, Code::Required, ""),
        // Kept from before, in the currency of then.
        "cost" => Problem::of(Column::Cost, Code::OtherCurrency, ""),
        "compareAtPrice" => Problem::of(Column::CompareAtPrice, Code::OtherCurrency, ""),
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
        Refused::Rule(ProductError::HasAverageCost { cost, currency, .. }) => {
            let cost = format!("{cost} {currency}");
            vec![Problem::of(Column::Currency, Code::HasAverageCost, &cost)]
        }
        Refused::Rule(ProductError::QuantityDecimalsFixed { .. }) => {
            vec![Problem::of(Column::QuantityDecimals, Code::DecimalsFixed, "")]
        }
        _ => vec![Problem::of_row(Code::Refused)],
    }
}

/// The quantities of a row that have decimals which are not kept of its product, or are too large with them.
pub(super) fn uncountable(changes: &ProductChanges, decimals: Decimals) -> Vec<Problem> {
    let of_variant = |change: &VariantChange| match change {
        VariantChange::Add(variant) => Some(variant.inventory),
        VariantChange::Change { changes, .. } => changes.inventory,
    };
    let variants = changes.variants.iter().filter_map(of_variant);
    let counts = changes.inventory.into_iter().chain(variants);
    let counts = counts.map(|count| (Column::Inventory, count));
    let threshold = changes.low_stock_threshold.flatten();
    let threshold = threshold.map(|count| (Column::LowStockThreshold, count));
    let problem = |(column, count): (Column, Measure)| {
        let code = match (count.fits(decimals), count.kept(decimals)) {
            (false, _) => Code::NotWhole,
            (true, Err(_)) => Code::OutOfRange,
            (true, Ok(_)) => return None,
        };
        Some(Problem::of(column, code, &count.to_string()))
    };
    counts.chain(threshold).filter_map(problem).collect()
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

/// What a row says of a product that is not so, by column, with what it says. What it only clears is left out.
pub(super) fn differing(product: &Product, said: &ProductChanges) -> Vec<(Column, String)> {
    let text = |said: &Option<Option<String>>, is: &Option<String>| {
        said.clone().flatten().filter(|said| Some(said) != is.as_ref())
    };
    let Product { currency, status, tax_included, low_stock_threshold, details, .. } = product;
    let amount = |said: Option<Option<Amount>>, is: Option<Amount>| {
        said.flatten().filter(|said| Some(*said) != is).map(|said| said.to_string())
    };
    let of = &said.details;
    let images = of.images.as_ref().filter(|said| !said.is_empty() && **said != details.images);
    let taxes = said.taxes.as_ref();
    let taxes = taxes.filter(|said| !said.is_empty() && **said != product.taxes);
    let threshold =
        said.low_stock_threshold.flatten().filter(|said| Some(*said) != *low_stock_threshold);
    let decimals = said.quantity_decimals.filter(|said| *said != product.quantity_decimals);
    [
        (Column::Currency, said.currency.filter(|said| said != currency).map(|it| it.to_string())),
        (Column::ExternalId, text(&said.external_id, &product.external_id)),
        (Column::Name, said.name.clone().filter(|said| *said != product.name)),
        (Column::Description, text(&said.description, &product.description)),
        (Column::LowStockThreshold, threshold.map(|count| count.to_string())),
        (Column::Status, said.status.filter(|said| said != status).map(|it| it.name().to_owned())),
        (
            Column::TaxIncluded,
            said.tax_included.filter(|said| said != tax_included).map(|it| it.to_string()),
        ),
        (Column::Taxes, taxes.map(|said| taxes::written(said))),
        (Column::SatProductKey, text(&said.sat_product_key, &product.sat_product_key)),
        (Column::SatUnitKey, text(&said.sat_unit_key, &product.sat_unit_key)),
        (Column::Unit, text(&of.unit, &details.unit)),
        (Column::QuantityDecimals, decimals.map(|decimals| decimals.count().to_string())),
        (Column::Brand, text(&of.brand, &details.brand)),
        (Column::CompareAtPrice, amount(of.compare_at_price, details.compare_at_price)),
        (Column::Cost, amount(of.cost, details.cost)),
        (Column::Weight, amount(of.weight, details.weight)),
        (Column::Images, images.map(|images| written(images))),
    ]
    .into_iter()
    .filter_map(|(column, said)| Some((column, said?)))
    .collect()
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
                quantity_decimals: None,
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
