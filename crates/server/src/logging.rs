//! The log, on standard error.

use std::{io::IsTerminal, panic};

use tracing_subscriber::{EnvFilter, fmt};

use crate::settings::{LogFilter, LogFormat, Settings};

/// What stays out of the log unless it is asked for: how actix starts its threads, and what it says of peers without
/// saying which; `http::serving` does.
const QUIET: &str = "actix_server=warn,actix_http=off";

/// Starts the log and sends panics there.
///
/// # Errors
/// When something else in this process logs already.
pub fn start(settings: &Settings) -> anyhow::Result<()> {
    let builder = fmt()
        .with_env_filter(filter(&settings.log))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let started = match settings.log_format {
        LogFormat::Human => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("cannot initialize logging: {error}"))?;
    log_panics();
    Ok(())
}

fn filter(wanted: &LogFilter) -> EnvFilter {
    EnvFilter::builder().parse_lossy(format!("{QUIET},{}", wanted.as_str()))
}

/// A panic in a thread must reach whoever reads the log, in the log's own form.
fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let thread = std::thread::current();
        let thread = thread.name().unwrap_or("unnamed");
        tracing::error!(place, thread, "panic: {message}");
    }));
}
