//! Changing and removing a product.

use std::collections::HashSet;

use kernel::{
    Amount, Currency, FieldFault, Language, Message, Metadata, Quantity, Refused, Timestamp,
    id::IdSource, message,
};

use super::{
    NewVariant, Outcome, Product, ProductStatus, VARIANTS_MAX, Variant, VariantId,
    create::refuse_repeated_skus,
};
use crate::{
    CategoryId, DetailsChanges, Ean, ProductError, StockChange, StockKey, StockReason, Tax, events,
    stock,
};

/// What to change of a product; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ProductChanges {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<Option<String>>,
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
    /// What is added to the stock on hand, or taken from it.
    pub inventory_delta: Option<i64>,
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
    pub details: DetailsChanges,
    /// All of the categories that it is in directly.
    pub category_ids: Option<Vec<CategoryId>>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Option<Metadata>,
    /// Variants to add and to change; those not named stay as they are.
    pub variants: Vec<VariantChange>,
    /// Variants to remove.
    pub remove_variants: Vec<VariantId>,
    /// Whether variants are removed with the stock that they have.
    pub force: bool,
}

/// What a caller has seen of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its version.
    pub version: i64,
    /// The [digest](Product::stock_digest) of its stock, if the caller names it.
    pub stock: Option<u32>,
}

impl Seen {
    /// Whether changes must not be made because what they are based on has changed. Sales count only where stock
    /// is set: a count that was read before them would bring sold pieces back.
    #[must_use]
    pub fn is_stale(self, present: &Product, changes: &ProductChanges) -> bool {
        let sees_stock = || self.stock == Some(present.stock_digest());
        self.version != present.version || changes.sets_stock() && !sees_stock()
    }
}

impl ProductChanges {
    /// Whether it sets the stock of the product or of a variant that there is, rather than adding to it.
    fn sets_stock(&self) -> bool {
        let of_variant = |change: &VariantChange| match change {
            VariantChange::Add(_) => false,
            VariantChange::Change { changes, .. } => changes.inventory.is_some(),
        };
        self.inventory.is_some() || self.variants.iter().any(of_variant)
    }
}

/// A variant to add or to change.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum VariantChange {
    /// A variant to add.
    Add(NewVariant),
    /// Changes of an existing variant.
    Change { id: VariantId, changes: VariantChanges },
}

/// Changes of a variant: a field that is not given stays as it is.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct VariantChanges {
    pub name: Option<String>,
    pub sku: Option<Option<String>>,
    pub ean: Option<Option<Ean>>,
    pub price: Option<Option<Amount>>,
    /// Stock on hand, as counted.
    pub inventory: Option<Quantity>,
    /// What is added to the stock on hand, or taken from it.
    pub inventory_delta: Option<i64>,
}

/// Fields that say when and how often, not what.
const BOOKKEEPING: &[&str] = &["updatedAt", "version"];

