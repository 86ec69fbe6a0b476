//! How often somebody may try to sign in: the more failures, the longer the pause.

use kernel::Timestamp;

/// How long a failure counts, in seconds: an hour.
pub const FAILURE_SECONDS: i64 = 3_600;

/// How long it is remembered where a user has signed in from, in seconds: 90 days.
pub const AT_HOME_SECONDS: i64 = 90 * 86_400;

/// Of whom failures are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Of an address of a user from one network: what guesses at one user.
    EmailFromNetwork,
    /// Of a network: what tries many users. Who has signed in from there lately is not put off by it.
    Network,
    /// Of an address of a user from anywhere: what guesses from many networks. A high bound, since the user is shut
    /// out with it where they have not signed in from lately.
    Email,
}

/// What is counted of somebody who signs in, with the name that it is counted under.
#[must_use]
pub fn counted(email: &str, network: &str) -> [(Counted, String); 3] {
    [
        (Counted::EmailFromNetwork, format!("email {email} from {network}")),
        (Counted::Network, format!("network {network}")),
        (Counted::Email, format!("email {email}")),
    ]
}

impl Counted {
    /// How many failures are free.
    const fn free(self) -> u32 {
        match self {
            Self::EmailFromNetwork => 5,
            Self::Network => 50,
            Self::Email => 100,
        }
    }
}

/// Failures on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct Failures {
    pub count: u32,
    pub last_at: Timestamp,
}

impl Failures {
    /// With one more.
    #[must_use]
    pub fn and_one(known: Option<Self>, of: Counted, now: Timestamp) -> Self {
        let count = known.map_or(0, |known| known.left(of, now)).saturating_add(1);
        Self { count, last_at: now }
    }

    /// How many of them still count: as many as are free are forgiven in an hour, one after the other, so that who mistypes
    /// now and then never comes to a pause, and neither does a network of many.
    fn left(self, of: Counted, now: Timestamp) -> u32 {
        let seconds = (now.micros() - self.last_at.micros()).max(0) / 1_000_000;
        let forgiven = seconds.saturating_mul(i64::from(of.free())) / FAILURE_SECONDS;
        self.count.saturating_sub(u32::try_from(forgiven).unwrap_or(u32::MAX))
    }

    fn counts(self, now: Timestamp) -> bool {
        now < self.last_at.plus_seconds(FAILURE_SECONDS)
    }

    /// Until when nobody may try, if that is to come: half a minute after what is free, twice as long after each
    /// further failure, at most a quarter of an hour.
    #[must_use]
    pub fn until(self, of: Counted, now: Timestamp) -> Option<Timestamp> {
        let beyond = self.count.checked_sub(of.free()).filter(|_| self.counts(now))?;
        let until = self.last_at.plus_seconds((30_i64 << beyond.min(5)).min(900));
        (now < until).then_some(until)
    }

    /// Whether this failure is worth an entry of the audit log: the first of a run, and that which begins a pause. So
    /// there are few, however many try.
    #[must_use]
    pub fn is_told(self, of: Counted) -> bool {
        of == Counted::EmailFromNetwork && (self.count == 1 || self.count == of.free())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_seconds(seconds)
    }

    #[test]
    fn pauses_grow_with_failures_and_end() {
        let of = Counted::EmailFromNetwork;
        for (count, pause) in
            [(0, 0), (4, 0), (5, 30), (6, 60), (9, 480), (10, 900), (4_000_000, 900)]
        {
            let failures = Failures { count, last_at: at(0) };
            assert_eq!(failures.until(of, at(0)), (pause > 0).then(|| at(pause)), "{count}");
            assert_eq!(failures.until(of, at(pause)), None, "{count}");
        }
        let many = Failures { count: 20, last_at: at(0) };
        assert!(many.until(of, at(0)).is_some() && many.until(Counted::Network, at(0)).is_none());
        // One in twelve minutes is forgiven of five in an hour.
        for (seconds, count) in [(0, 21), (719, 21), (720, 20), (3_600, 16), (100_000, 1)] {
            assert_eq!(Failures::and_one(Some(many), of, at(seconds)).count, count, "{seconds}");
        }
        // Somebody in a network who mistypes each five minutes puts nobody off.
        let mut network = None;
        for round in 0..1_000 {
            let now = at(round * 300);
            let failures = Failures::and_one(network, Counted::Network, now);
            assert_eq!(failures.until(Counted::Network, now), None, "{round}");
            network = Some(failures);
        }
    }

    #[test]
    fn few_failures_of_a_run_are_told() {
        let told = |of| {
            let counts = 1..=1_000;
            counts.filter(|count| Failures { count: *count, last_at: at(0) }.is_told(of)).count()
        };
        assert_eq!(
            [told(Counted::EmailFromNetwork), told(Counted::Network), told(Counted::Email)],
            [2, 0, 0]
        );
    }
}
