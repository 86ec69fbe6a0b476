//! Calls to providers, on record before they are made, and what follows from each outcome.

use kernel::{Amount, Timestamp, reason::Reason};

use crate::{CallFault, Failure, PaymentId, payment::named};

kernel::ids! {
    /// The identifier of a call: the key under which it is repeated.
    CallId = "pcl";
}

named! {
    /// What a provider is asked to do with a payment.
    CallKind {
        /// To ask the payer for the money.
        Create = "create",
        /// To take what is authorized.
        Capture = "capture",
        /// To call it off.
        Cancel = "cancel",
        /// To give some of it back.
        Refund = "refund",
    }
}

named! {
    /// What has come of a call.
    CallOutcome {
        /// Nothing yet.
        Open = "open",
        /// It was carried out.
        Done = "done",
        /// It was refused and had no effect.
        Rejected = "rejected",
    }
}

/// A call to a provider about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The key under which it is repeated.
    pub id: CallId,
    /// The payment.
    pub payment: PaymentId,
    /// What is asked.
    pub kind: CallKind,
    /// How much is to be captured; everything if absent.
    pub amount: Option<Amount>,
    /// What has come of it.
    pub outcome: CallOutcome,
    /// Whether an attempt may have had an effect that nobody has seen.
    pub is_unknown: bool,
    /// How often the provider was called.
    pub tries: u32,
    /// How often in a row the provider did not know the payment when asked for it.
    pub absences: u32,
    /// Why it was refused, or what stands in its way.
    pub failure: Option<Failure>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What is to be done about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To make it, or to repeat it under its key.
    Make,
    /// To ask the provider what has become of it.
    Find,
}

/// What follows from an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Follow {
    /// Another attempt after so many seconds.
    Again {
        /// How many.
        seconds: i64,
    },
    /// It is over: it was refused and had no effect.
    Refused(Failure),
}

/// Seconds before each repetition of a call of whose outcome nobody knows.
const UNKNOWN_PAUSES: &[i64] = &[5, 30, 120, 600, 3_600, 21_600];
/// How often a call of whose outcome nobody knows is repeated.
const REPEATS_MAX: u32 = 6;
/// Seconds before each repetition of a call that the provider has not taken.
const NOT_TAKEN_PAUSES: &[i64] = &[2, 5, 15, 60, 300, 600];
/// Seconds before the first question after a payment whose call is not to be repeated.
const ASK_PAUSE: i64 = 5;
/// Seconds between two questions after a payment.
const FIND_PAUSE: i64 = 450;
/// After how many questions in a row a payment that the provider does not know never came to be.
const ABSENCES_MAX: u32 = 3;
/// For how many seconds a provider that takes nothing is called to create a payment.
const CREATE_SECONDS: i64 = 3_600;
/// For how many seconds it is called for anything else.
const CALL_SECONDS: i64 = 7 * 86_400;

fn pause(pauses: &[i64], tries: u32) -> i64 {
    let index = usize::try_from(tries.saturating_sub(1)).unwrap_or(usize::MAX);
    pauses.get(index).or(pauses.last()).copied().unwrap_or_default()
}

