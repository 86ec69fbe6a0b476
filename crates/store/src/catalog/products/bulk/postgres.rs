//! Many products on PostgreSQL: a statement for each table, which takes its rows as arrays.

use diesel::{PgConnection, prelude::*};

use super::Changes;
use crate::statement::{Bound, Column, Statement, columns};

/// The columns of products in the order in which they are bound.
macro_rules! product_columns {
    () => {
        "account_id, id, external_id, name, sku, description, ean, price, currency, status, low_stock_threshold, \
         tax_included, taxes, sat_product_key, sat_unit_key, metadata, created_at, updated_at, version, brand, \
         compare_at_price, cost, weight, images, dimensions, category_ids, unit, quantity_decimals, sort_name, search_text, \
         search_version"
    };
}

const INSERT_PRODUCTS: &str = concat!(
    "INSERT INTO products (",
    product_columns!(),
    ") SELECT w.account_id, w.id, w.external_id, w.name, w.sku, w.description, w.ean, w.price, w.currency, w.status, \
     w.low_stock_threshold, w.tax_included <> 0, w.taxes, w.sat_product_key, w.sat_unit_key, w.metadata, w.created_at, \
     w.updated_at, w.version, w.brand, w.compare_at_price, w.cost, w.weight, w.images, w.dimensions, w.category_ids, \
     w.unit, w.quantity_decimals, w.sort_name, w.search_text, w.search_version FROM ? AS w (",
    product_columns!(),
    ")"
);

const UPDATE_PRODUCTS: &str = concat!(
    "UPDATE products p SET external_id = w.external_id, name = w.name, sku = w.sku, description = w.description, \
     ean = w.ean, price = w.price, currency = w.currency, status = w.status, \
     low_stock_threshold = w.low_stock_threshold, tax_included = w.tax_included <> 0, taxes = w.taxes, \
     sat_product_key = w.sat_product_key, sat_unit_key = w.sat_unit_key, metadata = w.metadata, \
     updated_at = w.updated_at, version = w.version, brand = w.brand, \
     compare_at_price = w.compare_at_price, cost = w.cost, weight = w.weight, images = w.images, \
     dimensions = w.dimensions, category_ids = w.category_ids, unit = w.unit, \
     quantity_decimals = w.quantity_decimals, sort_name = w.sort_name, search_text = w.search_text, \
     search_version = w.search_version FROM ? AS w (",
    product_columns!(),
    ") WHERE p.account_id = w.account_id AND p.id = w.id"
);

pub(super) fn write(conn: &mut PgConnection, changes: &Changes) -> QueryResult<()> {
    run(
        conn,
        "DELETE FROM skus s USING ? AS w (account_id, sku, product_id) \
         WHERE s.account_id = w.account_id AND s.sku = w.sku AND s.product_id = w.product_id",
        columns!(changes.freed_skus, Texts account_id, Texts sku, Texts product_id),
    )?;
    run(
        conn,
        "INSERT INTO skus (account_id, sku, product_id) SELECT * FROM ? AS w",
        columns!(changes.taken_skus, Texts account_id, Texts sku, Texts product_id),
    )?;
    run(
        conn,
        "DELETE FROM product_categories c USING ? AS w (account_id, category_id, product_id) \
         WHERE c.account_id = w.account_id AND c.category_id = w.category_id AND c.product_id = w.product_id",
        columns!(changes.left_categories, Texts account_id, Texts category_id, Texts product_id),
    )?;
    run(
        conn,
        "INSERT INTO product_categories (account_id, category_id, product_id) SELECT * FROM ? AS w",
        columns!(changes.entered_categories, Texts account_id, Texts category_id, Texts product_id),
    )?;
    run(conn, INSERT_PRODUCTS, whole(&changes.new))?;
    run(conn, UPDATE_PRODUCTS, whole(&changes.changed))?;
    if let Some(first) = changes.changed.first() {
        let account = first.product.account_id.clone();
        let accounts = changes.revised.iter().map(|_| account.clone()).collect();
        run(
            conn,
            "DELETE FROM variants v USING ? AS w (account_id, product_id) \
             WHERE v.account_id = w.account_id AND v.product_id = w.product_id",
            vec![Column::Texts(accounts), Column::Texts(changes.revised.clone())],
        )?;
    }
    run(
        conn,
        "INSERT INTO variants (account_id, product_id, id, position, name, sku, ean, price) SELECT * FROM ? AS w",
        columns!(
            changes.variants, Texts account_id, Texts product_id, Texts id, Numbers position, Texts name,
            OptionalTexts sku, OptionalTexts ean, OptionalNumbers price,
        ),
    )?;
    write_stock(conn, changes)
}

fn write_stock(conn: &mut PgConnection, changes: &Changes) -> QueryResult<()> {
    run(
        conn,
        "INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity, low_below, is_low) \
         SELECT * FROM ? AS w",
        columns!(
            changes.levels, Texts account_id, Texts product_id, Texts variant_id, Texts warehouse_id, Numbers quantity,
            Numbers low_below, Flags is_low,
        ),
    )?;
    run(
        conn,
        "INSERT INTO stock_movements (account_id, id, product_id, variant_id, warehouse_id, delta, quantity_after, \
         reason, reference, created_at) SELECT * FROM ? AS w",
        columns!(
            changes.movements, Texts account_id, Texts id, Texts product_id, Texts variant_id, Texts warehouse_id,
            Numbers delta, Numbers quantity_after, Texts reason, Texts reference, Numbers created_at,
        ),
    )
}

fn whole(rows: &[super::WholeRow]) -> Vec<Column> {
    let products: Vec<_> = rows.iter().map(|row| &row.product).collect();
    let searches: Vec<_> = rows.iter().map(|row| &row.search).collect();
    let mut all = columns!(
        products, Texts account_id, Texts id, OptionalTexts external_id, Texts name, Texts sku,
        OptionalTexts description, OptionalTexts ean, Numbers price, Texts currency, Texts status,
        OptionalNumbers low_stock_threshold, Numbers tax_included, Texts taxes, OptionalTexts sat_product_key,
        OptionalTexts sat_unit_key, Texts metadata, Numbers created_at, Numbers updated_at, Numbers version,
        OptionalTexts brand, OptionalNumbers compare_at_price, OptionalNumbers cost, OptionalNumbers weight,
        OptionalTexts images, OptionalTexts dimensions, OptionalTexts category_ids,
        OptionalTexts unit, Numbers quantity_decimals,
    );
    all.extend(columns!(searches, Texts sort_name, Texts search_text, Numbers search_version));
    all
}

/// Runs a statement over rows, if there are any.
fn run(conn: &mut PgConnection, sql: &'static str, rows: Vec<Column>) -> QueryResult<()> {
    let is_empty = match rows.first() {
        Some(Column::Texts(first)) => first.is_empty(),
        _ => false,
    };
    if is_empty {
        return Ok(());
    }
    Statement::<()>::new(sql, [Bound::from(rows)]).execute(conn).map(drop)
}
