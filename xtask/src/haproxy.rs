//! Finds HAProxy, or installs it where that needs no question.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::packages;

/// Where packages put it beside the folders of PATH, in which those of administrators are often missing.
const FOLDERS: &[&str] = &["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/local/bin"];

const MISSING: &str = "HAPROXY IS NOT INSTALLED AND CANNOT BE INSTALLED HERE, and several nodes are reached \
    through it: install it (Debian: apt-get install haproxy; macOS: brew install haproxy), or set \
    TRASTIENDA_BENCH_HAPROXY to the program";

/// The program.
pub(crate) fn find_or_install() -> Result<PathBuf> {
    if let Some(found) = find() {
        return Ok(found);
    }
    packages::install("haproxy").context(MISSING)?;
    find().context(MISSING)
}

fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(FOLDERS.iter().map(PathBuf::from));
    folders.map(|folder| folder.join("haproxy")).find(|program| program.is_file())
}
