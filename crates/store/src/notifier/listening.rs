//! Hearing what other processes tell: one connection for all channels.

use std::{
    sync::{Arc, Weak},
    thread,
    time::Duration,
};

use accounts::ApiKeyId;
use diesel::{PgConnection, QueryResult, connection::SimpleConnection};

use super::{DELIVERIES_CHANNEL, KEYS_CHANNEL, Notifier, heard, spawn, telling::ANY};
use crate::db::{Connector, Db, Use};

/// How often the socket is looked at for notifications, which costs no round trip.
const INTERVAL: Duration = Duration::from_millis(5);
const RECONNECT_PAUSE: Duration = Duration::from_secs(1);

/// Starts a thread that listens until the store is gone.
pub(super) fn start(connector: &Connector, notifier: &Arc<Notifier>) {
    let (connector, notifier) = (connector.clone(), Arc::downgrade(notifier));
    spawn("heard", move || listen(&connector, &notifier));
}

/// A lost connection is opened again.
fn listen(connector: &Connector, notifier: &Weak<Notifier>) {
    loop {
        if let Ok(Db::Postgres(mut conn)) = connector.connect(Use::Read)
            && let Err(error) = listen_on(&mut conn, notifier)
        {
            tracing::debug!(%error, "listening for other processes was interrupted");
        }
        if notifier.strong_count() == 0 {
            return;
        }
        thread::sleep(RECONNECT_PAUSE);
    }
}

fn listen_on(conn: &mut PgConnection, notifier: &Weak<Notifier>) -> QueryResult<()> {
    conn.batch_execute(&format!("LISTEN {DELIVERIES_CHANNEL}; LISTEN {KEYS_CHANNEL}"))?;
    if let Some(notifier) = notifier.upgrade() {
        notifier.has_not_heard();
    }
    loop {
        let Some(notifier) = notifier.upgrade() else { return Ok(()) };
        for notification in conn.notifications_iter() {
            let told = notification?;
            notifier.hear(&told.channel, &told.payload);
        }
        drop(notifier);
        thread::sleep(INTERVAL);
    }
}

impl Notifier {
    /// Whatever was told until now, nobody has listened.
    fn has_not_heard(&self) {
        if let Some(watcher) = self.watcher.get() {
            watcher.deliveries_missed();
        }
        if let Some(watcher) = self.key_watcher() {
            watcher.changes_missed();
        }
    }

    fn hear(&self, channel: &str, payload: &str) {
        match channel {
            DELIVERIES_CHANNEL => {
                let Some(watcher) = self.watcher.get() else { return };
                let due = heard(payload);
                if payload == ANY {
                    watcher.deliveries_missed();
                } else if !due.is_empty() {
                    watcher.deliveries_due(&due);
                }
            }
            KEYS_CHANNEL => {
                if let Some(key) = ApiKeyId::parse(payload)
                    && let Some(watcher) = self.key_watcher()
                {
                    watcher.key_changed(key);
                }
            }
            _ => {}
        }
    }
}
