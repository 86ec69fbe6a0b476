//! What is owed for an order, and asked for where no amount is named.

use ::invoices::Status;
use ::orders::{Order, OrderStatus, paying};
use ::payments::{CustomerId, OrderId, Owed, Payment, open};
use diesel::prelude::*;
use kernel::{AccountId, Amount};

use super::rows;
use crate::{db::Db, invoicing, ordering::rows::order_by_id, schema::customers};

/// What is owed for an order that has these payments.
pub(super) fn owed(
    db: &mut Db,
    account: AccountId,
    order: &Order,
    payments: &[Payment],
) -> QueryResult<Owed> {
    Ok(Owed {
        currency: order.currency,
        due: order.amount_due(),
        usual: order.amount_owed(withholds(db, account, order)?),
        in_progress: open::in_progress(payments),
        is_cancelled: order.status == OrderStatus::Cancelled,
        customer: Some(CustomerId::from_u128(order.customer.to_u128())),
    })
}

/// What is owed for an order, if there is one.
pub(super) fn of_order(db: &mut Db, account: AccountId, id: OrderId) -> QueryResult<Option<Owed>> {
    let order = order_by_id(db, &account.to_string(), &id.to_string())?;
    let Some(order) = order else { return Ok(None) };
    let payments = rows::of_order(db, account, id)?;
    owed(db, account, &order, &payments).map(Some)
}

/// Those of these orders of which whoever pays withholds taxes.
pub(super) fn withholding(
    db: &mut Db,
    account: AccountId,
    orders: &[OrderId],
) -> QueryResult<Vec<OrderId>> {
    let mut found = Vec::new();
    for id in orders {
        let order = order_by_id(db, &account.to_string(), &id.to_string())?;
        if let Some(order) = order
            && withholds(db, account, &order)?
        {
            found.push(*id);
        }
    }
    Ok(found)
}

/// Whether whoever pays an order withholds taxes of it.
pub(crate) fn withholds(db: &mut Db, account: AccountId, order: &Order) -> QueryResult<bool> {
    // Of most orders nothing is withheld, and nothing has to be read.
    if !order.bears_withheld_taxes() {
        return Ok(false);
    }
    let id = ::invoices::OrderId::from_u128(order.id.to_u128());
    let billed = invoicing::of_order(db, account, id)?;
    let is_stated = billed.filter(|invoice| invoice.status == Status::Stamped).map(|invoice| {
        invoice.totals().total_withheld.is_some_and(|withheld| withheld > Amount::ZERO)
    });
    let rfc = match is_stated {
        // The invoice settles it.
        Some(_) => None,
        None => {
            let key = (account.to_string(), order.customer.to_string());
            let rfc = customers::table.find(key).select(customers::rfc);
            rfc.first::<Option<String>>(db).optional()?.flatten()
        }
    };
    Ok(paying::withholds(is_stated, rfc.as_deref()))
}
