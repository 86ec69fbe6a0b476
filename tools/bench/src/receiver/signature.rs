//! The signature that a delivery carries: lowercase hexadecimal HMAC-SHA256 of its raw body.

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// What signs the deliveries of an endpoint: the text of its secret.
pub(crate) fn key(secret: &str) -> Key {
    Key::new(HMAC_SHA256, secret.as_bytes())
}

/// The digits of the signature of `body`.
pub(crate) fn hex(key: &Key, body: &[u8]) -> [u8; 64] {
    let tag = sign(key, body);
    let mut digits = [b'0'; 64];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(tag.as_ref()) {
        for (digit, value) in pair.iter_mut().zip([byte >> 4, byte & 15]) {
            *digit = DIGITS.get(usize::from(value)).copied().unwrap_or_default();
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_as_rfc_4231_has_it() {
        // Test case 2.
        let digits = hex(&key("Jefe"), b"what do ya want for nothing?");
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(std::str::from_utf8(&digits), Ok(expected));
    }
}
