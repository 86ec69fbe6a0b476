//! Jobs of accounts that are held up: something that they need is locked by somebody else, who does not let go of it.
//!
//! They stand aside, so that the lane goes on with others, and keep their order. Every now and then those of one account are
//! tried again; once that succeeds they stand in line again.

use std::{
    collections::{HashMap, VecDeque},
    time::{Duration, Instant},
};

use crate::waiting::{BATCH_JOBS_MAX, BATCH_WEIGHT_MAX};

/// How long after the first attempt in vain the next one is made. Each pause is twice as long as the one before it.
const PAUSE_FIRST: Duration = Duration::from_millis(50);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(400);

/// Jobs that stand aside, by whose turn it would be.
pub(super) struct Aside<J> {
    held_up: HashMap<u128, HeldUp<J>>,
    jobs: usize,
}

/// Those of one account, which need not have any any more until it is tried again.
struct HeldUp<J> {
    /// With what they weigh.
    jobs: VecDeque<(u64, J)>,
    pause: Duration,
    due: Instant,
    /// Whether it is tried just now, so far not in vain.
    is_tried: bool,
}

/// An account that is to be tried again.
pub(super) struct Try<J> {
    /// Whose turn it is.
    pub(super) turn: u128,
    /// Its next jobs, as many as a batch has.
    pub(super) batch: Vec<J>,
    /// Those behind them, with what they weigh.
    pub(super) rest: VecDeque<(u64, J)>,
}

impl<J> Default for Aside<J> {
    fn default() -> Self {
        Self { held_up: HashMap::new(), jobs: 0 }
    }
}

impl<J> Aside<J> {
    /// How many jobs stand aside.
    pub(super) const fn len(&self) -> usize {
        self.jobs
    }

    /// Whether no account is held up.
    pub(super) fn is_empty(&self) -> bool {
        self.held_up.is_empty()
    }

    /// Whether this one is, as far as is known.
    pub(super) fn has(&self, turn: u128) -> bool {
        self.held_up.get(&turn).is_some_and(|held_up| !held_up.is_tried)
    }

    /// Notes that an account is held up, or still is; whether that is news.
    pub(super) fn hold_up(&mut self, turn: u128, now: Instant) -> bool {
        let is_news = !self.held_up.contains_key(&turn);
        self.of(turn, now).is_tried = false;
        is_news
    }

    /// Has a job stand aside, behind those of its account that do already.
    pub(super) fn add(&mut self, turn: u128, weight: u64, job: J, now: Instant) {
        self.of(turn, now).jobs.push_back((weight, job));
        self.jobs += 1;
    }

    fn of(&mut self, turn: u128, now: Instant) -> &mut HeldUp<J> {
        self.held_up.entry(turn).or_insert_with(|| HeldUp {
            jobs: VecDeque::new(),
            pause: PAUSE_FIRST,
            due: now + PAUSE_FIRST,
            is_tried: false,
        })
    }

    /// When the next account is to be tried again.
    pub(super) fn due(&self) -> Option<Instant> {
        self.held_up.values().map(|held_up| held_up.due).min()
    }

    /// Takes the jobs of the account that is to be tried again first, if its time has come. What has come of it is to be
    /// [told](Self::tried).
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Try<J>> {
        let next = self.held_up.iter_mut().min_by_key(|(_, held_up)| held_up.due);
        let (turn, held_up) = next.filter(|(_, held_up)| held_up.due <= now)?;
        held_up.is_tried = true;
        let (turn, mut rest) = (*turn, std::mem::take(&mut held_up.jobs));
        self.jobs -= rest.len();
        let (mut batch, mut weight) = (Vec::new(), 0);
        while batch.len() < BATCH_JOBS_MAX
            && let Some((next, job)) = rest.pop_front()
        {
            weight += next;
            if weight > BATCH_WEIGHT_MAX && !batch.is_empty() {
                rest.push_front((next, job));
                break;
            }
            batch.push(job);
        }
        Some(Try { turn, batch, rest })
    }

