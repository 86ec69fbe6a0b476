//! The migrations of this program.

use diesel_migrations::embed_migrations;
use engine::{StoreError, migrations::Migrations};

use crate::{Settings, domains};

const MIGRATIONS: Migrations = Migrations {
    postgres: embed_migrations!("../../migrations/postgres"),
    sqlite: embed_migrations!("../../migrations/sqlite"),
};

/// Applies what is missing and names it. Several processes may call it at once.
///
/// # Errors
/// When the database cannot be reached or refuses, or the folder of a SQLite file does not exist.
pub fn migrate(settings: &Settings) -> Result<Vec<String>, StoreError> {
    engine::migrations::migrate(&settings.engine(), MIGRATIONS)
}

/// Whether a database holds secrets, which only their master key opens. One that is not there or not
/// [migrated](migrate) holds none.
///
/// # Errors
/// When the URL is none.
pub fn holds_secrets(settings: &Settings) -> Result<bool, StoreError> {
    engine::migrations::holds_secrets(&settings.engine(), domains::SECRETS)
}
