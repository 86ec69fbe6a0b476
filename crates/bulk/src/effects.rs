//! What nothing but the record of a row keeps from being done twice.

use invoices::{EmailInvoice, InvoiceError, InvoiceId, NewInvoice, testers::Testers};
use kernel::{Ctx, Pending, Written};
use tasks::TaskId;
use webhooks::{DeliveryId, WebhookError};

/// A row of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct RowId {
    pub task: TaskId,
    pub position: u32,
}

/// Acts whose repeats would be seen: idempotency keys are forgotten in the end, and an action may have to wait for longer. So
/// each is one transaction with the record of what the row has led to, and a repeat, however late, is told that.
pub trait RowEffects: Send + Sync {
    /// Makes a draft.
    fn invoice(
        &self,
        ctx: Ctx,
        row: RowId,
        command: NewInvoice,
    ) -> Pending<Written<InvoiceId, InvoiceError>>;

    /// Puts an email on record, which is sent by itself; that of a test account only if it goes to testers.
    fn email(
        &self,
        ctx: Ctx,
        row: RowId,
        command: EmailInvoice,
        testers: &Testers,
    ) -> Pending<Written<TaskId, InvoiceError>>;

    /// Has a delivery sent again; gives the one that is attempted.
    fn resend(
        &self,
        ctx: Ctx,
        row: RowId,
        id: DeliveryId,
    ) -> Pending<Written<DeliveryId, WebhookError>>;
}
