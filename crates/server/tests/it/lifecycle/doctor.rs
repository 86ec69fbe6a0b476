//! `doctor`: what it finds right and wrong.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::program::{Said, Site};
use crate::invoices::office::Office;

on_both!(what_is_wrong_is_found_and_the_rest_is_well);

/// The key that secrets of the test's database are sealed with, 32 times 7.
const MASTER_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
/// 32 times 8.
const ANOTHER_KEY: &str = "CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg=";
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

fn examined(office: &Office, key: &str) -> Said {
    let site = Site::bare();
    let mut command = site.command(&["doctor"]);
    command.env("TRASTIENDA_DATABASE_URL", &office.app.database.url);
    command.env("TRASTIENDA_MASTER_KEY", key);
    Said::by(command)
}

fn what_is_wrong_is_found_and_the_rest_is_well(kind: DatabaseKind) {
    let office = Office::open(kind);
    let hook = json!({"url": "https://example.com/a", "events": ["product.created"]});
    let _ = office.client.post("/webhooks", &hook).expect(201);
    let well = examined(&office, MASTER_KEY);
    assert_eq!(well.code, Some(0), "{}{}", well.out, well.err);
    let warned: Vec<_> = well.out.lines().filter(|line| !line.starts_with("ok ")).collect();
    assert!(matches!(warned[..], [mail] if mail.starts_with("warning  mail ")), "{}", well.out);
    for subject in ["database", "schema", "master key", "stock", "credits", "counters", "tasks"] {
        assert!(well.out.contains(&format!("ok       {subject} ")), "{subject}: {}", well.out);
    }

    let database = &office.app.database;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
    let now = i64::try_from(now).unwrap();
    let ends = |at: i64| format!("UPDATE issuer_certificates SET valid_until = {at}");
    let credits =
        |change: i64| format!("UPDATE credit_balances SET available = available + {change}");
    let version = |from: char, to: char| {
        format!(
            "UPDATE __diesel_schema_migrations SET version = replace(version, '{from}', '{to}') \
             WHERE version LIKE '%000008' OR version LIKE '%xxxxx8'"
        )
    };
    let counter =
        "INSERT INTO counters (account_id, name, value) SELECT id, 'customers', 3 FROM accounts";
    for (broken, mended, wanted) in [
        (credits(1), credits(-1), "failure  credits "),
        (
            counter.to_owned(),
            "DELETE FROM counters WHERE name = 'customers'".to_owned(),
            "failure  counters ",
        ),
        (
            "UPDATE accounts SET commits_stock = FALSE".to_owned(),
            "UPDATE accounts SET commits_stock = TRUE".to_owned(),
            "warning  upgrade ",
        ),
        (
            // It waits for somebody who can read it.
            "INSERT INTO backlogs SELECT account_id, id, 1, '', 0, '', 0, 0, NULL, 0 FROM subscriptions"
                .to_owned(),
            "DELETE FROM backlogs".to_owned(),
            "warning  deliveries ",
        ),
        (ends(now + 10 * DAY), ends(now + 100 * DAY), "warning  certificates "),
        (ends(now - DAY), ends(now + 100 * DAY), "failure  certificates "),
        (version('0', 'x'), version('x', '0'), "failure  schema "),
    ] {
        database.execute(&broken);
        let found = examined(&office, MASTER_KEY);
        assert!(found.out.contains(wanted), "{wanted}: {}{}", found.out, found.err);
        let fails = wanted.starts_with("failure");
        assert_eq!(found.code, Some(i32::from(fails)), "{}", found.err);
        assert_eq!(found.err.contains("there is 1 failure"), fails, "{}", found.err);
        database.execute(&mended);
        assert_eq!(examined(&office, MASTER_KEY).out, well.out);
    }
    if kind == DatabaseKind::Postgres {
        // Where a node of an older release has written behind the counter.
        database.execute(
            "INSERT INTO events (account_id, id, name, entity_id, body, created_at, position) \
             SELECT id, 'evt_1', 'contact.created', 'cus_1', '{}', 1, 1000000 FROM accounts",
        );
        database.execute("INSERT INTO counters SELECT id, 'events', 1 FROM accounts");
        let found = examined(&office, MASTER_KEY);
        assert!(found.out.contains("failure  counters "), "{}{}", found.out, found.err);
        database.execute("DELETE FROM events WHERE id = 'evt_1'");
        database.execute("DELETE FROM counters WHERE name = 'events'");
    }
}

#[test]
fn another_key_and_a_damaged_file_are_found() {
    let office = Office::open(DatabaseKind::Sqlite);
    let locked_out = examined(&office, ANOTHER_KEY);
    assert!(locked_out.out.contains("failure  master key    does not open "), "{}", locked_out.out);

    let site = Site::bare();
    let none = site.run(&["doctor"]);
    assert_eq!(none.code, Some(1));
    assert!(none.out.contains("failure  database      there is no database at"), "{}", none.out);
}
