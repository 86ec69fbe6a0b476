//! What lists of the shop share: searching, and the words for where things stand.

use kernel::search::Words;
use orders::{FulfillmentStatus, OrderStatus, PaymentStatus};

use crate::{
    form::Values,
    parts::{Pill, Tone},
    texts::Say,
};

/// What is searched for, if anything.
pub(super) fn words(query: &Values) -> Option<Words> {
    query.filled("q").and_then(|text| Words::parse(text).ok())
}

/// What a status of an order is called.
pub(super) const fn status_name(say: Say, status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Pending => say.status_pending(),
        OrderStatus::Paid => say.status_paid(),
        OrderStatus::Shipped => say.status_shipped(),
        OrderStatus::Delivered => say.status_delivered(),
        OrderStatus::Cancelled => say.status_cancelled(),
    }
}

/// Where an order stands.
pub(super) fn status_pill(say: Say, status: OrderStatus) -> Pill {
    let tone = match status {
        OrderStatus::Pending | OrderStatus::Paid => Tone::Waiting,
        OrderStatus::Shipped | OrderStatus::Delivered => Tone::Good,
        OrderStatus::Cancelled => Tone::Bad,
    };
    Pill::new(tone, status_name(say, status))
}

/// How much of an order has gone out.
pub(super) fn fulfillment_pill(say: Say, status: FulfillmentStatus) -> Pill {
    match status {
        FulfillmentStatus::Unfulfilled => Pill::new(Tone::Plain, say.unfulfilled()),
        FulfillmentStatus::PartiallyFulfilled => {
            Pill::new(Tone::Waiting, say.partially_fulfilled())
        }
        FulfillmentStatus::Fulfilled => Pill::new(Tone::Good, say.fulfilled()),
    }
}

/// How much of it was paid.
pub(super) fn payment_pill(say: Say, status: PaymentStatus) -> Pill {
    match status {
        PaymentStatus::Unpaid => Pill::new(Tone::Waiting, say.unpaid()),
        PaymentStatus::PartiallyPaid => Pill::new(Tone::Waiting, say.partially_paid()),
        PaymentStatus::Paid => Pill::new(Tone::Good, say.status_paid()),
        PaymentStatus::PartiallyRefunded => Pill::new(Tone::Plain, say.partially_refunded()),
        PaymentStatus::Refunded => Pill::new(Tone::Bad, say.refunded()),
    }
}
