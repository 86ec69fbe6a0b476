//! PostgreSQL with messages in Spanish, as a Mexican server has them: nothing may be decided by their text.

use std::cell::Cell;

use diesel::{Connection, PgConnection, RunQueryDsl, connection::Instrumentation, sql_query};

use crate::database::{server_url, with_options};

/// The setting of a session, as a part of a URL.
const OPTION: &str = "-clc_messages%3Des_MX.UTF-8";

thread_local! {
    static WANTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a test whose databases on PostgreSQL answer in Spanish. Says so and runs nothing where the server
/// cannot; `cargo xtask test` makes one that can.
pub fn in_spanish(test: impl FnOnce()) {
    if !is_spoken() {
        eprintln!(
            "SKIPPED: this PostgreSQL has no messages in Spanish (lc_messages = 'es_MX.UTF-8')"
        );
        return;
    }
    WANTED.set(true);
    test();
    WANTED.set(false);
}

/// What a database of this thread adds to the options in its URL.
pub(crate) fn option() -> String {
    if WANTED.get() { format!("%20{OPTION}") } else { String::new() }
}

/// Whether the server words a refusal otherwise with the setting than without.
fn is_spoken() -> bool {
    let plain = refusal("-clc_messages%3DC");
    let worded = refusal(OPTION);
    worded.is_some() && worded != plain
}

fn refusal(option: &str) -> Option<String> {
    let mut conn = PgConnection::establish(&with_options(&server_url(), option)).ok()?;
    conn.set_instrumentation(None::<Box<dyn Instrumentation>>);
    let refused = sql_query("SELECT 1 / 0").execute(&mut conn);
    Some(refused.expect_err("nothing is divided by zero").to_string())
}
