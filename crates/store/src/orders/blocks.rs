//! Blocks of orders that follow each other by number, by whose terms old orders are found.

use diesel::{dsl::max, prelude::*, sql_types::Text};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::{Timestamp, search::Terms};

use crate::ordering::rows::{OrderRow, all_with_items};
use crate::{
    db::{Db, all_locked, on},
    schema::{order_blocks as table, orders},
    statement::Statement,
    tx::Tx,
};

/// Orders of one block: enough that it costs little for each, few enough to be looked at one by one.
const BLOCK_ORDERS: usize = 16;
/// Blocks that are made in one slice.
const SLICE_BLOCKS: usize = SLICE_ROWS as usize / BLOCK_ORDERS + 1;

/// Puts orders into blocks as soon as there are enough for one.
pub(crate) struct MakeBlocks;

impl Chore for MakeBlocks {
    fn find(&self, db: &mut Db, after: &str, _: Timestamp) -> QueryResult<Found> {
        let find = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.account_id = a.id AND o.number >= \
            COALESCE((SELECT MAX(b.last_number) FROM order_blocks b WHERE b.account_id = a.id), 0) + ?) \
            THEN 'yes' ELSE 'no' END FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";
        let values = [(BLOCK_ORDERS as i64).into(), after.to_owned().into(), LOOKED_AT_MAX.into()];
        let rows: Vec<(String, String)> =
            on!(db, |conn| Statement::<(Text, Text)>::new(find, values).load(conn))?;
        Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, _: Timestamp) -> QueryResult<u64> {
        let own = table::table.filter(table::account_id.eq(account));
        let last: Option<i64> = own.select(max(table::last_number)).first(tx.db)?;
        // Locked, so that whoever changes one of them meanwhile finds its block afterwards.
        let rows = all_locked!(
            &mut *tx.db,
            OrderRow,
            orders::table
                .filter(orders::account_id.eq(account))
                .filter(orders::number.gt(last.unwrap_or_default()))
                .order(orders::number)
                .limit((BLOCK_ORDERS * SLICE_BLOCKS) as i64)
        )?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.number).collect();
        let orders = all_with_items(tx.db, rows)?;
        let mut from = last.unwrap_or_default() + 1;
        let mut blocked = 0;
        for (numbers, orders) in numbers.chunks(BLOCK_ORDERS).zip(orders.chunks(BLOCK_ORDERS)) {
            let Some(to) = numbers.last().filter(|_| numbers.len() == BLOCK_ORDERS) else { break };
            // One that cannot be read is found by nothing of its own.
            let orders = orders.iter().filter_map(|(_, order)| order.as_ref().ok());
            let terms = orders
                .fold(Terms::default(), |terms, order| terms.all_of(&order.own_terms().joined()));
            let row = (
                table::account_id.eq(account),
                table::id.eq(format!("blk_{from:016}")),
                table::first_number.eq(from),
                table::last_number.eq(to),
                table::search_text.eq(terms.joined()),
            );
            // Another node may have made the same one meanwhile.
            on!(&mut *tx.db, |conn| diesel::insert_into(table::table)
                .values(row)
                .on_conflict_do_nothing()
                .execute(conn))?;
            (from, blocked) = (to + 1, blocked + numbers.len() as u64);
        }
        Ok(blocked)
    }
}

/// Lets an order that is in a block already be found by its present terms.
pub(super) fn extend(
    tx: &mut Tx<'_>,
    account: &str,
    number: i64,
    terms: &Terms,
) -> QueryResult<()> {
    let block = table::table
        .filter(table::account_id.eq(account))
        .filter(table::last_number.ge(number))
        .order(table::last_number)
        .select((table::id, table::search_text))
        .first::<(String, String)>(tx.db)
        .optional()?;
    let Some((id, before)) = block else { return Ok(()) };
    let after = terms.clone().all_of(&before).joined();
    if after == before {
        return Ok(());
    }
    let this = table::table.find((account, id));
    diesel::update(this).set(table::search_text.eq(after)).execute(tx.db).map(drop)
}
