//! Packages from npm, installed once and kept under `target`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{program, quiet};

/// Written when the packages are all there.
const STAMP: &str = "packages.txt";

/// Installs the packages into `folder`, unless they are there.
pub(crate) fn provide(folder: &Path, packages: &[&str]) -> Result<()> {
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|known| known == packages.join("\n")) {
        return Ok(());
    }
    println!("Installing {} from npm into {}", packages.join(", "), folder.display());
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut npm = program("npm");
    npm.args(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]);
    quiet(npm.arg(folder).args(packages)).context("cannot install packages from npm")?;
    fs::write(&stamp, packages.join("\n")).with_context(|| stamp.display().to_string())
}
