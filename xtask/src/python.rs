//! Pythons of our own, each with some packages, made once and kept under `target`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command::{program, quiet};

/// Written when the packages are all there.
const STAMP: &str = "packages.txt";

/// The Python in `folder`, which is made anew when it is not there or has other packages.
pub(crate) fn provide(folder: &Path, packages: &[String]) -> Result<PathBuf> {
    let python = folder.join("bin/python");
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|known| known == packages.join("\n")) {
        return Ok(python);
    }
    println!("Installing {} from PyPI into {}", packages.join(", "), folder.display());
    let mut make = program("python3");
    quiet(make.args(["-m", "venv", "--clear"]).arg(folder))
        .context("cannot make a Python environment: python3 with venv and pip is needed")?;
    let mut pip = program(&python.to_string_lossy());
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    quiet(pip.args(packages)).context("cannot install packages from PyPI")?;
    fs::write(&stamp, packages.join("\n")).with_context(|| stamp.display().to_string())?;
    Ok(python)
}
