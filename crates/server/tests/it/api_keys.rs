//! API keys as a resource, and what of them is on record.

use std::sync::Arc;

use accounts::{ApiKeyError, ApiKeys, GrantApiKey, KeyMaker, NewApiKey, Scopes};
use kernel::{Actor, Ctx, Mode, Refused};
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use crate::{keys::assert_refused_soon, races::at_once};

on_both!(
    a_key_is_made_used_rotated_and_revoked,
    a_rotation_and_a_revocation_of_what_was_seen_do_not_both_win,
    a_key_grants_no_more_than_it_has,
    a_repeat_answers_the_same_text_and_keeps_none_in_clear,
    the_audit_log_says_who_did_what,
    a_live_key_makes_keys_of_the_test_account,
    it_is_known_when_a_key_was_used,
    the_text_of_before_and_revoked_keys_make_no_keys,
);

fn text_of(key: &Value) -> String {
    key["key"].as_str().unwrap().to_owned()
}

fn path_of(key: &Value) -> String {
    format!("/api-keys/{}", key["id"].as_str().unwrap())
}

fn products(client: &Client, key: &str) -> u16 {
    client.with_key(key).get("/products").status
}

fn a_key_is_made_used_rotated_and_revoked(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let wanted = json!({"name": "Web shop", "scopes": ["products"], "ratePerHour": 500});
    let made = client.post("/api-keys", &wanted).expect(201);
    let (first, path) = (text_of(&made), path_of(&made));
    assert!(first.ends_with(made["last4"].as_str().unwrap()), "{made}");
    assert_eq!((&made["scopes"], &made["mode"]), (&json!(["products"]), &json!("test")));
    assert_eq!(products(&client, &first), 200);
    let _ = client.with_key(&first).get("/orders").refused(403, "insufficient_scope");
    let shown = client.get(&path).expect(200);
    assert_eq!((&shown["ratePerHour"], shown.get("key")), (&json!(500), None));

    // Both texts open it until the overlap is over.
    let rotated = client.post(&format!("{path}/rotate"), &json!({"overlap": "1h"})).expect(200);
    let second = text_of(&rotated);
    assert_eq!((&rotated["id"], &rotated["name"]), (&made["id"], &made["name"]));
    assert_ne!(first, second);
    assert_eq!([products(&client, &first), products(&client, &second)], [200, 200]);
    app.advance_seconds(3_601);
    assert_refused_soon(|| products(&client, &first));
    assert_eq!(products(&client, &second), 200);

    // Without an overlap the text of before opens nothing any more.
    let third = text_of(&client.post(&format!("{path}/rotate"), &json!({})).expect(200));
    assert_eq!([products(&client, &second), products(&client, &third)], [401, 200]);

    let stale = client.request("DELETE", &path).header("If-Match", "\"1\"");
    let _ = testkit::Reply::to(stale).refused(412, "precondition_failed");
    let revoked = client.delete(&path).expect(200);
    assert!(revoked["revokedAt"].is_string(), "{revoked}");
    assert_eq!(products(&client, &third), 401);
    let _ = client.delete(&path).refused(409, "conflict");
    let _ = client.post(&format!("{path}/rotate"), &json!({})).refused(409, "conflict");
    let ids = |query: &str| {
        let page = client.get(&format!("/api-keys?{query}")).expect(200);
        let keys = page["data"].as_array().unwrap().iter();
        keys.map(|key| key["id"].clone()).collect::<Vec<_>>()
    };
    assert!(!ids("active=true").contains(&made["id"]));
    assert_eq!(ids("active=false"), [made["id"].clone()]);
}

fn a_rotation_and_a_revocation_of_what_was_seen_do_not_both_win(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    for _ in 0..16 {
        let made =
            client.post("/api-keys", &json!({"name": "a", "scopes": ["products"]})).expect(201);
        let path = path_of(&made);
        let seen = client.get(&path).header("etag").expect("a tag").to_owned();
        let statuses = at_once(2, |which| match which {
            0 => {
                let revoke = client.request("DELETE", &path).header("If-Match", &seen);
                testkit::Reply::to(revoke).status
            }
            _ => client.post(&format!("{path}/rotate"), &json!({})).status,
        });
        let is_revoked = client.get(&path).expect(200)["revokedAt"].is_string();
        match statuses.as_slice() {
            [200, 409] => assert!(is_revoked),
            [412, 200] => assert!(!is_revoked),
            _ => panic!("{statuses:?}"),
        }
    }
}

