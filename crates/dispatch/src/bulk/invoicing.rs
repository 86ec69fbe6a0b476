//! Making invoices of orders.

use ::bulk::{BulkAction, Outcome, Row, RowResult};
use cfdi::document::DocumentType;
use invoices::{Fields, Invoice, InvoiceError, InvoiceId, NewInvoice, OrderId};
use kernel::{Refused, message};

use super::{Halt, Run, missing, refused};
use crate::recorded::gone;

impl Run<'_> {
    /// Makes the draft of an order, and has it stamped if that is wanted. No draft is made of what could not be stamped.
    pub(super) async fn invoice_order(
        &self,
        bulk: &BulkAction,
        row: &Row,
        stamp: bool,
    ) -> Result<RowResult, Halt> {
        let Some(order) = OrderId::parse(&row.subject) else { return Ok(missing()) };
        let new = NewInvoice {
            kind: DocumentType::Income,
            fields: Fields { orders: Some(vec![order]), ..Fields::default() },
            is_to_stamp: stamp,
        };
        let made = self.services.invoices.create(self.ctx(bulk, row, "invoice"), new).await;
        let draft = match made.unwrap_or_else(|| Err(gone().into())) {
            Ok(done) => done.value.id,
            Err(refusal) => {
                let outcome = match &refusal {
                    Refused::Rule(InvoiceError::OrderInvoiced { .. }) => Outcome::Skipped,
                    _ => Outcome::Refused,
                };
                return refused(self.services.wording.invoicing, refusal, outcome);
            }
        };
        match stamp {
            true => self.stamp(bulk, row, draft).await,
            false => Ok(RowResult::done().led_to(&draft)),
        }
    }

    /// Has a draft stamped. Of what its provider has not told in time the invoice itself shows what becomes.
    pub(super) async fn stamp(
        &self,
        bulk: &BulkAction,
        row: &Row,
        id: InvoiceId,
    ) -> Result<RowResult, Halt> {
        let stamped: Result<Invoice, Refused<InvoiceError>> = self
            .services
            .certification
            .stamp(self.ctx(bulk, row, "stamp"), id)
            .await
            .map(|done| done.value);
        let under_way = || {
            message!(
                "It is being stamped. The invoice shows what comes of it.",
                "Se está timbrando. La factura muestra el resultado."
            )
        };
        match stamped {
            Ok(_) => Ok(RowResult::done().led_to(&id)),
            Err(Refused::Rule(InvoiceError::UnderWay | InvoiceError::OutcomeUnknown { .. })) => {
                Ok(RowResult::done().led_to(&id).because("in_progress", under_way()))
            }
            Err(refusal) => {
                let told = refused(self.services.wording.invoicing, refusal, Outcome::Refused)?;
                Ok(told.led_to(&id))
            }
        }
    }
}
