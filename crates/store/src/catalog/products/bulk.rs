//! Many products at once: what rows of a file are about, and what they make of it. Each table is written by one statement
//! on PostgreSQL, and by one that is prepared once on SQLite. One product by itself is written the same way.

mod postgres;
mod sqlite;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use catalog::{CategoryId, Holdings, Product, ProductId, StockChange, Variant, VariantId};
use diesel::prelude::*;
use imports::{Entry, ImportId, Key, Shelf};
use inventory::{Move, MovementId, Reason, warehouse::first_of};
use kernel::{AccountId, Measure, Quantity, Timestamp, text::spellings};

use super::{
    are_low_alike,
    rows::{
        ProductRow, Rows, SearchColumns, Stock, VariantRow, all_with_variants, put_together,
        variants_of,
    },
};
use crate::{
    catalog::{categories, stock},
    counters,
    db::{Db, all_locked},
    events,
    rows::read_name,
    schema::{accounts, product_categories, products, skus, stock_levels},
    stock::{
        ledger::{MovementRow, variant_column},
        levels::{self, Levels},
        places::{first_warehouse, taken_from},
    },
    tx::Tx,
};

/// An account's low-stock setting.
pub(crate) fn threshold_of(db: &mut Db, account: AccountId) -> QueryResult<Quantity> {
    accounts::table.find(account.to_string()).select(accounts::low_stock_threshold).first(db)
}

/// Products of an account, by their identifiers.
macro_rules! these {
    ($account:expr, $ids:expr) => {
        products::table
            .filter(products::account_id.eq($account.to_string()))
            .filter(products::id.eq_any($ids))
            .filter(products::deleted_at.is_null())
            .order(products::id)
    };
}

/// The products that any of these keys finds and what warehouses hold of them, all locked until the end of the transaction.
pub(crate) fn found_by<'k>(
    tx: &mut Tx<'_>,
    account: AccountId,
    keys: impl Iterator<Item = &'k Key>,
) -> QueryResult<Vec<(Product, Holdings)>> {
    let ids = ids_of(tx.db, account, keys)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    // Stock first, as orders do.
    let mut levels = Levels::of_products(tx.db, account, &ids)?;
    let rows: Vec<ProductRow> = all_locked!(tx.db, ProductRow, these!(account, &ids))?;
    let variants = variants_of(tx.db, &rows)?;
    let mut stock = stock_of(&levels);
    let has_stock = |row: &VariantRow| {
        stock.get(&row.product_id).is_some_and(|counts| counts.contains_key(&row.id))
    };
    if !variants.iter().all(has_stock) {
        // Some came while the levels were waited for.
        levels = Levels::of_products(tx.db, account, &ids)?;
        stock = stock_of(&levels);
    }
    let found = put_together(rows, variants, stock);
    let with_holdings = |product: Product| {
        let holdings = stock::holdings(&levels, &product);
        (product, holdings)
    };
    found.into_iter().map(|(_, product)| product.map(with_holdings)).collect()
}

/// The products that any of these keys finds, for who changes none of them: they are not locked, and others may change them
/// meanwhile.
pub(crate) fn seen_by<'k>(
    tx: &mut Tx<'_>,
    account: AccountId,
    keys: impl Iterator<Item = &'k Key>,
) -> QueryResult<Vec<Product>> {
    let ids = ids_of(tx.db, account, keys)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<ProductRow> =
        these!(account, &ids).select(ProductRow::as_select()).load(tx.db)?;
    let found = all_with_variants(tx.db, rows, Rows::Scattered)?;
    found.into_iter().map(|(_, product)| product).collect()
}

/// The identifiers of the products that any of these keys finds.
fn ids_of<'k>(
    db: &mut Db,
    account: AccountId,
    keys: impl Iterator<Item = &'k Key>,
) -> QueryResult<BTreeSet<String>> {
    let account = account.to_string();
    let (mut by_sku, mut by_external_id) = (BTreeSet::new(), BTreeSet::new());
    for key in keys {
        match key {
            Key::Sku(sku) => by_sku.extend(spellings(sku)),
            Key::ExternalId(id) => drop(by_external_id.insert(id.as_str())),
        }
    }
    let mut ids: BTreeSet<String> = skus::table
        .filter(skus::account_id.eq(&account))
        .filter(skus::sku.eq_any(by_sku))
        .select(skus::product_id)
        .load(db)?
        .into_iter()
        .collect();
    if !by_external_id.is_empty() {
        let found: Vec<String> = products::table
            .filter(products::account_id.eq(&account))
            .filter(products::external_id.eq_any(by_external_id))
            .select(products::id)
            .load(db)?;
        ids.extend(found);
    }
    Ok(ids)
}

