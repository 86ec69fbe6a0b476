//! A rate that is counted for all nodes together, where somebody counts for them.

use std::{
    fmt::Display,
    hash::Hash,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use governor::clock::DefaultClock;
use kernel::rate::{SharedCounter, Verdict};

use super::{Allowance, Exceeded, Limit, TRACKED_MAX, seconds};

/// Who counts for all nodes, if anybody does.
pub(super) type Counter = Option<Arc<dyn SharedCounter>>;

/// One rate for many holders, each with an allowance that all nodes have together.
pub(super) struct SharedLimit<K: Eq + Hash + Clone> {
    /// What its holders are called at the counter.
    name: &'static str,
    count: u32,
    period: Duration,
    /// What is counted here if nobody counts for all nodes.
    whole: Limit<K>,
    counter: Counter,
    /// What this node lets through. It decides while the counter does not answer.
    share: RwLock<Arc<Share<K>>>,
}

/// The share of one of so many nodes.
struct Share<K: Eq + Hash + Clone> {
    nodes: u32,
    limit: Limit<K>,
}

impl<K: Eq + Hash + Clone> Share<K> {
    fn new(count: u32, period: Duration, nodes: u32) -> Arc<Self> {
        let count = share_of(count, nodes);
        let limit = Limit::new(count, period, TRACKED_MAX, DefaultClock::default());
        Arc::new(Self { nodes, limit })
    }
}

impl<K: Eq + Hash + Clone + Display> SharedLimit<K> {
    /// `count` requests per `period`, with nothing used yet.
    pub(super) fn new(name: &'static str, count: u32, period: Duration, counter: Counter) -> Self {
        let whole = Limit::new(count, period, TRACKED_MAX, DefaultClock::default());
        let share = RwLock::new(Share::new(count, period, 1));
        Self { name, count, period, whole, counter, share }
    }

    /// Counts a request of `holder`.
    pub(super) async fn check(&self, holder: &K) -> Result<Allowance, Exceeded> {
        let Some(counter) = &self.counter else { return self.whole.check(holder) };
        let name = format!("{}:{holder}", self.name);
        match counter.count(&name, self.whole.shared_quota()).await {
            Some(Verdict::Allowed { remaining }) => {
                // Should the counter fall silent, this much of the share is used.
                let _ = self.share(counter.nodes()).limit.check(holder);
                Ok(self.whole.allowance(remaining))
            }
            Some(Verdict::Refused { wait }) => {
                let allowance = self.whole.allowance(0);
                Err(Exceeded { allowance, retry_seconds: seconds(wait).max(1) })
            }
            None => self.told(self.share(counter.nodes()).limit.check(holder)),
        }
    }

    /// Holders remembered one by one.
    pub(super) fn tracked(&self) -> usize {
        let share = Arc::clone(&self.share.read().unwrap_or_else(PoisonError::into_inner));
        self.whole.store.tracked() + share.limit.store.tracked()
    }

    /// This node's share among so many. What was used of another one is not known any more.
    fn share(&self, nodes: u32) -> Arc<Share<K>> {
        let share = Arc::clone(&self.share.read().unwrap_or_else(PoisonError::into_inner));
        if share.nodes == nodes {
            return share;
        }
        let mut share = self.share.write().unwrap_or_else(PoisonError::into_inner);
        if share.nodes != nodes {
            *share = Share::new(self.count, self.period, nodes);
        }
        Arc::clone(&share)
    }

    /// Callers know the limit, not what each node has of it.
    fn told(&self, outcome: Result<Allowance, Exceeded>) -> Result<Allowance, Exceeded> {
        let limit = self.whole.allowance(0).limit;
        let told = |allowance| Allowance { limit, ..allowance };
        outcome
            .map(told)
            .map_err(|exceeded| Exceeded { allowance: told(exceeded.allowance), ..exceeded })
    }
}

/// What one of so many nodes may let through of a limit. Together they let through no more than it, unless there are more
/// of them than it has.
fn share_of(count: u32, nodes: u32) -> u32 {
    (count / nodes.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

    use kernel::rate::{Counting, Quota};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    /// Counts for three nodes as long as it is well, whoever the holder is.
    struct Counter {
        left: AtomicU32,
        is_well: AtomicBool,
    }

    impl Counter {
        fn of(left: u32) -> Self {
            Self { left: AtomicU32::new(left), is_well: AtomicBool::new(true) }
        }
    }

    impl SharedCounter for Counter {
        fn count<'a>(&'a self, _: &'a str, quota: Quota) -> Counting<'a> {
            assert_eq!((quota.at_once, quota.interval), (60, HOUR / 60));
            let left = self.left.load(Relaxed);
            let verdict = match left.checked_sub(1) {
                _ if !self.is_well.load(Relaxed) => None,
                None => Some(Verdict::Refused { wait: Duration::from_millis(1_500) }),
                Some(remaining) => {
                    self.left.store(remaining, Relaxed);
                    Some(Verdict::Allowed { remaining })
                }
            };
            Box::pin(async move { verdict })
        }

        fn nodes(&self) -> u32 {
            3
        }

        fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
            Vec::new()
        }
    }

    #[test]
    fn a_share_is_never_more_than_what_there_is_and_never_nothing() {
        for (count, nodes, share) in [(60, 3, 20), (7, 3, 2), (60, 1, 60), (60, 0, 60), (2, 5, 1)] {
            assert_eq!(share_of(count, nodes), share, "{count} among {nodes}");
        }
    }

    #[tokio::test]
    async fn what_the_counter_let_through_counts_for_the_share() {
        let counter = Arc::new(Counter::of(60));
        let nodes = [(); 3].map(|()| SharedLimit::new("key", 60, HOUR, Some(counter.clone())));
        let mut passed = 0;
        for round in 0..100 {
            if round == 10 {
                counter.is_well.store(false, Relaxed);
            }
            for node in &nodes {
                let outcome = node.check(&"a").await;
                let (Ok(allowance) | Err(Exceeded { allowance, .. })) = outcome;
                assert_eq!(allowance.limit, 60);
                passed += u32::from(outcome.is_ok());
            }
        }
        assert_eq!(passed, 60);
    }

    #[tokio::test]
    async fn what_the_counter_refuses_is_refused() {
        let counter = Arc::new(Counter::of(1));
        let limit = SharedLimit::new("key", 60, HOUR, Some(counter));
        assert_eq!(limit.check(&"a").await.unwrap().remaining, 0);
        let refused = limit.check(&"a").await.unwrap_err();
        let allowance = Allowance { limit: 60, remaining: 0, reset_seconds: 3_600 };
        assert_eq!(refused, Exceeded { allowance, retry_seconds: 2 });
    }
}
