//! The packages against the policy.

use std::collections::{BTreeMap, BTreeSet};

use super::policy::Policy;
use super::spdx;
use crate::graph::{Graph, Package};

/// The crates.io index by its two names.
const CRATES_IO: &[&str] =
    &["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

/// One line for each thing deny.toml does not allow.
pub(super) fn check(graph: &Graph, policy: &Policy) -> Vec<String> {
    let mut violations = Vec::new();
    for package in graph.packages.values() {
        let complaints = [license(package, policy), ban(package, policy), source(package, policy)];
        let place = format!("{}@{}", package.name, package.version);
        violations.extend(complaints.into_iter().flatten().map(|what| format!("{place}: {what}")));
    }
    violations.extend(double_versions(graph, policy));
    violations
}

fn license(package: &Package, policy: &Policy) -> Option<String> {
    let Some(expression) = &package.license else {
        return Some("names no licence: do without it".to_owned());
    };
    match spdx::allowed(expression, &policy.licenses) {
        Ok(true) => None,
        Ok(false) => Some(format!(
            "licence `{expression}` is not allowed: do without it, or allow it in deny.toml"
        )),
        Err(error) => Some(format!("licence `{expression}`: {error}")),
    }
}

fn ban(package: &Package, policy: &Policy) -> Option<String> {
    let (_, reason) = policy.banned.iter().find(|(name, _)| *name == package.name)?;
    Some(format!("banned ({reason}): turn off the feature that brings it"))
}

fn source(package: &Package, policy: &Policy) -> Option<String> {
    let source = package.source.as_deref()?;
    let allowed = |registry: &String| source.strip_prefix("registry+") == Some(registry.as_str());
    if CRATES_IO.contains(&source) || policy.registries.iter().any(allowed) {
        return None;
    }
    Some(format!("comes from {source}: use a release from crates.io"))
}

/// Crates that are there in several versions, not counting skipped ones nor what only tests use.
fn double_versions(graph: &Graph, policy: &Policy) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for member in graph.members() {
        for (package, _) in graph.reachable(member, |edge| edge.normal || edge.build) {
            // A version is skipped by its number alone: `0.9.12+spec-1.1.0` is 0.9.12.
            let number = package.version.split('+').next().unwrap_or_default();
            let spec = format!("{}@{number}", package.name);
            if !policy.skipped.contains(&spec) {
                versions.entry(&package.name).or_default().insert(&package.version);
            }
        }
    }
    let double = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    let complaint = |(name, versions): (&str, BTreeSet<&str>)| {
        let list = versions.into_iter().collect::<Vec<_>>().join(", ");
        format!("{name}: in versions {list}: align them, or skip one in deny.toml with the reason")
    };
    double.map(complaint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::fabricate::graph;

    fn policy() -> Policy {
        Policy {
            licenses: vec!["Apache-2.0".to_owned()],
            banned: vec![("openssl".to_owned(), "rustls".to_owned())],
            skipped: vec!["syn@2.0.1".to_owned()],
            registries: vec!["https://example.com/index".to_owned()],
            ..Policy::default()
        }
    }

    #[track_caller]
    fn assert_one(graph: &Graph, words: &str) {
        let found = check(graph, &policy());
        assert!(found.len() == 1 && found[0].contains(words), "{found:?}");
    }

    fn changed(change: fn(&mut Package)) -> Graph {
        let mut graph = graph(&["orders -> serde@1.0.0"]);
        change(graph.packages.get_mut("serde@1.0.0").unwrap());
        graph
    }

    #[test]
    fn a_clean_graph_passes() {
        assert_eq!(check(&graph(&["orders -> serde@1.0.0"]), &policy()), [""; 0]);
    }

    #[test]
    fn licences_are_checked() {
        assert_one(&changed(|serde| serde.license = Some("GPL-3.0".into())), "serde@1.0.0: ");
        assert_one(&changed(|serde| serde.license = Some("(MIT".into())), "serde@1.0.0: ");
        assert_one(&changed(|serde| serde.license = None), "no licence");
    }

    #[test]
    fn banned_crates_are_found_with_the_reason() {
        assert_one(&graph(&["orders -> openssl@0.10.0"]), "banned (rustls)");
    }

    #[test]
    fn sources_are_known_registries() {
        for source in CRATES_IO.iter().chain(&["registry+https://example.com/index"]) {
            let mut graph = changed(|_| ());
            graph.packages.get_mut("serde@1.0.0").unwrap().source = Some((*source).to_owned());
            assert_eq!(check(&graph, &policy()), [""; 0]);
        }
        assert_one(&changed(|serde| serde.source = Some("git+https://x".into())), "git+https://x");
        assert_one(&changed(|serde| serde.source = Some("registry+https://x".into())), "comes");
    }

    #[test]
    fn double_versions_are_found_unless_skipped_or_for_tests() {
        assert_one(&graph(&["a -> http@0.2.0", "a -> http@1.0.0"]), "0.2.0, 1.0.0");
        let skipped = graph(&["a -> syn@2.0.1+extra", "a -> syn@3.0.0"]);
        assert_eq!(check(&skipped, &policy()), [""; 0]);
        let dev = graph(&["a => http@0.2.0", "a -> http@1.0.0"]);
        assert_eq!(check(&dev, &policy()), [""; 0]);
    }
}
