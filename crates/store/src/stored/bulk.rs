//! Bulk actions.

use std::sync::Arc;

use ::bulk::{Action, BulkAction, OrderSelection, Selection, Wanted};
use kernel::{Actor, Timestamp, Trace};
use orders::{CustomerId, OrderId, OrderStatus};
use payments::Method;
use serde::{Deserialize, Serialize, de::Error as _};

use super::Stored;

/// What the payload of a task that acts on many says.
#[derive(Serialize, Deserialize)]
struct BulkForm {
    actor: String,
    address: Option<String>,
    request_id: Option<String>,
    action: ActionForm,
    orders: Option<OrdersForm>,
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
}

impl ActionForm {
    fn of(action: Action) -> Self {
        let form = Self { name: action.name().to_owned(), ..Self::default() };
        match action {
            Action::PayOrders { method } => Self { method: Some(method), ..form },
            Action::ShipOrders => form,
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
        let OrderSelection { ids, status, customer, created_from, created_to, words } = selection;
        let (created_from, created_to) =
            (created_from.map(Timestamp::micros), created_to.map(Timestamp::micros));
        Self { ids, status, customer, created_from, created_to, words }
    }

    fn selection(self) -> OrderSelection {
        let Self { ids, status, customer, created_from, created_to, words } = self;
        let moment = |micros: Option<i64>| micros.map(Timestamp::from_micros);
        let (created_from, created_to) = (moment(created_from), moment(created_to));
        OrderSelection { ids, status, customer, created_from, created_to, words }
    }
}

impl Stored for BulkAction {
    const KIND: &'static str = "bulk_action";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        let Self { actor, trace, wanted: Wanted { action, selection } } = self.clone();
        let Trace { address, request_id } = trace.as_deref().cloned().unwrap_or_default();
        let Selection::Orders(orders) = selection;
        serde_json::to_string(&BulkForm {
            actor: actor.to_string(),
            address: address.map(|address| address.to_string()),
            request_id,
            action: ActionForm::of(action),
            orders: Some(OrdersForm::of(orders)),
        })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let BulkForm { actor, address, request_id, action, orders } = serde_json::from_str(text)?;
        let address = address.map(|text| text.parse().map_err(|_| unknown("address")));
        let trace = Trace { address: address.transpose()?, request_id };
        let orders = orders.ok_or_else(|| unknown("selection"))?;
        let wanted =
            Wanted { action: action.action()?, selection: Selection::Orders(orders.selection()) };
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
