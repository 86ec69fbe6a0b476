//! Where the limiter keeps its states: a map that stops growing.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, Hash},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use governor::{
    nanos::Nanos,
    state::{StateStore, keyed::ShrinkableKeyedStateStore},
};

/// Parts of the map that lock apart from each other.
const SHARDS: usize = 16;
/// States shared by all who find the map full. Which one somebody shares depends on a random seed, so that
/// nobody can choose whom to crowd out; those already in the map are not touched.
const SHARED: usize = 1_024;

/// The states of at most so many holders, one by one; the rest share a fixed number.
#[derive(Clone)]
pub(super) struct Bounded<K>(Arc<Table<K>>);

struct Table<K> {
    own: [Mutex<HashMap<K, Nanos>>; SHARDS],
    shared: Vec<Mutex<Option<Nanos>>>,
    seed: RandomState,
    tracked: AtomicUsize,
    tracked_max: usize,
}

impl<K: Eq + Hash + Clone> Bounded<K> {
    pub(super) fn new(tracked_max: usize) -> Self {
        Self(Arc::new(Table {
            own: std::array::from_fn(|_| Mutex::default()),
            shared: std::iter::repeat_with(Mutex::default).take(SHARED).collect(),
            seed: RandomState::new(),
            tracked: AtomicUsize::new(0),
            tracked_max,
        }))
    }

    /// How many holders have a state of their own.
    pub(super) fn tracked(&self) -> usize {
        self.0.tracked.load(Ordering::Relaxed)
    }

    /// Whether newcomers must share.
    pub(super) fn is_full(&self) -> bool {
        self.tracked() >= self.0.tracked_max
    }
}

impl<K: Eq + Hash + Clone> StateStore for Bounded<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let hash = self.0.seed.hash_one(key);
        let Some(own) = slot(&self.0.own, hash) else { return decide(None).map(|(yes, _)| yes) };
        let mut own = locked(own);
        if let Some(state) = own.get_mut(key) {
            let (yes, next) = decide(Some(*state))?;
            *state = next;
            return Ok(yes);
        }
        if !self.is_full() {
            let (yes, next) = decide(None)?;
            own.insert(key.clone(), next);
            self.0.tracked.fetch_add(1, Ordering::Relaxed);
            return Ok(yes);
        }
        drop(own);
        let Some(shared) = slot(&self.0.shared, hash.rotate_left(32)) else {
            return decide(None).map(|(yes, _)| yes);
        };
        let mut state = locked(shared);
        let (yes, next) = decide(*state)?;
        *state = Some(next);
        Ok(yes)
    }
}

impl<K: Eq + Hash + Clone> ShrinkableKeyedStateStore<K> for Bounded<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        for own in &self.0.own {
            let mut own = locked(own);
            let before = own.len();
            own.retain(|_, state| *state > drop_below);
            self.0.tracked.fetch_sub(before - own.len(), Ordering::Relaxed);
        }
    }

    fn len(&self) -> usize {
        self.tracked()
    }

    fn is_empty(&self) -> bool {
        self.tracked() == 0
    }
}

/// There is always one: the tables are not empty.
fn slot<T>(slots: &[T], hash: u64) -> Option<&T> {
    let index = hash.checked_rem(slots.len() as u64)?;
    slots.get(usize::try_from(index).ok()?)
}

/// A state is a single number, whole at every moment: a panic elsewhere cannot leave half of one.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
