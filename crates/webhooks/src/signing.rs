//! What proves to a receiver that a delivery is genuine.
//!
//! The contract has one signature header: the lowercase hexadecimal HMAC-SHA256 of the raw body, keyed
//! with the text of the secret. It always carries the newest secret's. Beside it each delivery carries the
//! headers of the Standard Webhooks specification 1.0.0 (`webhook-id`, `webhook-timestamp`,
//! `webhook-signature`), whose signature covers the time as well and has room for several secrets.

use aws_lc_rs::hmac::{self, HMAC_SHA256, Key};
use base64::{Engine, prelude::BASE64_STANDARD};
use kernel::{Timestamp, id::EventId};

use crate::{DeliveryId, Secret};

/// The names of the headers of a delivery, which depend on the brand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderNames {
    /// `x-BRAND-signature-256`.
    pub signature: String,
    /// `x-BRAND-signature-256-previous`: signature with the previous secret, while that is still valid.
    pub previous_signature: String,
    /// `x-BRAND-event-id`.
    pub event_id: String,
    /// `x-BRAND-event`: the event's name.
    pub event: String,
    /// `x-BRAND-delivery-id`.
    pub delivery_id: String,
    /// `x-BRAND-attempt`: attempt number, starting at 1.
    pub attempt: String,
}

impl HeaderNames {
    /// The names under a brand, which is one lower-case word.
    #[must_use]
    pub fn of_brand(brand: &str) -> Self {
        let name = |rest: &str| format!("x-{brand}-{rest}");
        Self {
            signature: name("signature-256"),
            previous_signature: name("signature-256-previous"),
            event_id: name("event-id"),
            event: name("event"),
            delivery_id: name("delivery-id"),
            attempt: name("attempt"),
        }
    }
}

/// What is signed and told of one attempt.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Signed<'a> {
    /// Exact bytes of the body.
    pub body: &'a str,
    /// The same in every attempt.
    pub event: EventId,
    pub event_name: &'a str,
    pub delivery: DeliveryId,
    /// Attempt number, starting at 1.
    pub attempt: u32,
    pub now: Timestamp,
}

/// The headers of an attempt, by the newest secret and the one before while that is still valid.
#[must_use]
pub fn headers<'a>(
    names: &'a HeaderNames,
    signed: &Signed<'_>,
    newest: &Secret,
    previous: Option<&Secret>,
) -> Vec<(&'a str, String)> {
    let id = signed.event.to_string();
    let seconds = signed.now.micros().div_euclid(1_000_000).to_string();
    let mut standard = standard_signature(newest, &id, &seconds, signed.body);
    let mut headers = Vec::with_capacity(9);
    headers.push((names.signature.as_str(), signature_256(newest, signed.body.as_bytes())));
    if let Some(previous) = previous {
        let old = signature_256(previous, signed.body.as_bytes());
        headers.push((names.previous_signature.as_str(), old));
        standard.push(' ');
        standard.push_str(&standard_signature(previous, &id, &seconds, signed.body));
    }
    headers.push((names.event_id.as_str(), id.clone()));
    headers.push((names.event.as_str(), signed.event_name.to_owned()));
    headers.push((names.delivery_id.as_str(), signed.delivery.to_string()));
    headers.push((names.attempt.as_str(), signed.attempt.to_string()));
    headers.push(("webhook-id", id));
    headers.push(("webhook-timestamp", seconds));
    headers.push(("webhook-signature", standard));
    headers
}

/// The signature of the contract: lowercase hexadecimal HMAC-SHA256 of the raw body.
#[must_use]
pub fn signature_256(secret: &Secret, body: &[u8]) -> String {
    let key = Key::new(HMAC_SHA256, secret.reveal().as_bytes());
    hex::encode(hmac::sign(&key, body))
}

/// Whether a signature of the contract is genuine, compared in constant time.
///
/// ```
/// use webhooks::{Secret, signing};
/// let secret = Secret::from_random([7; 32]);
/// let signature = signing::signature_256(&secret, b"{}");
/// assert!(signing::verify_256(secret.reveal(), b"{}", &signature));
/// assert!(!signing::verify_256(secret.reveal(), b"{ }", &signature));
/// ```
#[must_use]
pub fn verify_256(secret: &str, body: &[u8], signature: &str) -> bool {
    let key = Key::new(HMAC_SHA256, secret.as_bytes());
    // Hexadecimal digits in upper case are not what the contract sends.
    let lower = !signature.bytes().any(|b| b.is_ascii_uppercase());
    lower && hex::decode(signature).is_ok_and(|tag| hmac::verify(&key, body, &tag).is_ok())
}

/// `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks, signature scheme).
fn standard_signature(secret: &Secret, id: &str, seconds: &str, body: &str) -> String {
    let key = Key::new(HMAC_SHA256, secret.bytes());
    let mut signing = hmac::Context::with_key(&key);
    for part in [id, ".", seconds, ".", body] {
        signing.update(part.as_bytes());
    }
    format!("v1,{}", BASE64_STANDARD.encode(signing.sign()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed() -> Signed<'static> {
        Signed {
            body: r#"{"test": 2432232314}"#,
            event: EventId::from_u128(1),
            event_name: "order.created",
            delivery: DeliveryId::from_u128(2),
            attempt: 1,
            now: Timestamp::from_micros(1_614_265_330_000_000),
        }
    }

    #[test]
    fn signs_as_rfc_4231_has_it() {
        // Test case 2: key "Jefe", data "what do ya want for nothing?".
        let tag = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert!(verify_256("Jefe", b"what do ya want for nothing?", tag));
        assert!(!verify_256("Jefe", b"what do ya want for nothing?", &tag.to_uppercase()));
        assert!(!verify_256("Jefe", b"what do ya want for nothing?", &tag[2..]));
        assert!(!verify_256("Jefe", b"what do ya want for nothing?", ""));
    }

    #[test]
    fn standard_webhooks_example_is_reproduced() {
        // The example of the specification's reference libraries; its secret has 24 bytes, ours 32.
        let bytes = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let key = Key::new(HMAC_SHA256, &bytes);
        let text = r#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#;
        assert_eq!(
            BASE64_STANDARD.encode(hmac::sign(&key, text.as_bytes())),
            "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn the_contract_header_is_the_newest_secrets_during_an_overlap() {
        let names = HeaderNames::of_brand("service");
        let (newest, old) = (Secret::from_random([1; 32]), Secret::from_random([2; 32]));
        let headers = headers(&names, &signed(), &newest, Some(&old));
        let value = |name: &str| {
            headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
        };
        let body = signed().body.as_bytes();
        assert_eq!(value("x-service-signature-256"), Some(signature_256(&newest, body)));
        assert_eq!(value("x-service-signature-256-previous"), Some(signature_256(&old, body)));
        assert_eq!(value("x-service-event-id"), Some(EventId::from_u128(1).to_string()));
        assert_eq!(value("webhook-id"), value("x-service-event-id"));
        assert_eq!(value("webhook-signature").unwrap().split(' ').count(), 2);
    }
}
