//! Telling dispatchers that there is work, once it is committed: those of this process directly, those of
//! others, on PostgreSQL, by NOTIFY.
//!
//! NOTIFY is sent by a connection of its own after the commit, never within an order's transaction:
//! PostgreSQL lets one notifying transaction commit at a time. Nobody depends on being told: dispatchers
//! look around by themselves as well.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock, Weak},
    thread::JoinHandle,
    time::Duration,
};

use crossbeam_channel::{Receiver, Sender};
use diesel::{PgConnection, RunQueryDsl};
use engine::{AfterCommit, Wakeup};
use kernel::AccountId;
use webhooks::{SubscriptionId, Watcher};

use crate::{
    db::{Connector, Db, Use},
    statement::Statement,
};

const CHANNEL: &str = "trastienda_deliveries";
/// PostgreSQL refuses longer payloads; a shorter one leaves the rest to the dispatchers' own looking.
const PAYLOAD_BYTES_MAX: usize = 7_900;
/// How often the socket is looked at for notifications, which costs no round trip.
const LISTEN_INTERVAL: Duration = Duration::from_millis(5);
const RECONNECT_PAUSE: Duration = Duration::from_secs(1);
/// Announcements that wait; more are left to the dispatchers' own looking.
const QUEUE_MAX: usize = 10_000;

/// An endpoint with new deliveries.
pub(crate) type Waiting = (AccountId, SubscriptionId);

/// The queue of deliveries, as wakeups name it.
const DELIVERIES: &str = "deliveries";

/// The queue of tasks, as wakeups name it.
const TASKS: &str = "tasks";

/// What is to be said once a task is committed that nobody has begun with.
pub(crate) fn task_due(account: AccountId) -> Wakeup {
    Wakeup { queue: TASKS, account, subject: 0 }
}

/// What is to be said once a delivery is committed.
pub(crate) fn due(account: AccountId, subscription: SubscriptionId) -> Wakeup {
    Wakeup { queue: DELIVERIES, account, subject: subscription.to_u128() }
}

/// Tells dispatchers what was committed for them.
pub(crate) struct Notifier {
    connector: Connector,
    watcher: OnceLock<Arc<dyn Watcher>>,
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
        let listening = Arc::downgrade(&watcher);
        if self.watcher.set(watcher).is_err() {
            tracing::error!("a second dispatcher in one process hears nothing of new deliveries");
            return;
        }
        if !self.connector.is_sqlite() {
            spawn("deliveries-heard", {
                let connector = self.connector.clone();
                move || listen(&connector, &listening)
            });
        }
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
        if db.is_none() {
            db = connector.connect(Use::Relaxed).ok();
        }
        let told = match &mut db {
            Some(Db::Postgres(conn)) => Statement::<()>::new(
                "SELECT pg_notify(?, ?)",
                [CHANNEL.to_owned().into(), payload(&due).into()],
            )
            .execute(conn)
            .is_ok(),
            _ => false,
        };
        if !told {
            db = None;
        }
    }
}

fn payload(due: &BTreeSet<Waiting>) -> String {
    let mut payload = String::new();
    for (account, subscription) in due {
        let line = format!("{account} {subscription}\n");
        if payload.len() + line.len() > PAYLOAD_BYTES_MAX {
            break;
        }
        payload.push_str(&line);
    }
    payload
}

fn heard(payload: &str) -> Vec<Waiting> {
    let waiting = |line: &str| {
        let (account, subscription) = line.split_once(' ')?;
        Some((AccountId::parse(account)?, SubscriptionId::parse(subscription)?))
    };
    payload.lines().filter_map(waiting).collect()
}

/// Listens until the dispatcher is gone; a lost connection is opened again.
fn listen(connector: &Connector, watcher: &Weak<dyn Watcher>) {
    while watcher.strong_count() > 0 {
        if let Ok(Db::Postgres(mut conn)) = connector.connect(Use::Read)
            && let Err(error) = listen_on(&mut conn, watcher)
        {
            tracing::debug!(%error, "listening for deliveries was interrupted");
        }
        std::thread::sleep(RECONNECT_PAUSE);
    }
}

fn listen_on(conn: &mut PgConnection, watcher: &Weak<dyn Watcher>) -> diesel::QueryResult<()> {
    use diesel::connection::SimpleConnection;
    conn.batch_execute(&format!("LISTEN {CHANNEL}"))?;
    loop {
        let Some(watcher) = watcher.upgrade() else { return Ok(()) };
        for notification in conn.notifications_iter() {
            let due = heard(&notification?.payload);
            if !due.is_empty() {
                watcher.deliveries_due(&due);
            }
        }
        drop(watcher);
        std::thread::sleep(LISTEN_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_heard() {
        let due: BTreeSet<Waiting> =
            (0..10).map(|n| (AccountId::from_u128(n), SubscriptionId::from_u128(n))).collect();
        assert_eq!(heard(&payload(&due)), due.into_iter().collect::<Vec<_>>());
        let many: BTreeSet<Waiting> =
            (0..1_000).map(|n| (AccountId::from_u128(n), SubscriptionId::from_u128(n))).collect();
        assert!(payload(&many).len() <= PAYLOAD_BYTES_MAX && !heard(&payload(&many)).is_empty());
        assert_eq!(heard("nonsense\nacc_x whk_y"), []);
    }
}
