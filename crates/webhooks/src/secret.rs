//! The secret that a subscriber shares with the service.

use base64::{Engine, prelude::BASE64_STANDARD};

/// What a secret starts with, as the Standard Webhooks specification has it; scanners find leaks by it.
pub const PREFIX: &str = "whsec_";

/// Bytes of randomness in a secret.
pub const RANDOM_BYTES: usize = 32;

/// A signing secret: `whsec_` and 256 random bits in Base64.
///
/// Its whole text keys the signature of the contract; the bytes behind its prefix key the signature of
/// Standard Webhooks. It never shows itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: String,
    bytes: Vec<u8>,
}

impl Secret {
    /// The secret of these random bytes.
    #[must_use]
    pub fn from_random(random: [u8; RANDOM_BYTES]) -> Self {
        let text = format!("{PREFIX}{}", BASE64_STANDARD.encode(random));
        Self { text, bytes: random.to_vec() }
    }

    /// Reads the text of a secret made by [`Secret::from_random`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        (bytes.len() == RANDOM_BYTES).then(|| Self { text: text.to_owned(), bytes })
    }

    /// The text, for its subscriber's eyes alone.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The bytes behind the prefix.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_back_and_hides_itself() {
        let secret = Secret::from_random([7; RANDOM_BYTES]);
        assert_eq!(Secret::parse(secret.reveal()), Some(secret.clone()));
        assert_eq!(format!("{secret:?}"), "Secret(***)");
        for wrong in ["", "whsec_", "whsec_AAAA", "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="] {
            assert_eq!(Secret::parse(wrong), None, "{wrong}");
        }
    }
}
