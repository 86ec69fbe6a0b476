//! Making invoices of orders, stamping and sending them.

use ::bulk::{BulkAction, Outcome, Row, RowResult, Subject};
use cfdi::document::DocumentType;
use invoices::{
    EmailInvoice, Fields, Invoice, InvoiceError, InvoiceId, NewInvoice, OrderId, Status, of_order,
};
use kernel::{Refused, message};

use super::{Halt, Run, missing, refused, written};

/// An invoice, which people call by its number, or as long as it has none by whom it is made out to.
pub(super) fn subject(invoice: &Invoice) -> Subject {
    let label = match invoice.folio {
        Some(folio) => format!("{}-{folio}", invoice.draft.series),
        None => invoice.document.receiver.legal_name.clone(),
    };
    Subject { id: invoice.id.to_string(), label, version: Some(invoice.version) }
}

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
        let made = self.services.effects.invoice(self.ctx(bulk), self.row_id(row), new).await;
        let draft = match written(made) {
            Ok(draft) => draft,
            Err(refusal) => {
                let outcome = match &refusal {
                    Refused::Rule(InvoiceError::OrderInvoiced { .. }) => Outcome::Skipped,
                    _ => Outcome::Refused,
                };
                let refusal = match refusal {
                    Refused::Invalid(faults) => {
                        Refused::Invalid(faults.into_iter().map(of_order).collect())
                    }
                    refusal => refusal,
                };
                return refused(self.services.wording.invoicing, refusal, outcome);
            }
        };
        match stamp {
            true => self.stamp(bulk, row, (draft, Some(Invoice::FIRST_VERSION))).await,
            false => Ok(RowResult::done().led_to(&draft)),
        }
    }

    pub(super) async fn stamp_invoice(
        &self,
        bulk: &BulkAction,
        row: &Row,
    ) -> Result<RowResult, Halt> {
        match InvoiceId::parse(&row.subject) {
            Some(id) => self.stamp(bulk, row, (id, row.version)).await,
            None => Ok(missing()),
        }
    }

    /// Puts an email on record, which is sent by itself.
    pub(super) async fn email_invoice(
        &self,
        bulk: &BulkAction,
        row: &Row,
    ) -> Result<RowResult, Halt> {
        let Some(id) = InvoiceId::parse(&row.subject) else { return Ok(missing()) };
        let command = EmailInvoice { id, to: None, subject: None, message: None };
        let sent = match self.services.emailing.testers() {
            Ok(testers) => {
                let (ctx, row) = (self.ctx(bulk), self.row_id(row));
                written(self.services.effects.email(ctx, row, command, testers).await)
            }
            Err(error) => Err(Refused::Rule(error)),
        };
        match sent {
            Ok(email) => Ok(RowResult::done().led_to(&email)),
            Err(refusal) => refused(self.services.wording.invoicing, refusal, Outcome::Refused),
        }
    }

    /// Has a draft stamped as it was at this version. Of what its provider has not told in time the invoice itself shows
    /// what becomes.
    async fn stamp(
        &self,
        bulk: &BulkAction,
        row: &Row,
        (id, version): (InvoiceId, Option<i64>),
    ) -> Result<RowResult, Halt> {
        let ctx = self.keyed(bulk, row, "stamp");
        let told = match self.services.certification.stamp(ctx, id, version).await {
            Ok(done) => {
                // Whoever stamped it before this was asked for has left nothing to do.
                let stamp = done.value.stamp;
                let is_old = stamp.is_some_and(|stamped| stamped.at < self.task.created_at);
                let outcome = if is_old { Outcome::Skipped } else { Outcome::Done };
                RowResult { outcome, ..RowResult::done() }
            }
            Err(refusal) => self.unstamped(refusal)?,
        };
        Ok(told.led_to(&id))
    }

    /// What comes of a row whose draft has no stamp, or none of this attempt.
    fn unstamped(&self, refusal: Refused<InvoiceError>) -> Result<RowResult, Halt> {
        let invoicing = self.services.wording.invoicing;
        match refusal {
            Refused::Rule(InvoiceError::UnderWay | InvoiceError::OutcomeUnknown { .. }) => {
                let told = message!(
                    "It is being stamped. The invoice shows what comes of it.",
                    "Se está timbrando. La factura muestra el resultado."
                );
                Ok(RowResult::done().because("in_progress", told))
            }
            Refused::Stale => {
                let told = message!(
                    "It was changed after it had been chosen. Look at it again, then stamp it.",
                    "Alguien la cambió después de elegirla. Hay que revisarla de nuevo y timbrarla."
                );
                let unseen = RowResult { outcome: Outcome::Refused, ..RowResult::done() };
                Ok(unseen.because("precondition_failed", told))
            }
            done @ Refused::Rule(InvoiceError::NotDraft { status: Status::Stamped }) => {
                refused(invoicing, done, Outcome::Skipped)
            }
            refusal => refused(invoicing, refusal, Outcome::Refused),
        }
    }
}
