//! What the last release was, and what it has ceased to use.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use toml::{Table, Value};

/// Where it is written down.
pub(super) const TABLE: &str = "migrations/released.toml";

/// The file, read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Released {
    /// The folder of its last migration.
    pub(super) migration: String,
    unused: Vec<String>,
}

impl Released {
    /// Reads the file.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(TABLE)).context(TABLE)?;
        Self::parse(&text).context(TABLE)
    }

    fn parse(text: &str) -> Result<Self> {
        let table: Table = text.parse()?;
        let migration = text_of(&table, "migration")?;
        let unused = table.get("unused").and_then(Value::as_array).cloned().unwrap_or_default();
        let unused = unused.iter().map(|entry| {
            let entry = entry.as_table().context("[[unused]] is a table")?;
            for name in ["since", "why"] {
                let text = text_of(entry, name)?;
                ensure!(!text.is_empty(), "[[unused]] says {name}");
            }
            text_of(entry, "what")
        });
        Ok(Self { migration, unused: unused.collect::<Result<_>>()? })
    }

    /// Whether a table, or a `table.column`, may be taken away or narrowed.
    pub(super) fn allows(&self, thing: &str) -> bool {
        let table = thing.split('.').next().unwrap_or(thing);
        self.unused.iter().any(|unused| unused == thing || unused == table)
    }
}

fn text_of(table: &Table, name: &str) -> Result<String> {
    let text = table.get(name).and_then(Value::as_str);
    text.map(str::to_owned).with_context(|| format!("`{name}` is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_says_since_when_and_why() {
        let head = "migration = 'm'\n[[unused]]\nwhat = 'invoices.draft'\n";
        let released = Released::parse(&format!("{head}since = '0.3.0'\nwhy = 'moved'")).unwrap();
        assert!(released.allows("invoices.draft"));
        assert!(!released.allows("invoices") && !released.allows("invoices.stamp"));
        for missing in ["since = '0.3.0'", "why = 'moved'", "since = ''\nwhy = 'moved'"] {
            assert!(Released::parse(&format!("{head}{missing}")).is_err(), "{missing}");
        }
        assert!(Released::parse("").is_err());
    }

    #[test]
    fn a_table_stands_for_its_columns() {
        let text = "migration = 'm'\n[[unused]]\nwhat = 'replays'\nsince = '1'\nwhy = 'x'";
        let released = Released::parse(text).unwrap();
        assert!(released.allows("replays") && released.allows("replays.since"));
    }
}
