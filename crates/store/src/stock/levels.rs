//! Levels of stock: locked, judged by whoever wants to move them, and moved with their ledger.
//!
//! What all other warehouses of an account have of something is kept in its level of the first one, the *home row*. Whoever
//! moves anything of it has locked that row, so its sum is exact, and so is who took it below a threshold.

mod low;
mod writing;

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use inventory::{Level, Move, MovementId, Sku, Valued, WarehouseId, count::Shelf};
use kernel::{AccountId, Amount, Currency, Decimals, Measure, NewEvent, Quantity, Timestamp};

use super::{
    ledger::{MovementRow, sku, variant_column},
    places::{first_warehouse, is_sellable},
};
use crate::{
    db::{Db, all_locked},
    events,
    rows::{corrupt, decimals},
    schema::{
        accounts, products,
        stock_levels::{self, dsl},
        variants,
    },
    tx::Tx,
};
pub(crate) use low::{add_home, renew_low};
use writing::LevelChange;

#[derive(Queryable, Selectable, Clone)]
#[diesel(table_name = stock_levels)]
struct LevelRow {
    product_id: String,
    variant_id: String,
    warehouse_id: String,
    quantity: i64,
    committed: i64,
    sellable: bool,
    elsewhere: i64,
    average_cost: Option<i64>,
    changes: i64,
    corrections: i64,
}

/// What lies where of some products and variants, locked until the end of the transaction. SQLite has one writer at a
/// time: nothing to lock.
pub(crate) struct Levels {
    account: AccountId,
    /// The identifier of the first warehouse.
    home: String,
    rows: BTreeMap<(Sku, String), LevelRow>,
}

/// How the stock of something changes that can be promised in all warehouses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Total {
    pub(crate) sku: Sku,
    pub(crate) before: Quantity,
    pub(crate) after: Quantity,
}

impl Levels {
    /// Locks all levels of these, each in the order in which orders do, and makes the home rows that are missing.
    pub(crate) fn locked(
        db: &mut Db,
        account: AccountId,
        skus: impl IntoIterator<Item = Sku>,
    ) -> QueryResult<Self> {
        let skus: BTreeSet<Sku> = skus.into_iter().collect();
        let products = skus.iter().map(|sku| sku.product.to_string()).collect();
        let mut levels = Self::of_products(db, account, &products)?;
        // A statement that waits for a lock does not see rows that came meanwhile; the next one does.
        if matches!(db, Db::Postgres(_)) {
            levels = Self::of_products(db, account, &products)?;
        }
        let lacks_home = |sku: &&Sku| !levels.rows.contains_key(&(**sku, levels.home.clone()));
        let homeless: Vec<Sku> = skus.iter().filter(lacks_home).copied().collect();
        if !homeless.is_empty() {
            for sku in homeless {
                add_home(db, account, sku)?;
            }
            levels = Self::of_products(db, account, &products)?;
        }
        Ok(levels)
    }

    /// Locks the levels that moves change. Those that are there need one statement alone: orders move little else.
    pub(crate) fn of_moves(db: &mut Db, account: AccountId, moves: &[Move]) -> QueryResult<Self> {
        let products = moves.iter().map(|moved| moved.sku.product.to_string()).collect();
        let levels = Self::of_products(db, account, &products)?;
        let has = |sku: Sku, place: &str| levels.row(sku, place).is_some();
        let is_there = |moved: &Move| {
            has(moved.sku, &levels.home) && has(moved.sku, &moved.warehouse.to_string())
        };
        if moves.iter().all(is_there) {
            return Ok(levels);
        }
        Self::locked(db, account, moves.iter().map(|moved| moved.sku))
    }

    /// Locks all levels of some products. Those that came while it waited are not among them.
    pub(crate) fn of_products(
        db: &mut Db,
        account: AccountId,
        products: &BTreeSet<String>,
    ) -> QueryResult<Self> {
        let rows: Vec<LevelRow> = all_locked!(
            db,
            LevelRow,
            stock_levels::table
                .filter(dsl::account_id.eq(account.to_string()))
                .filter(dsl::product_id.eq_any(products))
                .order((dsl::product_id, dsl::variant_id, dsl::warehouse_id))
        )?;
        let keyed = rows.into_iter().map(|row| {
            let sku = sku(&row.product_id, &row.variant_id)?;
            Ok(((sku, row.warehouse_id.clone()), row))
        });
        let home = first_warehouse(&account.to_string());
        Ok(Self { account, home, rows: keyed.collect::<QueryResult<_>>()? })
    }

