//! What refunds that wait for an approval have set aside of payments, until the approval has ended or its time is over.
//!
//! Whoever changes what is held of a payment has locked it, after its order.

use std::collections::HashSet;

use ::payments::{OrderId, Payment, PaymentError, PaymentId, refund};
use diesel::{prelude::*, sql_types::Text};
use engine::cleanup::{Chore, Found, RowsByAge, SLICE_ROWS};
use kernel::{AccountId, Amount, Refused, Timestamp};

use super::{begin::Outcome, money::order_of, rows};
use crate::{
    db::{Db, on},
    rows::{corrupt, read},
    schema::{approval_holds as table, approvals},
    statement::Statement,
    tx::Tx,
};

/// The status of requests that wait.
const PENDING: &str = "pending";

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table)]
struct HoldRow {
    account_id: String,
    approval_id: String,
    payment_id: String,
    amount: i64,
}

#[diesel::dsl::auto_type(no_type_alias)]
fn of_payment(account: String, payment: String) -> _ {
    table::table.filter(table::account_id.eq(account)).filter(table::payment_id.eq(payment))
}

/// A payment, locked after its order, of which nothing is held that need not be.
pub(crate) fn lock(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: PaymentId,
    now: Timestamp,
) -> Outcome<Payment> {
    let seen = rows::by_id(tx.db, account, id)?.ok_or(Refused::NotFound)?;
    order_of(tx, account, seen.order)?;
    let payment = rows::locked::<PaymentError>(tx, account, id)?;
    Ok(saved(tx, account, &payment, now)?)
}

/// The payments of an order that is locked, of which nothing is held that need not be.
pub(crate) fn of_locked_order(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: OrderId,
    now: Timestamp,
) -> QueryResult<Vec<Payment>> {
    let payments = rows::of_order(tx.db, account, order)?;
    payments.iter().map(|payment| saved(tx, account, payment, now)).collect()
}

fn saved(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: &Payment,
    now: Timestamp,
) -> QueryResult<Payment> {
    let after = freed(tx, account, payment, now)?;
    if after != *payment {
        rows::save(tx, account, &after)?;
    }
    Ok(after)
}

/// A payment that is locked, without what was held for requests whose time is over.
pub(super) fn freed(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: &Payment,
    now: Timestamp,
) -> QueryResult<Payment> {
    let of = || of_payment(account.to_string(), payment.id.to_string());
    let held: Vec<(String, i64)> = of().select((table::approval_id, table::amount)).load(tx.db)?;
    if held.is_empty() {
        return Ok(payment.clone());
    }
    let ids: Vec<&str> = held.iter().map(|(id, _)| id.as_str()).collect();
    let live: HashSet<String> = approvals::table
        .filter(approvals::account_id.eq(account.to_string()))
        .filter(approvals::id.eq_any(ids))
        .filter(approvals::status.eq(PENDING))
        .filter(approvals::expires_at.gt(now.micros()))
        .select(approvals::id)
        .load(tx.db)?
        .into_iter()
        .collect();
    let mut payment = payment.clone();
    for (id, amount) in held.iter().filter(|(id, _)| !live.contains(id)) {
        if diesel::delete(of().filter(table::approval_id.eq(id))).execute(tx.db)? > 0 {
            payment = refund::let_go(&payment, Amount::from_micros(*amount), now);
        }
    }
    Ok(payment)
}

/// Sets parts of payments that are locked aside for a request.
pub(crate) fn hold(
    tx: &mut Tx<'_>,
    account: AccountId,
    approval: &str,
    parts: &[(PaymentId, Amount)],
    now: Timestamp,
) -> QueryResult<()> {
    for (id, amount) in parts {
        let payment = rows::locked_if_any(tx, account, *id)?;
        let held = payment.and_then(|payment| refund::hold(&payment, *amount, now));
        let held =
            held.ok_or_else(|| corrupt("a payment that has less left than under its lock"))?;
        rows::save(tx, account, &held)?;
        let row = HoldRow {
            account_id: account.to_string(),
            approval_id: approval.to_owned(),
            payment_id: id.to_string(),
            amount: amount.micros(),
        };
        diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    }
    Ok(())
}