fn stock_of(levels: &Levels) -> Stock {
    let mut stock = Stock::new();
    for (product, variant, count) in levels.totals() {
        stock.entry(product.to_owned()).or_default().insert(variant.to_owned(), count);
    }
    stock
}

/// What is to be written.
#[derive(Default)]
struct Changes {
    freed_skus: Vec<SkuRow>,
    taken_skus: Vec<SkuRow>,
    left_categories: Vec<InsideRow>,
    entered_categories: Vec<InsideRow>,
    new: Vec<WholeRow>,
    changed: Vec<WholeRow>,
    /// Products whose variants are written anew.
    revised: Vec<String>,
    variants: Vec<VariantRow>,
    /// The home rows of what is new.
    levels: Vec<LevelRow>,
    movements: Vec<MovementRow>,
    /// Products whose stock is to be judged anew: their thresholds, decimals or variants have changed.
    judged: Vec<String>,
    /// Variants that products which were there have got.
    added: Vec<(ProductId, VariantId)>,
    /// Changes to the stock of what was there.
    moved: Vec<StockChange>,
}

/// A SKU that is taken or freed.
#[derive(Insertable)]
#[diesel(table_name = skus, treat_none_as_default_value = false)]
struct SkuRow {
    account_id: String,
    sku: String,
    product_id: String,
}

/// A product in a category.
#[derive(Insertable)]
#[diesel(table_name = product_categories, treat_none_as_default_value = false)]
struct InsideRow {
    account_id: String,
    category_id: String,
    product_id: String,
}

/// A product as a row, with what only the database uses.
struct WholeRow {
    product: ProductRow,
    search: SearchColumns,
}

/// A level that is new.
#[derive(Insertable)]
#[diesel(table_name = stock_levels, treat_none_as_default_value = false)]
struct LevelRow {
    account_id: String,
    product_id: String,
    variant_id: String,
    warehouse_id: String,
    quantity: i64,
    low_below: i64,
    is_low: bool,
}

/// Records what an import has made of the products on a shelf, in an account with this low-stock setting.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    (account, import): (AccountId, ImportId),
    (now, threshold): (Timestamp, Quantity),
    shelf: Shelf<'_>,
) -> QueryResult<()> {
    if shelf.touched().next().is_none() {
        return Ok(());
    }
    categories::add(tx, account, shelf.categories())?;
    let changes = Changes::of(tx, account, (now, threshold), &shelf)?;
    changes.write(tx.db)?;
    for (product, variant) in &changes.added {
        stock::make_room(tx, account, *product, std::iter::once(*variant))?;
    }
    levels::renew_low(tx.db, account, &changes.judged)?;
    stock::apply(tx, account, now, &changes.moved)?;
    let created = changes.new.len();
    if created > 0 {
        let created = i64::try_from(created).unwrap_or(i64::MAX);
        counters::add(tx.db, account, super::COUNTER, created)?;
    }
    events::append_batch(tx, (account, import.to_string()), now, shelf.events)
}

/// Writes a product that is new, in an account with this low-stock setting, and its first stock: with its home rows if new stock
/// is put into the first warehouse.
pub(super) fn insert(
    tx: &mut Tx<'_>,
    account: AccountId,
    (now, threshold): (Timestamp, Quantity),
    product: &Product,
    (first, is_put_home): (&[StockChange], bool),
) -> QueryResult<()> {
    let mut changes = Changes::default();
    changes.add(&account.to_string(), None, product)?;
    let new = std::iter::once(product);
    changes.add_stock(tx, account, (now, threshold), new, (first, is_put_home))?;
    changes.write(tx.db)?;
    stock::apply(tx, account, now, &changes.moved)
}

/// Writes what has changed of a product in its row, its variants, its SKUs and its categories.
pub(super) fn save(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: &Product,
    after: &Product,
) -> QueryResult<()> {
    let mut changes = Changes::default();
    changes.add(&account.to_string(), Some(before), after)?;
    changes.write(tx.db)
}

impl Changes {
    fn write(&self, db: &mut Db) -> QueryResult<()> {
        match db {
            Db::Sqlite(conn) => sqlite::write(conn, self),
            Db::Postgres(conn) => postgres::write(conn, self),
        }
    }

    fn of(
        tx: &mut Tx<'_>,
        account: AccountId,
        (now, threshold): (Timestamp, Quantity),
        shelf: &Shelf<'_>,
    ) -> QueryResult<Self> {
        let mut changes = Self::default();
        for Entry { before, product } in shelf.touched() {
            changes.add(&account.to_string(), before.as_deref(), product)?;
        }
        let new = shelf.touched().filter(|entry| entry.before.is_none());
        let new = new.map(|entry| &*entry.product);
        let place = taken_from(tx.db, account)?.first().copied();
        let is_put_home = place.is_none_or(|place| place == first_of(account));
        let moves = (shelf.stock.as_slice(), is_put_home);
        changes.add_stock(tx, account, (now, threshold), new, moves)?;
        Ok(changes)
    }

