//! `cargo xtask release-data`: what this release leaves behind, for the upgrade tests of those to come.
//!
//! Both databases after some hours of two merchants' work, what the merchants knew, and the statements that
//! the release runs: those of that work and of most tests of the service.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use toml::{Table, Value};

use crate::command::{cargo, root, run as run_command, target_dir};
use crate::postgres::{Cluster, Durability, TEST_URL};

/// Asks the test kit for a record of statements.
const RECORD: &str = "TRASTIENDA_RECORD_STATEMENTS";
const RELEASES: &str = "crates/server/tests/data/releases";
const RELEASED: &str = "migrations/released.toml";

/// Tests that run nothing new: other releases' databases, other processes, the same again under load.
const SKIPPED: &[&str] =
    &["upgrades::", "lifecycle::", "faults::", "races::", "limits::", "input::", "openapi::"];

/// Makes the folder of the workspace's version.
pub(crate) fn run() -> Result<()> {
    let version = version(&fs::read_to_string(root().join("Cargo.toml"))?)?;
    let folder = root().join(RELEASES).join(version);
    let records = target_dir()?.join("recorded-statements");
    if records.exists() {
        fs::remove_dir_all(&records)?;
    }
    fs::create_dir_all(&folder)?;
    fs::create_dir_all(&records)?;

    let cluster = Cluster::start(Durability::None)?;
    let path = path_with(cluster.binaries())?;
    let beside = |command: &mut Command| {
        run_command(command.env(TEST_URL, cluster.url()).env("PATH", &path).env(RECORD, &records))
    };
    beside(tool().arg(&folder))?;
    let mut tests = cargo();
    tests.args(["test", "-p", "trastienda", "--test", "it", "--"]);
    beside(tests.args(SKIPPED.iter().flat_map(|name| ["--skip", *name])))?;
    run_command(tool().arg("--statements").arg(&records).arg(&folder))?;

    let released = root().join(RELEASED);
    let text = fs::read_to_string(&released)?;
    fs::write(&released, naming(&text, &last_migration()?))?;
    println!("{} is made; {RELEASED} names the last migration.", folder.display());
    Ok(())
}

fn tool() -> Command {
    let mut tool = cargo();
    tool.args(["run", "--quiet", "-p", "testkit", "--example", "release_data", "--"]);
    tool
}

fn version(manifest: &str) -> Result<String> {
    let manifest: Table = manifest.parse()?;
    let package = manifest.get("workspace").and_then(|workspace| workspace.get("package"));
    let version = package.and_then(|package| package.get("version")).and_then(Value::as_str);
    version.map(str::to_owned).context("the workspace has no version")
}

/// With PostgreSQL's programs before all others: `pg_dump` must not be older than the server.
fn path_with(binaries: &Path) -> Result<OsString> {
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binaries.to_path_buf()).chain(env::split_paths(&others));
    env::join_paths(folders).context("PATH")
}

fn last_migration() -> Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("migrations/sqlite"))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.into_iter().max().context("there are no migrations")
}

/// The file with another migration.
fn naming(text: &str, migration: &str) -> String {
    let line = |line: &str| match line.starts_with("migration = ") {
        true => format!("migration = \"{migration}\"\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_workspaces() {
        let manifest = "[workspace.package]\nversion = '1.2.3'\n[package]\nversion = '9'";
        assert_eq!(version(manifest).unwrap(), "1.2.3");
        assert!(version("[package]\nversion = '9'").is_err());
    }

    #[test]
    fn only_the_migration_changes() {
        let text = "# a\nmigration = \"old\"\n\n[[unused]]\nwhat = \"t\"\n";
        assert_eq!(naming(text, "new"), text.replace("old", "new"));
    }
}
