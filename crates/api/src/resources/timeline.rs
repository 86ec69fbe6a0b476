//! `/orders/{id}/timeline`: everything that has happened to an order.

use accounts::Scope;
use actix_web::http::StatusCode;
use kernel::{Amount, Currency, Timestamp, id::EventId};
use orders::{
    OrderId,
    timeline::{Delivered, Entry, Told},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::shapes;
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Segment, id, taking},
    error::ApiError,
    reply::found,
};

const TIMELINE: &str = "/orders/{id}/timeline";
const ORDER: Segment<OrderId> = id(OrderId::PREFIX, OrderId::parse);

const EXAMPLE: &str = r#"{"data": [
    {
        "at": "2026-01-31T18:00:00.000Z",
        "name": "order.created",
        "id": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
        "type": null,
        "amount": 134.98,
        "currency": "MXN",
        "event": null
    },
    {
        "at": "2026-01-31T18:07:41.902Z",
        "name": "payment.received",
        "id": "pay_01KG9A4D6F8H0J2M4P6R8T0V2X",
        "type": null,
        "amount": null,
        "currency": null,
        "event": {
            "id": "evt_01KG9A4D6F8H0J2M4P6R8T0V2Y",
            "data": {"id": "pay_01KG9A4D6F8H0J2M4P6R8T0V2X", "amount": 134.98, "method": "card"},
            "deliveries": [
                {
                    "id": "dlv_01KG9A4D6F8H0J2M4P6R8T0V2Z",
                    "webhookId": "wh_01KG8W9X2D4F6H8K0M2P4R6T8V",
                    "state": "delivered",
                    "attempts": 1,
                    "finishedAt": "2026-01-31T18:07:42.110Z"
                }
            ]
        }
    }
]}"#;

/// What has happened to an order.
#[derive(Serialize, ToSchema)]
struct Timeline {
    /// What has happened, the oldest first.
    data: Vec<EntryBody>,
}

/// Something that happened to an order or to what belongs to it.
#[derive(Serialize, ToSchema)]
#[schema(as = TimelineEntry)]
struct EntryBody {
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    at: Timestamp,
    /// What: the name of its event; `order.created`, `payment.created`, `refund.created` and `payment_link.created` for
    /// what began.
    #[schema(example = "payment.received")]
    name: String,
    /// Resource that it happened to: the order, or a payment, refund, shipment, invoice, payment link or approval of it.
    #[schema(example = "pay_01KG9A4D6F8H0J2M4P6R8T0V2X")]
    id: String,
    /// Type of the invoice that it happened to: `I`, the credit note `E` of a refund, the receipt `P` of a payment; `null` for
    /// everything else.
    #[serde(rename = "type")]
    #[schema(value_type = Option<shapes::InvoiceType>)]
    document: Option<String>,
    /// Amount of what began.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// Currency of the amount.
    #[schema(value_type = Option<shapes::Currency>)]
    currency: Option<Currency>,
    /// The event that tells of it.
    event: Option<EventBody>,
}

/// An event of a timeline.
#[derive(Serialize, ToSchema)]
#[schema(as = TimelineEvent)]
struct EventBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "evt_01KG9A4D6F8H0J2M4P6R8T0V2Y")]
    id: EventId,
    /// Its payload, as webhooks get it.
    #[schema(value_type = shapes::Payload)]
    data: Box<RawValue>,
    /// One delivery for each webhook that wanted it.
    deliveries: Vec<DeliveryBody>,
}

/// A delivery of an event of a timeline.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TimelineDelivery)]
struct DeliveryBody {
    /// Unique identifier.
    #[schema(example = "dlv_01KG9A4D6F8H0J2M4P6R8T0V2Z")]
    id: String,
    /// Webhook that it is for.
    #[schema(example = "wh_01KG8W9X2D4F6H8K0M2P4R6T8V")]
    webhook_id: String,
    /// `attempting`, `delivered` or `failed`.
    #[schema(value_type = shapes::DeliveryState)]
    state: String,
    /// Attempts made.
    attempts: u32,
    /// When it was delivered or given up.
    #[schema(value_type = Option<shapes::Timestamp>)]
    finished_at: Option<Timestamp>,
}

pub(super) fn endpoints() -> [Endpoint; 1] {
    [Endpoint::get(TIMELINE, Scope::Orders, taking(ORDER, show))
        .summary("Get the timeline of an order")
        .describes(
            "Everything that has happened to the order, its payments, refunds, shipments, returns, payment links, its invoice \
             and approvals of any of these, the oldest first: with the events that tell of it, as long as these are kept, and \
             to which webhooks they were delivered at first (retries by hand and replays are in the list of the webhook). \
             What the key has no scope for is left out: `payments` for payments, refunds and links, `invoices`, and \
             `webhooks` for deliveries. At most 1,000 entries.",
        )
        .answers::<Timeline>(200, "The timeline.", EXAMPLE)]
}

async fn show(call: Call, id: OrderId) -> Result<Answer, ApiError> {
    let entries = found(call.services().orders.timeline(call.account, id)).await?;
    let entries = entries.into_iter().filter(|entry| covers(&call, &entry.name));
    let shows_deliveries = call.may(Scope::Webhooks);
    let data = entries.map(|entry| EntryBody::of(entry, shows_deliveries));
    let data = data.collect::<Result<_, _>>()?;
    Answer::json(StatusCode::OK, &Timeline { data })
}

/// Whether the key covers what an entry is about.
fn covers(call: &Call, name: &str) -> bool {
    let scope = match name.split_once('.').map(|(about, _)| about) {
        Some("payment" | "refund" | "payment_link") => Scope::Payments,
        Some("invoice") => Scope::Invoices,
        _ => Scope::Orders,
    };
    call.may(scope)
}

impl EntryBody {
    fn of(entry: Entry, shows_deliveries: bool) -> Result<Self, ApiError> {
        let Entry { at, name, subject, document, money, event } = entry;
        Ok(Self {
            at,
            name,
            id: subject,
            document,
            amount: money.map(|(amount, _)| amount),
            currency: money.map(|(_, currency)| currency),
            event: event.map(|told| EventBody::of(told, shows_deliveries)).transpose()?,
        })
    }
}

impl EventBody {
    fn of(told: Told, shows_deliveries: bool) -> Result<Self, ApiError> {
        #[derive(Deserialize)]
        struct Envelope {
            data: Box<RawValue>,
        }
        let Told { id, body, deliveries } = told;
        let envelope: Envelope =
            serde_json::from_str(&body).map_err(|error| ApiError::internal(error.to_string()))?;
        let deliveries = deliveries.into_iter().filter(|_| shows_deliveries);
        let deliveries = deliveries.map(DeliveryBody::from).collect();
        Ok(Self { id, data: envelope.data, deliveries })
    }
}

impl From<Delivered> for DeliveryBody {
    fn from(delivered: Delivered) -> Self {
        let Delivered { id, webhook, state, attempts, finished_at } = delivered;
        Self { id, webhook_id: webhook, state, attempts, finished_at }
    }
}
