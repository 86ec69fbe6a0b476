//! A small seeded generator of random numbers (splitmix64), so that a run can be repeated.

/// Sebastiano Vigna's splitmix64: 64 bits of state, passes `BigCrush`.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A generator of its own for a part of the run, so that parts do not disturb each other.
    pub(crate) const fn fork(&mut self) -> Self {
        Self::new(self.next())
    }

    /// A number below `bound`; zero when `bound` is zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * (bound as u128);
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// Two different numbers below `bound`, which must be at least two.
    pub(crate) fn pair(&mut self, bound: usize) -> (usize, usize) {
        let first = self.below(bound);
        let second = self.below(bound - 1);
        (first, if second >= first { second + 1 } else { second })
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn it_gives_the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_in_their_bounds_and_reach_them() {
        let mut random = SplitMix64::new(7);
        let drawn: Vec<usize> = (0..10_000).map(|_| random.between(3, 6)).collect();
        assert_eq!(drawn.iter().min(), Some(&3));
        assert_eq!(drawn.iter().max(), Some(&6));
    }

    #[test]
    fn a_pair_is_never_twice_the_same() {
        let mut random = SplitMix64::new(9);
        for _ in 0..10_000 {
            let (first, second) = random.pair(3);
            assert!(first != second && first < 3 && second < 3);
        }
    }
}
