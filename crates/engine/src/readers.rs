//! Reading: a few connections, used where it costs least.
//!
//! On SQLite a look-up by key costs less than a hop to another thread, so it runs on the caller's thread
//! while a connection is idle. Everything else runs on reader threads, so that no search holds up the
//! caller's event loop.

mod queue;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread::JoinHandle,
    time::Instant,
};

use diesel::{Connection, QueryResult};
use kernel::{AccountId, Fault, Pending, threads::give_way};

use crate::{
    db::{Connector, Db, Use, forget_plans},
    error::{ErrorClass, fault},
    outage::Outage,
    plans::AgingPlans,
    watched::Watched,
};
use queue::{Crew, EVERYBODY, Length, Queue, Refused};

/// Queries that may wait for a reader; beyond it callers are told to come back.
const QUEUE_MAX: usize = 10_000;

/// A query that gives its own answers.
pub type Query = Box<dyn FnOnce(&Connections) + Send>;

/// How much a query is going to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// As a small one, by statements whose text is always the same and which go by keys or along an index, whatever the
    /// values: they are planned seldom.
    Fixed,
    /// A look-up by key, or a few dozen rows along an index.
    Small,
    /// Anything else.
    Large,
}

impl Cost {
    const fn length(self) -> Length {
        match self {
            Self::Fixed | Self::Small => Length::Short,
            Self::Large => Length::Long,
        }
    }
}

/// A pooled connection, dropped once it is known to be lost.
pub struct Pooled {
    db: Watched,
    lost: bool,
    plans: AgingPlans,
}

impl Pooled {
    /// Runs a query by plans that are not too old for the tables as they are.
    fn query<T>(
        &mut self,
        cost: Cost,
        query: impl Fn(&mut Db) -> QueryResult<T>,
    ) -> QueryResult<T> {
        let mut db = self.db.in_use();
        if cost == Cost::Fixed && self.plans.used(Instant::now()) {
            forget_plans(&mut db)?;
        }
        query(&mut db)
    }
}

/// The connections to read with.
#[derive(Clone)]
pub struct Connections {
    pool: r2d2::Pool<Manager>,
    /// For fixed statements; on SQLite the same ones.
    fixed: r2d2::Pool<Manager>,
    outage: Arc<Outage>,
}

impl Connections {
    /// Runs a query, again on another connection when its own turns out to be lost: after the database was
    /// away all of them may be.
    pub fn query<T>(
        &self,
        cost: Cost,
        query: impl Fn(&mut Db) -> QueryResult<T>,
    ) -> Result<T, Fault> {
        let pool = if cost == Cost::Fixed { &self.fixed } else { &self.pool };
        let mut tries = pool.max_size();
        loop {
            let mut connection = self.take(pool)?;
            match connection.query(cost, &query) {
                Err(error) if ErrorClass::of(&error) == ErrorClass::Lost && tries > 0 => {
                    connection.lost = true;
                    tries -= 1;
                }
                result => return result.map_err(|error| fault(&error)),
            }
        }
    }

    /// A connection that nobody uses, a new one or, once there are as many as there may be, one that is given back.
    fn take(&self, pool: &r2d2::Pool<Manager>) -> Result<r2d2::PooledConnection<Manager>, Fault> {
        if let Some(idle) = pool.try_get() {
            return Ok(idle);
        }
        if pool.state().connections >= pool.max_size() {
            // Whoever has them uses them, so that says nothing of the database.
            return pool.get().map_err(|error| Fault::Unavailable(error.to_string()));
        }
        self.outage.attempt(|| pool.get()).map_err(Fault::Unavailable)
    }

    /// Runs a query if a connection is idle.
    fn query_now<T>(&self, query: impl Fn(&mut Db) -> QueryResult<T>) -> Option<Result<T, Fault>> {
        let mut connection = self.pool.try_get()?;
        Some(query(&mut connection.db.in_use()).map_err(|error| fault(&error)))
    }
}

/// Lets r2d2 open and judge connections.
struct Manager(Connector, Use);

impl r2d2::ManageConnection for Manager {
    type Connection = Pooled;
    type Error = diesel::ConnectionError;

    fn connect(&self) -> Result<Pooled, diesel::ConnectionError> {
        let db = Watched::connect(&self.0, self.1)?;
        Ok(Pooled { db, lost: false, plans: AgingPlans::since(Instant::now()) })
    }

    fn is_valid(&self, _: &mut Pooled) -> Result<(), diesel::ConnectionError> {
        Ok(())
    }

    fn has_broken(&self, connection: &mut Pooled) -> bool {
        connection.lost
    }
}

