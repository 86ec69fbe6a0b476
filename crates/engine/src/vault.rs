//! Sealing: secrets are kept encrypted with the server's master key.
//!
//! AES-256-GCM with a random nonce; the place where a secret is kept is authenticated with it, so that a
//! sealed text copied into another row does not open. A sealed text names its key, so that an older master
//! key can still be given beside a new one.

use base64::{Engine, prelude::BASE64_STANDARD};
use diesel::QueryResult;
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
    rand::{SecureRandom, SystemRandom},
};

use crate::{StoreError, rows::corrupt};

/// Bytes of a master key.
pub const MASTER_KEY_BYTES: usize = 32;
/// Bytes of the digest by which a key is named.
const KEY_ID_BYTES: usize = 8;

/// A key that seals secrets. It never shows itself in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKey([u8; MASTER_KEY_BYTES]);

impl MasterKey {
    /// The key of these bytes, which must be random.
    #[must_use]
    pub const fn new(bytes: [u8; MASTER_KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// Its name, which gives nothing of it away.
    fn id(&self) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let tag = hmac::sign(&key, b"trastienda master key");
        hex::encode(tag.as_ref().get(..KEY_ID_BYTES).unwrap_or_default())
    }
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(***)")
    }
}

/// Seals and opens.
pub struct Vault {
    /// By name; the first one seals. Without any, nothing can be sealed or opened.
    keys: Vec<(String, LessSafeKey)>,
    random: SystemRandom,
}

impl Vault {
    /// A vault of these keys.
    ///
    /// # Errors
    /// When one cannot be used.
    pub fn new(keys: &[MasterKey]) -> Result<Self, StoreError> {
        let named = |key: &MasterKey| {
            let unusable = |_| StoreError::MasterKey("cannot be used".to_owned());
            let unbound = UnboundKey::new(&AES_256_GCM, &key.0).map_err(unusable)?;
            Ok((key.id(), LessSafeKey::new(unbound)))
        };
        let keys = keys.iter().map(named).collect::<Result<_, StoreError>>()?;
        Ok(Self { keys, random: SystemRandom::new() })
    }

    /// Random bytes from the operating system.
    pub fn random<const N: usize>(&self) -> QueryResult<[u8; N]> {
        let mut bytes = [0; N];
        self.random
            .fill(&mut bytes)
            .map_err(|_| corrupt("no randomness: the operating system gives none"))?;
        Ok(bytes)
    }

    /// Seals a text that is kept at `place`.
    pub fn seal(&self, place: &str, text: &str) -> QueryResult<String> {
        let nonce: [u8; NONCE_LEN] = self.random()?;
        let (id, key) = self.keys.first().ok_or_else(|| corrupt("no master key"))?;
        let mut sealed = text.as_bytes().to_vec();
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(place),
            &mut sealed,
        )
        .map_err(|_| corrupt("a secret that cannot be sealed"))?;
        Ok(format!("{id}.{}", BASE64_STANDARD.encode([&nonce[..], &sealed].concat())))
    }

    /// Opens what was sealed for `place`.
    pub fn open(&self, place: &str, sealed: &str) -> QueryResult<String> {
        self.opened(place, sealed)
            .ok_or_else(|| corrupt(format!("a secret of {place} that no master key opens")))
    }

    fn opened(&self, place: &str, sealed: &str) -> Option<String> {
        let (id, text) = sealed.split_once('.')?;
        let (_, key) = self.keys.iter().find(|(known, _)| known == id)?;
        let mut bytes = BASE64_STANDARD.decode(text).ok()?;
        let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let text = key.open_in_place(nonce, Aad::from(place), sealed).ok()?;
        String::from_utf8(text.to_vec()).ok()
    }

    /// The key under which a text is sealed, by its name.
    fn key_of(sealed: &str) -> &str {
        sealed.split_once('.').map_or("", |(id, _)| id)
    }

    /// Whether a key is given that opens a sealed text.
    pub fn knows(&self, sealed: &str) -> bool {
        self.keys.iter().any(|(id, _)| id == Self::key_of(sealed))
    }

    /// Whether a text is sealed with the key that seals now.
    pub fn is_current(&self, sealed: &str) -> bool {
        self.keys.first().is_some_and(|(id, _)| id == Self::key_of(sealed))
    }

    /// How everything begins that is sealed with the key that seals now.
    pub fn current_start(&self) -> Option<String> {
        self.keys.first().map(|(id, _)| format!("{id}."))
    }

    /// Whether any key is given.
    pub const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: MasterKey = MasterKey::new([1; MASTER_KEY_BYTES]);
    const NEW: MasterKey = MasterKey::new([2; MASTER_KEY_BYTES]);

    #[test]
    fn a_sealed_text_opens_in_its_place_with_its_key_only() {
        let vault = Vault::new(&[OLD]).unwrap();
        let sealed = vault.seal("here", "whsec_x").unwrap();
        assert!(!sealed.contains("whsec"));
        assert_ne!(sealed, vault.seal("here", "whsec_x").unwrap());
        assert_eq!(vault.open("here", &sealed).unwrap(), "whsec_x");
        assert!(vault.open("there", &sealed).is_err());
        assert!(Vault::new(&[NEW]).unwrap().open("here", &sealed).is_err());
        assert_eq!(Vault::new(&[NEW, OLD]).unwrap().open("here", &sealed).unwrap(), "whsec_x");
        for damaged in ["", ".", "a.b", &sealed[..sealed.len() - 4]] {
            assert!(vault.open("here", damaged).is_err(), "{damaged}");
        }
        assert!(Vault::new(&[]).unwrap().seal("here", "whsec_x").is_err());
    }
}
