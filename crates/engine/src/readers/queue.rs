//! Queries that wait for a reader.
//!
//! Accounts take turns, and the queries of one never hold all readers, nor do the long ones of all: whoever searches, and
//! whether or not anybody still waits for the answers, look-ups find a reader. Where both wait, they alternate.
//!
//! The reader that has become idle last is woken first. What a large answer took is returned to the heap of the reader
//! that made it: the fewer of them make large ones, the less memory lies idle. Where readers of long queries are others than
//! those of short ones, they may give way to them.

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
    crew: Crew,
    bounds: Bounds,
}

/// Which readers run which queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crew {
    /// So many run both.
    Mixed(usize),
    /// So many run short ones, those with the lowest numbers, and others long ones: one less.
    Split(usize),
}

impl Crew {
    /// How many readers there are.
    pub(super) fn readers(self) -> usize {
        match self {
            Self::Mixed(readers) => readers,
            Self::Split(short) => short + self.but_one(),
        }
    }

    /// Whether a reader runs such queries.
    pub(super) const fn runs(self, reader: usize, length: Length) -> bool {
        match (self, length) {
            (Self::Mixed(_), _) => true,
            (Self::Split(short), Length::Short) => reader < short,
            (Self::Split(short), Length::Long) => reader >= short,
        }
    }

    /// One less than run short queries.
    fn but_one(self) -> usize {
        let (Self::Mixed(readers) | Self::Split(readers)) = self;
        readers.saturating_sub(1).max(1)
    }
}

/// How many queries run at once: all but one reader's.
#[derive(Clone, Copy)]
struct Bounds {
    /// Of one account.
    each: usize,
    /// Long ones.
    long: usize,
}

/// How long a query takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Short,
    Long,
}

/// A query that is under way: whose turn it took, and how long it takes.
pub(super) type Underway = (u128, Length);

struct State<Q> {
    short: Waiting<Q>,
    long: Waiting<Q>,
    /// Which of them is asked first.
    next: Length,
    /// How many are under way, of the accounts that have any.
    running: HashMap<u128, usize>,
    long_running: usize,
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
    /// A queue with so much room for these readers, of which one account leaves one to others, and long queries one to
    /// look-ups, or its connection.
    pub(super) fn new(room: usize, crew: Crew) -> Self {
        let state = State {
            short: Waiting::default(),
            long: Waiting::default(),
            next: Length::Short,
            running: HashMap::new(),
            long_running: 0,
            idle: Vec::new(),
            is_closed: false,
        };
        let beds = (0..crew.readers()).map(|_| Condvar::new()).collect();
        let bounds = Bounds { each: crew.but_one(), long: crew.but_one() };
        Self { state: Mutex::new(state), beds, room, crew, bounds }
    }

    /// Adds a query.
    ///
    /// # Errors
    /// When it does not wait, and why.
    pub(super) fn add(&self, turn: u128, length: Length, query: Q) -> Result<(), Refused> {
        let mut state = self.locked();
        if state.is_closed {
            return Err(Refused::Closed);
        }
        if state.len() >= self.room {
            return Err(Refused::Full);
        }
        state.waiting(length).add(turn, 1, query);
        self.wake_one(&mut state, length);
        Ok(())
    }

    /// Wakes the reader that has become idle last of those that run such queries.
    fn wake_one(&self, state: &mut State<Q>, length: Length) {
        let last = state.idle.iter().rposition(|reader| self.crew.runs(*reader, length));
        let reader = last.map(|place| state.idle.remove(place));
        if let Some(bed) = reader.and_then(|reader| self.beds.get(reader)) {
            bed.notify_one();
        }
    }

