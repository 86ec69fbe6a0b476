//! Many products at once: what rows of a file are about, and what they make of it. Each table is written by one statement
//! on PostgreSQL, and by one that is prepared once on SQLite.

mod postgres;
mod sqlite;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use catalog::{Product, Variant};
use diesel::prelude::*;
use imports::{Entry, Key, Shelf};
use kernel::{AccountId, Quantity, Timestamp};

use super::rows::{ProductRow, Rows, SearchColumns, VariantRow, all_with_variants};
use crate::{
    catalog::stock::{MovementId, MovementRow, default_warehouse, variant_column},
    counters,
    db::{Db, all_locked},
    events,
    schema::{
        accounts, products, skus,
        stock_levels::{self, dsl as level},
    },
    tx::Tx,
};

/// An account's low-stock setting.
pub(crate) fn threshold_of(db: &mut Db, account: AccountId) -> QueryResult<Quantity> {
    accounts::table.find(account.to_string()).select(accounts::low_stock_threshold).first(db)
}

/// The products that any of these keys finds, they and their stock locked until the end of the transaction.
pub(crate) fn found_by<'k>(
    tx: &mut Tx<'_>,
    account: AccountId,
    keys: impl Iterator<Item = &'k Key>,
) -> QueryResult<Vec<Product>> {
    let account = account.to_string();
    let (mut by_sku, mut by_external_id) = (BTreeSet::new(), BTreeSet::new());
    for key in keys {
        match key {
            Key::Sku(sku) => by_sku.insert(sku.as_str()),
            Key::ExternalId(id) => by_external_id.insert(id.as_str()),
        };
    }
    let mut ids: BTreeSet<String> = skus::table
        .filter(skus::account_id.eq(&account))
        .filter(skus::sku.eq_any(by_sku))
        .select(skus::product_id)
        .load(tx.db)?
        .into_iter()
        .collect();
    if !by_external_id.is_empty() {
        let found: Vec<String> = products::table
            .filter(products::account_id.eq(&account))
            .filter(products::external_id.eq_any(by_external_id))
            .select(products::id)
            .load(tx.db)?;
        ids.extend(found);
    }
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    if let Db::Postgres(conn) = &mut *tx.db {
        // Stock first, as orders do.
        let levels: Vec<Quantity> = stock_levels::table
            .filter(level::account_id.eq(&account))
            .filter(level::product_id.eq_any(&ids))
            .order((level::product_id, level::variant_id, level::warehouse_id))
            .select(level::quantity)
            .for_update()
            .load(conn)?;
        drop(levels);
    }
    let rows = all_locked!(
        tx.db,
        ProductRow,
        products::table
            .filter(products::account_id.eq(&account))
            .filter(products::id.eq_any(&ids))
            .filter(products::deleted_at.is_null())
            .order(products::id)
    )?;
    let found = all_with_variants(tx.db, rows, Rows::Scattered)?;
    found.into_iter().map(|(_, product)| product).collect()
}

/// What is to be written.
#[derive(Default)]
struct Changes {
    freed_skus: Vec<SkuRow>,
    taken_skus: Vec<SkuRow>,
    new: Vec<WholeRow>,
    changed: Vec<WholeRow>,
    /// Products whose variants are written anew.
    revised: Vec<String>,
    variants: Vec<VariantRow>,
    levels: Vec<LevelRow>,
    movements: Vec<MovementRow>,
}

/// A SKU that is taken or freed.
#[derive(Insertable)]
#[diesel(table_name = skus, treat_none_as_default_value = false)]
struct SkuRow {
    account_id: String,
    sku: String,
    product_id: String,
}

/// A product as a row, with what only the database uses.
struct WholeRow {
    product: ProductRow,
    search: SearchColumns,
}

/// How a level moves.
#[derive(Insertable)]
#[diesel(table_name = stock_levels, treat_none_as_default_value = false)]
struct LevelRow {
    account_id: String,
    product_id: String,
    variant_id: String,
    warehouse_id: String,
    quantity: i64,
}

/// Records what has become of the products on a shelf.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    shelf: Shelf<'_>,
) -> QueryResult<()> {
    let changes = Changes::of(tx, account, now, &shelf)?;
    match &mut *tx.db {
        Db::Sqlite(conn) => sqlite::write(conn, &changes)?,
        Db::Postgres(conn) => postgres::write(conn, &changes)?,
    }
    let created = changes.new.len();
    if created > 0 {
        let created = i64::try_from(created).unwrap_or(i64::MAX);
        counters::add(tx.db, account, super::COUNTER, created)?;
    }
    events::append(tx, account, now, shelf.events)
}

impl Changes {
    fn of(tx: &Tx<'_>, account: AccountId, now: Timestamp, shelf: &Shelf<'_>) -> QueryResult<Self> {
        let account = account.to_string();
        let mut changes = Self::default();
        for entry in shelf.touched() {
            changes.add(&account, entry)?;
        }
        changes.add_stock(tx, &account, now, shelf);
        Ok(changes)
    }

    fn add(&mut self, account: &str, Entry { before, product }: &Entry) -> QueryResult<()> {
        let row = |sku: &str| SkuRow {
            account_id: account.to_owned(),
            sku: sku.to_owned(),
            product_id: product.id.to_string(),
        };
        let had: HashSet<&str> = before.iter().flat_map(Product::skus).collect();
        let has: HashSet<&str> = product.skus().collect();
        self.freed_skus.extend(had.difference(&has).map(|sku| row(sku)));
        self.taken_skus.extend(has.difference(&had).map(|sku| row(sku)));
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
                if !are_same(&before.variants, &product.variants) {
                    self.revised.push(product.id.to_string());
                    self.variants.extend(variants());
                }
            }
        }
        Ok(())
    }

    fn add_stock(&mut self, tx: &Tx<'_>, account: &str, now: Timestamp, shelf: &Shelf<'_>) {
        let warehouse = default_warehouse(account);
        let mut levels: BTreeMap<(String, String), i64> = BTreeMap::new();
        for change in &shelf.stock {
            let product_id = change.key.product.to_string();
            let variant_id = variant_column(change.key);
            *levels.entry((product_id.clone(), variant_id.clone())).or_default() += change.delta;
            self.movements.push(MovementRow {
                account_id: account.to_owned(),
                id: MovementId::from_u128(tx.ids.next()).to_string(),
                product_id,
                variant_id,
                warehouse_id: warehouse.clone(),
                delta: change.delta,
                quantity_after: change.left,
                reason: change.reason.name(),
                reference: change.reference.clone(),
                created_at: now.micros(),
            });
        }
        let moved = levels.into_iter().filter(|(_, delta)| *delta != 0);
        self.levels = moved
            .map(|((product_id, variant_id), quantity)| LevelRow {
                account_id: account.to_owned(),
                product_id,
                variant_id,
                warehouse_id: warehouse.clone(),
                quantity,
            })
            .collect();
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
