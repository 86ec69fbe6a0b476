//! The part of a catalog that some rows are about: what there is of it, what each row makes of that, and what is to be
//! recorded in the end.

mod categories;
mod outcome;
#[cfg(test)]
mod tests;
mod variants;

use std::{collections::HashMap, sync::Arc};

use catalog::{
    Category, CategoryId, Holdings, NewProduct, Product, ProductChanges, ProductId, StockChange,
    StockReason, Tree, VariantChange, VariantChanges, category::CATEGORIES_OF_PRODUCT_MAX,
    details::IMAGES_MAX, product, product::is_sku,
};
use kernel::{Decimals, NewEvent, Quantity, Timestamp, id::IdSource, text::composed};

use crate::{Code, Column, ImportId, Key, Mode, Problem, Remembered, ToldApart, WantedProduct};
use categories::Shelving;
use outcome::problems;
use variants::{of_variant_alone, variant_change};

/// What has become of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its product or variant was not there.
    Created,
    /// Its product or variant was there, and is not as it was.
    Updated,
    /// All is as the row says already.
    Unchanged,
}

impl Verdict {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
        }
    }
}

/// What rows know of the world beside the catalog.
#[derive(Clone, Copy, Debug)]
pub struct Judging<'a> {
    /// The import, as the ledger of stock names it.
    pub import: ImportId,
    /// What becomes of rows whose product is there, or is not.
    pub mode: Mode,
    /// The products that rows of the import have made before, where those that were there are not changed.
    pub made: &'a Remembered,
    /// The account's low-stock setting.
    pub threshold: Quantity,
    /// Whether quantities may have decimals: no node of the last release takes them for pieces.
    pub takes_decimals: bool,
    /// Where identifiers come from.
    pub ids: &'a IdSource,
    /// The moment.
    pub now: Timestamp,
}

/// A product on the shelf.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As it was; `None` if it is new.
    pub before: Option<Arc<Product>>,
    /// As it is: the same until a row changes it.
    pub product: Arc<Product>,
}

/// The part of a catalog that some rows are about.
#[derive(Debug)]
pub struct Shelf<'a> {
    judging: Judging<'a>,
    shelving: Shelving,
    entries: HashMap<ProductId, Entry>,
    /// What warehouses hold of those that were there.
    holdings: HashMap<ProductId, Holdings>,
    by_sku: HashMap<String, ProductId>,
    by_external_id: HashMap<String, ProductId>,
    /// The products that are new or changed, in the order in which they first were.
    touched: Vec<ProductId>,
    /// Changes to the stock, in their order.
    pub stock: Vec<StockChange>,
    /// What subscribers are told, in its order.
    pub events: Vec<NewEvent>,
}

impl<'a> Shelf<'a> {
    /// With these products on it, and what warehouses hold of them: all that the [keys](WantedProduct::keys) of the rows find.
    /// `tree` has the categories that rows name, of those that there are.
    #[must_use]
    pub fn new(
        products: impl IntoIterator<Item = (Product, Holdings)>,
        tree: Tree,
        judging: Judging<'a>,
    ) -> Self {
        let mut shelf = Self {
            judging,
            shelving: Shelving::new(tree),
            entries: HashMap::new(),
            holdings: HashMap::new(),
            by_sku: HashMap::new(),
            by_external_id: HashMap::new(),
            touched: Vec::new(),
            stock: Vec::new(),
            events: Vec::new(),
        };
        for (product, holdings) in products {
            shelf.index(&product);
            // The decimals of quantities are no matter of files.
            shelf.holdings.insert(product.id, holdings.counted());
            let product = Arc::new(product);
            let entry = Entry { before: Some(Arc::clone(&product)), product };
            shelf.entries.insert(entry.product.id, entry);
        }
        shelf
    }

    /// The products that are new or changed.
    pub fn touched(&self) -> impl Iterator<Item = &Entry> {
        self.touched.iter().filter_map(|id| self.entries.get(id))
    }

    /// The categories that are new, each behind what it is a part of.
    #[must_use]
    pub fn categories(&self) -> &[Category] {
        self.shelving.made()
    }

    /// Makes of a row what it wants, and says what of it was left alone.
    ///
    /// # Errors
    /// What is wrong with it; then nothing has been made of it.
    pub fn judge(
        &mut self,
        wanted: &WantedProduct,
    ) -> Result<(Verdict, Vec<Problem>), Vec<Problem>> {
        let mut told = self.ignored(wanted)?;
        let categories = self.shelving.made().len();
        let verdict = self.verdict(wanted);
        if !matches!(verdict, Ok(Verdict::Created | Verdict::Updated)) {
            self.shelving.unmake(categories);
        }
        let verdict = verdict?;
        told.extend(self.left_out(wanted));
        Ok((verdict, told))
    }

