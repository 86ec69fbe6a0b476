//! `cargo xtask deps`: may we use the crates we use?
//!
//! cargo-deny answers where it is installed. Elsewhere [`check`] gives the same verdict from the
//! same deny.toml, without the network, for the part of its language that [`policy`] reads.

mod check;
mod policy;
mod spdx;

use anyhow::{Result, bail};

use crate::command::{cargo, has_cargo_subcommand, root, run as run_command};
use crate::graph::Graph;
pub(crate) use policy::Policy;

/// Checks licences, bans, double versions and sources, then unused dependencies.
pub(crate) fn run() -> Result<()> {
    // Read also for cargo-deny: what only it understands would pass here and fail elsewhere.
    let policy = Policy::read(&root())?;
    if has_cargo_subcommand("deny") {
        run_command(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    } else {
        println!("cargo-deny is not installed: checking deny.toml ourselves.");
        check_ourselves(&policy)?;
    }
    if has_cargo_subcommand("machete") {
        return run_command(cargo().arg("machete"));
    }
    println!("Unused dependencies not checked: cargo-machete is not installed.");
    Ok(())
}

fn check_ourselves(policy: &Policy) -> Result<()> {
    let graph = Graph::load(&policy.targets)?;
    let violations = check::check(&graph, policy);
    for violation in &violations {
        println!("{violation}");
    }
    if !violations.is_empty() {
        bail!("{} violations of deny.toml", violations.len());
    }
    println!("The dependencies are as deny.toml wants them: {} crates.", graph.packages.len());
    Ok(())
}
