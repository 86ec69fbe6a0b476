//! A set of ranks.

/// 64 ranks a word.
const WORDS: usize = 1 << 10;

/// A set of numbers below 65,536, one bit each.
pub(super) struct Bits([u64; WORDS]);

impl Bits {
    pub(super) const NONE: Self = Self([0; WORDS]);
    pub(super) const EVERY: Self = Self([u64::MAX; WORDS]);

    pub(super) fn insert(&mut self, number: u16) {
        if let Some(word) = self.0.get_mut(usize::from(number >> 6)) {
            *word |= 1 << (number & 63);
        }
    }

    /// Keeps what is in `other` too.
    pub(super) fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// Keeps what is in `one` or in `other` too.
    pub(super) fn keep_either(&mut self, one: &Self, other: &Self) {
        let either = one.0.iter().zip(&other.0).map(|(one, other)| one | other);
        self.0.iter_mut().zip(either).for_each(|(word, either)| *word &= either);
    }

    /// Takes in what is in `other`.
    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Drops what is in `other`.
    pub(super) fn remove(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The numbers, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u16> {
        (0_u32..).step_by(64).zip(&self.0).flat_map(|(first, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                // No bit is left when this underflows.
                rest &= rest.checked_sub(1)?;
                u16::try_from(first + bit).ok()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_is_put_in() {
        let set = |numbers: &[u16]| {
            let mut set = Bits::NONE;
            numbers.iter().for_each(|number| set.insert(*number));
            set
        };
        let numbers = |set: &Bits| set.iter().collect::<Vec<_>>();
        let mut some = set(&[64, 63, 0, u16::MAX, 64]);
        assert_eq!(numbers(&some), [0, 63, 64, u16::MAX]);
        assert_eq!((some.len(), some.is_empty()), (4, false));
        some.keep(&set(&[63, 64, 65]));
        assert_eq!(numbers(&some), [63, 64]);
        some.add(&set(&[1]));
        some.keep_either(&set(&[1, 2]), &set(&[63, 64]));
        some.remove(&set(&[64]));
        assert_eq!(numbers(&some), [1, 63]);
        assert!(Bits::NONE.is_empty() && Bits::EVERY.len() == 65_536);
    }
}
