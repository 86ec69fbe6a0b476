//! What a notification of Conekta's is worth: it signs the body with a key of the account's, of which the other half is public.

use aws_lc_rs::signature::{RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use base64::{Engine, engine::general_purpose::STANDARD};
use payments::{
    PaymentId,
    gateway::{About, Verified},
    notice::Received,
};
use serde_json::Value;

use super::seen::is_plain;
use crate::collect::json::{at, owned, text};

const HEADER: &str = "digest";

pub(super) fn verify(public_key: Option<&str>, received: &Received) -> Verified {
    let body = serde_json::from_slice::<Value>(&received.body).ok();
    let Some(about) = body.as_ref().and_then(about) else { return Verified::Unreadable };
    match (received.header(HEADER), public_key) {
        // An account without such a key is sent none.
        (None, _) | (_, None) => Verified::Hint(about),
        (Some(header), Some(key)) if is_genuine(key, header, &received.body) => {
            Verified::Signed(about)
        }
        _ => Verified::Forged,
    }
}

fn is_genuine(public_key: &str, header: &str, body: &[u8]) -> bool {
    let Some(key) = key_of(public_key) else { return false };
    let Ok(signature) = STANDARD.decode(header.trim()) else { return false };
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key);
    key.verify(body, &signature).is_ok()
}

/// The key within a PEM file (`PUBLIC KEY`), however its lines were broken on the way here.
fn key_of(pem: &str) -> Option<Vec<u8>> {
    let plain = pem.replace("\\n", "\n");
    let lines = plain.split(['\n', '\r']).filter(|line| !line.contains("-----"));
    let text: String = lines.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
    let info = STANDARD.decode(text).ok()?;
    // SEQUENCE { SEQUENCE { algorithm }, BIT STRING { 0 unused bits, key } }
    let (_, outer) = value(0x30, &info)?;
    let (rest, _) = value(0x30, outer)?;
    let (_, bits) = value(0x03, rest)?;
    bits.strip_prefix(&[0]).map(<[u8]>::to_vec)
}

/// What follows a value of that tag, and the value.
fn value(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, bytes) = bytes.split_first()?;
    let (first, bytes) = bytes.split_first()?;
    if *found != tag {
        return None;
    }
    let digits = usize::from(first & 0x7f);
    let (length, bytes) = match first & 0x80 {
        0 => (digits, bytes),
        _ if digits > 4 => return None,
        _ => {
            let (length, bytes) = bytes.split_at_checked(digits)?;
            (length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), bytes)
        }
    };
    let (value, rest) = bytes.split_at_checked(length)?;
    Some((rest, value))
}

/// What an event is about; nothing of what is no event.
fn about(body: &Value) -> Option<About> {
    let kind = text(body, &["type"])?;
    let object = at(body, &["data", "object"])?;
    let order = match text(object, &["object"]) {
        Some("order") => owned(object, &["id"]),
        _ => owned(object, &["order_id"]),
    };
    let event = owned(body, &["id"]).filter(|id| is_plain(id) && id.len() <= 64);
    Some(About {
        event: event
            .map(|id| format!("{id} {kind}"))
            .filter(|event| event.len() <= 255 && !event.chars().any(char::is_control)),
        provider_ref: order.filter(|id| is_plain(id) && id.len() <= 64),
        payment: text(object, &["metadata", "payment"]).and_then(PaymentId::parse),
    })
}
