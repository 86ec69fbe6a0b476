//! `cargo xtask arch`: the architecture, checked by machine.
//!
//! [`layers`] declares it, [`rules`] holds the crates against it, [`modules`] what is inside
//! the larger of them, [`manifests`] and [`tidy`] the files against the habits of the house,
//! [`decisions`] keeps rules out of the store, [`migrations`] holds the schema against the last
//! release.

mod decisions;
mod layers;
mod manifests;
mod migrations;
mod modules;
mod rules;
mod tidy;

use std::fmt;

use anyhow::{Result, bail};

use crate::command::root;
use crate::deps::Policy;
use crate::graph::Graph;

/// Something that is not as declared.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    /// The file to change, from the root.
    path: String,
    /// What is wrong, and the cure.
    what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.what)
    }
}

/// Lists every violation.
pub(crate) fn run() -> Result<()> {
    let root = root();
    let graph = Graph::load(&Policy::read(&root)?.targets)?;
    let mut violations = rules::check(&graph, &root);
    violations.extend(manifests::check(&graph, &root)?);
    let (layers, circles) = modules::check(&root)?;
    violations.extend(circles);
    violations.extend(migrations::check(&root)?);
    let (files, untidy) = tidy::check(&root)?;
    violations.extend(untidy);
    violations.sort();

    for violation in &violations {
        println!("{violation}");
    }
    if !violations.is_empty() {
        bail!("{} violations of the architecture", violations.len());
    }
    for layers in layers {
        println!("{layers}");
    }
    println!("The architecture holds: {} crates, {files} files.", graph.members.len());
    Ok(())
}