impl Call {
    /// A call to be made.
    #[must_use]
    pub const fn open(
        id: CallId,
        payment: PaymentId,
        kind: CallKind,
        amount: Option<Amount>,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            payment,
            kind,
            amount,
            outcome: CallOutcome::Open,
            is_unknown: false,
            tries: 0,
            absences: 0,
            failure: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// What is to be done about it, with a provider that knows its keys for so many seconds. A call whose fate is
    /// unknown is repeated as long as its key protects it, and asked after from then on.
    #[must_use]
    pub fn step(&self, key_seconds: i64, now: Timestamp) -> Step {
        let is_protected = now < self.created_at.plus_seconds(key_seconds);
        let is_given_time = self.tries <= REPEATS_MAX;
        match self.is_unknown && !(is_protected && is_given_time) {
            true => Step::Find,
            false => Step::Make,
        }
    }

    /// It has been carried out.
    #[must_use]
    pub fn done(&self, now: Timestamp) -> Self {
        Self {
            outcome: CallOutcome::Done,
            is_unknown: false,
            tries: self.tries + 1,
            absences: 0,
            failure: None,
            updated_at: now,
            ..self.clone()
        }
    }

    /// What follows from an attempt that has failed, and the call from then on.
    #[must_use]
    pub fn failed(&self, fault: &CallFault, now: Timestamp) -> (Self, Follow) {
        let mut call = Self { tries: self.tries + 1, absences: 0, updated_at: now, ..self.clone() };
        match fault {
            CallFault::Declined(failure) | CallFault::Rejected(failure) => {
                call.refused(failure.clone())
            }
            CallFault::RateLimited { seconds } => {
                call.not_taken("rate_limited", &fault.kept(), (*seconds).max(1), now)
            }
            CallFault::Unreachable(why) => {
                let seconds = pause(NOT_TAKEN_PAUSES, call.tries);
                call.not_taken("provider_unavailable", why, seconds, now)
            }
            CallFault::Config(why) => {
                let seconds = pause(NOT_TAKEN_PAUSES, call.tries).max(60);
                call.not_taken("provider_configuration", why, seconds, now)
            }
            CallFault::Stuck(why) => {
                call.failure = Some(standing("provider_unknown", why));
                call.is_unknown = true;
                (call.not_to_be_repeated(), Follow::Again { seconds: ASK_PAUSE })
            }
            CallFault::Unknown(why) => {
                call.is_unknown = true;
                call.failure = Some(standing("provider_unknown", why));
                let seconds = pause(UNKNOWN_PAUSES, call.tries);
                (call, Follow::Again { seconds })
            }
        }
    }

    /// What follows when the provider, asked for the payment, does not know it.
    #[must_use]
    pub fn absent(&self, now: Timestamp) -> (Self, Follow) {
        let mut call = Self { absences: self.absences + 1, updated_at: now, ..self.clone() };
        if call.absences < ABSENCES_MAX {
            return (call, Follow::Again { seconds: FIND_PAUSE });
        }
        call.is_unknown = false;
        call.refused(standing("provider_error", Reason::PaymentNeverThere.code()))
    }

    /// It had no effect: the provider, asked for the payment, shows that nothing was done.
    #[must_use]
    pub fn refused_after_all(&self, now: Timestamp) -> Self {
        Self {
            outcome: CallOutcome::Rejected,
            is_unknown: false,
            failure: Some(standing("provider_error", Reason::NotDone.code())),
            updated_at: now,
            ..self.clone()
        }
    }

    /// Whether it can be given up without asking anybody: it would have made a payment, and no attempt has reached the
    /// provider.
    #[must_use]
    pub const fn is_unsent(&self) -> bool {
        matches!(self.kind, CallKind::Create)
            && matches!(self.outcome, CallOutcome::Open)
            && !self.is_unknown
    }

    /// It is not made any more.
    #[must_use]
    pub fn given_up(&self, now: Timestamp) -> Self {
        Self { outcome: CallOutcome::Rejected, updated_at: now, ..self.clone() }
    }

    /// What follows when the provider could not be asked for the payment.
    #[must_use]
    pub fn unasked(&self, now: Timestamp) -> (Self, Follow) {
        (Self { updated_at: now, ..self.clone() }, Follow::Again { seconds: FIND_PAUSE })
    }

    fn refused(mut self, failure: Failure) -> (Self, Follow) {
        // An earlier attempt may have had the effect that this one is refused for: only the provider's own record settles it.
        if self.is_unknown {
            self.failure = Some(failure);
            return (self.not_to_be_repeated(), Follow::Again { seconds: ASK_PAUSE });
        }
        self.outcome = CallOutcome::Rejected;
        self.failure = Some(failure.clone());
        (self, Follow::Refused(failure))
    }

    /// From now on the provider is asked what has become of it.
    fn not_to_be_repeated(mut self) -> Self {
        self.tries = self.tries.max(REPEATS_MAX + 1);
        self
    }

    fn not_taken(mut self, code: &str, why: &str, seconds: i64, now: Timestamp) -> (Self, Follow) {
        let longest = if self.kind == CallKind::Create { CREATE_SECONDS } else { CALL_SECONDS };
        let failure = standing(code, why);
        if !self.is_unknown && now >= self.created_at.plus_seconds(longest) {
            return self.refused(failure);
        }
        self.failure = Some(failure);
        (self, Follow::Again { seconds })
    }
}

fn standing(code: &str, message: &str) -> Failure {
    Failure { code: code.to_owned(), message: message.to_owned(), is_retryable: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn call(kind: CallKind) -> Call {
        Call::open(CallId::from_u128(1), PaymentId::from_u128(1), kind, None, at(0))
    }

    fn unknown() -> CallFault {
        CallFault::Unknown("a time-out".to_owned())
    }

    fn declined() -> CallFault {
        CallFault::Declined(standing("card_declined", ""))
    }

    #[test]
    fn an_unknown_outcome_is_repeated_under_its_key_and_then_asked_after() {
        let (mut call, mut now, mut pauses) = (call(CallKind::Create), 0, Vec::new());
        while call.step(86_400, at(now)) == Step::Make {
            let (next, follow) = call.failed(&unknown(), at(now));
            let Follow::Again { seconds } = follow else { panic!("{follow:?}") };
            pauses.push(seconds);
            (call, now) = (next, now + seconds);
        }
        assert_eq!(pauses, [5, 30, 120, 600, 3_600, 21_600, 21_600]);
        assert!(call.is_unknown);
    }

    #[test]
    fn a_key_that_only_gives_an_old_failure_is_not_used_again() {
        let stuck = CallFault::Stuck("the same failure as before".to_owned());
        let (call, follow) = call(CallKind::Refund).failed(&stuck, at(0));
        assert_eq!((call.is_unknown, follow), (true, Follow::Again { seconds: 5 }));
        assert_eq!(call.step(86_400, at(5)), Step::Find);
    }

    #[test]
    fn a_provider_that_knows_no_keys_is_never_called_twice() {
        let (call, _) = call(CallKind::Create).failed(&unknown(), at(0));
        assert_eq!(call.step(0, at(5)), Step::Find);
    }

    #[test]
    fn what_was_never_there_is_given_up_after_three_questions() {
        let (mut call, _) = call(CallKind::Create).failed(&unknown(), at(0));
        for question in 1..=3 {
            let (next, follow) = call.absent(at(question));
            match question {
                3 => assert!(matches!(follow, Follow::Refused(f) if f.code == "provider_error")),
                _ => assert_eq!(follow, Follow::Again { seconds: FIND_PAUSE }),
            }
            call = next;
        }
        assert_eq!(call.outcome, CallOutcome::Rejected);
    }

    #[test]
    fn a_refusal_after_an_unknown_outcome_settles_nothing() {
        let (call, _) = call(CallKind::Capture).failed(&unknown(), at(0));
        let (call, follow) = call.failed(&declined(), at(5));
        assert_eq!((call.outcome, follow), (CallOutcome::Open, Follow::Again { seconds: 5 }));
        assert_eq!(call.step(86_400, at(10)), Step::Find);
    }

    #[test]
    fn only_what_was_never_sent_is_given_up() {
        let away = CallFault::Unreachable("nobody listens".to_owned());
        let new = call(CallKind::Create);
        let (later, _) = new.failed(&away, at(0));
        let (busy, _) = later.failed(&CallFault::RateLimited { seconds: 7 }, at(2));
        for unsent in [&new, &later, &busy] {
            assert!(unsent.is_unsent());
        }
        let given_up = busy.given_up(at(3));
        assert_eq!(given_up.outcome, CallOutcome::Rejected);
        // Once one attempt may have come there, a later one that did not changes nothing.
        let (lost, _) = busy.failed(&unknown(), at(3));
        let (away, _) = lost.failed(&away, at(8));
        let (capture, _) = call(CallKind::Capture).failed(&declined(), at(0));
        for other in [&lost, &away, &given_up, &capture, &call(CallKind::Cancel)] {
            assert!(!other.is_unsent(), "{other:?}");
        }
    }

    #[test]
    fn what_a_provider_has_not_taken_has_no_effect_and_is_given_up_in_the_end() {
        let away = CallFault::Unreachable("nobody listens".to_owned());
        let (later, follow) = call(CallKind::Create).failed(&away, at(0));
        assert_eq!((follow, later.is_unknown), (Follow::Again { seconds: 2 }, false));
        let (_, follow) = later.failed(&away, at(3_600));
        assert!(matches!(follow, Follow::Refused(f) if f.code == "provider_unavailable"));
        let (_, follow) = call(CallKind::Cancel).failed(&away, at(3_600));
        assert!(matches!(follow, Follow::Again { .. }));
        let limited = CallFault::RateLimited { seconds: 7 };
        assert_eq!(call(CallKind::Create).failed(&limited, at(0)).1, Follow::Again { seconds: 7 });
    }
}
