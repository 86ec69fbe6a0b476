//! What was paid lately and has no invoice.

use diesel::{QueryResult, RunQueryDsl, sql_types::BigInt};
use kernel::{AccountId, Timestamp, page::Total};

use crate::{
    db::{Db, on},
    statement::{Bound, Statement},
};

/// Of the orders that were paid last, how many there are and how many of them are to be invoiced: takes the account twice, the
/// first moment and how many are looked at.
const COUNT: &str = "SELECT COUNT(*), COALESCE(SUM(CASE WHEN o.status <> 'cancelled' AND o.amount_refunded < o.total \
    AND NOT EXISTS (SELECT 1 FROM invoice_orders h WHERE h.account_id = ? AND h.order_id = o.id) THEN 1 ELSE 0 END), 0) \
    FROM (SELECT id, status, total, amount_refunded FROM orders WHERE account_id = ? AND paid_at >= ? \
    ORDER BY paid_at DESC, id DESC LIMIT ?) o";

pub(super) fn count(
    db: &mut Db,
    account: AccountId,
    since: Timestamp,
    most: u32,
) -> QueryResult<Total> {
    let own = account.to_string();
    let most = i64::from(most);
    let values: [Bound; 4] = [own.clone().into(), own.into(), since.micros().into(), most.into()];
    let (looked_at, open): (i64, i64) =
        on!(db, |conn| Statement::<(BigInt, BigInt)>::new(COUNT, values).get_result(conn))?;
    Ok(Total { rows: u64::try_from(open).unwrap_or_default(), is_exact: looked_at < most })
}
