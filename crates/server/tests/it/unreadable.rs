//! A row that cannot be read, because it is damaged or a newer release wrote it, keeps nobody from the others.

mod answers;
mod feeds;
mod lists;

use testkit::App;

/// What a newer release might have written.
const NEWER: &str = r#"{"v":99,"shape":"of tomorrow"}"#;

/// Puts what cannot be read into a column of one row, and answers what was there.
fn damage(app: &App, table: &str, column: &str, id: &str) -> String {
    let sound = format!("SELECT COALESCE({column}, '') AS line FROM {table} WHERE id = '{id}'");
    let sound = app.database.lines(&sound).pop().expect("the row is there");
    // Any name may stand in metadata: it has no version.
    set(app, table, column, id, if column == "metadata" { "damaged" } else { NEWER });
    sound
}

/// Puts a text into a column of one row.
fn set(app: &App, table: &str, column: &str, id: &str, text: &str) {
    app.database.execute(&format!("UPDATE {table} SET {column} = '{text}' WHERE id = '{id}'"));
}

/// How many rows the service has left out so far.
fn left_out(app: &App) -> f64 {
    app.gauge("store_unreadable_rows_total")
}
