//! One stamp and one charge for each invoice, whatever fails between the draft and the record of its stamp;
//! one request for each cancellation.
//!
//! `cargo xtask faults --rounds N` runs these tests with N seeds: the seed decides who goes on after an
//! answer was lost, and when the program is killed. `--faults N` runs them until so many faults have been tried.

mod blackouts;
mod cancelling;
mod crashes;
mod desk;
mod line;
mod meanwhile;
mod program;
mod silence;
mod stamping;
mod twins;

use std::{cell::Cell, env};

use testkit::{FakePac, pac::Behaviour};

/// The seed of this run.
fn seed() -> u64 {
    wanted("SEED").unwrap_or(0)
}

/// How many times as much is to be tried as on every change.
fn effort() -> u64 {
    wanted("EFFORT").unwrap_or(1)
}

/// How many statuses are to be tried besides those that gateways are known for.
fn statuses() -> u64 {
    wanted("STATUSES").unwrap_or(4 * effort())
}

fn wanted(what: &str) -> Option<u64> {
    env::var(format!("TRASTIENDA_FAULTS_{what}")).ok()?.parse().ok()
}

/// What was tried at one provider. It is told at the end of the test, however that ends.
struct Tried<'a> {
    pac: &'a FakePac,
    faults: Cell<usize>,
    invoices: Cell<usize>,
}

impl<'a> Tried<'a> {
    fn at(pac: &'a FakePac) -> Self {
        Self { pac, faults: Cell::new(0), invoices: Cell::new(0) }
    }

    /// So many faults more.
    fn faults(&self, count: usize) {
        self.faults.set(self.faults.get() + count);
    }

    /// So many invoices more, each to be stamped once.
    fn invoices(&self, count: usize) {
        self.invoices.set(self.invoices.get() + count);
    }
}

impl Drop for Tried<'_> {
    fn drop(&mut self) {
        let (stamps, invoices) = (self.pac.stamps().len(), self.invoices.get());
        tell(&[
            ("faults", self.faults.get()),
            ("invoices", invoices),
            ("stamps", stamps),
            ("double_stamps", stamps.saturating_sub(invoices)),
        ]);
    }
}

/// How many of these are no documented behaviour.
fn faults_of(script: &[Behaviour]) -> usize {
    script.iter().filter(|behaviour| **behaviour != Behaviour::documented()).count()
}

/// Tells what was tried; `cargo xtask faults` adds it up.
fn tell(counts: &[(&str, usize)]) {
    let counts = counts.iter().map(|(what, count)| format!(" {what}={count}"));
    eprintln!("faults:{}", counts.collect::<String>());
}
