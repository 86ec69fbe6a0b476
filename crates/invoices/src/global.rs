//! Global invoices: the sales to the general public of a period, made when it ends.
//!
//! What nobody has asked an invoice for is invoiced all the same, to `PUBLICO EN GENERAL` (RMF 2.7.1.21). The [settings](GlobalSettings)
//! of an account say how, and whether that happens by itself: then each [run](GlobalRun) is a task that opens the next
//! one when it ends. A run makes drafts of the sales that nobody else has invoiced, each in the transaction that takes
//! hold of its orders, and then has them stamped as if somebody asked for it.

mod attempt;
mod period;
mod run;
mod sale;
mod settings;

use kernel::{AccountId, Amount, Ctx, Fault, Pending, Refused, Timestamp, Written};
use tasks::Task;

pub(crate) use attempt::first_of;
pub use attempt::{Attempted, attempted, draft_refused, overtaken};
pub use period::{Period, Periodicity, SETTLING_SECONDS};
pub use run::{Fate, GlobalInvoice, GlobalRun, GlobalTerms, WantedRun};
pub use sale::{LeftOut, Sale, SalePlace, with_room};
pub use settings::{DELAY_HOURS_MAX, GlobalSettings, TICKETS_MAX, zone};

use crate::{InvoiceError, InvoiceId, provider::Rejection};

/// The most sales of either kind that a preview lists; it counts them all.
pub const SALES_SHOWN_MAX: usize = 500;

/// What a run would invoice, and what it would leave out.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalPreview {
    /// The run.
    pub run: GlobalRun,
    /// The sales that it would invoice, the first [`SALES_SHOWN_MAX`] in the order of their payment.
    pub sales: Vec<Sale>,
    /// How many there are.
    pub count: usize,
    /// What they amount to.
    pub total: Amount,
    /// The sales that it would leave out, each with the reason: the first [`SALES_SHOWN_MAX`].
    pub left_out: Vec<(Sale, LeftOut)>,
    /// How many are left out for each reason.
    pub counts_left_out: Vec<(LeftOut, usize)>,
}

/// A preview, or why there can be no such run.
pub type Previewed = Result<GlobalPreview, Refused<InvoiceError>>;

/// The global invoices of an account.
pub trait GlobalInvoices: Send + Sync {
    /// How they are made.
    fn global_settings(&self, account: AccountId) -> Pending<Result<GlobalSettings, Fault>>;

    /// Sets how they are made, over the version that the caller has seen, when a newer one must not be overwritten. The
    /// run that waits for its time is replaced by the one that is due then; one that has begun ends as it was asked for.
    fn set_global(
        &self,
        ctx: Ctx,
        settings: GlobalSettings,
        version: Option<i64>,
    ) -> Pending<Written<GlobalSettings, InvoiceError>>;

    /// Has those of a closed period made: a task from the transaction that asks for it.
    fn run_global(&self, ctx: Ctx, wanted: WantedRun) -> Pending<Written<Task, InvoiceError>>;

    /// What a run would invoice at `now`. Nothing is made.
    fn preview_global(
        &self,
        account: AccountId,
        wanted: WantedRun,
        now: Timestamp,
    ) -> Pending<Result<Previewed, Fault>>;

    /// What a run that has ended has made; `None` while it has not, or has made nothing before it failed.
    ///
    /// # Errors
    /// When what is on record cannot be read.
    fn made(&self, task: &Task) -> Result<Option<GlobalRun>, Fault>;
}

/// What a step of a run has led to.
#[derive(Clone, Debug, PartialEq)]
pub enum Drafted {
    /// Another invoice was made.
    Made(GlobalRun),
    /// All sales are invoiced.
    All(GlobalRun),
    /// Another is at it.
    Lost,
}

/// What whoever works on runs asks for. [`Refused::Stale`] when another is at it.
pub trait GlobalQueue: Send + Sync {
    /// Makes the next invoice of a run, together with the record of it.
    fn draft_next(&self, task: &Task, now: Timestamp) -> Pending<Written<Drafted, InvoiceError>>;

    /// Records what has become of an invoice, with the error that kept it a draft. `is_told` when that is on record of
    /// the invoice and was told.
    fn settle(
        &self,
        task: &Task,
        invoice: InvoiceId,
        outcome: (Fate, Option<Rejection>),
        is_told: bool,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>>;

    /// Ends a run, for a reason if it has failed, and opens the next one if that is to come by itself.
    fn finish(
        &self,
        task: &Task,
        failure: Option<String>,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>>;
}
