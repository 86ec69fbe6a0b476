//! Pages of products.

use catalog::{Product, ProductFilter, ProductQuery, ProductSort};
use diesel::prelude::*;
use kernel::{AccountId, Page, PageRequest, page::Cursor};

use super::rows::{ProductRow, Rows, all_with_variants, sort_name};
use crate::{
    counters,
    db::{Db, on},
    listing,
    schema::{
        products::{self, dsl},
        skus, variants,
    },
    unreadable::readable,
};

type Filtered = products::BoxedQuery<'static, <Db as Connection>::Backend>;

pub(super) fn products_list(
    db: &mut Db,
    account: AccountId,
    query: &ProductQuery,
) -> QueryResult<Page<Product>> {
    let unfiltered = query.filter == ProductFilter::default();
    let total = if unfiltered {
        counters::value(db, account, super::COUNTER)?
    } else {
        filtered(account, &query.filter).count().get_result(db)?
    };
    let (rows, lie) = if unfiltered && query.sort == ProductSort::CreatedAt && !query.ascending {
        (newest(db, account, &query.page)?, Rows::Adjacent)
    } else {
        let rows = sorted(filtered(account, &query.filter), query)
            .offset(query.page.offset())
            .limit(listing::fetched(&query.page))
            .select(ProductRow::as_select())
            .load(db)?;
        (rows, Rows::Scattered)
    };
    let read = |rows| readable("product", all_with_variants(db, rows, lie)?);
    listing::page_of(rows, &query.page, total, |row| place_behind(row, query), read)
}

/// The usual page, by queries whose text is always the same, so that each is prepared once.
fn newest(db: &mut Db, account: AccountId, page: &PageRequest) -> QueryResult<Vec<ProductRow>> {
    let live = || {
        products::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::deleted_at.is_null())
    };
    let limit = listing::fetched(page);
    match &page.cursor {
        Some(cursor) => on!(db, |conn| live()
            .filter(dsl::id.lt(&cursor.id))
            .order(dsl::id.desc())
            .limit(limit)
            .select(ProductRow::as_select())
            .load(conn)),
        None => on!(db, |conn| live()
            .order(dsl::id.desc())
            .limit(limit)
            .offset(page.offset())
            .select(ProductRow::as_select())
            .load(conn)),
    }
}

fn filtered(account: AccountId, filter: &ProductFilter) -> Filtered {
    let account = account.to_string();
    let mut query = products::table
        .filter(dsl::account_id.eq(account.clone()))
        .filter(dsl::deleted_at.is_null())
        .into_boxed();
    if let Some(search) = &filter.search {
        query = query.filter(dsl::search_text.like(listing::containing(search)).escape('\\'));
    }
    if let Some(sku) = &filter.sku {
        let holder = skus::table
            .filter(skus::account_id.eq(account.clone()))
            .filter(skus::sku.eq(sku.clone()))
            .select(skus::product_id);
        query = query.filter(dsl::id.eq_any(holder));
    }
    if let Some(ean) = &filter.ean {
        let of_variant = variants::table
            .filter(variants::account_id.eq(account))
            .filter(variants::ean.eq(ean.clone()))
            .select(variants::product_id);
        query =
            query.filter(dsl::ean.eq(ean.clone()).assume_not_null().or(dsl::id.eq_any(of_variant)));
    }
    if let Some(status) = filter.status {
        query = query.filter(dsl::status.eq(status.name()));
    }
    if let Some(since) = filter.updated_since {
        query = query.filter(dsl::updated_at.ge(since.micros()));
    }
    query
}

/// Orders by a column and then by identifier, and starts behind the cursor. Written once for every column
/// type that is sorted by.
macro_rules! by_column {
    ($query:expr, $wanted:expr, $column:expr, $key:expr) => {{
        let (query, ascending) = ($query, $wanted.ascending);
        let behind = $wanted
            .page
            .cursor
            .as_ref()
            .and_then(|cursor| Some(($key(cursor)?, cursor.id.clone())));
        let query = match (behind, ascending) {
            (Some((key, id)), true) => {
                query.filter($column.gt(key.clone()).or($column.eq(key).and(dsl::id.gt(id))))
            }
            (Some((key, id)), false) => {
                query.filter($column.lt(key.clone()).or($column.eq(key).and(dsl::id.lt(id))))
            }
            (None, _) => query,
        };
        if ascending {
            query.order(($column.asc(), dsl::id.asc()))
        } else {
            query.order(($column.desc(), dsl::id.desc()))
        }
    }};
}

fn sorted(query: Filtered, wanted: &ProductQuery) -> Filtered {
    let number = |cursor: &Cursor| cursor.key.parse::<i64>().ok();
    match wanted.sort {
        ProductSort::CreatedAt => by_creation(query, wanted),
        ProductSort::UpdatedAt => by_column!(query, wanted, dsl::updated_at, number),
        ProductSort::Price => by_column!(query, wanted, dsl::price, number),
        ProductSort::Name => {
            by_column!(query, wanted, dsl::sort_name, |cursor: &Cursor| Some(cursor.key.clone()))
        }
    }
}

/// Identifiers ascend with creation.
fn by_creation(query: Filtered, wanted: &ProductQuery) -> Filtered {
    let behind = wanted.page.cursor.as_ref().map(|cursor| cursor.id.clone());
    match (behind, wanted.ascending) {
        (Some(id), true) => query.filter(dsl::id.gt(id)).order(dsl::id.asc()),
        (None, true) => query.order(dsl::id.asc()),
        (Some(id), false) => query.filter(dsl::id.lt(id)).order(dsl::id.desc()),
        (None, false) => query.order(dsl::id.desc()),
    }
}

fn place_behind(row: &ProductRow, query: &ProductQuery) -> Cursor {
    let (name, key) = match query.sort {
        ProductSort::CreatedAt => ("createdAt", String::new()),
        ProductSort::UpdatedAt => ("updatedAt", row.updated_at.to_string()),
        ProductSort::Price => ("price", row.price.to_string()),
        ProductSort::Name => ("name", sort_name(&row.name)),
    };
    let direction = if query.ascending { "" } else { "-" };
    Cursor { sort: format!("{direction}{name}"), key, id: row.id.clone() }
}
