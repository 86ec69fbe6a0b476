//! Delivering events: the dispatcher over the store and the client for calls outside.

use std::sync::Arc;

use anyhow::Context;
use api::Clock;
use dispatch::Dispatcher;
use store::Store;

/// How events are delivered.
#[derive(Clone, Debug, Default)]
pub struct Delivering {
    /// How the dispatcher works.
    pub dispatch: dispatch::Settings,
    /// How endpoints are called.
    pub outbound: outbound::Settings,
}

impl Delivering {
    /// Begins to deliver until the dispatcher is dropped.
    pub(crate) fn start(
        self,
        store: &Arc<Store>,
        clock: Arc<dyn Clock>,
    ) -> anyhow::Result<Arc<Dispatcher>> {
        if self.outbound.reach == webhooks::Reach::Development {
            tracing::warn!(
                "allow_local_endpoints is on: webhooks may use http:// and reach this machine; \
                 never enable it where others can create webhooks"
            );
        }
        let client = outbound::Client::new(&self.outbound)
            .context("cannot set up the client for webhook endpoints")?;
        let dispatcher = Dispatcher::start(self.dispatch, store.clone(), Arc::new(client), clock)
            .context("cannot start the dispatcher")?;
        Ok(Arc::new(dispatcher))
    }
}
