//! Telling dispatchers that there is work, and nodes that a key has changed, once it is committed: those of this
//! process directly, those of others, on PostgreSQL, by NOTIFY.
//!
//! Of work NOTIFY is sent by a connection of its own after the commit, never within an order's transaction:
//! PostgreSQL lets one notifying transaction commit at a time. Keys change seldom: of them it is told by the transaction
//! itself, so that whoever ends it, the command line too, has told everybody. Nobody depends on being told: dispatchers
//! look around by themselves as well, and no node believes for long what it has read of a key.

mod listening;
mod telling;

use std::{
    collections::BTreeSet,
    sync::{Arc, Once, OnceLock, Weak},
    thread::JoinHandle,
};

use accounts::{ApiKey, ApiKeyId, KeyWatcher};
use diesel::{PgConnection, QueryResult, RunQueryDsl};
use engine::{AfterCommit, Wakeup};
use kernel::AccountId;
use webhooks::{SubscriptionId, Watcher};

use crate::{
    db::{Connector, Db},
    statement::Statement,
    tx::Tx,
};
use telling::Announcer;

/// The channel of work for dispatchers.
const DELIVERIES_CHANNEL: &str = "trastienda_deliveries";
/// The channel of keys that have changed.
const KEYS_CHANNEL: &str = "trastienda_keys";

/// An endpoint with new deliveries.
pub(crate) type Waiting = (AccountId, SubscriptionId);

/// The queue of deliveries, as wakeups name it.
const DELIVERIES: &str = "deliveries";

/// The queue of tasks, as wakeups name it.
const TASKS: &str = "tasks";

/// Keys, as wakeups name them.
const KEYS: &str = "keys";

/// What is to be said once a task is committed that nobody has begun with.
pub(crate) fn task_due(account: AccountId) -> Wakeup {
    Wakeup { queue: TASKS, account, subject: 0 }
}

/// What is to be said once a delivery is committed.
pub(crate) fn due(account: AccountId, subscription: SubscriptionId) -> Wakeup {
    Wakeup { queue: DELIVERIES, account, subject: subscription.to_u128() }
}

/// Has the nodes told of a key that the transaction changes, once it is committed.
pub(crate) fn key_changed(tx: &mut Tx<'_>, key: &ApiKey) -> QueryResult<()> {
    tx.effects.wake(Wakeup { queue: KEYS, account: key.account, subject: key.id.to_u128() });
    match &mut *tx.db {
        Db::Postgres(conn) => notify(conn, KEYS_CHANNEL, key.id.to_string()),
        Db::Sqlite(_) => Ok(()),
    }
}

/// Sends a notification with the commit.
fn notify(conn: &mut PgConnection, channel: &str, payload: String) -> QueryResult<()> {
    Statement::<()>::new("SELECT pg_notify(?, ?)", [channel.to_owned().into(), payload.into()])
        .execute(conn)
        .map(drop)
}

/// Tells dispatchers and nodes what was committed that concerns them.
pub(crate) struct Notifier {
    connector: Connector,
    watcher: OnceLock<Arc<dyn Watcher>>,
    /// Whoever keeps keys of this store in memory.
    key_watcher: OnceLock<Weak<dyn KeyWatcher>>,
    /// Begins with the first of those who want to hear of other processes.
    listening: Once,
    /// Every process that opens tasks also works on them.
    task_watcher: OnceLock<Weak<dyn ::tasks::Watcher>>,
    /// Opened with the first announcement that nobody in this process takes.
    announcer: OnceLock<Option<Announcer>>,
}

impl Notifier {
    pub(crate) fn new(connector: Connector) -> Arc<Self> {
        Arc::new(Self {
            connector,
            watcher: OnceLock::new(),
            key_watcher: OnceLock::new(),
            listening: Once::new(),
            task_watcher: OnceLock::new(),
            announcer: OnceLock::new(),
        })
    }

    /// Says that these endpoints have deliveries.
    fn deliveries_due(&self, due: Vec<Waiting>) {
        if due.is_empty() {
            return;
        }
        if let Some(watcher) = self.watcher.get() {
            return watcher.deliveries_due(&due);
        }
        if let Some(announcer) = self.announcer.get_or_init(|| Announcer::start(&self.connector)) {
            announcer.announce(due);
        }
    }

    /// Lets a worker of this process be told of tasks.
    pub(crate) fn watch_tasks(&self, watcher: &Arc<dyn ::tasks::Watcher>) {
        if self.task_watcher.set(Arc::downgrade(watcher)).is_err() {
            tracing::error!("a second worker in one process hears nothing of new tasks");
        }
    }

    /// Lets a dispatcher of this process be told.
    pub(crate) fn watch(self: &Arc<Self>, watcher: Arc<dyn Watcher>) {
        if self.watcher.set(watcher).is_err() {
            tracing::error!("a second dispatcher in one process hears nothing of new deliveries");
            return;
        }
        self.listen();
    }

    /// Lets whoever keeps keys in memory be told.
    pub(crate) fn watch_keys(self: &Arc<Self>, watcher: &Arc<dyn KeyWatcher>) {
        if self.key_watcher.set(Arc::downgrade(watcher)).is_err() {
            tracing::error!("a second memory of keys in one process hears nothing of their end");
            return;
        }
        self.listen();
    }

    /// Hears what other processes tell from now on, where they can be heard.
    fn listen(self: &Arc<Self>) {
        if !self.connector.is_sqlite() {
            self.listening.call_once(|| listening::start(&self.connector, self));
        }
    }

    fn key_watcher(&self) -> Option<Arc<dyn KeyWatcher>> {
        self.key_watcher.get()?.upgrade()
    }
}

impl AfterCommit for Notifier {
    fn committed(&self, wakeups: &BTreeSet<Wakeup>) {
        let deliveries = wakeups.iter().filter(|wakeup| wakeup.queue == DELIVERIES);
        let waiting =
            deliveries.map(|wakeup| (wakeup.account, SubscriptionId::from_u128(wakeup.subject)));
        self.deliveries_due(waiting.collect());
        if wakeups.iter().any(|wakeup| wakeup.queue == TASKS)
            && let Some(watcher) = self.task_watcher.get().and_then(Weak::upgrade)
        {
            watcher.tasks_due();
        }
        let keys = wakeups.iter().filter(|wakeup| wakeup.queue == KEYS);
        for key in keys.map(|wakeup| ApiKeyId::from_u128(wakeup.subject)) {
            if let Some(watcher) = self.key_watcher() {
                watcher.key_changed(key);
            }
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|error| tracing::error!(%error, name, "a thread cannot be started")).ok()
}

fn heard(payload: &str) -> Vec<Waiting> {
    let waiting = |line: &str| {
        let (account, subscription) = line.split_once(' ')?;
        Some((AccountId::parse(account)?, SubscriptionId::parse(subscription)?))
    };
    payload.lines().filter_map(waiting).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_endpoint_is_not_heard() {
        assert_eq!(heard("nonsense\nacc_x whk_y"), []);
    }
}
