//! Changing an order.

use ::orders::{
    Order, OrderId, OrderStatus, ReviseOrder, UpdateError, shipments::Dispatched,
    update::update_dispatched,
};
use diesel::{prelude::*, result::Error as DieselError};
use kernel::{Amount, Ctx, Refused};

use super::{blocks, promises, shipments};
use crate::ordering::rows::{OrderRow, with_items};
use crate::{
    db::first_locked,
    error::{Failure, refuse_stale},
    events, payments,
    rows::refuse_taken_external_id,
    schema::{customers, orders as table},
    search,
    tx::Tx,
};

pub(crate) fn order_update(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    command: &ReviseOrder,
) -> Result<Order, Failure<UpdateError>> {
    let account = ctx.account.to_string();
    let row = first_locked!(
        tx.db,
        OrderRow,
        table::table
            .filter(table::account_id.eq(&account))
            .filter(table::id.eq(command.id.to_string()))
    )?;
    let before = with_items(tx.db, row.ok_or(Refused::NotFound)?)?;
    refuse_stale(command.version, before.version)?;
    let changes = command.changes.clone();
    // Nothing else of an order has to do with its shipments.
    let dispatched = match changes.status.is_some() || changes.fulfillment_status.is_some() {
        true => shipments::dispatched(tx.db, ctx.account, &before)?,
        false => Dispatched::default(),
    };
    let is_marked_paid = changes.status == Some(OrderStatus::Paid);
    let withholds = is_marked_paid && payments::withholds(tx.db, ctx.account, &before)?;
    let updated = update_dispatched(&before, changes, &dispatched, withholds, ctx.now)?;
    if updated.order.version == before.version {
        return Ok(updated.order);
    }
    refuse_taken_external_id!(
        tx.db,
        table,
        account,
        updated.order.external_id.as_deref(),
        Some(updated.order.id),
        OrderId::parse,
        UpdateError
    );
    let terms = customer_terms(tx, &account, &updated.order.customer.to_string())?;
    OrderRow::of(&account, &updated.order, &terms)?.save(tx.db)?;
    blocks::extend(tx, &account, updated.order.number, &updated.order.own_terms())?;
    if !updated.freed.is_empty() {
        promises::free(tx, ctx, updated.order.id, &updated.freed)?;
    }
    if updated.ships {
        shipments::ship_rest(tx, ctx, &updated.order)?;
    }
    if updated.order.status != before.status && updated.order.status == OrderStatus::Delivered {
        shipments::deliver_all(tx, ctx, updated.order.id)?;
    }
    events::append(tx, ctx.account, ctx.now, updated.events)?;
    if let Some(amount) = updated.received {
        payments::mark_paid(tx, ctx.account, &updated.order, amount, ctx.now)?;
    }
    let mut order = updated.order;
    if order.status != before.status || updated.received.is_some() {
        payments::call_off_settled(tx, ctx.account, &order, None, ctx.now)?;
    }
    if order.status != before.status && order.status == OrderStatus::Cancelled {
        payments::papers::never_paid(tx, ctx.account, order.id, order.id.to_string(), ctx.now)?;
    }
    if let Some(owed) = updated.to_refund {
        // Refunds that are under way give back their part of it.
        let held = payments::held(tx, ctx.account, order.id, ctx.now)?;
        let owed = Amount::from_micros(owed.micros() - held.pending.micros());
        let why = payments::Why {
            origin: ::payments::Origin::Cancellation,
            reason: order.cancel_reason.clone(),
            note: None,
        };
        order = payments::refund_order(tx, ctx.account, order, owed, &why, ctx.now)?;
    }
    Ok(order)
}

/// The terms under which a customer is found, none if there is no such customer any more.
pub(super) fn customer_terms(
    tx: &mut Tx<'_>,
    account: &str,
    customer: &str,
) -> QueryResult<String> {
    let terms = customers::table.find((account, customer)).select(customers::search_text);
    terms.first(tx.db).optional().map(Option::unwrap_or_default)
}

/// Makes the search terms of an order anew.
pub(crate) fn renew_terms(tx: &mut Tx<'_>, account: &str, id: &str) -> QueryResult<()> {
    let this = table::table.filter(table::account_id.eq(account)).filter(table::id.eq(id));
    let Some(row) = first_locked!(tx.db, OrderRow, this)? else { return Ok(()) };
    let (kept, customer) = (row.search_text.clone(), row.customer_id.clone());
    let terms = match with_items(tx.db, row) {
        Ok(order) => {
            blocks::extend(tx, account, order.number, &order.own_terms())?;
            order.terms(&customer_terms(tx, account, &customer)?).joined()
        }
        Err(DieselError::DeserializationError(_)) => kept,
        Err(error) => return Err(error),
    };
    let columns = (table::search_text.eq(terms), table::search_version.eq(search::VERSION));
    diesel::update(this).set(columns).execute(tx.db).map(drop)
}
