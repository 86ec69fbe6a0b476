//! Looking into the SQLite file and writing to it while the server has it open.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The rows of a query, each value as text, null as an empty one.
pub(crate) fn query(file: &Path, sql: &str) -> anyhow::Result<Vec<Vec<String>>> {
    let connection = open(file)?;
    let mut statement = connection.prepare(sql).with_context(|| sql.to_owned())?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let values = (0..columns).map(|column| row.get_ref(column).map(text));
        found.push(values.collect::<Result<_, _>>()?);
    }
    Ok(found)
}

/// Executes statements beside the server.
pub(crate) fn run(file: &Path, sql: &str) -> anyhow::Result<()> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(&format!("BEGIN IMMEDIATE;\n{sql};\nCOMMIT"))?;
    Ok(())
}

/// What `PRAGMA integrity_check` reports besides `ok`.
pub(crate) fn integrity_faults(file: &Path) -> anyhow::Result<Vec<String>> {
    let reported = query(file, "PRAGMA integrity_check")?.into_iter().flatten();
    Ok(reported.filter(|line| line != "ok").collect())
}

fn open(file: &Path) -> anyhow::Result<Connection> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .with_context(|| format!("opening {}", file.display()))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

fn text(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ValueRef::Blob(bytes) => format!("{bytes:02x?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_as_text() {
        let file = std::env::temp_dir().join(format!("bench-query-{}.db", std::process::id()));
        let connection = Connection::open(&file).unwrap();
        connection
            .execute_batch("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (7, 'x')")
            .unwrap();
        let rows = query(&file, "SELECT a, b, NULL, a + 0.5 FROM t").unwrap();
        assert_eq!(rows, [["7", "x", "", "7.5"]]);
        assert_eq!(integrity_faults(&file).unwrap(), Vec::<String>::new());
        std::fs::remove_file(&file).unwrap();
    }
}