    /// The images of a row that its product has no room for, or that stand beside a variant that is added to what was there.
    fn left_out(&self, wanted: &WantedProduct) -> Vec<Problem> {
        if wanted.more_images.is_empty() {
            return Vec::new();
        }
        let entry = self.found(wanted).and_then(|id| self.entries.get(&id));
        let Some(Entry { product, .. }) = entry else { return Vec::new() };
        let has = |image: &&String| product.details.images.contains(*image);
        let left = wanted.more_images.iter().filter(|image| !has(image));
        let is_full = product.details.images.len() >= IMAGES_MAX;
        let code = if is_full { Code::ImageLeftOut } else { Code::VariantFieldIgnored };
        left.map(|image| Problem::of(Column::Images, code, image)).collect()
    }

    /// What the row of a variant says of its product that is not so: a variant has none of it of its own.
    ///
    /// # Errors
    /// Another currency, since the price of the row would be one in that of the product.
    fn ignored(&self, wanted: &WantedProduct) -> Result<Vec<Problem>, Vec<Problem>> {
        let (Some(said), Key::Sku(parent)) = (&wanted.of_product, &wanted.key) else {
            return Ok(Vec::new());
        };
        let found = self.by_sku.get(parent).and_then(|id| self.entries.get(id));
        let found = found.filter(|entry| is_sku(&entry.product.sku, parent));
        let Some(Entry { product, .. }) = found else { return Ok(Vec::new()) };
        let mut differing = outcome::differing(product, said);
        let categories = self.shelving.others(wanted.categories.as_deref(), &product.category_ids);
        differing.extend(categories.map(|path| (Column::Categories, path)));
        if let Some((column, value)) =
            differing.iter().find(|(column, _)| *column == Column::Currency)
        {
            return Err(vec![Problem::of(*column, Code::VariantCurrency, value)]);
        }
        let ignored = |(column, value): (Column, String)| {
            Problem::of(column, Code::VariantFieldIgnored, &value)
        };
        Ok(differing.into_iter().map(ignored).collect())
    }

    fn verdict(&mut self, wanted: &WantedProduct) -> Result<Verdict, Vec<Problem>> {
        if self.is_so(wanted) {
            return Ok(Verdict::Unchanged);
        }
        match (&wanted.product, &wanted.variant) {
            (None, None) if wanted.more_images.is_empty() => Ok(Verdict::Unchanged),
            (None, variant) => self.judge_part(wanted, variant.as_ref()),
            (Some(product), variant) => {
                let mut changes = (**product).clone();
                changes.category_ids = self.category_ids(wanted)?;
                match self.found(wanted) {
                    Some(id) => self.judge_known(id, wanted, changes, variant.as_ref()),
                    None => self.create(wanted, changes, variant.as_ref()),
                }
            }
        }
    }

    /// Whether the row of a product says what is so and nothing else, as far as that can be told without looking further.
    fn is_so(&self, wanted: &WantedProduct) -> bool {
        let WantedProduct { product: Some(said), variant: None, categories: None, .. } = wanted
        else {
            return false;
        };
        if self.judging.mode == Mode::Create || !wanted.more_images.is_empty() {
            return false;
        }
        let entry = self.found(wanted).and_then(|id| self.entries.get(&id));
        entry.is_some_and(|entry| said.is_so(&entry.product))
    }

