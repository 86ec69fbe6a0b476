//! Accounts in which another node was faster: for a while they lock what they need before they read it, each in a
//! transaction of its own.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// How long an account locks first.
const LOCKS_FIRST: Duration = Duration::from_secs(5);

/// Accounts at which nodes contend, by whose turn it is, with the end of it.
#[derive(Default)]
pub(super) struct Contended(HashMap<u128, Instant>);

impl Contended {
    /// Has an account lock first for a while.
    pub(super) fn add(&mut self, turn: u128, now: Instant) {
        self.0.insert(turn, now + LOCKS_FIRST);
    }

    /// Whether an account locks first.
    pub(super) fn has(&self, turn: u128) -> bool {
        self.0.contains_key(&turn)
    }

    /// Ends it for those whose time is over.
    pub(super) fn expire(&mut self, now: Instant) {
        if !self.0.is_empty() {
            self.0.retain(|_, until| *until > now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_locks_first_for_a_while() {
        let (mut contended, now) = (Contended::default(), Instant::now());
        contended.add(1, now);
        contended.add(2, now + Duration::from_secs(1));
        contended.expire(now + Duration::from_secs(4));
        assert!(contended.has(1) && contended.has(2) && !contended.has(3));
        contended.expire(now + LOCKS_FIRST);
        assert!(!contended.has(1) && contended.has(2));
    }
}
