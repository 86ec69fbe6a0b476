//! `trastienda worker`: delivers events and finishes what is under way with providers, until a signal.

use std::sync::Arc;

use actix_web::web::Data;
use anyhow::{Context, ensure};
use api::{Api, SystemClock};
use store::Store;
use tokio::runtime;

use crate::{
    http, logging,
    mailing::Post,
    master_key, serve, service,
    service::{OpenStore, services},
    settings::Settings,
    signals::Signals,
};

/// Delivers until SIGTERM or SIGINT.
///
/// # Errors
/// When the database is none that several processes may work on, or something cannot be started.
pub fn work(settings: &Settings) -> anyhow::Result<()> {
    logging::start(settings)?;
    ensure!(
        settings.database_url.sqlite_path().is_none(),
        "a worker of its own needs PostgreSQL; on SQLite `trastienda serve` delivers by itself"
    );
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = Signals::listen(&runtime).context("signals cannot be received")?;
    let opened = master_key::store_settings(settings)?;
    service::migrate(&opened)?;
    let store = OpenStore(Store::open(&opened).context("the database cannot be opened")?);
    let clock = Arc::new(SystemClock);
    let dispatcher = settings.delivering().start(&store.0, clock.clone())?;
    let certification = settings.certifying().start(&store.0, clock.clone())?;
    let mailer = Arc::new(Post::new(settings.mail()?.as_ref())?);
    let metrics = settings.metrics_listen.map(|address| {
        let services = services(&store.0, Some(&dispatcher), &certification, mailer);
        http::start_metrics(address, Data::new(Api::new(settings.api(), services, clock.clone())))
    });
    let metrics = metrics.transpose()?;
    if let Some(metrics) = &metrics {
        tracing::info!(address = %metrics.addr, "metrics ready");
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "delivering");
    let signal = runtime.block_on(signals.next());
    tracing::info!(signal, "stopping; what is under way finishes first");
    serve::stop_at_once_on_another(runtime, signals)?;
    drop(dispatcher);
    certification.stop();
    drop(metrics);
    drop(store);
    tracing::info!("stopped");
    Ok(())
}
