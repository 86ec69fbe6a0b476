use super::super::{schema::Schema, sql::statements};
use super::*;

const RELEASE: &str = "
    CREATE TABLE parents (id TEXT NOT NULL PRIMARY KEY, name TEXT) STRICT;
    CREATE TABLE t (
        account_id TEXT COLLATE \"C\" NOT NULL,
        id         TEXT NOT NULL,
        status     TEXT NOT NULL CHECK (status IN ('new', 'old')),
        note       TEXT,
        count      BIGINT NOT NULL DEFAULT 0 CHECK (count >= 0),
        PRIMARY KEY (account_id, id),
        CHECK ((note IS NULL) = (status = 'new'))
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE t ADD COLUMN later BIGINT;";

/// What is wrong with a migration, as `thing: complaint`.
fn found(migration: &str) -> Vec<String> {
    let mut left = Schema::default();
    statements(RELEASE).iter().for_each(|statement| left.apply(statement));
    let found = complaints(&left, &mut left.clone(), &statements(migration));
    found.iter().map(|complaint| format!("{}: {}", complaint.of, complaint.what)).collect()
}

#[track_caller]
fn assert_refused(migration: &str, expected: &str) {
    let found = found(migration);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with(expected), "{found:?}");
}

#[test]
fn what_is_added_beside_passes() {
    for migration in [
        "CREATE TABLE n (id TEXT NOT NULL); DROP TABLE n; CREATE UNIQUE INDEX i ON n (id);",
        "ALTER TABLE t ADD COLUMN more TEXT",
        "ALTER TABLE t ADD COLUMN more TEXT NOT NULL DEFAULT '' CHECK (more <> 'x'), ADD less BIGINT",
        "ALTER TABLE t ADD COLUMN parent TEXT REFERENCES parents (id)",
        "CREATE INDEX i ON t (status); DROP INDEX i;",
        "ALTER TABLE t ADD COLUMN code TEXT; CREATE UNIQUE INDEX i ON t (account_id, code) WHERE code IS NOT NULL",
        "ALTER TABLE t ALTER COLUMN status DROP NOT NULL, ALTER count SET DEFAULT 1",
        "ALTER TABLE t DROP CONSTRAINT t_status_check, \
         ADD CONSTRAINT t_status_check CHECK (status IN ('old', 'new', 'lost'))",
        "UPDATE t SET later = 1; INSERT INTO t SELECT * FROM t; DELETE FROM t",
        "-- DROP TABLE t;\nSELECT 'DROP TABLE t'",
    ] {
        assert_eq!(found(migration), [""; 0], "{migration}");
    }
}

#[test]
fn a_key_with_more_columns_or_of_fewer_rows_passes() {
    let more = "ALTER TABLE t ADD COLUMN more TEXT NOT NULL DEFAULT '';";
    for migration in [
        "CREATE UNIQUE INDEX i ON t (id, account_id)",
        "CREATE UNIQUE INDEX i ON t (account_id, status, id) WHERE status = 'new'",
        "ALTER TABLE t DROP CONSTRAINT t_pkey; ALTER TABLE t ADD PRIMARY KEY (account_id, id, more)",
    ] {
        assert_eq!(found(&format!("{more}{migration}")), [""; 0], "{migration}");
    }
    for migration in ["(account_id, note)", "(account_id) WHERE note = 'x'", "(id, note)"] {
        assert_refused(&format!("CREATE UNIQUE INDEX i ON t {migration}"), "t: narrows");
    }
    let mut left = Schema::default();
    let release = format!("{RELEASE} CREATE UNIQUE INDEX i ON t (note) WHERE status = 'new';");
    statements(&release).iter().for_each(|statement| left.apply(statement));
    for (condition, is_met) in
        [("status = 'new'", true), ("status = 'old'", false), ("note IS NOT NULL", false)]
    {
        let migration = format!("CREATE UNIQUE INDEX j ON t (note, count) WHERE {condition}");
        let found = complaints(&left, &mut left.clone(), &statements(&migration));
        assert_eq!(found.is_empty(), is_met, "{condition}");
    }
}