    fn add(
        &mut self,
        account: &str,
        before: Option<&Product>,
        product: &Product,
    ) -> QueryResult<()> {
        let row = |sku: &str| SkuRow {
            account_id: account.to_owned(),
            sku: sku.to_owned(),
            product_id: product.id.to_string(),
        };
        let had: HashSet<&str> = before.into_iter().flat_map(Product::skus).collect();
        let has: HashSet<&str> = product.skus().collect();
        self.freed_skus.extend(had.difference(&has).map(|sku| row(sku)));
        self.taken_skus.extend(has.difference(&had).map(|sku| row(sku)));
        let inside = |category: &CategoryId| InsideRow {
            account_id: account.to_owned(),
            category_id: category.to_string(),
            product_id: product.id.to_string(),
        };
        let was_in: &[CategoryId] = before.map_or(&[], |before| before.category_ids.as_slice());
        let is_in = &product.category_ids;
        let left = was_in.iter().filter(|category| !is_in.contains(category));
        self.left_categories.extend(left.map(inside));
        let entered = is_in.iter().filter(|category| !was_in.contains(category));
        self.entered_categories.extend(entered.map(inside));
        let whole = WholeRow {
            product: ProductRow::of(account, product)?,
            search: SearchColumns::of(product),
        };
        let variants = || {
            let all = product.variants.iter().enumerate();
            all.map(|(place, variant)| VariantRow::of(account, product.id, place, variant))
        };
        match before {
            None => {
                self.new.push(whole);
                self.variants.extend(variants());
            }
            Some(before) => {
                self.changed.push(whole);
                let had = |id| before.variants.iter().any(|variant| variant.id == id);
                let added = product.variants.iter().map(|variant| variant.id);
                self.added.extend(added.filter(|id| !had(*id)).map(|id| (product.id, id)));
                if !are_low_alike(before, product) {
                    self.judged.push(product.id.to_string());
                }
                if !are_same(&before.variants, &product.variants) {
                    self.revised.push(product.id.to_string());
                    self.variants.extend(variants());
                }
            }
        }
        Ok(())
    }

    /// What is new has its home row at once, with its stock where that is the place for it; the stock of what was there moves
    /// as any other does.
    fn add_stock<'p>(
        &mut self,
        tx: &Tx<'_>,
        account: AccountId,
        (now, threshold): (Timestamp, Quantity),
        new: impl Iterator<Item = &'p Product>,
        (moves, is_put_home): (&[StockChange], bool),
    ) -> QueryResult<()> {
        let usual = Measure::whole(threshold);
        let mut levels: BTreeMap<_, (Quantity, Quantity)> = new
            .flat_map(|product| {
                let own = product.low_stock_threshold.unwrap_or(usual);
                let low_below = own.quantity(product.quantity_decimals);
                let variants = product.variants.iter().map(|variant| Some(variant.id));
                let skus = std::iter::once(None).chain(variants);
                skus.map(move |variant| (stock::sku(product.id, variant), (0, low_below)))
            })
            .collect();
        let home = first_warehouse(&account.to_string());
        for change in moves {
            let sku = stock::sku(change.key.product, change.key.variant);
            let Some((level, _)) = levels.get_mut(&sku).filter(|_| is_put_home) else {
                self.moved.push(change.clone());
                continue;
            };
            *level += change.delta;
            let reason = read_name(change.reason.name(), Reason::EVERY, Reason::name)?;
            let moved =
                Move::new((sku, first_of(account)), change.delta, reason, &change.reference);
            let id = MovementId::from_u128(tx.ids.next());
            let row = MovementRow::of(&account.to_string(), id, (&moved, &home), change.left, now);
            self.movements.push(row);
        }
        let level =
            |(sku, (quantity, low_below)): (inventory::Sku, (Quantity, Quantity))| LevelRow {
                account_id: account.to_string(),
                product_id: sku.product.to_string(),
                variant_id: variant_column(sku),
                warehouse_id: home.clone(),
                quantity,
                low_below,
                is_low: quantity < low_below,
            };
        self.levels = levels.into_iter().map(level).collect();
        Ok(())
    }
}

/// Whether variants are the same but for their stock, which is kept elsewhere.
fn are_same(before: &[Variant], after: &[Variant]) -> bool {
    let pairs = || before.iter().zip(after);
    before.len() == after.len()
        && pairs().all(|(before, after)| {
            *after == Variant { inventory: after.inventory, ..before.clone() }
        })
}
