//! What orders are narrowed to by how far they are shipped, paid and invoiced.
//!
//! None of it is a column that an index has for every order: placing one would have to write it. Rows near the beginning of the
//! list are asked for it themselves; beyond them, few match, and an index that has those and few others gives them.

use ::orders::{FulfillmentStatus, PaymentStatus};
use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use kernel::{AccountId, Timestamp};

use super::list::Filtered;
use crate::{schema::orders::dsl, search::Look};

/// What was paid for an order, as `Order::amount_paid` has it.
macro_rules! paid {
    () => {
        "COALESCE(orders.amount_paid, CASE WHEN orders.paid_at IS NULL THEN 0 ELSE orders.total END)"
    };
}

/// Of an order without a moment of payment: that nothing of it is left to be paid.
macro_rules! free {
    () => {
        "COALESCE(orders.amount_paid, 0) >= orders.total - orders.returned_total"
    };
}

/// Of an order that was paid: that an invoice of it is still to be made. What is counted of them and what is listed say it by this.
/// Where all that was paid went back nothing is left, though that be less than the total by what the customer withholds.
macro_rules! left_to_invoice {
    ($order:literal) => {
        concat!(
            "(",
            $order,
            ".status <> 'cancelled' AND ",
            $order,
            ".amount_refunded < ",
            $order,
            ".total AND (",
            $order,
            ".amount_paid IS NULL OR ",
            $order,
            ".amount_refunded < ",
            $order,
            ".amount_paid) \
             AND NOT EXISTS (SELECT 1 FROM invoice_orders h WHERE h.account_id = ",
            $order,
            ".account_id \
             AND h.order_id = ",
            $order,
            ".id))"
        )
    };
}
pub(crate) use left_to_invoice;

/// By how much has gone out.
pub(super) fn fulfilled(query: Filtered, look: Look, status: FulfillmentStatus) -> Filtered {
    let query = query.filter(dsl::fulfillment_status.eq(status.name()));
    match (status, look) {
        (FulfillmentStatus::Unfulfilled, Look::Rows) => query,
        // What is shipped or delivered has gone out.
        (FulfillmentStatus::Unfulfilled, Look::Index(_)) => {
            query.filter(sql::<Bool>("orders.status IN ('pending', 'paid', 'cancelled')"))
        }
        // As the index has it.
        (FulfillmentStatus::PartiallyFulfilled | FulfillmentStatus::Fulfilled, _) => {
            query.filter(sql::<Bool>("orders.fulfillment_status <> 'unfulfilled'"))
        }
    }
}

/// By how far they are paid, as `Order::payment_status` says.
pub(super) fn paid(
    query: Filtered,
    look: Look,
    account: AccountId,
    status: PaymentStatus,
) -> Filtered {
    let is = match status {
        PaymentStatus::Refunded => {
            concat!("orders.amount_refunded > 0 AND orders.amount_refunded >= ", paid!())
        }
        PaymentStatus::PartiallyRefunded => {
            concat!("orders.amount_refunded > 0 AND orders.amount_refunded < ", paid!())
        }
        PaymentStatus::Paid => {
            concat!("orders.amount_refunded = 0 AND (orders.paid_at IS NOT NULL OR ", free!(), ")")
        }
        PaymentStatus::Unpaid => concat!(
            "orders.amount_refunded = 0 AND orders.paid_at IS NULL AND NOT ",
            free!(),
            " AND COALESCE(orders.amount_paid, 0) = 0"
        ),
        PaymentStatus::PartiallyPaid => concat!(
            "orders.amount_refunded = 0 AND orders.paid_at IS NULL AND NOT ",
            free!(),
            " AND COALESCE(orders.amount_paid, 0) > 0"
        ),
    };
    let query = query.filter(sql::<Bool>(&format!("({is})")));
    if look == Look::Rows {
        return query;
    }
    let either = match status {
        // Their own index gives them in order.
        PaymentStatus::Refunded | PaymentStatus::PartiallyRefunded => return query,
        PaymentStatus::Paid => [
            // No moment is before: by a range the planner sees that the index is meant.
            "o.paid_at > 0",
            "o.paid_at IS NULL AND COALESCE(o.amount_paid, 0) >= o.total - o.returned_total",
        ],
        PaymentStatus::Unpaid | PaymentStatus::PartiallyPaid => {
            ["o.status = 'pending'", "o.paid_at IS NULL AND o.status <> 'pending'"]
        }
    };
    let [one, other] = either;
    let of_either = sql::<Bool>("orders.id IN (SELECT o.id FROM orders o WHERE o.account_id = ")
        .bind::<Text, _>(account.to_string())
        .sql(&format!(" AND {one} UNION ALL SELECT o.id FROM orders o WHERE o.account_id = "))
        .bind::<Text, _>(account.to_string())
        .sql(&format!(" AND {other})"));
    query.filter(of_either)
}

