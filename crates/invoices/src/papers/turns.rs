//! Papers of one invoice take turns, in the order in which they were asked for: only one of them can be stamped at a time,
//! and the numbers of receipts are to follow the payments.

use kernel::Timestamp;
use tasks::Task;

/// What is tried again later than after so many seconds is overtaken: its provider may be away for long.
const SOON_SECONDS: i64 = 60;

/// Seconds of the wait for one that is before, and for how many that is counted. Whoever ends calls the next, so that this is
/// only in case that a call is missed.
const WAIT_SECONDS: i64 = 5;
const WAITS_MAX: usize = 6;

/// The paper that another of the same invoice waits for: an earlier one that is being made, or soon will be. `others` are the
/// open tasks of that invoice, the oldest first.
#[must_use]
pub fn waits_for<'a>(own: &Task, others: &'a [Task], now: Timestamp) -> Option<&'a Task> {
    let soon = now.plus_seconds(SOON_SECONDS);
    others.iter().find(|other| {
        let is_soon = other.due_at.is_some_and(|due| due <= soon);
        other.id < own.id && (other.is_held(now) || is_soon)
    })
}

/// After how many seconds a paper that waits looks again whose turn it is.
#[must_use]
pub fn wait_seconds(own: &Task, others: &[Task]) -> i64 {
    let before = others.iter().filter(|other| other.id < own.id).take(WAITS_MAX);
    before.fold(0, |seconds, _| seconds + WAIT_SECONDS)
}

/// Whose turn is next of the `others` once a paper of their invoice has ended: as it is then, due, if it waits. What is tried
/// again much later is not waited for, nor called before its time.
#[must_use]
pub fn next_turn(others: &[Task], now: Timestamp) -> Option<(&Task, Task)> {
    let soon = now.plus_seconds(SOON_SECONDS);
    let first = others.iter().find(|other| other.due_at.is_some_and(|due| due <= soon));
    let next = first.filter(|first| first.due_at > Some(now))?;
    Some((next, next.clone().retried(now).ok()?))
}

#[cfg(test)]
mod tests {
    use kernel::AccountId;
    use tasks::{Claim, ClaimId, NewTask, Payload, TaskId, kind::PAPER};

    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_micros(1_764_000_000_000_000)
    }

    /// A task that is due after so many seconds.
    fn task(number: u128, seconds: i64) -> Task {
        let new = NewTask {
            kind: PAPER.name,
            subject: String::new(),
            exclusive_key: None,
            payload: Payload::none(),
            due_at: now().plus_seconds(seconds),
            claim: None,
        };
        Task::open(AccountId::from_u128(1), TaskId::from_u128(number), new, now())
    }

    fn held(task: Task) -> Task {
        task.claimed(Claim { id: ClaimId::from_u128(1), until: now().plus_seconds(90) })
    }

    fn waited_for(own: u128, others: &[Task]) -> Option<TaskId> {
        waits_for(&task(own, 0), others, now()).map(|other| other.id)
    }

    #[test]
    fn who_was_first_is_waited_for() {
        let second = Some(TaskId::from_u128(2));
        assert_eq!(waited_for(3, &[task(2, 0)]), second);
        assert_eq!(waited_for(3, &[task(2, 5)]), second);
        assert_eq!(waited_for(3, &[held(task(2, 0)), task(4, 0)]), second);
        assert_eq!(waited_for(1, &[task(2, 0), task(4, 0)]), None);
        assert_eq!(waited_for(3, &[]), None);
    }

    #[test]
    fn who_is_long_in_coming_is_overtaken() {
        assert_eq!(waited_for(3, &[task(2, 600)]), None);
        assert_eq!(waited_for(3, &[task(1, 600), task(2, 0)]), Some(TaskId::from_u128(2)));
    }

    #[test]
    fn who_is_far_behind_looks_more_rarely() {
        let others: Vec<Task> = (1..=40).map(|number| task(number, 0)).collect();
        for (own, seconds) in [(2, 5), (4, 15), (40, 30)] {
            assert_eq!(wait_seconds(&task(own, 0), &others), seconds);
        }
        // It is soon its turn again, so that none overtakes it.
        let waiting = task(2, wait_seconds(&task(40, 0), &others));
        assert!(waits_for(&task(3, 0), &[waiting], now()).is_some());
    }

    #[test]
    fn the_next_that_waits_is_due() {
        let others = [task(2, 5), task(3, 5)];
        let (seen, due) = next_turn(&others, now()).unwrap();
        assert_eq!((seen.id, due.due_at), (TaskId::from_u128(2), Some(now())));
        let due = vec![task(2, 0), task(3, 5)];
        for others in [vec![], vec![task(2, 0)], due, vec![held(task(2, 5))]] {
            assert!(next_turn(&others, now()).is_none(), "{others:?}");
        }
    }

    #[test]
    fn who_is_long_in_coming_is_not_called_before() {
        let others = [task(2, 600), task(3, 5)];
        let (seen, _) = next_turn(&others, now()).unwrap();
        assert_eq!(seen.id, TaskId::from_u128(3));
        assert!(next_turn(&[task(2, 600)], now()).is_none());
    }
}
