//! Changing and removing a product.

use kernel::{Amount, Currency, FieldFault, Metadata, Quantity, Timestamp, id::IdSource, message};

use super::{
    NewVariant, Outcome, Product, ProductStatus, Variant, VariantId, create::refuse_repeated_skus,
};
use crate::{Ean, StockChange, StockKey, StockReason, Tax, events, stock};

/// What to change of a product; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ProductChanges {
    pub name: Option<String>,
    pub sku: Option<String>,
    pub description: Option<Option<String>>,
    /// Barcode number (EAN, UPC or GTIN).
    pub ean: Option<Option<Ean>>,
    /// Unit price.
    pub price: Option<Amount>,
    pub currency: Option<Currency>,
    /// Stock on hand, as counted.
    pub inventory: Option<Quantity>,
    /// Whether it can be ordered.
    pub status: Option<ProductStatus>,
    /// Stock level below which it counts as low.
    pub low_stock_threshold: Option<Option<Quantity>>,
    /// Whether the price includes taxes.
    pub tax_included: Option<bool>,
    pub taxes: Option<Vec<Tax>>,
    /// SAT product or service key (c_ClaveProdServ).
    pub sat_product_key: Option<Option<String>>,
    /// SAT unit key (c_ClaveUnidad).
    pub sat_unit_key: Option<Option<String>>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Option<Metadata>,
    /// Replaces the list of variants: entries with an identifier are updated, entries without one are added,
    /// variants not listed are removed.
    pub variants: Option<Vec<VariantChange>>,
}

/// A variant in a changed list.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum VariantChange {
    /// A variant to add.
    Add(NewVariant),
    /// An existing variant to keep, with its changes.
    Keep {
        id: VariantId,
        name: Option<String>,
        sku: Option<Option<String>>,
        ean: Option<Option<Ean>>,
        price: Option<Option<Amount>>,
        /// Stock on hand, as counted.
        inventory: Option<Quantity>,
    },
}

/// Fields that say when and how often, not what.
const BOOKKEEPING: &[&str] = &["updatedAt", "version"];

/// Changes a product. `account_threshold` is the account's low-stock setting. Nothing changed means no new
/// version and no event.
///
/// # Errors
/// The fields that contradict the product or each other: an unknown variant, the same SKU twice.
pub fn update(
    before: &Product,
    changes: ProductChanges,
    account_threshold: Quantity,
    ids: &IdSource,
    now: Timestamp,
) -> Result<Outcome, Vec<FieldFault>> {
    let mut after = before.clone();
    if let Some(variants) = changes.variants {
        after.variants = merged(&before.variants, variants, ids)?;
    }
    set(&mut after.name, changes.name);
    set(&mut after.sku, changes.sku);
    set(&mut after.description, changes.description);
    set(&mut after.ean, changes.ean);
    set(&mut after.price, changes.price);
    set(&mut after.currency, changes.currency);
    set(&mut after.inventory, changes.inventory);
    set(&mut after.status, changes.status);
    set(&mut after.low_stock_threshold, changes.low_stock_threshold);
    set(&mut after.tax_included, changes.tax_included);
    set(&mut after.taxes, changes.taxes);
    set(&mut after.sat_product_key, changes.sat_product_key);
    set(&mut after.sat_unit_key, changes.sat_unit_key);
    set(&mut after.metadata, changes.metadata);
    refuse_repeated_skus(&after)?;

    let Some(changed) = kernel::json::changes(before, &after, BOOKKEEPING) else {
        return Ok(Outcome { product: after, stock: Vec::new(), events: Vec::new() });
    };
    after.version += 1;
    after.updated_at = now;
    let stock = recounts(before, &after, StockReason::Adjustment);
    let threshold = after.low_stock_threshold.unwrap_or(account_threshold);
    let low = stock
        .iter()
        .filter(|change| change.reason == StockReason::Adjustment)
        .filter(|change| stock::falls_below(threshold, change.left - change.delta, change.left))
        .map(|change| events::inventory_low(after.id, change.left, threshold));
    let events = std::iter::once(events::updated(after.id, &changed)).chain(low).collect();
    Ok(Outcome { product: after, stock, events })
}

/// Takes a product out of the catalog, its stock with it.
#[must_use]
pub fn delete(product: &Product) -> Outcome {
    let mut gone = product.clone();
    gone.inventory = 0;
    gone.variants = Vec::new();
    Outcome {
        stock: recounts(product, &gone, StockReason::Removal),
        events: vec![events::deleted(product.id)],
        product: gone,
    }
}

/// Sets a field; an equal value in another spelling leaves it alone.
fn set<T: PartialEq>(field: &mut T, change: Option<T>) {
    if let Some(value) = change.filter(|value| value != field) {
        *field = value;
    }
}

fn merged(
    before: &[Variant],
    list: Vec<VariantChange>,
    ids: &IdSource,
) -> Result<Vec<Variant>, Vec<FieldFault>> {
    let mut after: Vec<Variant> = Vec::with_capacity(list.len());
    let mut faults = Vec::new();
    for (index, change) in list.into_iter().enumerate() {
        let variant = match change {
            VariantChange::Add(variant) => variant.with_id(VariantId::from_u128(ids.next())),
            VariantChange::Keep { id, name, sku, ean, price, inventory } => {
                let known = before.iter().find(|variant| variant.id == id);
                let repeated = after.iter().any(|variant| variant.id == id);
                let Some(mut variant) = known.cloned().filter(|_| !repeated) else {
                    let problem = if repeated {
                        message!("names a variant twice", "nombra dos veces la misma variante")
                    } else {
                        message!(
                            "is not a variant of this product",
                            "no es una variante de este producto"
                        )
                    };
                    faults.push(FieldFault::new(format!("variants[{index}].id"), problem));
                    continue;
                };
                set(&mut variant.name, name);
                set(&mut variant.sku, sku);
                set(&mut variant.ean, ean);
                set(&mut variant.price, price);
                set(&mut variant.inventory, inventory);
                variant
            }
        };
        after.push(variant);
    }
    if faults.is_empty() { Ok(after) } else { Err(faults) }
}

