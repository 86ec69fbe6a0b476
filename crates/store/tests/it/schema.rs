//! Both schemas say the same.

use std::{thread, time::Duration};

use diesel::{
    Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query,
    sql_types::Text,
};
use testkit::{Database, DatabaseKind};

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

/// What SQLite keeps beside its index of search terms has no like on PostgreSQL, whose index of them is one of an
/// expression.
///
/// Columns as `table.column class nullability`; booleans are integers on SQLite, so both count as `number`.
const SQLITE_COLUMNS: &str = "SELECT t.name || '.' || c.name || ' ' || \
    CASE c.type WHEN 'TEXT' THEN 'text' WHEN 'INTEGER' THEN 'number' WHEN 'BLOB' THEN 'bytea' ELSE c.type END || \
    CASE WHEN c.\"notnull\" = 1 THEN ' not null' ELSE '' END AS line \
    FROM pragma_table_list t, pragma_table_info(t.name) c \
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND t.name <> 'search_rows'";
const POSTGRES_COLUMNS: &str = "SELECT table_name || '.' || column_name || ' ' || \
    CASE data_type WHEN 'text' THEN 'text' WHEN 'bigint' THEN 'number' WHEN 'boolean' THEN 'number' ELSE data_type END || \
    CASE WHEN is_nullable = 'NO' THEN ' not null' ELSE '' END AS line \
    FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE '\\_\\_%'";

/// Indexes and primary keys as `table (columns) uniqueness`.
const SQLITE_INDEXES: &str = "SELECT t.name || ' (' || (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) || ')' || \
    CASE WHEN i.\"unique\" = 1 THEN ' unique' ELSE '' END AS line \
    FROM pragma_table_list t, pragma_index_list(t.name) i \
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE '\\_\\_%' ESCAPE '\\' AND t.name <> 'search_rows'";
const POSTGRES_INDEXES: &str = "SELECT t.relname || ' (' || \
    (SELECT string_agg(a.attname, ',' ORDER BY k.ord) FROM unnest(x.indkey) WITH ORDINALITY k (num, ord) \
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.num) || ')' || \
    CASE WHEN x.indisunique THEN ' unique' ELSE '' END AS line \
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace \
    WHERE n.nspname = current_schema() AND t.relname NOT LIKE '\\_\\_%' AND x.indexprs IS NULL";

fn lines(database: &Database, sqlite: &str, postgres: &str) -> Vec<String> {
    let rows: Vec<Line> = match database.kind {
        DatabaseKind::Sqlite => {
            let path = database.url.strip_prefix("sqlite://").unwrap();
            sql_query(sqlite).load(&mut SqliteConnection::establish(path).unwrap()).unwrap()
        }
        DatabaseKind::Postgres => {
            sql_query(postgres).load(&mut PgConnection::establish(&database.url).unwrap()).unwrap()
        }
    };
    let mut lines: Vec<_> = rows.into_iter().map(|row| row.line).collect();
    lines.sort();
    lines
}

#[test]
fn both_databases_have_the_same_columns_keys_and_indexes() {
    let (sqlite, postgres) =
        (Database::fresh(DatabaseKind::Sqlite), Database::fresh(DatabaseKind::Postgres));
    let columns = |database| lines(database, SQLITE_COLUMNS, POSTGRES_COLUMNS);
    assert!(columns(&sqlite).len() > 100, "{:?}", columns(&sqlite));
    assert_eq!(columns(&sqlite), columns(&postgres));
    let indexes = |database| lines(database, SQLITE_INDEXES, POSTGRES_INDEXES);
    assert_eq!(indexes(&sqlite), indexes(&postgres));
}

