//! The folder of what the service keeps beside the database server: readable by its owner alone.

use std::{
    fs, io,
    io::Write,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::Context;

use crate::settings::Settings;

/// Makes the data folder if the database is to lie in it.
pub(crate) fn create_for_database(settings: &Settings) -> anyhow::Result<()> {
    let file = settings.database_url.sqlite_path();
    if file.is_some_and(|file| file.starts_with(&settings.data_dir)) {
        create(&settings.data_dir)?;
    }
    Ok(())
}

/// How long a process that was killed may take to be gone.
const PREDECESSOR_TIME: Duration = Duration::from_secs(2);
/// Between two looks whether it is.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Held by the process that serves a SQLite file; the system gives it up with the process.
pub(crate) type ServingLock = Option<fs::File>;

/// Keeps other processes from serving the same SQLite file: they would not see what this one holds in memory, and each
/// would work on all tasks. Commands beside a running service take no such lock.
pub(crate) fn lock_database(settings: &Settings) -> anyhow::Result<ServingLock> {
    let Some(database) = settings.database_url.sqlite_path() else { return Ok(None) };
    let mut path = database.as_os_str().to_owned();
    path.push("-serving");
    let path = Path::new(&path);
    let cannot = || format!("cannot lock the file {}", path.display());
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(false).write(true);
    let file = options.open(path).with_context(cannot)?;
    let deadline = Instant::now() + PREDECESSOR_TIME;
    let mut locked = file.try_lock();
    while matches!(locked, Err(fs::TryLockError::WouldBlock)) && Instant::now() < deadline {
        thread::sleep(LOCK_PAUSE);
        locked = file.try_lock();
    }
    match locked {
        Ok(()) => Ok(Some(file)),
        Err(fs::TryLockError::WouldBlock) => anyhow::bail!(
            "another process serves the database file {}; stop it first, or use PostgreSQL for several \
             processes",
            database.display()
        ),
        // Not every file system has locks.
        Err(fs::TryLockError::Error(error)) => {
            tracing::warn!(%error, "cannot keep other processes from serving the same database file");
            Ok(None)
        }
    }
}

/// Makes the data folder; one that is there stays as it is.
pub(crate) fn create(folder: &Path) -> anyhow::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| {
        format!(
            "cannot create the data folder {}; choose another with --data-dir",
            folder.display()
        )
    })
}

/// Writes a file that its owner alone may read, all of it or nothing.
pub(crate) fn write_private(path: &Path, text: &str) -> anyhow::Result<()> {
    let draft = path.with_extension("draft");
    let write = || write_draft(&draft, text).and_then(|()| fs::rename(&draft, path));
    write().with_context(|| format!("cannot write the file {}", path.display()))
}

/// The same where no file is yet; says whether it was not there.
pub(crate) fn create_private(path: &Path, text: &str) -> anyhow::Result<bool> {
    let draft = path.with_extension(format!("draft-{}", std::process::id()));
    let write = || {
        write_draft(&draft, text)?;
        // Unlike renaming, linking does not replace what another process has put there meanwhile.
        let linked = fs::hard_link(&draft, path);
        fs::remove_file(&draft)?;
        match linked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
            Ok(()) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
                Ok(true)
            }
        }
    };
    write().with_context(|| format!("cannot write the file {}", path.display()))
}

fn write_draft(draft: &Path, text: &str) -> io::Result<()> {
    // A draft left by a crash could have other permissions.
    match fs::remove_file(draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
