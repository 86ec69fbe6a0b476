//! What the store tells of new deliveries, until the engine takes it.

use std::{
    collections::HashSet,
    mem,
    sync::{Mutex, PoisonError},
};

use kernel::AccountId;
use tokio::sync::Notify;
use webhooks::{SubscriptionId, Watcher};

use crate::scheduler::Key;

/// Endpoints with new deliveries. An endpoint that is told of twice is kept once, so that this never grows
/// beyond the number of endpoints.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    endpoints: Mutex<Heard>,
    told: Notify,
}

#[derive(Debug, Default)]
struct Heard {
    endpoints: HashSet<Key>,
    /// Whether some may not have been heard of.
    missed: bool,
    closed: bool,
}

impl Hints {
    /// Waits until there are any.
    pub(crate) async fn told(&self) {
        self.told.notified().await;
    }

    /// Takes them all.
    pub(crate) fn take(&self) -> HashSet<Key> {
        mem::take(&mut self.heard().endpoints)
    }

    /// Whether some may have been missed since this was asked last.
    pub(crate) fn take_missed(&self) -> bool {
        mem::take(&mut self.heard().missed)
    }

    /// Nobody takes any more: the store may keep its watcher for longer than the dispatcher lives.
    pub(crate) fn close(&self) {
        *self.heard() = Heard { closed: true, ..Heard::default() };
    }

    fn heard(&self) -> std::sync::MutexGuard<'_, Heard> {
        self.endpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for Hints {
    fn deliveries_due(&self, endpoints: &[(AccountId, SubscriptionId)]) {
        let mut heard = self.heard();
        if !heard.closed {
            heard.endpoints.extend(endpoints);
            drop(heard);
            self.told.notify_one();
        }
    }

    fn deliveries_missed(&self) {
        self.heard().missed = true;
        self.told.notify_one();
    }
}
