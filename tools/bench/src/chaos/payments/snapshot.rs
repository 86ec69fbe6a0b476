//! What the database holds of the account's money, read while nothing runs on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::Context;
use serde_json::Value;

use super::outside::Outside;
use super::provider::{Charge, micros};
use crate::database::Database;
use crate::service::client::text_field;

/// A payment's row; amounts in millionths.
#[derive(Clone, Debug, Default)]
pub(super) struct PaymentRow {
    pub(super) id: String,
    pub(super) order: Option<String>,
    pub(super) provider: String,
    pub(super) method: String,
    pub(super) status: String,
    pub(super) amount: i64,
    pub(super) received: i64,
    pub(super) authorized: i64,
    pub(super) captured: i64,
    pub(super) refunded: i64,
    pub(super) refund_pending: i64,
    /// Whether the provider shows something else than was asked for.
    pub(super) in_conflict: bool,
}

/// A refund's row.
#[derive(Clone, Debug, Default)]
pub(super) struct RefundRow {
    pub(super) id: String,
    pub(super) payment: String,
    pub(super) order: Option<String>,
    pub(super) amount: i64,
    pub(super) status: String,
    pub(super) origin: String,
    pub(super) provider_ref: Option<String>,
    pub(super) is_manual: bool,
    /// Whether its call has no outcome yet.
    pub(super) is_called: bool,
}

/// An order's row.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderRow {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) total: i64,
    pub(super) paid: i64,
    pub(super) refunded: i64,
    pub(super) returned: i64,
    pub(super) was_paid: bool,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub(super) payments: BTreeMap<String, PaymentRow>,
    pub(super) refunds: BTreeMap<String, RefundRow>,
    pub(super) orders: BTreeMap<String, OrderRow>,
    pub(super) charges: HashMap<String, Charge>,
    /// Payments that a provider has on record more than once.
    pub(super) charged_twice: Vec<String>,
    pub(super) returns: BTreeSet<String>,
    /// Payments with a call of which nothing is known yet.
    pub(super) called: BTreeSet<String>,
    /// The amounts of the events of each name about each thing.
    pub(super) events: HashMap<(String, String), Vec<i64>>,
    /// The events of the provider that are on record.
    pub(super) notices: BTreeSet<String>,
    /// Of each product: level, sum of the ledger, pieces of orders that hold.
    pub(super) stock: HashMap<String, [i64; 3]>,
}

const EVENTS: &str = "'payment.received', 'refund.succeeded', 'refund.failed', 'order.paid'";

impl Snapshot {
    pub(super) fn read(
        database: &Database,
        account: &str,
        outside: &Outside,
    ) -> anyhow::Result<Self> {
        let (charges, charged_twice) = outside.charges();
        let charges = charges.into_iter().map(|charge| (charge.payment.clone(), charge)).collect();
        let mut snapshot = Self { charges, charged_twice, ..Self::default() };
        let rows = |columns: &str, table: &str| {
            database.query(&format!("SELECT {columns} FROM {table} WHERE account_id = '{account}'"))
        };
        let columns = "id, order_id, provider, method, status, amount, received, authorized, captured, refunded, \
                       refund_pending, details";
        for row in rows(columns, "payments")? {
            let payment = payment(&row)?;
            snapshot.payments.insert(payment.id.clone(), payment);
        }
        let columns = "id, payment_id, order_id, amount, status, origin, provider_ref, details";
        for row in rows(columns, "refunds")? {
            let refund = refund(&row)?;
            snapshot.refunds.insert(refund.id.clone(), refund);
        }
        let columns = "id, status, total, COALESCE(amount_paid, 0), amount_refunded, returned_total, \
                       COALESCE(paid_at, 0)";
        for row in rows(columns, "orders")? {
            let order = order(&row)?;
            snapshot.orders.insert(order.id.clone(), order);
        }
        for row in rows("payment_id, charge", "sandbox_charges")? {
            snapshot.charges.insert(text(&row, 0), Charge::read(&text(&row, 1))?);
        }
        snapshot.returns = rows("id", "order_returns")?.into_iter().flatten().collect();
        let open = database.query(&format!(
            "SELECT payment_id FROM payment_calls WHERE account_id = '{account}' AND outcome = 'open'"
        ))?;
        snapshot.called = open.into_iter().flatten().collect();
        let events = database.query(&format!(
            "SELECT name, entity_id, body FROM events WHERE account_id = '{account}' AND name IN ({EVENTS})"
        ))?;
        for row in events {
            let body: Value = serde_json::from_str(&text(&row, 2))?;
            let amount = body.get("data").map(|data| micros(data, "amount")).unwrap_or_default();
            snapshot.events.entry((text(&row, 0), text(&row, 1))).or_default().push(amount);
        }
        snapshot.notices = rows("event_key", "payment_notices")?.into_iter().flatten().collect();
        snapshot.read_stock(database, account)?;
        Ok(snapshot)
    }

