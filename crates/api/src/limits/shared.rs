//! A rate that is counted for all nodes together, where somebody counts for them.

use std::{
    collections::HashMap,
    fmt::Display,
    hash::Hash,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use governor::clock::DefaultClock;
use kernel::rate::{SharedCounter, Verdict};

use super::{Allowance, Exceeded, Limit, TRACKED_MAX, seconds};

/// Former shares that are kept, however often nodes come and go.
const FORMER_MAX: usize = 4;

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
    shares: RwLock<Shares<K>>,
    /// What it has let through then, until the counter is told.
    untold: Untold<K>,
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

/// This node's share, and those of before its nodes became more or fewer. Only they know what was let through then, so they
/// hold for a period more.
struct Shares<K: Eq + Hash + Clone> {
    current: Arc<Share<K>>,
    /// With the moment from which each says nothing any more.
    former: Vec<(Arc<Share<K>>, Instant)>,
}

impl<K: Eq + Hash + Clone> Shares<K> {
    /// The shares that hold, the current one in front, if it is that of so many nodes and none is past its time.
    fn holding(&self, nodes: u32, now: Instant) -> Option<Vec<Arc<Share<K>>>> {
        let is_so = self.current.nodes == nodes && self.former.iter().all(|(_, end)| now < *end);
        is_so.then(|| self.all())
    }

    fn all(&self) -> Vec<Arc<Share<K>>> {
        let former = self.former.iter().map(|(share, _)| share);
        std::iter::once(&self.current).chain(former).cloned().collect()
    }

    /// Lets another share be the current one, which may be a former one.
    fn change(
        &mut self,
        nodes: u32,
        (now, end): (Instant, Instant),
        new: impl FnOnce() -> Arc<Share<K>>,
    ) {
        if self.current.nodes != nodes {
            let place = self.former.iter().position(|(share, _)| share.nodes == nodes);
            let next = place.map_or_else(new, |place| self.former.remove(place).0);
            self.former.push((mem::replace(&mut self.current, next), end));
        }
        self.former.retain(|(_, end)| now < *end);
        let surplus = self.former.len().saturating_sub(FORMER_MAX);
        self.former.drain(..surplus);
    }
}

/// Requests that the counter does not know of, by their holders.
struct Untold<K> {
    /// Each matters for as long as it takes until one is back: so long all those of a holder do together.
    until: Mutex<HashMap<K, Instant>>,
    is_any: AtomicBool,
}

impl<K: Eq + Hash + Clone> Untold<K> {
    fn nothing() -> Self {
        Self { until: Mutex::default(), is_any: AtomicBool::new(false) }
    }

    /// Takes out those of a holder, which are to be told; one is back after each `interval`.
    fn take(&self, holder: &K, interval: Duration) -> u32 {
        if !self.is_any.load(Relaxed) {
            return 0;
        }
        let mut all = self.locked();
        let until = all.remove(holder);
        self.is_any.store(!all.is_empty(), Relaxed);
        drop(all);
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.unwrap_or_default().as_nanos();
        u32::try_from(left.div_ceil(interval.as_nanos().max(1))).unwrap_or(u32::MAX)
    }

    /// Adds some of a holder. When there are too many holders, those before are not told of.
    fn add(&self, holder: &K, requests: u32, interval: Duration) {
        if requests == 0 {
            return;
        }
        let (now, mut all) = (Instant::now(), self.locked());
        if all.len() >= TRACKED_MAX {
            all.clear();
        }
        let before = all.get(holder).copied().unwrap_or(now).max(now);
        if let Some(until) = before.checked_add(interval.saturating_mul(requests)) {
            all.insert(holder.clone(), until);
            self.is_any.store(true, Relaxed);
        }
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Clone + Display> SharedLimit<K> {
    /// `count` requests per `period`, with nothing used yet.
    pub(super) fn new(name: &'static str, count: u32, period: Duration, counter: Counter) -> Self {
        let whole = Limit::new(count, period, TRACKED_MAX, DefaultClock::default());
        let current = Share::new(count, period, 1);
        let shares = RwLock::new(Shares { current, former: Vec::new() });
        Self { name, count, period, whole, counter, shares, untold: Untold::nothing() }
    }

    /// Counts a request of `holder`.
    pub(super) async fn check(&self, holder: &K) -> Result<Allowance, Exceeded> {
        let Some(counter) = &self.counter else { return self.whole.check(holder) };
        let (name, quota) = (format!("{}:{holder}", self.name), self.whole.shared_quota());
        let untold = self.untold.take(holder, quota.interval);
        match counter.count(&name, quota, untold).await {
            Some(Verdict::Allowed { remaining }) => {
                // Should the counter fall silent, this much of the share is used.
                for share in self.shares(counter.nodes()) {
                    let _ = share.limit.check(holder);
                }
                Ok(self.whole.allowance(remaining))
            }
            Some(Verdict::Refused { wait }) => {
                self.untold.add(holder, untold, quota.interval);
                let allowance = self.whole.allowance(0);
                Err(Exceeded { allowance, retry_seconds: seconds(wait).max(1) })
            }
            Some(Verdict::Unanswered) => self.told(self.check_shares(holder, counter.nodes())),
            None => {
                let outcome = self.check_shares(holder, counter.nodes());
                let untold = untold.saturating_add(u32::from(outcome.is_ok()));
                self.untold.add(holder, untold, quota.interval);
                self.told(outcome)
            }
        }
    }

    /// Holders remembered one by one.
    pub(super) fn tracked(&self) -> usize {
        let shares = self.shares.read().unwrap_or_else(PoisonError::into_inner).all();
        let of_shares: usize = shares.iter().map(|share| share.limit.store.tracked()).sum();
        self.whole.store.tracked() + of_shares
    }

    /// Every share must have room; what is left is told of the one that has least.
    fn check_shares(&self, holder: &K, nodes: u32) -> Result<Allowance, Exceeded> {
        let mut least: Option<Allowance> = None;
        for share in self.shares(nodes) {
            let allowance = share.limit.check(holder)?;
            if least.is_none_or(|least| allowance.remaining < least.remaining) {
                least = Some(allowance);
            }
        }
        Ok(least.unwrap_or_else(|| self.whole.allowance(0)))
    }

    /// This node's share among so many, in front, and those of before that still hold.
    fn shares(&self, nodes: u32) -> Vec<Arc<Share<K>>> {
        let now = Instant::now();
        let known = self.shares.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(holding) = known.holding(nodes, now) {
            return holding;
        }
        drop(known);
        let mut shares = self.shares.write().unwrap_or_else(PoisonError::into_inner);
        let new = || Share::new(self.count, self.period, nodes);
        shares.change(nodes, (now, now + self.period), new);
        shares.all()
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
    use std::sync::atomic::AtomicU32;

    use kernel::{
        Gauge,
        rate::{Counting, Quota},
    };

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    /// Counts for nodes as long as it is well, whoever the holder is.
    struct Counter {
        left: AtomicU32,
        nodes: AtomicU32,
        is_well: AtomicBool,
    }

    impl Counter {
        fn of(left: u32) -> Self {
            let (left, nodes) = (AtomicU32::new(left), AtomicU32::new(3));
            Self { left, nodes, is_well: AtomicBool::new(true) }
        }
    }

    impl SharedCounter for Counter {
        fn count<'a>(&'a self, _: &'a str, quota: Quota, untold: u32) -> Counting<'a> {
            assert_eq!((quota.at_once, quota.interval), (60, HOUR / 60));
            let left = self.left.load(Relaxed);
            let verdict = match left.checked_sub(1) {
                _ if !self.is_well.load(Relaxed) => None,
                None => Some(Verdict::Refused { wait: Duration::from_millis(1_500) }),
                Some(remaining) => {
                    let remaining = remaining.saturating_sub(untold);
                    self.left.store(remaining, Relaxed);
                    Some(Verdict::Allowed { remaining })
                }
            };
            Box::pin(async move { verdict })
        }

        fn nodes(&self) -> u32 {
            self.nodes.load(Relaxed)
        }

        fn gauges(&self) -> Vec<Gauge> {
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
    async fn what_was_let_through_without_the_counter_is_told_once_it_answers() {
        let counter = Arc::new(Counter::of(60));
        let limit = SharedLimit::new("key", 60, HOUR, Some(counter.clone()));
        counter.is_well.store(false, Relaxed);
        for _ in 0..5 {
            assert!(limit.check(&"a").await.is_ok());
        }
        counter.is_well.store(true, Relaxed);
        assert_eq!(limit.check(&"b").await.unwrap().remaining, 59, "it is another's");
        for remaining in [53, 52] {
            assert_eq!(limit.check(&"a").await.unwrap().remaining, remaining);
        }
        counter.is_well.store(false, Relaxed);
        assert!(limit.check(&"a").await.is_ok());
        counter.is_well.store(true, Relaxed);
        counter.left.store(0, Relaxed);
        assert!(limit.check(&"a").await.is_err(), "nothing is left to tell it of");
        counter.left.store(9, Relaxed);
        assert_eq!(limit.check(&"a").await.unwrap().remaining, 7, "it is told once it counts");
    }

    #[tokio::test]
    async fn nodes_that_come_and_go_let_nothing_through_again() {
        let counter = Arc::new(Counter::of(60));
        let nodes = [(); 3].map(|()| SharedLimit::new("key", 60, HOUR, Some(counter.clone())));
        for node in &nodes {
            for _ in 0..20 {
                assert!(node.check(&"a").await.is_ok());
            }
        }
        for count in [2, 3, 1, 2, 3, 4, 5, 6, 3] {
            counter.is_well.store(true, Relaxed);
            counter.left.store(1, Relaxed);
            counter.nodes.store(count, Relaxed);
            for node in &nodes {
                // Somebody else is seen to.
                let _ = node.check(&"b").await;
            }
            counter.is_well.store(false, Relaxed);
            for node in &nodes {
                assert!(node.check(&"a").await.is_err(), "among {count}");
            }
        }
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
