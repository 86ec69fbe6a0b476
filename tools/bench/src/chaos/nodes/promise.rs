//! What must hold of several nodes, beside what must of orders and deliveries.

use crate::chaos::verdict::Promise;

/// What must hold of all of them together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodePromise {
    FeedIsComplete,
    FeedRepeatsNothing,
    FeedIsInOrder,
    FeedIsExplained,
    NoFailedRequest,
    RevokedIsRefused,
    LimitsAnswer,
    ProcessesLive,
}

impl Promise for NodePromise {
    const ALL: &'static [Self] = &[
        Self::FeedIsComplete,
        Self::FeedRepeatsNothing,
        Self::FeedIsInOrder,
        Self::FeedIsExplained,
        Self::NoFailedRequest,
        Self::RevokedIsRefused,
        Self::LimitsAnswer,
        Self::ProcessesLive,
    ];

    fn index(self) -> usize {
        self as usize
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::FeedIsComplete => "the feed shows each event of an order to who follows it",
            Self::FeedRepeatsNothing => "the feed shows no event twice",
            Self::FeedIsInOrder => "the feed shows that an order was placed before its end",
            Self::FeedIsExplained => "the feed shows no order that no key explains",
            Self::NoFailedRequest => "no request fails while no node dies, whoever is restarted",
            Self::RevokedIsRefused => "a revoked key is refused at every node, and stays so",
            Self::LimitsAnswer => "a request is passed or refused, whoever counts",
            Self::ProcessesLive => "no node ends by itself",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_counts_for_itself() {
        for (index, promise) in NodePromise::ALL.iter().enumerate() {
            assert_eq!(index, promise.index());
        }
    }
}