fn a_key_grants_no_more_than_it_has(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let plain = app.client_of(account, "*");
    let narrow = app.client_of(account, "products,orders,webhooks");
    for (method, path) in [("GET", "/api-keys"), ("POST", "/api-keys"), ("GET", "/audit")] {
        let refused = narrow.send(method, path, &json!({"name": "a", "scopes": ["products"]}));
        assert!(refused.refused(403, "insufficient_scope").contains("\"*\""), "{path}");
    }
    let approving = json!({"name": "a", "scopes": ["orders"], "mayApprove": true});
    let refused = plain.post("/api-keys", &approving);
    assert!(refused.refused(400, "validation_failed").contains("mayApprove"));
    let boss = plain.with_key(&app.approving_key(account, "*").0);
    let approver = boss.post("/api-keys", &approving).expect(201);
    // Whoever rotates a key holds it.
    let rotate = format!("{}/rotate", path_of(&approver));
    let _ = plain.post(&rotate, &json!({})).refused(403, "forbidden");
    let _ = boss.post(&rotate, &json!({})).expect(200);

    let slow = plain.with_key(&app.key_with_rate(account, "*", Some(100)).0);
    let wanted = |rate: Value| json!({"name": "a", "scopes": ["orders"], "ratePerHour": rate});
    for rate in [json!(null), json!(101)] {
        let refused = slow.post("/api-keys", &wanted(rate));
        assert!(refused.refused(400, "validation_failed").contains("ratePerHour"));
    }
    let _ = slow.post("/api-keys", &wanted(json!(100))).expect(201);
    let live = json!({"name": "a", "scopes": ["orders"], "mode": "live"});
    assert!(plain.post("/api-keys", &live).refused(400, "validation_failed").contains("mode"));
    let wrong = json!({"name": "a", "scopes": ["orders"], "mode": "live", "mayApprove": true,
        "expiresAt": "2020-01-01T00:00:00Z"});
    let message = plain.post("/api-keys", &wrong).refused(400, "validation_failed");
    for fault in ["mayApprove must", "expiresAt must", "mode must"] {
        assert!(message.contains(fault), "{fault}: {message}");
    }
    let past = json!({"name": "a", "scopes": ["*"], "expiresAt": "2020-01-01T00:00:00Z"});
    assert!(plain.post("/api-keys", &past).refused(400, "validation_failed").contains("expiresAt"));
}

fn a_repeat_answers_the_same_text_and_keeps_none_in_clear(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let wanted = json!({"name": "Once", "scopes": ["orders"]});
    let made = client.post_once("/api-keys", "k", &wanted).expect(201);
    assert_eq!(client.post_once("/api-keys", "k", &wanted).expect(201), made);
    let rotate = format!("{}/rotate", path_of(&made));
    let rotated = client.post_once(&rotate, "r", &json!({"overlap": "7d"})).expect(200);
    let again = client.post_once(&rotate, "r", &json!({"overlap": "7d"})).expect(200);
    assert_eq!(text_of(&again), text_of(&rotated));
    for text in [text_of(&made), text_of(&rotated)] {
        let secret = &text["service_test_".len()..][..32];
        for query in [
            "SELECT answer AS line FROM idempotency_answers",
            "SELECT id || digest || COALESCE(previous_digest, '') || last4 AS line FROM api_keys",
            "SELECT COALESCE(before, '') || COALESCE(after, '') AS line FROM audit_entries",
        ] {
            let lines = app.database.lines(query);
            assert!(!lines.is_empty(), "{query}");
            assert!(lines.iter().all(|line| !line.contains(secret)), "{query}");
        }
    }
}

fn the_audit_log_says_who_did_what(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let (text, own) = app.key(account, "*");
    let client = app.anonymous().with_key(&text);
    let request = client.request("POST", "/api-keys").header("X-Request-ID", "made-1");
    let request = request.header("Content-Type", "application/json");
    let body = json!({"name": "Web", "scopes": ["orders"]}).to_string();
    let made = testkit::Reply::to(request.body(body)).expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    let _ = client.delete(&path_of(&made)).expect(200);

    let entries = |query: &str| {
        let page = client.get(&format!("/audit?{query}")).expect(200);
        page["data"].as_array().unwrap().clone()
    };
    let of_key = entries(&format!("resource={id}"));
    let actions: Vec<_> = of_key.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["api_key.revoked", "api_key.created"]);
    let made = &of_key[1];
    let actor = json!({"type": "key", "id": own.to_string(), "name": "test"});
    assert_eq!(made["actor"]["id"], actor["id"], "{made}");
    assert_eq!((&made["actor"]["type"], &made["requestId"]), (&json!("key"), &json!("made-1")));
    assert_eq!((&made["before"], &made["after"]["scopes"]), (&json!({}), &json!("orders")));
    assert_eq!(made["address"], "127.0.0.1");
    assert_eq!(entries(&format!("actor={own}")).len(), 2);
    assert_eq!(entries("actor=key").len(), 2);
    assert_eq!(entries("actor=operator").len(), 1);
    assert_eq!(entries("actor=user").len(), 0);
    assert_eq!(entries("action=api_key.created").len(), 2);
    assert_eq!(entries("createdFrom=2999-01-01T00:00:00Z").len(), 0);
    let webhook = json!({"url": "https://hooks.example.com/a?token=secret", "events": ["*"]});
    let webhook = client.post("/webhooks", &webhook).expect(201)["id"].clone();
    let _ =
        client.act(&format!("/webhooks/{}/rotate-secret", webhook.as_str().unwrap())).expect(200);
    let told = entries(&format!("resource={}", webhook.as_str().unwrap()));
    let actions: Vec<_> = told.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["webhook.secret_rotated", "webhook.created"]);
    let after = json!({"url": "https://hooks.example.com/a", "events": "*", "status": "enabled"});
    assert_eq!(told[1]["after"], after);
    for _ in 0..2 {
        let _ = client.delete("/webhooks/whk_01ARZ3NDEKTSV4RRFFQ69G5FAV").refused(404, "not_found");
    }
    assert_eq!(entries(&format!("actor={own}")).len(), 4, "what was refused has done nothing");
    let first = client.get(&format!("/audit?limit=1&resource={id}")).expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let next = entries(&format!("limit=1&resource={id}&cursor={cursor}"));
    assert_eq!((next.len(), &next[0]["id"]), (1, &of_key[1]["id"]));
}

