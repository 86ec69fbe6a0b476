//! What an account is for.

/// Whether what an account does counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Business: documents are stamped for the tax authority, mail goes to customers.
    Live,
    /// Trying out: documents are stamped by the embedded sandbox, mail goes to nobody but testers.
    Test,
}

impl Mode {
    /// Every mode.
    pub const EVERY: &'static [Self] = &[Self::Live, Self::Test];

    /// The mode of an account that is a test account, or is none.
    #[must_use]
    pub const fn of(is_test: bool) -> Self {
        if is_test { Self::Test } else { Self::Live }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}
