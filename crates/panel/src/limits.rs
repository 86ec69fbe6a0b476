//! How often somebody may ask, within bounded memory.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Holders whose use is remembered one by one.
const TRACKED_MAX: usize = 20_000;

/// One rate for many holders: a full allowance may be used at once and comes back evenly.
pub(crate) struct Limit<K> {
    count: u32,
    period: Duration,
    /// When the allowance of each is whole again.
    whole_at: Mutex<HashMap<K, Instant>>,
}

impl<K: Eq + Hash> Limit<K> {
    /// So many requests in a period.
    pub(crate) fn new(count: u32, period: Duration) -> Self {
        Self { count: count.max(1), period, whole_at: Mutex::default() }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// In how many seconds the next one is allowed, if this one is not.
    pub(crate) fn check(&self, holder: K) -> Result<(), u64> {
        self.check_at(holder, Instant::now())
    }

    /// Whether a request would be allowed; counts nothing.
    ///
    /// # Errors
    /// In how many seconds it is, if not now.
    pub(crate) fn peek(&self, holder: &K) -> Result<(), u64> {
        self.peek_at(holder, Instant::now())
    }

    fn peek_at(&self, holder: &K, now: Instant) -> Result<(), u64> {
        let whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        let whole =
            whole_at.get(holder).copied().unwrap_or(now).max(now) + self.period / self.count;
        match (whole - now).checked_sub(self.period) {
            Some(over) if !over.is_zero() => Err(over.as_secs() + 1),
            _ => Ok(()),
        }
    }

    fn check_at(&self, holder: K, now: Instant) -> Result<(), u64> {
        let each = self.period / self.count;
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        if whole_at.len() >= TRACKED_MAX && !whole_at.contains_key(&holder) {
            whole_at.retain(|_, at| *at > now);
        }
        let whole = whole_at.get(&holder).copied().unwrap_or(now).max(now) + each;
        let ahead = whole - now;
        if ahead > self.period {
            return Err((ahead - self.period).as_secs() + 1);
        }
        // Whoever comes while all places are taken by others is not counted: no crowd locks anybody out.
        if whole_at.len() < TRACKED_MAX || whole_at.contains_key(&holder) {
            whole_at.insert(holder, whole);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_is_used_up_and_comes_back() {
        let limit = Limit::new(3, Duration::from_secs(60));
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        for _ in 0..3 {
            assert_eq!(limit.check_at("ana", at(0)), Ok(()));
        }
        assert_eq!(limit.peek_at(&"ana", at(0)), Err(21));
        assert_eq!(limit.peek_at(&"beto", at(0)), Ok(()));
        assert_eq!(limit.check_at("ana", at(0)), Err(21));
        assert_eq!(limit.check_at("beto", at(0)), Ok(()));
        assert_eq!(limit.check_at("ana", at(20)), Ok(()));
        assert!(limit.check_at("ana", at(20)).is_err());
    }
}
