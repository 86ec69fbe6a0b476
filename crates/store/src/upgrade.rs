//! What an upgrade leaves to be done once no node of the last release runs any more.

use std::collections::BTreeMap;

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use engine::{
    StoreError,
    db::{self, Connector, Db, Use, on},
};
use inventory::{Move, Reason, Sku, warehouse::first_of};
use kernel::{
    AccountId, Quantity,
    id::{IdSource, moment_of},
};

use crate::{
    Settings,
    catalog::categories,
    payments::papers,
    rows::read,
    schema::{accounts, order_items, orders},
    statement::Statement,
    stock::{UNCOMMITTED, ledger::sku, levels::Levels, places::first_warehouse},
    tx::{Effects, Tx},
};

/// Orders, or levels, of one transaction.
const SLICE: i64 = 200;

/// How many accounts are not as an upgrade leaves them.
const LEFT: &str = "SELECT COUNT(*) FROM accounts a WHERE NOT a.commits_stock OR EXISTS (SELECT 1 FROM orders o \
    WHERE o.account_id = a.id AND NOT o.commits AND o.status IN ('pending', 'paid'))";

/// Makes room for the stock of products that lack it, all counted in pieces: takes the first warehouse, the account and a limit.
const HOMES: [&str; 2] = [
    "INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity, low_below, is_low) \
     SELECT p.account_id, p.id, '', ?, 0, COALESCE(p.low_stock_threshold, a.low_stock_threshold), \
     COALESCE(p.low_stock_threshold, a.low_stock_threshold) > 0 FROM products p \
     JOIN accounts a ON a.id = p.account_id WHERE p.account_id = ? AND p.deleted_at IS NULL AND NOT EXISTS (SELECT 1 \
     FROM stock_levels l WHERE l.account_id = p.account_id AND l.product_id = p.id AND l.variant_id = '') LIMIT ? ON CONFLICT DO NOTHING",
    "INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity, low_below, is_low) \
     SELECT v.account_id, v.product_id, v.id, ?, 0, \
     CASE WHEN p.deleted_at IS NULL THEN COALESCE(p.low_stock_threshold, a.low_stock_threshold) END, \
     p.deleted_at IS NULL AND COALESCE(p.low_stock_threshold, a.low_stock_threshold) > 0 FROM variants v \
     JOIN products p ON p.account_id = v.account_id AND p.id = v.product_id JOIN accounts a ON a.id = v.account_id \
     WHERE v.account_id = ? AND NOT EXISTS (SELECT 1 FROM stock_levels l WHERE l.account_id = v.account_id AND l.product_id = v.product_id \
     AND l.variant_id = v.id) LIMIT ? ON CONFLICT DO NOTHING",
];

/// What finishing an upgrade has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Accounts whose orders commit their stock from now on.
    pub accounts: u64,
    /// Open orders whose stock is committed now.
    pub orders: u64,
}

/// Ends an upgrade, when no node of the last release runs any more: open orders commit their stock, as all new ones do
/// from then on, and accounts may have further warehouses. It may be run while the service works, and again after it was
/// interrupted.
///
/// # Errors
/// When the database cannot be reached or refuses.
pub fn finish_upgrade(settings: &Settings) -> Result<Finished, StoreError> {
    let connector = Connector::new(&settings.engine())?;
    let told = |error: String| StoreError::Database(error);
    let mut db = connector.connect(Use::Write).map_err(|error| told(error.to_string()))?;
    finish(&mut db).map_err(|error| told(error.to_string()))
}

/// Ends an upgrade of a database that only one process uses at a time.
pub(crate) fn finish_alone(settings: &Settings) -> Result<(), StoreError> {
    let connector = Connector::new(&settings.engine())?;
    if !connector.is_sqlite() {
        return Ok(());
    }
    let told = |error: String| StoreError::Database(error);
    let mut db = connector.connect(Use::Write).map_err(|error| told(error.to_string()))?;
    let waiting = unfinished(&mut db).map_err(|error| told(error.to_string()))?;
    if waiting > 0 {
        finish(&mut db).map_err(|error| told(error.to_string()))?;
    }
    Ok(())
}

/// How many accounts wait for the end of an upgrade.
fn unfinished(db: &mut Db) -> QueryResult<i64> {
    accounts::table.filter(accounts::commits_stock.eq(false)).count().get_result(db)
}

/// How many accounts wait for the end of an upgrade, or have open orders whose stock is not committed since it was
/// interrupted.
pub(crate) fn left(db: &mut Db) -> QueryResult<i64> {
    let (left,): (i64,) = on!(db, |conn| Statement::<(BigInt,)>::new(LEFT, []).get_result(conn))?;
    Ok(left)
}

