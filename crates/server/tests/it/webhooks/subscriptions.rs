//! Webhooks as resources: made, shown, changed, deleted, and refused.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reaction, on_both};

use super::audience::{Audience, until};
use crate::{
    customers::Desk,
    orders::shop::{id, is_moment},
};

on_both!(
    a_new_webhook_is_shown_as_documented,
    urls_that_lead_inside_are_refused,
    unknown_events_are_refused_by_their_place,
    an_account_has_a_hundred_webhooks_at_most,
    a_patch_changes_what_it_names,
    stale_changes_are_refused,
    lists_are_walked_newest_first,
    another_url_takes_what_is_waiting,
    a_deleted_webhook_gets_nothing_any_more,
);

const ALL: &str = "/webhooks";
const URL: &str = "https://shop.example.com/hooks";

fn a_new_webhook_is_shown_as_documented(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let wanted = json!({"url": URL, "events": ["order.paid", "*", "order.paid"],
        "description": "Almacén"});
    let reply = desk.client.post(ALL, &wanted);
    let (location, tag) = (reply.header("location").map(str::to_owned), reply.header("etag"));
    let tag = tag.map(str::to_owned);
    let made = reply.expect(201);
    let place = Desk::place(ALL, &made);
    assert_eq!(location, Some(format!("/api/v1{place}")));
    assert!(id(&made).starts_with("whk_") && is_moment(&made["createdAt"]));
    let expected = json!({
        "id": made["id"], "url": URL, "events": ["order.paid", "*"], "description": "Almacén",
        "secret": made["secret"], "status": "enabled", "disabledReason": null, "disabledAt": null,
        "consecutiveFailures": 0, "previousSecretExpiresAt": null,
        "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
    });
    assert_eq!(made, expected);
    let mut shown = expected;
    shown.as_object_mut().unwrap().remove("secret");
    assert_eq!(desk.show(&place), shown);
    assert_eq!(tag, Some(desk.tag(&place)));
    assert_eq!(desk.show(ALL)["data"], json!([shown]));
    desk.assert_survives_a_round_trip(&place);
}

fn urls_that_lead_inside_are_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.client.post(ALL, &json!({"url": URL, "events": ["*"]})).expect(201);
    let place = Desk::place(ALL, &made);
    let long = format!("https://e.example/{}", "x".repeat(2_048));
    let urls = [
        "",
        "shop.example.com",
        "//shop.example.com",
        "http://shop.example.com",
        "ftp://shop.example.com",
        "file:///etc/passwd",
        "https://",
        "https://user:pass@shop.example.com",
        "https://shop.example.com/#part",
        "https://shop.example.com:0/",
        "https://shop.example.com/\n",
        " https://shop.example.com",
        "https://localhost/x",
        "https://LOCALHOST.",
        "https://api.localhost",
        "https://127.0.0.1:8443",
        "https://127.1",
        "https://2130706433",
        "https://0x7f.1",
        "https://0177.0.0.1",
        "https://0.0.0.0",
        "https://10.1.2.3",
        "https://172.16.0.1",
        "https://192.168.1.1",
        "https://100.64.0.1",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]",
        "https://[::ffff:127.0.0.1]",
        "https://[64:ff9b::7f00:1]",
        "https://[fe80::1]",
        "https://[fd00::1]",
        "https://１２７.０.０.１",
        "https://224.0.0.1",
        &long,
    ];
    for url in urls {
        let refused = desk.client.post(ALL, &json!({"url": url, "events": ["*"]}));
        let message = refused.refused(400, "validation_failed");
        assert!(message.starts_with("url "), "{url}: {message}");
        let refused = desk.client.patch(&place, &json!({"url": url}));
        assert_eq!(refused.refused(400, "validation_failed"), message, "{url}");
    }
    assert_eq!(desk.show(ALL)["total"], 1);
    assert_eq!(desk.show(&place)["url"], URL);
    for url in ["https://93.184.215.14:8443/x?y=1", "HTTPS://Shop.Example.COM", "https://ñ.example"]
    {
        let kept = desk.client.post(ALL, &json!({"url": url, "events": ["*"]})).expect(201);
        assert_eq!(kept["url"], url, "as its owner wrote it");
    }
}

