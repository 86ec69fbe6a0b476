//! Whose key it is: `Authorization: Bearer <key>`.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use accounts::{Accounts, ApiKey, ApiKeyId, KeyDigest, KeyWatcher};
use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use kernel::{Message, Timestamp, message};

use crate::{
    error::{ApiError, Code},
    needs::Needs,
    reply,
};

/// The most keys remembered, in each of two generations.
const REMEMBERED_MAX: usize = 5_000;

/// Finds the keys behind requests.
pub(crate) struct Keys {
    brand: String,
    /// How long a key found is believed: within this time a revocation takes effect, should nobody tell of it.
    believed: Duration,
    remembered: RwLock<Remembered>,
}

/// Keys by digest. When the young generation is full the old one is dropped and the young one grows old,
/// so that forgetting costs nothing.
#[derive(Default)]
struct Remembered {
    young: HashMap<KeyDigest, Found>,
    old: HashMap<KeyDigest, Found>,
    /// Changes heard of so far.
    changes: u64,
}

#[derive(Clone)]
struct Found {
    key: Arc<ApiKey>,
    at: Instant,
}

impl Keys {
    /// With nothing remembered.
    pub(crate) fn new(brand: &str, believed: Duration) -> Self {
        Self { brand: brand.to_owned(), believed, remembered: RwLock::default() }
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
        if values.next().is_some() {
            return Err(self.invalid(message!(
                "send one Authorization header only",
                "envíe un solo encabezado Authorization"
            )));
        }
        let digest = self.digest_of(value)?;
        let key = match self.recall(&digest) {
            Some(key) => key,
            None => {
                let changes = self.changes();
                match reply::answered(accounts.find_key(digest)).await? {
                    Some(key) => {
                        if key.is_live(now) && !key.was_used_lately(now) {
                            drop(accounts.key_used(&key, now));
                        }
                        self.remember(digest, key, changes)
                    }
                    None => return Err(self.gone()),
                }
            }
        };
        if key.is_live(now) { Ok(key) } else { Err(self.gone()) }
    }

    /// Refuses a key without the scope.
    pub(crate) fn authorize(&self, key: &ApiKey, needs: Needs) -> Result<(), ApiError> {
        match needs.name() {
            Some(scope) if !needs.are_met_by(&key.scopes) => {
                Err(insufficient_scope(&self.brand, scope))
            }
            _ => Ok(()),
        }
    }

    fn recall(&self, digest: &KeyDigest) -> Option<Arc<ApiKey>> {
        let remembered = self.remembered.read().unwrap_or_else(PoisonError::into_inner);
        let found = remembered.young.get(digest).or_else(|| remembered.old.get(digest))?;
        (found.at.elapsed() < self.believed).then(|| Arc::clone(&found.key))
    }

    fn changes(&self) -> u64 {
        self.remembered.read().unwrap_or_else(PoisonError::into_inner).changes
    }

    /// Remembers a key that was looked up when there had been so many changes. After another one it may have been read too
    /// early, and is good for the request at hand alone.
    fn remember(&self, digest: KeyDigest, key: ApiKey, changes: u64) -> Arc<ApiKey> {
        let key = Arc::new(key);
        let found = Found { key: Arc::clone(&key), at: Instant::now() };
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        if remembered.changes != changes {
            return key;
        }
        if remembered.young.len() >= REMEMBERED_MAX {
            remembered.old = std::mem::take(&mut remembered.young);
        }
        remembered.young.insert(digest, found);
        key
    }

    /// The digest of the key in a value of `Authorization`; the name of the scheme may be in any case (RFC 9110
    /// §11.1). What shows without a look at the database is said in its own words.
    fn digest_of(&self, value: &HeaderValue) -> Result<KeyDigest, ApiError> {
        let brand = &self.brand;
        let given = value.to_str().unwrap_or_default().trim();
        let (scheme, key) = given.split_once(' ').map_or((given, ""), |(a, b)| (a, b.trim()));
        let looks_like_a_key = |text: &str| text.starts_with(&format!("{brand}_"));
        let problem = if looks_like_a_key(given) {
            message!(
                "the API key must follow the word Bearer: \"Authorization: Bearer <API_KEY>\"",
                "la clave de API debe ir después de la palabra Bearer: \"Authorization: Bearer <API_KEY>\""
            )
        } else if !scheme.eq_ignore_ascii_case("bearer") {
            message!(
                "the scheme of Authorization must be Bearer: \"Authorization: Bearer <API_KEY>\"",
                "el esquema de Authorization debe ser Bearer: \"Authorization: Bearer <API_KEY>\""
            )
        } else if key.starts_with(['"', '\'', '<']) {
            message!(
                "send the API key without quotation marks or brackets around it",
                "envíe la clave de API sin comillas ni corchetes"
            )
        } else if let Some(digest) = KeyDigest::of_key(brand, key) {
            return Ok(digest);
        } else if looks_like_a_key(key) {
            message!(
                "the API key is mistyped or incomplete: its last characters do not fit the others; copy \
                 it again",
                "la clave de API tiene un error o está incompleta: sus últimos caracteres no concuerdan \
                 con los demás; cópiela de nuevo"
            )
        } else {
            message!(
                "this is not an API key of this service: they begin with \"{brand}_\"",
                "esta no es una clave de API de este servicio: comienzan con \"{brand}_\""
            )
        };
        Err(self.invalid(problem))
    }