    /// Has the rest of an account stand aside again that was tried in vain, after a pause longer than the last. Otherwise
    /// it is held up no longer: these are the jobs that stand in line again.
    pub(super) fn tried(
        &mut self,
        turn: u128,
        rest: VecDeque<(u64, J)>,
        now: Instant,
    ) -> VecDeque<(u64, J)> {
        if !self.has(turn) {
            self.held_up.remove(&turn);
            return rest;
        }
        self.jobs += rest.len();
        let held_up = self.of(turn, now);
        held_up.jobs.extend(rest);
        held_up.pause = (held_up.pause * 2).min(PAUSE_MAX);
        held_up.due = now + held_up.pause;
        VecDeque::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries what is due, in vain.
    fn try_in_vain(aside: &mut Aside<u32>, now: Instant) -> Option<(u128, Vec<u32>)> {
        let Try { turn, batch, rest } = aside.take_due(now)?;
        assert!(!aside.has(turn));
        assert!(!aside.hold_up(turn, now), "that is known");
        for job in &batch {
            aside.add(turn, 1, *job, now);
        }
        assert!(aside.tried(turn, rest, now).is_empty());
        Some((turn, batch))
    }

    #[test]
    fn jobs_of_an_account_keep_their_order_however_often_they_are_tried() {
        let (mut aside, began) = (Aside::default(), Instant::now());
        let all = BATCH_JOBS_MAX as u32 + 3;
        (0..all).for_each(|job| aside.add(1, 1, job, began));
        let mut now = began;
        for _ in 0..3 {
            now += PAUSE_MAX;
            let (turn, batch) = try_in_vain(&mut aside, now).unwrap();
            assert_eq!((turn, batch.len(), aside.len()), (1, BATCH_JOBS_MAX, all as usize));
        }
        let Try { batch, rest, turn } = aside.take_due(now + PAUSE_MAX).unwrap();
        let rest = aside.tried(turn, rest, now).into_iter().map(|(_, job)| job);
        assert_eq!(batch.into_iter().chain(rest).collect::<Vec<_>>(), Vec::from_iter(0..all));
        assert!(aside.is_empty());
    }

    #[test]
    fn heavy_jobs_are_tried_by_themselves() {
        let (mut aside, now) = (Aside::default(), Instant::now());
        aside.add(1, 2 * BATCH_WEIGHT_MAX, 'a', now);
        aside.add(1, 1, 'b', now);
        let Try { batch, rest, .. } = aside.take_due(now + PAUSE_FIRST).unwrap();
        assert_eq!((batch, rest.len()), (vec!['a'], 1));
    }

    #[test]
    fn pauses_grow_up_to_a_bound() {
        let (mut aside, began) = (Aside::default(), Instant::now());
        aside.add(1, 1, 7, began);
        let (mut now, mut pauses) = (began, Vec::new());
        for _ in 0..6 {
            let due = aside.due().unwrap();
            assert!(try_in_vain(&mut aside, due - Duration::from_millis(1)).is_none());
            pauses.push(due.duration_since(now).as_millis());
            now = due;
            assert_eq!(try_in_vain(&mut aside, now), Some((1, vec![7])));
        }
        assert_eq!(pauses, [50, 100, 200, 400, 400, 400]);
    }

    #[test]
    fn who_has_waited_longest_is_tried_first() {
        let (mut aside, now) = (Aside::default(), Instant::now());
        let second = now + Duration::from_millis(1);
        assert!(aside.hold_up(2, second) && aside.hold_up(1, now));
        assert!(!aside.hold_up(1, second));
        aside.add(2, 1, 2, second);
        let mut try_next = || {
            let Try { turn, batch, rest } = aside.take_due(second + PAUSE_FIRST)?;
            assert!(aside.tried(turn, rest, second).is_empty());
            Some(batch)
        };
        // Its jobs have been given up meanwhile.
        assert_eq!(try_next(), Some(vec![]));
        assert_eq!(try_next(), Some(vec![2]));
        assert_eq!(try_next(), None);
    }
}
