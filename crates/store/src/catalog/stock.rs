//! What changes of products do to their stock.

use std::collections::BTreeSet;

use catalog::{Holding, Holdings, Product, ProductId, StockChange, StockReason, VariantId};
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use inventory::{Move, Reason, Sku, Valued, spread};
use kernel::{AccountId, Quantity, Timestamp};

use crate::{
    db::Db,
    rows::{corrupt, read_name},
    schema::{
        count_lines, price_list_items, price_lists, stock_counts, stock_movements, transfer_lines,
        transfers,
    },
    stock::{
        ledger::TRANSIT_PREFIX,
        levels::{Levels, add_home},
        places::put_into,
    },
    tx::Tx,
};

/// A product or variant as the inventory names it.
pub(in crate::catalog) fn sku(product: ProductId, variant: Option<VariantId>) -> Sku {
    Sku::named(
        inventory::ProductId::from_u128(product.to_u128()),
        variant.map(|id| inventory::VariantId::from_u128(id.to_u128())),
    )
}

/// What warehouses hold of a product, whose levels are locked.
pub(super) fn holdings(levels: &Levels, product: &Product) -> Holdings {
    let variants = product.variants.iter().map(|variant| Some(variant.id));
    let holding = |variant| {
        let Valued { on_hand, average, .. } =
            levels.valued(sku(product.id, variant), product.currency);
        (variant, Holding { on_hand, average_cost: average })
    };
    std::iter::once(None).chain(variants).map(holding).collect()
}

/// Whether quantities of a product are on record: its stock has moved, or a price list, an open transfer or an open count has
/// some of it. Orders have sold none of it otherwise.
pub(super) fn is_counted(db: &mut Db, account: AccountId, product: ProductId) -> QueryResult<bool> {
    let (account, product) = (account.to_string(), product.to_string());
    let moved: Option<String> = stock_movements::table
        .filter(stock_movements::account_id.eq(&account))
        .filter(stock_movements::product_id.eq(&product))
        // As the index says it.
        .filter(sql::<Bool>("reason NOT IN ('order', 'cancellation', 'shipment')"))
        .select(stock_movements::id)
        .first(db)
        .optional()?;
    // Prices of a list that was deleted may still be there.
    let lists: Vec<String> = price_lists::table
        .filter(price_lists::account_id.eq(&account))
        .filter(price_lists::deleted_at.is_null())
        .select(price_lists::id)
        .load(db)?;
    let listed: Option<String> = price_list_items::table
        .filter(price_list_items::account_id.eq(&account))
        .filter(price_list_items::product_id.eq(&product))
        .filter(price_list_items::list_id.eq_any(lists))
        .select(price_list_items::list_id)
        .first(db)
        .optional()?;
    if moved.is_some() || listed.is_some() {
        return Ok(true);
    }
    let open: Vec<String> = transfers::table
        .filter(transfers::account_id.eq(&account))
        .filter(sql::<Bool>("status IN ('draft', 'in_transit')"))
        .select(transfers::id)
        .load(db)?;
    let sent: Option<i64> = transfer_lines::table
        .filter(transfer_lines::account_id.eq(&account))
        .filter(transfer_lines::transfer_id.eq_any(open))
        .filter(transfer_lines::product_id.eq(&product))
        .select(transfer_lines::line)
        .first(db)
        .optional()?;
    let open: Vec<String> = stock_counts::table
        .filter(stock_counts::account_id.eq(&account))
        .filter(sql::<Bool>("status IN ('draft', 'counting')"))
        .select(stock_counts::id)
        .load(db)?;
    let counted: Option<String> = count_lines::table
        .filter(count_lines::account_id.eq(&account))
        .filter(count_lines::count_id.eq_any(open))
        .filter(count_lines::product_id.eq(&product))
        .select(count_lines::id)
        .first(db)
        .optional()?;
    Ok(sent.is_some() || counted.is_some())
}

/// Makes room for the stock of a product and of these variants.
pub(super) fn make_room(
    tx: &mut Tx<'_>,
    account: AccountId,
    product: ProductId,
    variants: impl Iterator<Item = VariantId>,
) -> QueryResult<()> {
    for variant in std::iter::once(None).chain(variants.map(Some)) {
        add_home(tx.db, account, sku(product, variant))?;
    }
    Ok(())
}

/// Applies changes of what all warehouses have together: what is added goes to the default one, what is taken comes from
/// there first.
pub(super) fn apply(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    changes: &[StockChange],
) -> QueryResult<()> {
    // What is removed is cleared, wherever it lies.
    let changes: Vec<&StockChange> =
        changes.iter().filter(|change| change.reason != StockReason::Removal).collect();
    if changes.is_empty() {
        return Ok(());
    }
    let named = |change: &StockChange| sku(change.key.product, change.key.variant);
    let mut levels = Levels::locked(tx.db, account, changes.iter().map(|change| named(change)))?;
    let from = put_into(tx, account)?;
    let mut moves = Vec::with_capacity(changes.len());
    for change in changes {
        let sku = named(change);
        let there: Vec<(_, Quantity)> = from
            .iter()
            .map(|warehouse| (*warehouse, levels.level(sku, *warehouse).available))
            .collect();
        let reason = read_name(change.reason.name(), Reason::EVERY, Reason::name)?;
        let parts = spread(change.delta, &there);
        if parts.iter().map(|(_, part)| part).sum::<Quantity>() != change.delta {
            return Err(corrupt("stock that lies in no warehouse"));
        }
        let moved =
            |(warehouse, part)| Move::new((sku, warehouse), part, reason, &change.reference);
        moves.extend(parts.into_iter().map(moved));
    }
    levels.record(tx, now, &moves).map(drop)
}

/// Takes away all that lies in warehouses of a product, or of these variants alone.
pub(super) fn clear(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    product: ProductId,
    variants: Option<&[VariantId]>,
) -> QueryResult<()> {
    if variants.is_some_and(<[_]>::is_empty) {
        return Ok(());
    }
    let products = BTreeSet::from([product.to_string()]);
    let mut levels = Levels::of_products(tx.db, account, &products)?;
    let is_meant = |of: &Sku| match variants {
        None => true,
        Some(variants) => variants.iter().any(|variant| *of == sku(product, Some(*variant))),
    };
    let gone: Vec<(Move, String)> = levels
        .places()
        .filter(|(of, place, left)| is_meant(of) && *left > 0 && !place.starts_with(TRANSIT_PREFIX))
        .map(|(of, place, left)| {
            let nowhere = inventory::warehouse::first_of(account);
            (
                Move::new((of, nowhere), -left, Reason::Removal, &product.to_string()),
                place.to_owned(),
            )
        })
        .collect();
    let gone: Vec<(&Move, String)> =
        gone.iter().map(|(moved, place)| (moved, place.clone())).collect();
    levels.record_at(tx, now, &gone).map(drop)
}
