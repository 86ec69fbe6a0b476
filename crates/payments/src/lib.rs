//! Payments: money for orders, what becomes of it at its provider, and how it is given back.
//!
//! A provider is never believed on its first word: whatever is learned about a payment, from an answer, a notification or by
//! asking, is a [`Seen`] and goes through [`judge()`], which alone decides what of it counts. So the same money is counted
//! once, in whichever order its news arrive. Calls that may have had an effect are repeated under the same key until their
//! outcome is known ([`calls`]). Refunds set their amount aside before the provider is called ([`refund`]).
//!
//! What is known of orders reaches this crate as plain values.

pub mod calls;
pub mod card_data;
pub mod events;
pub mod gateway;
pub mod installments;
pub mod judge;
pub mod link;
mod network;
pub mod notice;
pub mod open;
pub mod payment;
pub mod provider;
pub mod reconcile;
pub mod refund;
pub mod sandbox;
pub mod sat;
pub mod service;
pub mod settings;
pub mod watch;

pub use calls::{Call, CallId, CallKind, CallOutcome};
pub use gateway::{CallFault, CallResult, Calling, Gateway, Gateways, Seen, SeenRefund, SeenState};
pub use installments::{InstallmentPlan, Through};
pub use judge::{Judged, judge};
pub use link::{LinkQuery, LinkStatus, NewLink, PaymentLink, PaymentLinkId, PaymentLinks};
pub use notice::{Notice, NoticeId, NoticeStatus};
pub use open::{NewPayment, OpenRefusal, Opened, Owed, open};
pub use payment::{
    Card, Conflict, CustomerId, Failure, Flag, Funding, Instructions, InvoiceId, Method, OrderId,
    Payer, Payment, PaymentId, Status,
};
pub use provider::{Capabilities, Credentials, ProviderAccount, ProviderKind, Refunding};
pub use refund::{
    NewRefund, Origin, Refund, RefundId, RefundPayment, RefundRefusal, RefundStatus, RefundStep,
};
pub use service::{
    CallQueue, Collector, PaymentError, PaymentFilter, PaymentQuery, Payments, RefundFilter,
    RefundQuery,
};
pub use settings::PaymentSettings;
