//! What a run would invoice, and what it would leave out.

use std::collections::BTreeMap;

use ::invoices::global::{GlobalPreview, GlobalRun, LeftOut, SALES_SHOWN_MAX, Sale};
use diesel::prelude::*;
use kernel::{AccountId, Amount};

use super::sales;
use crate::db::Db;

/// How many sales are read in one go.
const SALES_READ: usize = 1_000;

/// Looks at every sale of the run's period, those that are not paid among them.
pub(super) fn of(db: &mut Db, account: AccountId, run: GlobalRun) -> QueryResult<GlobalPreview> {
    let mut seen = Seen::default();
    let between = (run.from, run.to);
    let mut behind = None;
    loop {
        let found = sales::paid(db, account, between, behind, SALES_READ)?;
        let is_all = found.len() < SALES_READ;
        behind = found.last().and_then(Sale::place);
        found.into_iter().for_each(|sale| seen.add(sale));
        if is_all {
            break;
        }
    }
    let mut behind = None;
    loop {
        let found = sales::unpaid(db, account, between, behind, SALES_READ)?;
        let is_all = found.len() < SALES_READ;
        behind = found.last().map(|sale| sale.order);
        found.into_iter().for_each(|sale| seen.add(sale));
        if is_all {
            return Ok(seen.of_run(run));
        }
    }
}

/// What was seen so far.
#[derive(Default)]
struct Seen {
    sales: Vec<Sale>,
    count: usize,
    total: Amount,
    left_out: Vec<(Sale, LeftOut)>,
    counts: BTreeMap<LeftOut, usize>,
}

impl Seen {
    fn add(&mut self, sale: Sale) {
        let Some(reason) = sale.left_out() else {
            self.count += 1;
            self.total = cfdi::decimal::sum([self.total, sale.total]);
            if self.sales.len() < SALES_SHOWN_MAX {
                self.sales.push(sale);
            }
            return;
        };
        *self.counts.entry(reason).or_default() += 1;
        if self.left_out.len() < SALES_SHOWN_MAX {
            self.left_out.push((sale, reason));
        }
    }

    fn of_run(self, run: GlobalRun) -> GlobalPreview {
        let Self { sales, count, total, left_out, counts } = self;
        let counts_left_out = counts.into_iter().collect();
        GlobalPreview { run, sales, count, total, left_out, counts_left_out }
    }
}
