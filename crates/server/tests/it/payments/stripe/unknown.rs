//! Calls of whose outcome nobody knows: whatever fails, there is one payment, and its outcome is found out.

use serde_json::json;
use testkit::{
    DatabaseKind, on_both,
    provider::{Behaviour, Reply},
};

use super::desk::Desk;

on_both!(
    a_lost_answer_is_repeated_under_its_key,
    a_lost_call_is_made_again,
    a_stored_failure_is_looked_for_among_many,
    a_stored_failure_without_an_effect_is_given_up,
    a_page_whose_answer_is_lost_is_found,
    a_transfer_keeps_its_customer,
    a_call_that_is_not_taken_waits,
    where_nobody_listens_nothing_is_in_doubt,
    wrong_credentials_wait_for_right_ones,
    a_gateway_does_not_speak_for_stripe,
    a_capture_whose_answer_is_lost_is_made_once,
);

fn lost() -> Vec<Reply> {
    vec![Reply::Hang, Reply::Reset, Reply::Half, Reply::status(409), Reply::status(307)]
}

fn a_lost_answer_is_repeated_under_its_key(kind: DatabaseKind) {
    let desk = Desk::hasty(kind);
    for reply in lost() {
        desk.stripe.script("create", [Behaviour::Then(reply.clone())]);
        let payment = desk.pay("card", &json!({}));
        assert_eq!(
            (&payment["status"], &payment["outcome"]),
            (&json!("pending"), &json!("unknown")),
            "{reply:?}"
        );
        let found = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
        assert_eq!((&found["outcome"], desk.times(&payment)), (&json!("known"), 1), "{reply:?}");
    }
    let keys: Vec<String> =
        desk.stripe.received("create").iter().map(|call| call.body.clone()).collect();
    assert_eq!(keys[0], keys[1], "the same bytes");
}

fn a_lost_call_is_made_again(kind: DatabaseKind) {
    let desk = Desk::hasty(kind);
    for reply in lost() {
        let gone = Behaviour::Instead(reply.clone());
        desk.stripe.script("create", [gone.clone(), gone]);
        let payment = desk.pay("card", &json!({}));
        let _ = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
        assert_eq!(desk.times(&payment), 1, "{reply:?}");
    }
}

fn a_stored_failure_is_looked_for_among_many(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stripe.script("create", [Behaviour::Then(Reply::status(500))]);
    let payment = desk.pay("card", &json!({}));
    assert_eq!(payment["outcome"], "unknown");
    // It is not on the first page of what was made since.
    desk.stripe.books(|books| books.crowd(250));
    let _ = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
    assert_eq!((desk.times(&payment), desk.stripe.received("create").len()), (1, 2));
    assert_eq!(desk.stripe.received("list").len(), 3);
}

fn a_stored_failure_without_an_effect_is_given_up(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stripe.script("create", [Behaviour::Instead(Reply::status(503))]);
    let payment = desk.pay("card", &json!({}));
    let given_up = desk.in_time(&payment, |seen| seen["status"] == "failed");
    assert_eq!(given_up["failure"]["code"], "provider_error", "{given_up}");
    assert_eq!((desk.times(&payment), desk.stripe.received("list").len()), (0, 3));
}

fn a_page_whose_answer_is_lost_is_found(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stripe.script("create", [Behaviour::Then(Reply::status(500))]);
    let payment = desk.pay("card", &json!({"returnUrl": "https://shop.example/gracias"}));
    let found = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
    assert!(found["instructions"]["url"].is_string(), "{found}");
    assert_eq!(desk.times(&payment), 1);
}