#[test]
fn every_key_and_index_starts_with_the_account() {
    let indexes = lines(&Database::fresh(DatabaseKind::Postgres), SQLITE_INDEXES, POSTGRES_INDEXES);
    let known = [
        "accounts (id) unique",
        "accounts (slug) unique",
        "accounts (test_of) unique",
        "api_keys (digest) unique",
        "api_keys (previous_digest) unique",
        "backlogs (turn)",
        "invitations (digest) unique",
        "links (digest) unique",
        "master_key_canary (id) unique",
        "memberships (user_id,account_id)",
        "sandbox_identity (id) unique",
        "sign_in_failures (name) unique",
        "supported_programs (id) unique",
        "tasks (due_at,account_id)",
        "turns (name) unique",
        "user_links (digest) unique",
        "user_links (id) unique",
        "user_networks (user_id,network) unique",
        "user_recovery_codes (user_id,digest) unique",
        "user_sessions (digest) unique",
        "user_sessions (id) unique",
        "user_sessions (user_id,id)",
        "users (email) unique",
        "users (id) unique",
    ];
    let others: Vec<_> = indexes
        .iter()
        .filter(|line| !line.contains("(account_id"))
        .filter(|line| !known.contains(&line.as_str()))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn text_that_is_compared_is_collated_bytewise() {
    let uncollated = "SELECT c.table_name || '.' || c.column_name AS line FROM information_schema.columns c \
        WHERE c.table_schema = current_schema() AND c.data_type = 'text' AND c.collation_name IS DISTINCT FROM 'C' \
        AND EXISTS (SELECT 1 FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid \
        JOIN pg_namespace n ON n.oid = t.relnamespace AND n.nspname = current_schema() \
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (x.indkey) \
        WHERE t.relname = c.table_name AND a.attname = c.column_name AND t.relname NOT LIKE '\\_\\_%')";
    // Compared for equality alone, which no collation changes.
    let equal = [
        "approvals.status",
        "audit_entries.actor",
        "deals.owner_id",
        "events.entity_id",
        "invoices.cancellation_status",
        "invoices.currency",
        "invoices.receiver_rfc",
        "issuer_certificates.rfc",
        "leads.owner_id",
        "leads.source",
        "orders.fulfillment_status",
        "products.status",
        "stock_counts.status",
        "stock_movements.reason",
        "transfers.status",
    ];
    assert_eq!(lines(&Database::fresh(DatabaseKind::Postgres), "", uncollated), equal);
}

/// Every search of any account reads what such an index has not taken in yet, and a write waits while it takes that in.
#[test]
fn indexes_of_words_leave_little_to_be_taken_in() {
    let unbounded = "SELECT c.relname AS line FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid \
        JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema() \
        JOIN pg_am a ON a.oid = c.relam AND a.amname = 'gin' \
        WHERE NOT 'gin_pending_list_limit=256' = ANY (COALESCE(c.reloptions, '{}'))";
    assert_eq!(lines(&Database::fresh(DatabaseKind::Postgres), "", unbounded), [""; 0]);
}

#[test]
fn migrating_again_changes_nothing() {
    for kind in [DatabaseKind::Sqlite, DatabaseKind::Postgres] {
        assert_eq!(store::migrate(&Database::fresh(kind).settings()).unwrap(), [""; 0]);
    }
}

/// A node that starts while another one migrates waits for it, however long that takes.
#[test]
fn migrating_waits_for_whoever_migrates() {
    let database = Database::fresh(DatabaseKind::Postgres);
    let mut other = PgConnection::establish(&database.url).unwrap();
    let lock = |conn: &mut PgConnection, call: &str| {
        sql_query(format!("SELECT {call}(7278478436)")).execute(conn).unwrap();
    };
    lock(&mut other, "pg_advisory_lock");
    let impatient =
        store::Settings { statement_timeout: Duration::from_millis(100), ..database.settings() };
    let waiting = thread::spawn(move || store::migrate(&impatient));
    thread::sleep(Duration::from_millis(500));
    assert!(!waiting.is_finished());
    lock(&mut other, "pg_advisory_unlock");
    assert_eq!(waiting.join().unwrap().unwrap(), [""; 0]);
}
