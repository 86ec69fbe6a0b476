//! Installs the system's packages where that needs no question.

use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{is_root, quiet, run};

/// Installs a package of Debian's, as root or by a sudo that asks for no password.
pub(crate) fn install(package: &str) -> Result<()> {
    let as_root: &[&str] = if is_root() { &[] } else { &["sudo", "-n"] };
    let apt = |args: &[&str]| {
        let line = [as_root, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat();
        let (program, rest) = line.split_first().context("an empty command")?;
        run(Command::new(program).args(rest))
    };
    quiet(Command::new("apt-get").arg("--version")).context("there is no apt-get here")?;
    if let Some((sudo, rest)) = as_root.split_first() {
        quiet(Command::new(sudo).args(rest).arg("true")).context("sudo asks for a password")?;
    }
    println!("`{package}` is not installed: installing it with apt-get.");
    apt(&["update"])?;
    apt(&["install", "-y", "--no-install-recommends", package])
}
