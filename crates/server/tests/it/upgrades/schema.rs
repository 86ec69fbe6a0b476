//! Whichever release made a database, it ends with the same schema.

use testkit::{Database, DatabaseKind, on_both};

use super::release::Release;

on_both!(
    a_migrated_database_has_the_schema_of_a_fresh_one,
    a_database_that_a_newer_release_needs_is_refused,
);

const SQLITE: &str = "SELECT t.name || ' ' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || \
    COALESCE(c.dflt_value, '') || ' ' || c.pk AS line FROM sqlite_master t, pragma_table_info(t.name) c \
    WHERE t.type = 'table' UNION ALL SELECT replace(replace(sql, char(10), ''), ' ', '') FROM sqlite_master \
    WHERE sql IS NOT NULL ORDER BY 1";

const POSTGRES: &str = "SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || \
    COALESCE(column_default, '') || ' ' || COALESCE(collation_name, '') AS line FROM information_schema.columns \
    WHERE table_schema = current_schema() \
    UNION ALL SELECT replace(indexdef, current_schema() || '.', '') FROM pg_indexes \
    WHERE schemaname = current_schema() \
    UNION ALL SELECT r.relname || ' ' || pg_get_constraintdef(c.oid) FROM pg_constraint c \
    JOIN pg_class r ON r.oid = c.conrelid WHERE c.connamespace = current_schema()::regnamespace ORDER BY 1";

fn schema(database: &Database) -> Vec<String> {
    database.lines(if database.kind == DatabaseKind::Sqlite { SQLITE } else { POSTGRES })
}

fn a_migrated_database_has_the_schema_of_a_fresh_one(kind: DatabaseKind) {
    let fresh = schema(&Database::fresh(kind));
    assert!(fresh.len() > 200, "{fresh:?}");
    for release in Release::every(kind) {
        let database = release.database();
        let _ = database.migrate();
        assert_eq!(database.migrate(), [""; 0], "once is enough");
        assert_eq!(schema(&database), fresh, "{}", release.folder.display());
        assert_eq!(database.violations(), [""; 0]);
    }
}

/// Migrations that only add leave older programs at work; one that takes away says so.
fn a_database_that_a_newer_release_needs_is_refused(kind: DatabaseKind) {
    let database = Database::fresh(kind);
    database.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('29991231000001')");
    assert!(store::Store::open(&database.settings()).is_ok(), "it only adds");
    assert_eq!(store::migrate(&database.settings()).unwrap(), [""; 0]);
    database.execute("UPDATE supported_programs SET migration = '29991231000001'");
    let refused = store::migrate(&database.settings()).unwrap_err().to_string();
    assert!(refused.contains("does not know migration 29991231000001"), "{refused}");
    let refused = store::Store::open(&database.settings()).err().unwrap().to_string();
    assert!(refused.contains("newer release"), "{refused}");
}
