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
                "allow_local_endpoints is on: webhooks may call http:// and this very machine; never \
                 leave it on where others can make webhooks"
            );
        }
        let client = outbound::Client::new(&self.outbound).context("endpoints cannot be called")?;
        let dispatcher = Dispatcher::start(self.dispatch, store.clone(), Arc::new(client), clock)
            .context("the dispatcher cannot be started")?;
        Ok(Arc::new(dispatcher))
    }
}
