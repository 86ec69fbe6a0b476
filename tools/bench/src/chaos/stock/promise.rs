//! What must hold of stock, whenever the server dies.

use crate::chaos::verdict::Promise;

/// What must hold of stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promised {
    ExpectedAnswer,
    AsAsked,
    OneEffectPerKey,
    ReplayIsMarked,
    KeyIsNotStuck,
    AcknowledgedIsKept,
    DoneOnce,
    LedgerAsAsked,
    OnHandAddsUp,
    LedgerAddsUp,
    PromisesAddUp,
    TransitAddsUp,
    NothingBelowZero,
    OneEvent,
    ShownAsKept,
    DatabaseIsWhole,
}

impl Promise for Promised {
    const ALL: &'static [Self] = &[
        Self::ExpectedAnswer,
        Self::AsAsked,
        Self::OneEffectPerKey,
        Self::ReplayIsMarked,
        Self::KeyIsNotStuck,
        Self::AcknowledgedIsKept,
        Self::DoneOnce,
        Self::LedgerAsAsked,
        Self::OnHandAddsUp,
        Self::LedgerAddsUp,
        Self::PromisesAddUp,
        Self::TransitAddsUp,
        Self::NothingBelowZero,
        Self::OneEvent,
        Self::ShownAsKept,
        Self::DatabaseIsWhole,
    ];

    fn index(self) -> usize {
        self as usize
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::ExpectedAnswer => "every answer is one the API promises here",
            Self::AsAsked => "what is answered is what was asked for",
            Self::OneEffectPerKey => "all answers to one key name the same thing",
            Self::ReplayIsMarked => "a replay says that it is one",
            Self::KeyIsNotStuck => "no key stays in use after the server died",
            Self::AcknowledgedIsKept => "what was acknowledged is there, and nothing else",
            Self::DoneOnce => "what was acknowledged has happened once",
            Self::LedgerAsAsked => "the ledger moved what each call was asked for, once",
            Self::OnHandAddsUp => "on hand = initial + what all calls have changed",
            Self::LedgerAddsUp => "the stock ledger sums to the stock level",
            Self::PromisesAddUp => "committed is what open orders are promised and was not shipped",
            Self::TransitAddsUp => "what is in transit is what transfers say",
            Self::NothingBelowZero => "nothing is below zero anywhere",
            Self::OneEvent => {
                "one shipment.created and shipment.cancelled for each that calls for it"
            }
            Self::ShownAsKept => "the API shows what the database holds",
            Self::DatabaseIsWhole => "the database finds its files whole",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_counts_for_itself() {
        for (index, promise) in Promised::ALL.iter().enumerate() {
            assert_eq!(index, promise.index());
        }
    }
}
