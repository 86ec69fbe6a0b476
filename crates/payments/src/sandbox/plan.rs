//! What happens to a payment of the sandbox, by its amount.

use kernel::Amount;

use crate::payment::named;

named! {
    /// What is to happen, chosen by amounts from 7000.01 to 7000.20.
    Plan {
        /// Cards are paid at once; what is paid elsewhere waits for its payer.
        Normal = "normal",
        /// 7000.01: the card is declined, and may be tried again.
        Declined = "declined",
        /// 7000.02: the card has too little on it.
        InsufficientFunds = "insufficient_funds",
        /// 7000.03: the card has expired.
        ExpiredCard = "expired_card",
        /// 7000.04: it is worked on for two seconds, then paid.
        Slow = "slow",
        /// 7000.05: the payer has to confirm at their bank.
        Confirmed = "confirmed",
        /// 7000.06: it is paid, but the answer is lost.
        AnswerLost = "answer_lost",
        /// 7000.07: the first call is lost before it had an effect.
        CallLost = "call_lost",
        /// 7000.08: nobody listens at the first call.
        Unreachable = "unreachable",
        /// 7000.09: the first call comes too soon after others.
        RateLimited = "rate_limited",
        /// 7000.10: the call is refused.
        Rejected = "rejected",
        /// 7000.11: what is authorized lapses after two seconds.
        Lapses = "lapses",
        /// 7000.12: it cannot be captured.
        CaptureFails = "capture_fails",
        /// 7000.13: it cannot be refunded.
        RefundFails = "refund_fails",
        /// 7000.14: its refunds succeed, and fail two seconds later.
        RefundReturns = "refund_returns",
        /// 7000.15: its refunds take two seconds.
        RefundSlow = "refund_slow",
        /// 7000.16: its refunds are made, but the first answer to each is lost.
        RefundAnswerLost = "refund_answer_lost",
        /// 7000.17: who pays sends only half of it.
        Short = "short",
        /// 7000.18: who pays sends it twice.
        Excess = "excess",
        /// 7000.19: it is booked with another amount, one unit less.
        OtherAmount = "other_amount",
        /// 7000.20: it expires after two seconds, and is paid two seconds later.
        Late = "late",
    }
}

impl Plan {
    /// The plan of a payment of this amount.
    #[must_use]
    pub fn of(amount: Amount) -> Self {
        let cents = (amount.micros() - 7_000_000_000) / 10_000;
        let is_exact = amount.micros() == 7_000_000_000 + cents * 10_000;
        let plan = usize::try_from(cents).ok().and_then(|cents| Self::EVERY.get(cents));
        plan.copied().filter(|_| is_exact).unwrap_or(Self::Normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_choose() {
        for (text, plan) in [
            ("7000", Plan::Normal),
            ("7000.01", Plan::Declined),
            ("7000.06", Plan::AnswerLost),
            ("7000.20", Plan::Late),
            ("7000.21", Plan::Normal),
            ("7000.015", Plan::Normal),
            ("6999.99", Plan::Normal),
            ("100", Plan::Normal),
        ] {
            assert_eq!(Plan::of(Amount::parse(text).unwrap()), plan, "{text}");
        }
    }
}
