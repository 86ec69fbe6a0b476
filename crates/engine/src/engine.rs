//! The engine: lanes that write, readers that read, and what both share.

use std::{
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    thread::JoinHandle,
    time::Instant,
};

use diesel::QueryResult;
use kernel::{
    AccountId, Ctx, Done, Fault, Gauge, Pending, Written, id::IdSource, threads::long_computations,
};

use crate::{
    AfterCommit, Failure, Settings, StoreError, Together, Tx,
    answers::{self, AnswerForm},
    backup,
    caller::Caller,
    checkpoints::Checkpoints,
    command::Closure,
    db::{Connector, Db, Target, Use},
    figures::Figures,
    lane::{Job, Lane, LaneParts},
    lookups::{Key, Lookups},
    readers::{Cost, Readers},
    secrets::{self, SecretSource},
    silence::Watch,
    single::Single,
    vault::Vault,
};

/// A lane for commands that are done again when a power cut undoes them, by its place among them. On SQLite they
/// share the one writer.
#[derive(Clone, Copy, Debug)]
pub struct RelaxedLane(pub usize);

/// What an engine is handed to run.
pub struct Parts {
    /// Refuses a database that this program cannot work on.
    pub check: fn(&mut Db) -> Result<(), StoreError>,
    /// Every kind of secret that is sealed in the database.
    pub secrets: &'static [SecretSource],
    /// Names of the lanes for relaxed commands, on PostgreSQL.
    pub relaxed_lanes: &'static [&'static str],
    /// What follows each commit.
    pub after_commit: Arc<dyn AfterCommit>,
}

/// Runs commands and queries on one database.
pub struct Engine {
    lanes: Vec<Lane>,
    relaxed_lanes: Vec<Lane>,
    /// For commands that serve no caller, on PostgreSQL.
    apart: Option<Lane>,
    readers: Readers,
    vault: Arc<Vault>,
    figures: Arc<Figures>,
    /// What sees the statements that are sent, on PostgreSQL.
    watch: Arc<Watch>,
    /// Answers older than this many microseconds no longer count.
    retention: i64,
    /// The thread of checkpoints, on SQLite.
    carrying: Mutex<Option<JoinHandle<()>>>,
}

impl Engine {
    /// Opens a database that has been [migrated](crate::migrations::migrate).
    ///
    /// # Errors
    /// When the URL is none, the file is not there, the database cannot be reached or is refused, or it holds secrets
    /// that no given master key opens.
    pub fn open(settings: &Settings, parts: Parts) -> Result<Self, StoreError> {
        let connector = Connector::new(settings)?;
        if let Target::Sqlite(path) = &connector.target
            && !path.exists()
        {
            return Err(backup::absent(path));
        }
        let mut db = connector
            .connect(Use::Write)
            .map_err(|error| StoreError::Database(error.to_string()))?;
        (parts.check)(&mut db)?;
        let vault = Vault::new(&settings.master_keys)?;
        secrets::compare_keys(&mut db, &vault, parts.secrets)?;
        drop(db);
        let threads = |error: std::io::Error| StoreError::Database(format!("no thread: {error}"));
        if !connector.is_sqlite() {
            connector.watch().start().map_err(threads)?;
        }
        let figures = Arc::new(Figures::default());
        let (checkpoints, carrying) = if connector.is_sqlite() {
            let (checkpoints, thread) = Checkpoints::start(connector.clone()).map_err(threads)?;
            (Some(Arc::new(checkpoints)), Some(thread))
        } else {
            (None, None)
        };
        let retention =
            i64::try_from(settings.idempotency_retention.as_micros()).unwrap_or(i64::MAX);
        let lane_parts = LaneParts {
            connector: connector.clone(),
            usage: Use::Write,
            ids: Arc::new(IdSource::default()),
            retention,
            after_commit: parts.after_commit,
            figures: Arc::clone(&figures),
            checkpoints,
        };
        let lanes = if connector.is_sqlite() { 1 } else { settings.writers.max(1) };
        let lanes = (0..lanes)
            .map(|number| Lane::start(format!("writer-{number}"), lane_parts.clone()))
            .collect::<Result<_, _>>()
            .map_err(threads)?;
        let apart = (!connector.is_sqlite())
            .then(|| Lane::start("writer-chores".to_owned(), lane_parts.clone()));
        let apart = apart.transpose().map_err(threads)?;
        let relaxed = LaneParts { usage: Use::Relaxed, ..lane_parts };
        let names = if connector.is_sqlite() { &[] } else { parts.relaxed_lanes };
        let relaxed_lanes = names
            .iter()
            .map(|name| Lane::start((*name).to_owned(), relaxed.clone()))
            .collect::<Result<_, _>>()
            .map_err(threads)?;
        let readers = Readers::start(&connector, settings.readers, settings.connect_timeout)
            .map_err(threads)?;
        Ok(Self {
            lanes,
            relaxed_lanes,
            apart,
            readers,
            vault: Arc::new(vault),
            figures,
            watch: Arc::clone(connector.watch()),
            retention,
            carrying: Mutex::new(carrying),
        })
    }

