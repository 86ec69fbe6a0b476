//! What a lane remembers from one batch to the next.

use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// A connection that was used so lately is taken to be there still.
const FRESH: Duration = Duration::from_secs(1);

/// One thing of each type, which a batch that is run [at once](crate::Batch::at_once) leaves to those behind it. Others write
/// to the database, too, so whoever reads it has its statement check what it says. All of it is forgotten with the connection,
/// and whenever nobody knows what was committed.
#[derive(Default)]
pub struct Memory {
    things: BTreeMap<TypeId, Box<dyn Any + Send>>,
    used: Option<Instant>,
}

impl Memory {
    /// Whether the connection was used a moment ago. One that has gone since is found out by the next statement: where that
    /// writes, nobody knows whether it has.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.used.is_some_and(|used| used.elapsed() < FRESH)
    }

    /// The connection has just answered.
    pub(super) fn used(&mut self) {
        self.used = Some(Instant::now());
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
    use super::Memory;

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
        memory.used();
        assert!(memory.is_fresh());
    }
}
