//! A database as a whole: its migrations, its copies.

use std::path::{Path, PathBuf};

use diesel_migrations::embed_migrations;
use engine::{StoreError, db::Db, migrations::Migrations};

use crate::{Settings, domains, upgrade};

pub(crate) const MIGRATIONS: Migrations = Migrations {
    postgres: embed_migrations!("../../migrations/postgres"),
    sqlite: embed_migrations!("../../migrations/sqlite"),
};

/// Applies what is missing and names it. Several processes may call it at once. What a SQLite database needs besides is done
/// at once; PostgreSQL has to wait for [`finish_upgrade`](crate::finish_upgrade), until nodes of the last release are gone.
///
/// # Errors
/// When the database cannot be reached or refuses, or the folder of a SQLite file does not exist.
pub fn migrate(settings: &Settings) -> Result<Vec<String>, StoreError> {
    let applied = engine::migrations::migrate(&settings.engine(), MIGRATIONS)?;
    upgrade::finish_alone(settings)?;
    Ok(applied)
}

/// Refuses a database that lacks a migration, and changes nothing.
///
/// # Errors
/// When it does, is not there or cannot be reached.
pub fn require_migrated(settings: &Settings) -> Result<(), StoreError> {
    engine::migrations::require(&settings.engine(), &MIGRATIONS)
}

/// Refuses a database from which a newer program has taken what this one uses.
///
/// # Errors
/// When it has.
pub(crate) fn check(db: &mut Db) -> Result<(), StoreError> {
    engine::migrations::refuse_too_new(db, &MIGRATIONS)
}

/// Writes a checked copy of a SQLite database, which may be in use, to a file that is not there yet.
///
/// # Errors
/// When it is no SQLite database, or the copy cannot be made or is found damaged.
pub fn back_up(settings: &Settings, to: &Path) -> Result<(), StoreError> {
    engine::backup::back_up(&settings.engine(), to)
}

/// Puts a copy in the place of a SQLite database that nobody uses; gives the name under which what was there is kept.
///
/// # Errors
/// When it is no SQLite database, the copy is not sound, or the disk refuses.
pub fn restore(settings: &Settings, from: &Path) -> Result<Option<PathBuf>, StoreError> {
    engine::backup::restore(&settings.engine(), from)
}

/// Whether a database holds secrets, which only their master key opens. One that is not there or not
/// [migrated](migrate) holds none.
///
/// # Errors
/// When the URL is none.
pub fn holds_secrets(settings: &Settings) -> Result<bool, StoreError> {
    engine::migrations::holds_secrets(&settings.engine(), domains::SECRETS)
}
