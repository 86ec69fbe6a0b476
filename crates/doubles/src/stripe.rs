//! Stripe on this machine: its books, what payers and banks do, and the notifications that it signs.
//!
//! It takes only what Stripe documents of the calls that the service makes, knows its idempotency keys, and stores an error
//! of its own (5xx) under a key as it stores anything else.

#![allow(
    clippy::indexing_slicing,
    reason = "a test kit fails loudly, and JSON gives null for what it has not"
)]

mod books;
mod objects;

pub use books::StripeBooks;
pub use objects::{Intent, Refund};

use aws_lc_rs::hmac;
use kernel::Timestamp;
use serde_json::{Value, json};

use crate::provider::FakeProvider;

/// Stripe, as a server.
pub type FakeStripe = FakeProvider<StripeBooks>;

/// The key that the fake takes.
pub const KEY: &str = "sk_test_la_clave_del_comercio";
/// The secret that its notifications are signed with.
pub const SECRET: &str = "whsec_el_secreto_del_comercio";
/// The version that it speaks.
pub const VERSION: &str = "2026-06-24.dahlia";

/// The body of an event about an object.
#[must_use]
pub fn event(id: &str, kind: &str, object: &Value) -> String {
    json!({
        "id": id,
        "object": "event",
        "api_version": VERSION,
        "created": 1_790_000_000,
        "data": {"object": object},
        "livemode": false,
        "type": kind,
    })
    .to_string()
}

/// The value of the header `Stripe-Signature` of a body, signed at a moment.
#[must_use]
pub fn signature(secret: &str, body: &str, now: Timestamp) -> String {
    let seconds = now.micros() / 1_000_000;
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("{seconds}.{body}").as_bytes());
    let hex: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v1={hex}")
}
