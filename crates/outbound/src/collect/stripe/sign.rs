//! What a notification of Stripe's is worth: it signs the moment and the body, with every secret that is in use.

use aws_lc_rs::hmac;
use kernel::Timestamp;
use payments::{
    PaymentId,
    gateway::{About, Verified},
    notice::Received,
};
use serde_json::Value;

use super::asking::seconds;
use crate::collect::{
    hex::bytes,
    json::{at, owned, text},
};

/// The header that carries the signature: `t=SECONDS,v1=HEX,v1=HEX`.
const HEADER: &str = "stripe-signature";
/// How many seconds the moment of a signature may be away from ours, before or after.
const SIGNED_SECONDS: u64 = 300;
/// The longest identifier that is kept.
const NAME_BYTES_MAX: usize = 255;

pub(super) fn verify(secret: Option<&str>, received: &Received, now: Timestamp) -> Verified {
    let body = serde_json::from_slice::<Value>(&received.body).ok();
    let Some(about) = body.as_ref().and_then(about) else { return Verified::Unreadable };
    let Some(secret) = secret else { return Verified::Hint(about) };
    // It always signs: what comes without is somebody else's.
    let header = received.header(HEADER).unwrap_or_default();
    match is_genuine(secret, header, &received.body, now) {
        true => Verified::Signed(about),
        false => Verified::Forged,
    }
}

/// Whether one of the signatures in a header is that of a body under a secret, made not long before or after `now`.
fn is_genuine(secret: &str, header: &str, body: &[u8], now: Timestamp) -> bool {
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let moment = parts().find(|(name, _)| *name == "t").map(|(_, moment)| moment);
    let Some(moment) = moment.and_then(|moment| moment.parse::<i64>().ok()) else { return false };
    if seconds(now).abs_diff(moment) > SIGNED_SECONDS {
        return false;
    }
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let signed = [format!("{moment}.").as_bytes(), body].concat();
    parts()
        .filter(|(name, _)| *name == "v1")
        .any(|(_, tag)| bytes(tag).is_some_and(|tag| hmac::verify(&key, &signed, &tag).is_ok()))
}

/// What an event is about; nothing of what is no event.
fn about(body: &Value) -> Option<About> {
    let is_name =
        |name: &String| name.len() <= NAME_BYTES_MAX && !name.chars().any(char::is_control);
    let event = owned(body, &["id"]).filter(is_name)?;
    if text(body, &["object"]) != Some("event") {
        return None;
    }
    let object = at(body, &["data", "object"])?;
    let provider_ref = match text(object, &["object"]) {
        Some("payment_intent" | "checkout.session") => owned(object, &["id"]),
        Some(_) => owned(object, &["payment_intent"]),
        None => None,
    };
    Some(About {
        event: Some(event),
        provider_ref: provider_ref.filter(is_name),
        payment: text(object, &["metadata", "payment"]).and_then(PaymentId::parse),
    })
}
