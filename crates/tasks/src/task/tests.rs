use super::*;

const START: Timestamp = Timestamp::from_micros(1_000_000_000_000);

fn task() -> Task {
    let new = NewTask {
        kind: "invoices.stamp",
        subject: "inv_1".to_owned(),
        exclusive_key: Some("inv_1".to_owned()),
        payload: Payload::none(),
        due_at: START,
        claim: None,
    };
    Task::open(AccountId::from_u128(1), TaskId::from_u128(2), new, START)
}

fn claim(seconds: i64) -> Claim {
    Claim { id: ClaimId::from_u128(7), until: START.plus_seconds(seconds) }
}

fn pause(seconds: i64, is_doubtful: bool) -> Pause {
    Pause { seconds, is_doubtful, reason: "no answer".to_owned() }
}

#[test]
fn a_claim_holds_until_its_end_and_leaves_doubt_behind() {
    let held = task().claimed(claim(30));
    assert!(!held.is_doubtful && held.is_held(START) && !held.is_due(START));
    assert_eq!(held.status(START), Status::Running);
    let later = START.plus_seconds(30);
    assert!(held.is_due(later) && held.status(later) == Status::Queued);
    assert!(held.claimed(claim(90)).is_doubtful);
}

#[test]
fn a_clock_set_back_holds_up_nothing() {
    let held = task().claimed(claim(30));
    let before = START.plus_seconds(-CLAIM_SECONDS_MAX);
    assert!(!held.is_held(before));
    let postponed = task().postponed(&pause(60, false), START);
    assert!(!postponed.is_due(START) && !postponed.is_due(START.plus_seconds(-30)));
    assert!(postponed.is_due(START.plus_seconds(-3_600)));
}

#[test]
fn a_pause_counts_an_attempt_and_never_takes_doubt_back() {
    let doubtful = task().claimed(claim(30)).postponed(&pause(5, true), START);
    assert_eq!((doubtful.attempts, doubtful.claim, doubtful.is_doubtful), (1, None, true));
    let again = doubtful.claimed(claim(60)).postponed(&pause(5, false), START);
    assert_eq!((again.attempts, again.is_doubtful), (2, true));
    assert!(again.is_due(START.plus_seconds(5)) && !again.is_due(START.plus_seconds(4)));
}

#[test]
fn waiting_for_its_turn_is_no_attempt() {
    let tried = task().claimed(claim(30)).postponed(&pause(5, false), START);
    let waiting = tried.claimed(claim(60)).put_off(&pause(2, false), START);
    assert_eq!((waiting.attempts, waiting.claim), (1, None));
    assert!(waiting.is_due(START.plus_seconds(2)) && !waiting.is_due(START.plus_seconds(1)));
}

#[test]
fn an_end_frees_its_key_and_is_final() {
    let done = task().claimed(claim(30)).ended(End::Succeeded("{}".to_owned()), START);
    assert_eq!((done.due_at, done.claim, done.exclusive_key.as_deref()), (None, None, None));
    assert_eq!(done.status(START), Status::Ended(TaskState::Succeeded));
    assert!(!done.is_due(START.plus_seconds(1_000_000)));
    let refused = done.cancelled(true, START);
    assert_eq!(refused, Err(TaskError::HasEnded(TaskState::Succeeded)));
}

#[test]
fn cancelling_ends_what_waits_and_asks_what_runs() {
    let waiting = task().cancelled(true, START).unwrap();
    assert_eq!(waiting.state, TaskState::Cancelled);
    assert_eq!(waiting.clone().cancelled(true, START), Ok(waiting));
    let running = task().claimed(claim(30)).cancelled(true, START).unwrap();
    assert!(running.is_cancel_requested && running.state == TaskState::Open);
    assert_eq!(task().cancelled(false, START), Err(TaskError::NotCancellable));
}

#[test]
fn operators_touch_only_what_nobody_is_at() {
    let postponed = task().postponed(&pause(600, true), START);
    let retried = postponed.clone().retried(START).unwrap();
    assert!(retried.is_due(START) && retried.is_doubtful && retried.attempts == 1);
    let abandoned = postponed.abandoned("given up".to_owned(), START).unwrap();
    assert_eq!(abandoned.outcome.as_deref(), Some("given up"));
    let running = task().claimed(claim(30));
    assert_eq!(running.clone().retried(START), Err(TaskError::IsRunning));
    assert_eq!(running.abandoned(String::new(), START), Err(TaskError::IsRunning));
}

#[test]
fn the_step_that_follows_begins_without_doubt_under_the_same_claim() {
    let doubtful = task().claimed(claim(5)).claimed(claim(30));
    let next = doubtful.continued("invoices.follow", START);
    assert_eq!(next.kind, "invoices.follow");
    assert!(!next.is_doubtful && next.attempts == 0 && next.is_held(START));
}
