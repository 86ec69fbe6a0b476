//! What a lane remembers from one batch to the next.

use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use kernel::AccountId;

/// A connection that was used so lately is taken to be there still.
const FRESH: Duration = Duration::from_secs(1);

/// One thing of each type, which a batch that is run [at once](crate::Batch::at_once) leaves to those behind it. Others write
/// to the database, too, so whoever reads it has its statement check what it says. All of it is forgotten with the connection,
/// and whenever nobody knows what was committed.
#[derive(Default)]
pub struct Memory {
    things: BTreeMap<TypeId, Box<dyn Any + Send>>,
    used: Option<Instant>,
    outdated: BTreeSet<AccountId>,
}

impl Memory {
    /// Whether the connection was used a moment ago. One that has gone since is found out by the next statement: where that
    /// writes, nobody knows whether it has.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.used.is_some_and(|used| used.elapsed() < FRESH)
    }

    /// The connection has just answered, and commands have changed what is remembered of these accounts.
    pub(super) fn used(&mut self, outdated: impl Iterator<Item = AccountId>) {
        self.used = Some(Instant::now());
        if !self.things.is_empty() {
            self.outdated.extend(outdated);
        }
    }

    /// The accounts of which what is remembered was changed by commands of the lane since the last time.
    pub fn take_outdated(&mut self) -> BTreeSet<AccountId> {
        std::mem::take(&mut self.outdated)
    }

    /// Takes what is remembered, nothing at first. It is forgotten unless it is [put](Self::put) back.
    pub fn take<T: Any + Default + Send>(&mut self) -> Box<T> {
        let known = self.things.remove(&TypeId::of::<T>());
        known.and_then(|known| known.downcast().ok()).unwrap_or_default()
    }

    /// Remembers something in place of what there was of its type.
    pub fn put<T: Any + Send>(&mut self, thing: Box<T>) {
        self.things.insert(TypeId::of::<T>(), thing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_forgotten_unless_it_is_put_back() {
        let mut memory = Memory::default();
        assert_eq!(*memory.take::<u64>(), 0);
        memory.put(Box::new(7_u64));
        memory.put(Box::new("seven".to_owned()));
        assert_eq!(*memory.take::<u64>(), 7);
        assert_eq!((*memory.take::<u64>(), memory.take::<String>().as_str()), (0, "seven"));
    }

    #[test]
    fn a_connection_is_fresh_once_it_was_used() {
        let mut memory = Memory::default();
        assert!(!memory.is_fresh());
        memory.used([AccountId::from_u128(1)].into_iter());
        assert!(memory.is_fresh() && memory.take_outdated().is_empty(), "nothing is remembered");
        memory.put(Box::new(7_u64));
        memory.used([AccountId::from_u128(1)].into_iter());
        assert_eq!((memory.take_outdated().len(), memory.take_outdated().len()), (1, 0));
    }
}
