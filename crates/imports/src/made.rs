//! The products that an import has made so far.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The SKUs of products that rows of an import have made, or would have. They are kept as hashes: few bytes each, however long
/// they are and however many.
#[derive(Debug, Default)]
pub struct MadeSkus {
    hasher: RandomState,
    hashes: Mutex<HashSet<u64>>,
}

impl MadeSkus {
    /// Adds one.
    pub fn insert(&self, sku: &str) {
        self.hashes().insert(self.hasher.hash_one(sku));
    }

    /// Whether it is one of them.
    #[must_use]
    pub fn contains(&self, sku: &str) -> bool {
        self.hashes().contains(&self.hasher.hash_one(sku))
    }

    fn hashes(&self) -> MutexGuard<'_, HashSet<u64>> {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
