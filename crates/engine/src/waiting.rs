//! Jobs that wait, by account: whoever has been served least goes first.
//!
//! Start-time fair queuing. Each account has a clock of its own, which its jobs move by their weight; the account
//! whose clock is behind the others' is next. One that comes, or comes back, starts where those are that wait: it can
//! neither be starved by many jobs of another nor save up turns.

use std::collections::{BTreeSet, HashMap, VecDeque};

/// Jobs that share one commit at most.
pub(crate) const BATCH_JOBS_MAX: usize = 128;
/// What one batch may weigh, so that whoever comes meanwhile does not wait long for it. A job that weighs more by
/// itself is a batch by itself.
pub(crate) const BATCH_WEIGHT_MAX: u64 = 256;

/// Jobs that wait.
pub(crate) struct Waiting<J> {
    accounts: HashMap<u128, VecDeque<(u64, J)>>,
    /// The clocks of the accounts that have jobs, first the one that is behind.
    turns: BTreeSet<(u64, u128)>,
    /// Where the clock of the account was that was served last.
    now: u64,
    jobs: usize,
}

impl<J> Default for Waiting<J> {
    fn default() -> Self {
        Self { accounts: HashMap::new(), turns: BTreeSet::new(), now: 0, jobs: 0 }
    }
}

impl<J> Waiting<J> {
    /// How many jobs wait.
    pub(crate) const fn len(&self) -> usize {
        self.jobs
    }

    /// Adds a job of an account.
    pub(crate) fn add(&mut self, account: u128, weight: u64, job: J) {
        let now = self.now;
        let queue = self.accounts.entry(account).or_insert_with(|| {
            self.turns.insert((now, account));
            VecDeque::new()
        });
        queue.push_back((weight.max(1), job));
        self.jobs += 1;
    }

    /// Takes the jobs that are next, those of one account in the order in which they came.
    pub(crate) fn batch(&mut self) -> Vec<J> {
        let (mut batch, mut weight) = (Vec::new(), 0);
        while batch.len() < BATCH_JOBS_MAX {
            let Some(next) = self.next_weight() else { break };
            weight += next;
            if weight > BATCH_WEIGHT_MAX && !batch.is_empty() {
                break;
            }
            batch.extend(self.take());
        }
        batch
    }

    /// Takes the jobs of an account, each with what it weighs.
    pub(crate) fn take_all_of(&mut self, account: u128) -> VecDeque<(u64, J)> {
        let jobs = self.accounts.remove(&account).unwrap_or_default();
        self.jobs -= jobs.len();
        if !jobs.is_empty() {
            self.turns.retain(|(_, turn)| *turn != account);
        }
        jobs
    }

    fn next_weight(&self) -> Option<u64> {
        let (_, account) = self.turns.first()?;
        self.accounts.get(account)?.front().map(|(weight, _)| *weight)
    }

    fn take(&mut self) -> Option<J> {
        self.take_unless(|_| false).map(|(_, job)| job)
    }

    /// Takes the job that is next, but none of the accounts that have to stand back, and says whose it is.
    pub(crate) fn take_unless(&mut self, stands_back: impl Fn(u128) -> bool) -> Option<(u128, J)> {
        let next = self.turns.iter().find(|(_, account)| !stands_back(*account));
        let (clock, account) = *next?;
        self.turns.remove(&(clock, account));
        let queue = self.accounts.get_mut(&account)?;
        let (weight, job) = queue.pop_front()?;
        self.now = clock;
        self.jobs -= 1;
        if queue.is_empty() {
            self.accounts.remove(&account);
        } else {
            self.turns.insert((clock + weight, account));
        }
        Some((account, job))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(waiting: &mut Waiting<u64>) -> Vec<Vec<u64>> {
        std::iter::from_fn(|| Some(waiting.batch()).filter(|batch| !batch.is_empty())).collect()
    }

    #[test]
    fn who_comes_last_with_little_goes_before_much_of_another() {
        let mut waiting = Waiting::default();
        (0..32).for_each(|job| waiting.add(1, 500, job));
        assert_eq!(waiting.batch(), [0]);
        waiting.add(2, 2, 100);
        waiting.add(2, 2, 101);
        assert_eq!(waiting.batch(), [100, 101]);
        assert_eq!(waiting.batch(), [1]);
    }

    #[test]
    fn one_account_alone_fills_its_batches() {
        let mut waiting = Waiting::default();
        (0..300).for_each(|job| waiting.add(1, 2, job));
        let sizes: Vec<_> = all(&mut waiting).iter().map(Vec::len).collect();
        assert_eq!(sizes, [128, 128, 44]);
    }

    #[test]
    fn all_jobs_of_an_account_are_taken_in_their_order() {
        let mut waiting = Waiting::default();
        for (account, job) in [(1, 10), (2, 20), (1, 11), (2, 21)] {
            waiting.add(account, 1, job);
        }
        assert_eq!(waiting.take_all_of(1), [(1, 10), (1, 11)]);
        assert!(waiting.take_all_of(1).is_empty());
        assert_eq!((waiting.len(), waiting.batch()), (2, vec![20, 21]));
        assert_eq!(waiting.len(), 0);
    }

    proptest! {
        /// Every job comes once, those of an account in their order, and no batch is too heavy but for one job.
        #[test]
        fn all_jobs_come_in_the_order_of_their_account(
            jobs in prop::collection::vec((0_u128..4, 0_u64..600), 0..400),
        ) {
            let mut waiting = Waiting::default();
            for (number, (account, weight)) in jobs.iter().enumerate() {
                waiting.add(*account, *weight, number as u64);
            }
            prop_assert_eq!(waiting.len(), jobs.len());
            let batches = all(&mut waiting);
            prop_assert_eq!(waiting.len(), 0);
            for batch in &batches {
                let weight: u64 = batch.iter().map(|job| jobs[*job as usize].1.max(1)).sum();
                prop_assert!(batch.len() == 1 || weight <= BATCH_WEIGHT_MAX);
                prop_assert!(batch.len() <= BATCH_JOBS_MAX);
            }
            let taken: Vec<u64> = batches.into_iter().flatten().collect();
            for account in 0..4 {
                let own: Vec<u64> =
                    taken.iter().copied().filter(|job| jobs[*job as usize].0 == account).collect();
                prop_assert!(own.is_sorted(), "{:?}", own);
            }
            let mut sorted = taken;
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..jobs.len() as u64).collect::<Vec<_>>());
        }

        /// While two accounts wait, neither is ahead of the other by more than its heaviest job.
        #[test]
        fn accounts_that_wait_are_served_alike(
            one in prop::collection::vec(1_u64..500, 20..60),
            other in prop::collection::vec(1_u64..500, 20..60),
        ) {
            let mut waiting = Waiting::default();
            one.iter().for_each(|weight| waiting.add(1, *weight, *weight));
            other.iter().for_each(|weight| waiting.add(2, *weight, *weight + 1_000));
            let (mut left, mut served) = ([one.len(), other.len()], [0_u64; 2]);
            while left[0] > 0 && left[1] > 0 {
                let job = waiting.take().unwrap();
                let who = usize::from(job > 1_000);
                served[who] += job % 1_000;
                left[who] -= 1;
                prop_assert!(served[0].abs_diff(served[1]) <= 1_000, "{:?}", served);
            }
        }
    }
}