    /// What can be promised in all warehouses, by product and variant as the columns of home rows have them.
    pub(crate) fn totals(&self) -> impl Iterator<Item = (&str, &str, Quantity)> {
        let homes = self.rows.values().filter(|row| row.warehouse_id == self.home);
        homes.map(|row| {
            (row.product_id.as_str(), row.variant_id.as_str(), row.quantity + row.elsewhere)
        })
    }

    fn row(&self, sku: Sku, place: &str) -> Option<&LevelRow> {
        self.rows.get(&(sku, place.to_owned()))
    }

    /// What a warehouse has.
    pub(crate) fn level(&self, sku: Sku, warehouse: WarehouseId) -> Level {
        let row = self.row(sku, &warehouse.to_string());
        row.map_or_else(Level::default, |row| Level {
            available: row.quantity,
            committed: row.committed,
        })
    }

    /// What a warehouse has, as people count it.
    pub(super) fn shelf(&self, sku: Sku, warehouse: WarehouseId) -> Shelf {
        let level = self.level(sku, warehouse);
        let row = self.row(sku, &warehouse.to_string());
        row.map_or_else(Shelf::default, |row| Shelf {
            level,
            changes: row.changes,
            corrections: row.corrections,
        })
    }

    /// What can be promised in all warehouses.
    pub(crate) fn total(&self, sku: Sku) -> Quantity {
        self.row(sku, &self.home).map_or(0, |row| row.quantity + row.elsewhere)
    }

    /// What is known of the cost of something, which is kept in this currency. What is in transit is on hand, too.
    pub(crate) fn valued(&self, sku: Sku, currency: Currency) -> Valued {
        let rows = self.rows.range((sku, String::new())..).take_while(|((of, _), _)| *of == sku);
        let on_hand = rows.map(|(_, row)| row.quantity + row.committed).sum();
        let average = self.row(sku, &self.home).and_then(|row| row.average_cost);
        Valued { on_hand, average: average.map(Amount::from_micros), currency }
    }

    /// Sets what a unit has cost on average.
    pub(crate) fn set_average(
        &mut self,
        db: &mut Db,
        sku: Sku,
        average: Option<Amount>,
    ) -> QueryResult<()> {
        let Some(home) = self.rows.get_mut(&(sku, self.home.clone())) else {
            return Err(corrupt("a level that was not there to be valued"));
        };
        home.average_cost = average.map(Amount::micros);
        let this = stock_levels::table
            .filter(dsl::account_id.eq(self.account.to_string()))
            .filter(dsl::product_id.eq(&home.product_id))
            .filter(dsl::variant_id.eq(&home.variant_id))
            .filter(dsl::warehouse_id.eq(&self.home));
        diesel::update(this).set(dsl::average_cost.eq(home.average_cost)).execute(db).map(drop)
    }

    /// Every place that has or had something of these, with what can be promised there.
    pub(crate) fn places(&self) -> impl Iterator<Item = (Sku, &str, Quantity)> {
        self.rows.iter().map(|((sku, place), row)| (*sku, place.as_str(), row.quantity))
    }

    /// Moves stock and writes the ledger. Levels go by their deltas; the database refuses to go below zero.
    pub(crate) fn record(
        &mut self,
        tx: &mut Tx<'_>,
        now: Timestamp,
        moves: &[Move],
    ) -> QueryResult<Vec<Total>> {
        let placed: Vec<_> =
            moves.iter().map(|moved| (moved, moved.warehouse.to_string())).collect();
        self.record_at(tx, now, &placed)
    }

