//! Stripe's list beside our payments.

use serde_json::{Value, json};
use testkit::{
    DatabaseKind, on_both,
    provider::{Behaviour, Reply},
};

use super::desk::Desk;
use crate::{
    orders::shop::id,
    payments::reconciling::{around, compared, outcomes},
};

on_both!(a_list_is_compared_page_by_page, a_list_that_breaks_off_tells_nothing,);

fn a_list_is_compared_page_by_page(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let paid = desk.paid();
    // More refunds than one answer holds.
    for _ in 0..12 {
        let _ = desk.till.act(&paid, "refunds", &json!({"amount": 2})).expect(201);
    }
    let held = desk.pay("card", &json!({"capture": false}));
    desk.stripe.books(|books| books.of(&held).pay());
    let held = desk.sync(&held);
    assert_eq!(held["status"], "authorized");
    let payer = json!({"name": "Ana Torres", "email": "ana@shop.example"});
    let slip = desk.pay("oxxo", &json!({"payer": payer}));
    let transfer = desk.pay("spei", &json!({}));
    let back = json!({"returnUrl": "https://shop.example.com/back"});
    let page = desk.pay("card", &back);
    desk.stripe.books(|books| books.pay_on_page(&page).metadata.clone());
    let page = desk.sync(&page);
    assert_eq!(page["status"], "paid");
    // Nobody has begun to pay there, so there is nothing in the list.
    let open = desk.pay("card", &back);
    let (lost, changed, off) = (desk.paid(), desk.paid(), desk.pay("card", &json!({})));
    let off = desk.till.act(&off, "cancel", &json!({})).expect(200);
    desk.stripe.books(|books| {
        books.of(&changed).refund(2_500, json!({})).unwrap();
        books.crowd(120);
        books.forget(&lost);
    });
    let asked = desk.stripe.received("list").len();
    let busy = Reply::Http(429, vec![("retry-after", "1")], String::new());
    desk.stripe.script("list", [Behaviour::Documented, Behaviour::Instead(busy)]);
    let told = compared(&desk.till);
    assert_eq!((&told["compared"], &told["notCompared"]), (&json!(["stripe"]), &json!([])));
    let rows = outcomes(&told);
    let row = |payment: &Value, outcome: &str| (id(payment), outcome.to_owned());
    for matched in [&paid, &held, &slip, &transfer, &page, &open, &off] {
        let row = row(matched, "matched");
        assert!(rows.contains(&row), "{row:?}: {told}");
    }
    assert!(rows.contains(&row(&lost, "missing_there")), "{rows:?}");
    assert!(rows.contains(&row(&changed, "different")), "{rows:?}");
    let strange = rows.iter().filter(|(_, outcome)| outcome == "missing_here").count();
    assert_eq!((strange, rows.len()), (120, 129));
    let pages = desk.stripe.received("list").into_iter().skip(asked);
    let pages: Vec<_> = pages.filter(|page| page.path == "/v1/payment_intents").collect();
    assert_eq!(pages.len(), 3, "two pages, and one that was asked for twice");
    assert!(pages[2].query.contains("starting_after=pi_"), "{}", pages[2].query);
    // Nothing was made in another time.
    let now = desk.till.shop.app.now();
    let query = format!("from={}&to={}", now.plus_seconds(60), now.plus_seconds(120));
    let path = format!("/payments/reconciliation?{query}");
    assert_eq!(desk.till.shop.client.get(&path).expect(200)["data"], json!([]));
}

fn a_list_that_breaks_off_tells_nothing(kind: DatabaseKind) {
    let desk = Desk::hasty(kind);
    let _ = desk.paid();
    desk.stripe.books(|books| books.crowd(101));
    let path = format!("/payments/reconciliation?{}", around(&desk.till));
    let ask = || desk.till.shop.client.get(&path);
    let patience = Reply::Http(429, vec![("retry-after", "60")], String::new());
    for fault in [Reply::status(500), Reply::Reset, Reply::Half, Reply::Hang, patience] {
        desk.stripe.script("list", [Behaviour::Documented, Behaviour::Instead(fault.clone())]);
        let said = ask().refused(502, "provider_error");
        assert!(said.contains("nothing has changed"), "{fault:?}: {said}");
    }
    let _ = ask().expect(200);
}
