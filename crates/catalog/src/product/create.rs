//! Adding a product.

use std::collections::HashSet;

use kernel::{
    Amount, Currency, Decimals, FieldFault, Measure, Message, Metadata, Timestamp, id::IdSource,
    message, text::composed,
};

use super::{
    Outcome, Product, ProductChanges, ProductId, ProductStatus, Variant, VariantChange, VariantId,
};
use crate::{CategoryId, Ean, ProductDetails, StockChange, StockKey, StockReason, Tax, events};

/// A product to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewProduct {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    pub name: String,
    /// Defaults to the product's identifier.
    pub sku: Option<String>,
    pub description: Option<String>,
    /// Barcode number (EAN, UPC or GTIN).
    pub ean: Option<Ean>,
    /// Unit price.
    pub price: Amount,
    pub currency: Currency,
    /// Decimals of its quantities and those of its variants.
    pub quantity_decimals: Decimals,
    /// Initial stock on hand.
    pub inventory: Measure,
    /// Whether it can be ordered.
    pub status: ProductStatus,
    /// Stock level below which it counts as low.
    pub low_stock_threshold: Option<Measure>,
    /// Whether the price includes taxes.
    pub tax_included: bool,
    pub taxes: Vec<Tax>,
    /// SAT product or service key (c_ClaveProdServ).
    pub sat_product_key: Option<String>,
    /// SAT unit key (c_ClaveUnidad).
    pub sat_unit_key: Option<String>,
    pub details: ProductDetails,
    /// The categories that it is in directly.
    pub category_ids: Vec<CategoryId>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    pub variants: Vec<NewVariant>,
}

/// A variant to be added.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewVariant {
    /// What distinguishes it from the other variants.
    pub name: String,
    pub sku: Option<String>,
    pub ean: Option<Ean>,
    pub price: Option<Amount>,
    /// Initial stock on hand.
    pub inventory: Measure,
}

impl NewProduct {
    /// Its quantities with decimals that are not kept of it.
    #[must_use]
    pub fn uncountable(&self) -> Vec<FieldFault> {
        let threshold = self.low_stock_threshold.map(|it| ("lowStockThreshold".to_owned(), it));
        let own = [("inventory".to_owned(), self.inventory)].into_iter().chain(threshold);
        let variants = self.variants.iter().enumerate();
        let variants =
            variants.map(|(index, it)| (format!("variants[{index}].inventory"), it.inventory));
        let fault = |(field, count): (String, Measure)| {
            let problem = count.kept(self.quantity_decimals).err()?;
            Some(FieldFault::new(field, problem))
        };
        own.chain(variants).filter_map(fault).collect()
    }

    /// The product that changes of nothing make.
    ///
    /// # Errors
    /// The fields that a product needs, and those that name what there would have to be.
    pub fn of(changes: ProductChanges) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let mut refuse = |field: &str, problem| faults.push(FieldFault::new(field, problem));
        let required = || message!("is required", "es obligatorio");
        if changes.name.is_none() {
            refuse("name", required());
        }
        if changes.price.is_none() {
            refuse("price", required());
        }
        let mut variants = Vec::new();
        for (index, change) in changes.variants.into_iter().enumerate() {
            match change {
                VariantChange::Add(variant) => variants.push(variant),
                VariantChange::Change { .. } => {
                    refuse(&format!("variants[{index}].id"), not_there());
                }
            }
        }
        if !changes.remove_variants.is_empty() {
            refuse("removeVariants", not_there());
        }
        let inventory = changes.inventory.or(changes.inventory_delta).unwrap_or_default();
        if inventory.is_negative() {
            refuse("inventoryDelta", message!("must not be negative", "no debe ser negativo"));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            external_id: changes.external_id.flatten(),
            name: changes.name.unwrap_or_default(),
            sku: changes.sku,
            description: changes.description.flatten(),
            ean: changes.ean.flatten(),
            price: changes.price.unwrap_or_default(),
            currency: changes.currency.unwrap_or(Currency::MXN),
            quantity_decimals: changes.quantity_decimals.unwrap_or_default(),
            inventory,
            status: changes.status.unwrap_or_default(),
            low_stock_threshold: changes.low_stock_threshold.flatten(),
            tax_included: changes.tax_included.unwrap_or(true),
            taxes: changes.taxes.unwrap_or_default(),
            sat_product_key: changes.sat_product_key.flatten(),
            sat_unit_key: changes.sat_unit_key.flatten(),
            details: changes.details.of(ProductDetails::default()),
            category_ids: changes.category_ids.unwrap_or_default(),
            metadata: changes.metadata.unwrap_or_default(),
            variants,
        })
    }
}

fn not_there() -> Message {
    message!(
        "names a variant of a product that does not exist yet",
        "nombra una variante de un producto que todavía no existe"
    )
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
/// The fields that contradict each other: the same SKU twice, a quantity with decimals that are not kept.
pub fn create(
    command: NewProduct,
    ids: &IdSource,
    now: Timestamp,
) -> Result<Outcome, Vec<FieldFault>> {
    let faults = command.uncountable();
    if !faults.is_empty() {
        return Err(faults);
    }
    let id = ProductId::from_u128(ids.next());
    let variants: Vec<Variant> = command
        .variants
        .into_iter()
        .map(|variant| variant.with_id(VariantId::from_u128(ids.next())))
        .collect();
    let product = Product {
        id,
        external_id: command.external_id,
        name: command.name,
        sku: command.sku.unwrap_or_else(|| id.to_string()),
        description: command.description,
        ean: command.ean,
        price: command.price,
        currency: command.currency,
        quantity_decimals: command.quantity_decimals,
        inventory: command.inventory,
        status: command.status,
        low_stock_threshold: command.low_stock_threshold,
        tax_included: command.tax_included,
        taxes: command.taxes,
        sat_product_key: command.sat_product_key,
        sat_unit_key: command.sat_unit_key,
        details: command.details,
        category_ids: command.category_ids,
        metadata: command.metadata,
        variants,
        created_at: now,
        updated_at: now,
        version: 1,
    };
    refuse_repeated_skus(&product)?;
    let first = |variant: Option<&Variant>| {
        let count = variant.map_or(product.inventory, |variant| variant.inventory);
        let count = count.quantity(product.quantity_decimals);
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

/// One SKU names one thing, within a product too, in whatever spelling release 0.1 has kept it.
pub(super) fn refuse_repeated_skus(product: &Product) -> Result<(), Vec<FieldFault>> {
    let mut seen = HashSet::from([composed(&product.sku)]);
    let own = product.variants.iter().enumerate();
    let repeated: Vec<_> = own
        .filter_map(|(index, variant)| {
            let sku = variant.sku.as_deref().filter(|sku| !seen.insert(composed(sku)))?;
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
