//! What a lane remembers from one batch to the next.

use std::{
    any::{Any, TypeId},
    collections::BTreeMap,
};

/// One thing of each type, which a batch that is run [at once](crate::Batch::at_once) leaves to those behind it. Others write
/// to the database, too, so whoever reads it has its statement check what it says. All of it is forgotten with the connection,
/// and whenever nobody knows what was committed.
#[derive(Default)]
pub struct Memory(BTreeMap<TypeId, Box<dyn Any + Send>>);

impl Memory {
    /// Takes what is remembered, nothing at first. It is forgotten unless it is [put](Self::put) back.
    pub fn take<T: Any + Default + Send>(&mut self) -> Box<T> {
        let known = self.0.remove(&TypeId::of::<T>());
        known.and_then(|known| known.downcast().ok()).unwrap_or_default()
    }

    /// Remembers something in place of what there was of its type.
    pub fn put<T: Any + Send>(&mut self, thing: Box<T>) {
        self.0.insert(TypeId::of::<T>(), thing);
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
}
