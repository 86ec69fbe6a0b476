//! Stamping and cancelling: over the store, the sandbox and the providers outside.

use std::sync::Arc;

use anyhow::Context;
use api::Clock;
use dispatch::{Certification, CertificationSettings, TaskSettings};
use invoices::{Invoice, sandbox::Certifiers};
use outbound::{Pacs, pac};
use store::Store;

/// How invoices are stamped and cancelled.
#[derive(Clone, Debug, Default)]
pub struct Certifying {
    /// How tasks that are due are looked for.
    pub tasks: TaskSettings,
    /// How providers are worked with.
    pub engine: CertificationSettings,
    /// Where the providers outside are.
    pub providers: pac::Settings,
}

impl Certifying {
    /// Stamping and cancelling on what the store has on record.
    pub(crate) fn certification(
        &self,
        store: &Arc<Store>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Certification<Invoice>> {
        let outside = Pacs::new(&self.providers)
            .context("cannot set up the client for certification providers")?;
        let directory = Certifiers::new(store.clone(), clock.clone(), Arc::new(outside));
        let (settings, directory) = (self.engine.clone(), Arc::new(directory));
        Ok(Certification::new(settings, store.clone(), directory, clock))
    }
}
