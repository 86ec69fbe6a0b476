//! What operators may give up, and what it leaves on record.

use invoices::{
    CancellationStatus, CreditKind, LastError, Status,
    cancel::{self, MayBeReceived},
    provider::Rejection,
    settled::{Around, DocumentChange, Settled, TaskChange},
    stamping,
};

use super::{
    order,
    samples::{holder, id, later, sale, with_cancellation},
};

const WHY: &str = "not on the provider's website";

fn given_up() -> Option<LastError> {
    let rejection = Rejection { code: "abandoned".to_owned(), message: WHY.to_owned() };
    Some(LastError { at: later(), rejection })
}

#[test]
fn what_was_being_stamped_is_a_draft_again_and_everything_returns() {
    let before = sale(1, Status::Stamping);
    let mut replaced = sale(2, Status::Stamped);
    replaced.draft.orders = vec![order(1), order(2)];
    let around = Around {
        holders: [(order(1), holder(1)), (order(2), holder(3))].into_iter().collect(),
        replaced: vec![replaced],
        ..Around::default()
    };
    let settled = stamping::give_up(&before, &around, WHY, later());
    assert_eq!(settled.invoice.status, Status::Draft);
    assert_eq!(settled.invoice.last_error, given_up());
    assert_eq!(settled.invoice.version, before.version + 1);
    let credits = settled.credits.unwrap();
    assert_eq!((credits.kind, credits.available, credits.reserved), (CreditKind::Release, 10, -10));
    assert_eq!(settled.documents, Some(DocumentChange::Forget));
    let returned: Vec<_> = settled.orders.iter().map(|change| (change.order, change.to)).collect();
    assert_eq!(returned, [(order(1), Some(id(2)))]);
    assert_eq!((settled.task, settled.is_answer), (TaskChange::End, false));
}

#[test]
fn what_is_not_being_stamped_is_left_alone() {
    for status in [Status::Draft, Status::Stamped, Status::Cancelled] {
        let before = sale(1, status);
        let settled = stamping::give_up(&before, &Around::default(), WHY, later());
        assert_eq!(settled.invoice, before, "{status:?}");
        assert_eq!((settled.credits, settled.documents), (None, None), "{status:?}");
    }
}

#[test]
fn a_request_to_cancel_that_was_never_sent_was_never_made() {
    let before = with_cancellation(CancellationStatus::Requested);
    let settled = cancel::give_up(&before, false, WHY, later()).unwrap();
    assert_eq!((settled.invoice.status, &settled.invoice.cancellation), (Status::Stamped, &None));
    assert_eq!(settled.invoice.last_error, given_up());
    assert_eq!((settled.credits, settled.documents), (None, None));
}

#[test]
fn a_request_to_cancel_that_may_have_been_received_is_not_given_up() {
    let before = with_cancellation(CancellationStatus::Requested);
    assert_eq!(cancel::give_up(&before, true, WHY, later()), Err(MayBeReceived));
    let mut received = before;
    received.cancellation.as_mut().unwrap().received_at = Some(later());
    assert_eq!(cancel::give_up(&received, false, WHY, later()), Err(MayBeReceived));
}

#[test]
fn a_cancellation_that_was_decided_stays_as_it_is() {
    let decided =
        CancellationStatus::EVERY.iter().filter(|one| **one != CancellationStatus::Requested);
    for status in decided {
        let before = with_cancellation(*status);
        let Settled { invoice, .. } = cancel::give_up(&before, true, WHY, later()).unwrap();
        assert_eq!(invoice, before, "{status:?}");
    }
}
