//! The store: every domain's service on one engine.

use std::sync::Arc;

use engine::{
    Engine, Parts, RelaxedLane, StoreError,
    cleanup::{Chores, Litter, Step, Walk},
    db::Connector,
    lookups::Lookups,
};
use kernel::{Fault, Pending, Timestamp, Written};

use crate::{
    Settings, domains, notifier::Notifier, orders, orders::place::PlaceJob, products,
    webhooks::Timing,
};

/// Where claims of deliveries are written.
pub(crate) const CLAIMS: RelaxedLane = RelaxedLane(0);
/// Where is written what became of claimed deliveries.
pub(crate) const ENDS: RelaxedLane = RelaxedLane(1);

/// Every domain's service on one database.
pub struct Store {
    pub(crate) engine: Engine<PlaceJob>,
    pub(crate) notifier: Arc<Notifier>,
    pub(crate) timing: Timing,
    pub(crate) products: Lookups<catalog::Product>,
    pub(crate) orders: Lookups<::orders::Order>,
    chores: Chores,
}

impl Store {
    /// Opens a database that has been [migrated](crate::migrate).
    ///
    /// # Errors
    /// When the URL is none, the file is not there, the database cannot be reached, or it holds secrets that no
    /// given master key opens.
    pub fn open(settings: &Settings) -> Result<Arc<Self>, StoreError> {
        let notifier = Notifier::new(Connector::new(&settings.engine())?);
        let parts = Parts {
            secrets: domains::SECRETS,
            relaxed_lanes: domains::RELAXED_LANES,
            after_commit: notifier.clone(),
        };
        Ok(Arc::new(Self {
            engine: Engine::open(&settings.engine(), parts)?,
            notifier,
            timing: Timing::of(settings),
            products: Lookups::new(products::products_by_key),
            orders: Lookups::new(orders::orders_by_key),
            chores: domains::chores(settings),
        }))
    }

    /// Commits what is queued, answers it, and ends the threads. What is asked for from now on is refused.
    pub fn close(&self) {
        self.engine.close();
    }

    /// Whether the database answers.
    pub fn ready(&self) -> Pending<Result<(), Fault>> {
        self.engine.ready()
    }

    /// Looks for what has served its time, one step of a walk over all accounts.
    pub fn find_litter(&self, walk: Walk, now: Timestamp) -> Pending<Result<Step, Fault>> {
        self.engine.find_litter(&self.chores, walk, now)
    }

    /// Removes a slice of what was found; says how many rows. Below [`SLICE_ROWS`](engine::cleanup::SLICE_ROWS)
    /// nothing is left of it.
    pub fn clean_up(&self, litter: Litter, now: Timestamp) -> Pending<Written<u64, ()>> {
        self.engine.clean_up(&self.chores, litter, now)
    }
}
