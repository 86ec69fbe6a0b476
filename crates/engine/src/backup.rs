//! Copies of a SQLite database that is in use, and putting one in its place.

mod placing;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use diesel::{
    Connection, QueryableByName, RunQueryDsl, SqliteConnection, connection::SimpleConnection,
    sql_query, sql_types::Text,
};

use crate::{
    Settings, StoreError,
    db::{Connector, Target},
};

pub(crate) use placing::is_unfinished;

/// There is no database file of this name.
#[must_use]
pub fn absent(path: &Path) -> StoreError {
    match is_unfinished(path) {
        true => StoreError::Unfinished(path.to_owned()),
        false => StoreError::Missing(path.to_owned()),
    }
}

/// How long to wait for whoever has the file locked.
const WAIT_MILLIS: u32 = 30_000;

/// Writes a checked copy of a database to a file that is not there yet. Others may work on the database meanwhile:
/// the copy has what was committed when it began.
///
/// # Errors
/// When it is no SQLite database, the file is there already or cannot be written, or the copy is found damaged.
pub fn back_up(settings: &Settings, to: &Path) -> Result<(), StoreError> {
    let from = sqlite_file(settings, "use pg_dump for PostgreSQL")?;
    if !from.is_file() {
        return Err(absent(&from));
    }
    if to.exists() {
        return Err(failed(format!("{} exists already", to.display())));
    }
    let draft = draft_of(to);
    let written = copy_into(&from, &draft).and_then(|()| checked(&draft, &draft)).and_then(|()| {
        fs::rename(&draft, to).and_then(|()| settle_folder(to)).map_err(|error| cannot(to, &error))
    });
    if written.is_err() {
        discard(&draft);
    }
    written
}

/// Puts a copy in the place of a database that nobody uses, after a check. What was there is kept beside it under the name
/// that is given back, and never in the place of what an earlier restoration has kept. After a crash at any moment the
/// database is there, the one or the other; or it is not, and nobody [makes one](crate::migrations::migrate) until it has
/// been restored.
///
/// # Errors
/// When it is no SQLite database, the copy is none or is damaged, somebody uses the database, or the disk refuses.
pub fn restore(settings: &Settings, from: &Path) -> Result<Option<PathBuf>, StoreError> {
    let to = sqlite_file(settings, "use pg_restore for PostgreSQL")?;
    if !from.is_file() {
        return Err(failed(format!(
            "there is no file {}: name a copy that `trastienda backup FILE` has made",
            from.display()
        )));
    }
    let draft = draft_of(&to);
    if placing::is_same(from, &to) || placing::is_same(from, &draft) {
        return Err(failed(format!(
            "{} is a part of the database that it would replace; name a copy",
            from.display()
        )));
    }
    // Until something is in its place, the draft says that it is missing.
    let is_unfinished = is_unfinished(&to);
    let give_up = || match is_unfinished {
        true => discard_log(&draft),
        false => discard(&draft),
    };
    // What an interrupted restoration has left there would be taken for the log of this draft.
    discard_log(&draft);
    if let Err(refused) = copy_whole(from, &draft).and_then(|()| checked(&draft, from)) {
        give_up();
        return Err(refused);
    }
    placing::put(&draft, &to, || Ok(())).map_err(|error| {
        if to.exists() {
            give_up();
        }
        cannot(&to, &error)
    })
}

/// The log of changes of a database, by what its name ends in.
const LOG: &str = "-wal";
/// The index of that.
const INDEX: &str = "-shm";
/// The files of a database.
const PARTS: [&str; 3] = ["", LOG, INDEX];

/// Where a copy is made until it is whole.
fn draft_of(path: &Path) -> PathBuf {
    beside(path, ".draft")
}

/// Removes what there is of a database that was not finished.
fn discard(draft: &Path) {
    for part in PARTS {
        // It may not have been made at all.
        let _ = fs::remove_file(beside(draft, part));
    }
}

