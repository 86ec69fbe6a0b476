//! Figures for monitoring.

/// A figure at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauge {
    /// Its name in the metrics, `snake_case`. That of a counter, which only grows, ends in `_total`.
    pub name: &'static str,
    /// What it counts or measures.
    pub help: &'static str,
    /// The number.
    pub value: f64,
}

impl Gauge {
    /// A figure of this name and meaning.
    #[must_use]
    pub const fn new(name: &'static str, help: &'static str, value: f64) -> Self {
        Self { name, help, value }
    }
}
