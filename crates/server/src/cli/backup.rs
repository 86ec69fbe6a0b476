//! `trastienda backup` and `restore`: copies of a SQLite database.

use std::path::Path;

use crate::{data_dir, output, settings::Settings};

/// Writes a checked copy of the database, which may be in use.
///
/// # Errors
/// When the database is not SQLite or the copy cannot be made.
pub(super) fn back_up(settings: &Settings, to: &Path) -> anyhow::Result<()> {
    store::back_up(&settings.store(), to)?;
    output::say(format!("wrote {}, checked", to.display()));
    output::note("Keep the master key as well: without it, secrets in the copy cannot be opened.");
    Ok(())
}

/// Puts a copy in the place of the database, which nobody may serve meanwhile.
///
/// # Errors
/// When there is a database and it is not to be replaced, somebody serves it, or the copy is not sound.
pub(super) fn restore(settings: &Settings, from: &Path, replace: bool) -> anyhow::Result<()> {
    data_dir::create_for_database(settings)?;
    let _serving = data_dir::lock_database(settings)?;
    let database = settings.database_url.sqlite_path();
    if let Some(database) = database.filter(|database| database.exists())
        && !replace
    {
        anyhow::bail!(
            "there is a database at {}; to replace it, say --replace",
            database.display()
        );
    }
    let replaced = store::restore(&settings.store(), from)?;
    output::say(format!("restored {}", settings.database_url));
    if let Some(replaced) = replaced {
        output::note(format!("What was there before is kept as {}.", replaced.display()));
    }
    Ok(())
}