#[test]
fn what_is_taken_away_is_refused() {
    assert_refused("DROP TABLE t", "t: drops a table");
    assert_refused("DROP TABLE IF EXISTS n, t CASCADE", "t: drops a table");
    assert_refused("ALTER TABLE t RENAME TO u", "t: renames a table");
    assert_refused("ALTER TABLE t DROP COLUMN note", "t.note: drops a column");
    assert_refused("alter table \"t\" drop later", "t.later: drops a column");
    assert_refused("ALTER TABLE t RENAME note TO notes", "t.note: renames a column");
    assert_refused("ALTER TABLE IF EXISTS ONLY t RENAME COLUMN note TO n", "t.note: renames");
}

#[test]
fn what_is_narrowed_is_refused() {
    assert_refused("ALTER TABLE t ADD COLUMN more TEXT NOT NULL", "t.more: adds a column");
    assert_refused("ALTER TABLE t ADD more TEXT NOT NULL DEFAULT NULL", "t.more: adds a column");
    assert_refused("ALTER TABLE t ALTER COLUMN note SET NOT NULL", "t.note: adds NOT NULL");
    assert_refused("ALTER TABLE t ALTER note TYPE BIGINT", "t.note: changes the type");
    assert_refused("ALTER TABLE t ALTER count DROP DEFAULT", "t.count: drops a default");
    assert_refused("ALTER TABLE t ADD CHECK (count > 5)", "t: narrows");
    assert_refused("ALTER TABLE t ADD CONSTRAINT c UNIQUE (note)", "t: narrows");
    assert_refused("ALTER TABLE t ADD FOREIGN KEY (note) REFERENCES parents (id)", "t: narrows");
    assert_refused("CREATE UNIQUE INDEX i ON t (account_id, note)", "t: narrows");
    assert_refused("ALTER TABLE t ADD CONSTRAINT c CHECK (status IN ('new'))", "t: narrows");
    assert_refused("ALTER TABLE t ADD COLUMN code TEXT DEFAULT 'x' UNIQUE", "t: narrows");
    let two_steps =
        "ALTER TABLE t ADD COLUMN more TEXT; ALTER TABLE t ALTER COLUMN more SET NOT NULL";
    assert_refused(two_steps, "t: adds NOT NULL");
}

/// A rebuild of `t` whose definition is that of the release but for one change.
fn rebuild(from: &str, to: &str) -> String {
    let start = RELEASE.find("CREATE TABLE t").unwrap();
    let end = RELEASE.find("ALTER").unwrap();
    let definition = RELEASE[start..end].replace("count >= 0),", "count >= 0),\n later BIGINT,");
    let changed = definition.replace(from, to).replace("TABLE t", "TABLE t_new");
    format!(
        "{changed} INSERT INTO t_new SELECT * FROM t; DROP TABLE t; ALTER TABLE t_new RENAME TO t;"
    )
}

#[test]
fn a_rebuilt_table_is_compared() {
    assert_eq!(found(&rebuild("x", "x")), [""; 0]);
    assert_eq!(found(&rebuild("('new', 'old')", "('new', 'old', 'lost')")), [""; 0]);
    let one_first = |list: &str| {
        rebuild("status IN ('new', 'old')", &format!("status = 'old' OR status IN ({list})"))
    };
    assert_eq!(found(&one_first("'new', 'old', 'lost'")), [""; 0]);
    assert_eq!(found(&one_first("'new'")), [""; 0]);
    assert_refused(&one_first("'old'"), "t: narrows");
    assert_eq!(found(&rebuild("count >= 0", "count >= 0 OR later > 0")), [""; 0]);
    assert_eq!(
        found(&rebuild("later BIGINT,", "later BIGINT, more TEXT NOT NULL DEFAULT '',")),
        [""; 0]
    );
    assert_refused(&rebuild("note       TEXT,", ""), "t.note: drops a column");
    assert_refused(&rebuild("note       TEXT", "note TEXT NOT NULL"), "t.note: adds NOT NULL");
    assert_refused(&rebuild("note       TEXT", "note BIGINT"), "t.note: changes the type");
    assert_refused(&rebuild("DEFAULT 0", ""), "t.count: drops a default");
    assert_refused(&rebuild("count >= 0", "count > 0"), "t: narrows");
    assert_refused(&rebuild("('new', 'old')", "('new')"), "t: narrows");
    assert_refused(&rebuild("later BIGINT,", "later BIGINT, UNIQUE (note),"), "t: narrows");
    let unfinished = rebuild("x", "x").replace("ALTER TABLE t_new RENAME TO t;", "");
    assert_refused(&unfinished, "t: drops a table");
}