/// By when they were paid in full.
pub(super) fn paid_from(
    query: Filtered,
    look: Look,
    account: AccountId,
    from: Timestamp,
) -> Filtered {
    match look {
        // The sum keeps the index out of it.
        Look::Rows => query.filter(
            sql::<Bool>("(orders.paid_at + 0 >= ").bind::<BigInt, _>(from.micros()).sql(")"),
        ),
        Look::Index(_) => query.filter(
            sql::<Bool>("orders.id IN (SELECT o.id FROM orders o WHERE o.account_id = ")
                .bind::<Text, _>(account.to_string())
                .sql(" AND o.paid_at >= ")
                .bind::<BigInt, _>(from.micros())
                .sql(")"),
        ),
    }
}

/// By whether there is an invoice of them.
pub(super) fn invoiced(
    query: Filtered,
    look: Look,
    account: AccountId,
    is_invoiced: bool,
) -> Filtered {
    const HELD: &str = "EXISTS (SELECT 1 FROM invoice_orders h \
                        WHERE h.account_id = orders.account_id AND h.order_id = orders.id)";
    match (is_invoiced, look) {
        (true, Look::Rows) => query.filter(sql::<Bool>(HELD)),
        (true, Look::Index(_)) => query.filter(
            sql::<Bool>(
                "orders.id IN (SELECT h.order_id FROM invoice_orders h WHERE h.account_id = ",
            )
            .bind::<Text, _>(account.to_string())
            .sql(")"),
        ),
        // Nothing has what there is not: both keys are walked side by side.
        (false, _) => query.filter(sql::<Bool>(&format!("NOT {HELD}"))),
    }
}

