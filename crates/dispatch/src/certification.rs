//! Stamping and cancelling through providers: for whoever asks, and for what a crash left.
//!
//! Every call is made by the [engine of tasks](crate::TaskEngine), so that a client who hangs up stops nothing, and
//! under a claim, so that two never work on one invoice or withholding.

mod gauges;
mod run;
mod settings;

use std::{sync::Arc, time::Duration};

use invoices::{Certified, Certifier, InvoiceError, ProviderCalls, calls::Directory};
use kernel::{Clock, Ctx, Gauge, Pending, Written};
use tasks::{Task, TaskKind};

use crate::{Hold, Performing, TaskEngine, Work};
use gauges::Gauges;
pub use gauges::{Counted, Figure};
use run::Shared;
pub use settings::CertificationSettings;

/// Stamps and cancels invoices, or withholdings: what the engine is given to do, and what serves callers with it.
pub struct Certification<T: Certified>(Arc<Shared<T>>);

impl<T: Certified> Clone for Certification<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Counted> Certification<T> {
    /// Stampings and cancellations on record in `calls`, through the providers of `directory`.
    pub fn new(
        settings: CertificationSettings,
        calls: Arc<dyn ProviderCalls<T>>,
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
        T::KINDS.iter().copied().map(work).collect()
    }

    /// Serves callers on the engine that does these works.
    #[must_use]
    pub fn on(&self, engine: Arc<TaskEngine>) -> CertificationDesk<T> {
        CertificationDesk { engine, shared: Arc::clone(&self.0) }
    }

    /// Stamps one for work that holds a place of its own in the engine.
    pub(crate) async fn stamp(
        &self,
        ctx: Ctx,
        id: T::Id,
        version: Option<i64>,
    ) -> Written<T, InvoiceError> {
        run::stamp(Arc::clone(&self.0), ctx, id, version).await
    }

    /// Cancels one for work that holds a place of its own in the engine.
    pub(crate) async fn cancel(&self, ctx: Ctx, command: T::Cancel) -> Written<T, InvoiceError> {
        run::cancel(Arc::clone(&self.0), ctx, command).await
    }

    /// How long a stamping may take.
    pub(crate) fn attempt_time(&self) -> Duration {
        self.0.settings.attempt_time()
    }

    /// Figures for monitoring.
    #[must_use]
    pub fn gauges(&self) -> Vec<Gauge> {
        self.0.gauges.read::<T>()
    }
}

/// One kind of call, as the engine does it.
struct Step<T: Certified> {
    kind: &'static TaskKind,
    shared: Arc<Shared<T>>,
}

impl<T: Certified> Work for Step<T> {
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
pub struct CertificationDesk<T: Certified> {
    engine: Arc<TaskEngine>,
    shared: Arc<Shared<T>>,
}

impl<T: Certified> Certifier<T> for CertificationDesk<T> {
    fn stamp(
        &self,
        ctx: Ctx,
        id: T::Id,
        version: Option<i64>,
    ) -> Pending<Written<T, InvoiceError>> {
        let work = run::stamp(Arc::clone(&self.shared), ctx.clone(), id, version);
        self.engine.serve(T::STAMP, ctx.account, work)
    }

    fn cancel(&self, ctx: Ctx, command: T::Cancel) -> Pending<Written<T, InvoiceError>> {
        let work = run::cancel(Arc::clone(&self.shared), ctx.clone(), command);
        self.engine.serve(T::CANCEL, ctx.account, work)
    }
}
