//! What a store tells about itself.

use kernel::Gauge;

use crate::{accounts, approvals, events, figures, orders::place, store::Store, unreadable};

impl Store {
    /// Figures for monitoring.
    #[must_use]
    pub fn gauges(&self) -> Vec<Gauge> {
        let mut gauges = self.engine.gauges();
        gauges.push(Gauge::new(
            "store_unreadable_rows_total",
            "Rows left out of lists and queues because they cannot be read; the log names each",
            unreadable::left_out() as f64,
        ));
        gauges.push(Gauge::new(
            "store_events_total",
            "Events recorded in the outbox since the start",
            self.engine.figure(events::RECORDED) as f64,
        ));
        gauges.push(Gauge::new(
            "request_log_lost_total",
            "Requests that are missing in the log of requests",
            self.requests.lost() as f64,
        ));
        for (name, help, figure) in place::COUNTERS {
            gauges.push(Gauge::new(name, help, self.engine.figure(figure) as f64));
        }
        let counters =
            approvals::COUNTERS.iter().chain(accounts::COUNTERS).chain(figures::COUNTERS);
        gauges.extend(counters.map(|&(name, help, figure)| {
            Gauge::new(name, help, self.engine.figure(figure) as f64)
        }));
        gauges.extend(self.approvals_waiting.read());
        gauges
    }
}
