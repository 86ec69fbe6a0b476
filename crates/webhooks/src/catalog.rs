//! The event catalog of the contract: what happens, and what each event carries.

/// The version of the catalog.
pub const VERSION: &str = "1.0";

/// The name that stands for every event of the contract.
pub const EVERY_EVENT: &str = "*";

/// The name of test deliveries. It is not in the catalog: nobody subscribes to it, and only the endpoint
/// that is tested receives it.
pub const TEST_EVENT: &str = "webhook.test";

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventType {
    /// Its name, e.g. `order.created`.
    pub name: &'static str,
    /// When it is emitted.
    pub description: &'static str,
    /// Fields of its payload, with the names of their types; `string|null` where there may be none.
    pub payload: &'static [(&'static str, &'static str)],
}

macro_rules! events {
    ($(
        $(#[$about:meta])* $list:ident:
        $($name:literal: $description:literal { $($field:ident: $kind:ident $(| $none:ident)?),+ };)+
    )+) => {$(
        $(#[$about])*
        pub const $list: &[EventType] = &[$(EventType {
            name: $name,
            description: $description,
            payload: &[$((stringify!($field), concat!(stringify!($kind) $(, "|", stringify!($none))?))),+],
        },)+];
    )+};
}

events! {
    /// The events of the contract, in its order.
    EVENTS:
    "order.created": "An order is created." { id: string, status: string, total: number, currency: string };
    "order.updated": "An order status changes." { id: string, oldStatus: string, newStatus: string };
    "order.paid": "An order is marked paid." { id: string, total: number };
    "order.shipped": "An order is shipped." { id: string, trackingNumber: string };
    "order.cancelled": "An order is cancelled." { id: string, reason: string };
    "product.created": "A product is created." { id: string, name: string, sku: string };
    "product.updated": "A product is updated." { id: string, changes: object };
    "product.deleted": "A product is deleted." { id: string };
    "lead.created": "A CRM lead is created." { id: string, email: string, source: string };
    "lead.converted": "A lead is converted to a deal." { leadId: string, dealId: string };
    "deal.won": "A deal is marked won." { id: string, value: number };
    "deal.lost": "A deal is marked lost." { id: string, reason: string };
    "invoice.created": "An invoice is generated." { id: string, amount: number };
    "payment.received": "A payment is received." { id: string, amount: number, method: string };
    "contact.created": "A contact is created." { id: string, email: string };
    "inventory.low": "Inventory falls below the threshold." { productId: string, currentStock: number, threshold: number };
    "approval.requested": "An approval is requested." { requestId: string, entityType: string, entityId: string };
    "approval.decided": "An approval is approved or rejected." { requestId: string, decision: string };

    /// What the service tells beyond the contract, to those alone who name it: [`EVERY_EVENT`] does not stand for it.
    EXTENSIONS:
    "invoice.stamped": "An invoice is stamped." { id: string, uuid: string, amount: number };
    "invoice.stamp_failed": "An invoice could not be stamped and is a draft again." { id: string, code: string, message: string };
    "invoice.cancellation_requested": "SAT has received the request to cancel an invoice." { id: string, uuid: string };
    "invoice.cancelled": "An invoice is cancelled before SAT." { id: string, uuid: string };
    "invoice.cancellation_rejected": "The cancellation of an invoice is rejected." { id: string, uuid: string, reason: string };
    "withholding.stamped": "A withholding is stamped." { id: string, uuid: string, withheld: number };
    "withholding.stamp_failed": "A withholding could not be stamped and is a draft again." { id: string, code: string, message: string };
    "withholding.cancelled": "A withholding is cancelled before SAT." { id: string, uuid: string };
    "withholding.cancellation_rejected": "The cancellation of a withholding is rejected." { id: string, uuid: string, reason: string };
    "payment.authorized": "The money of a payment is set aside and can be captured." { id: string, status: string, code: string | null };
    "payment.failed": "A payment is refused for good." { id: string, status: string, code: string | null };
    "payment.canceled": "A payment is called off before it is paid." { id: string, status: string, code: string | null };
    "payment.expired": "The time to pay passes, or what was authorized lapses." { id: string, status: string, code: string | null };
    "refund.succeeded": "Money of a payment has been given back." { id: string, paymentId: string, amount: number };
    "refund.failed": "Money of a payment could not be given back, or has come back." { id: string, paymentId: string, amount: number };
    "order.returned": "Items of an order came back." { id: string, returnId: string, amount: number };
    "shipment.created": "Goods of an order leave." { id: string, orderId: string, trackingNumber: string | null };
    "shipment.delivered": "A shipment is received by the customer." { id: string, orderId: string, trackingNumber: string | null };
    "shipment.cancelled": "A shipment did not leave after all." { id: string, orderId: string, trackingNumber: string | null };
    "import.finished": "An import has ended." { id: string, kind: string, status: string, processed: number, created: number, updated: number, unchanged: number, failed: number };
    "quote.sent": "A quote is sent to its customer." { id: string, number: string, revision: number, customerId: string, total: number, currency: string };
    "quote.accepted": "A quote is accepted by its customer, or on their word." { id: string, number: string, revision: number, customerId: string, total: number, currency: string };
    "quote.rejected": "A quote is turned down." { id: string, number: string, reason: string };
    "quote.expired": "The last day of a quote that was sent is over." { id: string, number: string };
    "quote.question_asked": "A question is asked on the page of a quote." { id: string, number: string, question: string, name: string, email: string };
    "contact.tax_data_submitted": "A contact has filled in their own tax data." { id: string, rfc: string, email: string };
}

/// Every kind of event: those of the contract, then the extensions.
pub fn every_type() -> impl Iterator<Item = &'static EventType> {
    EVENTS.iter().chain(EXTENSIONS)
}

/// How many kinds there are.
pub const TYPES: usize = EVENTS.len() + EXTENSIONS.len();

/// The kind of event of that name.
#[must_use]
pub fn event_type(name: &str) -> Option<&'static EventType> {
    every_type().find(|event| event.name == name)
}

/// Whether [`EVERY_EVENT`] stands for the event of that name.
#[must_use]
pub fn is_of_contract(name: &str) -> bool {
    EVENTS.iter().any(|event| event.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_has_the_eighteen_events_of_the_contract() {
        assert_eq!(EVENTS.len(), 18);
        assert_eq!(event_type("lead.converted").unwrap().payload.len(), 2);
        assert!(EXTENSIONS.iter().all(|event| !is_of_contract(event.name)));
        assert!(event_type(EVERY_EVENT).is_none() && event_type(TEST_EVENT).is_none());
    }
}
