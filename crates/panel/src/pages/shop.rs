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
    query.read("q", |text| Words::parse(text).ok())
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

/// What it is called how much of an order has gone out.
pub(super) const fn fulfillment_name(say: Say, status: FulfillmentStatus) -> &'static str {
    match status {
        FulfillmentStatus::Unfulfilled => say.unfulfilled(),
        FulfillmentStatus::PartiallyFulfilled => say.partially_fulfilled(),
        FulfillmentStatus::Fulfilled => say.fulfilled(),
    }
}

/// How much of an order has gone out.
pub(super) fn fulfillment_pill(say: Say, status: FulfillmentStatus) -> Pill {
    let tone = match status {
        FulfillmentStatus::Unfulfilled => Tone::Plain,
        FulfillmentStatus::PartiallyFulfilled => Tone::Waiting,
        FulfillmentStatus::Fulfilled => Tone::Good,
    };
    Pill::new(tone, fulfillment_name(say, status))
}

/// What it is called how much of it was paid.
pub(super) const fn payment_name(say: Say, status: PaymentStatus) -> &'static str {
    match status {
        PaymentStatus::Unpaid => say.unpaid(),
        PaymentStatus::PartiallyPaid => say.partially_paid(),
        PaymentStatus::Paid => say.status_paid(),
        PaymentStatus::PartiallyRefunded => say.partially_refunded(),
        PaymentStatus::Refunded => say.refunded(),
    }
}

/// How much of it was paid.
pub(super) fn payment_pill(say: Say, status: PaymentStatus) -> Pill {
    let tone = match status {
        PaymentStatus::Unpaid | PaymentStatus::PartiallyPaid => Tone::Waiting,
        PaymentStatus::Paid => Tone::Good,
        PaymentStatus::PartiallyRefunded => Tone::Plain,
        PaymentStatus::Refunded => Tone::Bad,
    };
    Pill::new(tone, payment_name(say, status))
}
