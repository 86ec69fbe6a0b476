//! `cargo xtask ci`: everything a change must pass, in order, up to the first failure.

use std::time::Instant;

use anyhow::{Context, Result};

use crate::command::{cargo, run as run_command};
use crate::{arch, deps, judge_cfdi, judge_payments, test};

type Step = (&'static str, fn() -> Result<()>);

const STEPS: &[Step] = &[
    ("test", || test::run(&[])),
    ("judge-cfdi", judge_cfdi::sample),
    ("judge-payments", judge_payments::sample),
    ("fmt", || run_command(cargo().args(["fmt", "--all", "--check"]))),
    ("clippy", clippy),
    ("docs", docs),
    ("arch", arch::run),
    ("deps", deps::run),
];

/// Runs the steps and prints the seconds of each.
pub(crate) fn run() -> Result<()> {
    let mut seconds = Vec::new();
    for (name, step) in STEPS {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step();
        let took = start.elapsed().as_secs_f64();
        let verdict = if outcome.is_ok() { "passed" } else { "FAILED" };
        println!("=== {name} {verdict} after {took:.1} s");
        outcome.with_context(|| format!("CI stops at `{name}`"))?;
        seconds.push(format!("{name} {took:.1}"));
    }
    println!("\n=== All passed. Seconds: {}", seconds.join(", "));
    Ok(())
}

fn clippy() -> Result<()> {
    let mut command = cargo();
    command.args(["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]);
    run_command(&mut command)
}

fn docs() -> Result<()> {
    let mut command = cargo();
    command
        .args(["doc", "--workspace", "--no-deps", "--locked"])
        .env("RUSTDOCFLAGS", "-D warnings");
    run_command(&mut command)
}