/// The ledger rows that lead from the stock of `before` to that of `after`; `reason` is why the product's own
/// stock changes.
fn recounts(before: &Product, after: &Product, reason: StockReason) -> Vec<StockChange> {
    let was = |id: VariantId| before.variants.iter().find(|variant| variant.id == id);
    let own = (None, before.inventory, after.inventory, reason);
    let kept = after.variants.iter().map(|variant| {
        let old = was(variant.id);
        let reason = if old.is_some() { StockReason::Adjustment } else { StockReason::Initial };
        (Some(variant.id), old.map_or(0, |old| old.inventory), variant.inventory, reason)
    });
    let removed = before
        .variants
        .iter()
        .filter(|old| after.variants.iter().all(|variant| variant.id != old.id))
        .map(|old| (Some(old.id), old.inventory, 0, StockReason::Removal));
    std::iter::once(own)
        .chain(kept)
        .chain(removed)
        .filter(|(_, old, new, _)| old != new)
        .map(|(variant, old, new, reason)| StockChange {
            key: StockKey { product: before.id, variant },
            delta: new - old,
            left: new,
            reason,
            reference: before.id.to_string(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewProduct, product::create};

    fn product(ids: &IdSource) -> Product {
        let command = NewProduct {
            name: "Taza".to_owned(),
            sku: Some("T-1".to_owned()),
            description: None,
            ean: None,
            price: Amount::from_micros(19_990_000),
            currency: Currency::MXN,
            inventory: 10,
            status: ProductStatus::Active,
            low_stock_threshold: None,
            tax_included: true,
            taxes: Vec::new(),
            sat_product_key: None,
            sat_unit_key: None,
            metadata: Metadata::default(),
            variants: vec![NewVariant {
                name: "Azul".to_owned(),
                sku: Some("T-1A".to_owned()),
                ean: None,
                price: None,
                inventory: 3,
            }],
        };
        create(command, ids, Timestamp::from_micros(0)).unwrap().product
    }

    fn changed(changes: ProductChanges) -> (Product, Outcome) {
        let ids = IdSource::default();
        let before = product(&ids);
        let after = update(&before, changes, 5, &ids, Timestamp::from_micros(1)).unwrap();
        (before, after)
    }

    #[test]
    fn nothing_changed_tells_nothing() {
        let (before, after) =
            changed(ProductChanges { name: Some("Taza".to_owned()), ..ProductChanges::default() });
        assert_eq!((after.product, after.events.len()), (before, 0));
    }

    #[test]
    fn a_change_is_told_with_its_new_values() {
        let (before, after) = changed(ProductChanges {
            price: Some(Amount::from_micros(20_500_000)),
            ..ProductChanges::default()
        });
        assert_eq!(after.product.version, before.version + 1);
        let [event] = after.events.as_slice() else { panic!("{:?}", after.events) };
        assert_eq!(event.data, format!(r#"{{"id":"{}","changes":{{"price":20.5}}}}"#, before.id));
    }

    #[test]
    fn a_recount_below_the_threshold_tells_low_stock_once() {
        let (_, after) =
            changed(ProductChanges { inventory: Some(4), ..ProductChanges::default() });
        let names: Vec<_> = after.events.iter().map(|event| event.name).collect();
        assert_eq!(names, ["product.updated", "inventory.low"]);
        assert_eq!(
            after.stock.iter().map(|change| (change.delta, change.left)).collect::<Vec<_>>(),
            [(-6, 4)]
        );
    }

    #[test]
    fn a_list_of_variants_adds_keeps_and_removes() {
        let ids = IdSource::default();
        let before = product(&ids);
        let add = VariantChange::Add(NewVariant {
            name: "Rojo".to_owned(),
            sku: None,
            ean: None,
            price: None,
            inventory: 2,
        });
        let changes = ProductChanges { variants: Some(vec![add]), ..ProductChanges::default() };
        let after = update(&before, changes, 5, &ids, Timestamp::from_micros(1)).unwrap();
        let reasons: Vec<_> =
            after.stock.iter().map(|change| (change.reason, change.delta)).collect();
        assert_eq!(reasons, [(StockReason::Initial, 2), (StockReason::Removal, -3)]);
    }

    #[test]
    fn a_sku_names_one_thing() {
        let ids = IdSource::default();
        let before = product(&ids);
        let changes = ProductChanges { sku: Some("T-1A".to_owned()), ..ProductChanges::default() };
        let faults = update(&before, changes, 5, &ids, Timestamp::from_micros(1)).unwrap_err();
        assert_eq!(faults[0].field, "variants[0].sku");
    }

    #[test]
    fn a_deleted_product_leaves_no_stock() {
        let gone = delete(&product(&IdSource::default()));
        assert_eq!(gone.stock.iter().map(|change| change.left).collect::<Vec<_>>(), [0, 0]);
    }
}