    /// The query that is next for a reader, which waits for it; it is under way from now on. `None` once the queue is
    /// closed and empty.
    pub(super) fn next(&self, reader: usize) -> Option<(Underway, Q)> {
        let bed = self.beds.get(reader)?;
        let mut state = self.locked();
        loop {
            if let Some(next) = state.start(self.bounds, |length| self.crew.runs(reader, length)) {
                return Some(next);
            }
            if state.is_closed && state.len() == 0 {
                return None;
            }
            state.idle.push(reader);
            let sleeps = |state: &mut State<Q>| state.idle.contains(&reader);
            state = bed.wait_while(state, sleeps).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// One that was taken is no longer under way.
    pub(super) fn done(&self, (turn, length): Underway) {
        let mut state = self.locked();
        if length == Length::Long {
            state.long_running -= 1;
        }
        if let Some(running) = state.running.get_mut(&turn) {
            *running -= 1;
            if *running == 0 {
                state.running.remove(&turn);
            }
        }
        // Whoever is done takes the next one itself, unless it is one of those that others run.
        if matches!(self.crew, Crew::Split(_)) && state.waiting(other(length)).len() > 0 {
            self.wake_one(&mut state, other(length));
        }
        // Of the end all must hear.
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
        self.locked().len()
    }

    fn locked(&self) -> MutexGuard<'_, State<Q>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q> State<Q> {
    fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    fn waiting(&mut self, length: Length) -> &mut Waiting<Q> {
        match length {
            Length::Short => &mut self.short,
            Length::Long => &mut self.long,
        }
    }

    /// The query that is next of those that are run.
    fn start(&mut self, bounds: Bounds, runs: impl Fn(Length) -> bool) -> Option<(Underway, Q)> {
        let lengths = [self.next, other(self.next)];
        let mut lengths = lengths.into_iter().filter(|length| runs(*length));
        let started = lengths.find_map(|length| self.start_one(length, bounds))?;
        self.next = other(started.0.1);
        Some(started)
    }

    fn start_one(&mut self, length: Length, bounds: Bounds) -> Option<(Underway, Q)> {
        if length == Length::Long && self.long_running >= bounds.long {
            return None;
        }
        let running = &self.running;
        let has_enough = |turn| running.get(&turn).is_some_and(|running| *running >= bounds.each);
        let waiting = match length {
            Length::Short => &mut self.short,
            Length::Long => &mut self.long,
        };
        let (turn, query) = waiting.take_unless(has_enough)?;
        if turn != EVERYBODY {
            *self.running.entry(turn).or_default() += 1;
        }
        self.long_running += usize::from(length == Length::Long);
        Some(((turn, length), query))
    }
}

const fn other(length: Length) -> Length {
    match length {
        Length::Short => Length::Long,
        Length::Long => Length::Short,
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    use Length::{Long, Short};

    /// A queue of look-ups for three readers.
    fn queue(queries: &[(u128, u32)]) -> Queue<u32> {
        let queue = Queue::new(100, Crew::Mixed(3));
        for (turn, query) in queries {
            queue.add(*turn, Short, *query).unwrap();
        }
        queue
    }

    #[test]
    fn one_account_never_holds_every_reader() {
        let queue = queue(&[(1, 10), (1, 11), (1, 12), (1, 13), (2, 20)]);
        let mut taken = [0, 1, 2].map(|reader| queue.next(reader).unwrap().1);
        taken.sort_unstable();
        assert_eq!(taken, [10, 11, 20]);
        let bounds = queue.bounds;
        assert!(
            queue.locked().start(bounds, |_| true).is_none(),
            "two of the account are under way"
        );
        queue.done((2, Short));
        assert!(queue.locked().start(bounds, |_| true).is_none());
        queue.done((1, Short));
        assert_eq!(queue.next(0), Some(((1, Short), 12)));
    }

    #[test]
    fn long_queries_leave_a_reader_to_look_ups_whoever_asks() {
        let queue = Queue::new(100, Crew::Mixed(3));
        for account in 1..=4 {
            queue.add(account, Long, account).unwrap();
        }
        let bounds = queue.bounds;
        let taken = [queue.next(0).unwrap().1, queue.next(1).unwrap().1];
        assert_eq!(taken, [1, 2]);
        assert!(queue.locked().start(bounds, |_| true).is_none(), "two long ones are under way");
        queue.add(5, Short, 50).unwrap();
        queue.add(EVERYBODY, Short, 60).unwrap();
        assert_eq!(queue.next(2), Some(((EVERYBODY, Short), 60)));
        queue.done((1, Long));
        assert_eq!(queue.next(0), Some(((3, Long), 3)), "they alternate");
        assert_eq!(queue.next(0), Some(((5, Short), 50)));
        assert!(queue.locked().start(bounds, |_| true).is_none());
        queue.done((2, Long));
        assert_eq!(queue.next(1), Some(((4, Long), 4)));
    }

    #[test]
    fn readers_of_long_queries_leave_short_ones_to_others() {
        let queue = Queue::new(100, Crew::Split(2));
        assert_eq!(queue.beds.len(), 3);
        for query in 0..3 {
            queue.add(1, Long, 10 + query).unwrap();
            queue.add(2, Short, 20 + query).unwrap();
        }
        let runs = |reader: usize| move |length| Crew::Split(2).runs(reader, length);
        let bounds = queue.bounds;
        assert_eq!(queue.next(0), Some(((2, Short), 20)));
        assert_eq!(queue.next(2), Some(((1, Long), 10)));
        // As many long ones are under way as may be, and as many of the account.
        assert!(queue.locked().start(bounds, runs(2)).is_none());
        assert!(queue.locked().start(bounds, runs(1)).is_none());
        queue.add(3, Short, 30).unwrap();
        assert_eq!(queue.next(1), Some(((3, Short), 30)));
        queue.done((1, Long));
        assert_eq!(queue.next(2), Some(((1, Long), 11)));
    }

    #[test]
    fn who_is_done_wakes_those_that_run_what_waits_for_it() {
        let queue = Queue::new(100, Crew::Split(1));
        queue.add(1, Long, 10).unwrap();
        let long = queue.next(1).unwrap().0;
        thread::scope(|scope| {
            let sleeper = scope.spawn(|| queue.next(0));
            queue.add(1, Short, 20).unwrap();
            // Woken in vain, perhaps: the account has what it may have at once.
            while queue.locked().idle.is_empty() {
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(queue.len(), 1);
            queue.done(long);
            assert_eq!(sleeper.join().unwrap(), Some(((1, Short), 20)));
        });
    }

    #[test]
    fn one_reader_does_both_by_turns() {
        let queue = Queue::new(100, Crew::Mixed(1));
        for query in 0..3 {
            queue.add(1, Long, 10 + query).unwrap();
            queue.add(2, Short, 20 + query).unwrap();
        }
        let taken: Vec<_> = (0..6)
            .map(|_| {
                let (underway, query) = queue.next(0).unwrap();
                queue.done(underway);
                query
            })
            .collect();
        assert_eq!(taken, [20, 10, 21, 11, 22, 12]);
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
            queue.add(1, Short, 10).unwrap();
            assert_eq!(last.join().unwrap(), Some(((1, Short), 10)));
            assert_eq!(queue.locked().idle, [0]);
            queue.close();
            assert_eq!(first.join().unwrap(), None);
        });
    }

    #[test]
    fn what_waits_is_given_out_when_it_closes() {
        let queue = queue(&[(1, 10), (1, 11), (1, 12)]);
        queue.close();
        assert_eq!(queue.add(1, Short, 13), Err(Refused::Closed));
        let given = [queue.next(0), queue.next(1)];
        assert_eq!(given, [Some(((1, Short), 10)), Some(((1, Short), 11))]);
        thread::scope(|scope| {
            let last = scope.spawn(|| queue.next(2));
            queue.done((1, Short));
            assert_eq!(last.join().unwrap(), Some(((1, Short), 12)));
        });
        assert_eq!(queue.next(0), None);
    }

    #[test]
    fn there_is_room_for_so_many() {
        let queue = Queue::new(2, Crew::Mixed(1));
        assert_eq!((queue.add(1, Short, 1), queue.add(2, Long, 2)), (Ok(()), Ok(())));
        assert_eq!(queue.add(3, Short, 3), Err(Refused::Full));
        assert_eq!(queue.len(), 2);
        assert_eq!(queue.next(0), Some(((1, Short), 1)));
        assert_eq!(queue.add(3, Short, 3), Ok(()));
    }
}
