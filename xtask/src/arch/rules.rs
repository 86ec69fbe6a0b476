//! The crates against the declared architecture.

use std::path::Path;

use super::Violation;
use super::layers::{Layer, is_impure, is_other_edge, layer, owners};
use crate::graph::{Graph, Package};

const TABLE: &str = "xtask/src/arch/layers.rs";

/// Every crate that is unknown, uses what it may not, or reaches what it must not.
pub(super) fn check(graph: &Graph, root: &Path) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in graph.members() {
        let path = manifest(package, root);
        let complaints = match layer(&package.name) {
            None => vec![format!("crate `{}` has no layer: add it to {TABLE}", package.name)],
            Some(layer) => [
                forbidden_edges(graph, package, layer),
                foreign_crates(graph, package),
                impurities(graph, package, layer),
            ]
            .concat(),
        };
        let violation = |what| Violation { path: path.clone(), what };
        violations.extend(complaints.into_iter().map(violation));
    }
    violations
}

/// The package's manifest as a path from the root.
pub(super) fn manifest(package: &Package, root: &Path) -> String {
    let path = &package.manifest;
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

fn forbidden_edges(graph: &Graph, package: &Package, from: Layer) -> Vec<String> {
    let mut complaints = Vec::new();
    for used in graph.uses(package, |edge| edge.normal || edge.build) {
        if let Some(to) = layer_of_member(used)
            && !from.may_use(to)
            && !is_other_edge(&package.name, &used.name)
        {
            complaints.push(format!(
                "{from:?} `{}` uses {to:?} `{}`, which is not below it: take plain values or a \
                 trait instead, and meet in the server ({TABLE})",
                package.name, used.name
            ));
        }
    }
    for used in graph.uses(package, |edge| edge.dev) {
        if let Some(to) = layer_of_member(used)
            && !from.tests_may_use(to)
        {
            complaints.push(format!(
                "the tests of {from:?} `{}` use {to:?} `{}`: go through the testkit ({TABLE})",
                package.name, used.name
            ));
        }
    }
    complaints
}

/// A crate from a registry may share a name with one of ours.
fn layer_of_member(package: &Package) -> Option<Layer> {
    if package.source.is_none() { layer(&package.name) } else { None }
}

fn foreign_crates(graph: &Graph, package: &Package) -> Vec<String> {
    let used = graph.uses(package, |edge| edge.normal || edge.build);
    let foreign = used.filter_map(|used| {
        let owners = owners(&used.name)?;
        (!owners.contains(&package.name.as_str())).then(|| {
            format!(
                "`{}` uses `{}`, which belongs to {}: ask its owner for what you need ({TABLE})",
                package.name,
                used.name,
                owners.join(", ")
            )
        })
    });
    foreign.collect()
}

fn impurities(graph: &Graph, package: &Package, layer: Layer) -> Vec<String> {
    if !layer.is_pure() {
        return Vec::new();
    }
    let reached = graph.reachable(package, |edge| edge.normal);
    let impure = reached.iter().filter(|(used, _)| is_impure(&used.name));
    let complaint = |(used, way): &(&Package, Vec<&str>)| {
        format!(
            "{layer:?} `{}` reaches `{}` ({}): rules do no I/O, move it to a shell",
            package.name,
            used.name,
            way.join(" -> ")
        )
    };
    impure.map(complaint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::fabricate::graph;

    /// What is wrong with a graph of these lines.
    fn complaints(lines: &[&str]) -> Vec<String> {
        check(&graph(lines), Path::new("")).iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn assert_one(lines: &[&str], path: &str, words: &str) {
        let complaints = complaints(lines);
        assert_eq!(complaints.len(), 1, "{complaints:#?}");
        assert!(complaints[0].starts_with(path), "{complaints:#?}");
        assert!(complaints[0].contains(words), "{complaints:#?}");
    }

    #[test]
    fn the_house_as_designed_passes() {
        let lines = [
            "kernel",
            "orders -> kernel",
            "catalog -> kernel",
            "store -> orders",
            "store -> kernel",
            "store => testkit",
            "api -> orders",
            "trastienda -> store",
            "trastienda -> api",
            "testkit -> trastienda",
            "bench",
            "xtask",
        ];
        assert_eq!(complaints(&lines), [""; 0]);
    }

    #[test]
    fn nothing_is_used_from_the_side_or_from_above() {
        assert_one(&["orders -> catalog", "catalog"], "crates/orders/Cargo.toml", "not below");
        assert_one(&["kernel -> orders", "orders"], "crates/kernel/Cargo.toml", "not below");
        assert_one(&["store -> api", "api"], "crates/store/Cargo.toml", "not below");
        assert_one(&["api -> trastienda", "trastienda"], "crates/api/Cargo.toml", "not below");
    }

    #[test]
    fn nothing_is_built_on_the_tools_nor_on_the_testkit() {
        assert_one(&["trastienda -> xtask", "xtask"], "crates/trastienda", "Tool `xtask`");
        assert_one(&["testkit -> bench", "bench"], "crates/testkit", "Tool `bench`");
        assert_one(&["api -> testkit", "testkit"], "crates/api", "Testkit `testkit`");
        assert_eq!(complaints(&["api => testkit", "testkit"]), [""; 0]);
    }

    #[test]
    fn tests_meet_other_crates_through_the_testkit() {
        assert_one(&["store => api", "api"], "crates/store/Cargo.toml", "go through the testkit");
    }

    #[test]
    fn an_unknown_crate_is_told_where_to_be_added() {
        assert_one(&["loyalty -> kernel", "kernel"], "crates/loyalty/Cargo.toml", TABLE);
    }

    #[test]
    fn outside_crates_stay_with_their_owner() {
        let outside = |line: &str| {
            let mut graph = graph(&[line]);
            graph.packages.get_mut("governor").unwrap().source = Some("registry".to_owned());
            check(&graph, Path::new(""))
        };
        assert_eq!(outside("api -> governor"), []);
        let found = outside("panel -> governor");
        assert_eq!(found.len(), 1);
        assert!(found[0].what.contains("belongs to api"), "{found:?}");
    }

    #[test]
    fn a_rule_does_not_reach_the_world_however_far() {
        let way = "orders -> serde@1 -> tokio@1";
        let lines = ["orders -> serde@1", "serde@1 -> tokio@1"];
        assert_one(&lines, "crates/orders/Cargo.toml", &way.replace("@1", ""));
        assert_eq!(complaints(&["store -> serde@1", "serde@1 -> tokio@1"]), [""; 0]);
        assert_eq!(complaints(&["orders => serde@1", "serde@1 -> tokio@1"]), [""; 0]);
    }
}
