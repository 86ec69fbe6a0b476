//! The store and the engines as the API sees them, whatever it is about.

use std::sync::{Arc, Weak};

use api::Backend;
use dispatch::Dispatcher;
use kernel::{Ctx, Fault, Gauge, Pending};
use store::Store;

use crate::working::Working;

pub(crate) struct StoreBackend {
    store: Arc<Store>,
    /// Not kept alive from here: dropping the last owner is what stops it.
    dispatcher: Option<Weak<Dispatcher>>,
    working: Weak<Working>,
}

impl StoreBackend {
    pub(crate) fn new(
        store: Arc<Store>,
        dispatcher: Option<&Arc<Dispatcher>>,
        working: &Arc<Working>,
    ) -> Self {
        let dispatcher = dispatcher.map(Arc::downgrade);
        Self { store, dispatcher, working: Arc::downgrade(working) }
    }
}

impl Backend for StoreBackend {
    fn is_answered(&self, ctx: Ctx) -> Pending<Result<bool, Fault>> {
        self.store.is_answered(ctx)
    }

    fn ready(&self) -> Pending<Result<(), Fault>> {
        self.store.ready()
    }

    fn gauges(&self) -> Vec<Gauge> {
        let dispatcher = self.dispatcher.as_ref().and_then(Weak::upgrade);
        let delivering = dispatcher.map(|dispatcher| dispatcher.gauges()).unwrap_or_default();
        let working = self.working.upgrade();
        let working = working.map(|working| working.gauges()).unwrap_or_default();
        self.store.gauges().into_iter().chain(delivering).chain(working).collect()
    }
}
