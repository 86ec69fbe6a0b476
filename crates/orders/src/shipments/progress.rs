//! What has become of the lines of an order, and how the order follows.

use kernel::{NewEvent, Quantity, Timestamp};

use crate::{FulfillmentStatus, Order, OrderStatus, WarehouseId, events};

/// What has become of a line of an order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineProgress {
    /// What is promised from each warehouse and not shipped yet.
    pub open: Vec<(WarehouseId, Quantity)>,
    /// What live shipments hold.
    pub shipped: Quantity,
    /// What was taken off the order before it was shipped.
    pub removed: Quantity,
}

impl LineProgress {
    pub(crate) fn open_in(&self, warehouse: WarehouseId) -> Quantity {
        let there = self.open.iter().filter(|(place, _)| *place == warehouse);
        there.map(|(_, quantity)| quantity).sum()
    }
}

/// Has an order follow its shipments, and tells it. An order is told to be shipped once in its life, with the tracking number of
/// the shipment that completes it or else of the newest one.
pub(crate) fn follow(
    order: &mut Order,
    progress: &[LineProgress],
    tracking: Option<&str>,
    now: Timestamp,
) -> Vec<NewEvent> {
    order.fulfillment_status = fulfillment(order, progress);
    let from = order.status;
    let is_out = order.fulfillment_status == FulfillmentStatus::Fulfilled;
    let to = match (from, is_out) {
        (OrderStatus::Pending | OrderStatus::Paid, true) => OrderStatus::Shipped,
        (OrderStatus::Shipped, false) if order.paid_at.is_some() => OrderStatus::Paid,
        (OrderStatus::Shipped, false) => OrderStatus::Pending,
        _ => return Vec::new(),
    };
    order.status = to;
    let mut told = vec![events::updated(order.id, from, to)];
    if to == OrderStatus::Shipped && order.shipped_at.is_none() {
        order.shipped_at = Some(now);
        told.push(events::shipped(order, tracking));
    }
    told
}

/// How much of an order is out.
#[must_use]
pub fn fulfillment(order: &Order, progress: &[LineProgress]) -> FulfillmentStatus {
    let ordered: Quantity = order.items.iter().map(|item| item.quantity).sum();
    let wanted = ordered - progress.iter().map(|line| line.removed).sum::<Quantity>();
    match progress.iter().map(|line| line.shipped).sum::<Quantity>() {
        0 => FulfillmentStatus::Unfulfilled,
        shipped if shipped >= wanted => FulfillmentStatus::Fulfilled,
        _ => FulfillmentStatus::PartiallyFulfilled,
    }
}
