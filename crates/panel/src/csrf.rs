//! Form tokens: what a page of ours carries and a page of somebody else cannot know.
//!
//! A token is the authentication code of the session's (or, before there is one, the visitor's) cookie, masked by fresh
//! random bytes: the same bytes twice in a compressed page would tell of it (BREACH).

use aws_lc_rs::{
    hmac::{self, HMAC_SHA256},
    rand::{SecureRandom, SystemRandom},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

const BYTES: usize = 32;
/// What tells this use of a cookie from others.
const USE: &[u8] = b"trastienda panel form";

/// What the forms of one browser are told by.
#[derive(Clone)]
pub(crate) struct Seed([u8; BYTES]);

impl Seed {
    /// Of the browser with this cookie.
    pub(crate) fn of(cookie: &str) -> Self {
        let code = hmac::sign(&hmac::Key::new(HMAC_SHA256, cookie.as_bytes()), USE);
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(code.as_ref());
        Self(bytes)
    }

    /// A token for a form; no form can be sent with what stands there if the system has no random numbers.
    pub(crate) fn token(&self) -> String {
        let mut mask = [0; BYTES];
        if SystemRandom::new().fill(&mut mask).is_err() {
            return String::new();
        }
        let masked = self.0.iter().zip(mask).map(|(byte, mask)| byte ^ mask);
        let bytes: Vec<u8> = mask.into_iter().chain(masked).collect();
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Something that is the same in one browser alone, for telling its forms from others; never to be shown.
    pub(crate) fn mark(&self) -> &[u8] {
        &self.0
    }

    /// Whether a token is of this browser.
    pub(crate) fn made(&self, token: &str) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(token) else { return false };
        let Some((mask, masked)) = bytes.split_at_checked(BYTES) else { return false };
        let differing =
            |found: u8, ((mask, masked), own): ((&u8, &u8), &u8)| found | (mask ^ masked ^ own);
        masked.len() == BYTES && mask.iter().zip(masked).zip(&self.0).fold(0, differing) == 0
    }
}

/// How long what [`random`] makes is: four characters for three bytes.
const RANDOM_CHARS: usize = 32;

/// Whether a text could be of [`random`].
pub(crate) fn is_random(text: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    text.len() == RANDOM_CHARS && text.bytes().all(is_plain)
}

/// Random text for a cookie or a form, 192 bits; nothing if the system has no random numbers.
pub(crate) fn random() -> Option<String> {
    let mut bytes = [0; 24];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_of_one_browser_and_never_the_same() {
        let (ana, beto) = (Seed::of("ana"), Seed::of("beto"));
        let (first, second) = (ana.token(), ana.token());
        assert_ne!(first, second);
        assert!(ana.made(&first) && ana.made(&second));
        assert!(!beto.made(&first));
    }

    #[test]
    fn random_texts_are_told_from_others() {
        assert!(is_random(&random().unwrap()));
        for wrong in ["", "the-same-form", &"a".repeat(33), &format!("{}+", "a".repeat(31))] {
            assert!(!is_random(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let seed = Seed::of("ana");
        let token = seed.token();
        for wrong in
            ["", "x", &token[1..], &format!("{token}AAAA"), &token.replace(&token[..2], "__")]
        {
            assert!(!seed.made(wrong) || wrong == token, "{wrong}");
        }
        assert!(!seed.made(&URL_SAFE_NO_PAD.encode([0_u8; 2 * BYTES])));
    }
}
