//! Stamps that operators bring.

use ::accounts::Action;
use ::invoices::{
    calls::{AttachStamp, StampDesk},
    settled::OpenTask,
    stamping::{AttachRefusal, SealedDocument},
    withholding::{Withholding, WithholdingId, stamping::attach},
};
use kernel::{Done, Pending, Refused, Timestamp, Written};

use super::{documents, rows, settling};
use crate::{
    error::Failure,
    invoices::{attaching::in_attaching, calls, provider},
    rows::corrupt,
    store::Store,
    tasks::record_audit,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<AttachRefusal>>;

impl StampDesk<Withholding> for Store {
    fn attach(
        &self,
        command: AttachStamp<WithholdingId>,
        now: Timestamp,
    ) -> Pending<Written<Withholding, AttachRefusal>> {
        self.engine
            .command(Some(command.account), move |tx| Ok(Done::now(attached(tx, &command, now)?)))
    }
}

fn attached(
    tx: &mut Tx<'_>,
    command: &AttachStamp<WithholdingId>,
    now: Timestamp,
) -> Outcome<Withholding> {
    let (account, id) = (command.account, command.subject);
    let before = rows::locked(tx, account, id, None)?;
    let not_stamping = || Refused::Rule(AttachRefusal::NotStamping { status: before.status });
    let task = calls::locked(tx, account, id)?.ok_or_else(not_stamping)?;
    let kept = documents::by_withholding(tx.db, account, id)?
        .ok_or_else(|| corrupt(format!("the task of {id} without its documents")))?;
    let sealed = SealedDocument { seal: &kept.seal, xml: &kept.sealed_xml };
    // It cannot be changed while anything is being stamped.
    let provider = provider::called(tx.db, account)?;
    // A stamp is a stamp, whoever brings it.
    let open = OpenTask { is_held: false, attempts: task.attempts };
    let settled =
        attach(&before, &command.xml, sealed, (open, provider), now).map_err(Refused::Rule)?;
    settling::record(tx, account, (&before, Some(&task)), &settled, None, now)
        .map_err(in_attaching)?;
    let uuid = settled.withholding.uuid().unwrap_or_default();
    let note = format!("{uuid}: {}", command.note);
    record_audit(tx, &task, (&command.actor, Action::TaskAttached), &note, now)?;
    Ok(settled.withholding)
}
