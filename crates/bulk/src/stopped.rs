//! Why an action stops before its end.

use kernel::message;

use crate::Reason;

/// Why it goes on no more, though rows are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Whoever has asked for it may not do it any more.
    RightsLost,
    /// More match than one action may be about.
    TooManyRows,
    /// Its rows, or the rest of them, are not kept any more.
    RowsExpired,
    /// Nothing can be looked for by its words.
    WordsUnreadable,
}

impl Stopped {
    /// Every reason.
    pub const EVERY: &'static [Self] =
        &[Self::RightsLost, Self::TooManyRows, Self::RowsExpired, Self::WordsUnreadable];

    /// As people are told it.
    #[must_use]
    pub fn reason(self) -> Reason {
        let (code, message) = match self {
            Self::RightsLost => (
                "rights_lost",
                message!(
                    "Whoever asked for it may not do this any more.",
                    "Quien la solicitó ya no tiene permiso para hacerlo."
                ),
            ),
            Self::TooManyRows => (
                "too_many_rows",
                message!(
                    "More match than one action may be about.",
                    "Coinciden más de los que admite una acción."
                ),
            ),
            Self::RowsExpired => (
                "rows_expired",
                message!(
                    "The rest of its rows is no longer kept.",
                    "El resto de sus renglones ya no se conserva."
                ),
            ),
            Self::WordsUnreadable => (
                "words_unreadable",
                message!(
                    "Nothing can be searched for by these words.",
                    "Con estas palabras no se puede buscar nada."
                ),
            ),
        };
        Reason { code: code.to_owned(), message }
    }

    /// As the outcome of its task keeps it.
    #[must_use]
    pub fn outcome(self) -> String {
        let Reason { code, message } = self.reason();
        format!("{code}: {message}")
    }

    /// The reason that the outcome of a task keeps.
    #[must_use]
    pub fn of_outcome(outcome: &str) -> Option<Self> {
        let (code, _) = outcome.split_once(':')?;
        Self::EVERY.iter().copied().find(|stopped| stopped.reason().code == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        for stopped in Stopped::EVERY {
            assert_eq!(Stopped::of_outcome(&stopped.outcome()), Some(*stopped));
        }
        for other in ["", "cancelled", "no route to host: 10.0.0.1"] {
            assert_eq!(Stopped::of_outcome(other), None, "{other}");
        }
    }
}