/// Changes a product. `account_threshold` is the account's low-stock setting. Nothing changed means no new
/// version and no event.
///
/// # Errors
/// The fields that contradict the product or each other: an unknown variant, the same SKU twice. Stock that is not
/// there to be taken, or that a variant to be removed still has.
pub fn update(
    before: &Product,
    changes: ProductChanges,
    account_threshold: Quantity,
    ids: &IdSource,
    now: Timestamp,
) -> Result<Outcome, Refused<ProductError>> {
    let mut after = before.clone();
    after.variants = merged(&before.variants, changes.variants, ids)?;
    remove(&mut after.variants, &changes.remove_variants, changes.force)?;
    move_stock(&mut after.inventory, changes.inventory_delta, "inventoryDelta")?;
    set(&mut after.external_id, changes.external_id);
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
    after.details = changes.details.of(after.details);
    set(&mut after.category_ids, changes.category_ids);
    set(&mut after.metadata, changes.metadata);
    refuse_repeated_skus(&after).map_err(Refused::Invalid)?;
    if after.variants.len() > VARIANTS_MAX {
        return Err(Refused::Invalid(vec![too_many_variants()]));
    }

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

/// The variants with those of the list added and changed, in the order in which they were made.
fn merged(
    before: &[Variant],
    list: Vec<VariantChange>,
    ids: &IdSource,
) -> Result<Vec<Variant>, Refused<ProductError>> {
    let mut after = before.to_vec();
    let (mut named, mut faults) = (HashSet::new(), Vec::new());
    for (index, change) in list.into_iter().enumerate() {
        let (id, changes) = match change {
            VariantChange::Add(variant) => {
                after.push(variant.with_id(VariantId::from_u128(ids.next())));
                continue;
            }
            VariantChange::Change { id, changes } => (id, changes),
        };
        let field = |name: &str| format!("variants[{index}].{name}");
        let is_repeated = !named.insert(id);
        let known = after.iter_mut().find(|variant| variant.id == id);
        let Some(variant) = known.filter(|_| !is_repeated) else {
            let problem = if is_repeated {
                message!("names a variant twice", "nombra dos veces la misma variante")
            } else {
                not_of_this_product()
            };
            faults.push(FieldFault::new(field("id"), problem));
            continue;
        };
        set(&mut variant.name, changes.name);
        set(&mut variant.sku, changes.sku);
        set(&mut variant.ean, changes.ean);
        set(&mut variant.price, changes.price);
        set(&mut variant.inventory, changes.inventory);
        move_stock(&mut variant.inventory, changes.inventory_delta, &field("inventoryDelta"))?;
    }
    if faults.is_empty() { Ok(after) } else { Err(Refused::Invalid(faults)) }
}

fn remove(
    variants: &mut Vec<Variant>,
    gone: &[VariantId],
    force: bool,
) -> Result<(), Refused<ProductError>> {
    for (index, id) in gone.iter().enumerate() {
        let Some(place) = variants.iter().position(|variant| variant.id == *id) else {
            let field = format!("removeVariants[{index}]");
            return Err(Refused::Invalid(vec![FieldFault::new(field, not_of_this_product())]));
        };
        let variant = variants.remove(place);
        if variant.inventory > 0 && !force {
            let (id, inventory) = (*id, variant.inventory);
            return Err(Refused::Rule(ProductError::VariantHoldsStock { id, inventory }));
        }
    }
    Ok(())
}

/// Adds to stock, or takes from it what there is.
fn move_stock(
    stock: &mut Quantity,
    delta: Option<i64>,
    field: &str,
) -> Result<(), Refused<ProductError>> {
    let Some(delta) = delta else { return Ok(()) };
    let moved = stock.saturating_add(delta);
    if moved < 0 {
        let (field, available) = (field.to_owned(), *stock);
        return Err(Refused::Rule(ProductError::InsufficientStock { field, available }));
    }
    *stock = stock::checked_count(moved).map_err(|problem| {
        let problem = Message::both(|language| match language {
            Language::English => format!("leads to a stock that {}", problem.in_language(language)),
            Language::Spanish => {
                format!("lleva a una existencia que {}", problem.in_language(language))
            }
        });
        Refused::Invalid(vec![FieldFault::new(field, problem)])
    })?;
    Ok(())
}

fn not_of_this_product() -> Message {
    message!("is not a variant of this product", "no es una variante de este producto")
}

fn too_many_variants() -> FieldFault {
    let problem = message!(
        "would be more than {VARIANTS_MAX} with those that there are",
        "serían más de {VARIANTS_MAX} con las que ya existen"
    );
    FieldFault::new("variants", problem)
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
            external_id: None,
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
            details: crate::ProductDetails::default(),
            category_ids: Vec::new(),
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
    fn variants_are_added_changed_and_removed_by_name() {
        let ids = IdSource::default();
        let before = product(&ids);
        let add = VariantChange::Add(NewVariant {
            name: "Rojo".to_owned(),
            sku: None,
            ean: None,
            price: None,
            inventory: 2,
        });
        let blue = before.variants[0].id;
        let fewer = VariantChange::Change {
            id: blue,
            changes: VariantChanges { inventory_delta: Some(-1), ..VariantChanges::default() },
        };
        let changes = ProductChanges { variants: vec![add, fewer], ..ProductChanges::default() };
        let moved = |outcome: &Outcome| -> Vec<_> {
            outcome.stock.iter().map(|change| (change.reason, change.delta)).collect()
        };
        let now = Timestamp::from_micros(1);
        let outcome = update(&before, changes, 5, &ids, now).unwrap();
        let reasons = [(StockReason::Adjustment, -1), (StockReason::Initial, 2)];
        assert_eq!(moved(&outcome), reasons);
        let after = outcome.product;
        let names: Vec<_> = after.variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(names, ["Azul", "Rojo"]);

        let gone = |force| ProductChanges {
            remove_variants: vec![blue],
            force,
            ..ProductChanges::default()
        };
        let refused = update(&after, gone(false), 5, &ids, now).unwrap_err();
        let holds = ProductError::VariantHoldsStock { id: blue, inventory: 2 };
        assert_eq!(refused, Refused::Rule(holds));
        let outcome = update(&after, gone(true), 5, &ids, now).unwrap();
        assert_eq!(moved(&outcome), [(StockReason::Removal, -2)]);
        let refused = update(&outcome.product, gone(true), 5, &ids, now).unwrap_err();
        assert!(
            matches!(refused, Refused::Invalid(faults) if faults[0].field == "removeVariants[0]")
        );
    }

    #[test]
    fn a_relative_change_takes_no_more_than_there_is() {
        let by = |inventory_delta| ProductChanges {
            inventory_delta: Some(inventory_delta),
            ..ProductChanges::default()
        };
        for delta in [-10, -1, 1, 90] {
            let (before, after) = changed(by(delta));
            assert_eq!(after.product.inventory, before.inventory + delta);
        }
        let ids = IdSource::default();
        let before = product(&ids);
        let refused = |delta| update(&before, by(delta), 5, &ids, Timestamp::from_micros(1));
        let short =
            ProductError::InsufficientStock { field: "inventoryDelta".to_owned(), available: 10 };
        assert_eq!(refused(-11).unwrap_err(), Refused::Rule(short));
        assert!(matches!(refused(i64::MAX).unwrap_err(), Refused::Invalid(_)));
    }

    #[test]
    fn a_count_that_was_read_before_sales_is_stale() {
        let read = product(&IdSource::default());
        let mut sold = read.clone();
        sold.inventory = 2;
        let seen = |product: &Product, stock| Seen { version: product.version, stock };
        let digest = Some(read.stock_digest());
        let price = ProductChanges { price: Some(Amount::ZERO), ..ProductChanges::default() };
        let count = ProductChanges { inventory: Some(10), ..ProductChanges::default() };
        let more = ProductChanges { inventory_delta: Some(1), ..ProductChanges::default() };
        for (changes, present, stock, is_stale) in [
            (&price, &sold, digest, false),
            (&more, &sold, digest, false),
            (&count, &read, digest, false),
            (&count, &sold, digest, true),
            (&count, &read, None, true),
        ] {
            assert_eq!(seen(&read, stock).is_stale(present, changes), is_stale, "{changes:?}");
        }
        sold.version += 1;
        assert!(seen(&read, Some(sold.stock_digest())).is_stale(&sold, &price));
    }

    #[test]
    fn a_sku_names_one_thing() {
        let ids = IdSource::default();
        let before = product(&ids);
        let changes = ProductChanges { sku: Some("T-1A".to_owned()), ..ProductChanges::default() };
        let refused = update(&before, changes, 5, &ids, Timestamp::from_micros(1)).unwrap_err();
        assert!(
            matches!(refused, Refused::Invalid(faults) if faults[0].field == "variants[0].sku")
        );
    }

    #[test]
    fn a_deleted_product_leaves_no_stock() {
        let gone = delete(&product(&IdSource::default()));
        assert_eq!(gone.stock.iter().map(|change| change.left).collect::<Vec<_>>(), [0, 0]);
    }
}
