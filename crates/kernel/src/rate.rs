//! Rates of requests, as somebody counts them for several nodes.

use std::{future::Future, pin::Pin, time::Duration};

use crate::Gauge;

/// What a holder may use: an allowance that can be used at once and comes back evenly (GCRA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Requests at once, at least 1.
    pub at_once: u32,
    /// After this time one of them is back.
    pub interval: Duration,
}

/// What was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The request is within the quota.
    Allowed {
        /// Requests that may follow at once.
        remaining: u32,
    },
    /// The quota is used up; the request was not counted.
    Refused {
        /// After this time one request is allowed again.
        wait: Duration,
    },
    /// No answer came in time. It is going to be counted all the same, as a rule.
    Unanswered,
}

/// A count under way; dropping it gives it up.
pub type Counting<'a> = Pin<Box<dyn Future<Output = Option<Verdict>> + 'a>>;

/// Counts requests for all nodes.
pub trait SharedCounter: Send + Sync {
    /// Counts a request of `holder`, and with it so many `untold` ones that were let through before while nobody counted for
    /// all; these count only if it is allowed. Takes a few milliseconds at most. `None` when nobody counts at the moment.
    fn count<'a>(&'a self, holder: &'a str, quota: Quota, untold: u32) -> Counting<'a>;

    /// The nodes that counted with it when they were last seen, this one included.
    fn nodes(&self) -> u32;

    /// What it tells about itself.
    fn gauges(&self) -> Vec<Gauge>;
}
