//! The manifests of our crates: each takes the workspace's lints.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::Violation;
use super::rules::manifest;
use crate::graph::Graph;

/// Reads the manifest of every member.
pub(super) fn check(graph: &Graph, root: &Path) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for package in graph.members() {
        let path = manifest(package, root);
        let text = fs::read_to_string(&package.manifest).with_context(|| path.clone())?;
        let table = text.parse::<Table>().with_context(|| path.clone())?;
        if !takes_workspace_lints(&table) {
            let what = "the workspace's lints do not apply here: add `[lints] workspace = true`";
            violations.push(Violation { path, what: what.to_owned() });
        }
    }
    Ok(violations)
}

fn takes_workspace_lints(manifest: &Table) -> bool {
    let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
    lints.and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(manifest: &str) -> bool {
        takes_workspace_lints(&manifest.parse().unwrap())
    }

    #[test]
    fn lints_come_from_the_workspace_or_it_is_a_violation() {
        assert!(takes("[lints]\nworkspace = true"));
        assert!(takes("lints.workspace = true"));
        assert!(!takes("[lints]\nworkspace = false"));
        assert!(!takes("[lints.rust]\nunsafe_code = 'allow'"));
        assert!(!takes("[package]\nname = 'x'"));
    }
}
