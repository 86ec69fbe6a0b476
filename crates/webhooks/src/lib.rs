//! Webhooks: who wants which events, how they are signed, and when they are sent again.
//!
//! Plain types and rules. Whoever keeps them writes a delivery in the transaction of its event (see
//! [`Topics::want`]); whoever sends them works through [`Deliveries`] and a [`Sender`].
//!
//! Receivers need no more than [`signing::verify_256`]:
//!
//! ```
//! use webhooks::{Secret, signing};
//!
//! let secret = Secret::from_random([7; 32]);
//! let body = br#"{"id":"evt_1","event":"order.created"}"#;
//! let signature = signing::signature_256(&secret, body);
//!
//! assert!(signing::verify_256(secret.reveal(), body, &signature));
//! assert!(!signing::verify_256(secret.reveal(), b"{}", &signature));
//! ```
//!
//! `examples/receiver.rs` is a whole receiver: `cargo run -p webhooks --example receiver`.

pub mod attempt_error;
pub mod catalog;
pub mod delivery;
pub mod health;
pub mod ports;
pub mod schedule;
pub mod secret;
pub mod service;
pub mod signing;
pub mod subscription;
pub mod target;
pub mod topics;

pub use attempt_error::AttemptError;
pub use delivery::{
    Attempt, AttemptRecord, Delivery, DeliveryDetail, DeliveryId, DeliveryState, Next,
};
pub use ports::{
    Claim, ClaimId, Claimed, Deliveries, Due, Ended, Endpoint, Exchange, Post, Sender, Sending,
    Unsent, Want, Watcher,
};
pub use schedule::{CLOCK_SKEW, Schedule};
pub use secret::Secret;
pub use service::{
    DeliveryFilter, DeliveryQuery, EventDetail, EventFilter, EventQuery, Feed, FeedPosition,
    FeedQuery, Issued, ListedEvent, Recent, Replay, ReplayCommand, ReplayId, SubscriptionQuery,
    UpdateSubscription, WebhookError, Webhooks,
};
pub use subscription::{
    DisabledReason, NewSubscription, Subscription, SubscriptionChanges, SubscriptionId,
};
pub use target::{Reach, Target, UrlFault};
pub use topics::Topics;
