//! `cargo xtask test`: every test of the workspace, on SQLite and on PostgreSQL.
//!
//! SQLite is compiled in. PostgreSQL is the server in `TRASTIENDA_TEST_POSTGRES_URL` or, without
//! one, a private cluster that lives as long as the run.

use std::env;
use std::process::Command;

use anyhow::Result;

use crate::command::{cargo, has_cargo_subcommand, run as run_command};
use crate::postgres::{Cluster, Durability, TEST_URL};

/// Runs the tests.
pub(crate) fn run(args: &[String]) -> Result<()> {
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
    run_command(runner(args).env(TEST_URL, &url))?;
    if !args.is_empty() {
        println!("Doc tests skipped: the arguments were for the other tests.");
        return Ok(());
    }
    run_command(cargo().args(["test", "--workspace", "--doc"]).env(TEST_URL, &url))
}

fn runner(args: &[String]) -> Command {
    let mut command = cargo();
    if has_cargo_subcommand("nextest") {
        command.args(["nextest", "run", "--no-tests=pass"]);
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

/// Beside `--workspace`, cargo would ignore `-p`.
fn names_packages(args: &[String]) -> bool {
    let mut ours = args.iter().take_while(|arg| *arg != "--");
    ours.any(|arg| arg.starts_with("-p") || arg.starts_with("--package"))
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
}
