//! Writes out what a merchant's database looks like as this release leaves it, for the upgrade tests of the
//! releases to come. `cargo xtask release-data` runs it.
//!
//! `release_data FOLDER` writes, for both databases, the database as SQL and what its merchants know of it as
//! JSON. `release_data --statements RECORDS FOLDER` puts records of statements in order.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a tool of the tests fails loudly, at the line that is wrong"
)]

mod approvals;
mod audience;
mod dump;
mod journal;
mod merchant;
mod office;
mod shop;
mod stock;
mod story;

use std::{env, fs, path::Path};

use testkit::{DatabaseKind, statements};

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--statements", records, folder] => put_in_order(Path::new(records), Path::new(folder)),
        [folder] => DatabaseKind::EVERY.iter().for_each(|kind| write_out(*kind, Path::new(folder))),
        _ => panic!("release_data FOLDER, or release_data --statements RECORDS FOLDER"),
    }
}

fn write_out(kind: DatabaseKind, folder: &Path) {
    let (database, journal) = story::tell(kind);
    let write = |ending: &str, text: String| {
        let path = folder.join(format!("{}.{ending}", kind.name()));
        fs::write(path, text).expect("the folder can be written to");
    };
    write("sql", dump::dump(&database));
    write("json", journal.to_string());
}

fn put_in_order(records: &Path, folder: &Path) {
    for kind in DatabaseKind::EVERY {
        let record = records.join(format!("{}.sql", kind.name()));
        let record = fs::read_to_string(record).expect("statements were recorded");
        let path = folder.join(format!("statements.{}.sql", kind.name()));
        let merged = statements::merged(&record);
        // Only readers and lanes of the service have to do with these.
        for table in ["orders", "idempotency_answers"] {
            assert!(merged.contains(table), "no statement about {table} was recorded on {kind:?}");
        }
        fs::write(path, merged).expect("the folder can be written to");
    }
}