fn unknown_events_are_refused_by_their_place(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let cases = [
        (json!(["order.created", "order.create"]), "events[1] \"order.create\" is not an event"),
        (json!(["*", 7]), "events[1] must be a string"),
        (json!(["webhook.test"]), "events[0] \"webhook.test\" is not an event"),
        (json!([]), "events must not be empty"),
        (json!("*"), "events must be"),
        (json!(null), "events"),
    ];
    for (events, message) in cases {
        let refused = desk.client.post(ALL, &json!({"url": URL, "events": events}));
        let told = refused.refused(400, "validation_failed");
        assert!(told.starts_with(message), "{events}: {told}");
    }
    let refused = desk.client.post(ALL, &json!({"url": URL, "events": ["*"], "active": true}));
    assert!(refused.refused(400, "validation_failed").contains("active"));
    // An address that this service does not call is told with the rest.
    for url in ["http://127.0.0.1/", "https://127.0.0.1/", "nowhere"] {
        let refused = desk.client.post(ALL, &json!({"url": url, "events": []}));
        let told = refused.refused(400, "validation_failed");
        let named: Vec<_> = told.split("; ").filter_map(|one| one.split(' ').next()).collect();
        assert_eq!(named, ["url", "events"], "{url}: {told}");
    }
    assert_eq!(desk.show(ALL)["total"], 0);
}

fn an_account_has_a_hundred_webhooks_at_most(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = json!({"url": URL, "events": ["deal.won"]});
    let made: Vec<Value> = (0..100).map(|_| desk.client.post(ALL, &body).expect(201)).collect();
    let refused = desk.client.post(ALL, &body).refused(409, "conflict");
    assert!(refused.contains("100"), "{refused}");
    assert_eq!(desk.app.client().post(ALL, &body).status, 201, "another account has its own");
    let _ = desk.client.delete(&Desk::place(ALL, &made[7])).expect(200);
    assert_eq!(desk.client.post(ALL, &body).status, 201, "one place is free again");
    let _ = desk.client.post(ALL, &body).refused(409, "conflict");
}

fn a_patch_changes_what_it_names(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.client.post(ALL, &json!({"url": URL, "events": ["*"], "description": "A"}));
    let made = made.expect(201);
    let place = Desk::place(ALL, &made);
    let before = desk.show(&place);
    desk.app.advance_seconds(5);
    let other = "https://other.example.com/";
    for (field, value) in
        [("url", json!(other)), ("events", json!(["order.paid"])), ("description", json!(null))]
    {
        let changed = desk.change(&place, &json!({field: value}));
        assert_eq!(changed[field], value);
        assert_ne!(changed["updatedAt"], before["updatedAt"]);
    }
    for field in ["url", "events"] {
        let refused = desk.client.patch(&place, &json!({field: null}));
        let message = refused.refused(400, "validation_failed");
        assert_eq!(message, format!("{field} must not be null"));
    }
    for (field, value) in [("status", "disabled"), ("secret", "mine")] {
        let refused = desk.client.patch(&place, &json!({field: value}));
        let message = refused.refused(400, "validation_failed");
        assert!(message.starts_with(&format!("{field} is read-only")), "{message}");
    }
    let same = desk.client.patch(&place, &json!({"status": "enabled"})).expect(200);
    assert_eq!(same["status"], "enabled", "that is for /disable to change");
}

fn stale_changes_are_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.client.post(ALL, &json!({"url": URL, "events": ["*"]})).expect(201);
    let changes = [json!({"description": "A"}), json!({"description": "B"})];
    desk.assert_guards_against_lost_updates(&Desk::place(ALL, &made), [&changes[0], &changes[1]]);
    desk.delete(ALL, &id(&made));
}

fn lists_are_walked_newest_first(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let make = |number: usize| {
        let body = json!({"url": URL, "events": ["*"], "description": number.to_string()});
        id(&desk.client.post(ALL, &body).expect(201))
    };
    let mut made: Vec<String> = (0..7).map(make).collect();
    let mut walked = Vec::new();
    let mut place = format!("{ALL}?limit=3");
    loop {
        let page = desk.show(&place);
        assert_eq!(page["total"], made.len());
        walked.extend(page["data"].as_array().unwrap().iter().map(id));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        place = format!("{ALL}?limit=3&cursor={cursor}");
        if made.len() == 7 {
            made.push(make(7));
        }
    }
    made.truncate(7);
    made.reverse();
    assert_eq!(walked, made, "and one that came meanwhile shifts nothing");
}