    /// There is no such key, or no more: nobody learns which.
    fn gone(&self) -> ApiError {
        self.invalid(message!(
            "the API key is unknown, revoked or expired",
            "la clave de API no existe, fue revocada o venció"
        ))
    }

    fn invalid(&self, problem: Message) -> ApiError {
        self.unauthorized(problem, ", error=\"invalid_token\"")
    }

    fn unauthorized(&self, message: Message, error: &str) -> ApiError {
        challenge(&self.brand, ApiError::new(Code::Unauthorized, message), error)
    }
}

impl KeyWatcher for Keys {
    fn key_changed(&self, id: ApiKeyId) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        remembered.young.retain(|_, found| found.key.id != id);
        remembered.old.retain(|_, found| found.key.id != id);
        remembered.changes += 1;
    }

    fn changes_missed(&self) {
        let mut remembered = self.remembered.write().unwrap_or_else(PoisonError::into_inner);
        let changes = remembered.changes + 1;
        *remembered = Remembered { changes, ..Remembered::default() };
    }
}

/// The refusal of a key that lacks a scope.
pub(crate) fn insufficient_scope(brand: &str, scope: &str) -> ApiError {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u128) -> (KeyDigest, ApiKey) {
        let byte = u8::try_from(number).unwrap();
        let made =
            accounts::NewApiKey::from_random("tienda", kernel::Mode::Live, &[byte; 64]).unwrap();
        let key = ApiKey {
            id: ApiKeyId::from_u128(number),
            account: kernel::AccountId::from_u128(1),
            name: "a".to_owned(),
            last4: made.last4().to_owned(),
            scopes: accounts::Scopes::all(),
            may_approve: false,
            rate_per_hour: None,
            created_at: Timestamp::from_micros(0),
            expires_at: None,
            is_by_previous_text: false,
            previous_until: None,
            revoked_at: None,
            last_used_at: None,
            version: 1,
        };
        (made.digest, key)
    }

    #[test]
    fn what_was_read_before_a_change_is_not_believed_after_it() {
        let keys = Keys::new("tienda", Duration::from_secs(3_600));
        let [(changed, key_changed), (other, key_other)] = [1, 2].map(key);
        let id = key_changed.id;
        let read_at = keys.changes();
        keys.remember(changed, key_changed.clone(), read_at);
        keys.remember(other, key_other, read_at);
        assert!(keys.recall(&changed).is_some());
        keys.key_changed(id);
        assert!(keys.recall(&changed).is_none());
        assert!(keys.recall(&other).is_some(), "only what has changed is forgotten");
        // Somebody was about to read it when it changed.
        keys.remember(changed, key_changed.clone(), read_at);
        assert!(keys.recall(&changed).is_none());
        keys.remember(changed, key_changed, keys.changes());
        assert!(keys.recall(&changed).is_some());
        keys.changes_missed();
        assert!(keys.recall(&changed).is_none() && keys.recall(&other).is_none());
    }

    #[test]
    fn what_is_wrong_with_a_key_is_said_as_far_as_it_shows() {
        let keys = Keys::new("tienda", Duration::ZERO);
        let key =
            accounts::NewApiKey::from_random("tienda", kernel::Mode::Live, &[7; 64]).unwrap().text;
        let said = |value: &str| {
            let digest = keys.digest_of(&HeaderValue::from_str(value).unwrap());
            digest.err().map(|refusal| refusal.message.to_string()).unwrap_or_default()
        };
        for given in [format!("Bearer {key}"), format!("bEARER   {key} ")] {
            assert_eq!(said(&given), "", "{given}");
        }
        for (given, part) in [
            (key.clone(), "must follow the word Bearer"),
            (String::new(), "must be Bearer"),
            (format!("Basic {key}"), "must be Bearer"),
            (format!("Bearer{key}"), "must be Bearer"),
            (format!("Bearer \"{key}\""), "without quotation marks"),
            (format!("Bearer <{key}>"), "without quotation marks"),
            ("Bearer tienda_abc".to_owned(), "mistyped or incomplete"),
            (format!("Bearer {key}0"), "mistyped or incomplete"),
            ("Bearer".to_owned(), "begin with \"tienda_\""),
            ("Bearer sk_live_123".to_owned(), "begin with \"tienda_\""),
        ] {
            assert!(said(&given).contains(part), "{given}: {}", said(&given));
        }
    }
}
