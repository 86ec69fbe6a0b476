//! What must hold of payments, whenever the server dies.

use crate::chaos::verdict::Promise;

/// What must hold of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Money {
    ExpectedAnswer,
    AsAsked,
    OneEffectPerKey,
    ReplayIsMarked,
    KeyIsNotStuck,
    AcknowledgedIsKept,
    NothingUnexplained,
    CapturedWithinAuthorized,
    RefundedWithinCaptured,
    RefundsAddUp,
    OneCharge,
    ProviderAgrees,
    RefundsAgree,
    OneReceivedEvent,
    RefundEvents,
    OrderMoneyAddsUp,
    PaidIsPaidFor,
    OnePaidEvent,
    NoticeIsKept,
    NoCallIsLeft,
    StockAddsUp,
    ShownAsKept,
    DatabaseIsWhole,
}

impl Promise for Money {
    const ALL: &'static [Self] = &[
        Self::ExpectedAnswer,
        Self::AsAsked,
        Self::OneEffectPerKey,
        Self::ReplayIsMarked,
        Self::KeyIsNotStuck,
        Self::AcknowledgedIsKept,
        Self::NothingUnexplained,
        Self::CapturedWithinAuthorized,
        Self::RefundedWithinCaptured,
        Self::RefundsAddUp,
        Self::OneCharge,
        Self::ProviderAgrees,
        Self::RefundsAgree,
        Self::OneReceivedEvent,
        Self::RefundEvents,
        Self::OrderMoneyAddsUp,
        Self::PaidIsPaidFor,
        Self::OnePaidEvent,
        Self::NoticeIsKept,
        Self::NoCallIsLeft,
        Self::StockAddsUp,
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
            Self::AcknowledgedIsKept => "what was acknowledged is there",
            Self::NothingUnexplained => "nothing is there that no request explains",
            Self::CapturedWithinAuthorized => "captured <= authorized",
            Self::RefundedWithinCaptured => "refunded + set aside for refunds <= captured",
            Self::RefundsAddUp => {
                "a payment's refunds add up to what it has refunded and set aside"
            }
            Self::OneCharge => "no payment is twice in a provider's books",
            Self::ProviderAgrees => "the provider's books and ours agree on each payment",
            Self::RefundsAgree => "the provider's books and ours agree on each refund",
            Self::OneReceivedEvent => {
                "one payment.received for each payment with money, of its amount"
            }
            Self::RefundEvents => {
                "refund.succeeded and refund.failed once for each refund that did"
            }
            Self::OrderMoneyAddsUp => "paid and refunded of an order are the sums of its payments",
            Self::PaidIsPaidFor => "an order is paid exactly when its money is there",
            Self::OnePaidEvent => "one order.paid for each order that was paid",
            Self::NoticeIsKept => "an acknowledged notification is on record",
            Self::NoCallIsLeft => {
                "no call that the provider has carried out stays without an outcome"
            }
            Self::StockAddsUp => "stock, its ledger and the orders agree",
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
        for (index, promise) in Money::ALL.iter().enumerate() {
            assert_eq!(index, promise.index());
        }
    }
}
