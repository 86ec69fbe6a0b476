//! What must hold of imports, whenever the server dies.

use crate::chaos::verdict::Promise;

/// What must hold of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    Accepted,
    AcceptedIsKept,
    Ends,
    ProgressGoesForward,
    EachRowOnce,
    OneProductPerRow,
    OneVersionPerRow,
    OneEventPerRow,
    OneMovementPerRow,
    StockIsOfTheLastFile,
    OneErrorPerRefusedRow,
    FilesAreGone,
}

impl Promise for Rows {
    const ALL: &'static [Self] = &[
        Self::Accepted,
        Self::AcceptedIsKept,
        Self::Ends,
        Self::ProgressGoesForward,
        Self::EachRowOnce,
        Self::OneProductPerRow,
        Self::OneVersionPerRow,
        Self::OneEventPerRow,
        Self::OneMovementPerRow,
        Self::StockIsOfTheLastFile,
        Self::OneErrorPerRefusedRow,
        Self::FilesAreGone,
    ];

    fn index(self) -> usize {
        self as usize
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Accepted => "a file is accepted, and again after its answer was lost",
            Self::AcceptedIsKept => {
                "an import whose file was accepted is there after the server died"
            }
            Self::Ends => "an import ends after the server died",
            Self::ProgressGoesForward => "no row that was done is undone",
            Self::EachRowOnce => "each row is counted once, as what became of it",
            Self::OneProductPerRow => "one product for each row that makes one",
            Self::OneVersionPerRow => "one version for each row that makes or changes a product",
            Self::OneEventPerRow => "one event for each row that changes something",
            Self::OneMovementPerRow => "one row of the ledger for each count",
            Self::StockIsOfTheLastFile => {
                "stock and ledger are what all files have counted and changed"
            }
            Self::OneErrorPerRefusedRow => "one error for each row that is refused",
            Self::FilesAreGone => {
                "no file is left of an import that has ended, but for those that were never accepted"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_counts_for_itself() {
        for (index, promise) in Rows::ALL.iter().enumerate() {
            assert_eq!(index, promise.index());
        }
    }
}
