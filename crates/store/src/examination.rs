//! Whether a database is well: what is not right with it, without changing anything.

mod ledgers;
mod stock;
mod waiting;

pub use stock::STOCK_AUDITS;

use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
use engine::{
    StoreError, backup,
    db::{Connector, Db, Target, Use, on},
    secrets,
    vault::Vault,
};
use kernel::Timestamp;

use crate::{Settings, domains, migrations::MIGRATIONS, statement::Statement, upgrade};

/// How far the clocks of this machine and the database may be apart, in microseconds.
const CLOCKS_APART_MAX: i64 = 5_000_000;

/// What was found of one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub subject: &'static str,
    /// How it is.
    pub verdict: Verdict,
    /// What was seen and, if it is not well, what to do.
    pub text: String,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// It works, and will not for long or not for everything.
    Warning,
    /// Something does not work or does not add up.
    Failure,
}

impl Finding {
    /// As it should be.
    pub fn fine(subject: &'static str, text: impl Into<String>) -> Self {
        Self { subject, verdict: Verdict::Fine, text: text.into() }
    }

    /// To be seen to.
    pub fn warning(subject: &'static str, text: impl Into<String>) -> Self {
        Self { subject, verdict: Verdict::Warning, text: text.into() }
    }

    /// To be mended.
    pub fn failure(subject: &'static str, text: impl Into<String>) -> Self {
        Self { subject, verdict: Verdict::Failure, text: text.into() }
    }
}

/// Looks at a database: whether it can be used, whether its secrets can be opened, whether its ledgers add up, and
/// what waits for too long. Others may work on it meanwhile.
#[must_use]
pub fn examine(settings: &Settings, now: Timestamp) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut db = match open(settings) {
        Ok(db) => db,
        Err(error) => return vec![Finding::failure("database", error.to_string())],
    };
    findings.push(told("database", sound(&mut db)));
    let is_current = match engine::migrations::pending(&mut db, &MIGRATIONS) {
        Ok(missing) if missing.is_empty() => {
            findings.push(Finding::fine("schema", "up to date"));
            true
        }
        Ok(missing) => {
            let text = format!("lacks {}: run `trastienda migrate`", missing.join(", "));
            findings.push(Finding::failure("schema", text));
            false
        }
        Err(error) => {
            findings.push(Finding::failure("schema", error.to_string()));
            false
        }
    };
    findings.extend(clock(&mut db, now).transpose().map(|found| told("clock", found)));
    if is_current {
        findings.push(told("master key", key(&mut db, settings)));
        findings.push(told("upgrade", upgraded(&mut db)));
        findings.extend(ledgers::examine(&mut db));
        findings.extend(waiting::examine(&mut db, now));
    }
    findings
}

fn open(settings: &Settings) -> Result<Db, StoreError> {
    let connector = Connector::new(&settings.engine())?;
    if let Target::Sqlite(path) = &connector.target
        && !path.exists()
    {
        return Err(backup::absent(path));
    }
    connector.connect(Use::Read).map_err(|error| StoreError::Database(error.to_string()))
}

/// What was found, or why nothing could be.
fn told(subject: &'static str, found: QueryResult<Finding>) -> Finding {
    found.unwrap_or_else(|error| {
        Finding::failure(subject, format!("cannot be looked at: the database said: {error}"))
    })
}

/// The values of a query for one text.
fn texts(db: &mut Db, sql: &'static str) -> QueryResult<Vec<String>> {
    let rows: Vec<(String,)> = on!(db, |conn| Statement::<(Text,)>::new(sql, []).load(conn))?;
    Ok(rows.into_iter().map(|(text,)| text).collect())
}

fn sound(db: &mut Db) -> QueryResult<Finding> {
    let first = |texts: Vec<String>| texts.into_iter().next().unwrap_or_default();
    match db {
        Db::Postgres(_) => {
            let version = first(texts(db, "SELECT current_setting('server_version')")?);
            Ok(Finding::fine("database", format!("PostgreSQL {version}")))
        }
        Db::Sqlite(_) => {
            let version = first(texts(db, "SELECT sqlite_version()")?);
            let check = texts(db, "SELECT quick_check FROM pragma_quick_check")?;
            if check == ["ok"] {
                return Ok(Finding::fine("database", format!("SQLite {version}, sound")));
            }
            let text = format!("damaged; restore a backup: {}", check.join("; "));
            Ok(Finding::failure("database", text))
        }
    }
}

/// How far the database's clock is from ours; SQLite has none of its own.
fn clock(db: &mut Db, now: Timestamp) -> QueryResult<Option<Finding>> {
    if matches!(db, Db::Sqlite(_)) {
        return Ok(None);
    }
    let sql = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint";
    let (theirs,): (i64,) = on!(db, |conn| Statement::<(BigInt,)>::new(sql, []).get_result(conn))?;
    let seconds = (theirs - now.micros()) as f64 / 1e6;
    Ok(Some(if (theirs - now.micros()).abs() > CLOCKS_APART_MAX {
        let text = format!("the database is {seconds:.1} s from this machine: set both by NTP");
        Finding::warning("clock", text)
    } else {
        Finding::fine("clock", "as the database's")
    }))
}

/// Whether the last upgrade is finished.
fn upgraded(db: &mut Db) -> QueryResult<Finding> {
    Ok(match upgrade::left(db)? {
        0 => Finding::fine("upgrade", "finished"),
        accounts => Finding::warning(
            "upgrade",
            format!(
                "{accounts} accounts do not keep count of what is promised to orders yet: run `trastienda upgrade finish` \
                 once no process of the last release runs"
            ),
        ),
    })
}

fn key(db: &mut Db, settings: &Settings) -> QueryResult<Finding> {
    if !secrets::any(db, domains::SECRETS) {
        return Ok(Finding::fine("master key", "not needed so far: there are no secrets"));
    }
    let Ok(vault) = Vault::new(&settings.master_keys) else {
        return Ok(Finding::failure("master key", "cannot be used"));
    };
    Ok(match secrets::locked_out(db, &vault, domains::SECRETS)? {
        0 => Finding::fine("master key", "opens every secret"),
        count => Finding::failure(
            "master key",
            format!("does not open {count} secrets: give the key that sealed them"),
        ),
    })
}
