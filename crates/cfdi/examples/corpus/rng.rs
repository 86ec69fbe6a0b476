//! Randomness that a seed repeats (SplitMix64).

pub(crate) struct Rng(u64);

impl Rng {
    /// The source of one document: the same for the same seed and number.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let mut source = Self(seed);
        let stream = source.next() ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Self(stream)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From `first` to `last`, both included.
    pub(crate) fn between(&mut self, first: i64, last: i64) -> i64 {
        let width = last.abs_diff(first).saturating_add(1);
        first.saturating_add_unsigned(self.next() % width)
    }

    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// What `make` makes, in some percent of the cases.
    pub(crate) fn sometimes<T>(
        &mut self,
        percent: i64,
        make: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        self.chance(percent).then(|| make(self))
    }

    /// One of them, of which there must be some.
    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let index = usize::try_from(self.next() % (from.len().max(1) as u64)).unwrap_or_default();
        from.get(index).cloned().unwrap_or_else(|| panic!("nothing to pick from"))
    }

    /// One of them, each as often as its weight says.
    pub(crate) fn weighted<T: Clone>(&mut self, from: &[(i64, T)]) -> T {
        let mut left = self.between(1, from.iter().map(|(weight, _)| weight).sum());
        for (weight, value) in from {
            left -= weight;
            if left <= 0 {
                return value.clone();
            }
        }
        panic!("weights sum to their sum")
    }

    /// So many characters of an alphabet.
    pub(crate) fn text(&mut self, alphabet: &str, length: i64) -> String {
        let characters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| self.pick(&characters)).collect()
    }

    pub(crate) fn digits(&mut self, length: i64) -> String {
        self.text("0123456789", length)
    }

    /// A fiscal folio.
    pub(crate) fn uuid(&mut self) -> String {
        let mut group = |length| self.text("0123456789ABCDEF", length);
        [group(8), group(4), group(4), group(4), group(12)].join("-")
    }
}
