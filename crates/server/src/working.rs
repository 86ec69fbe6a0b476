//! The engine of durable tasks with every kind of work that there is.

use std::sync::Arc;

use anyhow::Context;
use api::Clock;
use dispatch::{Certification, CertificationDesk, TaskEngine};
use store::Store;

use crate::certifying::Certifying;

/// Work under way, until it is stopped or dropped.
pub(crate) struct Working {
    engine: Arc<TaskEngine>,
    certification: Certification,
}

impl Working {
    /// Begins to work on what is due.
    pub(crate) fn start(
        certifying: Certifying,
        store: &Arc<Store>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Arc<Self>> {
        let certification = certifying.certification(store, clock.clone())?;
        let works = certification.works();
        let engine = TaskEngine::start(certifying.tasks, store.clone(), works, clock)
            .context("cannot start the engine of tasks")?;
        Ok(Arc::new(Self { engine: Arc::new(engine), certification }))
    }

    /// Stamps and cancels for callers.
    pub(crate) fn certifier(&self) -> Arc<CertificationDesk> {
        Arc::new(self.certification.on(Arc::clone(&self.engine)))
    }

    /// Figures for monitoring: name, meaning, value.
    pub(crate) fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        self.engine.gauges().into_iter().chain(self.certification.gauges()).collect()
    }

    /// Takes up nothing more, and waits for what is under way.
    pub(crate) fn stop(&self) {
        self.engine.stop();
    }
}
