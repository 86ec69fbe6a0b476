//! What must hold of deliveries, whoever dies.

use crate::chaos::verdict::Promise;

/// Beside those of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeliveryPromise {
    NothingIsLost,
    SignatureIsRight,
    EventIsTheSame,
    OneEventPerOrder,
    NothingUnexplained,
    StateIsDelivered,
    ProcessesLive,
}

impl Promise for DeliveryPromise {
    const ALL: &'static [Self] = &[
        Self::NothingIsLost,
        Self::SignatureIsRight,
        Self::EventIsTheSame,
        Self::OneEventPerOrder,
        Self::NothingUnexplained,
        Self::StateIsDelivered,
        Self::ProcessesLive,
    ];

    fn index(self) -> usize {
        self as usize
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::NothingIsLost => "an acknowledged order has arrived at every endpoint",
            Self::SignatureIsRight => "a delivery is signed, and its headers name its event",
            Self::EventIsTheSame => "an event is of one order, in the same bytes each time",
            Self::OneEventPerOrder => "an order has one order.created",
            Self::NothingUnexplained => "nothing arrives that no order explains",
            Self::StateIsDelivered => "the API says delivered of every delivery",
            Self::ProcessesLive => "no process ends by itself",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promise_counts_for_itself() {
        for (index, promise) in DeliveryPromise::ALL.iter().enumerate() {
            assert_eq!(index, promise.index());
        }
    }
}
