//! The text that opens the document.

use crate::{Settings, error::Code};

/// The text, in Markdown, with what is set in its place.
pub(super) fn text(settings: &Settings) -> String {
    let errors: String = Code::EVERY
        .iter()
        .map(|code| format!("| {} | `{}` | {} |\n", code.status(), code.name(), code.meaning()))
        .collect();
    include_str!("../../assets/overview.md")
        .replace("{brand}", &settings.brand)
        .replace("{ip_rate}", &settings.ip_rate_per_minute.to_string())
        .replace("{key_rate}", &settings.key_rate_per_hour.to_string())
        .replace("{body_bytes}", &settings.body_bytes_max.to_string())
        .replace("{attempts}", &settings.schedule.attempts_max().to_string())
        .replace("{backoff}", &settings.backoff().join(", "))
        .replace("{timeout}", &settings.exchange_timeout.as_secs().to_string())
        .replace("{failures}", &settings.failures_max.to_string())
        .replace("{errors}", errors.trim_end())
}
