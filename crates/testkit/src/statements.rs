//! Which statements a program runs: recorded as it runs them, one of each shape.
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
    sync::{Mutex, OnceLock, PoisonError},
};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

use shape::Shape;

/// The variable that asks for it.
pub const ASKED: &str = "TRASTIENDA_RECORD_STATEMENTS";

const POSTGRES: &str = "postgres.sql";
const SQLITE: &str = "sqlite.sql";

static FOLDER: OnceLock<Option<String>> = OnceLock::new();
static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records from now on the statements of every new connection, if that is asked for.
pub fn record_if_asked() {
    let folder = FOLDER.get_or_init(|| std::env::var(ASKED).ok());
    if folder.is_some() {
        set_default_instrumentation(recorder).expect("statements can be recorded");
    }
}

/// One for each connection.
fn recorder() -> Option<Box<dyn Instrumentation>> {
    // Who hears nothing of the beginning was given to a connection that there was already: those that are watched, which are
    // PostgreSQL's.
    let mut file = POSTGRES;
    let record = move |event: InstrumentationEvent<'_>| match event {
        InstrumentationEvent::StartEstablishConnection { url, .. } => {
            file = if url.starts_with("postgres") { POSTGRES } else { SQLITE };
        }
        InstrumentationEvent::StartQuery { query, .. } => record(file, &query.to_string()),
        _ => {}
    };
    Some(Box::new(record))
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
