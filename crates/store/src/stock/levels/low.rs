//! What counts as low. The home row of whatever is in the catalog has the stock below which it does (`low_below`), and whether
//! it is (`is_low`), which whoever moves it says with its new quantity: an index has what is low, and nothing else.

use diesel::prelude::*;
use inventory::Sku;
use kernel::AccountId;

use crate::{
    db::{Db, on},
    statement::{Bound, Column, Statement},
    stock::{ledger::variant_column, places::first_warehouse},
};

/// The threshold of what a level is of; nothing if that is not in the catalog.
macro_rules! low_below {
    ($level:literal) => {
        concat!(
            "(SELECT COALESCE(p.low_stock_threshold, a.low_stock_threshold * CASE p.quantity_decimals WHEN 3 THEN 1000 ELSE 1 END) \
             FROM products p JOIN accounts a ON a.id = p.account_id WHERE p.account_id = ", $level, ".account_id \
             AND p.id = ", $level, ".product_id AND p.deleted_at IS NULL AND (", $level, ".variant_id = '' \
             OR EXISTS (SELECT 1 FROM variants v WHERE v.account_id = p.account_id AND v.product_id = p.id \
             AND v.id = ", $level, ".variant_id)))"
        )
    };
}

const ADD_HOME: &str = concat!(
    "INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity, low_below, is_low) \
     SELECT n.account_id, n.product_id, n.variant_id, n.warehouse_id, 0, n.low_below, (0 < n.low_below) IS TRUE \
     FROM (SELECT w.account_id, w.product_id, w.variant_id, w.warehouse_id, ",
    low_below!("w"),
    " AS low_below FROM (SELECT ? AS account_id, ? AS product_id, ? AS variant_id, ? AS warehouse_id) AS w) AS n \
     WHERE n.account_id <> '' ON CONFLICT DO NOTHING"
);

/// Sets what follows from the catalog, of the levels that are found so.
macro_rules! renewed {
    ($these:literal) => {
        concat!(
            "UPDATE stock_levels SET low_below = ",
            low_below!("stock_levels"),
            ", is_low = (stock_levels.quantity + stock_levels.elsewhere < ",
            low_below!("stock_levels"),
            ") IS TRUE",
            $these
        )
    };
}

const RENEW_ONE: &str = renewed!(" WHERE account_id = ? AND product_id = ? AND warehouse_id = ?");
const RENEW_ALL: &str = renewed!(
    " FROM ? AS w (product) WHERE stock_levels.account_id = ? AND stock_levels.product_id = w.product \
     AND stock_levels.warehouse_id = ?"
);

/// Makes the home row of something, unless somebody else does.
pub(crate) fn add_home(db: &mut Db, account: AccountId, sku: Sku) -> QueryResult<()> {
    let account = account.to_string();
    let home = first_warehouse(&account);
    let values: [Bound; 4] =
        [account.into(), sku.product.to_string().into(), variant_column(sku).into(), home.into()];
    on!(db, |conn| Statement::<()>::new(ADD_HOME, values).execute(conn)).map(drop)
}

/// Judges the stock of products anew whose thresholds, decimals or variants have changed, or which are gone.
pub(crate) fn renew_low(db: &mut Db, account: AccountId, products: &[String]) -> QueryResult<()> {
    let account = account.to_string();
    let home = first_warehouse(&account);
    match db {
        _ if products.is_empty() => Ok(()),
        Db::Postgres(conn) => {
            let these = vec![Column::Texts(products.to_vec())];
            let values = [Bound::from(these), account.into(), home.into()];
            Statement::<()>::new(RENEW_ALL, values).execute(conn).map(drop)
        }
        Db::Sqlite(conn) => {
            for product in products {
                let values: [Bound; 3] =
                    [account.clone().into(), product.clone().into(), home.clone().into()];
                Statement::<()>::new(RENEW_ONE, values).execute(conn)?;
            }
            Ok(())
        }
    }
}
