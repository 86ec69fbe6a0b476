//! The providers of an account, and what can be paid through them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

use crate::races::at_once;

on_both!(
    keys_go_in_and_never_come_out,
    a_provider_changes_only_as_it_was_read,
    a_first_set_up_is_not_written_over_unseen,
    payments_need_a_provider,
    methods_are_those_of_the_account,
);

const KEY: &str = "a secret key that ends in x7Qd";
const SECRET: &str = "a secret to sign with";

fn keys_go_in_and_never_come_out(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.live_account(), "*");
    let path = "/payments/providers/stripe";
    let _ = client.get(path).refused(404, "not_found");
    let said =
        client.send("PUT", path, &json!({"default": true})).refused(400, "validation_failed");
    assert!(said.starts_with("key is required"), "{said}");
    let said = client.send("PUT", path, &json!({"notificationSecret": SECRET}));
    assert!(said.refused(400, "validation_failed").starts_with("key is required beside"));
    let set = client.send("PUT", path, &json!({"key": KEY, "notificationSecret": SECRET}));
    let answers = [set, client.get(path), client.get("/payments/providers")];
    for answer in &answers {
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(!answer.text.contains(KEY) && !answer.text.contains(SECRET), "{}", answer.text);
    }
    let shown = answers[1].json();
    assert_eq!((&shown["keyEnd"], &shown["default"]), (&json!("x7Qd"), &json!(false)));
    assert_eq!(answers[2].json()["data"], json!([shown]));
    let kept = client.send("PUT", path, &json!({"default": true})).expect(200);
    assert_eq!((&kept["keyEnd"], &kept["default"]), (&json!("x7Qd"), &json!(true)));
    let texts = app.database.texts();
    assert!(texts.iter().all(|text| !text.contains(KEY) && !text.contains(SECRET)));
}

fn a_provider_changes_only_as_it_was_read(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let path = "/payments/providers/sandbox";
    let set = |tag: &str, body: &Value| {
        let request = client.request("PUT", path).header("If-Match", tag);
        Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
    };
    let _ = set("\"1\"", &json!({})).refused(412, "precondition_failed");
    let made = client.send("PUT", path, &json!({}));
    let tag = made.header("etag").unwrap().to_owned();
    let shown = made.expect(200);
    assert_eq!((&shown["provider"], &shown["keyEnd"]), (&json!("sandbox"), &json!(null)));
    let changed = set(&tag, &json!({"default": true}));
    assert_eq!(changed.status, 200, "{}", changed.text);
    let _ = set(&tag, &json!({"default": false})).refused(412, "precondition_failed");
    // What was read can be sent back.
    let sent_back = client.send("PUT", path, &client.get(path).expect(200)).expect(200);
    assert_eq!(sent_back["default"], true);
    let other = json!({"provider": "stripe"});
    let _ = client.send("PUT", path, &other).refused(400, "validation_failed");
    let manual = client.send("PUT", "/payments/providers/manual", &json!({"default": true}));
    assert_eq!(manual.expect(200)["default"], true);
    assert_eq!(client.get(path).expect(200)["default"], false, "there is one default");
    let _ = client.send("PUT", path, &json!({"key": "k"})).refused(400, "validation_failed");
    let _ = client.send("PUT", "/payments/providers/bank", &json!({})).refused(404, "not_found");
}

fn a_first_set_up_is_not_written_over_unseen(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.live_account(), "*");
    let neighbour = app.again().start();
    let path = "/payments/providers/conekta";
    let key = |which: usize| json!({"key": format!("a secret key that ends in k00{which}")});
    // Who comes so late that it is set up already changes it, as ever.
    let replies = at_once(4, |which| match which {
        0 | 1 => client.send("PUT", path, &key(which)),
        _ => client.at(&neighbour).send("PUT", path, &key(which)),
    });
    let done = replies.iter().filter(|reply| reply.status == 200);
    let versions: BTreeSet<_> = done.clone().map(|reply| reply.header("etag").unwrap()).collect();
    assert_eq!(versions.len(), done.count(), "each has changed what the one before has left");
    assert!(versions.contains("\"1\""), "{versions:?}");
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        let _ = reply.refused(412, "precondition_failed");
    }
    let first = |path: &str| {
        let request = client.request("PUT", path).header("If-None-Match", "*");
        let body = json!({"key": "another secret key, k009", "notificationSecret": SECRET});
        Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
    };
    let _ = first(path).refused(412, "precondition_failed");
    assert_ne!(client.get(path).expect(200)["keyEnd"], "k009");
    let stripe = first("/payments/providers/stripe").expect(200);
    assert_eq!(stripe["keyEnd"], "k009");
    neighbour.stop();
}

fn payments_need_a_provider(kind: DatabaseKind) {
    let app = App::start(kind);
    let live = app.client_of(app.live_account(), "*");
    let ask = |provider: Value| json!({"method": "card", "amount": 10, "currency": "MXN", "provider": provider});
    for (provider, words) in [
        (Value::Null, "provider must be given"),
        (json!("sandbox"), "for test accounts alone"),
        (json!("stripe"), "PUT /payments/providers/stripe"),
    ] {
        let said = live.post("/payments", &ask(provider)).refused(409, "provider_not_configured");
        assert!(said.contains(words), "{said}");
    }
    let sandbox = live.send("PUT", "/payments/providers/sandbox", &json!({}));
    let _ = sandbox.refused(409, "provider_not_configured");
    let cash = json!({"method": "cash", "amount": 10, "currency": "MXN"});
    let _ = live.post("/payments", &cash).expect(201);
}

fn methods_are_those_of_the_account(kind: DatabaseKind) {
    let app = App::start(kind);
    let rows = |page: Value| -> Vec<(String, String, bool)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| (text(&row["method"]), text(&row["provider"]), row["default"] == true))
            .collect()
    };
    let client = app.client();
    let pesos = client.get("/payment-methods").expect(200);
    assert_eq!(pesos["currency"], "MXN");
    let oxxo = pesos["data"].as_array().unwrap().iter().find(|row| row["method"] == "oxxo");
    let oxxo = oxxo.unwrap();
    assert_eq!((&oxxo["min"], &oxxo["max"]), (&json!(10), &json!(10_000)));
    assert_eq!((&oxxo["refunds"], &oxxo["capture"]), (&json!("none"), &json!(false)));
    let pesos = rows(pesos);
    let row =
        |method: &str, provider: &str, default| (method.to_owned(), provider.to_owned(), default);
    assert!(pesos.contains(&row("card", "sandbox", true)), "{pesos:?}");
    assert!(pesos.contains(&row("cash", "manual", true)), "{pesos:?}");
    let dollars = rows(client.get("/payment-methods?currency=USD").expect(200));
    assert!(dollars.iter().all(|(method, ..)| method != "oxxo" && method != "spei"));
    let live = app.client_of(app.live_account(), "*");
    let live = rows(live.get("/payment-methods").expect(200));
    assert!(live.iter().all(|(_, provider, _)| provider == "manual"), "{live:?}");
    let _ = client.get("/payment-methods?currency=PESO").refused(400, "validation_failed");
}