    /// What seals and opens secrets.
    #[must_use]
    pub fn vault(&self) -> Arc<Vault> {
        Arc::clone(&self.vault)
    }

    /// Whether relaxed commands share the one writer with all others.
    #[must_use]
    pub fn has_one_writer(&self) -> bool {
        self.relaxed_lanes.is_empty()
    }

    /// The commands of one account take one lane: they never wait for each other's row locks.
    fn submit(&self, account: Option<AccountId>, job: Job) {
        if let Some(lane) = self.lane_of(account) {
            lane.submit(account, job);
        }
    }

    fn lane_of(&self, account: Option<AccountId>) -> Option<&Lane> {
        let lane =
            account.map_or(0, |account| account.to_u128() as usize % self.lanes.len().max(1));
        self.lanes.get(lane)
    }

    /// How many commands wait at this moment in the lane of an account, and how many it has committed so far: but those
    /// that [give way](Self::giving_way).
    pub fn traffic(&self, account: AccountId) -> (usize, u64) {
        self.lane_of(Some(account)).map_or((0, 0), Lane::traffic)
    }

    /// Runs a job together with others of its kind; it answers its caller itself.
    pub fn together(&self, account: AccountId, job: Box<dyn Together>) {
        self.submit(Some(account), Job::Together(job));
    }

    /// Runs a command that has no idempotency key.
    pub fn command<T, E, F>(&self, account: Option<AccountId>, work: F) -> Pending<Written<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<E>> + Send + 'static,
    {
        let (caller, pending) = Caller::waiting();
        self.submit(account, Job::Alone(Box::new(Closure { work, caller, gives_way: false })));
        pending
    }

    /// The same for work in the background, whose author looks at the [traffic](Self::traffic) and leaves others their time.
    pub fn giving_way<T, E, F>(&self, account: AccountId, work: F) -> Pending<Written<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<E>> + Send + 'static,
    {
        let (caller, pending) = Caller::waiting();
        let command = Closure { work, caller, gives_way: true };
        self.submit(Some(account), Job::Alone(Box::new(command)));
        pending
    }

    /// Runs a command that serves no caller and belongs to no account, on PostgreSQL in a lane of its own: nobody waits
    /// behind it.
    pub fn apart<T, E, F>(&self, work: F) -> Pending<Written<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<E>> + Send + 'static,
    {
        let (caller, pending) = Caller::waiting();
        let job = Job::Alone(Box::new(Closure { work, caller, gives_way: false }));
        match &self.apart {
            Some(lane) => lane.submit(None, job),
            None => self.submit(None, job),
        }
        pending
    }

