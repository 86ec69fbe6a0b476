//! Levels of stock: locked, judged by whoever wants to move them, and moved with their ledger.
//!
//! What all other warehouses of an account have of something is kept in its level of the first one, the *home row*. Whoever
//! moves anything of it has locked that row, so its sum is exact, and so is who took it below a threshold.

use std::collections::{BTreeMap, BTreeSet};

use diesel::prelude::*;
use inventory::{Level, Move, MovementId, Sku, Valued, WarehouseId};
use kernel::{AccountId, Amount, Currency, Quantity, Timestamp};

use super::{
    ledger::{MovementRow, sku, variant_column},
    places::{first_warehouse, is_sellable},
};
use crate::{
    db::{Db, all_locked, on},
    events,
    rows::corrupt,
    schema::{
        accounts, products,
        stock_levels::{self, dsl},
        stock_movements, variants,
    },
    statement::Statement,
    tx::Tx,
};

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
        let account = self.account.to_string();
        let mut before: BTreeMap<Sku, (Quantity, Quantity)> = BTreeMap::new();
        for (moved, place) in moves {
            let home = self.row(moved.sku, &self.home);
            let elsewhere = home.map_or(0, |row| row.elsewhere);
            before.entry(moved.sku).or_insert((self.total(moved.sku), elsewhere));
            self.move_level(tx.db, &account, moved, place)?;
            let left = self.row(moved.sku, place).map_or(0, |row| row.quantity);
            let id = MovementId::from_u128(tx.ids.next());
            let row = MovementRow::of(&account, id, (moved, place), left, now);
            diesel::insert_into(stock_movements::table).values(&row).execute(tx.db)?;
        }
        let mut totals = Vec::with_capacity(before.len());
        for (sku, (before, elsewhere)) in before {
            if let Some(row) = self.row(sku, &self.home).filter(|row| row.elsewhere != elsewhere) {
                set_elsewhere(tx.db, &account, row)?;
            }
            totals.push(Total { sku, before, after: self.total(sku) });
        }
        Ok(totals)
    }

    fn move_level(
        &mut self,
        db: &mut Db,
        account: &str,
        moved: &Move,
        place: &str,
    ) -> QueryResult<()> {
        let key = (moved.sku, place.to_owned());
        if !self.rows.contains_key(&key) {
            let row = new_row(db, account, moved.sku, place)?;
            self.rows.insert(key.clone(), row);
        }
        let Some(row) = self.rows.get_mut(&key) else { return Ok(()) };
        row.quantity += moved.delta;
        row.committed += moved.committed_delta;
        let is_elsewhere = row.sellable && place != self.home;
        let values = [
            moved.delta.into(),
            moved.committed_delta.into(),
            account.to_owned().into(),
            row.product_id.clone().into(),
            row.variant_id.clone().into(),
            place.to_owned().into(),
        ];
        let sql = "UPDATE stock_levels SET quantity = quantity + ?, committed = committed + ? \
                   WHERE account_id = ? AND product_id = ? AND variant_id = ? AND warehouse_id = ?";
        let changed = on!(db, |conn| Statement::<()>::new(sql, values).execute(conn))?;
        if changed != 1 {
            return Err(corrupt("a level that was not there to be moved"));
        }
        if is_elsewhere && let Some(home) = self.rows.get_mut(&(moved.sku, self.home.clone())) {
            home.elsewhere += moved.delta;
        }
        Ok(())
    }
}

/// Makes the home row of something, unless somebody else does.
pub(crate) fn add_home(db: &mut Db, account: AccountId, sku: Sku) -> QueryResult<()> {
    let account = account.to_string();
    let home = first_warehouse(&account);
    insert_level(db, &account, sku, (&home, true))
}

fn new_row(db: &mut Db, account: &str, sku: Sku, place: &str) -> QueryResult<LevelRow> {
    let sellable = is_sellable(db, account, place)?;
    insert_level(db, account, sku, (place, sellable))?;
    Ok(LevelRow {
        product_id: sku.product.to_string(),
        variant_id: variant_column(sku),
        warehouse_id: place.to_owned(),
        quantity: 0,
        committed: 0,
        sellable,
        elsewhere: 0,
        average_cost: None,
    })
}

fn insert_level(
    db: &mut Db,
    account: &str,
    sku: Sku,
    (place, sellable): (&str, bool),
) -> QueryResult<()> {
    let row = (
        dsl::account_id.eq(account),
        dsl::product_id.eq(sku.product.to_string()),
        dsl::variant_id.eq(variant_column(sku)),
        dsl::warehouse_id.eq(place),
        dsl::quantity.eq(0),
        dsl::sellable.eq(sellable),
    );
    on!(db, |conn| diesel::insert_into(stock_levels::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(conn))
    .map(drop)
}

fn set_elsewhere(db: &mut Db, account: &str, home: &LevelRow) -> QueryResult<()> {
    let values = [
        home.elsewhere.into(),
        account.to_owned().into(),
        home.product_id.clone().into(),
        home.variant_id.clone().into(),
        home.warehouse_id.clone().into(),
    ];
    let sql = "UPDATE stock_levels SET elsewhere = ? \
               WHERE account_id = ? AND product_id = ? AND variant_id = ? AND warehouse_id = ?";
    on!(db, |conn| Statement::<()>::new(sql, values).execute(conn)).map(drop)
}

/// Tells what has fallen below its threshold just now.
pub(crate) fn tell_low(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    totals: &[Total],
) -> QueryResult<()> {
    let mut low = Vec::new();
    for total in totals.iter().filter(|total| total.after < total.before) {
        let threshold = threshold(tx.db, account, total.sku)?;
        if threshold.is_some_and(|at| catalog::stock::falls_below(at, total.before, total.after)) {
            let product = catalog::ProductId::from_u128(total.sku.product.to_u128());
            let threshold = threshold.unwrap_or_default();
            low.push(catalog::events::inventory_low(product, total.after, threshold));
        }
    }
    if low.is_empty() {
        return Ok(());
    }
    events::append(tx, account, now, low)
}

/// The stock below which something counts as low; `None` of what is not in the catalog any more.
fn threshold(db: &mut Db, account: AccountId, sku: Sku) -> QueryResult<Option<Quantity>> {
    let own: Option<Option<Quantity>> = products::table
        .find((account.to_string(), sku.product.to_string()))
        .filter(products::deleted_at.is_null())
        .select(products::low_stock_threshold)
        .first(db)
        .optional()?;
    match own {
        None => Ok(None),
        Some(Some(own)) => Ok(Some(own)),
        Some(None) => {
            let usual = accounts::table.find(account.to_string());
            usual.select(accounts::low_stock_threshold).first(db).map(Some)
        }
    }
}

/// Whether something is in the catalog; what is not has no shelf any more.
pub(crate) fn is_sold(db: &mut Db, account: AccountId, sku: Sku) -> QueryResult<bool> {
    let (account, product) = (account.to_string(), sku.product.to_string());
    let kept: i64 = products::table
        .filter(products::account_id.eq(&account))
        .filter(products::id.eq(&product))
        .filter(products::deleted_at.is_null())
        .count()
        .get_result(db)?;
    let Some(variant) = sku.variant.filter(|_| kept > 0) else { return Ok(kept > 0) };
    let variant = variants::table.find((account, product, variant.to_string()));
    Ok(variant.count().get_result::<i64>(db)? > 0)
}
