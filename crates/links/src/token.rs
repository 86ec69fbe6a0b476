//! What the holder of a link has.

use std::fmt;

use aws_lc_rs::{
    digest::{SHA256, digest},
    hmac,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// Bytes of randomness in the token of a link: 144 bits.
pub const RANDOM_BYTES: usize = 18;

/// 144 random bits that can stand in an address.
pub type Token = RandomToken<RANDOM_BYTES>;

/// What is kept of such a token, by which its link is found.
pub type TokenDigest = RandomDigest<RANDOM_BYTES>;

/// So many random bytes that can stand in an address or a cookie. They never show themselves in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct RandomToken<const BYTES: usize>(String);

/// The SHA-256 of a token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RandomDigest<const BYTES: usize>(String);

impl<const BYTES: usize> RandomToken<BYTES> {
    /// Characters of a token: three bytes are four of them.
    const CHARS: usize = (BYTES * 4).div_ceil(3);

    /// The token of these random bytes.
    #[must_use]
    pub fn from_random(random: [u8; BYTES]) -> Self {
        Self(BASE64_URL_SAFE_NO_PAD.encode(random))
    }

    /// Reads what [`reveal`](Self::reveal) has written; nothing else has its form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let has_form = text.len() == Self::CHARS
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        has_form.then(|| Self(text.to_owned()))
    }

    /// The text, for the eyes of its holder alone.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What only whoever has the token can say of a text.
    #[must_use]
    pub fn proof(&self, text: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.0.as_bytes());
        BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&key, text.as_bytes()))
    }

    /// Whether a proof is that of a text. It takes the same time for every wrong one.
    #[must_use]
    pub fn proves(&self, text: &str, proof: &str) -> bool {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.0.as_bytes());
        let tag = BASE64_URL_SAFE_NO_PAD.decode(proof);
        tag.is_ok_and(|tag| hmac::verify(&key, text.as_bytes(), &tag).is_ok())
    }

    /// What it is found by.
    #[must_use]
    pub fn digest(&self) -> RandomDigest<BYTES> {
        RandomDigest(hex::encode(digest(&SHA256, self.0.as_bytes())))
    }
}

impl<const BYTES: usize> fmt::Debug for RandomToken<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(***)")
    }
}

impl<const BYTES: usize> RandomDigest<BYTES> {
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
    fn a_proof_is_of_one_token_and_one_text() {
        let (one, other) = (Token::from_random([1; 18]), Token::from_random([2; 18]));
        let proof = one.proof("a");
        assert!(one.proves("a", &proof));
        assert!(!one.proves("b", &proof) && !other.proves("a", &proof));
        assert!(!one.proves("a", "") && !one.proves("a", "?") && !one.proves("a", &proof[1..]));
    }

    #[test]
    fn a_token_is_read_back_and_hides_itself() {
        let token = Token::from_random([251; RANDOM_BYTES]);
        assert_eq!(token.reveal(), "-_v7-_v7-_v7-_v7-_v7-_v7");
        assert_eq!(Token::parse(token.reveal()), Some(token.clone()));
        assert_eq!(format!("{token:?}"), "Token(***)");
        assert_eq!(token.digest().as_hex().len(), 64);
        for wrong in ["", "-_v7", "+/v7+/v7+/v7+/v7+/v7+/v7", "-_v7-_v7-_v7-_v7-_v7-_v7-"] {
            assert_eq!(Token::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_longer_token_is_another_one() {
        let token = RandomToken::<32>::from_random([251; 32]);
        assert_eq!(token.reveal().len(), 43);
        assert_eq!(RandomToken::parse(token.reveal()), Some(token.clone()));
        assert_eq!(Token::parse(token.reveal()), None);
        assert_ne!(token.digest(), RandomToken::from_random([1; 32]).digest());
        let short = &token.reveal()[1..];
        for wrong in [short, &format!("{short}+"), &format!("{short}xx")] {
            assert_eq!(RandomToken::<32>::parse(wrong), None, "{wrong}");
        }
    }
}
