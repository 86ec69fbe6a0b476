//! What orders tell subscribers, with exactly the payload fields of the event catalog.

use kernel::{Amount, Currency, NewEvent};
use serde::Serialize;

use crate::{Order, OrderId, OrderStatus, ReturnId, Shipment, ShipmentId};

/// `order.created`.
#[must_use]
pub fn created(order: &Order) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: OrderId,
        status: OrderStatus,
        total: Amount,
        currency: Currency,
    }
    let data =
        Data { id: order.id, status: order.status, total: order.total, currency: order.currency };
    NewEvent::new("order.created", order.id, &data)
}

/// `order.updated`: the status changed.
#[must_use]
pub fn updated(id: OrderId, old_status: OrderStatus, new_status: OrderStatus) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        id: OrderId,
        old_status: OrderStatus,
        new_status: OrderStatus,
    }
    NewEvent::new("order.updated", id, &Data { id, old_status, new_status })
}

/// `order.paid`.
#[must_use]
pub fn paid(order: &Order) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: OrderId,
        total: Amount,
    }
    NewEvent::new("order.paid", order.id, &Data { id: order.id, total: order.total })
}

/// `order.shipped`, with the tracking number of a shipment of it, or else its own; it is empty where neither has one.
#[must_use]
pub fn shipped(order: &Order, of_shipment: Option<&str>) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data<'a> {
        id: OrderId,
        tracking_number: &'a str,
    }
    let own = order.tracking_number.as_deref();
    let tracking_number = of_shipment.or(own).unwrap_or_default();
    NewEvent::new("order.shipped", order.id, &Data { id: order.id, tracking_number })
}

/// `shipment.created`: goods of an order left.
#[must_use]
pub fn shipment_created(shipment: &Shipment) -> NewEvent {
    of_shipment("shipment.created", shipment)
}

/// `shipment.delivered`.
#[must_use]
pub fn shipment_delivered(shipment: &Shipment) -> NewEvent {
    of_shipment("shipment.delivered", shipment)
}

/// `shipment.cancelled`: it did not leave.
#[must_use]
pub fn shipment_cancelled(shipment: &Shipment) -> NewEvent {
    of_shipment("shipment.cancelled", shipment)
}

fn of_shipment(name: &'static str, shipment: &Shipment) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data<'a> {
        id: ShipmentId,
        order_id: OrderId,
        tracking_number: Option<&'a str>,
    }
    let tracking_number = shipment.tracking_number.as_deref();
    let data = Data { id: shipment.id, order_id: shipment.order, tracking_number };
    NewEvent::new(name, shipment.id, &data)
}

/// `order.returned`: goods came back.
#[must_use]
pub fn returned(order: &Order, id: ReturnId, amount: Amount) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        id: OrderId,
        return_id: ReturnId,
        amount: Amount,
    }
    NewEvent::new("order.returned", order.id, &Data { id: order.id, return_id: id, amount })
}

/// `order.cancelled`.
#[must_use]
pub fn cancelled(order: &Order) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: OrderId,
        reason: &'a str,
    }
    let reason = order.cancel_reason.as_deref().unwrap_or_default();
    NewEvent::new("order.cancelled", order.id, &Data { id: order.id, reason })
}
