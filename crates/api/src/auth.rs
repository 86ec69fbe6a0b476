//! Whose key it is: `Authorization: Bearer <key>`.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use accounts::{Accounts, ApiKey, ApiKeyId, KeyDigest, Scope};
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use kernel::{Message, Timestamp, message};

use crate::{
    error::{ApiError, Code},
    reply,
};

/// How long a key found is believed: within this time a revocation takes effect on every node.
const BELIEVED: Duration = Duration::from_secs(2);
/// The most keys remembered, in each of two generations.
const REMEMBERED_MAX: usize = 5_000;

/// Finds the keys behind requests.
pub(crate) struct Keys {
    brand: String,
    remembered: RwLock<Remembered>,
}

/// Keys by digest. When the young generation is full the old one is dropped and the young one grows old,
/// so that forgetting costs nothing.
#[derive(Default)]
struct Remembered {
    young: HashMap<KeyDigest, Found>,
    old: HashMap<KeyDigest, Found>,
}

#[derive(Clone)]
struct Found {
    key: Arc<ApiKey>,
    at: Instant,
}

impl Keys {
    /// With nothing remembered.
    pub(crate) fn new(brand: &str) -> Self {
        Self { brand: brand.to_owned(), remembered: RwLock::default() }
    }

    /// The live key that the headers carry.
    pub(crate) async fn authenticate(
        &self,
        headers: &HeaderMap,
        accounts: &dyn Accounts,
        now: Timestamp,
    ) -> Result<Arc<ApiKey>, ApiError> {
        let mut values = headers.get_all(AUTHORIZATION);
        let Some(value) = values.next() else {
            let message = message!(
                "an API key is required: send \"Authorization: Bearer <API_KEY>\"",
                "se requiere una clave de API: envíe \"Authorization: Bearer <API_KEY>\""
            );
            return Err(self.unauthorized(message, ""));
        };
        let digest = bearer(value)
            .filter(|_| values.next().is_none())
            .and_then(|key| KeyDigest::of_key(&self.brand, key))
            .ok_or_else(|| self.invalid())?;
        let key = match self.recall(&digest) {
            Some(key) => key,
            None => match reply::answered(accounts.find_key(digest)).await? {
                Some(key) => self.remember(digest, key),
                None => return Err(self.invalid()),
            },
        };
        if key.is_live(now) { Ok(key) } else { Err(self.invalid()) }
    }

    /// Refuses a key without the scope.
    pub(crate) fn authorize(&self, key: &ApiKey, scope: Scope) -> Result<(), ApiError> {
        if key.scopes.allow(scope) {
            return Ok(());
        }
        Err(insufficient_scope(&self.brand, scope))
    }

    /// Forgets a key that was changed or revoked, so that the next request reads it again.
    pub(crate) fn forget(&self, id: ApiKeyId) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        remembered.young.retain(|_, found| found.key.id != id);
        remembered.old.retain(|_, found| found.key.id != id);
    }

    fn recall(&self, digest: &KeyDigest) -> Option<Arc<ApiKey>> {
        let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner);
        let found = remembered.young.get(digest).or_else(|| remembered.old.get(digest))?;
        (found.at.elapsed() < BELIEVED).then(|| Arc::clone(&found.key))
    }

    fn remember(&self, digest: KeyDigest, key: ApiKey) -> Arc<ApiKey> {
        let key = Arc::new(key);
        let found = Found { key: Arc::clone(&key), at: Instant::now() };
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        if remembered.young.len() >= REMEMBERED_MAX {
            remembered.old = std::mem::take(&mut remembered.young);
        }
        remembered.young.insert(digest, found);
        key
    }

    /// The same answer whatever is wrong with a key.
    fn invalid(&self) -> ApiError {
        let message = message!(
            "the API key is malformed, unknown, revoked or expired",
            "la clave de API está mal formada, no existe, fue revocada o venció"
        );
        self.unauthorized(message, ", error=\"invalid_token\"")
    }

    fn unauthorized(&self, message: Message, error: &str) -> ApiError {
        challenge(&self.brand, ApiError::new(Code::Unauthorized, message), error)
    }
}

/// The refusal of a key that lacks a scope.
pub(crate) fn insufficient_scope(brand: &str, scope: Scope) -> ApiError {
    let message = message!(
        "the API key lacks the scope \"{scope}\"",
        "la clave de API no tiene el permiso (scope) \"{scope}\""
    );
    let error = format!(", error=\"insufficient_scope\", scope=\"{scope}\"");
    challenge(brand, ApiError::new(Code::InsufficientScope, message), &error)
}

fn challenge(brand: &str, refusal: ApiError, error: &str) -> ApiError {
    let challenge = format!("Bearer realm=\"{brand}\"{error}");
    // The brand is a lower-case word, scopes and errors are tokens.
    let bare = HeaderValue::from_static("Bearer realm=\"api\"");
    let challenge = HeaderValue::from_str(&challenge).unwrap_or(bare);
    refusal.with(WWW_AUTHENTICATE, challenge)
}

/// The key in a value of `Authorization`; the name of the scheme may be in any case (RFC 9110 §11.1).
fn bearer(value: &HeaderValue) -> Option<&str> {
    let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_bearer_in_any_case() {
        let read = |text: &str| bearer(&HeaderValue::from_str(text).unwrap()).map(str::to_owned);
        assert_eq!(read("Bearer abc"), Some("abc".to_owned()));
        assert_eq!(read("bEARER   abc "), Some("abc".to_owned()));
        for wrong in ["", "abc", "Basic abc", "Bearerabc"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
