//! The crates we are made of, as `cargo metadata` tells them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::{cargo, quiet};

/// Every package that is compiled for some target, and what each uses.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// By cargo's package id.
    pub(crate) packages: BTreeMap<String, Package>,
    /// The ids of our own.
    pub(crate) members: Vec<String>,
}

/// A crate in one version.
#[derive(Debug, Default)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The SPDX expression of its manifest.
    pub(crate) license: Option<String>,
    /// Where it came from; nothing for a folder of this machine.
    pub(crate) source: Option<String>,
    pub(crate) manifest: PathBuf,
    pub(crate) edges: Vec<Edge>,
}

/// A dependency. One package may use another in several ways at once.
#[derive(Debug, Default)]
pub(crate) struct Edge {
    pub(crate) to: String,
    pub(crate) normal: bool,
    pub(crate) build: bool,
    pub(crate) dev: bool,
}

impl Graph {
    /// Asks cargo, with all features, for these targets only: crates of other platforms are not
    /// downloaded by a build, and asking for them would need the network.
    pub(crate) fn load(targets: &[String]) -> Result<Graph> {
        let mut command = cargo();
        command.args(["metadata", "--format-version", "1", "--all-features", "--locked"]);
        for target in targets {
            command.args(["--filter-platform", target]);
        }
        let metadata = serde_json::from_str(&quiet(&mut command)?)?;
        let mut graph =
            parse(&metadata).context("cargo metadata answers in a form this check cannot read")?;
        graph.keep(&compiled(targets)?);
        Ok(graph)
    }

    /// Leaves out every package but these.
    fn keep(&mut self, compiled: &BTreeSet<(String, String)>) {
        self.packages.retain(|_, package| {
            compiled.contains(&(package.name.clone(), package.version.clone()))
        });
    }

    /// Our own packages.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.members.iter().filter_map(|id| self.packages.get(id))
    }

    /// The packages that `package` uses directly by an edge of the wanted kind.
    pub(crate) fn uses<'a>(
        &'a self,
        package: &'a Package,
        wanted: fn(&Edge) -> bool,
    ) -> impl Iterator<Item = &'a Package> {
        let edges = package.edges.iter().filter(move |edge| wanted(edge));
        edges.filter_map(|edge| self.packages.get(&edge.to))
    }

    /// Everything reachable from `start` over the wanted edges, nearest first, each with the names
    /// on a shortest way to it. `start` itself comes first.
    pub(crate) fn reachable<'a>(
        &'a self,
        start: &'a Package,
        wanted: fn(&Edge) -> bool,
    ) -> Vec<(&'a Package, Vec<&'a str>)> {
        let mut seen = BTreeSet::from([(&start.name, &start.version)]);
        let mut queue = VecDeque::from([(start, vec![start.name.as_str()])]);
        let mut found = Vec::new();
        while let Some((package, way)) = queue.pop_front() {
            for next in self.uses(package, wanted) {
                if seen.insert((&next.name, &next.version)) {
                    let step = way.iter().copied().chain([next.name.as_str()]).collect();
                    queue.push_back((next, step));
                }
            }
            found.push((package, way));
        }
        found
    }
}

/// The name and version of all that is compiled. Metadata also names what a feature would add to
/// an optional dependency that nothing turns on (`ring?/alloc`), with all that this one uses.
fn compiled(targets: &[String]) -> Result<BTreeSet<(String, String)>> {
    let mut command = cargo();
    command.args(["tree", "--workspace", "--all-features", "--locked"]);
    command.args(["--prefix", "none", "--format", "{p}"]);
    for target in targets {
        command.args(["--target", target]);
    }
    Ok(quiet(&mut command)?.lines().filter_map(name_and_version).collect())
}

/// Those of `serde_derive v1.0.0 (proc-macro)`.
fn name_and_version(line: &str) -> Option<(String, String)> {
    let mut words = line.split_whitespace();
    Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
}

fn parse(metadata: &Value) -> Option<Graph> {
    let mut graph = Graph::default();
    for package in metadata.get("packages")?.as_array()? {
        let text = |key| package.get(key).and_then(Value::as_str).map(str::to_owned);
        let parsed = Package {
            name: text("name")?,
            version: text("version")?,
            license: text("license"),
            source: text("source"),
            manifest: text("manifest_path")?.into(),
            edges: Vec::new(),
        };
        graph.packages.insert(text("id")?, parsed);
    }
    for node in metadata.pointer("/resolve/nodes")?.as_array()? {
        let edges = node.get("deps")?.as_array()?.iter().map(parse_edge);
        let package = graph.packages.get_mut(node.get("id")?.as_str()?)?;
        package.edges = edges.collect::<Option<_>>()?;
    }
    let members = metadata.get("workspace_members")?.as_array()?.iter();
    graph.members = members.filter_map(Value::as_str).map(str::to_owned).collect();
    Some(graph)
}

