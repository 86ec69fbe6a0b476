//! Stamping and cancelling through providers: for whoever asks, and for what a crash left.
//!
//! Every call is made by the [engine of tasks](crate::TaskEngine), so that a client who hangs up stops nothing, and
//! under a claim, so that two never work on one invoice.

mod gauges;
mod run;
mod settings;

use std::{sync::Arc, time::Duration};

use invoices::{
    CancelInvoice, Certifier, Invoice, InvoiceError, InvoiceId, ProviderCalls, calls::Directory,
};
use kernel::{Clock, Ctx, Pending, Written};
use tasks::{
    Task, TaskKind,
    kind::{CANCEL, FOLLOW, STAMP},
};

use crate::{Hold, Performing, TaskEngine, Work};
use gauges::Gauges;
use run::Shared;
pub use settings::CertificationSettings;

/// Stamps and cancels: what the engine is given to do, and what serves callers with it.
#[derive(Clone)]
pub struct Certification(Arc<Shared>);

impl Certification {
    /// Stampings and cancellations on record in `calls`, through the providers of `directory`.
    pub fn new(
        settings: CertificationSettings,
        calls: Arc<dyn ProviderCalls>,
        directory: Arc<dyn Directory>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let gauges = Gauges::default();
        Self(Arc::new(Shared { settings, calls, directory, clock, gauges }))
    }

    /// The kinds of work that this is.
    #[must_use]
    pub fn works(&self) -> Vec<Arc<dyn Work>> {
        let work = |kind| -> Arc<dyn Work> { Arc::new(Step { kind, shared: Arc::clone(&self.0) }) };
        vec![work(&STAMP), work(&CANCEL), work(&FOLLOW)]
    }

    /// Serves callers on the engine that does these works.
    #[must_use]
    pub fn on(&self, engine: Arc<TaskEngine>) -> CertificationDesk {
        CertificationDesk { engine, shared: Arc::clone(&self.0) }
    }

    /// Stamps an invoice for work that holds a place of its own in the engine.
    pub(crate) async fn stamp(&self, ctx: Ctx, id: InvoiceId) -> Written<Invoice, InvoiceError> {
        run::stamp(Arc::clone(&self.0), ctx, id).await
    }

    /// How long a stamping may take.
    pub(crate) fn attempt_time(&self) -> Duration {
        self.0.settings.attempt_time()
    }

    /// Figures for monitoring: name, meaning, value.
    #[must_use]
    pub fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        self.0.gauges.read()
    }
}

/// One kind of call, as the engine does it.
struct Step {
    kind: &'static TaskKind,
    shared: Arc<Shared>,
}

impl Work for Step {
    fn kind(&self) -> &'static TaskKind {
        self.kind
    }

    fn attempt_time(&self) -> Duration {
        self.shared.settings.attempt_time()
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        Box::pin(run::attempt(Arc::clone(&self.shared), task))
    }
}

/// Stamps and cancels for callers who wait for it.
pub struct CertificationDesk {
    engine: Arc<TaskEngine>,
    shared: Arc<Shared>,
}

impl Certifier for CertificationDesk {
    fn stamp(&self, ctx: Ctx, id: InvoiceId) -> Pending<Written<Invoice, InvoiceError>> {
        let work = run::stamp(Arc::clone(&self.shared), ctx.clone(), id);
        self.engine.serve(&STAMP, ctx.account, work)
    }

    fn cancel(&self, ctx: Ctx, command: CancelInvoice) -> Pending<Written<Invoice, InvoiceError>> {
        let work = run::cancel(Arc::clone(&self.shared), ctx.clone(), command);
        self.engine.serve(&CANCEL, ctx.account, work)
    }
}
