//! What a store tells about itself.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{lane::Lane, store::Store, unreadable};

impl Store {
    /// Figures for monitoring: name, meaning, value.
    #[must_use]
    pub fn gauges(&self) -> Vec<(&'static str, &'static str, f64)> {
        let total = |counter: fn(&Lane) -> &AtomicU64| -> f64 {
            self.lanes.iter().map(|lane| counter(lane).load(Ordering::Relaxed) as f64).sum()
        };
        let waiting: usize = self.lanes.iter().map(Lane::depth).sum();
        let (busy, open) = self.readers.connections();
        let deliveries: usize = self.relaxed_lanes.iter().map(Lane::depth).sum();
        vec![
            (
                "store_delivery_commands_waiting",
                "Claims and ends of attempts that wait for their writer, on PostgreSQL",
                deliveries as f64,
            ),
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
                "store_unreadable_rows_total",
                "Rows left out of lists and queues because they cannot be read; the log names each",
                unreadable::left_out() as f64,
            ),
            (
                "store_events_total",
                "Events recorded in the outbox since the start",
                total(|lane| &lane.tally.events),
            ),
        ]
    }
}
