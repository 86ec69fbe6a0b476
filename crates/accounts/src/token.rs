//! What opens a session, an invitation or a set-up link: random bits that are kept as their digest only.

use std::fmt;

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// Bytes of randomness in a token: 256 bits.
pub const TOKEN_RANDOM_BYTES: usize = 32;
/// Characters of a token.
const CHARS: usize = 43;

/// 256 random bits that can stand in an address or a cookie. It never shows itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The SHA-256 of a token, by which what it opens is found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenDigest(String);

impl Token {
    /// The token of these random bytes.
    #[must_use]
    pub fn from_random(random: [u8; TOKEN_RANDOM_BYTES]) -> Self {
        Self(BASE64_URL_SAFE_NO_PAD.encode(random))
    }

    /// Reads what [`reveal`](Self::reveal) has written; nothing else has its form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let has_form = text.len() == CHARS
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        has_form.then(|| Self(text.to_owned()))
    }

    /// The text, for the eyes of its holder alone.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What it is found by.
    #[must_use]
    pub fn digest(&self) -> TokenDigest {
        TokenDigest(hex::encode(digest(&SHA256, self.0.as_bytes())))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

impl TokenDigest {
    /// In hexadecimal.
    #[must_use]
    pub fn as_hex(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_back_and_hides_itself() {
        let token = Token::from_random([251; TOKEN_RANDOM_BYTES]);
        assert_eq!(token.reveal().len(), CHARS);
        assert_eq!(Token::parse(token.reveal()), Some(token.clone()));
        assert_eq!(format!("{token:?}"), "Token(***)");
        assert_eq!(token.digest().as_hex().len(), 64);
        assert_ne!(token.digest(), Token::from_random([1; TOKEN_RANDOM_BYTES]).digest());
        let short = &token.reveal()[1..];
        for wrong in ["", short, &format!("{short}+"), &format!("{short}xx")] {
            assert_eq!(Token::parse(wrong), None, "{wrong}");
        }
    }
}
