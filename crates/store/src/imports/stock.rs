//! Rows of stock: what lies where, as people have counted it.

use std::collections::{HashMap, HashSet};

use ::imports::{
    Batch, Code, Problem, Verdict, Wanted,
    stock::{WantedStock, judge as judge_row},
};
use diesel::prelude::*;
use inventory::{Level, Move, Sku, WarehouseId, adjustment::Named};
use kernel::{AccountId, text::folded};

use super::{
    apply::{Judged, judge, of_another_kind},
    counted,
};
use crate::{
    db::Db,
    events,
    stock::{
        levels::{Levels, low_of},
        naming, places,
    },
    tx::Tx,
};

pub(super) fn apply(tx: &mut Tx<'_>, batch: &Batch) -> QueryResult<Judged> {
    places::keep(tx, batch.account)?;
    let places = Places::of(tx.db, batch.account)?;
    let wanted: Vec<&WantedStock> = batch
        .rows
        .iter()
        .filter_map(|row| match &row.wanted {
            Ok(Wanted::Stock(wanted)) => Some(wanted),
            _ => None,
        })
        .collect();
    let named: Vec<&Named> = wanted.iter().map(|wanted| &wanted.named).collect();
    let mut skus = naming::found(tx.db, batch.account, named.iter().copied())?;
    let mut levels = Levels::locked(tx.db, batch.account, skus.values().copied())?;
    if matches!(tx.db, Db::Postgres(_)) {
        // What was removed or renamed while its levels were waited for is not there any more.
        let still = naming::found(tx.db, batch.account, named.iter().copied())?;
        skus.retain(|name, sku| still.get(name) == Some(sku));
    }
    let missing = named.iter().copied().filter(|name| !skus.contains_key(*name));
    let shared = naming::shared(tx.db, batch.account, missing)?;
    let spots = wanted.iter().filter_map(|wanted| {
        Some((*skus.get(&wanted.named)?, places.named(wanted.place.as_deref())?))
    });
    let spots: HashSet<(Sku, WarehouseId)> = spots.collect();
    let mut fresh = counted::fresh(tx.db, batch, spots)?;
    let mut now: HashMap<(Sku, WarehouseId), Level> = HashMap::new();
    let mut moves: Vec<Move> = Vec::new();
    let judged = judge(batch, |_, wanted| {
        let Wanted::Stock(wanted) = wanted else { return Err(of_another_kind()) };
        let is_shared = shared.contains_key(&wanted.named);
        let unknown = if is_shared { Code::AmbiguousEan } else { Code::NotFound };
        let sku = skus.get(&wanted.named).copied().ok_or(unknown);
        let found = (sku, places.named(wanted.place.as_deref()));
        if let (Ok(sku), Some(place)) = found
            && !fresh.remove(&(sku, place))
        {
            let (column, code) = wanted.key();
            return Err(vec![Problem::of(column, Code::DuplicateInFile, code)]);
        }
        let level = |sku, place| {
            now.get(&(sku, place)).copied().unwrap_or_else(|| levels.level(sku, place))
        };
        let Some(moved) = judge_row(wanted, found, level, batch.import)? else {
            return Ok((Verdict::Unchanged, Vec::new()));
        };
        let at = (moved.sku, moved.warehouse);
        let level = now.entry(at).or_insert_with(|| levels.level(at.0, at.1));
        level.available += moved.delta;
        moves.push(moved);
        Ok((Verdict::Updated, Vec::new()))
    })?;
    if !batch.options.dry_run {
        let totals = levels.record(tx, batch.now, &moves)?;
        let low = low_of(tx.db, batch.account, &totals)?;
        events::append_batch(tx, (batch.account, batch.import.to_string()), batch.now, low)?;
    }
    Ok(judged)
}

/// The warehouses of an account, as tables name them.
struct Places {
    by_id: HashMap<String, WarehouseId>,
    /// None where several have the name.
    by_name: HashMap<String, Option<WarehouseId>>,
    default: WarehouseId,
}

impl Places {
    fn of(db: &mut Db, account: AccountId) -> QueryResult<Self> {
        let all = places::all(db, account)?;
        let by_id = all.iter().map(|one| (one.id.to_string(), one.id)).collect();
        let mut by_name: HashMap<String, Option<WarehouseId>> = HashMap::new();
        for one in &all {
            let named = by_name.entry(folded(&one.name));
            named.and_modify(|named| *named = None).or_insert(Some(one.id));
        }
        Ok(Self { by_id, by_name, default: places::settings(db, account)?.default_warehouse })
    }

    /// The one of a name or an identifier; none if there is none, or more than one.
    fn named(&self, place: Option<&str>) -> Option<WarehouseId> {
        let Some(place) = place else { return Some(self.default) };
        let by_id = self.by_id.get(place).copied();
        by_id.or_else(|| self.by_name.get(&folded(place)).copied().flatten())
    }
}