    fn read_stock(&mut self, database: &Database, account: &str) -> anyhow::Result<()> {
        let sums = [
            format!(
                "SELECT product_id, SUM(quantity) FROM stock_levels WHERE account_id = '{account}' GROUP BY product_id"
            ),
            format!(
                "SELECT product_id, SUM(delta) FROM stock_movements WHERE account_id = '{account}' GROUP BY product_id"
            ),
            format!(
                "SELECT i.product_id, SUM(i.quantity - i.returned) FROM order_items i JOIN orders o \
                 ON o.account_id = i.account_id AND o.id = i.order_id \
                 WHERE o.account_id = '{account}' AND o.status <> 'cancelled' GROUP BY i.product_id"
            ),
        ];
        for (place, sql) in sums.iter().enumerate() {
            for row in database.query(sql)? {
                let sums = self.stock.entry(text(&row, 0)).or_default();
                if let Some(sum) = sums.get_mut(place) {
                    *sum = number(&row, 1)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a call about a payment has no outcome although the provider's books show that it was carried out.
    pub(super) fn is_left(&self, payment: &str) -> bool {
        let Some(charge) = self.charges.get(payment) else { return false };
        let of_payment = self.refunds.values().filter(|refund| refund.payment == payment);
        let mut called = of_payment.filter(|refund| refund.is_called);
        self.called.contains(payment)
            || called.any(|ours| {
                charge.refunds.iter().any(|theirs| theirs.refund.as_ref() == Some(&ours.id))
            })
    }

    /// The amounts of the events of a name about a thing.
    pub(super) fn told(&self, name: &str, of: &str) -> &[i64] {
        self.events.get(&(name.to_owned(), of.to_owned())).map_or(&[], Vec::as_slice)
    }
}

fn payment(row: &[String]) -> anyhow::Result<PaymentRow> {
    let details: Value = serde_json::from_str(&text(row, 11))?;
    Ok(PaymentRow {
        id: text(row, 0),
        order: some(row, 1),
        provider: text(row, 2),
        method: text(row, 3),
        status: text(row, 4),
        amount: number(row, 5)?,
        received: number(row, 6)?,
        authorized: number(row, 7)?,
        captured: number(row, 8)?,
        refunded: number(row, 9)?,
        refund_pending: number(row, 10)?,
        in_conflict: details.get("conflict").is_some_and(|conflict| !conflict.is_null()),
    })
}

fn refund(row: &[String]) -> anyhow::Result<RefundRow> {
    let details: Value = serde_json::from_str(&text(row, 7))?;
    let is_manual = details.get("is_manual") == Some(&Value::Bool(true));
    Ok(RefundRow {
        id: text(row, 0),
        payment: text(row, 1),
        order: some(row, 2),
        amount: number(row, 3)?,
        status: text(row, 4),
        origin: text(row, 5),
        provider_ref: some(row, 6),
        is_manual,
        // Nobody is called for what the merchant gives back.
        is_called: text_field(&details, "outcome") == "open" && !is_manual,
    })
}

fn order(row: &[String]) -> anyhow::Result<OrderRow> {
    Ok(OrderRow {
        id: text(row, 0),
        status: text(row, 1),
        total: number(row, 2)?,
        paid: number(row, 3)?,
        refunded: number(row, 4)?,
        returned: number(row, 5)?,
        was_paid: number(row, 6)? != 0,
    })
}

fn text(row: &[String], column: usize) -> String {
    row.get(column).cloned().unwrap_or_default()
}

fn some(row: &[String], column: usize) -> Option<String> {
    Some(text(row, column)).filter(|text| !text.is_empty())
}

fn number(row: &[String], column: usize) -> anyhow::Result<i64> {
    let text = text(row, column);
    text.parse().with_context(|| format!("{text:?} in {row:?}"))
}
