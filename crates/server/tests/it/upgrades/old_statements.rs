//! Nodes of an earlier release work beside nodes of this one: its statements fit the migrated schema.

use std::{collections::BTreeSet, fs};

use testkit::{Database, DatabaseKind, on_both};

use super::release::Release;

on_both!(every_statement_fits_the_new_schema, every_insert_names_what_must_be_there,);

/// The statements that a release ran, as the database takes them.
fn statements(release: &Release, kind: DatabaseKind) -> Vec<String> {
    let path = release.folder.join(format!("statements.{}.sql", kind.name()));
    let text = fs::read_to_string(path).expect("a record of statements");
    let statements: Vec<_> = text.lines().map(str::to_owned).collect();
    assert!(statements.len() > 100);
    statements
}

fn every_statement_fits_the_new_schema(kind: DatabaseKind) {
    let database = Database::fresh(kind);
    for release in Release::every(kind) {
        let refused: Vec<_> = statements(&release, kind)
            .into_iter()
            .filter_map(|statement| {
                let refusal = database.try_all(&planned(kind, &statement)).err()?;
                Some(format!("{refusal}: {statement}"))
            })
            .collect();
        assert_eq!(refused, [""; 0], "{}", release.folder.display());
    }
}

/// Has a statement planned, which needs its tables, columns and keys, and runs nothing.
fn planned(kind: DatabaseKind, statement: &str) -> String {
    let values = match statement.strip_prefix("PREPARE s (").and_then(|rest| rest.split_once(')')) {
        Some((types, _)) => {
            format!("({})", types.split(", ").map(|_| "NULL").collect::<Vec<_>>().join(", "))
        }
        None => String::new(),
    };
    match kind {
        DatabaseKind::Sqlite => format!("EXPLAIN {statement}"),
        DatabaseKind::Postgres if statement.starts_with("PREPARE") => format!(
            "SET plan_cache_mode = force_generic_plan; {statement} EXPLAIN EXECUTE s{values}"
        ),
        DatabaseKind::Postgres => format!("EXPLAIN {statement}"),
    }
}

/// `table.column` of every column that has to be given.
const SQLITE_NEEDED: &str = "SELECT t.name || '.' || c.name AS line FROM sqlite_master t, pragma_table_info(t.name) c \
    WHERE t.type = 'table' AND c.\"notnull\" = 1 AND c.dflt_value IS NULL";
const POSTGRES_NEEDED: &str = "SELECT table_name || '.' || column_name AS line FROM information_schema.columns \
    WHERE table_schema = current_schema() AND is_nullable = 'NO' AND column_default IS NULL";

fn every_insert_names_what_must_be_there(kind: DatabaseKind) {
    let query = if kind == DatabaseKind::Sqlite { SQLITE_NEEDED } else { POSTGRES_NEEDED };
    let needed = Database::fresh(kind).lines(query);
    for release in Release::every(kind) {
        let mut tables = BTreeSet::new();
        for statement in statements(&release, kind) {
            for (table, columns) in inserts(&statement) {
                let columns_needed =
                    needed.iter().filter_map(|column| column.strip_prefix(&format!("{table}.")));
                for needed in columns_needed {
                    assert!(columns.iter().any(|named| named == needed), "{needed}: {statement}");
                }
                tables.insert(table);
            }
        }
        assert!(tables.len() > 20, "{tables:?}");
    }
}

/// The tables that a statement inserts into, with the columns that it names.
fn inserts(statement: &str) -> Vec<(String, Vec<String>)> {
    let bare = statement.replace(['"', '`'], "");
    let of_table = |rest: &str| {
        let (table, rest) = rest.split_once(" (").unwrap();
        let (columns, _) = rest.split_once(')').unwrap();
        (table.to_owned(), columns.split(", ").map(str::to_owned).collect())
    };
    bare.split("INSERT INTO ").skip(1).map(of_table).collect()
}

#[test]
fn inserts_are_found_wherever_they_stand() {
    let found =
        inserts("WITH e AS (INSERT INTO \"a\" (\"x\", y) SELECT 1), INSERT INTO b (z) VALUES (1)");
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(found, [("a".to_owned(), names(&["x", "y"])), ("b".to_owned(), names(&["z"]))]);
}