fn another_url_takes_what_is_waiting(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/old", &["*"]);
    audience.receiver.always("/old", Reaction::status(500));
    audience.happen(1);
    audience.wait_attempts(&audience.only(&hook), 1);
    assert_eq!(audience.show(&hook)["consecutiveFailures"], 1);
    let moved = json!({"url": audience.receiver.url("/new")});
    let moved = audience.client.patch(&hook.place(), &moved).expect(200);
    assert_eq!(moved["consecutiveFailures"], 0, "another endpoint has a clean record");
    audience.app.advance_seconds(6);
    audience.wait_count(&hook, "state=delivered", 1);
    assert_eq!(audience.receiver.received_at("/old").len(), 1);
    assert_eq!(audience.receiver.received_at("/new").len(), 1);
}

fn a_deleted_webhook_gets_nothing_any_more(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let (leaving, staying) = (audience.subscribe("/a", &["*"]), audience.subscribe("/b", &["*"]));
    for path in ["/a", "/b"] {
        audience.receiver.script(path, [Reaction::status(500)], Reaction::status(200));
    }
    audience.happen(1);
    let waiting = audience.only(&leaving);
    audience.wait_attempts(&waiting, 1);
    audience.wait_attempts(&audience.only(&staying), 1);

    let deleted = audience.client.delete(&leaving.place()).expect(200);
    assert_eq!(deleted, json!({"id": leaving.id, "deleted": true}));
    let delivery = format!("/webhooks/deliveries/{}", id(&waiting));
    for (method, path) in [
        ("GET", leaving.place()),
        ("PATCH", leaving.place()),
        ("DELETE", leaving.place()),
        ("POST", leaving.at("enable")),
        ("POST", leaving.at("disable")),
        ("POST", leaving.at("test")),
        ("POST", leaving.at("rotate-secret")),
        ("GET", leaving.at("deliveries")),
        ("GET", delivery.clone()),
        ("POST", format!("{delivery}/retry")),
    ] {
        let gone = audience.client.send(method, &path, &json!({}));
        assert!(!gone.refused(404, "not_found").is_empty(), "{method} {path}");
    }
    let since = json!({"since": "2020-01-01T00:00:00Z"});
    let _ = audience.replay(&leaving, &since).refused(404, "not_found");

    audience.happen(3);
    audience.app.advance_seconds(6);
    audience.wait_count(&staying, "state=delivered", 4);
    audience.let_it_look_around();
    assert_eq!(audience.receiver.received_at("/a").len(), 1, "the attempt before it was deleted");
    let opened = format!(
        "SELECT id AS line FROM deliveries WHERE subscription_id = '{}' AND id <> '{}'",
        leaving.id,
        id(&waiting)
    );
    assert_eq!(audience.app.database.lines(&opened), [""; 0]);

    // Its secrets are forgotten at once, its rows by and by.
    let sealed = format!("SELECT secret AS line FROM subscriptions WHERE id = '{}'", leaving.id);
    assert_eq!(audience.app.database.lines(&sealed), [""]);
    audience.app.advance_seconds(2 * 60 * 60);
    audience.app.housekeep();
    until(
        || Some(()).filter(|()| audience.app.database.lines(&sealed).is_empty()),
        || audience.app.database.lines(&sealed),
    );
    audience.wait_count(&staying, "state=delivered", 4);
}

/// A service that does not serve development refuses what one that does has taken.
#[test]
fn a_url_is_judged_again_when_it_is_called() {
    let app = App::with(DatabaseKind::Sqlite).not_delivering().start();
    let again = app.again().api(|api| api.reach = webhooks::Reach::Public);
    let audience = Audience::of(app);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    let Audience { app, account: _, client, receiver } = audience;
    app.stop();
    let app = again
        .delivering_with(|delivering| delivering.outbound.reach = webhooks::Reach::Public)
        .start();
    let client = client.at(&app);
    let delivery = || {
        let page = client.get(&hook.at("deliveries")).expect(200);
        let place = format!("/webhooks/deliveries/{}", id(&page["data"][0]));
        client.get(&place).expect(200)
    };
    let tried = until(|| Some(delivery()).filter(|one| one["attempts"] == 1), delivery);
    assert_eq!(tried["attemptLog"][0]["errorCode"], "invalid_url");
    assert_eq!(receiver.received().len(), 0);
}
