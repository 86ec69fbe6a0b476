//! What is left of price lists that were deleted.

use diesel::{prelude::*, sql_types::Text};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::Timestamp;

use crate::{
    db::{Db, on},
    schema::price_lists as table,
    statement::Statement,
    tx::Tx,
};

/// Whether each account has some: takes the account to begin after and a limit.
const FIND: &str = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM price_lists l WHERE l.account_id = a.id \
    AND l.deleted_at IS NOT NULL) THEN 'yes' ELSE 'no' END FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";

/// Removes prices of a list: takes the account and the list twice and a limit.
const REMOVE: &str = "DELETE FROM price_list_items WHERE account_id = ? AND list_id = ? \
    AND (product_id, variant_id, min_quantity) IN (SELECT i.product_id, i.variant_id, i.min_quantity \
    FROM price_list_items i WHERE i.account_id = ? AND i.list_id = ? \
    ORDER BY i.product_id, i.variant_id, i.min_quantity LIMIT ?)";

/// Removes the prices of lists that were deleted, and then the lists. Nobody sees or sets any of them.
pub(crate) struct DeletedLists;

impl Chore for DeletedLists {
    fn find(&self, db: &mut Db, after: &str, _: Timestamp) -> QueryResult<Found> {
        let values = [after.to_owned().into(), LOOKED_AT_MAX.into()];
        let rows: Vec<(String, String)> =
            on!(db, |conn| Statement::<(Text, Text)>::new(FIND, values).load(conn))?;
        Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, _: Timestamp) -> QueryResult<u64> {
        let mut left = SLICE_ROWS;
        while left > 0 {
            let deleted: Option<String> = table::table
                .filter(table::account_id.eq(account))
                .filter(table::deleted_at.is_not_null())
                .order(table::id)
                .select(table::id)
                .first(tx.db)
                .optional()?;
            let Some(list) = deleted else { break };
            let removed = remove(tx.db, account, &list, left)?;
            if removed < left {
                let this = table::table.filter(table::account_id.eq(account));
                diesel::delete(this.filter(table::id.eq(&list))).execute(tx.db)?;
                left -= 1;
            }
            left -= removed;
        }
        Ok(SLICE_ROWS.abs_diff(left))
    }
}

/// Removes so many prices of a list at most; says how many.
fn remove(db: &mut Db, account: &str, list: &str, most: i64) -> QueryResult<i64> {
    let (account, list) = (|| account.to_owned().into(), || list.to_owned().into());
    let values = [account(), list(), account(), list(), most.into()];
    let removed = on!(db, |conn| Statement::<()>::new(REMOVE, values).execute(conn))?;
    Ok(i64::try_from(removed).unwrap_or(most))
}
