//! Which rows are acted on.

use cfdi::document::DocumentType;
use invoices::{InvoiceFilter, InvoiceId};
use kernel::{Timestamp, id::EventId, search::Words};
use orders::{CustomerId, FulfillmentStatus, OrderFilter, OrderId, OrderStatus, PaymentStatus};
use webhooks::{DeliveryFilter, DeliveryId, DeliveryState, SubscriptionId};

/// Rows of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Orders.
    Orders(OrderSelection),
    /// Invoices.
    Invoices(InvoiceSelection),
    /// Deliveries of a webhook.
    Deliveries(DeliverySelection),
}

impl Selection {
    /// Whether its words are none that anything could be looked for by, so that a filter without them would match too
    /// much.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        match self {
            Self::Orders(chosen) => chosen.is_unreadable(),
            Self::Invoices(chosen) => chosen.is_unreadable(),
            Self::Deliveries(_) => false,
        }
    }
}

/// Orders: these, or all that match every field that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct OrderSelection {
    /// Chosen one by one.
    pub ids: Option<Vec<OrderId>>,
    pub status: Option<OrderStatus>,
    pub fulfillment: Option<FulfillmentStatus>,
    pub payment: Option<PaymentStatus>,
    pub invoiced: Option<bool>,
    pub customer: Option<CustomerId>,
    pub created_from: Option<Timestamp>,
    /// Before this moment.
    pub created_to: Option<Timestamp>,
    /// Paid in full at this moment or later.
    pub paid_from: Option<Timestamp>,
    /// As somebody typed them; they are kept like that because rules of reading them change.
    pub words: Option<String>,
}

/// Invoices: these, or all that match every field that is set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct InvoiceSelection {
    /// Chosen one by one.
    pub ids: Option<Vec<InvoiceId>>,
    pub status: Option<invoices::Status>,
    pub kind: Option<DocumentType>,
    pub customer: Option<invoices::CustomerId>,
    pub order: Option<invoices::OrderId>,
    pub uuid: Option<String>,
    pub created_from: Option<Timestamp>,
    /// Before this moment.
    pub created_to: Option<Timestamp>,
    /// As somebody typed them.
    pub words: Option<String>,
}

/// Deliveries of a webhook: these, or all in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DeliverySelection {
    pub subscription: SubscriptionId,
    /// Chosen one by one.
    pub ids: Option<Vec<DeliveryId>>,
    pub state: Option<DeliveryState>,
    /// The name of the event.
    pub event_name: Option<String>,
    pub event: Option<EventId>,
    /// Made at this moment or before; whatever is sent again is a delivery itself.
    pub until: Option<Timestamp>,
}

fn read(words: Option<&str>) -> Option<Words> {
    words.and_then(|words| Words::parse(words).ok())
}

/// The bound before which lies what was there at a moment, and no more than before `bound`.
fn frozen(bound: Option<Timestamp>, at: Timestamp) -> Option<Timestamp> {
    let behind = Timestamp::from_micros(at.micros().saturating_add(1));
    Some(bound.map_or(behind, |bound| bound.min(behind)))
}

impl OrderSelection {
    /// The same of what was there at a moment: what has come since is not taken in.
    #[must_use]
    pub fn frozen_at(self, at: Timestamp) -> Self {
        Self { created_to: frozen(self.created_to, at), ..self }
    }

    /// As lists are filtered.
    #[must_use]
    pub fn filter(&self) -> OrderFilter {
        OrderFilter {
            ids: self.ids.clone(),
            status: self.status,
            fulfillment: self.fulfillment,
            payment: self.payment,
            invoiced: self.invoiced,
            customer: self.customer,
            created_from: self.created_from,
            created_to: self.created_to,
            paid_from: self.paid_from,
            search: read(self.words.as_deref()),
            ..OrderFilter::default()
        }
    }

    /// Whether its words are none that anything could be looked for by.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.words.is_some() && read(self.words.as_deref()).is_none()
    }
}

impl InvoiceSelection {
    /// The same of what was there at a moment: what has come since is not taken in.
    #[must_use]
    pub fn frozen_at(self, at: Timestamp) -> Self {
        Self { created_to: frozen(self.created_to, at), ..self }
    }

    /// As lists are filtered.
    #[must_use]
    pub fn filter(&self) -> InvoiceFilter {
        InvoiceFilter {
            ids: self.ids.clone(),
            status: self.status,
            kind: self.kind,
            customer: self.customer,
            order: self.order,
            uuid: self.uuid.clone(),
            created_from: self.created_from,
            created_to: self.created_to,
            search: read(self.words.as_deref()),
            ..InvoiceFilter::default()
        }
    }

    /// Whether its words are none that anything could be looked for by.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.words.is_some() && read(self.words.as_deref()).is_none()
    }
}

impl DeliverySelection {
    /// The same of what was there at a moment: what has come since is not taken in.
    #[must_use]
    pub fn frozen_at(self, at: Timestamp) -> Self {
        Self { until: Some(self.until.map_or(at, |until| until.min(at))), ..self }
    }

    /// As lists are filtered, which know no moments.
    #[must_use]
    pub fn filter(&self) -> DeliveryFilter {
        DeliveryFilter { state: self.state, event_name: self.event_name.clone(), event: self.event }
    }

    /// Whether one that was made at a moment is meant.
    #[must_use]
    pub fn includes(&self, created_at: Timestamp) -> bool {
        self.until.is_none_or(|until| created_at <= until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_since_is_not_taken_in() {
        let at = Timestamp::from_micros(1_000);
        let all = OrderSelection::default().frozen_at(at);
        assert_eq!(all.created_to, Some(Timestamp::from_micros(1_001)));
        let before = OrderSelection { created_to: Some(Timestamp::from_micros(10)), ..all.clone() };
        assert_eq!(before.clone().frozen_at(at), before);
        let later =
            OrderSelection { created_to: Some(Timestamp::from_micros(9_999)), ..all.clone() };
        assert_eq!(later.frozen_at(at), all);
    }

    #[test]
    fn words_that_say_nothing_are_noticed() {
        let of = |words: &str| OrderSelection {
            words: Some(words.to_owned()),
            ..OrderSelection::default()
        };
        let many: Vec<String> = (0..1_000).map(|number| format!("taza{number}")).collect();
        assert!(of("  ").is_unreadable() && of(&many.join(" ")).is_unreadable());
        assert!(!of("taza").is_unreadable());
        assert!(of("taza").filter().search.is_some());
        assert!(!OrderSelection::default().is_unreadable());
    }
}
