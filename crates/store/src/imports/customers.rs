//! Rows of customers.

use std::collections::BTreeSet;

use ::imports::{
    Batch, Wanted,
    customer::{CustomerKey, Register},
};
use diesel::prelude::*;

use super::apply::{Judged, judge, of_another_kind};
use crate::{crm::customers::bulk, tx::Tx};

pub(super) fn apply(tx: &mut Tx<'_>, batch: &Batch) -> QueryResult<Judged> {
    let keys: BTreeSet<CustomerKey> = batch
        .rows
        .iter()
        .filter_map(|row| match &row.wanted {
            Ok(Wanted::Customer(wanted)) => Some(wanted.keys()),
            _ => None,
        })
        .flatten()
        .collect();
    let customers = bulk::found_by(tx, batch.account, &keys)?;
    let ids = tx.ids;
    let mut register = Register::new(customers, batch.options.mode, ids, batch.now);
    let judged = judge(batch, |_, wanted| match wanted {
        Wanted::Customer(wanted) => register.judge(wanted).map(|verdict| (verdict, Vec::new())),
        _ => Err(of_another_kind()),
    })?;
    if !batch.options.dry_run {
        bulk::record(tx, (batch.account, batch.import), batch.now, register)?;
    }
    Ok(judged)
}
