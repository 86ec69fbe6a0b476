//! Figures that commits add to, for monitoring.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// Figures by name.
#[derive(Debug, Default)]
pub(crate) struct Figures(Mutex<BTreeMap<&'static str, u64>>);

impl Figures {
    /// Adds what a commit counts.
    pub(crate) fn add(&self, counts: impl Iterator<Item = (&'static str, u64)>) {
        for (figure, more) in counts {
            let mut figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *figures.entry(figure).or_default() += more;
        }
    }

    /// The value of a figure; 0 before anything was counted.
    pub(crate) fn of(&self, figure: &str) -> u64 {
        let figures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        figures.get(figure).copied().unwrap_or_default()
    }
}
