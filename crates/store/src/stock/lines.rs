//! Pages of stock, by product and variant.

use std::{collections::HashMap, iter};

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
    schema::{stock_levels as levels, transfer_lines},
    statement::{Bound, Statement},
    unreadable::readable,
};

/// How matches are counted, and how a page of them is read.
struct Texts {
    count: &'static str,
    page: &'static str,
}

/// The same of all products, and of one.
struct Scopes {
    all: Texts,
    one: Texts,
}

/// What is asked of the rows of a level: takes the account, the product if it is of one, and the variant twice. One statement for
/// both, by a range of products, would look to PostgreSQL as if it found next to nothing by the key.
macro_rules! matching {
    (all, $level:literal, $more:literal) => {
        concat!(
            " WHERE ",
            $level,
            ".account_id = ? AND (? = '' OR ",
            $level,
            ".variant_id = ?) AND ",
            $more
        )
    };
    (one, $level:literal, $more:literal) => {
        concat!(
            " WHERE ",
            $level,
            ".account_id = ? AND ",
            $level,
            ".product_id = ? AND (? = '' OR ",
            $level,
            ".variant_id = ?) AND ",
            $more
        )
    };
}

/// Home rows `l` with a threshold are those of what is in the catalog, so that nothing but levels is counted. Pages go on behind
/// a product and a variant; they take a limit and an offset. Tables are joined in this order: the first is walked by its index.
macro_rules! texts {
    ($level:literal, $tables:literal, $more:literal) => {
        Scopes { all: texts!(all, $level, $tables, $more), one: texts!(one, $level, $tables, $more) }
    };
    ($scope:ident, $level:literal, $tables:literal, $more:literal) => {
        Texts {
            count: concat!(
                "SELECT COUNT(*) FROM (SELECT 1 FROM ", $tables, matching!($scope, $level, $more), " LIMIT ?) AS counted"
            ),
            page: concat!(
                "SELECT l.product_id, l.variant_id, l.quantity + l.elsewhere, l.average_cost, p.name, p.sku, p.currency, \
                 l.low_below, p.quantity_decimals, v.name, v.sku FROM ", $tables, " CROSS JOIN products p \
                 LEFT JOIN variants v ON v.account_id = l.account_id AND v.product_id = l.product_id AND v.id = l.variant_id",
                matching!($scope, $level, $more),
                " AND p.account_id = l.account_id AND p.id = l.product_id \
                 AND (", $level, ".product_id, ", $level, ".variant_id) > (?, ?) \
                 ORDER BY ", $level, ".product_id, ", $level, ".variant_id LIMIT ? OFFSET ?"
            ),
        }
    };
}

/// In all warehouses: take the first one, unless only what is low is asked for.
const ALL: Scopes = texts!("l", "stock_levels l", "l.warehouse_id = ? AND l.low_below IS NOT NULL");
const NOT_LOW: Scopes = texts!(
    "l",
    "stock_levels l",
    "l.warehouse_id = ? AND l.low_below IS NOT NULL AND NOT l.is_low"
);
const LOW: Scopes = texts!("l", "stock_levels l", "l.is_low");

/// In one of the others, by its own rows `h`: take it, and the first one unless only what is low is asked for.
const ALL_THERE: Scopes = texts!(
    "h",
    "stock_levels h CROSS JOIN stock_levels l",
    "h.warehouse_id = ? AND l.account_id = h.account_id AND l.product_id = h.product_id AND l.variant_id = h.variant_id \
     AND l.warehouse_id = ? AND l.low_below IS NOT NULL"
);
const NOT_LOW_THERE: Scopes = texts!(
    "h",
    "stock_levels h CROSS JOIN stock_levels l",
    "h.warehouse_id = ? AND l.account_id = h.account_id AND l.product_id = h.product_id AND l.variant_id = h.variant_id \
     AND l.warehouse_id = ? AND l.low_below IS NOT NULL AND NOT l.is_low"
);
const LOW_THERE: Scopes = texts!(
    "l",
    "stock_levels l CROSS JOIN stock_levels h",
    "l.is_low AND h.account_id = l.account_id AND h.product_id = l.product_id AND h.variant_id = l.variant_id \
     AND h.warehouse_id = ?"
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
    let filter = &query.filter;
    let (texts, conditions) = matching(&own, filter);
    let total = counted(db, texts.count, conditions(), query.page.count)?;
    let (product, variant) = match &query.page.cursor {
        Some(cursor) => (cursor.key.clone(), cursor.id.clone()),
        None => (String::new(), String::new()),
    };
    let mut values = conditions();
    values.extend([
        product.into(),
        variant.into(),
        listing::fetched(&query.page).into(),
        query.page.offset().into(),
    ]);
    let rows: Vec<Row> = on!(db, |conn| Statement::<Columns>::new(texts.page, values).load(conn))?;
    let read = |rows: Vec<Row>| {
        let places = places(db, &own, filter, &rows)?;
        let incoming = incoming(db, &own, filter, &rows)?;
        let line = |row: Row| ((own.clone(), row.0.clone()), line(row, &places, &incoming));
        readable("stock", rows.into_iter().map(line))
    };
    listing::page_of(rows, &query.page, total, behind, read)
}

/// How rows are found that match, and what is bound for that, each time anew.
fn matching(account: &str, filter: &StockFilter) -> (&'static Texts, impl Fn() -> Vec<Bound>) {
    let variant = filter.variant.map(|id| id.to_string()).unwrap_or_default();
    let first = first_warehouse(account);
    let there = filter.warehouse.map(|id| id.to_string()).filter(|id| *id != first);
    let (scopes, places) = match (filter.below_threshold, there) {
        (None, None) => (&ALL, vec![first]),
        (Some(false), None) => (&NOT_LOW, vec![first]),
        (Some(true), None) => (&LOW, Vec::new()),
        (None, Some(there)) => (&ALL_THERE, vec![there, first]),
        (Some(false), Some(there)) => (&NOT_LOW_THERE, vec![there, first]),
        (Some(true), Some(there)) => (&LOW_THERE, vec![there]),
    };
    let product = filter.product.map(|id| id.to_string());
    let texts = if product.is_some() { &scopes.one } else { &scopes.all };
    let asked = iter::once(account.to_owned()).chain(product).chain([variant.clone(), variant]);
    let asked: Vec<String> = asked.chain(places).collect();
    (texts, move || asked.iter().cloned().map(Bound::from).collect())
}

fn counted(
    db: &mut Db,
    sql: &'static str,
    values: Vec<Bound>,
    wanted: Count,
) -> QueryResult<Total> {
    if wanted == Count::Nothing {
        return Ok(Total::about(0));
    }
    let at_most = listing::counted_at_most(wanted);
    let rows = count(db, sql, values, at_most)?;
    Ok(listing::counted_of(rows, at_most))
}

fn count(db: &mut Db, sql: &'static str, mut values: Vec<Bound>, at_most: i64) -> QueryResult<i64> {
    values.push(at_most.into());
    let (rows,): (i64,) =
        on!(db, |conn| Statement::<(BigInt,)>::new(sql, values).get_result(conn))?;
    Ok(rows)
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
