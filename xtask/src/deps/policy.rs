//! deny.toml, read as far as our own check follows it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use toml::{Table, Value};

/// The keys we follow, with the value they must have where only one is followed. Another key would
/// be obeyed by cargo-deny and ignored by us.
const KEYS: &[(&str, &str, Option<&str>)] = &[
    ("graph", "targets", None),
    ("graph", "all-features", Some("true")),
    ("licenses", "allow", None),
    ("bans", "multiple-versions", Some("deny")),
    ("bans", "deny", None),
    ("bans", "skip", None),
    ("sources", "unknown-registry", Some("deny")),
    ("sources", "unknown-git", Some("deny")),
    ("sources", "allow-registry", None),
];

/// What the dependencies may be.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    /// The platforms that count.
    pub(crate) targets: Vec<String>,
    /// Licences under which we take code.
    pub(super) licenses: Vec<String>,
    /// Crates never to be used, and why.
    pub(super) banned: Vec<(String, String)>,
    /// Crates, as `name@version`, that may be there beside another version.
    pub(super) skipped: Vec<String>,
    /// Where crates may come from.
    pub(super) registries: Vec<String>,
}

impl Policy {
    /// Reads deny.toml in the root.
    pub(crate) fn read(root: &Path) -> Result<Policy> {
        let text = fs::read_to_string(root.join("deny.toml")).context("cannot read deny.toml")?;
        parse(&text).context("deny.toml")
    }
}

fn parse(text: &str) -> Result<Policy> {
    let file = text.parse::<Table>()?;
    refuse_unknown(&file)?;
    let list = |section, key| entries(&file, section, key);
    let policy = Policy {
        targets: strings(&list("graph", "targets")?)?,
        licenses: strings(&list("licenses", "allow")?)?,
        banned: list("bans", "deny")?.iter().map(|entry| banned(entry)).collect::<Result<_>>()?,
        skipped: list("bans", "skip")?.iter().map(|entry| skipped(entry)).collect::<Result<_>>()?,
        registries: strings(&list("sources", "allow-registry")?)?,
    };
    ensure!(!policy.targets.is_empty(), "[graph] targets is empty: name the supported platforms");
    Ok(policy)
}

fn refuse_unknown(file: &Table) -> Result<()> {
    // Advisories need the network: they are cargo-deny's alone.
    for (section, content) in file.iter().filter(|(section, _)| *section != "advisories") {
        let content = content.as_table().with_context(|| format!("`{section}` is no table"))?;
        for (key, value) in content {
            let known = KEYS.iter().find(|(s, k, _)| s == section && k == key);
            let Some((_, _, only)) = known else {
                bail!("[{section}] {key} is not followed: teach xtask/src/deps, or remove it");
            };
            if let Some(only) = only {
                let followed = word(value) == Some(*only);
                ensure!(followed, "[{section}] {key}: xtask/src/deps follows `{only}` only");
            }
        }
    }
    for (section, key, only) in KEYS {
        let given = file.get(*section).and_then(|content| content.get(*key)).is_some();
        ensure!(given || only.is_none(), "[{section}] {key} is missing: both checks rely on it");
    }
    Ok(())
}

fn word(value: &Value) -> Option<&str> {
    match value {
        Value::Boolean(true) => Some("true"),
        value => value.as_str(),
    }
}

fn entries<'a>(file: &'a Table, section: &str, key: &str) -> Result<Vec<&'a Value>> {
    match file.get(section).and_then(|content| content.get(key)) {
        None => Ok(Vec::new()),
        Some(Value::Array(entries)) => Ok(entries.iter().collect()),
        Some(_) => bail!("[{section}] {key} is no list"),
    }
}

fn strings(entries: &[&Value]) -> Result<Vec<String>> {
    let string = |entry: &&Value| entry.as_str().map(str::to_owned).context("not a string");
    entries.iter().map(string).collect()
}

fn banned(entry: &Value) -> Result<(String, String)> {
    let (name, reason) = krate(entry)?;
    ensure!(!name.contains(['@', ':', '*']), "[bans] deny `{name}`: ban the name, every version");
    Ok((name.to_owned(), reason.to_owned()))
}

fn skipped(entry: &Value) -> Result<String> {
    let (spec, reason) = krate(entry)?;
    let exact = spec.contains('@') && !spec.contains([':', '*']);
    ensure!(exact, "[bans] skip `{spec}`: write name@version, so that it leaves with the version");
    ensure!(!reason.is_empty(), "[bans] skip `{spec}`: give the reason");
    Ok(spec.to_owned())
}

/// The package and the reason of `{ crate = "...", reason = "..." }`.
fn krate(entry: &Value) -> Result<(&str, &str)> {
    let table = entry.as_table().context("[bans]: write { crate = \"...\", reason = \"...\" }")?;
    let text = |key| table.get(key).and_then(Value::as_str);
    for key in table.keys() {
        ensure!(["crate", "reason"].contains(&key.as_str()), "[bans]: `{key}` is not followed");
    }
    Ok((text("crate").context("[bans]: an entry without `crate`")?, text("reason").unwrap_or("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
[graph]
targets = ["x86_64-unknown-linux-gnu"]
all-features = true
[advisories]
ignore = []
[licenses]
allow = ["MIT"]
[bans]
multiple-versions = "deny"
deny = [{ crate = "openssl", reason = "rustls" }]
skip = [{ crate = "syn@2.0.1", reason = "diesel" }]
[sources]
unknown-registry = "deny"
unknown-git = "deny"
allow-registry = ["https://example.com/index"]
"#;

    #[test]
    fn what_we_follow_is_read() {
        let policy = parse(GOOD).unwrap();
        assert_eq!(policy.licenses, ["MIT"]);
        assert_eq!(policy.banned, [("openssl".to_owned(), "rustls".to_owned())]);
        assert_eq!(policy.skipped, ["syn@2.0.1"]);
        assert_eq!(policy.registries, ["https://example.com/index"]);
    }

    #[test]
    fn what_only_cargo_deny_follows_is_refused() {
        for (good, bad) in [
            ("[bans]\n", "[bans]\nskip-tree = []\n"),
            ("multiple-versions = \"deny\"", "multiple-versions = \"warn\""),
            ("multiple-versions = \"deny\"\n", ""),
            ("crate = \"openssl\"", "crate = \"openssl:<1\""),
            ("crate = \"openssl\"", "crate = \"openssl\", wrappers = [\"x\"]"),
            ("syn@2.0.1", "syn"),
            (", reason = \"diesel\"", ""),
            ("allow = [\"MIT\"]", "allow = \"MIT\""),
        ] {
            let text = GOOD.replacen(good, bad, 1);
            assert_ne!(text, GOOD, "{good}");
            assert!(parse(&text).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_projects_own_file_is_one_we_follow() {
        Policy::read(&crate::command::root()).unwrap();
    }
}
