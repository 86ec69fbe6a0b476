//! A folder for the files of a run: in memory where there is room, and gone when its owner is.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

use crate::command::quiet;

const MEMORY: &str = "/dev/shm";

/// Free memory below which the disk is used. Tests need a tenth of it.
const ROOM_KIB: u64 = 4 * 1024 * 1024;

/// Waits until its input ends, which happens when we drop the other end and also when we are killed.
const WATCHER: &str = r#"trap '' INT TERM HUP; cat >/dev/null; rm -rf "$1""#;

/// Where files are quickest that need not outlive a run.
pub(crate) fn quick_place() -> PathBuf {
    let said = quiet(Command::new("df").args(["-Pk", MEMORY])).ok();
    let free = said.and_then(|said| free_kib(&said)).unwrap_or_default();
    if free >= ROOM_KIB { MEMORY.into() } else { env::temp_dir() }
}

/// What `df -Pk` says of one place.
fn free_kib(said: &str) -> Option<u64> {
    said.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

/// A folder of our own. Dropping it removes it.
pub(crate) struct Scratch {
    dir: PathBuf,
    watcher: Child,
}

impl Scratch {
    /// Makes one.
    pub(crate) fn make() -> Result<Self> {
        let template = quick_place().join("trastienda-tests.XXXXXX");
        let dir = PathBuf::from(quiet(Command::new("mktemp").arg("-d").arg(template))?);
        let mut watcher = Command::new("sh");
        watcher.args(["-c", WATCHER, "sh"]).arg(&dir);
        // In our own process group, Ctrl-C in the terminal would reach it too.
        watcher.process_group(0).stdin(Stdio::piped());
        let watcher = watcher.spawn().context("cannot start the shell that removes files")?;
        Ok(Self { dir, watcher })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.dir
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        if let Err(error) = self.watcher.wait() {
            eprintln!("warning: {} may remain: {error}", self.dir.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_memory_is_the_fourth_figure() {
        let said = "Filesystem 1024-blocks Used Available Capacity Mounted on\n\
                    tmpfs 24684084 1084 24683000 1% /dev/shm\n";
        assert_eq!(free_kib(said), Some(24_683_000));
        assert_eq!(free_kib(""), None);
    }

    #[test]
    fn a_folder_goes_with_its_owner() {
        let scratch = Scratch::make().unwrap();
        let dir = scratch.path().to_path_buf();
        std::fs::write(dir.join("file"), "text").unwrap();
        drop(scratch);
        assert!(!dir.exists());
    }
}