    /// The same at places that may be none of a warehouse.
    pub(crate) fn record_at(
        &mut self,
        tx: &mut Tx<'_>,
        now: Timestamp,
        moves: &[(&Move, String)],
    ) -> QueryResult<Vec<Total>> {
        self.make_room(tx.db, moves)?;
        let account = self.account.to_string();
        let mut before: BTreeMap<Sku, Quantity> = BTreeMap::new();
        let mut changes: BTreeMap<(Sku, String), LevelChange> = BTreeMap::new();
        let mut rows = Vec::with_capacity(moves.len());
        for (moved, place) in moves {
            before.entry(moved.sku).or_insert_with(|| self.total(moved.sku));
            let left = self.apply(moved, place, &mut changes)?;
            let id = MovementId::from_u128(tx.ids.next());
            rows.push(MovementRow::of(&account, id, (moved, place), left, now));
        }
        writing::change_levels(tx.db, &account, changes.into_values().collect())?;
        writing::add_movements(tx.db, &rows)?;
        let total = |(sku, before)| Total { sku, before, after: self.total(sku) };
        Ok(before.into_iter().map(total).collect())
    }

    /// Makes the levels of places that never had something of what comes there.
    fn make_room(&mut self, db: &mut Db, moves: &[(&Move, String)]) -> QueryResult<()> {
        let account = self.account.to_string();
        let mut sellable: BTreeMap<&str, bool> = BTreeMap::new();
        let mut missing: BTreeMap<(Sku, String), LevelRow> = BTreeMap::new();
        for (moved, place) in moves {
            let key = (moved.sku, place.clone());
            if self.rows.contains_key(&key) || missing.contains_key(&key) {
                continue;
            }
            let is_sellable = match sellable.get(place.as_str()) {
                Some(known) => *known,
                None => {
                    let found = is_sellable(db, &account, place)?;
                    sellable.insert(place, found);
                    found
                }
            };
            missing.insert(key, LevelRow::new(moved.sku, place, is_sellable));
        }
        let rows: Vec<&LevelRow> = missing.values().collect();
        writing::add_levels(db, &account, &rows)?;
        self.rows.extend(missing);
        Ok(())
    }

    /// Moves one level here, and keeps what is to be written; what is available there afterwards.
    fn apply(
        &mut self,
        moved: &Move,
        place: &str,
        changes: &mut BTreeMap<(Sku, String), LevelChange>,
    ) -> QueryResult<Quantity> {
        let Some(row) = self.rows.get_mut(&(moved.sku, place.to_owned())) else {
            return Err(corrupt("a level that was not there to be moved"));
        };
        let is_change = moved.delta + moved.committed_delta != 0;
        let is_correction = is_change && moved.is_correction();
        row.quantity += moved.delta;
        row.committed += moved.committed_delta;
        row.changes += i64::from(is_change);
        row.corrections += i64::from(is_correction);
        let (left, is_elsewhere) = (row.quantity, row.sellable && place != self.home);
        let change = |place: &str| LevelChange::of(moved.sku, place);
        let key = (moved.sku, place.to_owned());
        let own = changes.entry(key).or_insert_with(|| change(place));
        own.delta += moved.delta;
        own.committed_delta += moved.committed_delta;
        own.changes += i64::from(is_change);
        own.corrections += i64::from(is_correction);
        if is_elsewhere && let Some(home) = self.rows.get_mut(&(moved.sku, self.home.clone())) {
            home.elsewhere += moved.delta;
            let key = (moved.sku, self.home.clone());
            let home = changes.entry(key).or_insert_with(|| change(&self.home));
            home.elsewhere_delta += moved.delta;
        }
        Ok(left)
    }
}

impl LevelRow {
    /// Where nothing has ever been.
    fn new(sku: Sku, place: &str, sellable: bool) -> Self {
        Self {
            product_id: sku.product.to_string(),
            variant_id: variant_column(sku),
            warehouse_id: place.to_owned(),
            quantity: 0,
            committed: 0,
            sellable,
            elsewhere: 0,
            average_cost: None,
            changes: 0,
            corrections: 0,
        }
    }
}