    /// Runs a command that is done again when a power cut undoes it.
    pub fn relaxed<T, F>(&self, lane: RelaxedLane, work: F) -> Pending<Written<T, ()>>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<()>> + Send + 'static,
    {
        let (caller, pending) = Caller::waiting();
        let job = Job::Relaxed(Box::new(Closure { work, caller, gives_way: false }));
        if let Some(lane) = self.relaxed_lanes.get(lane.0).or(self.lanes.first()) {
            lane.submit(None, job);
        }
        pending
    }

    /// The same for a command of which each statement may be all that happens, should the connection be lost behind it: on
    /// PostgreSQL no transaction is begun and ended for it.
    ///
    /// So it must not
    /// - rely on being undone: what it has written stays when a later statement of it fails, after which it is run again. Once
    ///   it has succeeded it is not, whatever becomes of the others of its batch;
    /// - leave rows to be written before the commit ([`Late`](crate::Late)): nothing writes them;
    /// - lock rows for a later statement, or count on two of its statements to see the same.
    pub fn relaxed_at_once<T, F>(&self, lane: RelaxedLane, work: F) -> Pending<Written<T, ()>>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<()>> + Send + 'static,
    {
        let Some(lane) = self.relaxed_lanes.get(lane.0) else { return self.relaxed(lane, work) };
        let (caller, pending) = Caller::waiting();
        let command = Single::new(Box::new(Closure { work, caller, gives_way: false }));
        lane.submit(None, Job::Together(Box::new(command)));
        pending
    }

    /// Runs a command of an account, once for every idempotency key; `form` is how its answer is kept.
    pub fn write<T, E, F>(&self, ctx: Ctx, form: AnswerForm<T>, work: F) -> Pending<Written<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: Fn(&mut Tx<'_>, &Ctx) -> Result<T, Failure<E>> + Send + 'static,
    {
        self.command(Some(ctx.account), move |tx| {
            answers::once(tx, &ctx, form, |tx| work(tx, &ctx))
        })
    }

    /// Looks up one thing: on the caller's thread where that is quickest, otherwise together with others.
    pub fn look_up<V, F>(
        &self,
        lookups: &Lookups<V>,
        key: Key,
        alone: F,
    ) -> Pending<Result<Option<V>, Fault>>
    where
        V: Clone + Send + 'static,
        F: Fn(&mut Db, &Key) -> QueryResult<Option<V>> + Send + 'static,
    {
        if self.readers.inline() {
            return self.read(Cost::Small, move |db| alone(db, &key));
        }
        lookups.find(&self.readers, key)
    }

    /// Runs a query.
    pub fn read<T, F>(&self, cost: Cost, query: F) -> Pending<Result<T, Fault>>
    where
        T: Send + 'static,
        F: Fn(&mut Db) -> QueryResult<T> + Send + 'static,
    {
        self.readers.read(None, cost, query)
    }

    /// Runs a query of an account that may take long. Other accounts never wait for all that one asks for.
    pub fn read_of<T, F>(
        &self,
        account: AccountId,
        cost: Cost,
        query: F,
    ) -> Pending<Result<T, Fault>>
    where
        T: Send + 'static,
        F: Fn(&mut Db) -> QueryResult<T> + Send + 'static,
    {
        self.readers.read(Some(account), cost, query)
    }

    /// Whether a command is a repeat, by its idempotency key, of one whose answer still counts.
    pub fn is_answered(&self, ctx: Ctx) -> Pending<Result<bool, Fault>> {
        let retention = self.retention;
        self.read(Cost::Small, move |db| answers::is_answered(db, &ctx, retention))
    }

    /// Whether the database answers.
    pub fn ready(&self) -> Pending<Result<(), Fault>> {
        use diesel::RunQueryDsl;
        self.read(Cost::Small, |db| {
            diesel::select(diesel::dsl::sql::<diesel::sql_types::Integer>("1"))
                .execute(db)
                .map(drop)
        })
    }

    /// Commits what is queued, answers it, and ends the threads. What is asked for from now on is refused.
    pub fn close(&self) {
        for lane in self.lanes.iter().chain(&self.relaxed_lanes).chain(&self.apart) {
            lane.close();
        }
        self.readers.close();
        // It ends when the lanes have.
        let carrying = self.carrying.lock().unwrap_or_else(PoisonError::into_inner).take();
        if carrying.is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread of checkpoints ended by a panic");
        }
    }

