//! What a key needs for an endpoint.

use accounts::{Scope, Scopes};

/// What the scopes of a key must cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: the answer shows what they cover.
    Nothing,
    /// This scope.
    Scope(Scope),
    /// Everything, present and future: `*`.
    Everything,
}

impl Needs {
    /// The scope that must be there, by its name.
    pub(crate) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Scope(scope) => Some(scope.name()),
            Self::Everything => Some("*"),
        }
    }

    /// Whether these scopes are enough.
    pub(crate) fn are_met_by(self, scopes: &Scopes) -> bool {
        match self {
            Self::Nothing => true,
            Self::Scope(scope) => scopes.allow(scope),
            Self::Everything => scopes.is_all(),
        }
    }
}

impl From<Scope> for Needs {
    fn from(scope: Scope) -> Self {
        Self::Scope(scope)
    }
}
