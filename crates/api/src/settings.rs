//! What can be set about the API.

use std::time::Duration;

use webhooks::{Reach, Schedule};

use crate::{AllowedOrigin, Network};

/// Longer than a commit takes, and shorter than clients wait.
pub const TWIN_TIMEOUT: Duration = Duration::from_secs(5);

/// As long as a revoked key is let in at most, where nobody tells of its end.
pub const KEY_CACHE_TTL: Duration = Duration::from_secs(2);

/// What can be set about the API, each with the default of [`Settings::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The word that API keys begin with, lower case.
    pub brand: String,
    /// The most bytes of a request body.
    pub body_bytes_max: usize,
    /// How long a client may take to send a whole body.
    pub body_timeout: Duration,
    /// How long a client may leave a piece of an answer lying, of 64 KiB or what is left of it.
    pub answer_timeout: Duration,
    /// How long a request may wait for the database.
    pub request_timeout: Duration,
    /// How long a request may wait for a certification provider or a mail server.
    pub provider_timeout: Duration,
    /// How long a request waits for another under the same `Idempotency-Key`.
    pub twin_timeout: Duration,
    /// How long a key that was looked up is not looked up again, unless it is told that it has changed.
    pub key_cache_ttl: Duration,
    /// Requests a minute and client address.
    pub ip_rate_per_minute: u32,
    /// Requests an hour and API key, for keys without a rate of their own.
    pub key_rate_per_hour: u32,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Where the public reaches the service, without a slash at the end; where the request came to if it is not told.
    pub public_url: Option<String>,
    /// Origins whose pages a browser lets call the API.
    pub allowed_origins: Vec<AllowedOrigin>,
    /// Which URLs a webhook may have.
    pub reach: Reach,
    /// When a delivery is attempted, as the event catalog tells it: whoever delivers must keep to the same.
    pub schedule: Schedule,
    /// How long an endpoint has for its whole answer, as the documentation tells it.
    pub exchange_timeout: Duration,
    /// Failed attempts in a row that disable an endpoint, as the documentation tells it.
    pub failures_max: u32,
}

impl Settings {
    /// How long each attempt of a delivery waits, in words.
    pub(crate) fn backoff(&self) -> Vec<String> {
        self.schedule.delays().iter().map(|delay| in_words(*delay)).collect()
    }
}

/// A delay as people write it, in the largest unit in which it is a whole number.
fn in_words(delay: Duration) -> String {
    let seconds = delay.as_secs();
    match delay {
        Duration::ZERO => "immediate".to_owned(),
        _ if delay.subsec_nanos() != 0 => format!("{} ms", delay.as_millis()),
        _ if seconds.is_multiple_of(3_600) => format!("{} h", seconds / 3_600),
        _ if seconds.is_multiple_of(60) => format!("{} min", seconds / 60),
        _ => format!("{seconds} s"),
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            brand: "service".to_owned(),
            body_bytes_max: 1024 * 1024,
            body_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_secs(15),
            provider_timeout: Duration::from_secs(30),
            twin_timeout: TWIN_TIMEOUT,
            key_cache_ttl: KEY_CACHE_TTL,
            ip_rate_per_minute: 60,
            key_rate_per_hour: 3_600,
            trusted_proxies: Vec::new(),
            public_url: None,
            allowed_origins: Vec::new(),
            reach: Reach::default(),
            schedule: Schedule::default(),
            exchange_timeout: Duration::from_secs(5),
            failures_max: webhooks::health::FAILURES_MAX_DEFAULT,
        }
    }
}
