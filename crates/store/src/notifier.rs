//! Telling dispatchers that there is work, and nodes that a key has changed, once it is committed: those of this
//! process directly, those of others, on PostgreSQL, by NOTIFY.
//!
//! Of work NOTIFY is sent by a connection of its own after the commit, never within an order's transaction:
//! PostgreSQL lets one notifying transaction commit at a time. Keys change seldom: of them it is told by the transaction
//! itself, so that whoever ends it, the command line too, has told everybody. Nobody depends on being told: dispatchers
//! look around by themselves as well, and no node believes for long what it has read of a key.

mod listening;

use std::{
    collections::BTreeSet,
    mem,
    sync::{Arc, Once, OnceLock, Weak},
    thread::JoinHandle,
};

use accounts::{ApiKey, ApiKeyId, KeyWatcher};
use crossbeam_channel::{Receiver, Sender};
use diesel::{PgConnection, QueryResult, RunQueryDsl};
use engine::{AfterCommit, Wakeup};
use kernel::AccountId;
use webhooks::{SubscriptionId, Watcher};

use crate::{
    db::{Connector, Db, Use},
    statement::Statement,
    tx::Tx,
};

/// The channel of work for dispatchers.
const DELIVERIES_CHANNEL: &str = "trastienda_deliveries";
/// The channel of keys that have changed.
const KEYS_CHANNEL: &str = "trastienda_keys";
/// PostgreSQL refuses longer payloads.
const PAYLOAD_BYTES_MAX: usize = 7_900;
/// The connection may have gone since the last announcement.
const TRIES: usize = 2;
/// Announcements that wait; more are left to the dispatchers' own looking.
const QUEUE_MAX: usize = 10_000;

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
    announcer: OnceLock<Option<Sender<Vec<Waiting>>>>,
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
        let announcer = self.announcer.get_or_init(|| start_announcer(&self.connector));
        if let Some(announcer) = announcer {
            // A full queue means that dispatchers are awake anyway.
            drop(announcer.try_send(due));
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

fn start_announcer(connector: &Connector) -> Option<Sender<Vec<Waiting>>> {
    if connector.is_sqlite() {
        return None;
    }
    let (sender, announcements) = crossbeam_channel::bounded(QUEUE_MAX);
    let connector = connector.clone();
    spawn("deliveries-told", move || announce(&connector, &announcements))?;
    Some(sender)
}

/// Announces what waits, together, until the store is gone.
fn announce(connector: &Connector, announcements: &Receiver<Vec<Waiting>>) {
    let mut db = None;
    while let Ok(first) = announcements.recv() {
        let mut due: BTreeSet<Waiting> = first.into_iter().collect();
        due.extend(announcements.try_iter().flatten());
        for _ in 0..TRIES {
            if tell(&mut db, connector, &due) {
                break;
            }
            db = None;
        }
    }
}

/// Tells what is due over a connection that is opened if there is none; whether that was done.
fn tell(db: &mut Option<Db>, connector: &Connector, due: &BTreeSet<Waiting>) -> bool {
    if db.is_none() {
        *db = connector.connect(Use::Relaxed).ok();
    }
    let Some(Db::Postgres(conn)) = db else { return false };
    payloads(due).into_iter().all(|payload| notify(conn, DELIVERIES_CHANNEL, payload).is_ok())
}

fn payloads(due: &BTreeSet<Waiting>) -> Vec<String> {
    let (mut payloads, mut payload) = (Vec::new(), String::new());
    for (account, subscription) in due {
        let line = format!("{account} {subscription}\n");
        if payload.len() + line.len() > PAYLOAD_BYTES_MAX {
            payloads.push(mem::take(&mut payload));
        }
        payload.push_str(&line);
    }
    payloads.push(payload);
    payloads
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
    fn what_is_told_is_heard() {
        for count in [1, 10, 1_000] {
            let waiting = |n| (AccountId::from_u128(n), SubscriptionId::from_u128(n));
            let due: BTreeSet<Waiting> = (0..count).map(waiting).collect();
            let told = payloads(&due);
            assert!(told.iter().all(|payload| payload.len() <= PAYLOAD_BYTES_MAX));
            let heard: Vec<_> = told.iter().flat_map(|payload| heard(payload)).collect();
            assert_eq!(heard, due.into_iter().collect::<Vec<_>>());
        }
        assert_eq!(heard("nonsense\nacc_x whk_y"), []);
    }
}
