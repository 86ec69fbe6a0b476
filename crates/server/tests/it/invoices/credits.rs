//! Credits: what there is, and the ledger of how it came to be.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

use super::office::{Office, id, is_moment};

on_both!(
    an_account_begins_without_credits,
    the_ledger_tells_every_change,
    the_ledger_is_filtered_and_paged,
    wrong_filters_of_the_ledger_are_named,
);

fn an_account_begins_without_credits(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let client = app.client_of(account, "invoices");
    let none = json!({"available": 0, "reserved": 0, "stampCost": 10});
    assert_eq!(client.get("/credits").expect(200), none);
    assert_eq!(client.get("/credits/ledger").expect(200)["total"], 0);
    app.grant(account, 25);
    app.grant(account, 5);
    let thirty = json!({"available": 30, "reserved": 0, "stampCost": 10});
    assert_eq!(client.get("/credits").expect(200), thirty);
    let _ = app.client_of(account, "orders").get("/credits").refused(403, "insufficient_scope");
    assert_eq!(app.client().get("/credits").expect(200), none, "another account's are its own");
}

/// Kind and amount of each entry of a ledger, newest first.
#[track_caller]
fn entries(office: &Office, query: &str) -> Vec<(String, i64)> {
    let page = office.client.get(&format!("/credits/ledger?{query}")).expect(200);
    let entry = |entry: &Value| {
        assert!(is_moment(&entry["createdAt"]), "{entry}");
        (entry["kind"].as_str().unwrap().to_owned(), entry["amount"].as_i64().unwrap())
    };
    page["data"].as_array().unwrap().iter().map(entry).collect()
}

fn entry(kind: &str, amount: i64) -> (String, i64) {
    (kind.to_owned(), amount)
}

fn the_ledger_tells_every_change(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = office.sale(116.0);
    let _ = office.stamp(&stamped).expect(200);
    office.simulate("unavailable", "accept");
    let refused = office.sale(116.0);
    let _ = office.stamp(&refused).refused(502, "provider_error");
    let expected = [
        entry("release", 10),
        entry("reserve", -10),
        entry("commit", 0),
        entry("reserve", -10),
        entry("grant", 1_000),
    ];
    assert_eq!(entries(&office, ""), expected);
    let sum: i64 = expected.iter().map(|(_, amount)| amount).sum();
    assert_eq!(office.credits(), (sum, 0));
    let newest = office.client.get("/credits/ledger?limit=1").expect(200);
    assert_eq!(newest["data"][0]["invoiceId"], json!(refused));
    assert!(newest["data"][0]["id"].as_str().unwrap().starts_with("cre_"));
}

fn the_ledger_is_filtered_and_paged(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoices: Vec<String> = (0..3).map(|_| id(&office.stamped_sale(116.0))).collect();
    let (reserve, commit) = (entry("reserve", -10), entry("commit", 0));
    assert_eq!(entries(&office, "kind=grant"), [entry("grant", 1_000)]);
    assert_eq!(entries(&office, "kind=commit").len(), 3);
    assert_eq!(entries(&office, "kind=release"), []);
    let about = format!("invoiceId={}", invoices[1]);
    assert_eq!(entries(&office, &about), [commit, reserve.clone()]);
    assert_eq!(entries(&office, &format!("{about}&kind=reserve")), [reserve]);
    let (mut walked, mut query) = (Vec::new(), "limit=2".to_owned());
    loop {
        let page = office.client.get(&format!("/credits/ledger?{query}")).expect(200);
        assert_eq!(page["total"], 7);
        walked.extend(page["data"].as_array().unwrap().iter().map(id));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("limit=2&cursor={cursor}");
    }
    let all = office.client.get("/credits/ledger").expect(200);
    let all: Vec<String> = all["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(walked, all);
    assert_eq!(entries(&office, "page=4&limit=2").len(), 1);
}

fn wrong_filters_of_the_ledger_are_named(kind: DatabaseKind) {
    let office = Office::open(kind);
    for query in ["kind=gift", "invoiceId=1", "invoiceId=ord_1", "limit=0", "cursor=x", "note=x"] {
        let refused = office.client.get(&format!("/credits/ledger?{query}"));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains(query.split('=').next().unwrap()), "{query}: {message}");
    }
    let nothing = "invoiceId=inv_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    assert_eq!(entries(&office, nothing), []);
}
