//! Putting a finished copy under the name of a database. Wherever a crash stops it, either the old database or the new one
//! is there as a whole; where the old one cannot be had in one file, nothing may be there for a moment, which
//! [`is_unfinished`] tells.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use diesel::{
    QueryResult, QueryableByName, RunQueryDsl, connection::SimpleConnection, sql_query,
    sql_types::BigInt,
};

use super::{INDEX, LOG, PARTS, beside, draft_of, open, settle_folder};
use crate::StoreError;

/// What of a database is kept: itself and its log of changes. The index of the log is made anew from it.
const KEPT: [&str; 2] = ["", LOG];

/// How long to wait for a reader of a database that nobody should use.
const READER_MILLIS: u32 = 500;

/// Whether a restoration has been interrupted while no database was under the name.
pub(crate) fn is_unfinished(path: &Path) -> bool {
    !path.exists() && draft_of(path).exists()
}

/// Whether two names are of one file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) else { return false };
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Puts the draft under the name, and gives the name under which what was there is kept. `step` is called before
/// everything that changes a name, and what it refuses is not done: so tests stop where a crash might.
pub(super) fn put(
    draft: &Path,
    to: &Path,
    mut step: impl FnMut() -> io::Result<()>,
) -> io::Result<Option<PathBuf>> {
    let is_one_file = fold(to)?;
    let replaced = is_any(to, &KEPT).then(|| free_name(to));
    if let Some(replaced) = &replaced {
        step()?;
        if is_one_file {
            keep(to, replaced)?;
        } else {
            // The log first, so that the database has it under either name.
            keep(&beside(to, LOG), &beside(replaced, LOG))?;
            settle_folder(to)?;
            step()?;
            unless_missing(fs::rename(to, replaced))?;
        }
        settle_folder(to)?;
    }
    // They must not be taken for those of the copy.
    for part in [LOG, INDEX] {
        step()?;
        unless_missing(fs::remove_file(beside(to, part)))?;
    }
    settle_folder(to)?;
    step()?;
    fs::rename(draft, to)?;
    step()?;
    settle_folder(to)?;
    Ok(replaced)
}

/// Has SQLite carry the log of a database over into its file, and says whether this is all of it now.
fn fold(path: &Path) -> io::Result<bool> {
    let length = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let log = beside(path, LOG);
    // SQLite would make a file that is missing, and throw away the log of an empty one.
    if length(path) == 0 {
        return Ok(length(&log) == 0 && path.exists());
    }
    // A damaged database may refuse: then it is kept as it is.
    if carry_over(path).is_ok_and(|carried| carried.busy != 0) {
        return Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another program has it open; end that program first",
        ));
    }
    Ok(length(&log) == 0)
}

/// What `PRAGMA wal_checkpoint` says.
#[derive(QueryableByName)]
struct Carried {
    /// 1 when somebody else kept it from finishing.
    #[diesel(sql_type = BigInt)]
    busy: i64,
}

fn carry_over(path: &Path) -> Result<Carried, StoreError> {
    let mut conn = open(path)?;
    let mut carry = || -> QueryResult<Carried> {
        conn.batch_execute(&format!("PRAGMA busy_timeout = {READER_MILLIS}"))?;
        sql_query("PRAGMA wal_checkpoint(TRUNCATE)").get_result(&mut conn)
    };
    carry().map_err(|error| StoreError::Database(error.to_string()))
}

/// Whether there is any of these parts of a database.
fn is_any(path: &Path, parts: &[&str]) -> bool {
    parts.iter().any(|part| beside(path, part).exists())
}

/// The name under which what is replaced is kept: the first at which there is nothing, or what an interrupted restoration
/// has kept of this database.
fn free_name(path: &Path) -> PathBuf {
    let numbered = (2_u32..).map(|number| beside(path, &format!(".replaced-{number}")));
    let mut names = std::iter::once(beside(path, ".replaced")).chain(numbered);
    let is_free = |name: &PathBuf| !is_any(name, &PARTS) || is_kept_as(path, name);
    names.find(is_free).unwrap_or_else(|| beside(path, ".replaced"))
}

/// Whether what is under `name` is a part of this database alone.
fn is_kept_as(path: &Path, name: &Path) -> bool {
    let (log, kept_log) = (beside(path, LOG), beside(name, LOG));
    if is_same(&log, &kept_log) {
        return !path.exists() || !name.exists();
    }
    is_same(path, name) && !log.exists() && !kept_log.exists()
}

/// Gives a file, if it is there, a second name, or a copy where the file system has no links.
fn keep(from: &Path, to: &Path) -> io::Result<()> {
    if !from.exists() || is_same(from, to) || fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    let copied = fs::copy(from, to).and_then(|_| fs::File::open(to)).and_then(|to| to.sync_all());
    if copied.is_err() {
        let _ = fs::remove_file(to);
    }
    copied
}

