//! Changing and removing a product.

mod nothing;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use kernel::{
    Amount, Currency, Decimals, FieldFault, Language, Measure, Message, Metadata, Quantity,
    Refused, Timestamp, id::IdSource, message,
};

use super::{
    NewVariant, Outcome, Product, ProductStatus, VARIANTS_MAX, Variant, VariantId,
    create::refuse_repeated_skus,
};
use crate::{
    CategoryId, DetailsChanges, Ean, Holdings, ProductDetails, ProductError, StockChange, StockKey,
    StockReason, Tax, events, stock,
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
    /// Decimals of its quantities; they change only while nothing is counted in them.
    pub quantity_decimals: Option<Decimals>,
    /// Stock on hand, as counted.
    pub inventory: Option<Measure>,
    /// What is added to the stock on hand, or taken from it.
    pub inventory_delta: Option<Measure>,
    /// Whether it can be ordered.
    pub status: Option<ProductStatus>,
    /// Stock level below which it counts as low.
    pub low_stock_threshold: Option<Option<Measure>>,
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
    /// The quantities that it states with decimals that are not kept of a product with these.
    #[must_use]
    pub fn uncountable(&self, decimals: Decimals) -> Vec<FieldFault> {
        let mut stated = vec![
            ("inventory".to_owned(), self.inventory),
            ("inventoryDelta".to_owned(), self.inventory_delta),
            ("lowStockThreshold".to_owned(), self.low_stock_threshold.flatten()),
        ];
        for (index, change) in self.variants.iter().enumerate() {
            let (count, delta) = match change {
                VariantChange::Add(variant) => (Some(variant.inventory), None),
                VariantChange::Change { changes, .. } => {
                    (changes.inventory, changes.inventory_delta)
                }
            };
            stated.push((format!("variants[{index}].inventory"), count));
            stated.push((format!("variants[{index}].inventoryDelta"), delta));
        }
        stated.into_iter().filter_map(|stated| uncountable(stated, decimals)).collect()
    }

    /// Whether it may change the stock of the product or of a variant.
    #[must_use]
    pub fn may_move_stock(&self) -> bool {
        self.inventory.is_some() || self.inventory_delta.is_some() || !self.variants.is_empty()
    }

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
    pub inventory: Option<Measure>,
    /// What is added to the stock on hand, or taken from it.
    pub inventory_delta: Option<Measure>,
}

/// Fields that say when and how often, not what.
const BOOKKEEPING: &[&str] = &["updatedAt", "version"];

/// Changes a product. `holdings` are what warehouses have of it, `account_threshold` is the account's low-stock setting.
/// Nothing changed means no new version and no event.
///
/// # Errors
/// The fields that contradict the product or each other: an unknown variant, the same SKU twice, a quantity with decimals that
/// are not kept. Stock that is not there to be taken, or that a variant to be removed still has. Another currency than that of
/// its average cost. Other decimals, once anything is counted in those that there are.
pub fn update(
    before: &Product,
    changes: ProductChanges,
    holdings: &Holdings,
    account_threshold: Quantity,
    ids: &IdSource,
    now: Timestamp,
) -> Result<Outcome, Refused<ProductError>> {
    if changes.is_so(before) {
        return Ok(Outcome { product: before.clone(), stock: Vec::new(), events: Vec::new() });
    }
    let mut after = before.clone();
    set(&mut after.quantity_decimals, changes.quantity_decimals);
    let decimals = after.quantity_decimals;
    let has_stock = before.inventory != Measure::ZERO
        || before.variants.iter().any(|variant| variant.inventory != Measure::ZERO);
    if decimals != before.quantity_decimals && (has_stock || holdings.are_counted()) {
        let decimals = before.quantity_decimals;
        return Err(Refused::Rule(ProductError::QuantityDecimalsFixed { decimals }));
    }
    refuse_uncountable(before, &changes, decimals).map_err(Refused::Invalid)?;
    after.variants = merged(&before.variants, changes.variants, decimals, ids)?;
    let gone = (changes.remove_variants.as_slice(), changes.force);
    remove(&mut after.variants, gone, before, holdings)?;
    move_stock(&mut after.inventory, changes.inventory_delta, decimals, "inventoryDelta")?;
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
    let kept = kept_amounts(&before.details, &changes.details);
    after.details = changes.details.of(after.details);
    set(&mut after.category_ids, changes.category_ids);
    set(&mut after.metadata, changes.metadata);
    refuse_repeated_skus(&after).map_err(Refused::Invalid)?;
    if after.currency != before.currency {
        refuse_amounts(kept, before.currency).map_err(Refused::Invalid)?;
        refuse_cost(before, &after, holdings)?;
    }
    if after.variants.len() > VARIANTS_MAX {
        return Err(Refused::Invalid(vec![too_many_variants()]));
    }

    let Some(changed) = kernel::json::changes(before, &after, BOOKKEEPING) else {
        return Ok(Outcome { product: after, stock: Vec::new(), events: Vec::new() });
    };
    after.version += 1;
    after.updated_at = now;
    let stock = recounts(before, &after, StockReason::Adjustment);
    let threshold = after.low_stock_threshold.unwrap_or(Measure::whole(account_threshold));
    let low = stock
        .iter()
        .filter(|change| change.reason == StockReason::Adjustment)
        .map(|change| [change.left - change.delta, change.left])
        .map(|counts| counts.map(|count| Measure::of(count, decimals)))
        .filter(|[was, left]| stock::falls_below(threshold, *was, *left))
        .map(|[_, left]| events::inventory_low(after.id, left, threshold));
    let events = std::iter::once(events::updated(after.id, &changed)).chain(low).collect();
    Ok(Outcome { product: after, stock, events })
}

