//! Who migrates the database, and what becomes of one that takes no writes.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::program::{Site, stocked};

on_both!(a_service_that_shall_not_migrate_refuses_what_lacks_a_migration,);

fn a_service_that_shall_not_migrate_refuses_what_lacks_a_migration(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (_, key) = site.account_and_key();
    let server = site.serve(&["--migrate", "false"]);
    assert_eq!(server.ask(&key, "GET", "/products", None).status, 200);
    drop(server);
    let database = site.database.as_ref().unwrap();
    database.execute(
        "DELETE FROM __diesel_schema_migrations WHERE version = \
         (SELECT MAX(version) FROM __diesel_schema_migrations)",
    );
    let versions = "SELECT version AS line FROM __diesel_schema_migrations ORDER BY version";
    let before = database.lines(versions);
    let refused = site.run(&["serve", "--migrate", "false", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("trastienda migrate"), "{}", refused.err);
    assert_eq!(database.lines(versions), before, "nothing was applied");
}

#[test]
fn a_file_that_is_not_there_is_not_made() {
    let site = Site::bare();
    let refused = site.run(&["serve", "--migrate", "false", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(!site.folder.path().join("data/trastienda.db").exists());
}

/// As a standby, or a primary that was taken out of service.
#[test]
fn a_database_that_takes_no_writes_is_read_and_unavailable_for_the_rest() {
    let site = Site::new(DatabaseKind::Postgres);
    let (_, key) = site.account_and_key();
    let url = &site.database.as_ref().unwrap().url;
    let first = site.serve(&[]);
    let (order, product) = stocked(&first, &key, 3);
    drop(first);
    // The options of the session are the last thing in the URL of a test's database.
    let read_only = format!("{url}%20-cdefault_transaction_read_only%3Don");
    let server = site.serve(&["--migrate", "false", "--database-url", &read_only]);
    let page = server.ask(&key, "GET", "/products", None);
    assert_eq!((page.status, &page.json()["total"]), (200, &json!(1)), "{}", page.text);
    let path = format!("/products/{product}");
    for (method, path, body) in [
        ("POST", "/customers", json!({"name": "Eva"})),
        ("PATCH", path.as_str(), json!({"name": "Vaso"})),
        ("POST", "/orders", order),
    ] {
        let answer = server.ask(&key, method, path, Some(&body));
        assert_eq!(answer.status, 503, "{path}: {}", answer.text);
    }
    let product = server.ask(&key, "GET", &path, None).json();
    assert_eq!((&product["name"], &product["inventory"]), (&json!("Taza"), &json!(3)));
}
