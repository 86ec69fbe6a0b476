//! Everything reads as it did.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::release::{Release, assert_says};

on_both!(everything_reads_as_before, documents_and_the_feed_are_served,);

fn everything_reads_as_before(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let app = release.continued().start();
        for reading in release.readings() {
            let path = reading["path"].as_str().unwrap();
            let now = release.client_of(&app, reading).get(path).expect(200);
            if path.ends_with("/provider") && reading["body"]["provider"] == "sandbox" {
                // Accounts of before are live, and the sandbox stamps for none of them any more.
                assert!(now["provider"].is_null(), "{now}");
                continue;
            }
            assert_says(&now, &reading["body"], path);
        }
    }
}

fn documents_and_the_feed_are_served(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let app = release.continued().start();
        for reading in release.readings() {
            let (path, body) = (reading["path"].as_str().unwrap(), &reading["body"]);
            if !path.starts_with("/invoices/inv_") {
                continue;
            }
            let get = |what: &str| release.client_of(&app, reading).get(&format!("{path}/{what}"));
            assert!(get("pdf").text.starts_with("%PDF"), "{path}");
            if let Some(uuid) = body["uuid"].as_str() {
                assert!(get("xml").text.contains(uuid), "{path}");
            }
            if body["status"] == "cancelled" {
                assert!(get("cancellation-receipt").text.contains("Acuse"), "{path}");
            }
        }
        for merchant in release.merchants() {
            let client = merchant.client(&app);
            let (mut read, mut page) = (0, client.get("/events?limit=100").expect(200));
            let end = loop {
                let events = page["data"].as_array().unwrap().len();
                read += events;
                let cursor = page["nextCursor"].as_str().unwrap().to_owned();
                if events == 0 {
                    break cursor;
                }
                page = client.get(&format!("/events?limit=100&cursor={cursor}")).expect(200);
            };
            assert_eq!(read, events_of(&app, &merchant.account));
            // What happens now lies behind what the release has told.
            let made = client.post("/customers", &json!({"name": "Beto"})).expect(201);
            let page = client.get(&format!("/events?cursor={end}")).expect(200);
            let told: Vec<_> =
                page["data"].as_array().unwrap().iter().map(|event| &event["data"]["id"]).collect();
            assert_eq!(told, [&made["id"]]);
        }
    }
}

fn events_of(app: &testkit::App, account: &str) -> usize {
    let query = format!(
        "SELECT id AS line FROM events WHERE account_id = '{account}' AND name <> 'webhook.test'"
    );
    app.database.lines(&query).len()
}

/// So that a change of the journal's shape does not make these tests empty.
#[test]
fn a_release_has_one_of_everything() {
    for release in Release::every(DatabaseKind::Sqlite) {
        let has = |path: &str, wanted: &dyn Fn(&Value) -> bool| {
            let mut of_kind = release
                .readings()
                .iter()
                .filter(|reading| reading["path"].as_str().unwrap().starts_with(path));
            assert!(of_kind.any(|reading| wanted(&reading["body"])), "{path}");
        };
        for status in ["draft", "stamping", "stamped", "cancelled"] {
            has("/invoices/inv_", &|invoice| invoice["status"] == status);
        }
        for kind in ["I", "E", "P", "T"] {
            has("/invoices/inv_", &|invoice| invoice["type"] == kind);
        }
        has("/invoices/inv_", &|invoice| invoice["cancellation"]["status"] == "requested");
        for status in ["pending", "paid", "shipped", "delivered", "cancelled"] {
            has("/orders/ord_", &|order| order["status"] == status);
        }
        for status in ["new", "contacted", "qualified", "converted", "lost"] {
            has("/crm/leads/lead_", &|lead| lead["status"] == status);
        }
        for state in ["attempting", "delivered", "failed"] {
            has("/webhooks/whk_", &|page| page.to_string().contains(&format!("\"{state}\"")));
        }
        assert!(release.kept().len() > 50);
    }
}
