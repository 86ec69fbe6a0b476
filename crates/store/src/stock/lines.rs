//! Pages of stock, by product and variant.

use std::collections::HashMap;

use diesel::{
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use inventory::{Level, Sku, StockFilter, StockLine, StockQuery, WarehouseId};
use kernel::{
    AccountId, Amount, Page, Quantity,
    page::{Count, Cursor, Total},
};

use super::{
    ledger::{TRANSIT_PREFIX, sku},
    places::first_warehouse,
};
use crate::{
    db::{Db, on},
    listing,
    rows::{currency, decimals, read},
    schema::{accounts, stock_levels as levels, transfer_lines},
    statement::{Bound, Statement},
    unreadable::readable,
};

/// Greater than every identifier.
const BEHIND_ALL: &str = "~";

/// What is in the catalog and matches, by its rows `h` of the warehouse that is asked for, each with its home row `l`: takes
/// the first warehouse, the account, the warehouse, the products from and to, the variant twice, and what is asked of the
/// threshold twice with the usual one in between.
macro_rules! matching {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " FROM stock_levels h \
             JOIN stock_levels l ON l.account_id = h.account_id AND l.product_id = h.product_id \
             AND l.variant_id = h.variant_id AND l.warehouse_id = ? \
             JOIN products p ON p.account_id = l.account_id AND p.id = l.product_id AND p.deleted_at IS NULL \
             LEFT JOIN variants v ON v.account_id = l.account_id AND v.product_id = l.product_id AND v.id = l.variant_id \
             WHERE h.account_id = ? AND h.warehouse_id = ? AND h.product_id >= ? AND h.product_id <= ? \
             AND (h.variant_id = '' OR v.id IS NOT NULL) AND (? = '' OR h.variant_id = ?) \
             AND (? < 0 OR ? = CASE WHEN l.quantity + l.elsewhere < \
             COALESCE(p.low_stock_threshold, ? * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END) THEN 1 ELSE 0 END)",
            $after
        )
    };
}

const COUNT: &str = matching!("SELECT COUNT(*) FROM (SELECT 1", " LIMIT ?) AS counted");
const PAGE: &str = matching!(
    "SELECT l.product_id, l.variant_id, l.quantity + l.elsewhere, l.average_cost, p.name, p.sku, p.currency, \
     COALESCE(p.low_stock_threshold, ? * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END), p.quantity_decimals, \
     v.name, v.sku",
    " AND (h.product_id, h.variant_id) > (?, ?) ORDER BY h.product_id, h.variant_id LIMIT ? OFFSET ?"
);

type Columns = (
    Text,
    Text,
    BigInt,
    Nullable<BigInt>,
    Text,
    Text,
    Text,
    BigInt,
    BigInt,
    Nullable<Text>,
    Nullable<Text>,
);

type Row = (
    String,
    String,
    i64,
    Option<i64>,
    String,
    String,
    String,
    i64,
    i64,
    Option<String>,
    Option<String>,
);

/// What is on the way where of the rows of a page.
type Incoming = HashMap<Sku, Vec<(WarehouseId, Quantity)>>;

/// What lies where of the rows of a page.
type Places = HashMap<Sku, Vec<(WarehouseId, Level)>>;

pub(super) fn stock(
    db: &mut Db,
    account: AccountId,
    query: &StockQuery,
) -> QueryResult<Page<StockLine>> {
    let own = account.to_string();
    let usual: i64 = accounts::table.find(&own).select(accounts::low_stock_threshold).first(db)?;
    let filter = &query.filter;
    let total = counted(db, conditions(&own, filter, usual), query.page.count)?;
    let (product, variant) = match &query.page.cursor {
        Some(cursor) => (cursor.key.clone(), cursor.id.clone()),
        None => (String::new(), String::new()),
    };
    let mut values = vec![Bound::from(usual)];
    values.extend(conditions(&own, filter, usual));
    values.extend([
        product.into(),
        variant.into(),
        listing::fetched(&query.page).into(),
        query.page.offset().into(),
    ]);
    let rows: Vec<Row> = on!(db, |conn| Statement::<Columns>::new(PAGE, values).load(conn))?;
    let read = |rows: Vec<Row>| {
        let places = places(db, &own, filter, &rows)?;
        let incoming = incoming(db, &own, filter, &rows)?;
        let line = |row: Row| ((own.clone(), row.0.clone()), line(row, &places, &incoming));
        readable("stock", rows.into_iter().map(line))
    };
    listing::page_of(rows, &query.page, total, behind, read)
}

