//! Sealing: secrets are kept encrypted with the server's master key.
//!
//! AES-256-GCM with a random nonce; the place where a secret is kept is authenticated with it, so that a
//! sealed text copied into another row does not open. A sealed text names its key, so that an older master
//! key can still be given beside a new one.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
    rand::{SecureRandom, SystemRandom},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use diesel::QueryResult;

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

/// How many secrets are remembered as what they were read as.
const REMEMBERED_MAX: usize = 64;
/// For how long they serve. One that serves no more goes as soon as any other is asked for.
const REMEMBERED_FOR: Duration = Duration::from_secs(60);

/// Seals and opens.
pub struct Vault {
    /// By name; the first one seals. Without any, nothing can be sealed or opened.
    keys: Vec<(String, LessSafeKey)>,
    random: SystemRandom,
    remembered: Mutex<HashMap<(String, String), Remembered>>,
}

/// What a secret was read as, and when.
struct Remembered {
    value: Arc<dyn Any + Send + Sync>,
    since: Instant,
}

impl Remembered {
    fn get(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::clone(&self.value)
    }

    fn is_fresh(&self) -> bool {
        self.since.elapsed() < REMEMBERED_FOR
    }
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
        Ok(Self { keys, random: SystemRandom::new(), remembered: Mutex::default() })
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

    /// What was sealed for `place`, opened and read, which takes long: for a minute it is remembered as what it was read as.
    ///
    /// # Errors
    /// Those of [`open`](Self::open) and of `read`.
    pub fn open_as<T: Send + Sync + 'static>(
        &self,
        place: &str,
        sealed: &str,
        read: impl FnOnce(&str) -> QueryResult<Arc<T>>,
    ) -> QueryResult<Arc<T>> {
        let name = (place.to_owned(), sealed.to_owned());
        self.remembered().retain(|_, known| known.is_fresh());
        let known = self.remembered().get(&name).map(Remembered::get);
        if let Some(Ok(value)) = known.map(|value| value.downcast::<T>()) {
            return Ok(value);
        }
        let value = read(&self.open(place, sealed)?)?;
        let mut remembered = self.remembered();
        if remembered.len() >= REMEMBERED_MAX {
            let oldest = remembered.iter().min_by_key(|(_, known)| known.since);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                remembered.remove(&oldest);
            }
        }
        let kept = Remembered { value: value.clone(), since: Instant::now() };
        remembered.insert(name, kept);
        Ok(value)
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<(String, String), Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
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
    pub(crate) fn current_start(&self) -> Option<String> {
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

    #[test]
    fn a_secret_is_read_once_for_its_place_and_text() {
        let vault = Vault::new(&[OLD]).unwrap();
        let (one, other) = (vault.seal("here", "1").unwrap(), vault.seal("here", "2").unwrap());
        let number = |text: &str| Ok(Arc::new(text.parse::<u8>().unwrap()));
        let unread = |_: &str| -> QueryResult<Arc<u8>> { panic!("it is known") };
        assert_eq!(*vault.open_as("here", &one, number).unwrap(), 1);
        assert_eq!(*vault.open_as("here", &one, unread).unwrap(), 1);
        assert_eq!(*vault.open_as("here", &other, number).unwrap(), 2);
        assert!(vault.open_as("there", &one, number).is_err());
        assert!(vault.open_as("here", "a.b", number).is_err());
        // Read as something else it is read anew.
        let text = |text: &str| Ok(Arc::new(text.to_owned()));
        assert_eq!(*vault.open_as("here", &one, text).unwrap(), "1");
        let mut last = String::new();
        for place in 0..=REMEMBERED_MAX {
            let place = place.to_string();
            last = vault.seal(&place, "3").unwrap();
            assert_eq!(*vault.open_as(&place, &last, number).unwrap(), 3);
        }
        assert_eq!(vault.remembered().len(), REMEMBERED_MAX);
        let place = REMEMBERED_MAX.to_string();
        assert_eq!(*vault.open_as(&place, &last, unread).unwrap(), 3, "the oldest has made room");
    }
}
