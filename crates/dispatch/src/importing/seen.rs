//! Which keys rows of a file have had.

use std::hash::{BuildHasher, RandomState};

use imports::RowKey;

/// Bits of a hash that tell its part.
const PART_BITS: u32 = 12;

/// The rest of a hash.
type Rest = [u8; 9];

/// The keys of up to millions of rows, as hashes with keys of their own, so that nobody can make two alike: 80 bits, of which by
/// chance two of two million rows have the same in one of a hundred thousand million files. Each part is a sorted list that grows by
/// itself, which takes half of what a table of hashes does, and a third of that while it grows.
pub(super) struct Seen {
    hashers: [RandomState; 2],
    parts: Vec<Vec<Rest>>,
}

impl Default for Seen {
    fn default() -> Self {
        let parts = vec![Vec::new(); 1 << PART_BITS];
        Self { hashers: [RandomState::new(), RandomState::new()], parts }
    }
}

impl Seen {
    /// Adds a key; whether it was not there.
    pub(super) fn insert(&mut self, key: &RowKey) -> bool {
        let (part, rest) = self.place(key);
        let Some(part) = self.parts.get_mut(part) else { return true };
        let Err(place) = part.binary_search(&rest) else { return false };
        if part.len() == part.capacity() {
            part.reserve_exact(part.len() / 4 + 4);
        }
        part.insert(place, rest);
        true
    }

    pub(super) fn contains(&self, key: &RowKey) -> bool {
        let (part, rest) = self.place(key);
        self.parts.get(part).is_some_and(|part| part.binary_search(&rest).is_ok())
    }

    fn place(&self, key: &RowKey) -> (usize, Rest) {
        let [high, low] = self.hashers.each_ref().map(|hasher| hasher.hash_one(key));
        let part = usize::try_from(high >> (u64::BITS - PART_BITS)).unwrap_or_default();
        // Those of its bits that tell the part are alike in all of it: four of them are kept all the same.
        let [_, a, b, c, d, e, f, g] = high.to_be_bytes();
        let [.., h, i] = low.to_be_bytes();
        (part, [a, b, c, d, e, f, g, h, i])
    }
}

#[cfg(test)]
mod tests {
    use imports::Column;

    use super::*;

    fn key(text: String) -> RowKey {
        RowKey { column: Column::Sku, text, place: None }
    }

    #[test]
    fn a_key_is_seen_once() {
        let mut seen = Seen::default();
        for row in 0..20_000 {
            assert!(!seen.contains(&key(format!("T-{row}"))));
            assert!(seen.insert(&key(format!("T-{row}"))));
        }
        for row in 0..20_000 {
            assert!(seen.contains(&key(format!("T-{row}"))));
            assert!(!seen.insert(&key(format!("T-{row}"))));
        }
        let other = RowKey { column: Column::Ean, ..key("T-7".to_owned()) };
        assert!(!seen.contains(&other) && seen.insert(&other));
        let kept: usize = seen.parts.iter().map(Vec::len).sum();
        assert_eq!(kept, 20_001);
    }
}