fn unless_missing(done: io::Result<()>) -> io::Result<()> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use diesel::sql_types::Text;
    use tempfile::TempDir;

    use super::*;

    #[derive(QueryableByName)]
    struct Good {
        #[diesel(sql_type = Text)]
        name: String,
    }

    /// What is in a database, as who serves it sees it.
    fn goods(path: &Path) -> Vec<String> {
        assert!(path.exists(), "{}", path.display());
        let mut conn = open(path).unwrap();
        let rows: Vec<Good> =
            sql_query("SELECT name FROM goods ORDER BY name").load(&mut conn).unwrap();
        rows.into_iter().map(|row| row.name).collect()
    }

    const OLD: [&str; 2] = ["Plato", "Taza"];
    const NEW: [&str; 1] = ["Vela"];

    /// A folder with a database of which a part is in its log alone, as a crash leaves it, and a draft.
    fn crashed() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (path, made) = (folder.path().join("shop.db"), folder.path().join("made.db"));
        let mut conn = open(&made).unwrap();
        let old = "PRAGMA journal_mode = WAL; CREATE TABLE goods (name TEXT NOT NULL); \
                   INSERT INTO goods VALUES ('Taza'); PRAGMA wal_checkpoint(TRUNCATE); \
                   INSERT INTO goods VALUES ('Plato')";
        conn.batch_execute(old).unwrap();
        for part in KEPT {
            fs::copy(beside(&made, part), beside(&path, part)).unwrap();
        }
        assert!(fs::metadata(beside(&path, LOG)).unwrap().len() > 0);
        draft(&path);
        (folder, path)
    }

    fn draft(path: &Path) {
        let new = "CREATE TABLE goods (name TEXT NOT NULL); INSERT INTO goods VALUES ('Vela')";
        open(&draft_of(path)).unwrap().batch_execute(new).unwrap();
    }

    /// Puts the draft in its place, and stops before this step; says whether it came so far.
    fn stopped(path: &Path, mut steps: usize) -> bool {
        let step = || {
            let Some(left) = steps.checked_sub(1) else { return Err(io::Error::other("stopped")) };
            steps = left;
            Ok(())
        };
        put(&draft_of(path), path, step).is_err()
    }

    fn put_now(path: &Path) -> Option<PathBuf> {
        put(&draft_of(path), path, || Ok(())).unwrap()
    }

    #[test]
    fn either_database_is_there_wherever_a_crash_stops_it() {
        for steps in 0.. {
            let (_folder, path) = crashed();
            let was_stopped = stopped(&path, steps);
            let is_placed = !draft_of(&path).exists();
            let there = goods(&path);
            assert_eq!(there, if is_placed { NEW.to_vec() } else { OLD.to_vec() }, "{steps}");
            let replaced = beside(&path, ".replaced");
            if !is_placed {
                assert_eq!(put_now(&path), Some(replaced.clone()), "{steps}");
                assert_eq!(goods(&path), NEW, "{steps}");
            }
            assert_eq!(goods(&replaced), OLD, "{steps}");
            assert!(!is_any(&beside(&path, ".replaced-2"), &PARTS), "{steps}");
            if !was_stopped {
                assert!(steps > 3, "it has been stopped between all steps");
                return;
            }
        }
    }

    #[test]
    fn what_sqlite_cannot_fold_is_kept_in_its_parts() {
        for steps in 0.. {
            let (_folder, path) = crashed();
            fs::write(&path, "").unwrap();
            let log = fs::read(beside(&path, LOG)).unwrap();
            let was_stopped = stopped(&path, steps);
            let is_placed = !draft_of(&path).exists();
            assert!(path.exists() || is_unfinished(&path), "{steps}");
            let replaced = beside(&path, ".replaced");
            if !is_placed {
                assert!(!path.exists() || beside(&path, LOG).exists(), "{steps}");
                let _ = put_now(&path);
            }
            assert!(!is_unfinished(&path));
            assert_eq!(goods(&path), NEW, "{steps}");
            assert_eq!(fs::read(&replaced).unwrap(), b"", "{steps}");
            assert_eq!(fs::read(beside(&replaced, LOG)).unwrap(), log, "{steps}");
            if !was_stopped {
                return;
            }
        }
    }

    #[test]
    fn an_earlier_database_stays_under_its_name() {
        let (_folder, path) = crashed();
        let replaced = [".replaced", ".replaced-2"].map(|suffix| beside(&path, suffix));
        assert_eq!(put_now(&path).as_ref(), Some(&replaced[0]));
        draft(&path);
        assert_eq!(put_now(&path).as_ref(), Some(&replaced[1]));
        assert_eq!(goods(&replaced[0]), OLD);
        assert_eq!(goods(&replaced[1]), NEW);
        // A copy where the file system has no links is a file of its own.
        let copy = beside(&path, ".copy");
        fs::copy(&path, &copy).unwrap();
        assert!(is_same(&path, &path) && !is_same(&path, &copy));
    }

    #[test]
    fn a_database_that_somebody_reads_is_left_alone() {
        let (_folder, path) = crashed();
        let mut reader = open(&path).unwrap();
        reader.batch_execute("BEGIN; SELECT name FROM goods").unwrap();
        let said = fold(&path).unwrap_err();
        assert_eq!(said.kind(), io::ErrorKind::ResourceBusy);
        drop(reader);
        assert!(fold(&path).unwrap());
        assert_eq!(goods(&path), OLD);
    }
}
