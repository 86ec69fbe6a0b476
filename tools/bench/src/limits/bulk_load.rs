//! The limit of imports: the rows that an import has made, loaded into the same tables with the same indexes of another
//! database by the database's own means: `COPY` on PostgreSQL, prepared inserts in one transaction on SQLite.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use rusqlite::types::Value;
use rusqlite::{Connection, Rows, params_from_iter};

use crate::database::Database;
use crate::database::postgres::{FreshDatabase, PostgresTools};
use crate::limits::PRAGMAS;
use crate::service::Service;
use crate::service::process::ServiceOptions;

/// Rows that are held at once; reading them does not count.
const ROWS_AT_ONCE: usize = 10_000;
/// What an import of new products writes, the referenced first, each with what its rows have in common.
const TABLES: [(&str, &str); 5] = [
    ("products", "sku LIKE '{prefix}%'"),
    ("skus", "sku LIKE '{prefix}%'"),
    ("stock_levels", "product_id IN ({products})"),
    ("stock_movements", "product_id IN ({products})"),
    ("events", "entity_id IN ({products})"),
];

/// A database of the service's own schema that rows are loaded into.
pub(crate) struct BulkLoad {
    account: String,
    target: Target,
}

enum Target {
    Sqlite { from: PathBuf, to: PathBuf },
    Postgres { tools: PostgresTools, from: String, to: FreshDatabase, folder: PathBuf },
}

impl BulkLoad {
    /// Makes the database, and the account that the rows are of.
    pub(crate) fn prepare(
        database: &Database,
        folder: &Path,
        binary: &Path,
        account: &str,
    ) -> anyhow::Result<Self> {
        let folder = folder.join("loaded");
        std::fs::create_dir_all(&folder)?;
        let target = match database {
            Database::Sqlite { file } => {
                Target::Sqlite { from: file.clone(), to: folder.join("loaded.db") }
            }
            Database::Postgres { database, tools } => Target::Postgres {
                tools: tools.clone(),
                from: database.url().to_owned(),
                to: tools.fresh_database("loaded")?,
                folder: folder.clone(),
            },
        };
        let url = match &target {
            Target::Sqlite { to, .. } => format!("sqlite://{}", to.display()),
            Target::Postgres { to, .. } => to.url().to_owned(),
        };
        // A start makes the tables.
        Service::start(&ServiceOptions::new(binary, url, &folder)?)?.stop()?;
        let load = Self { account: account.to_owned(), target };
        load.table("accounts", &format!("id = '{account}'"))?;
        Ok(load)
    }

    /// How long it takes to load the products whose SKUs begin so, with all that belongs to them.
    pub(crate) fn time(&self, prefix: &str) -> anyhow::Result<Duration> {
        let own = format!("account_id = '{}'", self.account);
        let products = format!("SELECT id FROM products WHERE {own} AND sku LIKE '{prefix}%'");
        let tables = TABLES.map(|(table, rows)| {
            let rows = rows.replace("{prefix}", prefix).replace("{products}", &products);
            (table, format!("{own} AND {rows}"))
        });
        let tables: Vec<(&str, &str)> =
            tables.iter().map(|(table, rows)| (*table, rows.as_str())).collect();
        self.load(&tables)
    }

    fn table(&self, table: &str, rows: &str) -> anyhow::Result<Duration> {
        self.load(&[(table, rows)])
    }

    fn load(&self, tables: &[(&str, &str)]) -> anyhow::Result<Duration> {
        match &self.target {
            Target::Sqlite { from, to } => load_sqlite(from, to, tables),
            Target::Postgres { tools, from, to, folder } => {
                let mut script = "BEGIN;\n".to_owned();
                for (table, rows) in tables {
                    let columns = tools.query(
                        from,
                        &format!(
                            "SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' \
                             AND is_generated = 'NEVER' AND table_schema = 'public' ORDER BY ordinal_position"
                        ),
                    )?;
                    let columns = columns.into_iter().flatten().collect::<Vec<_>>().join(", ");
                    let file = folder.join(format!("{table}.copy"));
                    let file = file.display();
                    let out =
                        format!("\\copy (SELECT {columns} FROM {table} WHERE {rows}) TO '{file}'");
                    tools.query(from, &out)?;
                    // Writing to a string cannot fail.
                    let _ = writeln!(script, "\\copy {table} ({columns}) FROM '{file}'");
                }
                script.push_str("COMMIT;\n");
                let file = folder.join("load.sql");
                std::fs::write(&file, script)?;
                let began = Instant::now();
                tools.run_file(to.url(), &file)?;
                Ok(began.elapsed())
            }
        }
    }
}

fn load_sqlite(from: &Path, to: &Path, tables: &[(&str, &str)]) -> anyhow::Result<Duration> {
    let open = |file: &Path| {
        let opened =
            Connection::open(file).with_context(|| format!("opening {}", file.display()))?;
        opened.execute_batch(PRAGMAS)?;
        anyhow::Ok(opened)
    };
    let (from, mut to) = (open(from)?, open(to)?);
    let transaction = to.transaction()?;
    let mut taken = Duration::ZERO;
    for (table, rows) in tables {
        // Columns that the database works out itself are not among these.
        let columns: Vec<String> = from
            .prepare(&format!("SELECT name FROM pragma_table_info('{table}')"))?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let places = vec!["?"; columns.len()].join(", ");
        let listed = columns.join(", ");
        let insert = format!("INSERT INTO {table} ({listed}) VALUES ({places})");
        let mut select =
            from.prepare(&format!("SELECT {listed} FROM {table} WHERE {rows} ORDER BY 1, 2"))?;
        let mut found = select.query([])?;
        loop {
            let some = next_rows(&mut found, columns.len())?;
            if some.is_empty() {
                break;
            }
            let began = Instant::now();
            let mut insert = transaction.prepare_cached(&insert)?;
            for row in some {
                insert.execute(params_from_iter(row))?;
            }
            taken += began.elapsed();
        }
    }
    let began = Instant::now();
    transaction.commit()?;
    Ok(taken + began.elapsed())
}

fn next_rows(found: &mut Rows<'_>, columns: usize) -> anyhow::Result<Vec<Vec<Value>>> {
    let mut some = Vec::new();
    while some.len() < ROWS_AT_ONCE
        && let Some(row) = found.next()?
    {
        some.push((0..columns).map(|column| row.get(column)).collect::<Result<_, _>>()?);
    }
    Ok(some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_loaded_as_they_are() {
        let folder = std::env::temp_dir().join(format!("bench-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (from, to) = (folder.join("from.db"), folder.join("to.db"));
        for (file, rows) in
            [(&from, "INSERT INTO t VALUES ('a', 1, NULL), ('b', 2, 'x')"), (&to, "")]
        {
            let connection = Connection::open(file).unwrap();
            connection
                .execute_batch(&format!("CREATE TABLE t (a TEXT, b INTEGER, c TEXT); {rows}"))
                .unwrap();
        }
        load_sqlite(&from, &to, &[("t", "b > 1")]).unwrap();
        let loaded: Vec<(String, i64, String)> = Connection::open(&to)
            .unwrap()
            .prepare("SELECT a, b, c FROM t")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(loaded, [("b".to_owned(), 2, "x".to_owned())]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
