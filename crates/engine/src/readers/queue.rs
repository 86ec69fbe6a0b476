//! Queries that wait for a reader.
//!
//! Accounts take turns, and the long queries of one never hold all readers: whatever an account asks for, and whether
//! or not it still waits for the answers, the look-ups of others find a reader.
//!
//! The reader that has become idle last is woken first. What a large answer took is returned to the heap of the reader
//! that made it: the fewer of them make large ones, the less memory lies idle.

use std::{
    collections::HashMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::waiting::Waiting;

/// Whose turn the queries take that are not of one account, or quick whoever asks: no bound holds for them.
pub(super) const EVERYBODY: u128 = 0;

/// Queries that wait.
pub(super) struct Queue<Q> {
    state: Mutex<State<Q>>,
    /// Where each reader sleeps while it is idle.
    beds: Vec<Condvar>,
    /// Queries that may wait.
    room: usize,
    /// How many of one account run at once.
    each_max: usize,
}

struct State<Q> {
    waiting: Waiting<Q>,
    /// How many are under way, of the accounts that have any.
    running: HashMap<u128, usize>,
    /// Readers that sleep, the last one on top.
    idle: Vec<usize>,
    is_closed: bool,
}

/// Why a query does not wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// There is no room.
    Full,
    /// Nobody takes it any more.
    Closed,
}

impl<Q> Queue<Q> {
    /// A queue with so much room for so many readers, of which one account leaves one to others.
    pub(super) fn new(room: usize, readers: usize) -> Self {
        let state = State {
            waiting: Waiting::default(),
            running: HashMap::new(),
            idle: Vec::new(),
            is_closed: false,
        };
        let beds = (0..readers).map(|_| Condvar::new()).collect();
        Self { state: Mutex::new(state), beds, room, each_max: readers.saturating_sub(1).max(1) }
    }

    /// Adds a query.
    ///
    /// # Errors
    /// When it does not wait, and why.
    pub(super) fn add(&self, turn: u128, query: Q) -> Result<(), Refused> {
        let mut state = self.locked();
        if state.is_closed {
            return Err(Refused::Closed);
        }
        if state.waiting.len() >= self.room {
            return Err(Refused::Full);
        }
        state.waiting.add(turn, 1, query);
        if let Some(bed) = state.idle.pop().and_then(|reader| self.beds.get(reader)) {
            bed.notify_one();
        }
        Ok(())
    }

    /// The query that is next for a reader, which waits for it; it is under way from now on. `None` once the queue is
    /// closed and empty.
    pub(super) fn next(&self, reader: usize) -> Option<(u128, Q)> {
        let bed = self.beds.get(reader)?;
        let mut state = self.locked();
        loop {
            if let Some(next) = state.start(self.each_max) {
                return Some(next);
            }
            if state.is_closed && state.waiting.len() == 0 {
                return None;
            }
            state.idle.push(reader);
            let sleeps = |state: &mut State<Q>| state.idle.contains(&reader);
            state = bed.wait_while(state, sleeps).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// One that was taken in this turn is no longer under way.
    pub(super) fn done(&self, turn: u128) {
        let mut state = self.locked();
        if let Some(running) = state.running.get_mut(&turn) {
            *running -= 1;
            if *running == 0 {
                state.running.remove(&turn);
            }
        }
        // Whoever is done takes the next one itself; only of the end the others must hear.
        if state.is_closed {
            self.wake_all(&mut state);
        }
    }

    /// Takes no more. What waits is still given out.
    pub(super) fn close(&self) {
        let mut state = self.locked();
        state.is_closed = true;
        self.wake_all(&mut state);
    }

    fn wake_all(&self, state: &mut State<Q>) {
        state.idle.clear();
        self.beds.iter().for_each(Condvar::notify_all);
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.locked().waiting.len()
    }

    fn locked(&self) -> MutexGuard<'_, State<Q>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q> State<Q> {
    fn start(&mut self, each_max: usize) -> Option<(u128, Q)> {
        let running = &self.running;
        let has_enough = |turn| running.get(&turn).is_some_and(|running| *running >= each_max);
        let (turn, query) = self.waiting.take_unless(has_enough)?;
        if turn != EVERYBODY {
            *self.running.entry(turn).or_default() += 1;
        }
        Some((turn, query))
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    /// A queue for three readers.
    fn queue(queries: &[(u128, u32)]) -> Queue<u32> {
        let queue = Queue::new(100, 3);
        for (turn, query) in queries {
            queue.add(*turn, *query).unwrap();
        }
        queue
    }

    #[test]
    fn one_account_never_holds_every_reader() {
        let queue = queue(&[(1, 10), (1, 11), (1, 12), (1, 13), (2, 20)]);
        let mut taken = [0, 1, 2].map(|reader| queue.next(reader).unwrap());
        taken.sort_unstable();
        assert_eq!(taken, [(1, 10), (1, 11), (2, 20)]);
        assert!(queue.locked().start(2).is_none(), "two of the account are under way");
        queue.done(2);
        assert!(queue.locked().start(2).is_none());
        queue.done(1);
        assert_eq!(queue.next(0), Some((1, 12)));
    }

    #[test]
    fn look_ups_of_everybody_are_not_bounded_and_take_turns() {
        let mut queries = vec![(1, 10), (1, 11)];
        queries.extend((0..4).map(|query| (EVERYBODY, query)));
        let queue = queue(&queries);
        let taken: Vec<_> = (0..6).map(|_| queue.next(0).unwrap().1).collect();
        assert_eq!(taken, [0, 10, 1, 11, 2, 3]);
    }

    #[test]
    fn who_became_idle_last_is_woken_first() {
        let queue = queue(&[]);
        thread::scope(|scope| {
            let sleep = |reader: usize| {
                let sleeper = scope.spawn({
                    let queue = &queue;
                    move || queue.next(reader)
                });
                while !queue.locked().idle.contains(&reader) {
                    thread::sleep(Duration::from_millis(1));
                }
                sleeper
            };
            let (first, last) = (sleep(0), sleep(1));
            queue.add(1, 10).unwrap();
            assert_eq!(last.join().unwrap(), Some((1, 10)));
            assert_eq!(queue.locked().idle, [0]);
            queue.close();
            assert_eq!(first.join().unwrap(), None);
        });
    }

    #[test]
    fn what_waits_is_given_out_when_it_closes() {
        let queue = queue(&[(1, 10), (1, 11), (1, 12)]);
        queue.close();
        assert_eq!(queue.add(1, 13), Err(Refused::Closed));
        assert_eq!((queue.next(0), queue.next(1)), (Some((1, 10)), Some((1, 11))));
        thread::scope(|scope| {
            let last = scope.spawn(|| queue.next(2));
            queue.done(1);
            assert_eq!(last.join().unwrap(), Some((1, 12)));
        });
        assert_eq!(queue.next(0), None);
    }

    #[test]
    fn there_is_room_for_so_many() {
        let queue = Queue::new(2, 1);
        assert_eq!((queue.add(1, 1), queue.add(2, 2)), (Ok(()), Ok(())));
        assert_eq!(queue.add(3, 3), Err(Refused::Full));
        assert_eq!(queue.len(), 2);
        assert_eq!(queue.next(0), Some((1, 1)));
        assert_eq!(queue.add(3, 3), Ok(()));
    }
}
