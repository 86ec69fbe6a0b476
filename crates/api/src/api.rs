//! The API as a whole: what its endpoints share.

use std::{sync::Arc, time::Instant};

use accounts::KeyWatcher;
use kernel::AccountId;

use crate::{
    Clock, Services, Settings, auth::Keys, context::Context, endpoint::Endpoint, hooks,
    idempotency::UnderWay, limits::Limits, linked, metrics::Metrics, openapi, resources,
    route::Route, router::Router, site,
};

/// The API: its endpoints and what they share. One value serves all threads.
pub struct Api {
    pub(crate) context: Arc<Context>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) keys: Arc<Keys>,
    pub(crate) keys_under_way: Arc<UnderWay>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) metrics: Metrics,
    pub(crate) router: Router,
    pub(crate) unknown: Arc<Route>,
}

impl Api {
    /// The API over these services.
    #[must_use]
    pub fn new(settings: Settings, services: Services, clock: Arc<dyn Clock>) -> Self {
        Self::offering(settings, services, clock, Vec::new())
    }

    /// The same with further endpoints.
    #[must_use]
    pub fn offering(
        settings: Settings,
        services: Services,
        clock: Arc<dyn Clock>,
        further: Vec<Endpoint>,
    ) -> Self {
        let limits = Arc::new(Limits::new(&settings, services.shared_counter.clone()));
        let endpoints = resources::endpoints().into_iter().chain(further);
        let endpoints: Vec<_> = endpoints.map(Arc::new).collect();
        let drawn = (endpoints.clone(), settings.clone());
        let openapi = Box::new(move || openapi::render(&drawn.0, &drawn.1));
        let others = site::endpoints().into_iter().chain(linked::endpoints());
        let others = others.chain(hooks::endpoints()).map(Arc::new);
        let routes = Route::group(endpoints.into_iter().chain(others));
        let metrics = Metrics::new(Arc::clone(&limits), Arc::clone(&services.backend));
        let keys = Arc::new(Keys::new(&settings.brand, settings.key_cache_ttl));
        let context = Arc::new(Context::new(settings, services, openapi));
        Self {
            keys,
            metrics,
            limits,
            keys_under_way: Arc::default(),
            router: Router::new(routes),
            unknown: Arc::new(Route::unknown()),
            context,
            clock,
        }
    }

    /// Says at `/readyz` that no more requests should come; those that come are still answered.
    pub fn stop_accepting(&self) {
        self.context.stop_accepting();
    }

    /// Whom to tell of keys that are changed or revoked, so that they are read again.
    #[must_use]
    pub fn key_watcher(&self) -> Arc<dyn KeyWatcher> {
        self.keys.clone()
    }

    /// Whom to tell of accounts that are at work otherwise than by calls: calls of others that ask for much leave them time.
    #[must_use]
    pub fn presence(&self) -> Arc<dyn Fn(AccountId) + Send + Sync> {
        let neighbours = Arc::clone(&self.context.neighbours);
        Arc::new(move |account| neighbours.asks(account, Instant::now()))
    }

    /// What was counted, in the text format of OpenMetrics.
    #[must_use]
    pub fn render_metrics(&self) -> String {
        self.metrics.render()
    }

    /// The OpenAPI document, as JSON.
    #[must_use]
    pub fn openapi(&self) -> &str {
        &self.context.openapi
    }
}
