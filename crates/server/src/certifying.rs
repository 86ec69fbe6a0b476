//! Stamping and cancelling: over the store, the sandbox and the providers outside.

use std::sync::Arc;

use anyhow::Context;
use api::Clock;
use dispatch::{Certification, CertificationSettings, Counted, TaskSettings};
use invoices::{
    Invoice, ProviderCalls, calls::Directory, sandbox::Certifiers, withholding::Withholding,
};
use outbound::{Pacs, pac};
use store::Store;

/// How invoices and withholdings are stamped and cancelled.
#[derive(Clone, Debug, Default)]
pub struct Certifying {
    /// How tasks that are due are looked for.
    pub tasks: TaskSettings,
    /// How providers are worked with.
    pub engine: CertificationSettings,
    /// Where the providers outside are.
    pub providers: pac::Settings,
}

/// Stamping and cancelling, by what is stamped.
pub(crate) struct Certifications {
    pub(crate) invoices: Certification<Invoice>,
    pub(crate) withholdings: Certification<Withholding>,
}

impl Certifying {
    /// Stamping and cancelling on what the store has on record.
    pub(crate) fn certifications(
        &self,
        store: &Arc<Store>,
        clock: &Arc<dyn Clock>,
    ) -> anyhow::Result<Certifications> {
        let outside = Pacs::new(&self.providers)
            .context("cannot set up the client for certification providers")?;
        let directory = Certifiers::new(store.clone(), clock.clone(), Arc::new(outside));
        let directory: Arc<dyn Directory> = Arc::new(directory);
        Ok(Certifications {
            invoices: self.certification(store, &directory, clock),
            withholdings: self.certification(store, &directory, clock),
        })
    }

    fn certification<T: Counted>(
        &self,
        store: &Arc<Store>,
        directory: &Arc<dyn Directory>,
        clock: &Arc<dyn Clock>,
    ) -> Certification<T>
    where
        Store: ProviderCalls<T>,
    {
        let settings = self.engine.clone();
        Certification::new(settings, store.clone(), directory.clone(), clock.clone())
    }
}
