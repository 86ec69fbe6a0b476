//! API keys: `<brand>_`, `test_` if it is one of a test account, 32 random base62 characters and 6 of checksum.

use std::fmt;

use aws_lc_rs::digest::{SHA256, digest};
use kernel::{AccountId, Mode, Timestamp};

pub use kernel::ApiKeyId;

use crate::Scopes;

/// Characters of a key after its prefix that carry its secret, 190 bits.
const SECRET_CHARS: usize = 32;
/// Characters of checksum at a key's end.
const CHECKSUM_CHARS: usize = 6;
/// What follows the brand in keys of test accounts.
const TEST_MARK: &str = "test_";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The SHA-256 of a key, the only form in which it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    /// The digest of a key as sent, or `None` when its prefix, length, alphabet or checksum shows that no
    /// such key was ever made: a typo costs no database read.
    #[must_use]
    pub fn of_key(brand: &str, key: &str) -> Option<Self> {
        let marked = key.strip_prefix(brand)?.strip_prefix('_')?;
        let body = marked.strip_prefix(TEST_MARK).unwrap_or(marked);
        let start = key.get(..key.len() - body.len() + SECRET_CHARS)?;
        let checksum = key.get(start.len()..)?;
        let well_formed = checksum.len() == CHECKSUM_CHARS
            && body.bytes().all(|b| b.is_ascii_alphanumeric())
            && checksum_of(start) == checksum;
        well_formed.then(|| Self::of(key))
    }

    fn of(key: &str) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, key.as_bytes()).as_ref());
        Self(bytes)
    }

    /// In hexadecimal.
    #[must_use]
    pub fn to_hex(self) -> String {
        hex::encode(self.0)
    }
}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(..)")
    }
}

/// Of all that comes before it.
fn checksum_of(start: &str) -> String {
    let sum = digest(&SHA256, start.as_bytes());
    sum.as_ref().iter().take(CHECKSUM_CHARS).map(|byte| base62(*byte)).collect()
}

fn base62(byte: u8) -> char {
    BASE62.get(usize::from(byte) % BASE62.len()).map_or('0', |b| char::from(*b))
}

/// A key just made: the only moment at which its text is known.
pub struct NewApiKey {
    /// The key itself, to be shown once and never stored.
    pub text: String,
    /// SHA-256 of the key, the only form in which it is stored.
    pub digest: KeyDigest,
}

impl NewApiKey {
    /// Makes a key for accounts of a mode from random bytes; a byte that would favour some characters is skipped.
    ///
    /// # Errors
    /// When `random` has too few usable bytes: give it 64 and try again with others.
    pub fn from_random(brand: &str, mode: Mode, random: &[u8]) -> Result<Self, &'static str> {
        let usable = random.iter().filter(|byte| usize::from(**byte) < 4 * BASE62.len());
        let secret: String = usable.take(SECRET_CHARS).map(|byte| base62(*byte)).collect();
        if secret.len() < SECRET_CHARS {
            return Err("too little randomness for a key");
        }
        let mark = if mode == Mode::Test { TEST_MARK } else { "" };
        let start = format!("{brand}_{mark}{secret}");
        let text = format!("{start}{}", checksum_of(&start));
        let digest = KeyDigest::of(&text);
        Ok(Self { text, digest })
    }

    /// Its last four characters, by which people tell keys apart.
    #[must_use]
    pub fn last4(&self) -> &str {
        self.text.get(self.text.len().saturating_sub(4)..).unwrap_or_default()
    }
}

impl fmt::Debug for NewApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewApiKey(…{})", self.last4())
    }
}

/// A key on record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ApiKey {
    pub id: ApiKeyId,
    pub account: AccountId,
    pub name: String,
    /// Its last four characters.
    pub last4: String,
    pub scopes: Scopes,
    /// Whether its holder may approve what others ask for, within its scopes. No scope says so, `*` neither.
    pub may_approve: bool,
    /// Requests per hour allowed for the key; if absent, the service's setting applies.
    pub rate_per_hour: Option<u32>,
    pub created_at: Timestamp,
    /// When the key expires.
    pub expires_at: Option<Timestamp>,
    /// Whether it was found by the text that it had before its last rotation.
    pub is_by_previous_text: bool,
    /// Until when the text that it had before its last rotation opens what it does, if any.
    pub previous_until: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// When a request last came with it, to the hour, if that is known.
    pub last_used_at: Option<Timestamp>,
    /// Grows with each change.
    pub version: i64,
}