/// Frees what is held for a request that waits no longer.
pub(crate) fn release(
    tx: &mut Tx<'_>,
    account: AccountId,
    approval: &str,
    now: Timestamp,
) -> QueryResult<()> {
    let of_request = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::approval_id.eq(approval))
        .order(table::payment_id)
        .select(HoldRow::as_select());
    let held: Vec<HoldRow> = of_request.load(tx.db)?;
    for row in held {
        let id = read(&row.payment_id, PaymentId::parse)?;
        let order = rows::by_id(tx.db, account, id)?.and_then(|seen| seen.order);
        order_of(tx, account, order)?;
        let Some(payment) = rows::locked_if_any(tx, account, id)? else { continue };
        let own = of_payment(row.account_id, row.payment_id);
        let own = own.filter(table::approval_id.eq(row.approval_id));
        if diesel::delete(own).execute(tx.db)? > 0 {
            let free = refund::let_go(&payment, Amount::from_micros(row.amount), now);
            rows::save(tx, account, &free)?;
        }
    }
    Ok(())
}

/// Frees all that is held of payments that are locked, to see what would be so without it.
pub(crate) fn free_all(
    tx: &mut Tx<'_>,
    account: AccountId,
    payments: &[Payment],
) -> QueryResult<()> {
    for payment in without_holds(tx.db, account, payments.to_vec())? {
        let own = of_payment(account.to_string(), payment.id.to_string());
        if diesel::delete(own).execute(tx.db)? > 0 {
            rows::save(tx, account, &payment)?;
        }
    }
    Ok(())
}

/// Payments as they would be if no request held anything of them.
pub(crate) fn without_holds(
    db: &mut Db,
    account: AccountId,
    mut payments: Vec<Payment>,
) -> QueryResult<Vec<Payment>> {
    let ids: Vec<String> = payments.iter().map(|payment| payment.id.to_string()).collect();
    let held: Vec<(String, i64)> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::payment_id.eq_any(ids))
        .select((table::payment_id, table::amount))
        .load(db)?;
    for payment in &mut payments {
        let id = payment.id.to_string();
        let own = held.iter().filter(|(of, _)| *of == id).map(|(_, amount)| amount);
        let pending = payment.refund_pending.micros() - own.sum::<i64>();
        payment.refund_pending = Amount::from_micros(pending);
    }
    Ok(payments)
}

/// Frees what is held for requests whose time is over.
pub(crate) struct ExpiredHolds;

const OVER: &str = "SELECT h.approval_id, h.payment_id FROM approval_holds h JOIN approvals p \
    ON p.account_id = h.account_id AND p.id = h.approval_id \
    WHERE h.account_id = ? AND (p.status <> 'pending' OR p.expires_at < ?) ORDER BY h.approval_id LIMIT ?";

impl Chore for ExpiredHolds {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let accounts = RowsByAge {
            find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM approval_holds h JOIN approvals p \
                   ON p.account_id = h.account_id AND p.id = h.approval_id WHERE h.account_id = a.id \
                   AND (p.status <> 'pending' OR p.expires_at < ?)) THEN 'yes' ELSE 'no' END \
                   FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
            remove: "",
            retention_micros: 0,
        };
        accounts.find(db, after, now)
    }

    fn remove(&self, tx: &mut Tx<'_>, place: &str, now: Timestamp) -> QueryResult<u64> {
        let account = read(place, AccountId::parse)?;
        let values = [place.to_owned().into(), now.micros().into(), SLICE_ROWS.into()];
        let over: Vec<(String, String)> =
            on!(&mut *tx.db, |conn| Statement::<(Text, Text)>::new(OVER, values).load(conn))?;
        for (approval, _) in &over {
            release(tx, account, approval, now)?;
        }
        Ok(over.len() as u64)
    }
}
