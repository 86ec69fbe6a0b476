//! The invoices of a file, a few at a time.

use invoices::{
    Invoice,
    export::{ExportInvoices, ExportQueue, INVOICES_MAX, StampPlace},
};
use kernel::AccountId;
use tasks::Why;

use super::Halt;
use crate::recorded::gone;

/// Invoices that are read at once.
const ROWS: usize = 200;

/// Invoices as they are wanted, in the order of their stamps.
pub(super) struct Batches<'a> {
    queue: &'a dyn ExportQueue,
    account: AccountId,
    wanted: &'a ExportInvoices,
    behind: Option<StampPlace>,
    is_over: bool,
    given: usize,
}

impl<'a> Batches<'a> {
    pub(super) const fn new(
        queue: &'a dyn ExportQueue,
        account: AccountId,
        wanted: &'a ExportInvoices,
    ) -> Self {
        Self { queue, account, wanted, behind: None, is_over: false, given: 0 }
    }

    /// The next ones, which may be none; `None` behind the last.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Invoice>>, Halt> {
        if self.is_over {
            return Ok(None);
        }
        let between = self.wanted.recorded_between();
        let read = self.queue.stamped(self.account, between, self.behind, ROWS).await;
        let read = read.unwrap_or_else(|| Err(gone()))?;
        self.behind = read.next;
        self.is_over = read.next.is_none();
        let found = read.invoices.into_iter();
        let batch: Vec<Invoice> = found.filter(|invoice| self.wanted.wants(invoice)).collect();
        self.given += batch.len();
        if self.given > INVOICES_MAX {
            return Err(Halt::failed(Why::TooManyInvoices.kept(INVOICES_MAX)));
        }
        Ok(Some(batch))
    }
}
