//! Rows of products and variants.

use std::collections::{BTreeMap, HashSet};

use ::imports::{
    Batch, CategoryPath, Code, Judging, Key, Mode, Problem, Shelf, Verdict, Wanted, WantedProduct,
};
use catalog::{Holdings, Tree};
use diesel::prelude::*;

use super::apply::{Judged, judge, of_another_kind};
use crate::{
    catalog::{bulk, categories},
    db::Db,
    stock::places,
    tx::Tx,
};

pub(super) fn apply(tx: &mut Tx<'_>, batch: &Batch) -> QueryResult<Judged> {
    let dry_run = batch.options.dry_run;
    let paths = wanted_of(batch).flat_map(|(_, wanted)| wanted.categories.iter().flatten());
    let paths: HashSet<&CategoryPath> = paths.collect();
    let tree = match (paths.is_empty(), dry_run) {
        (true, _) => Tree::default(),
        (false, true) => categories::named(tx.db, batch.account, &paths)?,
        (false, false) => categories::holding(tx, batch.account, &paths, &batch.categories)?,
    };
    let judging = Judging {
        import: batch.import,
        mode: batch.options.mode,
        made: &batch.made,
        threshold: bulk::threshold_of(tx.db, batch.account)?,
        takes_decimals: places::commits(tx.db, batch.account)?,
        ids: tx.ids,
        now: batch.now,
    };
    // On SQLite nothing is locked.
    let is_looked_at = batch.expects_unchanged && matches!(tx.db, Db::Postgres(_));
    let mut settled = match is_looked_at {
        true => unchanged(tx, batch, tree.clone(), judging)?,
        false => BTreeMap::new(),
    };
    let open = wanted_of(batch).filter(|(place, _)| !settled.contains_key(place));
    let keys: Vec<Key> = open.flat_map(|(_, wanted)| wanted.keys()).collect();
    let products = match keys.is_empty() {
        true => Vec::new(),
        false => {
            places::keep_default(tx, batch.account)?;
            bulk::found_by(tx, batch.account, keys.iter())?
        }
    };
    let mut shelf = Shelf::new(products, tree, judging);
    let judged = judge(batch, |place, wanted| match wanted {
        Wanted::Product(wanted) => match settled.remove(&place) {
            Some(told) => Ok((Verdict::Unchanged, told)),
            None => {
                let judged = shelf.judge(wanted);
                judged.or_else(|problems| Ok((imagined(batch, wanted, problems)?, Vec::new())))
            }
        },
        _ => Err(of_another_kind()),
    })?;
    if !dry_run {
        let told = (batch.now, judging.threshold);
        bulk::record(tx, (batch.account, batch.import), told, shelf)?;
    }
    Ok(judged)
}

/// What rows of a batch want that can be read, by their places in it.
fn wanted_of(batch: &Batch) -> impl Iterator<Item = (usize, &WantedProduct)> {
    batch.rows.iter().enumerate().filter_map(|(place, row)| match &row.wanted {
        Ok(Wanted::Product(wanted)) => Some((place, wanted)),
        _ => None,
    })
}

/// The rows that say what is so of products that no other row of the batch may change, by their places, with what their authors
/// may want to know. These products are not locked: of a table that is sent again that would be nearly all, and PostgreSQL
/// writes down what it locks.
fn unchanged(
    tx: &mut Tx<'_>,
    batch: &Batch,
    tree: Tree,
    judging: Judging<'_>,
) -> QueryResult<BTreeMap<usize, Vec<Problem>>> {
    let keys: Vec<Key> = wanted_of(batch).flat_map(|(_, wanted)| wanted.keys()).collect();
    let products = bulk::seen_by(tx, batch.account, keys.iter())?;
    // What warehouses hold makes no difference to what is so.
    let products = products.into_iter().map(|product| (product, Holdings::default()));
    let mut shelf = Shelf::new(products, tree, judging);
    let (mut so, mut open) = (Vec::new(), HashSet::new());
    for (place, wanted) in wanted_of(batch) {
        let Some(product) = shelf.found(wanted) else { continue };
        match shelf.judge(wanted) {
            Ok((Verdict::Unchanged, told)) => so.push((place, product, told)),
            Ok(_) | Err(_) => {
                open.insert(product);
            }
        }
    }
    open.extend(shelf.touched().map(|entry| entry.product.id));
    let so = so.into_iter().filter(|(_, product, _)| !open.contains(product));
    Ok(so.map(|(place, _, told)| (place, told)).collect())
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