fn a_live_key_makes_keys_of_the_test_account(kind: DatabaseKind) {
    let app = App::start(kind);
    let live = app.live_account();
    let client = app.client_of(live, "*");
    let wanted = json!({"name": "Trying", "scopes": ["*"], "mode": "test"});
    let made = client.post("/api-keys", &wanted).expect(201);
    let text = text_of(&made);
    assert!(text.starts_with("service_test_"), "{text}");
    let test = client.with_key(&text);
    // It has what it takes to invoice.
    let issuer = test.get("/invoices/cfdi/issuer").expect(200);
    assert!(issuer["rfc"].is_string(), "{issuer}");
    assert_eq!(client.get("/api-keys?mode=test").expect(200)["total"], 1);
    assert_eq!(client.get(&path_of(&made)).expect(200)["mode"], "test");
    // The other way round there is no way.
    assert_eq!(test.get("/api-keys?mode=live").expect(200)["total"], 0);
    let _ = client.delete(&path_of(&made)).expect(200);
    assert_eq!(test.get("/products").status, 401);
}

fn it_is_known_when_a_key_was_used(kind: DatabaseKind) {
    let app = App::start(kind);
    app.hold_clock();
    let client = app.client();
    let made = client.post("/api-keys", &json!({"name": "a", "scopes": ["products"]})).expect(201);
    let path = path_of(&made);
    assert_eq!(client.get(&path).expect(200)["lastUsedAt"], json!(null));
    assert_eq!(products(&client, &text_of(&made)), 200);
    // It is noted behind the request.
    let used = client.once(&path, |key| !key["lastUsedAt"].is_null());
    // Never before it was made, though it is known to the hour only.
    assert_eq!(used["lastUsedAt"], made["createdAt"]);
    app.advance_seconds(7_200);
    // Another text is looked up anew.
    let rotated = client.post(&format!("{path}/rotate"), &json!({})).expect(200);
    assert_eq!(products(&client, &text_of(&rotated)), 200);
    let later = client.once(&path, |key| key["lastUsedAt"] != made["createdAt"]);
    let hour = later["lastUsedAt"].as_str().unwrap();
    assert!(hour.ends_with(":00:00.000Z"), "{hour}");
    assert!(hour > made["createdAt"].as_str().unwrap(), "{hour}");
}

fn the_text_of_before_and_revoked_keys_make_no_keys(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let (before, id) = app.key(account, "*");
    let client = app.client_of(account, "*");
    let path = format!("/api-keys/{id}");
    let _ = client.post(&format!("{path}/rotate"), &json!({"overlap": "24h"})).expect(200);
    let old = client.with_key(&before);
    assert_eq!(old.get("/api-keys").status, 200);
    let wanted = json!({"name": "a", "scopes": ["*"]});
    let _ = old.post("/api-keys", &wanted).refused(403, "forbidden");
    let _ =
        old.post(&format!("{path}/rotate"), &json!({"overlap": "7d"})).refused(403, "forbidden");
    let _ = old.delete(&path).refused(403, "forbidden");

    // A request that was let in before the revocation comes too late.
    let _ = client.delete(&path).expect(200);
    let ctx = Ctx::system(account, app.now()).by(Actor::Key(id));
    let grant = GrantApiKey {
        name: "a".to_owned(),
        scopes: Scopes::all(),
        may_approve: false,
        rate_per_hour: None,
        expires_at: None,
    };
    let maker: KeyMaker = Arc::new(|mode: Mode| {
        NewApiKey::from_random("service", mode, &[9; 64]).map_err(str::to_owned)
    });
    let refused = app.store().grant(ctx, Mode::Test, grant, maker).wait().unwrap();
    assert!(matches!(refused, Err(Refused::Rule(ApiKeyError::Forbidden))));
}
