//! One stamp and one charge for each invoice, whatever fails between the draft and the record of its stamp;
//! one request for each cancellation.
//!
//! `cargo xtask faults --rounds N` runs these tests with N seeds: the seed decides who goes on after an
//! answer was lost, and when the program is killed.

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

use std::env;

/// The seed of this run.
fn seed() -> u64 {
    env::var("TRASTIENDA_FAULTS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// How many times as much is to be tried as on every change.
fn effort() -> u64 {
    env::var("TRASTIENDA_FAULTS_EFFORT").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Tells what was tried; `cargo xtask faults` adds it up.
fn tell(counts: &[(&str, usize)]) {
    let counts = counts.iter().map(|(what, count)| format!(" {what}={count}"));
    eprintln!("faults:{}", counts.collect::<String>());
}