fn finish(db: &mut Db) -> QueryResult<Finished> {
    let ids = IdSource::default();
    let mut finished = Finished::default();
    // Accounts are opened meanwhile, as unfinished as the others: until there is none.
    loop {
        let waiting: Vec<String> = accounts::table
            .filter(accounts::commits_stock.eq(false))
            .select(accounts::id)
            .load(db)?;
        if waiting.is_empty() {
            break;
        }
        for account in waiting {
            let account = read(&account, AccountId::parse)?;
            make_homes(db, account)?;
            finished.orders += commit_orders(db, &ids, account)?;
            // It waits for orders that are being placed as those of an unfinished account, and those after it know.
            let this = accounts::table.filter(accounts::id.eq(account.to_string()));
            diesel::update(this).set(accounts::commits_stock.eq(true)).execute(db)?;
            finished.accounts += 1;
        }
    }
    // Orders that were placed meanwhile, and those that an interrupted run has left.
    let all: Vec<String> = accounts::table.select(accounts::id).load(db)?;
    for account in all {
        let account = read(&account, AccountId::parse)?;
        finished.orders += commit_orders(db, &ids, account)?;
        categories::fold_names(db, account)?;
        note_receipts(db, account)?;
    }
    Ok(finished)
}

/// Notes anew of which invoices a receipt is due, where it is noted wrongly.
fn note_receipts(db: &mut Db, account: AccountId) -> QueryResult<()> {
    let mut after = String::new();
    loop {
        let wrong = papers::misjudged(db, account, &after, SLICE)?;
        let Some(last) = wrong.last().cloned() else { return Ok(()) };
        db::begin(db)?;
        let noted = wrong.iter().try_for_each(|id| papers::note_anew(db, account, id));
        match noted {
            Ok(()) => db::commit(db)?,
            Err(_) => db::rollback(db)?,
        }
        noted?;
        after = last;
    }
}

fn make_homes(db: &mut Db, account: AccountId) -> QueryResult<()> {
    let account = account.to_string();
    for sql in HOMES {
        loop {
            let values = [first_warehouse(&account).into(), account.clone().into(), SLICE.into()];
            if on!(&mut *db, |conn| Statement::<()>::new(sql, values).execute(conn))? == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// Commits what is open of the orders that do not so far.
fn commit_orders(db: &mut Db, ids: &IdSource, account: AccountId) -> QueryResult<u64> {
    let (mut committed, mut after) = (0, String::new());
    loop {
        db::begin(db)?;
        let slice = commit_slice(db, ids, account, &after);
        match slice {
            Ok(_) => db::commit(db)?,
            Err(_) => db::rollback(db)?,
        }
        let slice = slice?;
        committed += slice.len() as u64;
        match slice.into_iter().next_back() {
            Some(last) => after = last,
            None => return Ok(committed),
        }
    }
}

/// Commits the next orders after one; names them.
fn commit_slice(
    db: &mut Db,
    ids: &IdSource,
    account: AccountId,
    after: &str,
) -> QueryResult<Vec<String>> {
    let own = account.to_string();
    let open = || {
        orders::table
            .filter(orders::account_id.eq(&own))
            .filter(orders::id.gt(after))
            .filter(sql::<Bool>(UNCOMMITTED))
            .order(orders::id)
            .limit(SLICE)
            .select(orders::id)
    };
    let named: Vec<String> = match db {
        Db::Postgres(conn) => open().for_update().load(conn)?,
        Db::Sqlite(conn) => open().load(conn)?,
    };
    let items: Vec<(String, String, String, Quantity, Quantity)> = order_items::table
        .filter(order_items::account_id.eq(&own))
        .filter(order_items::order_id.eq_any(&named))
        .select((
            order_items::order_id,
            order_items::product_id,
            order_items::variant_id,
            order_items::quantity,
            order_items::returned,
        ))
        .load(db)?;
    let mut open: BTreeMap<(String, Sku), Quantity> = BTreeMap::new();
    for (order, product, variant, quantity, returned) in items {
        *open.entry((order, sku(&product, &variant)?)).or_default() += quantity - returned;
    }
    open.retain(|_, quantity| *quantity > 0);
    let moves: Vec<Move> = open
        .into_iter()
        .map(|((order, sku), quantity)| {
            let moved = Move::new((sku, first_of(account)), 0, Reason::Migration, &order);
            Move { committed_delta: quantity, ..moved }
        })
        .collect();
    let mut levels = Levels::locked(db, account, moves.iter().map(|moved| moved.sku))?;
    let (effects, held) = (Effects::default(), BTreeMap::new());
    let mut tx = Tx { db, ids, retention: 0, effects, held };
    levels.record(&mut tx, moment_of(ids.next()), &moves)?;
    let these = orders::table.filter(orders::account_id.eq(&own)).filter(orders::id.eq_any(&named));
    diesel::update(these).set(orders::commits.eq(true)).execute(tx.db)?;
    Ok(named)
}
