//! A database as SQL that makes it again.

use std::process::Command;

use testkit::{Database, DatabaseKind};

/// Tables, indexes and rows.
pub(crate) fn dump(database: &Database) -> String {
    match database.kind {
        DatabaseKind::Sqlite => of_sqlite(database),
        DatabaseKind::Postgres => of_postgres(database),
    }
}

fn of_sqlite(database: &Database) -> String {
    let made = |kind: &str| {
        database.lines(&format!(
            "SELECT m.sql || ';' AS line FROM sqlite_master m LEFT JOIN pragma_table_list t ON t.name = m.name \
             WHERE m.type = '{kind}' AND m.sql IS NOT NULL AND COALESCE(t.type, '') <> 'shadow' \
             AND m.name NOT LIKE 'sqlite%' ORDER BY m.rowid"
        ))
    };
    // Triggers fill the index of search terms again.
    let tables = database.lines(
        "SELECT m.name AS line FROM sqlite_master m JOIN pragma_table_list t ON t.name = m.name \
         WHERE t.type = 'table' AND t.name <> 'search_rows' AND t.name NOT LIKE 'sqlite%' ORDER BY m.rowid",
    );
    let rows = tables.iter().flat_map(|table| {
        let columns =
            database.lines(&format!("SELECT name AS line FROM pragma_table_info('{table}')"));
        let values: Vec<_> = columns.iter().map(|column| format!("quote({column})")).collect();
        let values = values.join(" || ', ' || ");
        database.lines(&format!(
            "SELECT 'INSERT INTO {table} VALUES (' || {values} || ');' AS line FROM {table}"
        ))
    });
    let before = made("table").into_iter().chain(made("trigger"));
    let lines: Vec<_> = before.chain(rows).chain(made("index")).collect();
    lines.join("\n") + "\n"
}

/// What its schema is called from then on: no row has this text.
const SCHEMA: &str = "written_out_schema";

/// As `pg_dump` writes it, without a schema's name and without settings.
fn of_postgres(database: &Database) -> String {
    database.execute(&format!("ALTER SCHEMA public RENAME TO {SCHEMA}"));
    let output = Command::new("pg_dump")
        .args(["--inserts", "--no-owner", "--no-privileges", "--no-comments", "--schema", SCHEMA])
        .arg(format!("--dbname={}", database.url))
        .output()
        .expect("pg_dump is on the PATH: run this by `cargo xtask release-data`");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8").replace(&format!("{SCHEMA}."), "");
    let starts = ["CREATE FUNCTION", "CREATE TABLE"];
    let start = starts.iter().filter_map(|start| text.find(start)).min().expect("tables");
    let text = text.get(start..).expect("a place in the text");
    let (mut lines, mut inside) = (Vec::new(), true);
    for line in text.lines() {
        let skipped =
            line.is_empty() || ["SET ", "--", "\\"].iter().any(|start| line.starts_with(start));
        if inside || !skipped {
            inside = !line.ends_with(';');
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}
