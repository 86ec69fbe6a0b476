//! Stamping and cancelling: the engine over the store, the sandbox and the providers outside.

use std::sync::Arc;

use anyhow::Context;
use api::Clock;
use dispatch::{Certification, CertificationSettings};
use invoices::sandbox::Certifiers;
use outbound::{Pacs, pac};
use store::Store;

/// How invoices are stamped and cancelled.
#[derive(Clone, Debug, Default)]
pub struct Certifying {
    /// How the engine works.
    pub engine: CertificationSettings,
    /// Where the providers outside are.
    pub providers: pac::Settings,
}

impl Certifying {
    /// Begins to stamp and cancel until the engine is dropped.
    pub(crate) fn start(
        self,
        store: &Arc<Store>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Arc<Certification>> {
        let outside = Pacs::new(&self.providers)
            .context("cannot set up the client for certification providers")?;
        let directory = Certifiers::new(store.clone(), clock.clone(), Arc::new(outside));
        let engine = Certification::start(self.engine, store.clone(), Arc::new(directory), clock)
            .context("cannot start the certification engine")?;
        Ok(Arc::new(engine))
    }
}
