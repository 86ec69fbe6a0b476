//! What rows lead to, in one transaction with the record of it.

use ::bulk::{RowEffects, RowId};
use ::invoices::{EmailInvoice, InvoiceError, InvoiceId, NewInvoice, testers::Testers};
use ::tasks::TaskId;
use ::webhooks::{DeliveryId, WebhookError};
use kernel::{Ctx, Done, Pending, Refused, Written};

use super::rows;
use crate::{error::Failure, invoices, rows::read, store::Store, tx::Tx, webhooks};

impl RowEffects for Store {
    fn invoice(
        &self,
        ctx: Ctx,
        row: RowId,
        command: NewInvoice,
    ) -> Pending<Written<InvoiceId, InvoiceError>> {
        once(self, ctx, row, InvoiceId::parse, move |tx, ctx| {
            Ok(invoices::draft(tx, ctx, &command)?.id)
        })
    }

    fn email(
        &self,
        ctx: Ctx,
        row: RowId,
        command: EmailInvoice,
        testers: &Testers,
    ) -> Pending<Written<TaskId, InvoiceError>> {
        let testers = testers.clone();
        once(self, ctx, row, TaskId::parse, move |tx, ctx| {
            // Nobody waits for it, so it is held by nobody.
            Ok(invoices::open_email(tx, ctx, (&command, &testers), ctx.now)?.id)
        })
    }

    fn resend(
        &self,
        ctx: Ctx,
        row: RowId,
        id: DeliveryId,
    ) -> Pending<Written<DeliveryId, WebhookError>> {
        once(self, ctx, row, DeliveryId::parse, move |tx, ctx| {
            Ok(webhooks::retry_delivery(tx, ctx, id)?.id)
        })
    }
}

/// Does something for a row that has led to nothing yet, or gives what it has led to.
fn once<T, E>(
    store: &Store,
    ctx: Ctx,
    row: RowId,
    parse: fn(&str) -> Option<T>,
    work: impl Fn(&mut Tx<'_>, &Ctx) -> Result<T, Failure<E>> + Send + 'static,
) -> Pending<Written<T, E>>
where
    T: ToString + Send + 'static,
    E: Send + 'static,
{
    store.engine.command(Some(ctx.account), move |tx| {
        let made = rows::made(tx, ctx.account, row)?.ok_or(Refused::NotFound)?;
        if let Some(made) = made {
            return Ok(Done { value: read(&made, parse)?, replayed: true });
        }
        let value = work(tx, &ctx)?;
        rows::mark_made(tx, ctx.account, row, &value.to_string())?;
        Ok(Done::now(value))
    })
}