    /// The categories that a row names.
    fn category_ids(
        &mut self,
        wanted: &WantedProduct,
    ) -> Result<Option<Vec<CategoryId>>, Vec<Problem>> {
        let Some(paths) = &wanted.categories else { return Ok(None) };
        let mut ids = Vec::with_capacity(paths.len());
        for path in paths {
            let id = self.shelving.at(path, self.judging).map_err(|problem| vec![problem])?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if ids.len() > CATEGORIES_OF_PRODUCT_MAX {
            return Err(vec![Problem::of(Column::Categories, Code::TooManyCategories, "")]);
        }
        Ok(Some(ids))
    }

    /// The product that a row is about: by what it names, else by its external identifier.
    #[must_use]
    pub fn found(&self, wanted: &WantedProduct) -> Option<ProductId> {
        let by_key = match &wanted.key {
            Key::Sku(sku) => self.by_sku.get(sku),
            Key::ExternalId(id) => self.by_external_id.get(id),
        };
        let external_id =
            wanted.product.as_ref().and_then(|product| product.external_id.clone()).flatten();
        by_key.or_else(|| self.by_external_id.get(external_id.as_ref()?)).copied()
    }

    fn judge_known(
        &mut self,
        id: ProductId,
        wanted: &WantedProduct,
        mut changes: ProductChanges,
        variant: Option<&VariantChanges>,
    ) -> Result<Verdict, Vec<Problem>> {
        let Some(entry) = self.entries.get(&id) else {
            return Err(vec![Problem::of_row(Code::NotFound)]);
        };
        // A row may say no more than how many there are of a variant, or what it costs, without naming its product.
        if let (Key::Sku(sku), None) = (&wanted.key, variant)
            && !is_sku(&entry.product.sku, sku)
            && entry
                .product
                .variants
                .iter()
                .any(|it| it.sku.as_ref().is_some_and(|it| is_sku(it, sku)))
        {
            let variant = of_variant_alone(sku, &changes)?;
            let key = Key::Sku(composed(&entry.product.sku));
            let told_apart = ToldApart::default();
            let wanted = WantedProduct { key, told_apart, ..wanted.clone() };
            return self.judge_part(&wanted, Some(&variant));
        }
        if self.judging.mode == Mode::Create {
            return Err(vec![key_problem(wanted, Code::AlreadyExists)]);
        }
        let had = &entry.product.details.images;
        changes.details.images = with_images(had, changes.details.images, wanted);
        let mut is_new = false;
        if let Some(variant) = variant {
            let (change, adds) = variant_change(&entry.product, variant, wanted.told_apart)?;
            changes.variants.push(change);
            is_new = adds;
        }
        self.update(id, changes, is_new)
    }

    /// Makes of a row what it wants of a part of a product: of a variant or of its images.
    fn judge_part(
        &mut self,
        wanted: &WantedProduct,
        variant: Option<&VariantChanges>,
    ) -> Result<Verdict, Vec<Problem>> {
        let Key::Sku(parent) = &wanted.key else {
            return Err(vec![Problem::of_row(Code::ParentNotFound)]);
        };
        let found = self.by_sku.get(parent).and_then(|id| self.entries.get(id));
        let Some(entry) = found.filter(|entry| is_sku(&entry.product.sku, parent)) else {
            return Err(vec![Problem::of(Column::ParentSku, Code::ParentNotFound, parent)]);
        };
        let change =
            variant.map(|variant| variant_change(&entry.product, variant, wanted.told_apart));
        let change = change.transpose()?;
        let is_new = change.as_ref().is_some_and(|(_, adds)| *adds);
        let is_kept = self.judging.mode == Mode::Create && !self.is_made(entry);
        let refused = match self.judging.mode {
            Mode::Create if !is_new && variant.is_some() => Some(Code::AlreadyExists),
            // A row of an image, as that of its product was.
            Mode::Create if is_kept && variant.is_none() => {
                return Err(vec![key_problem(wanted, Code::AlreadyExists)]);
            }
            Mode::Update if is_new => Some(Code::NotFound),
            _ => None,
        };
        if let Some(code) = refused {
            let sku = variant.and_then(|variant| variant.sku.clone().flatten()).unwrap_or_default();
            return Err(vec![Problem::of(Column::Sku, code, &sku)]);
        }
        let id = entry.product.id;
        let had = &entry.product.details.images;
        let images = if is_kept { None } else { with_images(had, None, wanted) };
        let variants = change.into_iter().map(|(change, _)| change).collect();
        let mut changes = ProductChanges { variants, ..ProductChanges::default() };
        changes.details.images = images;
        self.update(id, changes, is_new)
    }

    /// Whether the import itself has made a product, in this batch or before.
    fn is_made(&self, entry: &Entry) -> bool {
        entry.before.is_none() || self.judging.made.contains(&entry.product.sku)
    }

    fn create(
        &mut self,
        wanted: &WantedProduct,
        mut changes: ProductChanges,
        variant: Option<&VariantChanges>,
    ) -> Result<Verdict, Vec<Problem>> {
        if self.judging.mode == Mode::Update {
            let sku = changes.sku.clone().unwrap_or_default();
            return Err(vec![Problem::of(Column::Sku, Code::NotFound, &sku)]);
        }
        changes.price = changes.price.or(wanted.price_if_new);
        changes.details.images = with_images(&[], changes.details.images, wanted);
        if let Some(variant) = variant {
            changes.variants.push(VariantChange::Add(outcome::new_variant(variant)?));
        }
        let decimals = changes.quantity_decimals.unwrap_or_default();
        if !decimals.is_zero() && !self.judging.takes_decimals {
            return Err(vec![Problem::of(Column::QuantityDecimals, Code::UpgradeUnfinished, "")]);
        }
        refuse_uncountable(&changes, decimals)?;
        let new = NewProduct::of(changes).map_err(|faults| problems(&faults))?;
        let Judging { ids, now, .. } = self.judging;
        let made = product::create(new, ids, now).map_err(|faults| problems(&faults))?;
        self.refuse_taken(&made.product)?;
        let id = made.product.id;
        self.index(&made.product);
        self.entries.insert(id, Entry { before: None, product: Arc::new(made.product) });
        self.touched.push(id);
        self.stock.extend(made.stock);
        self.events.extend(made.events);
        Ok(Verdict::Created)
    }

    fn update(
        &mut self,
        id: ProductId,
        changes: ProductChanges,
        is_new: bool,
    ) -> Result<Verdict, Vec<Problem>> {
        let Judging { ids, now, threshold, .. } = self.judging;
        let Some(entry) = self.entries.get(&id) else {
            return Err(vec![Problem::of_row(Code::NotFound)]);
        };
        if changes.is_so(&entry.product) {
            return Ok(Verdict::Unchanged);
        }
        let version = entry.product.version;
        let none = Holdings::default().counted();
        let decimals = changes.quantity_decimals.unwrap_or(entry.product.quantity_decimals);
        refuse_uncountable(&changes, decimals)?;
        let holdings = self.holdings.get(&id).unwrap_or(&none);
        let made = product::update(&entry.product, changes, holdings, threshold, ids, now);
        let made = made.map_err(|refused| outcome::refused(&refused))?;
        if made.product.version == version {
            return Ok(Verdict::Unchanged);
        }
        self.refuse_taken(&made.product)?;
        self.forget(id);
        self.index(&made.product);
        if let Some(entry) = self.entries.get_mut(&id) {
            let is_first = entry.before.as_ref().is_some_and(|before| *before == entry.product);
            entry.product = Arc::new(made.product);
            if is_first {
                self.touched.push(id);
            }
        }
        let import = self.judging.import;
        self.stock.extend(made.stock.into_iter().map(|change| counted_by(import, change)));
        self.events.extend(made.events);
        Ok(if is_new { Verdict::Created } else { Verdict::Updated })
    }

    fn index(&mut self, product: &Product) {
        for sku in product.skus() {
            let key = composed(sku);
            let is_spelled_so = key == sku;
            let holder = self.by_sku.entry(key).or_insert(product.id);
            // Of those that release 0.1 told apart by their spelling, the one that is spelled so is meant.
            if is_spelled_so {
                *holder = product.id;
            }
        }
        if let Some(id) = &product.external_id {
            self.by_external_id.insert(id.clone(), product.id);
        }
    }

    fn forget(&mut self, id: ProductId) {
        let Some(entry) = self.entries.get(&id) else { return };
        for sku in entry.product.skus().map(composed) {
            if self.by_sku.get(&sku) == Some(&id) {
                self.by_sku.remove(&sku);
            }
        }
        if let Some(external_id) = &entry.product.external_id {
            self.by_external_id.remove(external_id);
        }
    }

    /// One SKU names one thing, and so does an external identifier. What a product has already is not taken.
    fn refuse_taken(&self, product: &Product) -> Result<(), Vec<Problem>> {
        let before = self.entries.get(&product.id).map(|entry| &entry.product);
        let mut problems: Vec<Problem> = product
            .skus()
            .filter(|sku| self.by_sku.get(&composed(sku)).is_some_and(|it| *it != product.id))
            .filter(|sku| before.is_none_or(|before| before.skus().all(|had| had != *sku)))
            .map(|sku| Problem::of(Column::Sku, Code::DuplicateSku, sku))
            .collect();
        let external_id = product.external_id.as_deref();
        let holder = external_id.and_then(|id| self.by_external_id.get(id));
        if holder.is_some_and(|holder| *holder != product.id) {
            let id = external_id.unwrap_or_default();
            problems.push(Problem::of(Column::ExternalId, Code::DuplicateExternalId, id));
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}

/// Quantities have the decimals that are kept of the product.
fn refuse_uncountable(changes: &ProductChanges, decimals: Decimals) -> Result<(), Vec<Problem>> {
    let problems = outcome::uncountable(changes, decimals);
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The images that a product is to have, as far as a row says it: those that it sets or else has, and as many more as there is
/// room for.
fn with_images(
    had: &[String],
    set: Option<Vec<String>>,
    wanted: &WantedProduct,
) -> Option<Vec<String>> {
    if wanted.more_images.is_empty() {
        return set;
    }
    let mut images = set.unwrap_or_else(|| had.to_vec());
    for image in &wanted.more_images {
        if images.len() < IMAGES_MAX && !images.contains(image) {
            images.push(image.clone());
        }
    }
    Some(images)
}

/// A new count is that of the import.
fn counted_by(import: ImportId, change: StockChange) -> StockChange {
    match change.reason {
        StockReason::Adjustment => {
            StockChange { reason: StockReason::Import, reference: import.to_string(), ..change }
        }
        StockReason::Initial | StockReason::Removal | StockReason::Import => change,
    }
}

fn key_problem(wanted: &WantedProduct, code: Code) -> Problem {
    match &wanted.key {
        Key::Sku(sku) => Problem::of(Column::Sku, code, sku),
        Key::ExternalId(id) => Problem::of(Column::ExternalId, code, id),
    }
}
