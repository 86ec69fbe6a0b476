//! Money that Stripe gives back.

use serde_json::{Value, json};
use testkit::{
    DatabaseKind, on_both,
    provider::{Behaviour, Reply},
};

use super::desk::Desk;
use crate::orders::shop::id;

on_both!(
    a_refund_names_itself,
    a_refund_fails_after_it_had_succeeded,
    a_refund_whose_answer_is_lost_is_made_once,
    a_refund_whose_failure_is_stored_is_looked_for,
    refunds_made_there_are_recorded_once_however_many,
    a_refused_refund_frees_what_it_held,
);

fn once(desk: &Desk, refund: &Value, status: &str) -> Value {
    for _ in 0..200 {
        let seen = desk.till.shop.client.get(&format!("/refunds/{}", id(refund))).expect(200);
        if seen["status"] == status {
            return seen;
        }
        desk.till.shop.app.advance_seconds(30);
        std::thread::sleep(std::time::Duration::from_millis(60));
    }
    panic!("{refund}");
}

fn a_refund_names_itself(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    let refund = desk.till.act(&payment, "refunds", &json!({"amount": 30.5})).expect(201);
    assert_eq!(refund["status"], "succeeded");
    let call = &desk.stripe.received("refund")[0];
    let form = call.form();
    for (name, value) in [
        ("payment_intent", "pi_0001"),
        ("amount", "3050"),
        ("metadata[refund]", &id(&refund)),
        ("metadata[payment]", &id(&payment)),
    ] {
        assert!(form.contains(&(name.to_owned(), value.to_owned())), "{name}: {form:?}");
    }
    let seen = desk.sync(&payment);
    assert_eq!((&seen["amountRefunded"], &seen["refundStatus"]), (&json!(30.5), &json!("partial")));
    assert_eq!(desk.till.shop.client.get("/refunds").expect(200)["total"], 1);
}

fn a_refund_fails_after_it_had_succeeded(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    let refund = desk.till.act(&payment, "refunds", &json!({})).expect(201);
    assert_eq!(desk.till.read(&payment)["refundStatus"], "full");
    desk.tell("refund.failed", |books| {
        let intent = books.of(&payment);
        intent.fail_refund();
        let mut refund = intent.shown();
        refund["object"] = json!("refund");
        refund["payment_intent"] = json!(intent.id);
        refund
    });
    let failed = once(&desk, &refund, "failed");
    assert_eq!(
        (&failed["failure"]["code"], &failed["failure"]["message"]),
        (&json!("refund_failed"), &json!("expired or canceled card"))
    );
    let freed = desk.till.read(&payment);
    assert_eq!((&freed["amountRefunded"], &freed["amountRefundable"]), (&json!(0), &json!(100)));
    assert_eq!(desk.till.shop.told("refund.failed").len(), 1);
}

fn a_refund_whose_answer_is_lost_is_made_once(kind: DatabaseKind) {
    let desk = Desk::hasty(kind);
    for reply in [Reply::Reset, Reply::Half, Reply::status(409), Reply::status(302)] {
        let payment = desk.paid();
        desk.stripe.script("refund", [Behaviour::Then(reply.clone())]);
        let refund = desk.till.act(&payment, "refunds", &json!({"amount": 40})).expect(201);
        assert_eq!(refund["status"], "pending", "{reply:?}: {refund}");
        let _ = once(&desk, &refund, "succeeded");
        let made = desk.stripe.books(|books| books.of(&payment).refunds.len());
        assert_eq!(made, 1, "{reply:?}");
        assert_eq!(desk.till.read(&payment)["amountRefundable"], 60);
    }
}

fn a_refund_whose_failure_is_stored_is_looked_for(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    desk.stripe.script("refund", [Behaviour::Then(Reply::status(500))]);
    let refund = desk.till.act(&payment, "refunds", &json!({"amount": 40})).expect(201);
    let _ = once(&desk, &refund, "succeeded");
    assert_eq!(desk.stripe.books(|books| books.of(&payment).refunds.len()), 1);
    assert_eq!(desk.stripe.received("refund").len(), 2, "the stored failure is met once");
    // Another that had no effect either is given up, and holds nothing any more.
    desk.stripe.script("refund", [Behaviour::Instead(Reply::status(500))]);
    let refund = desk.till.act(&payment, "refunds", &json!({"amount": 60})).expect(201);
    let failed = once(&desk, &refund, "failed");
    assert_eq!(failed["failure"]["code"], "provider_error");
    assert_eq!(desk.till.read(&payment)["amountRefundable"], 60);
}

fn refunds_made_there_are_recorded_once_however_many(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    desk.tell("charge.refunded", |books| {
        let intent = books.of(&payment);
        for _ in 0..12 {
            assert!(intent.refund(500, json!({})).is_ok(), "there is so much left");
        }
        intent.shown()
    });
    let path = format!("/payments/{}", id(&payment));
    let _ = desk.till.shop.client.once(&path, |seen| seen["amountRefunded"] == 60);
    let _ = desk.sync(&payment);
    let page = desk.till.shop.client.get("/refunds?limit=50").expect(200);
    assert_eq!((&page["total"], &page["data"][0]["origin"]), (&json!(12), &json!("external")));
}

fn a_refused_refund_frees_what_it_held(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    desk.stripe.books(|books| {
        let made = books.of(&payment).refund(10_000, json!({}));
        assert!(made.is_ok());
    });
    let refund = desk.till.act(&payment, "refunds", &json!({"amount": 40})).expect(201);
    assert_eq!(
        (&refund["status"], &refund["failure"]["code"]),
        (&json!("failed"), &json!("not_refundable"))
    );
    assert_eq!(desk.sync(&payment)["refundStatus"], "full");
}
