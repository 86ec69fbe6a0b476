//! PostgreSQL through its own programs: psql, pgbench, `pg_amcheck`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail, ensure};

use crate::arguments::Surroundings;

/// Where the programs are and which server they speak to.
#[derive(Clone, Debug)]
pub(crate) struct PostgresTools {
    folder: Option<PathBuf>,
    admin_url: String,
}

/// A database that is dropped when it goes out of scope.
#[derive(Debug)]
pub(crate) struct FreshDatabase {
    tools: PostgresTools,
    name: String,
    url: String,
}

/// Settings without which a commit may be lost, with the value each must not have.
const DURABILITY: [&str; 3] = ["fsync", "synchronous_commit", "full_page_writes"];

impl PostgresTools {
    pub(crate) fn new(surroundings: &Surroundings) -> anyhow::Result<Self> {
        let admin_url = surroundings.postgres_url.clone();
        let admin_url = admin_url.filter(|url| !url.is_empty());
        let admin_url = admin_url.context("TRASTIENDA_BENCH_POSTGRES_URL is not set")?;
        Ok(Self { folder: surroundings.postgres_bin.clone(), admin_url })
    }

    /// One of PostgreSQL's programs, quiet and never asking for a password.
    pub(crate) fn command(&self, program: &str) -> Command {
        let beside = self.folder.as_ref().map(|folder| folder.join(program));
        let found = beside.filter(|file| file.exists());
        let mut command = Command::new(found.unwrap_or_else(|| PathBuf::from(program)));
        command.stdin(Stdio::null()).env("PGCONNECT_TIMEOUT", "10");
        command
    }

    /// The rows of a query, each value as text.
    pub(crate) fn query(&self, url: &str, sql: &str) -> anyhow::Result<Vec<Vec<String>>> {
        let mut psql = self.psql(url);
        let output = psql.args(["-c", sql]).output().context("running psql")?;
        let text = successful(output).with_context(|| sql.to_owned())?;
        Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
    }

    /// Executes statements, given to psql as its input.
    pub(crate) fn run(&self, url: &str, sql: &str) -> anyhow::Result<()> {
        let mut psql = self.psql(url);
        psql.args(["-q", "-f", "-"]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = psql.stderr(Stdio::piped()).spawn().context("running psql")?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(sql.as_bytes())?;
        }
        successful(child.wait_with_output()?).map(drop)
    }

    /// Runs the statements of a file.
    pub(crate) fn run_file(&self, url: &str, file: &Path) -> anyhow::Result<()> {
        let mut psql = self.psql(url);
        let output = psql.args(["-q", "-f"]).arg(file).output().context("running psql")?;
        successful(output).with_context(|| format!("running {}", file.display()))?;
        Ok(())
    }

    /// Refuses a server whose commits may be lost: its rate would be compared with nothing.
    pub(crate) fn require_durability(&self) -> anyhow::Result<()> {
        for setting in DURABILITY {
            let rows = self.query(&self.admin_url, &format!("SHOW {setting}"))?;
            let value = rows.into_iter().flatten().next().unwrap_or_default();
            ensure!(value != "off", "this PostgreSQL runs with {setting} = off");
        }
        Ok(())
    }

    /// The server's version, as it names it.
    pub(crate) fn version(&self) -> anyhow::Result<String> {
        let rows = self.query(&self.admin_url, "SHOW server_version")?;
        Ok(rows.into_iter().flatten().next().unwrap_or_default())
    }

    /// Makes an empty database of a name that nobody else uses.
    pub(crate) fn fresh_database(&self, purpose: &str) -> anyhow::Result<FreshDatabase> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros();
        let name = format!("trastienda_{purpose}_{}_{now}", std::process::id());
        let url = with_database(&self.admin_url, &name)?;
        self.query(&self.admin_url, &format!("CREATE DATABASE {name} TEMPLATE template0"))?;
        Ok(FreshDatabase { tools: self.clone(), name, url })
    }

    /// What `pg_amcheck` finds; `None` where it is not installed.
    pub(crate) fn integrity_faults(&self, url: &str) -> anyhow::Result<Option<Vec<String>>> {
        let mut amcheck = self.command("pg_amcheck");
        let checked = amcheck.args(["--install-missing", "--heapallindexed", url]).output();
        let output = match checked {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).context("running pg_amcheck"),
        };
        if output.status.success() {
            return Ok(Some(Vec::new()));
        }
        let said = [output.stdout, output.stderr].concat();
        Ok(Some(String::from_utf8_lossy(&said).lines().map(str::to_owned).collect()))
    }

    fn psql(&self, url: &str) -> Command {
        let mut psql = self.command("psql");
        psql.args(["-X", "-w", "-At", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", url]);
        psql
    }
}

impl FreshDatabase {
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for FreshDatabase {
    fn drop(&mut self) {
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        if let Err(error) = self.tools.query(&self.tools.admin_url, &drop) {
            eprintln!("bench: the database {} stays behind: {error:#}", self.name);
        }
    }
}

/// What a program wrote, or its complaint when it failed.
pub(crate) fn successful(output: Output) -> anyhow::Result<String> {
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The same server's address with another database.
fn with_database(url: &str, name: &str) -> anyhow::Result<String> {
    let (scheme, rest) = url.split_once("://").context("the PostgreSQL address has no ://")?;
    let (address, parameters) = match rest.split_once('?') {
        Some((address, parameters)) => (address, format!("?{parameters}")),
        None => (rest, String::new()),
    };
    let server = address.split_once('/').map_or(address, |(server, _)| server);
    Ok(format!("{scheme}://{server}/{name}{parameters}"))
}

#[cfg(test)]
mod tests {
    use super::with_database;

    #[test]
    fn only_the_database_of_an_address_changes() {
        let check = |url, expected: &str| assert_eq!(with_database(url, "x").unwrap(), expected);
        check("postgres://u:p@h:5432/postgres", "postgres://u:p@h:5432/x");
        check("postgres://h", "postgres://h/x");
        check("postgresql://u@/a?host=/run/pg", "postgresql://u@/x?host=/run/pg");
        assert!(with_database("host=x", "x").is_err());
    }
}
