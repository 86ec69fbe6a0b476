//! The store and the dispatcher as the API's health and metrics see them.

use std::sync::{Arc, Weak};

use api::{Backend, Gauge};
use dispatch::Dispatcher;
use kernel::{Fault, Pending};
use store::Store;

pub(crate) struct StoreBackend {
    store: Arc<Store>,
    /// Not kept alive from here: dropping the last owner is what stops it.
    dispatcher: Option<Weak<Dispatcher>>,
}

impl StoreBackend {
    pub(crate) fn new(store: Arc<Store>, dispatcher: Option<&Arc<Dispatcher>>) -> Self {
        Self { store, dispatcher: dispatcher.map(Arc::downgrade) }
    }
}

impl Backend for StoreBackend {
    fn ready(&self) -> Pending<Result<(), Fault>> {
        self.store.ready()
    }

    fn gauges(&self) -> Vec<Gauge> {
        let dispatcher = self.dispatcher.as_ref().and_then(Weak::upgrade);
        let delivering = dispatcher.map(|dispatcher| dispatcher.gauges()).unwrap_or_default();
        let gauges = self.store.gauges().into_iter().chain(delivering);
        gauges.map(|(name, help, value)| Gauge { name, help, value }).collect()
    }
}