impl ApiKey {
    /// The key as the text opens it that it had before its last rotation: until the overlap is over.
    #[must_use]
    pub fn by_previous_text(self) -> Self {
        let until = self.previous_until.unwrap_or(self.created_at);
        let expires_at = Some(self.expires_at.map_or(until, |own| own.min(until)));
        Self { expires_at, is_by_previous_text: true, ..self }
    }

    /// Whether it is on record that it was used within the hour.
    #[must_use]
    pub fn was_used_lately(&self, now: Timestamp) -> bool {
        self.last_used_at.is_some_and(|at| now < at.plus_seconds(3_600))
    }

    /// Whether it opens anything at `now`.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(mode: Mode) -> NewApiKey {
        NewApiKey::from_random("service", mode, &(0..64).collect::<Vec<u8>>()).unwrap()
    }

    #[test]
    fn a_key_is_prefix_secret_and_checksum() {
        for (mode, prefix) in [(Mode::Live, "service_"), (Mode::Test, "service_test_")] {
            let key = key(mode);
            let rest = key.text.strip_prefix(prefix).unwrap();
            assert_eq!(rest.len(), SECRET_CHARS + CHECKSUM_CHARS);
            assert_eq!(KeyDigest::of_key("service", &key.text), Some(key.digest));
            assert!(key.text.ends_with(key.last4()));
            assert!(!format!("{key:?} {:?}", key.digest).contains(&key.text));
        }
    }

    #[test]
    fn a_typo_is_no_key() {
        for mode in Mode::EVERY {
            let text = key(*mode).text;
            for position in 0..text.len() {
                let mut typo = text.clone().into_bytes();
                typo[position] = if typo[position] == b'x' { b'y' } else { b'x' };
                let typo = std::str::from_utf8(&typo).unwrap();
                assert_eq!(KeyDigest::of_key("service", typo), None, "{typo}");
            }
        }
        // The mode cannot be changed by hand either.
        let text = key(Mode::Live).text;
        let marked = text.replace("service_", "service_test_");
        assert_eq!(KeyDigest::of_key("service", &marked), None);
        for wrong in [
            "",
            "service_",
            "other_abc",
            &text[1..],
            &format!("{text}0"),
            "service_test_",
            "service_test_test_",
            "service_ñññññññññññññññññññññññññññññññññññññ",
        ] {
            assert_eq!(KeyDigest::of_key("service", wrong), None, "{wrong}");
        }
        assert_eq!(KeyDigest::of_key("otra", &text), None);
    }

    #[test]
    fn the_text_of_before_opens_a_key_until_its_overlap_is_over() {
        let at = |seconds| Timestamp::from_micros(0).plus_seconds(seconds);
        let key = |expires_at, previous_until| ApiKey {
            id: ApiKeyId::from_u128(1),
            account: AccountId::from_u128(1),
            name: String::new(),
            last4: String::new(),
            scopes: Scopes::all(),
            may_approve: false,
            rate_per_hour: None,
            created_at: at(0),
            expires_at,
            is_by_previous_text: false,
            previous_until,
            revoked_at: None,
            last_used_at: None,
            version: 1,
        };
        for (expires_at, previous_until, ends) in [
            (None, Some(at(60)), at(60)),
            (Some(at(30)), Some(at(60)), at(30)),
            (Some(at(90)), Some(at(60)), at(60)),
            (None, None, at(0)),
        ] {
            let key = key(expires_at, previous_until).by_previous_text();
            assert!(key.is_live(at(-1)) || ends == at(0));
            assert!(key.is_by_previous_text);
            assert!(!key.is_live(ends) && key.is_live(ends.plus_seconds(-1)));
        }
    }

    #[test]
    fn too_little_randomness_is_refused() {
        assert!(NewApiKey::from_random("service", Mode::Live, &[255; 64]).is_err());
    }
}
