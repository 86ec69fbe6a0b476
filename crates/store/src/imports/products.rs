//! Rows of products and variants.

use std::collections::HashSet;

use ::imports::{
    Batch, CategoryPath, Code, Judging, Key, Mode, Problem, Shelf, Verdict, Wanted, WantedProduct,
};
use catalog::Tree;
use diesel::prelude::*;

use super::apply::{Judged, judge, of_another_kind};
use crate::{
    catalog::{bulk, categories},
    stock::places,
    tx::Tx,
};

pub(super) fn apply(tx: &mut Tx<'_>, batch: &Batch) -> QueryResult<Judged> {
    let wanted = batch.rows.iter().filter_map(|row| match &row.wanted {
        Ok(Wanted::Product(wanted)) => Some(wanted),
        _ => None,
    });
    let paths = wanted.clone().flat_map(|wanted| wanted.categories.iter().flatten());
    let paths: HashSet<&CategoryPath> = paths.collect();
    let tree = match (paths.is_empty(), batch.options.dry_run) {
        (true, _) => Tree::default(),
        (false, true) => categories::named(tx.db, batch.account, &paths)?,
        (false, false) => categories::holding(tx, batch.account, &paths, &batch.categories)?,
    };
    let keys: Vec<Key> = wanted.flat_map(WantedProduct::keys).collect();
    places::keep_default(tx, batch.account)?;
    let products = bulk::found_by(tx, batch.account, keys.iter())?;
    let threshold = bulk::threshold_of(tx.db, batch.account)?;
    let ids = tx.ids;
    let (import, mode, made) = (batch.import, batch.options.mode, &*batch.made);
    let takes_decimals = places::commits(tx.db, batch.account)?;
    let now = batch.now;
    let judging = Judging { import, mode, made, threshold, takes_decimals, ids, now };
    let mut shelf = Shelf::new(products, tree, judging);
    let judged = judge(batch, |wanted| match wanted {
        Wanted::Product(wanted) => {
            let judged = shelf.judge(wanted);
            judged.or_else(|problems| Ok((imagined(batch, wanted, problems)?, Vec::new())))
        }
        _ => Err(of_another_kind()),
    })?;
    if !batch.options.dry_run {
        bulk::record(tx, (batch.account, batch.import), (batch.now, threshold), shelf)?;
    }
    Ok(judged)
}

/// In a dry run a variant or an image may belong to a product that an earlier batch would have created.
fn imagined(
    batch: &Batch,
    wanted: &WantedProduct,
    problems: Vec<Problem>,
) -> Result<Verdict, Vec<Problem>> {
    let is_there = |problem: &Problem| {
        problem.code == Code::ParentNotFound && batch.made.contains(&problem.value)
    };
    let is_created = batch.options.dry_run
        && batch.options.mode != Mode::Update
        && problems.iter().all(is_there);
    match (is_created, &wanted.variant) {
        (true, Some(_)) => Ok(Verdict::Created),
        (true, None) => Ok(Verdict::Updated),
        (false, _) => Err(problems),
    }
}
