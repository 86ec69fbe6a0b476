//! What rows that are done have made, where those behind them depend on it.

use std::{collections::HashSet, sync::Arc};

use imports::{BATCH_ROWS_MAX, BatchRow, Import, Mode, Remembered, Wanted};
use tasks::Progress;

use super::{Halt, Step, batches::Batches, holding::Holding};
use crate::recorded::gone;

/// Numbers of refused rows that are read at once.
const REFUSED_ROWS: usize = 10_000;

/// The products that an import has made so far, or would have, where its further rows depend on it.
#[derive(Default)]
pub(super) struct Made {
    is_needed: bool,
    pub(super) skus: Arc<Remembered>,
    /// The categories that were there already.
    pub(super) categories: Arc<Remembered>,
}

impl Made {
    /// None so far. They matter to a dry run, in whose catalog they are not, and where nothing is changed that was there: rows
    /// of Shopify add images to products of rows before them.
    fn of(import: &Import, batches: &Batches) -> Self {
        let only_creates = import.options.mode == Mode::Create;
        let is_needed = import.options.dry_run || only_creates && batches.adds_images();
        Self { is_needed, ..Self::default() }
    }

    /// Adds what a row has made.
    pub(super) fn add(&self, row: &BatchRow) {
        let sku = row.wanted.as_ref().ok().and_then(Wanted::parent_sku);
        if let Some(sku) = sku.filter(|_| self.is_needed) {
            self.skus.insert(sku);
        }
    }
}

impl Step<'_> {
    /// Goes on behind the rows that are done. What they have made follows from the file and from what was refused of it, so
    /// that nothing is lost while others have their turns.
    pub(super) fn skip_done(&self, import: &Import, batches: &mut Batches) -> Result<Made, Halt> {
        let (mut left, mut holding) = (import.counts.processed, Holding::begin(self));
        let made = Made::of(import, batches);
        let (done, total) = (left, batches.total());
        let progress = || Progress { done, total, message: None };
        if !made.is_needed {
            batches.skip(left, &mut || holding.keep(progress).map(drop))?;
            return Ok(made);
        }
        let refused = self.refused(import)?;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(BATCH_ROWS_MAX).min(BATCH_ROWS_MAX);
            let rows = batches.next(most)?;
            if rows.is_empty() {
                break;
            }
            left = left.saturating_sub(rows.len() as u64);
            rows.iter().filter(|row| !refused.contains(&row.number)).for_each(|row| made.add(row));
            let _ = holding.keep(progress)?;
        }
        Ok(made)
    }

    /// The numbers of the rows that were refused so far.
    fn refused(&self, import: &Import) -> Result<HashSet<u64>, Halt> {
        let (mut refused, mut behind) = (HashSet::new(), 0);
        loop {
            let queue = &self.shared.queue;
            let reading = queue.refused(self.task.account, import.id, behind, REFUSED_ROWS);
            let rows = reading.wait().unwrap_or_else(|| Err(gone()))?;
            let is_over = rows.len() < REFUSED_ROWS;
            behind = rows.last().copied().unwrap_or(behind);
            refused.extend(rows);
            if is_over {
                return Ok(refused);
            }
        }
    }
}
