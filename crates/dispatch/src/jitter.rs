//! Random numbers that only spread attempts over time: nobody is kept from guessing them.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A source of random numbers (xorshift64*).
#[derive(Debug)]
pub(crate) struct Jitter(u64);

impl Jitter {
    /// A source seeded by the system.
    pub(crate) fn from_system() -> Self {
        // Zero would stay zero for ever.
        Self(RandomState::new().build_hasher().finish() | 1)
    }

    /// A number from 0 up to 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_between_0_and_1() {
        let mut jitter = Jitter::from_system();
        let numbers: Vec<f64> = (0..1_000).map(|_| jitter.next()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let low = numbers.iter().filter(|number| **number < 0.5).count();
        assert!((300..700).contains(&low), "{low}");
    }
}