/// Takes a product out of the catalog, its stock with it.
#[must_use]
pub fn delete(product: &Product) -> Outcome {
    let mut gone = product.clone();
    gone.inventory = Measure::ZERO;
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
    decimals: Decimals,
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
        let field = field("inventoryDelta");
        move_stock(&mut variant.inventory, changes.inventory_delta, decimals, &field)?;
    }
    if faults.is_empty() { Ok(after) } else { Err(Refused::Invalid(faults)) }
}

/// Removes variants; without force only those of which nothing is left anywhere once the other changes are made.
fn remove(
    variants: &mut Vec<Variant>,
    (gone, force): (&[VariantId], bool),
    before: &Product,
    holdings: &Holdings,
) -> Result<(), Refused<ProductError>> {
    for (index, id) in gone.iter().enumerate() {
        let Some(place) = variants.iter().position(|variant| variant.id == *id) else {
            let field = format!("removeVariants[{index}]");
            return Err(Refused::Invalid(vec![FieldFault::new(field, not_of_this_product())]));
        };
        let variant = variants.remove(place);
        let known = before.variants.iter().find(|variant| variant.id == *id);
        let was = known.map_or(Measure::ZERO, |was| was.inventory);
        let held = Measure::of(holdings.of(Some(*id)).on_hand, before.quantity_decimals);
        let on_hand = held + variant.inventory - was;
        if on_hand > Measure::ZERO && !force {
            return Err(Refused::Rule(ProductError::VariantHoldsStock { id: *id, on_hand }));
        }
    }
    Ok(())
}

/// The fields with amounts that a change leaves as they are.
fn kept_amounts(before: &ProductDetails, changes: &DetailsChanges) -> [Option<&'static str>; 2] {
    let fields = [
        ("cost", before.cost, changes.cost),
        ("compareAtPrice", before.compare_at_price, changes.compare_at_price),
    ];
    fields.map(|(field, is, change)| (is.is_some() && change.is_none()).then_some(field))
}

/// An amount in one currency is none in another.
fn refuse_amounts(
    kept: [Option<&'static str>; 2],
    currency: Currency,
) -> Result<(), Vec<FieldFault>> {
    let fault = |field| {
        let problem = message!(
            "is in {currency}: state it in the new currency, or clear it with null",
            "está en {currency}: indicarlo en la nueva moneda o borrarlo con null"
        );
        FieldFault::new(field, problem)
    };
    let faults: Vec<_> = kept.into_iter().flatten().map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A cost in one currency is none in another.
fn refuse_cost(
    before: &Product,
    after: &Product,
    holdings: &Holdings,
) -> Result<(), Refused<ProductError>> {
    let variants = after.variants.iter().map(|variant| Some(variant.id));
    let mut costs = std::iter::once(None)
        .chain(variants)
        .filter_map(|variant| Some((variant, holdings.of(variant).average_cost?)));
    match costs.next() {
        None => Ok(()),
        Some((variant, cost)) => {
            let currency = before.currency;
            Err(Refused::Rule(ProductError::HasAverageCost { variant, cost, currency }))
        }
    }
}

/// Quantities that a change states have the decimals that are kept then, and so has the threshold that stays.
fn refuse_uncountable(
    before: &Product,
    changes: &ProductChanges,
    decimals: Decimals,
) -> Result<(), Vec<FieldFault>> {
    let mut faults = changes.uncountable(decimals);
    let staying = before.low_stock_threshold.filter(|_| changes.low_stock_threshold.is_none());
    faults.extend(uncountable(("lowStockThreshold".to_owned(), staying), decimals));
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// A quantity with decimals that are not kept.
fn uncountable(
    (field, count): (String, Option<Measure>),
    decimals: Decimals,
) -> Option<FieldFault> {
    count?.kept(decimals).err().map(|problem| FieldFault::new(field, problem))
}

/// Adds to stock, or takes from it what there is.
fn move_stock(
    stock: &mut Measure,
    delta: Option<Measure>,
    decimals: Decimals,
    field: &str,
) -> Result<(), Refused<ProductError>> {
    let Some(delta) = delta else { return Ok(()) };
    let moved = *stock + delta;
    if moved.is_negative() {
        let (field, available) = (field.to_owned(), *stock);
        return Err(Refused::Rule(ProductError::InsufficientStock { field, available }));
    }
    moved.kept(decimals).map_err(|problem| {
        let problem = Message::both(|language| match language {
            Language::English => format!("leads to a stock that {}", problem.in_language(language)),
            Language::Spanish => {
                format!("lleva a una existencia que {}", problem.in_language(language))
            }
        });
        Refused::Invalid(vec![FieldFault::new(field, problem)])
    })?;
    *stock = moved;
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
    let decimals = after.quantity_decimals;
    let own = (None, before.inventory, after.inventory, reason);
    let kept = after.variants.iter().map(|variant| {
        let old = was(variant.id);
        let reason = if old.is_some() { StockReason::Adjustment } else { StockReason::Initial };
        let had = old.map_or(Measure::ZERO, |old| old.inventory);
        (Some(variant.id), had, variant.inventory, reason)
    });
    let removed = before
        .variants
        .iter()
        .filter(|old| after.variants.iter().all(|variant| variant.id != old.id))
        .map(|old| (Some(old.id), old.inventory, Measure::ZERO, StockReason::Removal));
    std::iter::once(own)
        .chain(kept)
        .chain(removed)
        .filter(|(_, old, new, _)| old != new)
        .map(|(variant, old, new, reason)| StockChange {
            key: StockKey { product: before.id, variant },
            delta: (new - old).quantity(decimals),
            left: new.quantity(decimals),
            reason,
            reference: before.id.to_string(),
        })
        .collect()
}