/// Those that were paid and are still to be invoiced.
pub(super) fn to_invoice(query: Filtered, look: Look, account: AccountId) -> Filtered {
    // No moment is before.
    let paid = paid_from(query, look, account, Timestamp::from_micros(1));
    paid.filter(sql::<Bool>(left_to_invoice!("orders")))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use ::orders::OrderFilter;
    use diesel::connection::SimpleConnection;
    use diesel_migrations::MigrationHarness;
    use kernel::page::Sorting;

    use super::*;
    use crate::{
        db::Db, listing::List, migrations::MIGRATIONS, orders::list::OrderList, search::WordSet,
    };

    const ACCOUNT: AccountId = AccountId::from_u128(1);

    /// An order in every state that there may be, with and without an invoice.
    fn every_state() -> String {
        let (mut rows, mut held, mut number) = (String::new(), String::new(), 0);
        for (status, sent) in [
            ("pending", "unfulfilled"),
            ("pending", "partially_fulfilled"),
            ("paid", "unfulfilled"),
            ("paid", "fulfilled"),
            ("shipped", "fulfilled"),
            ("cancelled", "unfulfilled"),
        ] {
            for (total, returned) in [(0, 0), (100, 0), (100, 40), (100, 100)] {
                for (paid_at, paid, refunded) in [
                    ("NULL", "NULL", 0),
                    ("NULL", "0", 0),
                    ("NULL", "60", 0),
                    ("NULL", "60", 20),
                    ("NULL", "60", 60),
                    ("7", "NULL", 0),
                    ("7", "100", 0),
                    ("7", "100", 30),
                    ("7", "100", 100),
                    ("7", "90", 0),
                    ("7", "90", 90),
                ] {
                    number += 1;
                    let start = if rows.is_empty() { "" } else { ", " };
                    write!(
                        rows,
                        "{start}('{ACCOUNT}', '{number:06}', {number}, '{status}', '{sent}', 'c', {total}, 'MXN', 0, \
                         '{{}}', '', 1, 1, 1, {paid_at}, {paid}, {refunded}, {returned})"
                    )
                    .unwrap();
                    if number % 2 == 0 {
                        let start = if held.is_empty() { "" } else { ", " };
                        write!(held, "{start}('{ACCOUNT}', '{number:06}', 'i')").unwrap();
                    }
                }
            }
        }
        format!(
            "INSERT INTO orders (account_id, id, number, status, fulfillment_status, customer_id, total, currency, \
             refund_due, metadata, search_text, created_at, updated_at, version, paid_at, amount_paid, amount_refunded, \
             returned_total) VALUES {rows}; INSERT INTO invoice_orders (account_id, order_id, invoice_id) VALUES {held};"
        )
    }

    fn found(db: &mut Db, filter: &OrderFilter, look: Look) -> Vec<String> {
        let list = OrderList { account: ACCOUNT, filter, sort: Sorting::default() };
        let mut ids: Vec<String> = list.matching(db, look).select(dsl::id).load(db).unwrap();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_indexes_give_what_the_rows_say_and_each_order_once() {
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        conn.run_pending_migrations(MIGRATIONS.sqlite).unwrap();
        conn.batch_execute("PRAGMA foreign_keys = OFF").unwrap();
        conn.batch_execute(&every_state()).unwrap();
        let db = &mut Db::Sqlite(conn);
        let every = found(db, &OrderFilter::default(), Look::Rows);
        let index = Look::Index(WordSet::ALL);
        let mut of_each = |filters: Vec<OrderFilter>| {
            let mut all = Vec::new();
            for filter in filters {
                let rows = found(db, &filter, Look::Rows);
                assert!(!rows.is_empty(), "{filter:?}");
                assert_eq!(found(db, &filter, index), rows, "{filter:?}");
                all.extend(rows);
            }
            all.sort_unstable();
            assert_eq!(all, every);
        };
        let payment = |status: &PaymentStatus| OrderFilter {
            payment: Some(*status),
            ..OrderFilter::default()
        };
        of_each(PaymentStatus::EVERY.iter().map(payment).collect());
        let sent = |status: &FulfillmentStatus| OrderFilter {
            fulfillment: Some(*status),
            ..OrderFilter::default()
        };
        of_each(FulfillmentStatus::EVERY.iter().map(sent).collect());
        let invoiced = |it| OrderFilter { invoiced: Some(it), ..OrderFilter::default() };
        of_each([true, false].map(invoiced).to_vec());
        let to_invoice = OrderFilter { to_invoice: true, ..OrderFilter::default() };
        let left = found(db, &to_invoice, Look::Rows);
        assert_eq!(found(db, &to_invoice, index), left);
        let paid: Vec<String> = dsl::orders
            .filter(dsl::paid_at.is_not_null())
            .filter(dsl::status.ne("cancelled"))
            .filter(dsl::amount_refunded.lt(dsl::total))
            .filter(
                dsl::amount_paid.is_null().or(dsl::amount_refunded.nullable().lt(dsl::amount_paid)),
            )
            .order(dsl::id)
            .select(dsl::id)
            .load(db)
            .unwrap();
        let free = found(db, &invoiced(false), Look::Rows);
        let due: Vec<_> = paid.iter().filter(|id| free.contains(id)).cloned().collect();
        assert!(!due.is_empty() && due.len() < paid.len() && due == left, "{due:?}");
        let paid_from = |micros| OrderFilter {
            paid_from: Some(Timestamp::from_micros(micros)),
            ..OrderFilter::default()
        };
        for (micros, are_any) in [(7, true), (8, false)] {
            let filter = paid_from(micros);
            let rows = found(db, &filter, Look::Rows);
            assert_eq!(!rows.is_empty(), are_any);
            assert_eq!(found(db, &filter, index), rows);
        }
    }
}
