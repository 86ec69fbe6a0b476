//! What whoever works an import off remembers of the rows before.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Names that rows of an import were about. They are kept as hashes: few bytes each, however long they are and however many.
#[derive(Debug, Default)]
pub struct Remembered {
    hasher: RandomState,
    hashes: Mutex<HashSet<u64>>,
}

impl Remembered {
    /// Adds one.
    pub fn insert(&self, name: &str) {
        self.hashes().insert(self.hasher.hash_one(name));
    }

    /// Whether it is one of them.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.hashes().contains(&self.hasher.hash_one(name))
    }

    /// Forgets all of them.
    pub fn clear(&self) {
        self.hashes().clear();
    }

    fn hashes(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
