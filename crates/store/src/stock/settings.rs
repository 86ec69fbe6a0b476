//! The stock settings of an account.

use ::accounts::{Act, Action};
use diesel::prelude::*;
use inventory::{
    StockSettings, service::SetStockSettings, settings::ambiguous, warehouse::first_of,
};
use kernel::{Ctx, FieldFault, Refused, ScaleCode, message};

use super::{Outcome, places};
use crate::{audit, error::refuse_stale, schema::accounts, tx::Tx};

pub(super) fn set(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wanted: &SetStockSettings,
    version: Option<i64>,
) -> Outcome<StockSettings> {
    places::lock(tx, ctx.account)?;
    let before = places::settings(tx.db, ctx.account)?;
    refuse_stale(version, before.version)?;
    let default = wanted.default_warehouse.unwrap_or_else(|| first_of(ctx.account));
    let known = places::one(tx.db, ctx.account, default)?;
    if !known.is_some_and(|warehouse| warehouse.kind.is_sellable()) {
        let problem = message!(
            "names no warehouse of this account that goods are sold from",
            "no corresponde a ningún almacén de esta cuenta del que se venda"
        );
        return Err(Refused::Invalid(vec![FieldFault::new("defaultWarehouseId", problem)]).into());
    }
    let faults = ambiguous(&wanted.scale_codes);
    if !faults.is_empty() {
        return Err(Refused::Invalid(faults).into());
    }
    let mut after = StockSettings {
        allocation: wanted.allocation,
        default_warehouse: default,
        scale_codes: wanted.scale_codes.clone(),
        version: before.version,
    };
    if after == before {
        return Ok(after);
    }
    after.version += 1;
    let codes = |settings: &StockSettings| {
        let codes: Vec<&str> = settings.scale_codes.iter().map(ScaleCode::as_str).collect();
        Some(codes.join(" "))
    };
    let allocation = |settings: &StockSettings| Some(settings.allocation.name().to_owned());
    let warehouse = |settings: &StockSettings| Some(settings.default_warehouse.to_string());
    let act = Act::new(Action::AccountChanged, &ctx.account)
        .with("allocation", allocation(&before), allocation(&after))
        .with("defaultWarehouseId", warehouse(&before), warehouse(&after))
        .with("scaleCodes", codes(&before), codes(&after));
    audit::record(tx, ctx, &act)?;
    let patterns: Vec<&str> = after.scale_codes.iter().map(ScaleCode::as_str).collect();
    let patterns = Some(patterns.join(" ")).filter(|patterns| !patterns.is_empty());
    let named = Some(default.to_string()).filter(|_| default != first_of(ctx.account));
    diesel::update(accounts::table.filter(accounts::id.eq(ctx.account.to_string())))
        .set((
            accounts::allocation.eq(after.allocation.name()),
            accounts::default_warehouse_id.eq(named),
            accounts::scale_codes.eq(patterns),
            accounts::stock_version.eq(after.version),
        ))
        .execute(tx.db)?;
    Ok(after)
}