    /// A figure that commits have added to.
    #[must_use]
    pub fn figure(&self, name: &str) -> u64 {
        self.figures.of(name)
    }

    /// The lanes, but for those of relaxed commands.
    fn writers(&self) -> impl Iterator<Item = &Lane> {
        self.lanes.iter().chain(&self.apart)
    }

    /// Figures for monitoring.
    #[must_use]
    pub fn gauges(&self) -> Vec<Gauge> {
        let total = |counter: fn(&Lane) -> u64| -> f64 {
            self.writers().map(|lane| counter(lane) as f64).sum()
        };
        let waiting: usize = self.lanes.iter().map(Lane::depth).sum();
        let held_up = |lane: &Lane| lane.tally.held_up.load(Ordering::Relaxed);
        let held_up: usize = self.lanes.iter().map(held_up).sum();
        let relaxed: usize = self.relaxed_lanes.iter().map(Lane::depth).sum();
        let seconds: f64 = self.writers().map(|lane| lane.tally.pace.all().as_secs_f64()).sum();
        let now = Instant::now();
        let longest = self.writers().map(|lane| lane.tally.pace.longest(now)).max();
        let (busy, open) = self.readers.connections();
        let (long, misplaced) = long_computations();
        vec![
            Gauge::new(
                "long_computations_total",
                "Computations that take as long as numbers of a caller say: keys, logos, printing",
                long as f64,
            ),
            Gauge::new(
                "long_computations_misplaced_total",
                "Those of them on threads that everybody waits for; always 0",
                misplaced as f64,
            ),
            Gauge::new(
                "store_delivery_commands_waiting",
                "Claims and ends of attempts that wait for their writer, on PostgreSQL",
                relaxed as f64,
            ),
            Gauge::new(
                "store_statements_total",
                "Statements sent to PostgreSQL since the start, but for those that begin and end transactions",
                self.watch.statements() as f64,
            ),
            Gauge::new(
                "store_commits_total",
                "Commits of batched commands",
                total(|lane| lane.tally.commits.load(Ordering::Relaxed)),
            ),
            Gauge::new(
                "store_commands_total",
                "Commands committed",
                total(|lane| lane.tally.commands.load(Ordering::Relaxed)),
            ),
            Gauge::new(
                "store_undone_total",
                "Batches undone and tried again or refused",
                total(|lane| lane.tally.undone.load(Ordering::Relaxed)),
            ),
            Gauge::new(
                "store_overtaken_total",
                "Accounts in which another node was faster; they lock what they need first for a while",
                total(|lane| lane.tally.overtaken.load(Ordering::Relaxed)),
            ),
            Gauge::new(
                "store_batch_seconds_total",
                "Time that batches of commands have taken their writers, until they were committed or undone",
                seconds,
            ),
            Gauge::new(
                "store_batch_longest_seconds",
                "The longest of the last minute or two: so long others have waited for it",
                longest.unwrap_or_default().as_secs_f64(),
            ),
            Gauge::new("store_commands_waiting", "Commands that wait for a writer", waiting as f64),
            Gauge::new(
                "store_commands_held_up",
                "Commands among them that need what another connection keeps locked",
                held_up as f64,
            ),
            Gauge::new(
                "store_queries_waiting",
                "Queries that wait for a reader",
                self.readers.depth() as f64,
            ),
            Gauge::new("store_read_connections_in_use", "Read connections in use", f64::from(busy)),
            Gauge::new("store_read_connections", "Read connections open", f64::from(open)),
        ]
    }
}
