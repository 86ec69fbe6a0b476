//! Who runs the server: initdb and postgres refuse to run as root.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{is_root, quiet};

/// Ourselves or, when we are root, somebody less powerful.
pub(super) struct User {
    instead_of_root: Option<&'static str>,
}

impl User {
    /// Finds one.
    pub(super) fn allowed_to_run_postgres() -> Result<User> {
        if !is_root() {
            return Ok(User { instead_of_root: None });
        }
        let exists = |name: &&str| quiet(Command::new("id").args(["-u", *name])).is_ok();
        let name = ["postgres", "nobody"].into_iter().find(exists);
        let name = name.context("PostgreSQL refuses to run as root: add a user `postgres`")?;
        Ok(User { instead_of_root: Some(name) })
    }

    /// `program`, to be run as this user.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = match self.instead_of_root {
            None => Command::new(program),
            Some(name) => {
                let mut command = Command::new("runuser");
                command.args(["-u", name, "--"]).arg(program);
                command
            }
        };
        // The programs complain about a working directory they may not enter, such as root's.
        command.current_dir("/");
        command
    }

    /// A new folder of this user's own.
    pub(super) fn make_dir(&self, base: PathBuf) -> Result<PathBuf> {
        // Root's TMPDIR may be closed to others.
        let is_open = ["/var", "/dev/shm"].iter().any(|open| base.starts_with(open));
        let base =
            if self.instead_of_root.is_some() && !is_open { PathBuf::from("/tmp") } else { base };
        let template = base.join("trastienda-pg.XXXXXX");
        Ok(quiet(self.command(Path::new("mktemp")).arg("-d").arg(template))?.into())
    }
}
