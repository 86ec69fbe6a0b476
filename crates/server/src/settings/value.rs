//! What a setting can hold: read from text wherever it was given, and shown again without secrets.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use api::{AllowedOrigin, Network};
use invoices::testers::Testers;

/// A kind of setting. Flags, environment and file all give text, so one reader handles all three.
pub trait Value: Sized {
    /// Reads the text.
    ///
    /// # Errors
    /// A clause that follows the setting's name and says what would be right.
    fn read(text: &str) -> Result<Self, String>;

    /// The text for people; secrets are masked.
    fn show(&self) -> String;
}

impl Value for SocketAddr {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
            .map_err(|_| "must be an IP address and a port such as 127.0.0.1:8080".to_owned())
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl Value for PathBuf {
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            Err("must be the path of a folder or file".to_owned())
        } else {
            Ok(Self::from(text))
        }
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

impl<T: Value> Value for Option<T> {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            NOTHING => Ok(None),
            _ => T::read(text).map(Some).map_err(|problem| format!("{problem}, or {NOTHING:?}")),
        }
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| NOTHING.to_owned(), T::show)
    }
}

/// How the absence of a value is written.
const NOTHING: &str = "none";

/// A whole number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: u32, const MAX: u32>(u32);

impl<const MIN: u32, const MAX: u32> Whole<MIN, MAX> {
    /// The number nearest to `number` within the bounds.
    #[must_use]
    pub fn near(number: usize) -> Self {
        Self(u32::try_from(number).unwrap_or(MAX).clamp(MIN, MAX))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The number as a count of things.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0 as usize
    }

    /// So many seconds.
    #[must_use]
    pub const fn seconds(self) -> Duration {
        Duration::from_secs(self.0 as u64)
    }

    /// So many days.
    #[must_use]
    pub const fn days(self) -> Duration {
        Duration::from_secs(self.0 as u64 * 86_400)
    }

    /// So many hours.
    #[must_use]
    pub const fn hours(self) -> Duration {
        Duration::from_secs(self.0 as u64 * 3_600)
    }
}

impl<const MIN: u32, const MAX: u32> Value for Whole<MIN, MAX> {
    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number));
        number.map(Self).ok_or_else(|| format!("must be a whole number from {MIN} to {MAX}"))
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

/// The word that API keys and delivery headers start with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brand(String);

/// The most letters of a brand: it becomes part of every key and header.
const BRAND_LETTERS_MAX: usize = 32;

impl Brand {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Brand {
    fn default() -> Self {
        Self("service".to_owned())
    }
}

impl Value for Brand {
    fn read(text: &str) -> Result<Self, String> {
        let well_formed = (1..=BRAND_LETTERS_MAX).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase());
        if well_formed {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("must be one word of 1 to {BRAND_LETTERS_MAX} letters from a to z"))
        }
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}

/// Networks whose word about a client's address is believed.
#[derive(Clone, Debug, Default)]
pub struct Proxies(pub Vec<Network>);

impl Value for Proxies {
    fn read(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(str::trim).filter(|name| !matches!(*name, "" | NOTHING));
        let networks: Result<Vec<Network>, _> = names.map(str::parse).collect();
        networks.map(Self).map_err(|_| {
            "must be a comma-separated list of addresses or networks such as 10.0.0.0/8,::1"
                .to_owned()
        })
    }

    fn show(&self) -> String {
        let networks: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        if networks.is_empty() { NOTHING.to_owned() } else { networks.join(",") }
    }
}

/// Origins whose pages may call the API.
#[derive(Clone, Debug, Default)]
pub struct Origins(pub Vec<AllowedOrigin>);

impl Value for Origins {
    fn read(text: &str) -> Result<Self, String> {
        let names = text.split(',').map(str::trim).filter(|name| !matches!(*name, "" | NOTHING));
        let origins: Result<Vec<AllowedOrigin>, _> = names.map(AllowedOrigin::parse).collect();
        origins.map(Self).map_err(|_| {
            "must be a comma-separated list of origins such as https://admin.example, or *"
                .to_owned()
        })
    }

    fn show(&self) -> String {
        let origins: Vec<&str> = self.0.iter().map(AllowedOrigin::as_str).collect();
        if origins.is_empty() { NOTHING.to_owned() } else { origins.join(",") }
    }
}

impl Value for Testers {
    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|wrong| {
            format!("must be a comma-separated list of addresses and domains such as @example.com, not {wrong:?}")
        })
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// In which form the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable lines.
    Human,
    /// One JSON object per line.
    Json,
}

impl Value for LogFormat {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "human" => Ok(Self::Human),
            "json" => Ok(Self::Json),
            _ => Err("must be human or json".to_owned()),
        }
    }

    fn show(&self) -> String {
        let name = match self {
            Self::Human => "human",
            Self::Json => "json",
        };
        name.to_owned()
    }
}

/// What is logged: a filter in the language of `tracing`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter(String);

impl LogFilter {
    /// The filter's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for LogFilter {
    fn default() -> Self {
        Self("info".to_owned())
    }
}

impl Value for LogFilter {
    fn read(text: &str) -> Result<Self, String> {
        match tracing_subscriber::EnvFilter::builder().parse(text) {
            Ok(_) if !text.trim().is_empty() => Ok(Self(text.to_owned())),
            _ => Err("must be a level (error, warn, info, debug, trace) or a filter such as \
                      info,store=debug"
                .to_owned()),
        }
    }

    fn show(&self) -> String {
        self.0.clone()
    }
}
