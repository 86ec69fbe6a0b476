//! The databases the service runs on: a fresh one for every run.

pub(crate) mod postgres;
pub(crate) mod postgres_server;
pub(crate) mod sqlite;

use std::path::PathBuf;

use crate::arguments::{DatabaseChoice, Surroundings};
use crate::run_directory::RunDirectory;

use postgres::{FreshDatabase, PostgresTools};

/// A database of its own for one run.
#[derive(Debug)]
pub(crate) enum Database {
    Sqlite { file: PathBuf },
    Postgres { database: FreshDatabase, tools: PostgresTools },
}

impl Database {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "SQLite",
            Self::Postgres { .. } => "PostgreSQL",
        }
    }

    /// The address that the server is given.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite { file } => format!("sqlite://{}", file.display()),
            Self::Postgres { database, .. } => database.url().to_owned(),
        }
    }

    /// The rows of a query that both databases understand, each value as text.
    pub(crate) fn query(&self, sql: &str) -> anyhow::Result<Vec<Vec<String>>> {
        match self {
            Self::Sqlite { file } => sqlite::query(file, sql),
            Self::Postgres { database, tools } => tools.query(database.url(), sql),
        }
    }

    /// The columns of a table, those left out that the database works out itself.
    pub(crate) fn columns(&self, table: &str) -> anyhow::Result<Vec<String>> {
        let named = match self {
            Self::Sqlite { .. } => format!("SELECT name FROM pragma_table_info('{table}')"),
            Self::Postgres { .. } => format!(
                "SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' \
                 AND is_generated = 'NEVER' AND table_schema = 'public' ORDER BY ordinal_position"
            ),
        };
        Ok(self.query(&named)?.into_iter().flatten().collect())
    }

    /// Another database of the same kind.
    pub(crate) fn another(&self, directory: &RunDirectory, name: &str) -> anyhow::Result<Self> {
        Ok(match self {
            Self::Sqlite { .. } => {
                Self::Sqlite { file: directory.path().join(format!("{name}.db")) }
            }
            Self::Postgres { tools, .. } => {
                Self::Postgres { database: tools.fresh_database(name)?, tools: tools.clone() }
            }
        })
    }

    /// Executes statements that both databases understand.
    pub(crate) fn run(&self, sql: &str) -> anyhow::Result<()> {
        match self {
            Self::Sqlite { file } => sqlite::run(file, sql),
            Self::Postgres { database, tools } => tools.run(database.url(), sql),
        }
    }

    /// Gathers the planner's statistics after a bulk load, as PostgreSQL does by itself within its first
    /// minutes (and `pgbench -i` at once).
    pub(crate) fn analyze(&self) -> anyhow::Result<()> {
        match self {
            Self::Sqlite { .. } => Ok(()),
            Self::Postgres { database, tools } => tools.query(database.url(), "ANALYZE").map(drop),
        }
    }

    /// What the database itself finds wrong with its files: nothing when all is well, `None`
    /// when it has no means to look.
    pub(crate) fn integrity_faults(&self) -> anyhow::Result<Option<Vec<String>>> {
        match self {
            Self::Sqlite { file } => sqlite::integrity_faults(file).map(Some),
            Self::Postgres { database, tools } => tools.integrity_faults(database.url()),
        }
    }
}

/// Makes the databases that were asked for and can be had here.
pub(crate) fn prepare(
    surroundings: &Surroundings,
    directory: &RunDirectory,
    name: &str,
) -> anyhow::Result<Vec<Database>> {
    let mut databases = Vec::new();
    if surroundings.databases != DatabaseChoice::Postgres {
        databases.push(Database::Sqlite { file: directory.path().join(format!("{name}.db")) });
    }
    if surroundings.databases != DatabaseChoice::Sqlite {
        match postgres_database(surroundings, name) {
            Ok(database) => databases.push(database),
            Err(error) if surroundings.databases == DatabaseChoice::Both => {
                eprintln!("bench: no PostgreSQL here, SQLite only: {error:#}");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(databases)
}

/// Makes a database on the PostgreSQL of these surroundings.
pub(crate) fn postgres_database(
    surroundings: &Surroundings,
    name: &str,
) -> anyhow::Result<Database> {
    let tools = PostgresTools::new(surroundings)?;
    tools.require_durability()?;
    let database = tools.fresh_database(name)?;
    Ok(Database::Postgres { database, tools })
}
