//! The store as the API's health and metrics see it.

use std::sync::Arc;

use api::{Backend, Gauge};
use kernel::{Fault, Pending};
use store::Store;

pub(crate) struct StoreBackend(pub(crate) Arc<Store>);

impl Backend for StoreBackend {
    fn ready(&self) -> Pending<Result<(), Fault>> {
        self.0.ready()
    }

    fn gauges(&self) -> Vec<Gauge> {
        let gauges = self.0.gauges().into_iter();
        gauges.map(|(name, help, value)| Gauge { name, help, value }).collect()
    }
}
