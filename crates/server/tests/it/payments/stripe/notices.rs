//! Notifications of Stripe's.

use serde_json::json;
use testkit::{
    DatabaseKind, on_both,
    stripe::{KEY, SECRET, event, signature},
};

use super::desk::Desk;

on_both!(
    only_what_stripe_has_signed_lately_is_taken,
    any_of_several_signatures_will_do,
    the_same_event_is_one,
    what_is_of_somebody_else_is_ignored,
    without_a_secret_it_is_a_hint,
);

fn only_what_stripe_has_signed_lately_is_taken(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.till.shop.app.hold_clock();
    let payment = desk.pay("card", &json!({}));
    let intent = desk.stripe.books(|books| books.of(&payment).shown());
    let body = event("evt_1", "payment_intent.created", &intent);
    let now = desk.till.shop.app.now();
    let right = signature(SECRET, &body, now);
    let other = body.replace("evt_1", "evt_2");
    for (header, body) in [
        ("", &body),
        ("nonsense", &body),
        (&right, &other),
        (&signature("whsec_otro", &body, now), &body),
        (&signature(SECRET, &body, now.plus_seconds(-301)), &body),
        (&signature(SECRET, &body, now.plus_seconds(301)), &body),
        (&right.replace("v1=", "v0="), &body),
        (&right.replace("v1=", "v1=0"), &body),
    ] {
        let _ = desk.hook(header, body).refused(401, "unauthorized");
    }
    let _ = desk.hook(&right, "[1").refused(400, "malformed_request");
    let _ = desk.hook(&right, r#"{"id": "evt_1"}"#).refused(400, "malformed_request");
    assert_eq!(desk.till.shop.client.get("/payments/notifications").expect(200)["data"], json!([]));
    for seconds in [-300, 300] {
        let header = signature(SECRET, &body, now.plus_seconds(seconds));
        assert_eq!(desk.hook(&header, &body).status, 200, "{seconds}");
    }
}

fn any_of_several_signatures_will_do(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    let intent = desk.stripe.books(|books| books.of(&payment).shown());
    let body = event("evt_1", "payment_intent.created", &intent);
    let right = signature(SECRET, &body, desk.till.shop.app.now());
    let (moment, tag) = right.split_once(',').unwrap();
    let header = format!("{moment},v1={},{tag},v0=6ffb", "0".repeat(64));
    assert_eq!(desk.hook(&header, &body).status, 200);
}

fn the_same_event_is_one(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    let intent = desk.stripe.books(|books| {
        let intent = books.of(&payment);
        intent.pay();
        intent.shown()
    });
    let body = event("evt_1", "payment_intent.succeeded", &intent);
    for _ in 0..3 {
        assert_eq!(desk.notify(SECRET, &body).status, 200);
    }
    let _ = desk.till.once(&payment, "paid");
    let page = desk.till.shop.client.get("/payments/notifications").expect(200);
    assert_eq!(page["data"].as_array().unwrap().len(), 1, "{page}");
    assert_eq!(page["data"][0]["signed"], true);
    assert_eq!(desk.till.shop.told("payment.received").len(), 1);
}

fn what_is_of_somebody_else_is_ignored(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    let mut foreign = desk.stripe.books(|books| books.of(&payment).shown());
    foreign["metadata"]["payment"] = json!("pay_01KG9A4D6F8H0J2M4P6R8T0V2X");
    foreign["id"] = json!("pi_9999");
    let bodies = [
        event("evt_1", "payment_intent.succeeded", &foreign),
        event("evt_2", "payout.paid", &json!({"object": "payout", "id": "po_1"})),
    ];
    for body in &bodies {
        assert_eq!(desk.notify(SECRET, body).status, 200);
    }
    let all_ignored = |page: &serde_json::Value| {
        let rows = page["data"].as_array().unwrap();
        rows.len() == 2 && rows.iter().all(|row| row["status"] == "ignored")
    };
    let _ = desk.till.shop.client.once("/payments/notifications", all_ignored);
    assert_eq!(desk.till.read(&payment)["status"], "requires_action");
}

fn without_a_secret_it_is_a_hint(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let shop = &desk.till.shop;
    let account = shop.app.test_account(shop.app.live_account());
    let client = shop.app.client_of(account, "*");
    let set = client.send("PUT", "/payments/providers/stripe", &json!({"key": KEY}));
    let _ = set.expect(200);
    let ask = json!({"method": "card", "provider": "stripe", "amount": 100, "currency": "MXN"});
    let payment = client.post("/payments", &ask).expect(201);
    // Anybody may claim that it is paid: Stripe is asked, and says that it is not.
    let path = format!("/api/v1/hooks/payments/stripe/{account}");
    let mut intent = desk.stripe.books(|books| books.of(&payment).shown());
    intent["status"] = json!("succeeded");
    let body = event("evt_1", "payment_intent.succeeded", &intent);
    let request = shop.app.anonymous().request("POST", &path);
    assert_eq!(testkit::Reply::to(request.body(body)).status, 200);
    let processed = |page: &serde_json::Value| page["data"][0]["status"] == "processed";
    let page = client.once("/payments/notifications", processed);
    assert_eq!(page["data"][0]["signed"], false);
    let path = format!("/payments/{}", payment["id"].as_str().unwrap());
    assert_eq!(client.get(&path).expect(200)["status"], "requires_action");
}
