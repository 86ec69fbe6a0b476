//! The modules inside the crates that many domains share: they stand in layers, without a circle.
//!
//! A crate may not be circular to its neighbours, the compiler sees to that; modules may, and then none of them can
//! be understood or changed by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Violation;

/// The crates whose modules are held to an order.
const CRATES: &[&str] = &["engine", "store", "api"];

/// Which modules each module names.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The layers of one crate's modules, lowest first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layers {
    /// The crate.
    pub(super) name: &'static str,
    /// Each layer uses only those before it.
    pub(super) layers: Vec<Vec<String>>,
}

/// Reads the modules of every such crate; gives their layers and the circles among them.
pub(super) fn check(root: &Path) -> Result<(Vec<Layers>, Vec<Violation>)> {
    let mut all = Vec::new();
    let mut violations = Vec::new();
    for name in CRATES {
        let uses = read_uses(&root.join("crates").join(name).join("src"))?;
        let (layers, rest) = layered(uses);
        for (module, used) in &rest {
            let used: Vec<&str> = used.iter().map(String::as_str).collect();
            violations.push(Violation {
                path: format!("crates/{name}/src/{module}.rs"),
                what: format!(
                    "stands in a circle of modules with {}: let the lower one be handed what it needs",
                    used.join(", ")
                ),
            });
        }
        all.push(Layers { name, layers });
    }
    Ok((all, violations))
}

impl std::fmt::Display for Layers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.name)?;
        for (position, layer) in self.layers.iter().enumerate() {
            write!(f, "{} {}", if position == 0 { "" } else { " <" }, layer.join(" "))?;
        }
        Ok(())
    }
}

/// The modules in layers, and those that are left because they use each other, with what of each other they use.
fn layered(mut uses: Uses) -> (Vec<Vec<String>>, Uses) {
    let mut layers = Vec::new();
    loop {
        let free: Vec<String> = uses
            .iter()
            .filter(|(_, used)| used.is_empty())
            .map(|(module, _)| module.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        uses.retain(|module, _| !free.contains(module));
        for used in uses.values_mut() {
            used.retain(|module| !free.contains(module));
        }
        layers.push(free);
    }
    // What only uses a circle is not part of it.
    loop {
        let used: BTreeSet<String> = uses.values().flatten().cloned().collect();
        let before = uses.len();
        uses.retain(|module, _| used.contains(module));
        if uses.len() == before {
            return (layers, uses);
        }
    }
}

fn read_uses(src: &Path) -> Result<Uses> {
    let mut files = Vec::new();
    collect(src, &mut files)?;
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        let relative = file.strip_prefix(src).unwrap_or(&file);
        let first = relative.components().next().map(|part| part.as_os_str().to_string_lossy());
        let Some(module) = first.map(|name| name.trim_end_matches(".rs").to_owned()) else {
            continue;
        };
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        texts.entry(module).or_default().push_str(&without_comments_and_tests(&text));
    }
    let root = texts.remove("lib").unwrap_or_default();
    Ok(uses_of(&texts, &root))
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| dir.display().to_string())? {
        let path = entry?.path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
    Ok(())
}

fn without_comments_and_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

fn uses_of(texts: &BTreeMap<String, String>, root: &str) -> Uses {
    let exported = exports(root);
    let uses = texts.iter().map(|(module, text)| {
        let named = names_after_crate(text).into_iter();
        let modules = named.filter_map(|name| match texts.contains_key(&name) {
            true => Some(name),
            false => exported.get(&name).filter(|module| texts.contains_key(*module)).cloned(),
        });
        (module.clone(), modules.filter(|used| used != module).collect())
    });
    uses.collect()
}

/// Which module each name that the crate's root offers comes from.
fn exports(root: &str) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for part in root.split("use ").skip(1) {
        let statement = part.split(';').next().unwrap_or_default();
        if let Some((module, names)) = statement.split_once("::") {
            for name in words(names) {
                exported.insert(name, module.trim().to_owned());
            }
        }
    }
    exported
}

/// The first names behind every `crate::`.
fn names_after_crate(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for part in text.split("crate::").skip(1) {
        match part.strip_prefix('{') {
            Some(group) => names.extend(first_names(group)),
            None => names.extend(words(part).into_iter().next()),
        }
    }
    names
}

/// The first name of every entry of a group, up to its closing brace.
fn first_names(group: &str) -> Vec<String> {
    let (mut depth, mut entry, mut names) = (0_u32, String::new(), Vec::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.extend(words(&entry).into_iter().next());
                entry.clear();
            }
            _ if depth == 0 => entry.push(c),
            _ => {}
        }
    }
    names.extend(words(&entry).into_iter().next());
    names
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(modules: &[(&str, &str)], root: &str) -> Uses {
        let texts = modules
            .iter()
            .map(|(name, text)| ((*name).to_owned(), without_comments_and_tests(text)));
        uses_of(&texts.collect(), root)
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn names_of_other_modules_are_found_however_they_are_written() {
        let text = "use crate::{\n    Settings,\n    db::{Db, on},\n    rows,\n};\nfn f() { crate::lane::run() }\n\
                    // crate::never\n#[cfg(test)]\nmod tests { use crate::vault; }";
        let modules =
            [("a", text), ("db", ""), ("rows", ""), ("lane", ""), ("settings", ""), ("vault", "")];
        let found = uses(&modules, "mod a;\npub use settings::Settings;\nuse engine::{never};");
        assert_eq!(found["a"], set(&["db", "rows", "lane", "settings"]));
    }

    #[test]
    fn modules_stand_in_layers() {
        let modules = [("a", "crate::b::x crate::c::x"), ("b", "crate::c::x"), ("c", "")];
        let (layers, rest) = layered(uses(&modules, ""));
        assert_eq!(layers, [["c"], ["b"], ["a"]].map(|layer| layer.map(str::to_owned).to_vec()));
        assert_eq!(rest, Uses::new());
    }

    #[test]
    fn a_circle_is_told_without_those_who_only_look_at_it() {
        let modules = [
            ("a", "crate::b::x"),
            ("b", "crate::a::x crate::c::x"),
            ("c", ""),
            ("d", "crate::a::x"),
        ];
        let (layers, rest) = layered(uses(&modules, ""));
        assert_eq!(layers, [["c".to_owned()]]);
        let circle = [("a", set(&["b"])), ("b", set(&["a"]))];
        assert_eq!(rest, circle.map(|(module, used)| (module.to_owned(), used)).into());
    }
}
