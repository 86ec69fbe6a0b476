//! `trastienda worker`: delivers events and finishes what is under way with providers, until a signal.

use std::sync::Arc;

use actix_web::web::Data;
use anyhow::{Context, ensure};
use api::{Api, SystemClock};
use store::Store;
use tokio::runtime;

use crate::{
    http, logging, master_key, serve, service,
    service::{OpenStore, services},
    settings::Settings,
    signals::Signals,
    working::Working,
};

/// Delivers until SIGTERM or SIGINT.
///
/// # Errors
/// When the database is none that several processes may work on, or something cannot be started.
pub fn work(settings: &Settings) -> anyhow::Result<()> {
    logging::start(settings)?;
    ensure!(
        settings.database_url.sqlite_path().is_none(),
        "`trastienda worker` requires PostgreSQL; on SQLite, `trastienda serve` delivers events \
         itself"
    );
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut signals = Signals::listen(&runtime).context("cannot listen for signals")?;
    let opened = master_key::store_settings(settings)?;
    service::prepare(&opened, settings.migrate.0)?;
    let store = OpenStore(Store::open(&opened).context("cannot open the database")?);
    let clock = Arc::new(SystemClock);
    let dispatcher = settings.delivering().start(&store.0, clock.clone())?;
    let mail = settings.mail()?;
    let (certifying, collectors) = (settings.certifying(), settings.collectors());
    let working = Working::start(
        certifying,
        &collectors,
        &mail,
        &settings.files_dir,
        &store.0,
        clock.clone(),
    )?;
    if let Some(url) = &settings.public_url {
        working.listens_at(&url.0);
    }
    let metrics = settings.metrics_listen.map(|address| {
        let services = services(&store.0, settings.brand.as_str(), Some(&dispatcher), &working);
        http::start_metrics(address, Data::new(Api::new(settings.api(), services, clock.clone())))
    });
    let metrics = metrics.transpose()?;
    if let Some(metrics) = &metrics {
        tracing::info!(address = %metrics.addr, "serving metrics");
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "delivering");
    let signal = runtime.block_on(signals.next());
    tracing::info!(signal, "shutting down; finishing work in progress first");
    serve::stop_at_once_on_another(runtime, signals)?;
    drop(dispatcher);
    working.stop();
    drop(metrics);
    drop(store);
    tracing::info!("stopped");
    Ok(())
}
