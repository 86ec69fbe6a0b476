//! Many products on SQLite: many small statements, each prepared once.

use diesel::{SqliteConnection, prelude::*};

use super::{Changes, WholeRow};
use crate::schema::{product_categories, products, skus, stock_levels, stock_movements, variants};

pub(super) fn write(conn: &mut SqliteConnection, changes: &Changes) -> QueryResult<()> {
    for row in &changes.freed_skus {
        let own = skus::table
            .filter(skus::account_id.eq(&row.account_id))
            .filter(skus::sku.eq(&row.sku))
            .filter(skus::product_id.eq(&row.product_id));
        diesel::delete(own).execute(conn)?;
    }
    for row in &changes.taken_skus {
        diesel::insert_into(skus::table).values(row).execute(conn)?;
    }
    for row in &changes.left_categories {
        let key = (&row.account_id, &row.category_id, &row.product_id);
        diesel::delete(product_categories::table.find(key)).execute(conn)?;
    }
    for row in &changes.entered_categories {
        diesel::insert_into(product_categories::table).values(row).execute(conn)?;
    }
    for WholeRow { product, search } in &changes.new {
        diesel::insert_into(products::table).values((product, search)).execute(conn)?;
    }
    for WholeRow { product, search } in &changes.changed {
        let this = products::table
            .filter(products::account_id.eq(&product.account_id))
            .filter(products::id.eq(&product.id));
        diesel::update(this).set((product, search)).execute(conn)?;
    }
    if let Some(first) = changes.changed.first() {
        let account = &first.product.account_id;
        for product in &changes.revised {
            let own = variants::table
                .filter(variants::account_id.eq(account))
                .filter(variants::product_id.eq(product));
            diesel::delete(own).execute(conn)?;
        }
    }
    for row in &changes.variants {
        diesel::insert_into(variants::table).values(row).execute(conn)?;
    }
    for row in &changes.levels {
        diesel::insert_into(stock_levels::table).values(row).execute(conn)?;
    }
    for row in &changes.movements {
        diesel::insert_into(stock_movements::table).values(row).execute(conn)?;
    }
    Ok(())
}
