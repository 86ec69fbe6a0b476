//! The log of requests: noted in memory, written down by a lane of its own.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use accounts::{
    LoggedRequest, RequestLine, RequestLineId,
    requests::{Answered, Notes},
};
use diesel::prelude::*;
use engine::{Engine, RelaxedLane, cleanup::RowsByAge};
use kernel::{AccountId, ApiKeyId, Done, Pending, Timestamp, Written};

use crate::{db::Db, lookups::Key, rows::read, schema::api_requests as table, tx::Tx};

/// Where it is written what keys asked for.
pub(crate) const REQUESTS: RelaxedLane = RelaxedLane(2);
/// How often what was noted is written down.
const INTERVAL: Duration = Duration::from_secs(1);
/// After so many of them counts of a minute that nobody follows are written down, too.
const INTERVALS_OF_COUNTS: u32 = 60;
/// Lines of one command: on SQLite others wait for it. More than are noted in a second.
const SLICE: usize = 500;

/// Lines that are older than so many microseconds, looked for among the oldest: they are written in about the order in which
/// they were made, and to look at all of them would keep the one writer of SQLite.
pub(crate) const fn expired(retention_micros: i64) -> RowsByAge {
    RowsByAge {
        find: "SELECT a.id, CASE WHEN (SELECT r.created_at FROM api_requests r WHERE r.account_id = a.id \
           ORDER BY r.id LIMIT 1) < ? THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
        remove: "DELETE FROM api_requests WHERE account_id = ? AND id IN \
             (SELECT o.id FROM (SELECT r.id, r.created_at FROM api_requests r WHERE r.account_id = ? \
             ORDER BY r.id LIMIT 200) AS o WHERE o.created_at < ? LIMIT ?)",
        retention_micros,
    }
}

/// What was noted here.
#[derive(Default)]
pub(crate) struct Requests {
    shared: Arc<Shared>,
    writing: OnceLock<()>,
}

#[derive(Default)]
struct Shared {
    notes: Mutex<Notes>,
    lost: AtomicU64,
}

impl Shared {
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Requests {
    /// How many requests were lost.
    pub(crate) fn lost(&self) -> u64 {
        self.shared.lost.load(Relaxed)
    }

    /// Writes down all that was noted, since nobody will any more.
    pub(crate) fn write_rest(&self, engine: &Engine) {
        loop {
            let lines = self.shared.notes().take(true, SLICE);
            if lines.is_empty() {
                return;
            }
            drop(write(engine, lines));
        }
    }

    /// Notes a request, which is written down by and by.
    pub(crate) fn note(&self, engine: &Arc<Engine>, request: &Answered<'_>) {
        let is_noted = self.shared.notes().note(request);
        if !is_noted {
            self.shared.lost.fetch_add(1, Relaxed);
        }
        self.start(engine);
    }

    /// Writes down what was noted, but for counts of the minute that has not ended.
    pub(crate) fn write_down(&self, engine: &Engine) -> Pending<Written<(), ()>> {
        let lines = self.shared.notes().take(false, SLICE);
        write(engine, lines)
    }

    /// Has what is noted written down from now on, as long as there is an engine.
    fn start(&self, engine: &Arc<Engine>) {
        self.writing.get_or_init(|| {
            let (shared, engine) = (Arc::clone(&self.shared), Arc::downgrade(engine));
            let thread = thread::Builder::new().name("requests-noted".to_owned());
            if let Err(error) = thread.spawn(move || keep_writing(&shared, &engine)) {
                tracing::error!(%error, "requests are not logged");
            }
        });
    }
}

fn keep_writing(shared: &Shared, engine: &Weak<Engine>) {
    for interval in 1_u32.. {
        thread::sleep(INTERVAL);
        let Some(engine) = engine.upgrade() else { return };
        let lines = shared.notes().take(interval.is_multiple_of(INTERVALS_OF_COUNTS), SLICE);
        let missing: u64 = lines.iter().map(|line| line.count).sum();
        let written = write(&engine, lines).wait();
        if !matches!(written, Some(Ok(_))) {
            shared.lost.fetch_add(missing, Relaxed);
        }
    }
}

/// Writes lines down with one command: what else is to be written waits for it.
fn write(engine: &Engine, lines: Vec<RequestLine>) -> Pending<Written<(), ()>> {
    if lines.is_empty() {
        return Pending::ready(Ok(Done::now(())));
    }
    engine.relaxed(REQUESTS, move |tx| Ok(Done::now(insert(tx, &lines)?)))
}

fn insert(tx: &mut Tx<'_>, lines: &[RequestLine]) -> QueryResult<()> {
    let mut rows = Vec::with_capacity(lines.len());
    for line in lines {
        rows.push(RequestRow::of(RequestLineId::from_u128(tx.ids.next()), line));
    }
    match &mut *tx.db {
        Db::Sqlite(conn) => {
            for row in &rows {
                diesel::insert_into(table::table).values(row).execute(conn)?;
            }
        }
        Db::Postgres(conn) => {
            diesel::insert_into(table::table).values(rows.as_slice()).execute(conn)?;
        }
    }
    Ok(())
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub(crate) struct RequestRow {
    account_id: String,
    id: String,
    key_id: String,
    method: String,
    route: String,
    ids: Option<String>,
    status: i64,
    code: Option<String>,
    micros: i64,
    request_id: Option<String>,
    network: Option<String>,
    count: i64,
    created_at: i64,
}

impl RequestRow {
    fn of(id: RequestLineId, line: &RequestLine) -> Self {
        Self {
            account_id: line.account.to_string(),
            id: id.to_string(),
            key_id: line.key.to_string(),
            method: line.method.clone(),
            route: line.route.clone(),
            ids: line.ids.clone(),
            status: line.status.into(),
            code: line.code.clone(),
            micros: i64::try_from(line.micros).unwrap_or(i64::MAX),
            request_id: line.request_id.clone(),
            network: line.network.clone(),
            count: i64::try_from(line.count).unwrap_or(i64::MAX),
            created_at: line.created_at.micros(),
        }
    }

    pub(crate) fn key(&self) -> Key {
        (self.account_id.clone(), self.id.clone())
    }

    pub(crate) fn request(self) -> QueryResult<LoggedRequest> {
        let line = RequestLine {
            account: read(&self.account_id, AccountId::parse)?,
            key: read(&self.key_id, ApiKeyId::parse)?,
            method: self.method,
            route: self.route,
            ids: self.ids,
            status: u16::try_from(self.status).unwrap_or_default(),
            code: self.code,
            micros: self.micros.unsigned_abs(),
            request_id: self.request_id,
            network: self.network,
            count: self.count.unsigned_abs(),
            created_at: Timestamp::from_micros(self.created_at),
        };
        Ok(LoggedRequest { id: read(&self.id, RequestLineId::parse)?, line })
    }
}
