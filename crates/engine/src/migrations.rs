//! Brings a database to the schema that a program expects.

use std::time::Duration;

use diesel::{
    QueryableByName, RunQueryDsl, backend::Backend, connection::SimpleConnection,
    migration::MigrationSource, pg::Pg, sql_query, sql_types::Text, sqlite::Sqlite,
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use crate::{
    Settings, StoreError, backup,
    db::{Connector, Db, Target, Use, on},
    secrets::{self, SecretSource},
};

/// Any number that no other program is likely to lock under.
const MIGRATION_LOCK: i64 = 7_278_478_436;

/// The migrations of a program, step by step the same for each database.
pub struct Migrations {
    /// For PostgreSQL.
    pub postgres: EmbeddedMigrations,
    /// For SQLite.
    pub sqlite: EmbeddedMigrations,
}

/// Applies what is missing and names it. Several processes may call it at once.
///
/// # Errors
/// When the database cannot be reached or refuses, or the folder of a SQLite file does not exist, or the file is missing
/// since a restoration was interrupted.
pub fn migrate(settings: &Settings, migrations: Migrations) -> Result<Vec<String>, StoreError> {
    let connector = Connector::new(settings)?;
    if let Target::Sqlite(path) = &connector.target
        && let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        return Err(StoreError::Url(format!(
            "points into the folder {}, which does not exist",
            folder.display()
        )));
    }
    if let Target::Sqlite(path) = &connector.target
        && backup::is_unfinished(path)
    {
        return Err(backup::absent(path));
    }
    let mut db =
        connector.connect(Use::Write).map_err(|error| StoreError::Database(error.to_string()))?;
    refuse_too_new(&mut db, &migrations)?;
    apply(&mut db, migrations, settings.statement_timeout)
        .map_err(|error| StoreError::Database(error.to_string()))
}

/// Refuses a database that lacks a migration, and changes nothing.
///
/// # Errors
/// [`StoreError::Behind`], or when the database is not there, cannot be reached or was never migrated.
pub fn require(settings: &Settings, migrations: &Migrations) -> Result<(), StoreError> {
    let connector = Connector::new(settings)?;
    if let Target::Sqlite(path) = &connector.target
        && !path.exists()
    {
        return Err(backup::absent(path));
    }
    let mut db =
        connector.connect(Use::Read).map_err(|error| StoreError::Database(error.to_string()))?;
    let first = pending(&mut db, migrations)?.into_iter().min();
    first.map_or(Ok(()), |first| Err(StoreError::Behind(first)))
}

#[derive(QueryableByName)]
struct Oldest {
    #[diesel(sql_type = Text)]
    migration: String,
}

/// Refuses a database from which a newer program has taken what this one uses.
///
/// # Errors
/// [`StoreError::TooNew`].
pub fn refuse_too_new(db: &mut Db, migrations: &Migrations) -> Result<(), StoreError> {
    let newest = match db {
        Db::Postgres(_) => newest::<Pg>(&migrations.postgres),
        Db::Sqlite(_) => newest::<Sqlite>(&migrations.sqlite),
    };
    let query = sql_query("SELECT migration FROM supported_programs");
    // A database that was never migrated so far has no such table, and is not too new.
    let oldest: Option<Oldest> = on!(db, |conn| query.get_result(conn)).ok();
    match oldest.filter(|oldest| Some(&oldest.migration) > newest.as_ref()) {
        Some(oldest) => Err(StoreError::TooNew(oldest.migration)),
        None => Ok(()),
    }
}

/// The version of the newest migration that this program knows.
fn newest<DB: Backend>(known: &EmbeddedMigrations) -> Option<String> {
    versions::<DB>(known).into_iter().max()
}

fn versions<DB: Backend>(known: &EmbeddedMigrations) -> Vec<String> {
    let known = MigrationSource::<DB>::migrations(known).unwrap_or_default();
    known.iter().map(|migration| migration.name().version().to_string()).collect()
}

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

/// The migrations that a database lacks.
///
/// # Errors
/// [`StoreError::TooNew`], or when the database refuses.
pub fn pending(db: &mut Db, migrations: &Migrations) -> Result<Vec<String>, StoreError> {
    refuse_too_new(db, migrations)?;
    let known = match db {
        Db::Postgres(_) => versions::<Pg>(&migrations.postgres),
        Db::Sqlite(_) => versions::<Sqlite>(&migrations.sqlite),
    };
    let query = sql_query("SELECT version FROM __diesel_schema_migrations");
    let applied: Result<Vec<Applied>, _> = on!(db, |conn| query.get_results(conn));
    let applied = applied.map_err(|error| StoreError::Database(error.to_string()))?;
    let lacks = |version: &String| applied.iter().all(|applied| applied.version != *version);
    Ok(known.into_iter().filter(lacks).collect())
}

/// Whether a database holds secrets, which only their master key opens. One that is not there or not
/// [migrated](migrate) holds none.
///
/// # Errors
/// When the URL is none.
pub fn holds_secrets(settings: &Settings, sources: &[SecretSource]) -> Result<bool, StoreError> {
    let connector = Connector::new(settings)?;
    if matches!(&connector.target, Target::Sqlite(path) if !path.exists()) {
        return Ok(false);
    }
    let Ok(mut db) = connector.connect(Use::Read) else { return Ok(false) };
    Ok(secrets::any(&mut db, sources))
}

fn apply(
    db: &mut Db,
    migrations: Migrations,
    lock_timeout: Duration,
) -> Result<Vec<String>, Box<dyn std::error::Error + Send + Sync>> {
    match db {
        Db::Postgres(conn) => {
            // Whoever waits here may wait for a long migration, and one may take longer than any command;
            // only what it locks it must get in time, for commands queue up behind it.
            conn.batch_execute(&format!(
                "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                 SELECT pg_advisory_lock({MIGRATION_LOCK}); COMMIT; SET statement_timeout = 0; \
                 SET lock_timeout = {}",
                lock_timeout.as_millis()
            ))?;
            let applied = names(&conn.run_pending_migrations(migrations.postgres)?);
            conn.batch_execute(&format!("SELECT pg_advisory_unlock({MIGRATION_LOCK})"))?;
            Ok(applied)
        }
        Db::Sqlite(conn) => Ok(names(&conn.run_pending_migrations(migrations.sqlite)?)),
    }
}

fn names(versions: &[diesel::migration::MigrationVersion<'_>]) -> Vec<String> {
    versions.iter().map(ToString::to_string).collect()
}
