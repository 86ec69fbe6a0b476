//! What can be set about the API.

use std::time::Duration;

use crate::Network;

/// What can be set about the API, each with the default of [`Settings::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The word that API keys begin with, lower case.
    pub brand: String,
    /// The most bytes of a request body.
    pub body_bytes_max: usize,
    /// How long a client may take to send a whole body.
    pub body_timeout: Duration,
    /// How long a request may wait for the database.
    pub request_timeout: Duration,
    /// Requests a minute and client address.
    pub ip_rate_per_minute: u32,
    /// Requests an hour and API key, for keys without a rate of their own.
    pub key_rate_per_hour: u32,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            brand: "service".to_owned(),
            body_bytes_max: 1024 * 1024,
            body_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(15),
            ip_rate_per_minute: 60,
            key_rate_per_hour: 3_600,
            trusted_proxies: Vec::new(),
        }
    }
}
