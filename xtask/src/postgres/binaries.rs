//! Finds the server's programs, or installs them where that needs no question.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::quiet;
use crate::packages;

const NEEDED: &[&str] = &["initdb", "pg_ctl", "pg_isready", "postgres"];

/// Folders with one folder per version in them: Debian, PGDG's RPMs, Homebrew on both kinds of Mac,
/// Postgres.app.
const VERSIONED: &[&str] = &[
    "/usr/lib/postgresql",
    "/usr",
    "/opt/homebrew/opt",
    "/usr/local/opt",
    "/Applications/Postgres.app/Contents/Versions",
];

const MISSING: &str = "PostgreSQL is not installed, and the tests need it: install its server \
    (Debian: apt-get install postgresql; macOS: brew install postgresql), or set \
    TRASTIENDA_TEST_POSTGRES_URL to a server whose role may create databases";

/// The folder that holds initdb, pg_ctl and their siblings.
pub(super) fn find_or_install() -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    packages::install("postgresql").context(MISSING)?;
    find().context(MISSING)
}

fn find() -> Option<PathBuf> {
    let packaged = VERSIONED.iter().flat_map(|parent| newest_first(Path::new(parent)));
    let asked = quiet(Command::new("pg_config").arg("--bindir")).ok().map(PathBuf::from);
    let on_path = env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = env::split_paths(&on_path).filter_map(|dir| real(&dir)).collect();
    packaged.chain(asked).chain(on_path).find(|dir| is_complete(dir))
}

/// The folder an `initdb` on PATH really lives in: it may be a link that stands alone.
fn real(dir: &Path) -> Option<PathBuf> {
    fs::canonicalize(dir.join("initdb")).ok()?.parent().map(Path::to_path_buf)
}

fn is_complete(dir: &Path) -> bool {
    NEEDED.iter().all(|program| dir.join(program).is_file())
}

/// The `bin` folders under `parent`, by the version in their name, such as `17` or `pgsql-17`.
fn newest_first(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let version = version(&entry.file_name().to_string_lossy())?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    versions.into_iter().map(|(_, dir)| dir).collect()
}

fn version(folder: &str) -> Option<u32> {
    let number = ["pgsql-", "postgresql@"].iter().find_map(|name| folder.strip_prefix(name));
    number.unwrap_or(folder).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_the_names_packagers_use() {
        assert_eq!(version("17"), Some(17));
        assert_eq!(version("pgsql-16"), Some(16));
        assert_eq!(version("postgresql@18"), Some(18));
        assert_eq!(version("local"), None);
    }

    #[test]
    fn the_newest_version_comes_first() {
        let parent = env::temp_dir().join(format!("xtask-versions-{}", std::process::id()));
        for version in ["9", "15", "notes"] {
            fs::create_dir_all(parent.join(version)).unwrap();
        }
        let found = newest_first(&parent);
        fs::remove_dir_all(&parent).unwrap();
        assert_eq!(found, [parent.join("15/bin"), parent.join("9/bin")]);
    }
}
