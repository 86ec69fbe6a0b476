//! Migrations expand what the last release uses, and contract only what nothing uses any more: nodes of both
//! releases work on one database while the next one is rolled out.
//!
//! `migrations/released.toml` names the last migration of the last release. What it left is read from the
//! migrations up to there; [`rules`] hold every newer one against it.

mod released;
mod rules;
mod schema;
mod sql;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::Violation;
use released::{Released, TABLE};
use schema::Schema;

const DATABASES: &[&str] = &["sqlite", "postgres"];

/// Reads the migrations of both databases.
pub(super) fn check(root: &Path) -> Result<Vec<Violation>> {
    let released = Released::read(root)?;
    let mut violations = Vec::new();
    for database in DATABASES {
        violations.extend(check_database(root, database, &released)?);
    }
    Ok(violations)
}

fn check_database(root: &Path, database: &str, released: &Released) -> Result<Vec<Violation>> {
    let folder = format!("migrations/{database}");
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(&folder)).with_context(|| folder.clone())? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let last = &released.migration;
    ensure!(names.contains(last), "{TABLE}: there is no migration {last} in {folder}");

    let (mut left, mut now) = (Schema::default(), Schema::default());
    let mut violations = Vec::new();
    for name in names {
        let path = format!("{folder}/{name}/up.sql");
        let text = fs::read_to_string(root.join(&path)).with_context(|| path.clone())?;
        let statements = sql::statements(&text);
        if name <= *last {
            statements.iter().for_each(|statement| left.apply(statement));
            now.clone_from(&left);
            continue;
        }
        let found = rules::complaints(&left, &mut now, &statements).into_iter();
        let found = found.filter(|complaint| !released.allows(&complaint.of));
        violations.extend(found.map(|complaint| Violation {
            path: path.clone(),
            what: format!(
                "{}, `{}`, while nodes of the last release may be running: add beside what it uses, \
                 and list in {TABLE} what nothing uses any more",
                complaint.what, complaint.of
            ),
        }));
    }
    Ok(violations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::root;

    #[test]
    fn the_migrations_of_this_project_are_understood() {
        for database in DATABASES {
            let mut schema = Schema::default();
            let folders = fs::read_dir(root().join("migrations").join(database)).unwrap();
            let mut folders: Vec<_> = folders.map(|entry| entry.unwrap().path()).collect();
            folders.sort();
            for folder in folders {
                let text = fs::read_to_string(folder.join("up.sql")).unwrap();
                sql::statements(&text).iter().for_each(|statement| schema.apply(statement));
            }
            let text = "CREATE TABLE x (id TEXT); ALTER TABLE invoices DROP COLUMN draft; \
                ALTER TABLE events ADD CHECK (position > 0)";
            let mut now = schema.clone();
            let found = rules::complaints(&schema, &mut now, &sql::statements(text));
            let found: Vec<_> = found.iter().map(|complaint| complaint.of.as_str()).collect();
            assert_eq!(found, ["invoices.draft", "events"], "{database}");
            assert!(schema.tables.len() > 25, "{:?}", schema.tables.keys());
            let (key, state) =
                (&schema.tables["deliveries"].columns["id"], "check ( state in ( 'attempting'");
            assert!(key.not_null && key.kind == "text", "{key:?}");
            let mut conditions = schema.tables["deliveries"].conditions.iter();
            assert!(conditions.any(|condition| condition.starts_with(state)), "{database}");
        }
    }
}
