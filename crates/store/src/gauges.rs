//! What a store tells about itself.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use diesel::{dsl::count_star, prelude::*};
use kernel::{Fault, Pending};

use crate::{lane::Lane, readers::Cost, schema::events, store::Store};

impl Store {
    /// Figures for monitoring: name, meaning, value.
    #[must_use]
    pub fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        let total = |counter: fn(&Lane) -> &AtomicU64| -> f64 {
            self.lanes.iter().map(|lane| counter(lane).load(Ordering::Relaxed) as f64).sum()
        };
        let waiting: usize = self.lanes.iter().map(Lane::depth).sum();
        let (busy, open) = self.readers.connections();
        vec![
            (
                "store_commits_total",
                "Commits of batched commands",
                total(|lane| &lane.tally.commits),
            ),
            ("store_commands_total", "Commands committed", total(|lane| &lane.tally.commands)),
            (
                "store_undone_total",
                "Batches undone and tried again or refused",
                total(|lane| &lane.tally.undone),
            ),
            ("store_commands_waiting", "Commands that wait for a writer", waiting as f64),
            (
                "store_queries_waiting",
                "Queries that wait for a reader",
                self.readers.depth() as f64,
            ),
            ("store_read_connections_in_use", "Read connections in use", f64::from(busy)),
            ("store_read_connections", "Read connections open", f64::from(open)),
            (
                "store_outbox_events",
                "Events in the outbox",
                self.outbox.load(Ordering::Relaxed) as f64,
            ),
        ]
    }

    /// Counts the outbox for [`Store::gauges`]: called now and then, since counting costs.
    pub fn measure(&self) -> Pending<Result<(), Fault>> {
        let outbox = Arc::clone(&self.outbox);
        self.readers.read(Cost::Large, move |db| {
            let count: i64 = events::table.select(count_star()).get_result(db)?;
            outbox.store(u64::try_from(count).unwrap_or_default(), Ordering::Relaxed);
            Ok(())
        })
    }
}
