//! Whether several accounts are at work at the same time.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use kernel::AccountId;

/// Whoever has asked for nothing for so long is not at work any more.
const LATELY: Duration = Duration::from_secs(1);
/// The mark of no account.
const NOBODY: u64 = 0;

/// Knows whether more than one account has asked for something lately. While only one does, it costs a look at one number.
pub(crate) struct Neighbours {
    began: Instant,
    /// Who was the last to ask.
    last: AtomicU64,
    /// When that was last another account than the one before, in milliseconds since the beginning and one; 0 for never.
    changed: AtomicU64,
}

impl Neighbours {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), last: AtomicU64::new(NOBODY), changed: AtomicU64::new(0) }
    }

    /// An account asks for something. Of two that ask at the same moment one may go unnoticed until it asks again.
    pub(crate) fn asks(&self, account: AccountId, now: Instant) {
        let own = mark(account);
        if self.last.load(Relaxed) == own {
            return;
        }
        let before = self.last.swap(own, Relaxed);
        if before != NOBODY && before != own {
            self.changed.store(self.moment(now), Relaxed);
        }
    }

    /// Whether several accounts have asked lately.
    pub(crate) fn are_there(&self, now: Instant) -> bool {
        let changed = self.changed.load(Relaxed);
        let since = self.moment(now).saturating_sub(changed);
        changed > 0 && Duration::from_millis(since) < LATELY
    }

    fn moment(&self, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(self.began).as_millis();
        u64::try_from(passed).unwrap_or(u64::MAX).saturating_add(1)
    }
}

/// What an account is told from others by.
fn mark(account: AccountId) -> u64 {
    let number = account.to_u128();
    (((number >> 64) ^ number) as u64).max(NOBODY + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_there_while_more_than_one_account_asks() {
        let neighbours = Neighbours::new();
        let at = |millis| neighbours.began + Duration::from_millis(millis);
        let asks = |account, millis| neighbours.asks(AccountId::from_u128(account), at(millis));
        (0..5).for_each(|millis| asks(1, millis));
        assert!(!neighbours.are_there(at(5)), "it is alone");
        asks(2, 6);
        assert!(neighbours.are_there(at(6)) && neighbours.are_there(at(1_005)));
        assert!(!neighbours.are_there(at(1_006)), "neither has asked since");
        (0..5).for_each(|millis| asks(2, 2_000 + millis));
        assert!(!neighbours.are_there(at(2_005)), "the other is gone");
        asks(1, 2_500);
        asks(2, 2_501);
        assert!(neighbours.are_there(at(3_500)));
    }

    #[test]
    fn the_account_of_zeros_is_one_too() {
        let neighbours = Neighbours::new();
        let now = neighbours.began;
        for account in [0, 7] {
            neighbours.asks(AccountId::from_u128(account), now);
        }
        assert!(neighbours.are_there(now));
    }
}