/// Reader threads and their connections.
pub struct Readers {
    connections: Connections,
    inline: bool,
    queue: Arc<Queue<Query>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Readers {
    /// Starts `threads` reader threads, on PostgreSQL others for what costs much; a query waits at most `connect_timeout` for a
    /// connection.
    ///
    /// # Errors
    /// When the system has no threads to give.
    pub fn start(
        connector: &Connector,
        threads: usize,
        connect_timeout: std::time::Duration,
    ) -> std::io::Result<Self> {
        let (inline, outage) = (connector.is_sqlite(), Arc::clone(connector.outage()));
        let pool = |size: usize, usage| {
            r2d2::Pool::builder()
                .max_size(u32::try_from(size).unwrap_or(u32::MAX).max(1))
                // A server has only so many to give: others are opened when they are wanted.
                .min_idle((!inline).then_some(1))
                .connection_timeout(connect_timeout)
                .test_on_check_out(false)
                .max_lifetime(None)
                .idle_timeout(None)
                .error_handler(Box::new(Complaint))
                .build_unchecked(Manager(connector.clone(), usage))
        };
        let connections = if inline {
            // On SQLite callers read too: as many again.
            let pool = pool(threads * 2, Use::Read);
            Connections { fixed: pool.clone(), pool, outage }
        } else {
            let (fixed, pool) = (pool(threads, Use::LookUp), pool(threads, Use::Read));
            Connections { fixed, pool, outage }
        };
        // On SQLite searches are computed here, while look-ups and orders are not. On PostgreSQL look-ups wait for these
        // threads, but for none that makes fifty thousand lines of what the database has sent.
        let crew = match inline {
            true => Crew::Mixed(threads.max(1)),
            false => Crew::Split(threads.max(1)),
        };
        let queue = Arc::new(Queue::new(QUEUE_MAX, crew));
        let threads = (0..crew.readers())
            .map(|number| {
                let (connections, queue) = (connections.clone(), Arc::clone(&queue));
                let gives_way = inline || !crew.runs(number, Length::Short);
                let name = format!("reader-{number}");
                std::thread::Builder::new().name(name).spawn(move || {
                    if gives_way {
                        give_way();
                    }
                    work(&connections, &queue, number);
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { connections, inline, queue, threads: Mutex::new(threads) })
    }

    /// Runs a query and gives its answer. Those that name an account run so many at once that they leave a reader to
    /// others, and those that cost much one to those that do not.
    pub fn read<T, F>(
        &self,
        account: Option<AccountId>,
        cost: Cost,
        query: F,
    ) -> Pending<Result<T, Fault>>
    where
        T: Send + 'static,
        F: Fn(&mut Db) -> QueryResult<T> + Send + 'static,
    {
        if self.inline
            && cost != Cost::Large
            && let Some(answer) = self.connections.query_now(&query)
        {
            return Pending::ready(answer);
        }
        let (answer, pending) = Pending::channel();
        let queued: Query =
            Box::new(move |connections| answer.send(connections.query(cost, query)));
        let turn = account.map_or(EVERYBODY, AccountId::to_u128);
        self.queue(turn, cost, queued).map_or(pending, |fault| Pending::ready(Err(fault)))
    }

    /// Queues look-ups that give their own answers; tells why when there is no room.
    pub fn submit(&self, query: Query) -> Option<Fault> {
        self.queue(EVERYBODY, Cost::Fixed, query)
    }

    fn queue(&self, turn: u128, cost: Cost, query: Query) -> Option<Fault> {
        let refused = match self.queue.add(turn, cost.length(), query).err()? {
            Refused::Full => format!("{QUEUE_MAX} queries wait already"),
            Refused::Closed => "the readers have stopped".to_owned(),
        };
        Some(Fault::Unavailable(refused))
    }

    /// Whether a look-up by key is best run where it is asked for.
    pub fn inline(&self) -> bool {
        self.inline
    }

    /// Connections in use and in all.
    pub fn connections(&self) -> (u32, u32) {
        let Connections { pool, fixed, .. } = &self.connections;
        let pools = if self.inline { vec![pool] } else { vec![pool, fixed] };
        let states = pools.into_iter().map(r2d2::Pool::state);
        states.fold((0, 0), |(busy, open), state| {
            let in_use = state.connections - state.idle_connections.min(state.connections);
            (busy + in_use, open + state.connections)
        })
    }

    /// Lets the threads finish what waits, and waits for them. What is asked for from now on is refused.
    pub fn close(&self) {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        self.queue.close();
        for thread in threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a reader thread ended by a panic");
            }
        }
    }

    /// Queries that wait.
    pub fn depth(&self) -> usize {
        self.queue.len()
    }
}

impl Drop for Readers {
    /// As [`Readers::close`].
    fn drop(&mut self) {
        self.close();
    }
}

fn work(connections: &Connections, queue: &Queue<Query>, reader: usize) {
    while let Some((underway, query)) = queue.next(reader) {
        // A panic costs its own caller an answer, not everybody a reader.
        if catch_unwind(AssertUnwindSafe(|| query(connections))).is_err() {
            tracing::error!("a query panicked");
        }
        queue.done(underway);
    }
}

/// Logs why r2d2 cannot open connections.
#[derive(Debug)]
struct Complaint;

impl r2d2::HandleError<diesel::ConnectionError> for Complaint {
    fn handle_error(&self, error: diesel::ConnectionError) {
        tracing::warn!(%error, "cannot open a connection to read with");
    }
}

/// Runs the queries of one answer. On SQLite in one transaction, which also saves taking its locks for each
/// of them. On PostgreSQL one by one: a transaction would cost two more round trips, and every row they see
/// is committed anyway; what changes meanwhile may be seen in the later ones only.
pub fn snapshot<T>(db: &mut Db, queries: impl FnOnce(&mut Db) -> QueryResult<T>) -> QueryResult<T> {
    match db {
        Db::Sqlite(_) => db.transaction(queries),
        Db::Postgres(_) => queries(db),
    }
}
