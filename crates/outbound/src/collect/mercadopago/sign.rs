//! What a notification of Mercado Pago's is worth. What it signs is what it is about, the request's identifier and the moment:
//! not the body.

use aws_lc_rs::hmac;
use payments::{
    PaymentId,
    gateway::{About, Verified},
    notice::Received,
};
use reqwest::Url;
use serde_json::Value;

use crate::collect::{
    hex::bytes,
    json::{owned, text},
};

use super::seen::is_plain;

const SIGNATURE: &str = "x-signature";
const REQUEST_ID: &str = "x-request-id";

pub(super) fn verify(secret: Option<&str>, received: &Received) -> Verified {
    let Some(about) = about(received) else { return Verified::Unreadable };
    match (received.header(SIGNATURE), secret) {
        // Some of its notifications have none.
        (None, _) | (_, None) => Verified::Hint(about),
        (Some(header), Some(secret)) if is_genuine(secret, header, received) => {
            Verified::Signed(about)
        }
        _ => Verified::Forged,
    }
}

/// A parameter of the address.
fn parameter(received: &Received, name: &str) -> Option<String> {
    let url = Url::parse(&format!("query:?{}", received.query)).ok()?;
    let found = url.query_pairs().find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned()).filter(|value| !value.trim().is_empty())
}

/// Its libraries disagree on whether the identifier is signed as it was sent or in lower case.
fn is_genuine(secret: &str, header: &str, received: &Received) -> bool {
    let part = |name: &str| {
        let mut parts = header.split(',').filter_map(|part| part.trim().split_once('='));
        parts.find(|(known, _)| known.trim() == name).map(|(_, value)| value.trim())
    };
    let (Some(moment), Some(tag)) = (part("ts"), part("v1")) else { return false };
    let is_moment = !moment.is_empty() && moment.bytes().all(|byte| byte.is_ascii_digit());
    let Some(tag) = bytes(tag).filter(|_| is_moment) else { return false };
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let request = received.header(REQUEST_ID).map(str::trim).filter(|id| !id.is_empty());
    let is_of = |id: Option<&str>| {
        let mut signed = String::new();
        for (name, value) in [("id", id), ("request-id", request), ("ts", Some(moment))] {
            if let Some(value) = value {
                signed.push_str(&format!("{name}:{value};"));
            }
        }
        hmac::verify(&key, signed.as_bytes(), &tag).is_ok()
    };
    let id = parameter(received, "data.id");
    let id = id.as_deref().map(str::trim);
    is_of(id) || id.is_some_and(|id| is_of(Some(&id.to_lowercase())))
}

/// What it is about. What is signed is the parameter of the address; the body only adds what tells it from others.
fn about(received: &Received) -> Option<About> {
    let body = serde_json::from_slice::<Value>(&received.body).unwrap_or_default();
    let kind = parameter(received, "type").or_else(|| parameter(received, "topic"));
    let kind = kind.or_else(|| owned(&body, &["type"]))?;
    let id = parameter(received, "data.id").or_else(|| parameter(received, "id"));
    let id = id.or_else(|| owned(&body, &["data", "id"]));
    let event = body.get("id").map(|id| id.to_string().trim_matches('"').to_owned());
    let action = text(&body, &["action"]).unwrap_or_default();
    let is_of_payment = kind == "payment";
    Some(About {
        event: event
            .filter(|id| is_plain(id))
            .map(|id| format!("{id} {action}"))
            .filter(|event| event.len() <= 255 && !event.chars().any(char::is_control)),
        provider_ref: id.filter(|id| is_of_payment && is_plain(id) && id.len() <= 64),
        payment: parameter(received, "payment").as_deref().and_then(PaymentId::parse),
    })
}
