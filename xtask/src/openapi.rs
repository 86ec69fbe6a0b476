//! `cargo xtask openapi`: the OpenAPI document as kept in the repository, so that changes of the API show in
//! reviews.

use std::fs;

use anyhow::{Context, Result};

use crate::command::{cargo, quiet, root};

const FILE: &str = "docs/openapi.json";

/// Writes the document under default settings.
pub(crate) fn run() -> Result<()> {
    let mut example = cargo();
    example.args(["run", "--quiet", "--package", "api", "--example", "openapi"]);
    let document = quiet(&mut example)?;
    let path = root().join(FILE);
    fs::write(&path, format!("{document}\n")).with_context(|| format!("cannot write {FILE}"))?;
    println!("wrote {FILE}");
    Ok(())
}