/// What the rows must meet.
fn conditions(account: &str, filter: &StockFilter, usual: i64) -> Vec<Bound> {
    let product = filter.product.map(|id| id.to_string());
    let to = product.clone().unwrap_or_else(|| BEHIND_ALL.to_owned());
    let variant = filter.variant.map(|id| id.to_string()).unwrap_or_default();
    let first = first_warehouse(account);
    let warehouse = filter.warehouse.map_or_else(|| first.clone(), |id| id.to_string());
    let is_low = filter.below_threshold.map_or(-1, i64::from);
    vec![
        first.into(),
        account.to_owned().into(),
        warehouse.into(),
        product.unwrap_or_default().into(),
        to.into(),
        variant.clone().into(),
        variant.into(),
        is_low.into(),
        is_low.into(),
        usual.into(),
    ]
}

fn counted(db: &mut Db, mut values: Vec<Bound>, count: Count) -> QueryResult<Total> {
    if count == Count::Nothing {
        return Ok(Total::about(0));
    }
    let at_most = listing::counted_at_most(count);
    values.push(at_most.into());
    let (rows,): (i64,) =
        on!(db, |conn| Statement::<(BigInt,)>::new(COUNT, values).get_result(conn))?;
    Ok(listing::counted_of(rows, at_most))
}

fn behind(row: &Row) -> Cursor {
    listing::place("productId", true, row.0.clone(), &row.1)
}

fn places(db: &mut Db, account: &str, filter: &StockFilter, rows: &[Row]) -> QueryResult<Places> {
    let products = rows.iter().map(|row| &row.0);
    let found: Vec<(String, String, String, i64, i64)> = levels::table
        .filter(levels::account_id.eq(account))
        .filter(levels::product_id.eq_any(products))
        .order((levels::product_id, levels::variant_id, levels::warehouse_id))
        .select((
            levels::product_id,
            levels::variant_id,
            levels::warehouse_id,
            levels::quantity,
            levels::committed,
        ))
        .load(db)?;
    let mut places = Places::new();
    for (product, variant, warehouse, available, committed) in found {
        if warehouse.starts_with(TRANSIT_PREFIX) {
            continue;
        }
        let warehouse = read(&warehouse, WarehouseId::parse)?;
        if filter.warehouse.is_none_or(|wanted| wanted == warehouse) {
            let level = Level { available, committed };
            places.entry(sku(&product, &variant)?).or_default().push((warehouse, level));
        }
    }
    Ok(places)
}

fn incoming(
    db: &mut Db,
    account: &str,
    filter: &StockFilter,
    rows: &[Row],
) -> QueryResult<Incoming> {
    let products = rows.iter().map(|row| &row.0);
    let found: Vec<(String, String, String, i64)> = transfer_lines::table
        .filter(transfer_lines::account_id.eq(account))
        .filter(transfer_lines::product_id.eq_any(products))
        .filter(transfer_lines::in_transit.gt(0))
        .select((
            transfer_lines::product_id,
            transfer_lines::variant_id,
            transfer_lines::to_id,
            transfer_lines::in_transit,
        ))
        .load(db)?;
    let mut incoming = Incoming::new();
    for (product, variant, warehouse, quantity) in found {
        let warehouse = read(&warehouse, WarehouseId::parse)?;
        if filter.warehouse.is_none_or(|wanted| wanted == warehouse) {
            incoming.entry(sku(&product, &variant)?).or_default().push((warehouse, quantity));
        }
    }
    Ok(incoming)
}

fn line(row: Row, places: &Places, incoming: &Incoming) -> QueryResult<StockLine> {
    let (product, variant, available, cost, name, code, unit, threshold, count, variant_name, own) =
        row;
    let sku = sku(&product, &variant)?.with_decimals(decimals(count)?);
    let is_variant = sku.variant.is_some();
    Ok(StockLine {
        sku,
        code: if is_variant { own } else { Some(code) },
        name: match variant_name {
            Some(variant) => format!("{name} / {variant}"),
            None => name,
        },
        available,
        threshold,
        average_cost: cost.map(Amount::from_micros),
        currency: currency(&unit)?,
        incoming: incoming.get(&sku).cloned().unwrap_or_default(),
        places: places.get(&sku).cloned().unwrap_or_default(),
    })
}
