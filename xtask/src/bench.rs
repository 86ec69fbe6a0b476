//! `cargo xtask bench` and `cargo xtask chaos`: the `bench` crate against a release build.
//!
//! Both run beside a PostgreSQL that keeps what it acknowledges, as the service's would; a server
//! of one's own is named in `TRASTIENDA_BENCH_POSTGRES_URL`.

use std::env;
use std::process::Command;

use anyhow::Result;

use crate::command::{cargo, run as run_command, target_dir};
use crate::haproxy;
use crate::postgres::{Cluster, Durability};
use crate::valkey;

const PROFILE: &str = "bench-release";
const URL: &str = "TRASTIENDA_BENCH_POSTGRES_URL";
const HAPROXY: &str = "TRASTIENDA_BENCH_HAPROXY";

/// Builds the service, starts the database and runs the `bench` crate's subcommand.
pub(crate) fn run(subcommand: &str, args: &[String]) -> Result<()> {
    run_command(cargo().args(["build", "--profile", PROFILE, "-p", "trastienda"]))?;
    let binary = target_dir()?.join(PROFILE).join("trastienda");

    let mut bench = cargo();
    bench.args(["run", "--profile", PROFILE, "-p", "bench", "--", subcommand]).args(args);
    bench.env("TRASTIENDA_BIN", binary);
    if subcommand == "chaos" && args.iter().any(|arg| arg == "nodes") {
        valkey::install_if_missing();
        if env::var_os(HAPROXY).is_none() {
            bench.env(HAPROXY, haproxy::find_or_install()?);
        }
    }
    // Dropped, and so stopped, after the run.
    let _cluster = provide_database(&mut bench)?;
    run_command(&mut bench)
}

fn provide_database(bench: &mut Command) -> Result<Option<Cluster>> {
    if env::var(URL).is_ok_and(|url| !url.is_empty()) {
        println!("Database: the PostgreSQL in {URL}");
        return Ok(None);
    }
    let cluster = Cluster::start(Durability::Full)?;
    println!("Database: {cluster}");
    bench
        .env(URL, cluster.url())
        .env("TRASTIENDA_BENCH_PG_CTL", cluster.binaries())
        .env("TRASTIENDA_BENCH_PG_DATA", cluster.data());
    Ok(Some(cluster))
}
