//! A crowd that acts at one moment.

use std::{collections::BTreeMap, sync::Barrier, thread};

use testkit::Reply;

/// Runs `act` on so many threads that start together, and answers in their order.
pub(crate) fn at_once<T: Send>(count: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(count);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|number| {
                let (start, act) = (&start, &act);
                scope.spawn(move || {
                    start.wait();
                    act(number)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("nobody panics")).collect()
    })
}

/// How many answers have each status, in ascending order.
pub(super) fn statuses(replies: &[Reply]) -> Vec<(u16, usize)> {
    counted(replies.iter().map(|reply| reply.status))
}

/// How often each status is there, in ascending order.
pub(super) fn counted(statuses: impl Iterator<Item = u16>) -> Vec<(u16, usize)> {
    let mut counts = BTreeMap::new();
    for status in statuses {
        *counts.entry(status).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// Asserts that all answers are one order, or that its key is in use.
#[track_caller]
pub(super) fn assert_twins(replies: &[Reply]) {
    let (placed, rest): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 201);
    let first = placed.first().expect("one is placed");
    assert!(placed.iter().all(|reply| reply.text == first.text), "one order, one answer");
    let fresh = placed.iter().filter(|reply| reply.header("idempotent-replayed").is_none());
    assert_eq!(fresh.count(), 1, "one is the first, the others repeat it");
    for reply in rest {
        let _ = reply.refused(409, "idempotency_key_in_use");
    }
}