fn parse_edge(dep: &Value) -> Option<Edge> {
    let mut edge = Edge { to: dep.get("pkg")?.as_str()?.to_owned(), ..Edge::default() };
    for kind in dep.get("dep_kinds")?.as_array()? {
        match kind.get("kind").and_then(Value::as_str) {
            None => edge.normal = true,
            Some("build") => edge.build = true,
            Some(_) => edge.dev = true,
        }
    }
    Some(edge)
}

#[cfg(test)]
pub(crate) mod fabricate {
    //! Graphs for the tests of the checks.

    use super::*;

    /// A graph of lines such as `orders -> kernel` (`=>` for a dev-dependency). What starts a line
    /// is a member; a name may carry a version, `syn@2.0.1`.
    pub(crate) fn graph(lines: &[&str]) -> Graph {
        let mut graph = Graph::default();
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            for name in words.iter().copied().filter(|word| !word.ends_with('>')) {
                graph.packages.entry(name.to_owned()).or_insert_with(|| package(name));
            }
            let from = words[0].to_owned();
            if let [_, arrow, to] = words[..] {
                let (normal, dev) = (arrow == "->", arrow == "=>");
                let edge = Edge { to: to.to_owned(), normal, dev, build: false };
                graph.packages.get_mut(&from).unwrap().edges.push(edge);
            }
            if !from.contains('@') && !graph.members.contains(&from) {
                graph.members.push(from);
            }
        }
        graph
    }

    fn package(spec: &str) -> Package {
        let (name, version) = spec.split_once('@').unwrap_or((spec, "0.1.0"));
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some("Apache-2.0".to_owned()),
            manifest: format!("crates/{name}/Cargo.toml").into(),
            ..Package::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_becomes_packages_edges_and_members() {
        let metadata = serde_json::json!({
            "packages": [
                {"id": "a#1", "name": "a", "version": "1.0.0", "license": null, "source": null,
                 "manifest_path": "a/Cargo.toml"},
                {"id": "b#1", "name": "b", "version": "1.0.0", "license": "MIT",
                 "source": "registry+x", "manifest_path": "b/Cargo.toml"},
            ],
            "resolve": {"nodes": [
                {"id": "a#1", "deps": [{"pkg": "b#1", "dep_kinds": [
                    {"kind": null}, {"kind": "dev"}]}]},
                {"id": "b#1", "deps": []},
            ]},
            "workspace_members": ["a#1"],
        });
        let graph = parse(&metadata).unwrap();
        let a = graph.members().next().unwrap();
        assert_eq!(a.name, "a");
        assert!(a.edges[0].normal && a.edges[0].dev && !a.edges[0].build);
        assert_eq!(graph.packages["b#1"].license.as_deref(), Some("MIT"));
        assert!(parse(&serde_json::json!({"packages": []})).is_none());
    }

    #[test]
    fn what_is_not_compiled_is_left_out() {
        let lines = "a v0.1.0 (/source/a)\nb v1.0.0 (proc-macro) (*)\n\n";
        let compiled = lines.lines().filter_map(name_and_version).collect();
        let mut graph = fabricate::graph(&["a -> b@1.0.0", "a -> b@2.0.0", "a -> ring"]);
        graph.keep(&compiled);
        let a = &graph.packages["a"];
        let used: Vec<&str> = graph.uses(a, |_| true).map(|b| b.version.as_str()).collect();
        assert_eq!((used, graph.packages.len()), (vec!["1.0.0"], 2));
    }

    #[test]
    fn reachable_gives_the_shortest_way_and_survives_cycles() {
        let graph = fabricate::graph(&["a -> b", "b -> c", "c -> a", "c -> d", "b => e"]);
        let a = &graph.packages["a"];
        let found = graph.reachable(a, |edge| edge.normal);
        let names: Vec<&str> = found.iter().map(|(package, _)| package.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        assert_eq!(found[3].1, ["a", "b", "c", "d"]);
    }
}
