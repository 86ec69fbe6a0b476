//! Which invariants were tried, and which of them were violated.

use std::fmt::{Debug, Write};
use std::marker::PhantomData;

/// Violations are counted without bound, but only the first ones are kept to be shown.
const DETAILS_KEPT: usize = 20;

/// A list of things that must hold, each with a place in the list.
pub(crate) trait Promise: Copy + Debug + 'static {
    const ALL: &'static [Self];

    fn index(self) -> usize;

    fn sentence(self) -> &'static str;
}

/// What must hold of orders, whenever the server dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invariant {
    ExpectedAnswer,
    OrderAsAsked,
    OneOrderPerKey,
    ReplayIsMarked,
    KeyIsNotStuck,
    OrderIsKept,
    NoUnexplainedOrder,
    TotalIsExact,
    StockAddsUp,
    StockIsNotNegative,
    OneCreatedEvent,
    OneCancelledEvent,
    LedgerAddsUp,
    DatabaseIsWhole,
}

impl Promise for Invariant {
    const ALL: &'static [Self] = &[
        Self::ExpectedAnswer,
        Self::OrderAsAsked,
        Self::OneOrderPerKey,
        Self::ReplayIsMarked,
        Self::KeyIsNotStuck,
        Self::OrderIsKept,
        Self::NoUnexplainedOrder,
        Self::TotalIsExact,
        Self::StockAddsUp,
        Self::StockIsNotNegative,
        Self::OneCreatedEvent,
        Self::OneCancelledEvent,
        Self::LedgerAddsUp,
        Self::DatabaseIsWhole,
    ];

    fn index(self) -> usize {
        self as usize
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::ExpectedAnswer => "every answer is one the API promises here",
            Self::OrderAsAsked => "an order holds the items and the total that were asked for",
            Self::OneOrderPerKey => "all answers to one key are the same order",
            Self::ReplayIsMarked => "a replay says that it is one",
            Self::KeyIsNotStuck => "no key stays in use after the server died",
            Self::OrderIsKept => "an acknowledged order is there, unchanged",
            Self::NoUnexplainedOrder => "no order exists that no key explains",
            Self::TotalIsExact => "the list counts the orders that exist",
            Self::StockAddsUp => "stock = initial - sold + cancelled",
            Self::StockIsNotNegative => "stock is never negative",
            Self::OneCreatedEvent => "one order.created for each order",
            Self::OneCancelledEvent => "one order.cancelled for each cancelled order",
            Self::LedgerAddsUp => "the stock ledger sums to the stock level",
            Self::DatabaseIsWhole => "the database finds its files whole",
        }
    }
}

/// The counts of one database's run.
#[derive(Clone, Debug)]
pub(crate) struct Verdict<P = Invariant> {
    tried: Vec<u64>,
    violated: Vec<u64>,
    details: Vec<String>,
    promises: PhantomData<P>,
}

impl<P: Promise> Default for Verdict<P> {
    fn default() -> Self {
        let none = vec![0; P::ALL.len()];
        Self { tried: none.clone(), violated: none, details: Vec::new(), promises: PhantomData }
    }
}

impl<P: Promise> Verdict<P> {
    /// Counts one trial; the detail is asked for only when the invariant is violated.
    pub(crate) fn check(&mut self, invariant: P, held: bool, detail: impl FnOnce() -> String) {
        let index = invariant.index();
        if let Some(tried) = self.tried.get_mut(index) {
            *tried += 1;
        }
        if held {
            return;
        }
        if let Some(violated) = self.violated.get_mut(index) {
            *violated += 1;
        }
        if self.details.len() < DETAILS_KEPT {
            self.details.push(format!("{invariant:?}: {}", detail()));
        }
    }

    /// Adds what was counted elsewhere.
    pub(crate) fn absorb(&mut self, other: &Self) {
        for (all, more) in self.tried.iter_mut().zip(&other.tried) {
            *all += more;
        }
        for (all, more) in self.violated.iter_mut().zip(&other.violated) {
            *all += more;
        }
        let room = DETAILS_KEPT.saturating_sub(self.details.len());
        self.details.extend(other.details.iter().take(room).cloned());
    }

    pub(crate) fn violations(&self) -> u64 {
        self.violated.iter().sum()
    }

    /// The counts as a Markdown table, and the first violations below it.
    pub(crate) fn report(&self) -> String {
        let mut text = "| invariant | tried | held | violated |\n|---|---|---|---|\n".to_owned();
        let (mut all_tried, mut all_violated) = (0, 0);
        let counts = self.tried.iter().zip(&self.violated);
        for (invariant, (tried, violated)) in P::ALL.iter().zip(counts) {
            text.push_str(&row(invariant.sentence(), *tried, *violated));
            all_tried += tried;
            all_violated += violated;
        }
        text.push_str(&row("all", all_tried, all_violated));
        for detail in &self.details {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {detail}");
        }
        text
    }
}

fn row(what: &str, tried: u64, violated: u64) -> String {
    format!("| {what} | {tried} | {} | {violated} |\n", tried - violated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invariant_counts_for_itself() {
        for (index, invariant) in Invariant::ALL.iter().enumerate() {
            assert_eq!(index, invariant.index());
        }
    }

    #[test]
    fn violations_are_counted_and_the_first_are_told() {
        let mut verdict = Verdict::default();
        verdict.check(Invariant::StockAddsUp, true, String::new);
        for number in 0..30 {
            verdict.check(Invariant::StockAddsUp, false, || format!("number {number}"));
        }
        assert_eq!(verdict.violations(), 30);
        let report = verdict.report();
        assert!(report.contains("| stock = initial - sold + cancelled | 31 | 1 | 30 |"));
        assert!(report.contains("| all | 31 | 1 | 30 |"));
        assert_eq!(report.matches("StockAddsUp: number").count(), DETAILS_KEPT);
        let mut both = verdict.clone();
        both.absorb(&verdict);
        assert_eq!(both.violations(), 60);
        assert!(both.report().contains("| stock = initial - sold + cancelled | 62 | 2 | 60 |"));
        assert_eq!(both.report().matches("StockAddsUp: number").count(), DETAILS_KEPT);
    }
}
