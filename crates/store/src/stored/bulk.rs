//! Bulk actions.

use std::sync::Arc;

use ::bulk::{
    Action, BulkAction, DeliverySelection, InvoiceSelection, OrderSelection, Selection, Wanted,
};
use cfdi::document::DocumentType;
use invoices::{BranchId, CancellationStatus, InvoiceFilter, InvoiceId, IssuerId};
use kernel::{Actor, Timestamp, Trace, id::EventId};
use orders::{CustomerId, FulfillmentStatus, OrderFilter, OrderId, OrderStatus, PaymentStatus};
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
    to_invoice: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    paid_from: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    external_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated_since: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    metadata: Vec<(String, String)>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    issuer: Option<IssuerId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<BranchId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    series: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folio: Option<u64>,
    /// [`NO_CANCELLATION`], or a status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancellation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stamped_from: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stamped_to: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rfc: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated_since: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    receipt_due: Option<bool>,
}

/// Stands for the cancellation of an invoice of which none was asked for.
const NO_CANCELLATION: &str = "none";

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
    fn of(selection: &OrderSelection) -> Self {
        let OrderFilter {
            ids,
            external_id,
            status,
            fulfillment,
            payment,
            invoiced,
            to_invoice,
            customer,
            created_from,
            created_to,
            paid_from,
            updated_since,
            // It follows from the words.
            search: _,
            metadata,
        } = selection.filter();
        Self {
            ids,
            status,
            customer,
            created_from: micros(created_from),
            created_to: micros(created_to),
            words: selection.words().map(str::to_owned),
            fulfillment,
            payment,
            invoiced,
            to_invoice: to_invoice.then_some(true),
            paid_from: micros(paid_from),
            external_id,
            updated_since: micros(updated_since),
            metadata,
        }
    }

    fn selection(self) -> OrderSelection {
        let filter = OrderFilter {
            ids: self.ids,
            external_id: self.external_id,
            status: self.status,
            fulfillment: self.fulfillment,
            payment: self.payment,
            invoiced: self.invoiced,
            to_invoice: self.to_invoice.unwrap_or_default(),
            customer: self.customer,
            created_from: moment(self.created_from),
            created_to: moment(self.created_to),
            paid_from: moment(self.paid_from),
            updated_since: moment(self.updated_since),
            search: None,
            metadata: self.metadata,
        };
        OrderSelection::matching(filter, self.words)
    }
}

impl InvoicesForm {
    fn of(selection: &InvoiceSelection) -> Self {
        let InvoiceFilter {
            status,
            kind,
            issuer,
            branch,
            customer,
            order,
            uuid,
            series,
            folio,
            cancellation,
            receipt_due,
            stamped_from,
            stamped_to,
            rfc,
            created_from,
            created_to,
            updated_since,
            ids,
            // It follows from the words.
            search: _,
        } = selection.filter();
        let cancellation =
            cancellation.map(|asked| asked.map_or(NO_CANCELLATION, CancellationStatus::name));
        Self {
            ids,
            status,
            kind,
            customer,
            order,
            uuid,
            created_from: micros(created_from),
            created_to: micros(created_to),
            words: selection.words().map(str::to_owned),
            issuer,
            branch,
            series,
            folio,
            cancellation: cancellation.map(str::to_owned),
            stamped_from: micros(stamped_from),
            stamped_to: micros(stamped_to),
            rfc,
            updated_since: micros(updated_since),
            receipt_due,
        }
    }

    fn selection(self) -> serde_json::Result<InvoiceSelection> {
        let cancellation = self.cancellation.as_deref().map(cancellation_of).transpose()?;
        let filter = InvoiceFilter {
            status: self.status,
            kind: self.kind,
            issuer: self.issuer,
            branch: self.branch,
            customer: self.customer,
            order: self.order,
            uuid: self.uuid,
            series: self.series,
            folio: self.folio,
            cancellation,
            receipt_due: self.receipt_due,
            stamped_from: moment(self.stamped_from),
            stamped_to: moment(self.stamped_to),
            rfc: self.rfc,
            created_from: moment(self.created_from),
            created_to: moment(self.created_to),
            updated_since: moment(self.updated_since),
            ids: self.ids,
            search: None,
        };
        Ok(InvoiceSelection::matching(filter, self.words))
    }
}

fn cancellation_of(name: &str) -> serde_json::Result<Option<CancellationStatus>> {
    if name == NO_CANCELLATION {
        return Ok(None);
    }
    let known = CancellationStatus::EVERY.iter().copied().find(|status| status.name() == name);
    known.map(Some).ok_or_else(|| unknown("status of a cancellation"))
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
            Selection::Orders(chosen) => BulkForm { orders: Some(OrdersForm::of(&chosen)), ..form },
            Selection::Invoices(chosen) => {
                BulkForm { invoices: Some(InvoicesForm::of(&chosen)), ..form }
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
        let invoices = invoices.map(InvoicesForm::selection).transpose()?.map(Selection::Invoices);
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
