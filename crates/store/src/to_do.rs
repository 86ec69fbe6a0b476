//! What is to be done in an account, by one statement: each figure is a look at an index that ends at its bound.

use ::accounts::{ToDo, ToDoQuery, ToDos};
use diesel::{
    QueryResult, RunQueryDsl,
    sql_types::{BigInt, Nullable},
};
use kernel::{AccountId, Fault, Pending, Timestamp};

use crate::{
    db::{Db, on},
    orders::left_to_invoice,
    readers::Cost,
    rows::moment,
    statement::{Bound, Statement},
    store::Store,
};

/// Takes for each figure its account and its bound, and what else it asks for. The conditions are written as their indexes have
/// them, and as the lists have them that show what is counted.
const LOOK: &str = concat!(
    "SELECT \
    (SELECT COUNT(*) FROM (SELECT 1 FROM orders WHERE account_id = ? AND status = 'paid' LIMIT ?) a), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM orders WHERE account_id = ? AND status = 'pending' LIMIT ?) b), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM invoices WHERE account_id = ? AND status = 'draft' LIMIT ?) c), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM invoices WHERE account_id = ? AND receipt_due = 1 LIMIT ?) j), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM approvals WHERE account_id = ? AND status = 'pending' AND expires_at > ? \
    AND REPLACE(?, ',' || entity_type || ',', '') <> ? LIMIT ?) d), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM stock_levels l WHERE l.account_id = ? AND l.is_low LIMIT ?) e), \
    (SELECT available FROM credit_balances WHERE account_id = ? LIMIT ?), \
    (SELECT valid_until FROM issuer_certificates WHERE account_id = ? AND is_active = 1 \
    ORDER BY valid_until LIMIT ?), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM products WHERE account_id = ? AND deleted_at IS NULL LIMIT ?) f), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM orders WHERE account_id = ? LIMIT ?) g), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM issuers WHERE account_id = ? LIMIT ?) h), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM api_keys WHERE account_id = ? LIMIT ?) i), \
    (SELECT COUNT(*) FROM (SELECT 1 FROM quotes WHERE account_id = ? AND status = 'accepted' LIMIT ?) k), \
    paid.seen, paid.unbilled, hooks.idle, hooks.failing \
    FROM (SELECT COUNT(*) AS seen, COALESCE(SUM(CASE WHEN ",
    left_to_invoice!("o"),
    " THEN 1 ELSE 0 END), 0) AS unbilled \
    FROM (SELECT account_id, id, status, total, amount_paid, amount_refunded FROM orders WHERE account_id = ? AND paid_at >= ? \
    ORDER BY paid_at DESC, id DESC LIMIT ?) o) paid \
    CROSS JOIN (SELECT COALESCE(SUM(CASE WHEN s.disabled_at IS NULL THEN 0 ELSE 1 END), 0) AS idle, \
    COALESCE(SUM(CASE WHEN s.disabled_at IS NULL AND s.consecutive_failures >= ? THEN 1 ELSE 0 END), 0) AS failing \
    FROM (SELECT disabled_at, consecutive_failures FROM subscriptions \
    WHERE account_id = ? AND deleted_at IS NULL LIMIT ?) s) hooks"
);

type Columns = (
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    Nullable<BigInt>,
    Nullable<BigInt>,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
    BigInt,
);
type Row = (
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    Option<i64>,
    Option<i64>,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
    i64,
);

impl ToDos for Store {
    fn to_do(&self, account: AccountId, query: ToDoQuery) -> Pending<Result<ToDo, Fault>> {
        self.engine.read(Cost::Fixed, move |db| look(db, account, &query))
    }
}

fn look(db: &mut Db, account: AccountId, query: &ToDoQuery) -> QueryResult<ToDo> {
    let row: Row = on!(db, |conn| Statement::<Columns>::new(LOOK, values(account, query))
        .get_result::<Row>(conn))?;
    let (ship, pay, drafts, receipts, approvals, low, credits, certificate, ..) = row;
    let (.., products, orders, issuers, keys, quotes, seen, open, idle, failing) = row;
    Ok(ToDo {
        orders_to_ship: figure(ship),
        orders_to_pay: figure(pay),
        orders_to_invoice: figure(open),
        orders_paid: figure(seen),
        quotes_to_order: figure(quotes),
        drafts: figure(drafts),
        receipts_due: figure(receipts),
        approvals: figure(approvals),
        low_stock: figure(low),
        webhooks_off: figure(idle),
        webhooks_failing: figure(failing),
        credits: credits.unwrap_or_default(),
        certificate_ends: moment(certificate),
        has_products: products > 0,
        has_orders: orders > 0,
        has_issuer: issuers > 0,
        has_api_keys: keys > 0,
    })
}

/// In the order of the statement.
fn values(account: AccountId, query: &ToDoQuery) -> Vec<Bound> {
    let own = || Bound::from(account.to_string());
    let most = |rows: u32| Bound::from(i64::from(rows));
    let once = |is_asked: bool| most(u32::from(is_asked));
    let at = |moment: Option<Timestamp>| Bound::from(moment.map_or(i64::MAX, Timestamp::micros));
    // Between commas of its own, so that each name is found whole.
    let kinds: String = query.approvals_of.iter().map(|name| format!(",{name},")).collect();
    vec![
        own(),
        most(query.orders_to_ship),
        own(),
        most(query.orders_to_pay),
        own(),
        most(query.drafts),
        own(),
        most(query.receipts_due),
        own(),
        at(query.now),
        kinds.clone().into(),
        kinds.into(),
        most(query.approvals),
        own(),
        most(query.low_stock),
        own(),
        once(query.credits),
        own(),
        once(query.certificate),
        own(),
        once(query.beginnings),
        own(),
        once(query.beginnings),
        own(),
        once(query.beginnings),
        own(),
        once(query.beginnings),
        own(),
        most(query.quotes_to_order),
        own(),
        at(query.paid_since),
        most(query.orders_to_invoice),
        i64::from(query.failures).into(),
        own(),
        most(query.webhooks),
    ]
}

fn figure(rows: i64) -> u32 {
    u32::try_from(rows).unwrap_or_default()
}
