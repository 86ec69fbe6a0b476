//! What is owed for an order, and asked for where no amount is named.

use std::collections::{BTreeSet, HashMap};

use ::invoices::{Status, withheld};
use ::orders::{Order, OrderStatus, paying};
use ::payments::{CustomerId, OrderId, Owed, Payment, open};
use cfdi::{document::Document, totals::Totals};
use diesel::prelude::*;
use kernel::{AccountId, Amount};

use super::rows;
use crate::{
    db::Db,
    ordering::rows::order_by_id,
    rows::read_name,
    schema::{customers, invoice_orders, invoices},
    stored::from_text,
};

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

/// What is asked for of orders, of which so much is owed, where no amount is named; one for one.
pub(super) fn asked(
    db: &mut Db,
    account: AccountId,
    orders: &[(OrderId, Amount)],
) -> QueryResult<Vec<Amount>> {
    let ids: Vec<String> = orders.iter().map(|(id, _)| id.to_string()).collect();
    let mut of: HashMap<OrderId, Vec<Payment>> = HashMap::new();
    for payment in rows::of_any_order(db, account, &ids)? {
        if let Some(order) = payment.order {
            of.entry(order).or_default().push(payment);
        }
    }
    let asked =
        |(id, owed): &(OrderId, Amount)| open::asked(*owed, of.get(id).into_iter().flatten());
    Ok(orders.iter().map(asked).collect())
}

/// Those of these orders of which whoever pays withholds taxes, each with its customer, by as many questions however many they
/// are.
pub(super) fn withholding(
    db: &mut Db,
    account: AccountId,
    orders: &[(OrderId, CustomerId)],
) -> QueryResult<Vec<OrderId>> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let stated = stated(db, account, orders)?;
    // Where an invoice settles it, nothing of its customer has to be read.
    let unsettled = orders.iter().filter(|(id, _)| !stated.contains_key(&id.to_string()));
    let unsettled: BTreeSet<String> = unsettled.map(|(_, customer)| customer.to_string()).collect();
    let rfcs = rfcs(db, account, unsettled)?;
    let withholds = |(id, customer): &(OrderId, CustomerId)| {
        let is_stated = stated.get(&id.to_string()).copied();
        let rfc = rfcs.get(&customer.to_string());
        paying::withholds(is_stated, rfc.map(String::as_str)).then_some(*id)
    };
    Ok(orders.iter().filter_map(withholds).collect())
}

/// Whether the invoices of orders state withheld taxes; only of those that have one that [settles](withheld::settled) it.
fn stated(
    db: &mut Db,
    account: AccountId,
    orders: &[(OrderId, CustomerId)],
) -> QueryResult<HashMap<String, bool>> {
    let ids = orders.iter().map(|(id, _)| id.to_string());
    let holders: Vec<(String, String)> = invoice_orders::table
        .filter(invoice_orders::account_id.eq(account.to_string()))
        .filter(invoice_orders::order_id.eq_any(ids))
        .select((invoice_orders::order_id, invoice_orders::invoice_id))
        .load(db)?;
    // A global invoice holds many of them and is read once.
    let billed: BTreeSet<String> = holders.iter().map(|(_, invoice)| invoice.clone()).collect();
    if billed.is_empty() {
        return Ok(HashMap::new());
    }
    let sealed = [Status::Stamped, Status::Stamping].map(Status::name);
    let documents: Vec<(String, String, String)> = invoices::table
        .filter(invoices::account_id.eq(account.to_string()))
        .filter(invoices::id.eq_any(billed))
        .filter(invoices::status.eq_any(sealed))
        .select((invoices::id, invoices::status, invoices::document))
        .load(db)?;
    let mut states: HashMap<String, bool> = HashMap::new();
    for (id, status, document) in documents {
        let status = read_name(&status, Status::EVERY, Status::name)?;
        let document: Document = from_text(&document)?;
        let total = Totals::of(&document).total_withheld;
        let is_stated = total.is_some_and(|total| total > Amount::ZERO);
        states.extend(withheld::settled(status, is_stated).map(|settled| (id, settled)));
    }
    let of_order = |(order, invoice): (String, String)| {
        states.get(&invoice).map(|is_stated| (order, *is_stated))
    };
    Ok(holders.into_iter().filter_map(of_order).collect())
}

/// The RFCs of customers, as far as they have one.
fn rfcs(
    db: &mut Db,
    account: AccountId,
    ids: BTreeSet<String>,
) -> QueryResult<HashMap<String, String>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(String, Option<String>)> = customers::table
        .filter(customers::account_id.eq(account.to_string()))
        .filter(customers::id.eq_any(ids))
        .select((customers::id, customers::rfc))
        .load(db)?;
    Ok(rows.into_iter().filter_map(|(id, rfc)| Some((id, rfc?))).collect())
}

/// Whether whoever pays an order withholds taxes of it.
pub(crate) fn withholds(db: &mut Db, account: AccountId, order: &Order) -> QueryResult<bool> {
    if order.withheld_stated.is_some() {
        return Ok(true);
    }
    // Of most orders nothing is withheld, and nothing has to be read.
    if !order.bears_withheld_taxes() {
        return Ok(false);
    }
    let id = OrderId::from_u128(order.id.to_u128());
    let customer = CustomerId::from_u128(order.customer.to_u128());
    Ok(!withholding(db, account, &[(id, customer)])?.is_empty())
}
