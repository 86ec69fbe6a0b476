//! `cargo xtask openapi`: the OpenAPI document as kept in the repository, so that changes of the API show in
//! reviews.

use std::fs;

use anyhow::{Context, Result};

use crate::command::{cargo, quiet, root};

const FILE: &str = "docs/openapi.json";

/// The document under default settings.
pub(crate) fn document() -> Result<String> {
    let mut example = cargo();
    example.args(["run", "--quiet", "--package", "api", "--example", "openapi"]);
    quiet(&mut example)
}

/// Writes the document.
pub(crate) fn run() -> Result<()> {
    let document = document()?;
    let path = root().join(FILE);
    fs::write(&path, format!("{document}\n")).with_context(|| format!("cannot write {FILE}"))?;
    println!("wrote {FILE}");
    Ok(())
}
