//! Adding a product.

use std::collections::HashSet;

use kernel::{Amount, Currency, FieldFault, Metadata, Quantity, Timestamp, id::IdSource, message};

use super::{Outcome, Product, ProductId, ProductStatus, Variant, VariantId};
use crate::{Ean, StockChange, StockKey, StockReason, Tax, events};

/// A product to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
pub struct NewProduct {
    /// Its name.
    pub name: String,
    /// Its SKU; its identifier serves when absent.
    pub sku: Option<String>,
    /// For people.
    pub description: Option<String>,
    /// The number under its bar code.
    pub ean: Option<Ean>,
    /// Its price a piece.
    pub price: Amount,
    /// The currency of the price.
    pub currency: Currency,
    /// Pieces in stock to begin with.
    pub inventory: Quantity,
    /// Whether it is on sale.
    pub status: ProductStatus,
    /// The stock below which it counts as low.
    pub low_stock_threshold: Option<Quantity>,
    /// Whether the price contains the taxes.
    pub tax_included: bool,
    /// Its taxes.
    pub taxes: Vec<Tax>,
    /// SAT's key of the kind of product.
    pub sat_product_key: Option<String>,
    /// SAT's key of the unit.
    pub sat_unit_key: Option<String>,
    /// The caller's own notes.
    pub metadata: Metadata,
    /// Its variants.
    pub variants: Vec<NewVariant>,
}

/// A variant to be added.
#[derive(Clone, Debug)]
pub struct NewVariant {
    /// What tells it from the others.
    pub name: String,
    /// Its own SKU.
    pub sku: Option<String>,
    /// Its own bar code.
    pub ean: Option<Ean>,
    /// Its own price.
    pub price: Option<Amount>,
    /// Pieces in stock to begin with.
    pub inventory: Quantity,
}

impl NewVariant {
    pub(super) fn with_id(self, id: VariantId) -> Variant {
        let Self { name, sku, ean, price, inventory } = self;
        Variant { id, name, sku, ean, price, inventory }
    }
}

/// Adds a product: states its rows, its first stock and its event.
///
/// # Errors
/// The fields that contradict each other: the same SKU twice.
pub fn create(
    command: NewProduct,
    ids: &IdSource,
    now: Timestamp,
) -> Result<Outcome, Vec<FieldFault>> {
    let id = ProductId::from_u128(ids.next());
    let variants: Vec<Variant> = command
        .variants
        .into_iter()
        .map(|variant| variant.with_id(VariantId::from_u128(ids.next())))
        .collect();
    let product = Product {
        id,
        name: command.name,
        sku: command.sku.unwrap_or_else(|| id.to_string()),
        description: command.description,
        ean: command.ean,
        price: command.price,
        currency: command.currency,
        inventory: command.inventory,
        status: command.status,
        low_stock_threshold: command.low_stock_threshold,
        tax_included: command.tax_included,
        taxes: command.taxes,
        sat_product_key: command.sat_product_key,
        sat_unit_key: command.sat_unit_key,
        metadata: command.metadata,
        variants,
        created_at: now,
        updated_at: now,
        version: 1,
    };
    refuse_repeated_skus(&product)?;
    let first = |variant: Option<&Variant>| {
        let count = variant.map_or(product.inventory, |variant| variant.inventory);
        (count > 0).then(|| StockChange {
            key: StockKey { product: id, variant: variant.map(|variant| variant.id) },
            delta: count,
            left: count,
            reason: StockReason::Initial,
            reference: id.to_string(),
        })
    };
    let stock =
        std::iter::once(None).chain(product.variants.iter().map(Some)).filter_map(first).collect();
    let events = vec![events::created(&product)];
    Ok(Outcome { product, stock, events })
}

/// One SKU names one thing, within a product too.
pub(super) fn refuse_repeated_skus(product: &Product) -> Result<(), Vec<FieldFault>> {
    let mut seen = HashSet::from([product.sku.as_str()]);
    let own = product.variants.iter().enumerate();
    let repeated: Vec<_> = own
        .filter_map(|(index, variant)| {
            let sku = variant.sku.as_deref().filter(|sku| !seen.insert(sku))?;
            Some(FieldFault::new(
                format!("variants[{index}].sku"),
                message!(
                    "repeats {sku:?}, which this product uses already",
                    "repite {sku:?}, que este producto ya usa"
                ),
            ))
        })
        .collect();
    if repeated.is_empty() { Ok(()) } else { Err(repeated) }
}
