//! The manifests of our crates: each takes the workspace's lints, and leaves no example untried.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::Violation;
use super::rules::manifest;
use super::tidy::source_files;
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
            violations.push(Violation { path: path.clone(), what: what.to_owned() });
        }
        if leaves_examples_out(&table) && has_examples(&package.manifest)? {
            let what = "the examples in its documentation are not tried: remove `doctest = false`";
            violations.push(Violation { path, what: what.to_owned() });
        }
    }
    Ok(violations)
}

/// Whether examples in the documentation are not tried, which takes a while even where there are none.
fn leaves_examples_out(manifest: &Table) -> bool {
    let tried = manifest.get("lib").and_then(|lib| lib.get("doctest"));
    tried.and_then(Value::as_bool) == Some(false)
}

fn has_examples(manifest: &Path) -> Result<bool> {
    let mut files = Vec::new();
    if let Some(package) = manifest.parent() {
        source_files(&package.join("src"), &mut files)?;
    }
    for file in files {
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        if text.lines().any(is_fence) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a line of documentation begins or ends a block of code.
fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
    text.is_some_and(|text| text.trim_start().starts_with("```"))
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
    fn examples_are_found_and_tried_unless_the_manifest_says_otherwise() {
        assert!(is_fence("    /// ```") && is_fence("//! ```no_run"));
        assert!(!is_fence("// ```") && !is_fence("/// Text.") && !is_fence("let x = \"```\";"));
        assert!(leaves_examples_out(&"[lib]\ndoctest = false".parse().unwrap()));
        assert!(!leaves_examples_out(&"[lib]\nname = 'x'".parse().unwrap()));
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
