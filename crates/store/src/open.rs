//! Opening a store: the engine is handed what every domain brings.

use std::sync::Arc;

use engine::{Engine, Parts, StoreError, db::Connector, lookups::Lookups};

use crate::{
    Settings, catalog::products_by_key, domains, hashing::Hashing, migrations, notifier::Notifier,
    orders, requests::Requests, store::Store, under_way::UnderWay,
};

impl Store {
    /// Opens a database that has been [migrated](crate::migrate).
    ///
    /// # Errors
    /// When the URL is none, the file is not there, the database cannot be reached, or it holds secrets that no
    /// given master key opens, or a newer release has taken from it what this one uses.
    pub fn open(settings: &Settings) -> Result<Arc<Self>, StoreError> {
        let notifier = Notifier::new(Connector::new(&settings.engine())?);
        let parts = Parts {
            check: migrations::check,
            secrets: domains::SECRETS,
            relaxed_lanes: domains::RELAXED_LANES,
            after_commit: notifier.clone(),
        };
        let approvals_waiting = Arc::default();
        Ok(Arc::new(Self {
            engine: Arc::new(Engine::open(&settings.engine(), parts)?),
            passwords: Hashing::default(),
            notifier,
            secret_overlap_seconds: i64::try_from(settings.secret_overlap.as_secs())
                .unwrap_or(i64::MAX),
            products: Lookups::new(products_by_key),
            orders: Lookups::weighed(orders::orders_by_key, orders::is_long),
            endpoints: Arc::default(),
            chores: domains::chores(settings, &approvals_waiting),
            under_way: UnderWay::default(),
            approvals_waiting,
            give_up: domains::give_up,
            task_log: domains::TASK_LOG,
            refund_gate: domains::REFUND_GATE,
            long_pages: Arc::default(),
            requests: Requests::default(),
        }))
    }
}
