//! Databases with the current schema that are made once and copied for each test: migrating takes longer than most
//! tests do.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{Database, DatabaseKind, postgres::Server};

/// The folder of what the tests of a run share, if they have one.
const FOLDER: &str = "TRASTIENDA_TEST_FOLDER";

/// Names the schema, so that what another version of it has left is not copied.
const SCHEMA: &str = env!("MIGRATIONS_DIGEST");

/// A file to copy, if there is a folder to keep it in.
pub(super) fn file() -> Option<PathBuf> {
    let folder = env::var_os(FOLDER)?;
    let file = Path::new(&folder).join(format!("{SCHEMA}.db"));
    if !file.exists() {
        // Every process that finds none makes one. It is put in its place whole, whichever is the last.
        let database = Database::empty(DatabaseKind::Sqlite);
        let _ = database.migrate();
        let made = database.file().expect("a file");
        assert!(!made.with_extension("db-wal").exists(), "all is in the file");
        let copy = Path::new(&folder).join(format!("{}.db", ulid::Ulid::generate()));
        fs::copy(made, &copy).expect("the folder can be written to");
        fs::rename(copy, &file).expect("the folder can be written to");
    }
    Some(file)
}

/// The name of a database on a server, to copy. It stays there for later runs, one for each version of the schema.
pub(super) fn on(server: &mut Server) -> String {
    let template = format!("trastienda_{SCHEMA}");
    if !server.has(&template) {
        // Every process that finds none makes one, and the first to be ready gives its own the name.
        let database = Database::empty(DatabaseKind::Postgres);
        let _ = database.migrate();
        server.rename(database.name().expect("a name"), &template);
    }
    template
}
