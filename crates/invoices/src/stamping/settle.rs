//! What the end of a call to stamp leaves on record.

use cfdi::document::PaymentMethod;
use kernel::Timestamp;

use super::{ABANDONED, Verdict, pause_seconds};
use crate::{
    Invoice, LastError, Stamped, Status,
    credits::{self, Charged},
    events, holders,
    provider::{ProviderKind, Rejection},
    receipts,
    settled::{Around, DocumentChange, OpenTask, Settled, TaskChange},
};

/// The code of an outcome that nobody knows.
pub(crate) const UNKNOWN: &str = "unknown";

/// What is on record of a call to stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StampCall<'a> {
    /// Its task; none when another has ended it.
    pub task: Option<OpenTask>,
    /// The seal of the document kept of the invoice, if there is one.
    pub seal: Option<&'a str>,
    /// Who was called.
    pub provider: ProviderKind,
}

/// A stamp came of what is not being stamped. Nothing may be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrayStamp {
    /// Its fiscal folio.
    pub uuid: String,
}

/// Settles a call to stamp. A worker whose claim has passed to another changes nothing, unless it brings the
/// stamp that all are waiting for.
///
/// # Errors
/// [`StrayStamp`] for a stamp of another document than the one that is kept of the invoice.
pub fn settle(
    invoice: &Invoice,
    verdict: &Verdict,
    call: StampCall<'_>,
    around: &Around,
    now: Timestamp,
) -> Result<Settled, StrayStamp> {
    if let Verdict::Stamped { stamp, .. } = verdict
        && (invoice.status == Status::Draft || call.seal != Some(stamp.issuer_seal.as_str()))
    {
        return Err(StrayStamp { uuid: stamp.uuid.clone() });
    }
    let (Some(task), Status::Stamping) = (call.task, invoice.status) else {
        return Ok(Settled::unchanged(invoice));
    };
    Ok(match verdict {
        // A stamp is a stamp, whoever brings it.
        Verdict::Stamped { stamp, xml } => {
            let stamp = Stamped { stamp: stamp.clone(), provider: call.provider, at: now };
            stamped(invoice, stamp, xml, now)
        }
        _ if !task.is_held => Settled::unchanged(invoice),
        Verdict::Back(rejection) => back(invoice, rejection, around, now),
        Verdict::Recover => postponed(Settled::unchanged(invoice), task),
        Verdict::Wait { reason } => {
            let rejection = Rejection { code: UNKNOWN.to_owned(), message: reason.clone() };
            let mut invoice = invoice.clone();
            invoice.last_error = Some(LastError { at: now, rejection });
            invoice.touch(now);
            postponed(Settled::unchanged(&invoice), task)
        }
    })
}

/// Gives up a call to stamp, for a reason: an operator knows that the provider has not stamped the document and never
/// will. The task ends with it, whoever held it.
#[must_use]
pub fn give_up(invoice: &Invoice, around: &Around, reason: &str, now: Timestamp) -> Settled {
    if invoice.status != Status::Stamping {
        return Settled::unchanged(invoice);
    }
    let rejection = Rejection { code: ABANDONED.to_owned(), message: reason.to_owned() };
    back(invoice, &rejection, around, now)
}

/// The stamp is kept, and what was set aside is spent. What is sold to be paid in parts is owed from now on.
fn stamped(invoice: &Invoice, stamp: Stamped, xml: &str, now: Timestamp) -> Settled {
    let in_parts = invoice.document.payment_method == Some(PaymentMethod::Ppd);
    let mut after = Invoice {
        status: Status::Stamped,
        stamp: Some(stamp),
        balance: in_parts.then(|| invoice.totals().total),
        last_error: None,
        ..invoice.clone()
    };
    after.touch(now);
    Settled {
        credits: Some(credits::commit(Charged::Invoice(invoice.id))),
        documents: Some(DocumentChange::Stamped(xml.to_owned())),
        events: vec![events::stamped(&after)],
        task: TaskChange::End,
        is_answer: true,
        ..Settled::unchanged(&after)
    }
}

/// The invoice is a draft again, and everything that was taken for it returns.
fn back(invoice: &Invoice, rejection: &Rejection, around: &Around, now: Timestamp) -> Settled {
    let last_error = LastError { at: now, rejection: rejection.clone() };
    let mut after = Invoice {
        status: Status::Draft,
        applied_to: Vec::new(),
        last_error: Some(last_error),
        ..invoice.clone()
    };
    after.touch(now);
    Settled {
        credits: Some(credits::release(Charged::Invoice(invoice.id))),
        documents: Some(DocumentChange::Forget),
        orders: holders::give_back(invoice, &around.replaced, &around.holders),
        owing: receipts::unpay(invoice, around, now),
        events: vec![events::stamp_failed(&after, rejection)],
        task: TaskChange::End,
        ..Settled::unchanged(&after)
    }
}

fn postponed(settled: Settled, task: OpenTask) -> Settled {
    let seconds = pause_seconds(task.attempts.saturating_add(1));
    Settled { task: TaskChange::Postpone { seconds, is_doubtful: true }, ..settled }
}