/// Tells what has fallen below its threshold just now.
pub(crate) fn tell_low(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    totals: &[Total],
) -> QueryResult<()> {
    let low = low_of(tx.db, account, totals)?;
    if low.is_empty() {
        return Ok(());
    }
    events::append(tx, account, now, low)
}

/// What is told of that.
pub(crate) fn low_of(
    db: &mut Db,
    account: AccountId,
    totals: &[Total],
) -> QueryResult<Vec<NewEvent>> {
    let fallen: Vec<&Total> = totals.iter().filter(|total| total.after < total.before).collect();
    if fallen.is_empty() {
        return Ok(Vec::new());
    }
    let thresholds = thresholds(db, account, fallen.iter().map(|total| total.sku))?;
    let low = fallen.into_iter().filter_map(|total| {
        let (threshold, decimals) = *thresholds.get(&total.sku.product.to_string())?;
        let product = catalog::ProductId::from_u128(total.sku.product.to_u128());
        let [before, after] =
            [total.before, total.after].map(|quantity| Measure::of(quantity, decimals));
        catalog::stock::falls_below(threshold, before, after)
            .then(|| catalog::events::inventory_low(product, after, threshold))
    });
    Ok(low.collect())
}

/// The stock below which products count as low, and the decimals of their quantities; what is not in the catalog any more is
/// left out.
fn thresholds(
    db: &mut Db,
    account: AccountId,
    skus: impl Iterator<Item = Sku>,
) -> QueryResult<BTreeMap<String, (Measure, Decimals)>> {
    let usual = accounts::table.find(account.to_string()).select(accounts::low_stock_threshold);
    let usual: Quantity = usual.first(db)?;
    let products: BTreeSet<String> = skus.map(|sku| sku.product.to_string()).collect();
    let own: Vec<(String, Option<Quantity>, i64)> = products::table
        .filter(products::account_id.eq(account.to_string()))
        .filter(products::id.eq_any(products))
        .filter(products::deleted_at.is_null())
        .select((products::id, products::low_stock_threshold, products::quantity_decimals))
        .load(db)?;
    let read = |(product, own, count): (String, Option<Quantity>, i64)| {
        let decimals = decimals(count)?;
        let threshold = own.map_or(Measure::whole(usual), |own| Measure::of(own, decimals));
        Ok((product, (threshold, decimals)))
    };
    own.into_iter().map(read).collect()
}

/// Whether something is in the catalog; what is not has no shelf any more.
pub(crate) fn is_sold(db: &mut Db, account: AccountId, sku: Sku) -> QueryResult<bool> {
    Ok(sold(db, account, [sku])?.contains(&sku))
}

/// Those that are in the catalog; what is not has no shelf any more.
pub(crate) fn sold(
    db: &mut Db,
    account: AccountId,
    skus: impl IntoIterator<Item = Sku>,
) -> QueryResult<BTreeSet<Sku>> {
    let mut skus: BTreeSet<Sku> = skus.into_iter().collect();
    let account = account.to_string();
    let named: BTreeSet<String> = skus.iter().map(|sku| sku.product.to_string()).collect();
    let kept: Vec<String> = products::table
        .filter(products::account_id.eq(&account))
        .filter(products::id.eq_any(named))
        .filter(products::deleted_at.is_null())
        .select(products::id)
        .load(db)?;
    let kept: BTreeSet<String> = kept.into_iter().collect();
    skus.retain(|sku| kept.contains(&sku.product.to_string()));
    let of_variants = skus.iter().filter(|sku| sku.variant.is_some());
    let of_variants: BTreeSet<String> = of_variants.map(|sku| sku.product.to_string()).collect();
    if of_variants.is_empty() {
        return Ok(skus);
    }
    let kept: Vec<(String, String)> = variants::table
        .filter(variants::account_id.eq(&account))
        .filter(variants::product_id.eq_any(of_variants))
        .select((variants::product_id, variants::id))
        .load(db)?;
    let kept: BTreeSet<(String, String)> = kept.into_iter().collect();
    let is_kept = |sku: &Sku| {
        sku.variant.is_none() || kept.contains(&(sku.product.to_string(), variant_column(*sku)))
    };
    skus.retain(is_kept);
    Ok(skus)
}
