//! What changes of products do to their stock.

use std::collections::BTreeSet;

use catalog::{Holding, Holdings, Product, ProductId, StockChange, StockReason, VariantId};
use diesel::prelude::*;
use inventory::{Move, Reason, Sku, Valued, spread};
use kernel::{AccountId, Quantity, Timestamp};

use crate::{
    rows::{corrupt, read_name},
    stock::{
        ledger::TRANSIT_PREFIX,
        levels::{Levels, add_home},
        places::put_into,
    },
    tx::Tx,
};

/// A product or variant as the inventory names it.
pub(in crate::catalog) fn sku(product: ProductId, variant: Option<VariantId>) -> Sku {
    Sku {
        product: inventory::ProductId::from_u128(product.to_u128()),
        variant: variant.map(|id| inventory::VariantId::from_u128(id.to_u128())),
    }
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
