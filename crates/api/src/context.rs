//! What handlers share, whatever they answer.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Services, Settings};

/// The services and settings of the API, and what it says of itself.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    pub(crate) services: Services,
    /// The OpenAPI document, as JSON.
    pub(crate) openapi: String,
    stopping: AtomicBool,
}

impl Context {
    pub(crate) fn new(settings: Settings, services: Services, openapi: String) -> Self {
        Self { settings, services, openapi, stopping: AtomicBool::new(false) }
    }

    /// From now on no more requests should come.
    pub(crate) fn stop_accepting(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}
