//! `cargo xtask test`: every test of the workspace, on SQLite and on PostgreSQL.
//!
//! SQLite is compiled in. PostgreSQL is the server in `TRASTIENDA_TEST_POSTGRES_URL` or, without
//! one, a private cluster that lives as long as the run. What tests write goes into a folder of the run.

use std::env;
use std::ffi::OsStr;
use std::process::Command;
use std::thread::available_parallelism;

use anyhow::Result;

use crate::chromium;
use crate::command::{cargo, has_cargo_subcommand, run as run_command};
use crate::postgres::{Cluster, Durability, TEST_URL};
use crate::scratch::Scratch;
use crate::valkey;

/// Names the folder in which the tests of a run keep what they share.
const FOLDER: &str = "TRASTIENDA_TEST_FOLDER";

/// Runs the tests.
pub(crate) fn run(args: &[String]) -> Result<()> {
    run_with(args, &[])
}

/// Runs tests with these variables in their environment.
pub(crate) fn run_with(args: &[String], variables: &[(&str, &OsStr)]) -> Result<()> {
    let args = runner_args(args);
    let (url, _cluster) = match env::var(TEST_URL) {
        Ok(url) if !url.is_empty() => {
            println!("Databases: SQLite, and the PostgreSQL in {TEST_URL}");
            (url, None)
        }
        _ => {
            let cluster = Cluster::start(Durability::None)?;
            println!("Databases: SQLite, and {cluster}");
            cluster.warn_without_spanish();
            (cluster.url(), Some(cluster))
        }
    };
    valkey::install_if_missing();
    chromium::install_if_missing();
    let scratch = Scratch::make()?;
    let beside = |command: &mut Command| {
        command.env(TEST_URL, &url).env(FOLDER, scratch.path()).env("TMPDIR", scratch.path());
        run_command(command.envs(variables.iter().copied()))
    };
    beside(&mut runner(args))?;
    if !args.is_empty() {
        println!("Doc tests skipped: the arguments were for the other tests.");
        return Ok(());
    }
    beside(cargo().args(["test", "--workspace", "--doc"]))
}

fn runner(args: &[String]) -> Command {
    let mut command = cargo();
    if has_cargo_subcommand("nextest") {
        command.args(["nextest", "run", "--no-tests=pass"]);
        if !names_threads(args) {
            command.args(["--test-threads", &threads().to_string()]);
        }
        // Examples have no tests; that they compile is clippy's business.
        if !names_targets(args) {
            command.arg("--tests");
        }
    } else {
        println!("cargo-nextest is not installed: running the tests with cargo test.");
        command.args(["test", "--no-fail-fast", "--tests", "--examples"]);
    }
    if !names_packages(args) {
        command.arg("--workspace");
    }
    command.args(args);
    command
}

/// Tests to run at once: some of their time goes by while they wait for a moment to come or for somebody else.
fn threads() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    processors + processors.div_ceil(2)
}

/// Whether the arguments say how many tests run at once, or that none does.
fn names_threads(args: &[String]) -> bool {
    let names = ["-j", "--jobs", "--test-threads", "--no-capture", "--nocapture", "--no-run"];
    ours(args).any(|arg| names.iter().any(|name| arg.starts_with(name)))
}

/// Whether the arguments say what of the packages is built.
fn names_targets(args: &[String]) -> bool {
    let kinds = ["--lib", "--bin", "--bins", "--test", "--tests", "--example", "--examples"];
    let kinds = kinds.iter().chain(&["--bench", "--benches", "--all-targets"]);
    let names: Vec<&str> =
        ours(args).map(|arg| arg.split('=').next().unwrap_or_default()).collect();
    kinds.copied().any(|kind| names.contains(&kind))
}

/// Beside `--workspace`, cargo would ignore `-p`.
fn names_packages(args: &[String]) -> bool {
    ours(args).any(|arg| arg.starts_with("-p") || arg.starts_with("--package"))
}

/// The arguments that are for the runner, not for the tests.
fn ours(args: &[String]) -> impl Iterator<Item = &String> {
    args.iter().take_while(|arg| *arg != "--")
}

/// What follows the `--` that separates our arguments (none) from the runner's.
fn runner_args(args: &[String]) -> &[String] {
    match args {
        [dashes, rest @ ..] if dashes == "--" => rest,
        args => args,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_dashes_are_ours_and_the_second_the_runners() {
        let args = ["--", "orders", "--", "--nocapture"].map(str::to_owned);
        assert_eq!(runner_args(&args), ["orders", "--", "--nocapture"]);
        assert_eq!(runner_args(&["orders".to_owned()]), ["orders"]);
        assert!(runner_args(&[]).is_empty());
    }

    #[test]
    fn packages_are_named_before_the_second_dashes() {
        assert!(names_packages(&["-p".to_owned(), "api".to_owned()]));
        assert!(names_packages(&["--package=api".to_owned()]));
        assert!(!names_packages(&["orders".to_owned(), "--".to_owned(), "-p".to_owned()]));
    }

    #[test]
    fn whoever_names_targets_gets_these_alone() {
        assert!(names_targets(&["--test=it".to_owned()]));
        assert!(names_targets(&["-p".to_owned(), "api".to_owned(), "--lib".to_owned()]));
        assert!(!names_targets(&["--test-threads=2".to_owned(), "orders".to_owned()]));
        assert!(!names_targets(&["orders".to_owned(), "--".to_owned(), "--test".to_owned()]));
    }

    #[test]
    fn whoever_names_a_number_of_threads_gets_it() {
        for named in ["-j1", "--test-threads=4", "--no-run"] {
            assert!(names_threads(&[named.to_owned()]), "{named}");
        }
        assert!(!names_threads(&["orders".to_owned(), "--no-fail-fast".to_owned()]));
    }
}