fn a_transfer_keeps_its_customer(kind: DatabaseKind) {
    let desk = Desk::hasty(kind);
    // That a customer was made moves no money: the payment itself was not asked for.
    desk.stripe.script("customer", [Behaviour::Then(Reply::Reset)]);
    let payment = desk.pay("spei", &json!({}));
    assert_eq!((&payment["status"], &payment["outcome"]), (&json!("pending"), &json!("known")));
    let _ = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
    let calls = desk.stripe.received("create");
    assert!(calls[0].form().contains(&("customer".to_owned(), "cus_0001".to_owned())));
    assert_eq!((calls.len(), desk.times(&payment)), (1, 1));
}

fn a_call_that_is_not_taken_waits(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.till.shop.app.hold_clock();
    let busy = Reply::Http(429, vec![("Retry-After", "60")], String::new());
    desk.stripe.script("create", [Behaviour::Instead(busy)]);
    let payment = desk.pay("card", &json!({}));
    assert_eq!((&payment["status"], &payment["outcome"]), (&json!("pending"), &json!("known")));
    desk.till.shop.app.advance_seconds(50);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(desk.stripe.received("create").len(), 1, "it has asked us to wait");
    desk.till.shop.app.advance_seconds(15);
    let _ = desk.till.once(&payment, "requires_action");
}

fn where_nobody_listens_nothing_is_in_doubt(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let shop = &desk.till.shop;
    // The port is free again once its listener is gone.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let again = shop.app.again().collecting_with(|set| set.stripe_url = format!("http://{gone}"));
    let other = again.start();
    let ask = json!({"method": "card", "amount": 100, "currency": "MXN"});
    let payment = shop.client.at(&other).post("/payments", &ask).expect(201);
    assert_eq!((&payment["status"], &payment["outcome"]), (&json!("pending"), &json!("known")));
    drop(other);
    let _ = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
    assert_eq!(desk.times(&payment), 1);
}

fn wrong_credentials_wait_for_right_ones(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.set_up(&json!({"key": "sk_test_otra"}));
    let payment = desk.pay("card", &json!({}));
    assert_eq!((&payment["status"], &payment["outcome"]), (&json!("pending"), &json!("known")));
    desk.set_up(&json!({"key": testkit::stripe::KEY}));
    let _ = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
    assert_eq!(desk.times(&payment), 1);
}

fn a_gateway_does_not_speak_for_stripe(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let page = Reply::Http(400, Vec::new(), "<html>Bad Request</html>".to_owned());
    desk.stripe.script("create", [Behaviour::Then(page)]);
    let payment = desk.pay("card", &json!({}));
    assert_eq!(payment["outcome"], "unknown");
    let _ = desk.in_time(&payment, |seen| seen["status"] == "requires_action");
    assert_eq!(desk.times(&payment), 1);
    // Stripe itself does.
    let error = json!({"error": {"type": "invalid_request_error", "message": "No such thing"}});
    desk.stripe
        .script("create", [Behaviour::Instead(Reply::Http(400, Vec::new(), error.to_string()))]);
    let refused = desk.pay("card", &json!({}));
    assert_eq!(
        (&refused["status"], &refused["failure"]["code"], &refused["failure"]["message"]),
        (&json!("failed"), &json!("invalid_request"), &json!("No such thing"))
    );
}

fn a_capture_whose_answer_is_lost_is_made_once(kind: DatabaseKind) {
    let desk = Desk::hasty(kind);
    for reply in [Reply::Reset, Reply::status(500)] {
        let payment = desk.pay("card", &json!({"capture": false}));
        desk.stripe.books(|books| books.of(&payment).pay());
        assert_eq!(desk.sync(&payment)["status"], "authorized");
        desk.stripe.script("capture", [Behaviour::Then(reply)]);
        let asked = desk.till.act(&payment, "capture", &json!({"amount": 70})).expect(200);
        assert_eq!(
            (&asked["status"], &asked["outcome"]),
            (&json!("authorized"), &json!("unknown"))
        );
        let paid = desk.in_time(&payment, |seen| seen["status"] == "paid");
        assert_eq!((&paid["amountCaptured"], &paid["outcome"]), (&json!(70), &json!("known")));
    }
}
