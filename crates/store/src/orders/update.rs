//! Changing an order.

use std::collections::BTreeMap;

use ::orders::{ItemSku, Order, ReviseOrder, UpdateError, update, update::UpdateRefusal};
use catalog::{ProductId, StockChange, StockKey, StockReason, VariantId};
use diesel::prelude::*;
use kernel::{Ctx, Quantity, Refused};

use super::rows::{OrderRow, variant_column, with_items};
use crate::{
    catalog::stock,
    db::first_locked,
    error::{Failure, refuse_stale},
    events,
    schema::{orders as table, products, stock_levels},
    tx::Tx,
};

pub(super) fn order_update(
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
    let updated =
        update(&before, command.changes.clone(), ctx.now).map_err(|refusal| match refusal {
            UpdateRefusal::Invalid(faults) => Refused::Invalid(faults),
            UpdateRefusal::Rule(error) => Refused::Rule(error),
        })?;
    if updated.order.version == before.version {
        return Ok(updated.order);
    }
    let row = OrderRow::of(&account, &updated.order)?;
    let this = table::table.filter(table::account_id.eq(&account)).filter(table::id.eq(&row.id));
    diesel::update(this).set(&row).execute(tx.db)?;
    give_back(tx, ctx, &updated.order, &updated.returned)?;
    events::append(tx, ctx.account, ctx.now, updated.events)?;
    Ok(updated.order)
}

/// Returns stock to the shelf; what has been taken out of the catalog meanwhile has no shelf any more.
fn give_back(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    order: &Order,
    returned: &[(ItemSku, Quantity)],
) -> QueryResult<()> {
    let mut back: BTreeMap<ItemSku, Quantity> = BTreeMap::new();
    for (sold, quantity) in returned {
        *back.entry(*sold).or_default() += quantity;
    }
    let account = ctx.account.to_string();
    for (sold, quantity) in back {
        let product = sold.product.to_string();
        stock::lock_levels(tx.db, ctx.account, &product)?;
        let kept: Option<String> = products::table
            .filter(products::account_id.eq(&account))
            .filter(products::id.eq(&product))
            .filter(products::deleted_at.is_null())
            .select(products::id)
            .first(tx.db)
            .optional()?;
        let level: Option<Quantity> = stock_levels::table
            .find((&account, &product, variant_column(sold), stock::default_warehouse(&account)))
            .select(stock_levels::quantity)
            .first(tx.db)
            .optional()?;
        let (Some(_), Some(level)) = (kept, level) else { continue };
        let key = StockKey {
            product: ProductId::from_u128(sold.product.to_u128()),
            variant: sold.variant.map(|variant| VariantId::from_u128(variant.to_u128())),
        };
        let change = StockChange {
            key,
            delta: quantity,
            left: level + quantity,
            reason: StockReason::Cancellation,
            reference: order.id.to_string(),
        };
        stock::apply(tx, ctx.account, ctx.now, &[change])?;
    }
    Ok(())
}
