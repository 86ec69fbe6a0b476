//! Which statements a program runs: counted, and recorded as it runs them, one of each shape, if that is asked for.
//!
//! With `TRASTIENDA_RECORD_STATEMENTS=FOLDER` in the environment every statement of the service goes to
//! `FOLDER/sqlite.sql` or `FOLDER/postgres.sql`, a line each. Several processes may share the folder;
//! [`merged`] makes one list of what they wrote.

mod shape;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::OpenOptions,
    io::Write,
    path::Path,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

use shape::Shape;

/// The variable that asks for it.
pub const ASKED: &str = "TRASTIENDA_RECORD_STATEMENTS";

const POSTGRES: &str = "postgres.sql";
const SQLITE: &str = "sqlite.sql";

static FOLDER: OnceLock<Option<String>> = OnceLock::new();
static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
/// How many were run so far on each file.
static RUN: Mutex<BTreeMap<String, Arc<AtomicI64>>> = Mutex::new(BTreeMap::new());

/// Counts from now on the statements of every new connection to a file, and records those of all, if that is asked for.
pub(crate) fn watch() {
    let _ = FOLDER.get_or_init(|| std::env::var(ASKED).ok());
    set_default_instrumentation(watcher).expect("statements can be watched");
}

/// How many statements were run on a file of SQLite, but for those that begin and end transactions.
pub(crate) fn run_on(file: &str) -> u64 {
    tally(file).load(Ordering::Relaxed).unsigned_abs()
}

fn tally(file: &str) -> Arc<AtomicI64> {
    let mut run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(run.entry(file.to_owned()).or_default())
}

/// One for each connection.
fn watcher() -> Option<Box<dyn Instrumentation>> {
    let is_recorded = FOLDER.get().is_some_and(Option::is_some);
    // Who hears nothing of the beginning was given to a connection that there was already: those that are watched, which are
    // PostgreSQL's.
    let mut run: Option<Arc<AtomicI64>> = None;
    let counted = |run: &Option<Arc<AtomicI64>>, count| {
        if let Some(run) = run {
            run.fetch_add(count, Ordering::Relaxed);
        }
    };
    let watch = move |event: InstrumentationEvent<'_>| match event {
        InstrumentationEvent::StartEstablishConnection { url, .. } => {
            run = (!url.starts_with("postgres")).then(|| tally(url));
        }
        InstrumentationEvent::StartQuery { query, .. } => {
            counted(&run, 1);
            if is_recorded {
                record(if run.is_some() { SQLITE } else { POSTGRES }, &query.to_string());
            }
        }
        // Told beside the statement that does it.
        InstrumentationEvent::BeginTransaction { .. }
        | InstrumentationEvent::CommitTransaction { .. }
        | InstrumentationEvent::RollbackTransaction { .. } => counted(&run, -1),
        _ => {}
    };
    Some(Box::new(watch))
}

/// Adds the shape of a statement to a record, unless this process has.
fn record(file: &str, query: &str) {
    let (text, values) = query.rsplit_once(" -- binds: ").unwrap_or((query, "[]"));
    let (Some(shape), Some(Some(folder))) = (Shape::of(text, values), FOLDER.get()) else { return };
    let line = format!("{shape}\n");
    if SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(format!("{file} {line}")) {
        let path = Path::new(folder).join(file);
        let file = OpenOptions::new().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.expect("the record can be written");
    }
}

/// The lines of a record in order, each statement once: what is known of a value's type is put together from
/// all its lines.
#[must_use]
pub fn merged(record: &str) -> String {
    let mut shapes: BTreeMap<String, Shape> = BTreeMap::new();
    for shape in record.lines().filter_map(Shape::parse) {
        let known = shapes.entry(shape.text.clone()).or_insert_with(|| shape.clone());
        known.learn(&shape);
    }
    shapes.values().map(|shape| format!("{shape}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_runs_know_is_put_together() {
        let record = "PREPARE s (unknown, bigint) AS SELECT $1, $2;\nSELECT 1;\n\
            PREPARE s (text, unknown) AS SELECT $1, $2;\nSELECT 1;\n";
        let expected = "PREPARE s (text, bigint) AS SELECT $1, $2;\nSELECT 1;\n";
        assert_eq!(merged(record), expected);
    }
}
