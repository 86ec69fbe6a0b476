//! `trastienda serve`: runs until a signal, then loses nothing that was accepted.

use anyhow::Context;
use tokio::runtime;

use crate::{
    beside::Beside,
    data_dir, demo, first_run, logging,
    service::{self, Running, Service},
    settings::Settings,
    signals::Signals,
    tls::Tls,
};

/// The exit code of a program that a second signal cut short.
const EXIT_CUT_SHORT: i32 = 130;

/// Serves until SIGTERM or SIGINT; a second one stops at once.
///
/// # Errors
/// When the service cannot start, or ends by itself.
pub(crate) fn serve(beside: &Beside<'_>, with_demo: bool) -> anyhow::Result<()> {
    let settings = beside.settings;
    logging::start(settings)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = Signals::listen(&runtime).context("cannot listen for signals")?;
    data_dir::create_for_database(settings)?;
    let _lock = data_dir::lock_database(settings)?;
    let mut running = service::start(Service::from_settings(settings)?)?;
    log_ready(settings, &running);
    if with_demo {
        demo::show(beside, &running)?;
    } else {
        first_run::show_if_empty(beside, &running)?;
    }
    if running.tls().is_some() {
        signals.hear_hangup(&runtime).context("cannot listen for SIGHUP")?;
    }
    let tls = running.tls().cloned();
    let ended = runtime.block_on(async {
        tokio::select! {
            signal = signals.next_or(|| reload(tls.as_ref())) => {
                tracing::info!(signal, "shutting down; finishing accepted requests first");
                None
            }
            error = running.ended() => Some(error),
        }
    });
    stop_at_once_on_another(runtime, signals)?;
    running.stop();
    tracing::info!("stopped");
    ended.map_or(Ok(()), Err)
}

/// Reads the certificate again; what is wrong with a new one leaves the old one in use.
fn reload(tls: Option<&Tls>) {
    match tls.map_or(Ok(()), Tls::reload) {
        Ok(()) => tracing::info!("read tls_cert and tls_key again"),
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "kept the certificate in use");
        }
    }
}

/// A second signal ends the process, whatever it still does.
pub(crate) fn stop_at_once_on_another(
    runtime: runtime::Runtime,
    mut signals: Signals,
) -> std::io::Result<()> {
    let wait = move || {
        let signal = runtime.block_on(signals.next());
        tracing::warn!(signal, "stopped immediately; work in progress was interrupted");
        std::process::exit(EXIT_CUT_SHORT);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

fn log_ready(settings: &Settings, running: &Running) {
    let address = running.addr();
    let (database, version) = (settings.database_url.kind(), env!("CARGO_PKG_VERSION"));
    if let Some(metrics) = running.metrics_addr() {
        tracing::info!(address = %metrics, "serving metrics");
    }
    if !settings.deliver.0 && settings.database_url.sqlite_path().is_some() {
        tracing::warn!(
            "deliver is off, and on SQLite no other process can deliver: webhooks will not receive \
             events",
        );
    }
    tracing::info!(%address, database, version, "ready");
}
