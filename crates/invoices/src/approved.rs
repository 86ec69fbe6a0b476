//! Cancellations that were approved, each on record as a task.

use kernel::{Fault, Pending, Refused, Timestamp, Written, message, reason::Reason};
use tasks::{Pause, Task};

use crate::{CancelInvoice, Invoice, InvoiceError};

/// Seconds before each further attempt: as long as what is away may take to be back.
const PAUSES: &[i64] = &[5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600, 3_600, 3_600];

/// What keeps approved cancellations for whoever carries them out.
pub trait ApprovedCancellations: Send + Sync {
    /// What a task is to ask for; `None` when that is settled.
    fn approved(&self, task: &Task) -> Pending<Result<Option<CancelInvoice>, Fault>>;

    /// Records what has come of it, and ends the task, unless its claim has passed to another.
    fn settle(
        &self,
        task: &Task,
        outcome: Result<Invoice, Refused<InvoiceError>>,
        now: Timestamp,
    ) -> Pending<Written<(), ()>>;
}

/// After which pause a cancellation that was refused is asked for again; `None` when that would change nothing, or enough
/// attempts were made.
#[must_use]
pub fn retried(refused: &Refused<InvoiceError>, attempts: u32) -> Option<Pause> {
    let reason = match refused {
        Refused::Rule(
            InvoiceError::ProviderUnavailable { reason } | InvoiceError::OutcomeUnknown { reason },
        ) => reason.clone(),
        Refused::Rule(InvoiceError::UnderWay) => Reason::OwnWords.in_both(&message!(
            "the invoice is being stamped or cancelled",
            "la factura se está timbrando o cancelando"
        )),
        Refused::Stale | Refused::Busy => Reason::OwnWords.in_both(&message!(
            "other work of this account comes first",
            "otro trabajo de esta cuenta va primero"
        )),
        Refused::Fault(fault) => fault.to_string(),
        _ => return None,
    };
    let place = usize::try_from(attempts).unwrap_or(usize::MAX);
    let seconds = *PAUSES.get(place)?;
    Some(Pause { seconds, is_doubtful: false, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CancelRefusal;

    #[test]
    fn only_what_may_pass_is_tried_again_and_not_for_ever() {
        let away = InvoiceError::ProviderUnavailable { reason: "no answer".to_owned() };
        let away = Refused::Rule(away);
        assert_eq!(retried(&away, 0).map(|pause| pause.seconds), Some(5));
        // Why it waits is told in the language of whoever asks.
        for busy in [Refused::Busy, Refused::Stale, Refused::Rule(InvoiceError::UnderWay)] {
            let pause = retried(&busy, 3).unwrap();
            assert!(Reason::OwnWords.is_of(&pause.reason), "{}", pause.reason);
        }
        assert_eq!(retried(&away, 10), None);
        let gone = Refused::Rule(InvoiceError::Cancel(CancelRefusal::NoCertificate));
        assert_eq!(retried(&gone, 0), None);
        assert_eq!(retried(&Refused::NotFound, 0), None);
    }
}
