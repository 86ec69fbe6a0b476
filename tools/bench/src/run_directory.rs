//! The folder in which one run keeps its databases and logs.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// A folder of its own for each run, removed at the end unless it is wanted for a look.
#[derive(Debug)]
pub(crate) struct RunDirectory {
    path: PathBuf,
    keep: bool,
}

impl RunDirectory {
    /// Makes the folder under `TMPDIR`, which should be on a real disk.
    pub(crate) fn create(kind: &str) -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("trastienda-{kind}-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Self { path, keep: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a folder inside.
    pub(crate) fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.path.join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(path)
    }

    pub(crate) const fn keep(&mut self) {
        self.keep = true;
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        if !self.keep
            && let Err(error) = std::fs::remove_dir_all(&self.path)
        {
            eprintln!("bench: {} stays behind: {error}", self.path.display());
        }
    }
}