/// The same of its log alone.
fn discard_log(draft: &Path) {
    for part in [LOG, INDEX] {
        let _ = fs::remove_file(beside(draft, part));
    }
}

/// All of a database that has been committed. Of one that was not closed, as after a crash, a part is in its log alone.
fn copy_whole(from: &Path, to: &Path) -> Result<(), StoreError> {
    if beside(from, LOG).exists() {
        return copy_into(from, to);
    }
    let copied = private_file(to).and_then(|()| fs::copy(from, to));
    let settled = copied.and_then(|_| fs::File::open(to)).and_then(|file| file.sync_all());
    settled.map_err(|error| cannot(to, &error))
}

fn sqlite_file(settings: &Settings, instead: &str) -> Result<PathBuf, StoreError> {
    match Connector::new(settings)?.target {
        Target::Sqlite(path) => Ok(path),
        Target::Postgres(_) => Err(StoreError::Url(format!("is not of a SQLite file; {instead}"))),
    }
}

/// SQLite's own copy, of one moment, without free pages.
fn copy_into(from: &Path, to: &Path) -> Result<(), StoreError> {
    private_file(to).map_err(|error| cannot(to, &error))?;
    let mut conn = open(from)?;
    let copied = sql_query("VACUUM INTO ?").bind::<Text, _>(to.to_string_lossy().into_owned());
    copied.execute(&mut conn).map_err(|error| StoreError::Database(error.to_string()))?;
    fs::File::open(to).and_then(|file| file.sync_all()).map_err(|error| cannot(to, &error))
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// Whether a file is a sound database of this program; `shown` is what it is called where it is not.
fn checked(path: &Path, shown: &Path) -> Result<(), StoreError> {
    let mut conn = open(path)?;
    let mut lines = |query: &str| -> Result<Vec<String>, StoreError> {
        let rows: Vec<Line> = sql_query(query)
            .load(&mut conn)
            .map_err(|error| failed(format!("{}: {error}", shown.display())))?;
        Ok(rows.into_iter().map(|row| row.line).collect())
    };
    let damage = lines("SELECT integrity_check AS line FROM pragma_integrity_check")?;
    if damage != ["ok"] {
        return Err(failed(format!("{} is damaged: {}", shown.display(), damage.join("; "))));
    }
    let own = lines(
        "SELECT name AS line FROM sqlite_schema WHERE type = 'table' \
         AND name IN ('accounts', '__diesel_schema_migrations') ORDER BY name",
    )?;
    if own.len() != 2 {
        return Err(failed(format!("{} is not a database of this program", shown.display())));
    }
    Ok(())
}

fn open(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut conn = SqliteConnection::establish(&path.to_string_lossy())
        .map_err(|error| failed(format!("{}: {error}", path.display())))?;
    // A service that starts after a crash has the file to itself while it reads the log.
    conn.batch_execute(&format!("PRAGMA busy_timeout = {WAIT_MILLIS}"))
        .map_err(|error| failed(format!("{}: {error}", path.display())))?;
    Ok(conn)
}

/// An empty file that its owner alone may read, as everything in it is.
fn private_file(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Makes a new name last through a power cut.
fn settle_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    fs::File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all())
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn cannot(path: &Path, error: &io::Error) -> StoreError {
    failed(format!("{}: {error}", path.display()))
}

const fn failed(why: String) -> StoreError {
    StoreError::Backup(why)
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;

    #[test]
    fn a_copy_waits_for_whoever_has_the_file_locked() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("shop.db");
        let mut holder = open(&from).unwrap();
        let held = "PRAGMA journal_mode = WAL; CREATE TABLE goods (name); \
                    PRAGMA locking_mode = EXCLUSIVE; INSERT INTO goods VALUES ('Taza')";
        holder.batch_execute(held).unwrap();
        let released = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            drop(holder);
        });
        copy_into(&from, &folder.path().join("copy.db")).unwrap();
        released.join().unwrap();
    }
}
