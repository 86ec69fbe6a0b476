//! Sessions with SW: tokens that end, kept in memory for the accounts that were used lately.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws_lc_rs::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use reqwest::header::HeaderValue;
use tokio::{
    sync::{Mutex as AsyncMutex, MutexGuard},
    time::Instant,
};

/// The most accounts with a session. Beyond it those are forgotten that nobody is using, which costs them a
/// sign-in.
pub const SESSIONS_MAX: usize = 1_024;

/// How long a token is used. It is valid for two hours.
pub const SESSION_TIME: Duration = Duration::from_secs(110 * 60);

/// The sessions of all accounts, by a digest of their credentials: no password is kept.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<[u8; SHA256_OUTPUT_LEN], Arc<Session>>>);

/// One account's session; one at a time signs in.
#[derive(Default)]
pub(super) struct Session(AsyncMutex<Option<Signed>>);

/// A session while nobody else may change it.
pub(super) struct Held<'a>(MutexGuard<'a, Option<Signed>>);

struct Signed {
    bearer: HeaderValue,
    until: Instant,
}

impl Sessions {
    /// The session of these credentials, perhaps one that is yet to begin.
    pub(super) fn of(&self, user: &str, password: &str) -> Arc<Session> {
        let text = format!("{} {user}{password}", user.len());
        let mut key = [0; SHA256_OUTPUT_LEN];
        key.copy_from_slice(digest(&SHA256, text.as_bytes()).as_ref());
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.len() >= SESSIONS_MAX && !sessions.contains_key(&key) {
            sessions.retain(|_, session| Arc::strong_count(session) > 1);
        }
        if sessions.len() >= SESSIONS_MAX && !sessions.contains_key(&key) {
            return Arc::default();
        }
        Arc::clone(sessions.entry(key).or_default())
    }
}

impl Session {
    /// Waits until nobody else signs in.
    pub(super) async fn hold(&self) -> Held<'_> {
        Held(self.0.lock().await)
    }
}

impl Held<'_> {
    /// The token in use, unless it is too old or the one that was just refused.
    pub(super) fn bearer(&self, refused: Option<&HeaderValue>) -> Option<HeaderValue> {
        let signed = self.0.as_ref().filter(|signed| Instant::now() < signed.until)?;
        Some(&signed.bearer).filter(|bearer| Some(*bearer) != refused).cloned()
    }

    /// A token that was just obtained.
    pub(super) fn sign(&mut self, bearer: HeaderValue) {
        *self.0 = Some(Signed { bearer, until: Instant::now() + SESSION_TIME });
    }
}

/// The header of a token, hidden from debug output; nothing when it has characters that no header may have.
pub(super) fn bearer(token: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(format!("Bearer {token}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, pause};

    use super::*;

    #[tokio::test]
    async fn a_token_is_used_until_shortly_before_its_end_or_until_it_is_refused() {
        pause();
        let sessions = Sessions::default();
        let (session, token) = (sessions.of("a", "b"), bearer("t").unwrap());
        assert_eq!(session.hold().await.bearer(None), None);
        session.hold().await.sign(token.clone());
        assert_eq!(sessions.of("a", "b").hold().await.bearer(None), Some(token.clone()));
        assert_eq!(session.hold().await.bearer(Some(&token)), None);
        assert_eq!(session.hold().await.bearer(bearer("older").as_ref()), Some(token));
        for (user, password) in [("a", "c"), ("ab", ""), ("", "ab")] {
            assert_eq!(sessions.of(user, password).hold().await.bearer(None), None);
        }
        advance(SESSION_TIME).await;
        assert_eq!(session.hold().await.bearer(None), None);
    }

    #[test]
    fn sessions_are_bounded() {
        let sessions = Sessions::default();
        let used = sessions.of("used", "");
        for number in 0..3 * SESSIONS_MAX {
            sessions.of(&number.to_string(), "");
            assert!(sessions.0.lock().unwrap().len() <= SESSIONS_MAX);
        }
        assert!(Arc::ptr_eq(&used, &sessions.of("used", "")));
        let all: Vec<_> = (0..2 * SESSIONS_MAX).map(|n| sessions.of(&n.to_string(), "")).collect();
        assert_eq!(sessions.0.lock().unwrap().len(), SESSIONS_MAX);
        drop(all);
    }

    #[test]
    fn a_token_is_not_shown() {
        assert_eq!(format!("{:?}", bearer("geheim").unwrap()), "Sensitive");
        assert_eq!(bearer("a\nb"), None);
    }
}
