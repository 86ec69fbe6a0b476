//! The store: lanes that write, readers that read.

use std::sync::Arc;

use kernel::{AccountId, Ctx, Done, Fault, Pending, Written, id::IdSource, pending::Answer};

use crate::{
    Settings, StoreError, answers,
    db::{Connector, Target, Use},
    error::Stop,
    lane::{Job, Lane, Parts, Task, Tx},
    lookups::{Key, Lookups},
    orders, products,
    readers::{Cost, Readers},
    secrets::{self, Mismatch},
    stored::Stored,
    vault::Vault,
    webhooks::{Timing, bell::Bell},
};

/// What a dispatcher writes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Relaxed {
    /// Claims.
    Claim,
    /// What became of claimed deliveries.
    End,
}

/// Every domain's service on one database.
pub struct Store {
    pub(crate) lanes: Vec<Lane>,
    /// Where dispatchers write on PostgreSQL, beside everybody else: claims, and what becomes of them. On
    /// SQLite they share the one writer.
    pub(crate) relaxed_lanes: Vec<Lane>,
    pub(crate) bell: Arc<Bell>,
    pub(crate) vault: Arc<Vault>,
    pub(crate) timing: Timing,
    pub(crate) readers: Readers,
    pub(crate) products: Lookups<catalog::Product>,
    pub(crate) orders: Lookups<::orders::Order>,
}

impl Store {
    /// Opens a database that has been [migrated](crate::migrate).
    ///
    /// # Errors
    /// When the URL is none, the file is not there, or the database cannot be reached.
    pub fn open(settings: &Settings) -> Result<Arc<Self>, StoreError> {
        let connector = Connector::new(settings)?;
        if let Target::Sqlite(path) = &connector.target
            && !path.exists()
        {
            return Err(StoreError::Missing(path.clone()));
        }
        let mut db = connector
            .connect(Use::Write)
            .map_err(|error| StoreError::Database(error.to_string()))?;
        let vault = Vault::new(&settings.master_keys)?;
        compare_keys(&mut db, &vault)?;
        drop(db);
        let threads = |error: std::io::Error| StoreError::Database(format!("no thread: {error}"));
        let retention =
            i64::try_from(settings.idempotency_retention.as_micros()).unwrap_or(i64::MAX);
        let ids = Arc::new(IdSource::default());
        let bell = Bell::new(connector.clone());
        let parts = Parts {
            connector: connector.clone(),
            usage: Use::Write,
            ids,
            retention,
            bell: Arc::clone(&bell),
        };
        let lanes = if connector.is_sqlite() { 1 } else { settings.writers.max(1) };
        let lanes = (0..lanes)
            .map(|number| Lane::start(format!("writer-{number}"), parts.clone()))
            .collect::<Result<_, _>>()
            .map_err(threads)?;
        let relaxed = Parts { usage: Use::Relaxed, ..parts };
        let names: &[&str] =
            if connector.is_sqlite() { &[] } else { &["writer-claims", "writer-ends"] };
        let relaxed_lanes = names
            .iter()
            .map(|name| Lane::start((*name).to_owned(), relaxed.clone()))
            .collect::<Result<_, _>>()
            .map_err(threads)?;
        let readers = Readers::start(connector, settings.readers, settings.connect_timeout)
            .map_err(threads)?;
        Ok(Arc::new(Self {
            lanes,
            relaxed_lanes,
            bell,
            vault: Arc::new(vault),
            timing: Timing::of(settings),
            readers,
            products: Lookups::new(products::products_by_key),
            orders: Lookups::new(orders::orders_by_key),
        }))
    }

    /// The commands of one account take one lane: they never wait for each other's row locks.
    pub(crate) fn submit(&self, account: Option<AccountId>, job: Job) {
        let lane =
            account.map_or(0, |account| account.to_u128() as usize % self.lanes.len().max(1));
        if let Some(lane) = self.lanes.get(lane) {
            lane.submit(job);
        }
    }

    /// Runs a command that has no idempotency key.
    pub(crate) fn command<T, E, F>(
        &self,
        account: Option<AccountId>,
        work: F,
    ) -> Pending<Written<T, E>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Stop<E>> + Send + 'static,
    {
        let (answer, pending): (Answer<Written<T, E>>, _) = Pending::channel();
        self.submit(account, Job::Other(Box::new(Task { work, outcome: None, answer })));
        pending
    }

    /// Runs a command that is done again when a power cut undoes it.
    pub(crate) fn relaxed<T, F>(&self, relaxed: Relaxed, work: F) -> Pending<Written<T, ()>>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Stop<()>> + Send + 'static,
    {
        let (answer, pending): (Answer<Written<T, ()>>, _) = Pending::channel();
        let job = Job::Relaxed(Box::new(Task { work, outcome: None, answer }));
        let lane = self.relaxed_lanes.get(relaxed as usize).or(self.lanes.first());
        if let Some(lane) = lane {
            lane.submit(job);
        }
        pending
    }

    /// Runs a command of an account, once for every idempotency key.
    pub(crate) fn write<T, E, F>(&self, ctx: Ctx, work: F) -> Pending<Written<T, E>>
    where
        T: Stored + Send + 'static,
        E: Send + 'static,
        F: Fn(&mut Tx<'_>, &Ctx) -> Result<T, Stop<E>> + Send + 'static,
    {
        self.command(Some(ctx.account), move |tx| answers::once(tx, &ctx, |tx| work(tx, &ctx)))
    }

    /// Looks up one thing: on the caller's thread where that is quickest, otherwise together with others.
    pub(crate) fn look_up<V, F>(
        &self,
        lookups: &Lookups<V>,
        key: Key,
        alone: F,
    ) -> Pending<Result<Option<V>, Fault>>
    where
        V: Clone + Send + 'static,
        F: Fn(&mut crate::db::Db, &Key) -> diesel::QueryResult<Option<V>> + Send + 'static,
    {
        if self.readers.inline() {
            return self.read(Cost::Small, move |db| alone(db, &key));
        }
        lookups.find(&self.readers, key)
    }

    /// Runs a query.
    pub(crate) fn read<T, F>(&self, cost: Cost, query: F) -> Pending<Result<T, Fault>>
    where
        T: Send + 'static,
        F: Fn(&mut crate::db::Db) -> diesel::QueryResult<T> + Send + 'static,
    {
        self.readers.read(cost, query)
    }
}

/// Refuses to work on secrets that cannot be opened, and seals with the newest key what older ones sealed.
fn compare_keys(db: &mut crate::db::Db, vault: &Vault) -> Result<(), StoreError> {
    if vault.is_empty() {
        return Ok(());
    }
    let sealed = secrets::seal_anew(db, vault).map_err(|mismatch| match mismatch {
        Mismatch::Database(error) => StoreError::Database(error.to_string()),
        Mismatch::LockedOut(count) => StoreError::MasterKey(format!(
            "does not open {count} secrets in this database: they were sealed with \
             another one; give every process the same key, and after a change the old one behind the new"
        )),
    })?;
    if sealed > 0 {
        tracing::info!(sealed, "secrets were sealed anew with the newest master key");
    }
    Ok(())
}
