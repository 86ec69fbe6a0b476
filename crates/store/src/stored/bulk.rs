//! Bulk actions.

use std::sync::Arc;

use ::bulk::{
    Action, BulkAction, DeliverySelection, InvoiceSelection, OrderSelection, Selection, Wanted,
};
use cfdi::document::DocumentType;
use invoices::InvoiceId;
use kernel::{Actor, Timestamp, Trace, id::EventId};
use orders::{CustomerId, FulfillmentStatus, OrderId, OrderStatus, PaymentStatus};
use payments::Method;
use serde::{Deserialize, Serialize, de::Error as _};
use webhooks::{DeliveryId, DeliveryState, SubscriptionId};

use super::Stored;

/// What the payload of a task that acts on many says.
#[derive(Serialize, Deserialize)]
struct BulkForm {
    actor: String,
    address: Option<String>,
    request_id: Option<String>,
    action: ActionForm,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    orders: Option<OrdersForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invoices: Option<InvoicesForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deliveries: Option<DeliveriesForm>,
}

#[derive(Default, Serialize, Deserialize)]
struct ActionForm {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<Method>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stamp: Option<bool>,
}

/// Moments in microseconds, exactly: they are the bounds of what is acted on.
#[derive(Serialize, Deserialize)]
struct OrdersForm {
    ids: Option<Vec<OrderId>>,
    status: Option<OrderStatus>,
    customer: Option<CustomerId>,
    created_from: Option<i64>,
    created_to: Option<i64>,
    words: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fulfillment: Option<FulfillmentStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payment: Option<PaymentStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invoiced: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    paid_from: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct InvoicesForm {
    ids: Option<Vec<InvoiceId>>,
    status: Option<invoices::Status>,
    kind: Option<DocumentType>,
    customer: Option<invoices::CustomerId>,
    order: Option<invoices::OrderId>,
    uuid: Option<String>,
    created_from: Option<i64>,
    created_to: Option<i64>,
    words: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct DeliveriesForm {
    subscription: SubscriptionId,
    ids: Option<Vec<DeliveryId>>,
    state: Option<DeliveryState>,
    until: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<EventId>,
}

fn micros(moment: Option<Timestamp>) -> Option<i64> {
    moment.map(Timestamp::micros)
}

fn moment(micros: Option<i64>) -> Option<Timestamp> {
    micros.map(Timestamp::from_micros)
}

impl ActionForm {
    fn of(action: Action) -> Self {
        let form = Self { name: action.name().to_owned(), ..Self::default() };
        match action {
            Action::PayOrders { method } => Self { method: Some(method), ..form },
            Action::ShipOrders
            | Action::StampInvoices
            | Action::EmailInvoices
            | Action::ResendDeliveries => form,
            Action::CancelOrders { reason, refund } => {
                Self { reason: Some(reason), refund: Some(refund), ..form }
            }
            Action::InvoiceOrders { stamp } => Self { stamp: Some(stamp), ..form },
        }
    }

    fn action(self) -> serde_json::Result<Action> {
        let action = match (self.name.as_str(), self.method, self.reason) {
            ("orders.pay", Some(method), _) => Action::PayOrders { method },
            ("orders.ship", ..) => Action::ShipOrders,
            ("invoices.stamp", ..) => Action::StampInvoices,
            ("invoices.email", ..) => Action::EmailInvoices,
            ("deliveries.resend", ..) => Action::ResendDeliveries,
            ("orders.cancel", _, Some(reason)) => {
                Action::CancelOrders { reason, refund: self.refund.unwrap_or_default() }
            }
            ("orders.invoice", ..) => {
                Action::InvoiceOrders { stamp: self.stamp.unwrap_or_default() }
            }
            _ => return Err(unknown("action")),
        };
        Ok(action)
    }
}

impl OrdersForm {
    fn of(selection: OrderSelection) -> Self {
        let OrderSelection {
            ids,
            status,
            fulfillment,
            payment,
            invoiced,
            customer,
            created_from,
            created_to,
            paid_from,
            words,
        } = selection;
        let created_from = micros(created_from);
        let created_to = micros(created_to);
        Self {
            ids,
            status,
            customer,
            created_from,
            created_to,
            words,
            fulfillment,
            payment,
            invoiced,
            paid_from: micros(paid_from),
        }
    }

    fn selection(self) -> OrderSelection {
        OrderSelection {
            ids: self.ids,
            status: self.status,
            fulfillment: self.fulfillment,
            payment: self.payment,
            invoiced: self.invoiced,
            customer: self.customer,
            created_from: moment(self.created_from),
            created_to: moment(self.created_to),
            paid_from: moment(self.paid_from),
            words: self.words,
        }
    }
}

impl InvoicesForm {
    fn of(selection: InvoiceSelection) -> Self {
        let InvoiceSelection {
            ids,
            status,
            kind,
            customer,
            order,
            uuid,
            created_from,
            created_to,
            words,
        } = selection;
        let (created_from, created_to) = (micros(created_from), micros(created_to));
        Self { ids, status, kind, customer, order, uuid, created_from, created_to, words }
    }

    fn selection(self) -> InvoiceSelection {
        let Self { ids, status, kind, customer, order, uuid, created_from, created_to, words } =
            self;
        let (created_from, created_to) = (moment(created_from), moment(created_to));
        InvoiceSelection {
            ids,
            status,
            kind,
            customer,
            order,
            uuid,
            created_from,
            created_to,
            words,
        }
    }
}

impl DeliveriesForm {
    fn of(selection: DeliverySelection) -> Self {
        let DeliverySelection { subscription, ids, state, event_name, event, until } = selection;
        Self { subscription, ids, state, until: micros(until), event_name, event }
    }

    fn selection(self) -> DeliverySelection {
        let Self { subscription, ids, state, until, event_name, event } = self;
        DeliverySelection { subscription, ids, state, event_name, event, until: moment(until) }
    }
}

impl Stored for BulkAction {
    const KIND: &'static str = "bulk_action";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        let Self { actor, trace, wanted: Wanted { action, selection } } = self.clone();
        let Trace { address, request_id } = trace.as_deref().cloned().unwrap_or_default();
        let form = BulkForm {
            actor: actor.to_string(),
            address: address.map(|address| address.to_string()),
            request_id,
            action: ActionForm::of(action),
            orders: None,
            invoices: None,
            deliveries: None,
        };
        serde_json::to_string(&match selection {
            Selection::Orders(chosen) => BulkForm { orders: Some(OrdersForm::of(chosen)), ..form },
            Selection::Invoices(chosen) => {
                BulkForm { invoices: Some(InvoicesForm::of(chosen)), ..form }
            }
            Selection::Deliveries(chosen) => {
                BulkForm { deliveries: Some(DeliveriesForm::of(chosen)), ..form }
            }
        })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let BulkForm { actor, address, request_id, action, orders, invoices, deliveries } =
            serde_json::from_str(text)?;
        let address = address.map(|text| text.parse().map_err(|_| unknown("address")));
        let trace = Trace { address: address.transpose()?, request_id };
        let orders = orders.map(|form| Selection::Orders(form.selection()));
        let invoices = invoices.map(|form| Selection::Invoices(form.selection()));
        let deliveries = deliveries.map(|form| Selection::Deliveries(form.selection()));
        let selection = orders.or(invoices).or(deliveries);
        let wanted = Wanted {
            action: action.action()?,
            selection: selection.ok_or_else(|| unknown("selection"))?,
        };
        Ok(Self {
            actor: Actor::parse(&actor).ok_or_else(|| unknown("actor"))?,
            trace: (trace != Trace::default()).then(|| Arc::new(trace)),
            wanted,
        })
    }
}

fn unknown(what: &str) -> serde_json::Error {
    serde_json::Error::custom(format!("the {what} is unknown"))
}
