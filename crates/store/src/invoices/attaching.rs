//! Stamps that operators bring.

use ::accounts::Action;
use ::invoices::{
    Invoice, InvoiceError, InvoiceId,
    calls::{AttachStamp, StampDesk},
    settled::OpenTask,
    stamping::{AttachRefusal, SealedDocument, attach},
};
use kernel::{Done, Fault, Pending, Refused, Timestamp, Written};

use super::{calls, documents, provider, rows, settling};
use crate::{error::Failure, rows::corrupt, store::Store, tasks::record_audit, tx::Tx};

type Outcome<T> = Result<T, Failure<AttachRefusal>>;

impl StampDesk<Invoice> for Store {
    fn attach(
        &self,
        command: AttachStamp<InvoiceId>,
        now: Timestamp,
    ) -> Pending<Written<Invoice, AttachRefusal>> {
        self.engine
            .command(Some(command.account), move |tx| Ok(Done::now(attached(tx, &command, now)?)))
    }
}

fn attached(tx: &mut Tx<'_>, command: &AttachStamp<InvoiceId>, now: Timestamp) -> Outcome<Invoice> {
    let (account, id) = (command.account, command.subject);
    let invoice = rows::locked(tx, account, id, None)?;
    let not_stamping = || Refused::Rule(AttachRefusal::NotStamping { status: invoice.status });
    let task = calls::locked(tx, account, id)?.ok_or_else(not_stamping)?;
    let kept = documents::by_invoice(tx.db, account, id)?
        .ok_or_else(|| corrupt(format!("the task of {id} without its documents")))?;
    let sealed = SealedDocument { seal: &kept.seal, xml: &kept.sealed_xml };
    // It cannot be changed while anything is being stamped.
    let provider = provider::called(tx.db, account)?;
    // A stamp is a stamp, whoever brings it.
    let open = OpenTask { is_held: false, attempts: task.attempts };
    let settled =
        attach(&invoice, &command.xml, sealed, (open, provider), now).map_err(Refused::Rule)?;
    settling::record(tx, account, (&invoice, Some(&task)), &settled, None, now)
        .map_err(in_attaching)?;
    let uuid = settled.invoice.uuid().unwrap_or_default();
    let note = format!("{uuid}: {}", command.note);
    record_audit(tx, &task, (&command.actor, Action::TaskAttached), &note, now)?;
    Ok(settled.invoice)
}

/// A failure to record; the rules of invoices refuse nothing here.
pub(super) fn in_attaching(failure: Failure<InvoiceError>) -> Failure<AttachRefusal> {
    match failure {
        Failure::Database(error) => Failure::Database(error),
        Failure::Refused(refused) => {
            Refused::Fault(Fault::Internal(format!("a stamp was not recorded: {refused:?}"))).into()
        }
    }
}
