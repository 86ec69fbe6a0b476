//! How the sandbox signs its notifications: an HMAC over the moment and the body, as many providers do.

use aws_lc_rs::hmac;
use kernel::Timestamp;

/// The header that carries the signature: `t=SECONDS,v1=HEX`.
pub const SIGNATURE_HEADER: &str = "sandbox-signature";
/// How many seconds the moment of a signature may be away from ours, before or after.
pub const SIGNED_SECONDS: i64 = 300;

/// The value of the header.
#[must_use]
pub fn sign(secret: &str, body: &[u8], now: Timestamp) -> String {
    let seconds = now.micros() / 1_000_000;
    let tag = hmac::sign(&key(secret), &signed(seconds, body));
    format!("t={seconds},v1={}", hex::encode(tag.as_ref()))
}

/// Whether a header is the signature of a body under a secret, made not long before or after `now`.
pub(super) fn is_genuine(secret: &str, header: &str, body: &[u8], now: Timestamp) -> bool {
    let part = |name: &str| header.split(',').find_map(|part| part.trim().strip_prefix(name));
    let Some(seconds) = part("t=").and_then(|seconds| seconds.parse::<i64>().ok()) else {
        return false;
    };
    let is_near = (now.micros() / 1_000_000).abs_diff(seconds) <= SIGNED_SECONDS.unsigned_abs();
    let tag = part("v1=").and_then(|tag| hex::decode(tag).ok());
    let is_right =
        tag.is_some_and(|tag| hmac::verify(&key(secret), &signed(seconds, body), &tag).is_ok());
    is_near && is_right
}

fn key(secret: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())
}

fn signed(seconds: i64, body: &[u8]) -> Vec<u8> {
    [format!("{seconds}.").as_bytes(), body].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_s_own_fresh_signature_is_genuine() {
        let now = Timestamp::from_micros(1_000_000_000_000);
        let header = sign("secret", b"{}", now);
        assert!(is_genuine("secret", &header, b"{}", now.plus_seconds(300)));
        assert!(is_genuine("secret", &header, b"{}", now.plus_seconds(-300)));
        for (secret, header, body, at) in [
            ("other", header.as_str(), &b"{}"[..], now),
            ("secret", &header, b"{ }", now),
            ("secret", &header, b"{}", now.plus_seconds(301)),
            ("secret", &header, b"{}", now.plus_seconds(-301)),
            ("secret", "t=1000000,v1=", b"{}", now),
            ("secret", "", b"{}", now),
        ] {
            assert!(!is_genuine(secret, header, body, at), "{secret} {header}");
        }
    }
}
