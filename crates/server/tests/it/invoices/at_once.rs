//! Invoices made and stamped by one call.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

use super::office::{Office, id, sale};
use crate::races::at_once;

on_both!(
    one_call_makes_and_stamps_an_invoice,
    query_and_body_must_not_contradict_each_other,
    what_cannot_be_stamped_is_not_made,
    a_repeat_makes_and_stamps_one_invoice,
    an_answer_that_is_lost_is_awaited_in_the_background,
    what_the_provider_did_not_take_stays_a_draft,
);

fn to_stamp(price: f64) -> Value {
    let mut sale = sale(price);
    sale["stamp"] = json!(true);
    sale
}

fn count(office: &Office) -> u64 {
    office.client.get("/invoices").expect(200)["total"].as_u64().unwrap()
}

fn one_call_makes_and_stamps_an_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let by_query = office.client.post("/invoices?stamp=true", &sale(116.0));
    for made in [office.client.post("/invoices", &to_stamp(116.0)), by_query] {
        let place = made.header("location").unwrap().to_owned();
        let stamped = made.expect(201);
        assert_eq!(place, format!("/api/v1/invoices/{}", id(&stamped)));
        assert_eq!(stamped["status"], "stamped");
        assert!(stamped["stamp"]["uuid"].is_string());
        assert_eq!(office.read(&id(&stamped)), stamped);
    }
    let draft = office.client.post("/invoices?stamp=false", &sale(116.0)).expect(201);
    assert_eq!(draft["status"], "draft");
    let refused = office.client.post("/invoices?stamp=maybe", &sale(116.0));
    assert!(refused.refused(400, "validation_failed").contains("stamp"));
}

fn query_and_body_must_not_contradict_each_other(kind: DatabaseKind) {
    let office = Office::open(kind);
    let body = |stamp: Value| {
        let mut sale = sale(116.0);
        sale["stamp"] = stamp;
        sale
    };
    for (query, stamp) in [(false, true), (true, false)] {
        let path = format!("/invoices?stamp={query}");
        let refused = office.client.post(&path, &body(json!(stamp)));
        let message = refused.refused(400, "validation_failed");
        let told = format!("stamp is {query} in the query and {stamp} in the body");
        assert!(message.starts_with(&told), "{message}");
    }
    assert_eq!(count(&office), 0);
    for (query, stamp, status) in [
        ("?stamp=true", json!(true), "stamped"),
        ("?stamp=true", json!(null), "stamped"),
        ("?stamp=false", json!(false), "draft"),
        ("?stamp=false", json!(null), "draft"),
        ("", json!(false), "draft"),
    ] {
        let made = office.client.post(&format!("/invoices{query}"), &body(stamp.clone()));
        assert_eq!(made.expect(201)["status"], status, "{query} {stamp}");
    }
}

fn what_cannot_be_stamped_is_not_made(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&office.customer(), &[(&mug, 1)]);
    let of_order = |form: &str| json!({"orderId": order["id"], "paymentForm": form, "stamp": true});
    let message = office.client.post("/invoices", &of_order("98")).refused(409, "invoice_invalid");
    assert!(message.contains("CFDI40104") && message.contains("paymentForm"), "{message}");
    assert_eq!(count(&office), 0);
    // The order is still to be invoiced.
    assert_eq!(office.client.post("/invoices", &of_order("03")).expect(201)["status"], "stamped");
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    app.grant(account, 10);
    let client = app.client_of(account, "*");
    let poor = Office { app, account, client };
    assert_eq!(poor.client.post("/invoices", &to_stamp(116.0)).expect(201)["status"], "stamped");
    let refused = poor.client.post("/invoices", &to_stamp(116.0));
    let _ = refused.refused(402, "insufficient_credits");
    assert_eq!(count(&poor), 1);
}

fn a_repeat_makes_and_stamps_one_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let send = |_: usize| -> Reply {
        office.client.post_once("/invoices", "one-call-1", &to_stamp(116.0))
    };
    let replies = at_once(6, send);
    let bodies: Vec<Value> = replies.into_iter().map(|reply| reply.expect(201)).collect();
    assert!(bodies.iter().all(|body| body["status"] == "stamped" && body["id"] == bodies[0]["id"]));
    let again = send(0);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.expect(201)["uuid"], bodies[0]["uuid"]);
    assert_eq!((count(&office), office.ledger(&id(&bodies[0])).len()), (1, 2));
    let other = office.client.post_once("/invoices?stamp=true", "one-call-1", &to_stamp(116.0));
    // The body is the same.
    let message = other.refused(422, "idempotency_key_reused");
    assert!(message.contains("with another request;"), "{message}");
    let spanish =
        office.client.request("POST", "/invoices?stamp=true").header("Accept-Language", "es");
    let spanish = spanish
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", "one-call-1")
        .body(to_stamp(116.0).to_string());
    let message = Reply::to(spanish).refused(422, "idempotency_key_reused");
    assert!(message.contains("con otra solicitud;"), "{message}");
}

fn an_answer_that_is_lost_is_awaited_in_the_background(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("timeoutAfterStamping", "accept");
    let send = || office.client.post_once("/invoices", "one-call-2", &to_stamp(116.0));
    let accepted = send();
    let place = accepted.header("location").unwrap().to_owned();
    let seen = accepted.expect(202);
    assert_eq!(place, format!("/api/v1/invoices/{}", id(&seen)));
    assert_eq!(seen["status"], "stamping");
    office.simulate("normal", "accept");
    let again = send();
    assert!([201, 202].contains(&again.status), "{}", again.status);
    assert_eq!(again.json()["id"], seen["id"]);
    assert_eq!(count(&office), 1);
}

fn what_the_provider_did_not_take_stays_a_draft(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("unavailable", "accept");
    let send = || office.client.post_once("/invoices", "one-call-3", &to_stamp(116.0));
    let refused = send();
    let place = refused.header("location").unwrap().to_owned();
    let _ = refused.refused(502, "provider_error");
    let draft = office.client.get(place.strip_prefix("/api/v1").unwrap()).expect(200);
    assert_eq!((&draft["status"], count(&office)), (&json!("draft"), 1));
    office.simulate("normal", "accept");
    let stamped = send().expect(201);
    assert_eq!((&stamped["id"], &stamped["status"]), (&draft["id"], &json!("stamped")));
}
