//! Payments and notifications, judged by what others have written: `cargo xtask judge-payments`.

use std::path::Path;

use payments::sandbox;
use serde_json::{Value, json};
use testkit::{
    App, DatabaseKind, Reply,
    judges::{LocalStripe, python, verdicts},
    mercadopago, on_both,
    stripe::{KEY, SECRET, event},
};

use super::{
    reconciling::{compared, outcomes},
    till::Till,
};
use crate::orders::shop::{Shop, id};

on_both!(
    localstripe_takes_and_gives_back,
    signatures_are_those_of_stripe_s_library,
    signatures_are_those_of_mercado_pago_s_library,
);

/// A till whose cards are taken by Stripe at an address.
fn till(kind: DatabaseKind, url: &str, key: &str) -> Till {
    let app = App::with(kind).collecting_with(|set| url.clone_into(&mut set.stripe_url)).start();
    let till = Till::of(Shop::of(app));
    let body = json!({"key": key, "notificationSecret": SECRET, "default": true});
    let _ = till.shop.client.send("PUT", "/payments/providers/stripe", &body).expect(200);
    till
}

fn localstripe_takes_and_gives_back(kind: DatabaseKind) {
    let Some(python) = python() else { return };
    let stripe = LocalStripe::start(&python);
    let till = till(kind, &stripe.url(), LocalStripe::KEY);
    let hook =
        format!("{}/api/v1/hooks/payments/stripe/{}", till.shop.app.origin(), till.shop.account);
    let (status, _) = stripe.post("/_config/webhooks/till", &[("url", &hook), ("secret", SECRET)]);
    assert_eq!(status, 200);
    for (capture, number) in [(true, "4242424242424242"), (false, "4242424242424242")] {
        let order = till.order(2);
        let ask = json!({"orderId": order, "method": "card", "capture": capture});
        let payment = till.pay(&ask);
        assert_eq!(payment["status"], "requires_action", "{payment}");
        assert_eq!(typed(&stripe, &payment, number), 200);
        let held = match capture {
            // It tells of this by itself, with a signature of its own making.
            true => till.once(&payment, "paid"),
            false => {
                let path = format!("/payments/{}/sync", id(&payment));
                let held = till.shop.client.act(&path).expect(200);
                assert_eq!(held["status"], "authorized", "{held}");
                till.act(&payment, "capture", &json!({})).expect(200)
            }
        };
        assert_eq!((&held["status"], &held["amountCaptured"]), (&json!("paid"), &json!(100)));
        assert_eq!(till.order_now(&order)["status"], "paid");
        let part = till.act(&payment, "refunds", &json!({"amount": 30})).expect(201);
        assert_eq!(part["status"], "succeeded");
        // It would give back more than was paid; we do not ask for it.
        let more = till.act(&payment, "refunds", &json!({"amount": 71}));
        let _ = more.refused(409, "refund_exceeds_refundable");
        let rest = till.act(&payment, "refunds", &json!({})).expect(201);
        assert_eq!((&rest["amount"], &rest["status"]), (&json!(70), &json!("succeeded")));
        let path = format!("/payments/{}/sync", id(&payment));
        let seen = till.shop.client.act(&path).expect(200);
        assert_eq!((&seen["amountRefunded"], &seen["refundStatus"]), (&json!(100), &json!("full")));
    }
    let refunds = till.shop.client.get("/refunds").expect(200);
    assert_eq!(refunds["total"], 4, "ours are known again: {refunds}");
    declined_and_called_off(&till, &stripe);
    // Its list, of which it makes pages and objects, is what we have.
    let told = compared(&till);
    let rows = outcomes(&told);
    assert_eq!((rows.len(), &told["compared"]), (3, &json!(["stripe"])), "{told}");
    assert!(rows.iter().all(|(_, outcome)| outcome == "matched"), "{told}");
}

fn declined_and_called_off(till: &Till, stripe: &LocalStripe) {
    let payment = till.by_card(100.0);
    assert_eq!(typed(stripe, &payment, "4000000000000341"), 402);
    let path = format!("/payments/{}", id(&payment));
    let tried = till.shop.client.once(&path, |seen| !seen["failure"].is_null());
    assert_eq!(
        (&tried["status"], &tried["failure"]["code"]),
        (&json!("requires_action"), &json!("card_declined"))
    );
    let cancelled = till.act(&payment, "cancel", &json!({})).expect(200);
    assert_eq!(cancelled["status"], "canceled");
}

/// The payer types a card into the merchant's page; the status of what comes of it.
fn typed(stripe: &LocalStripe, payment: &Value, number: &str) -> u16 {
    let secret = payment["instructions"]["clientSecret"].as_str().unwrap();
    let (intent, _) = secret.split_once("_secret_").unwrap();
    let (_, method) = stripe.post(
        "/v1/payment_methods",
        &[
            ("type", "card"),
            ("card[number]", number),
            ("card[exp_month]", "12"),
            ("card[exp_year]", "2040"),
            ("card[cvc]", "123"),
        ],
    );
    let path = format!("/v1/payment_intents/{intent}");
    let (status, _) = stripe.post(&path, &[("payment_method", method["id"].as_str().unwrap())]);
    assert_eq!(status, 200);
    stripe.post(&format!("{path}/confirm"), &[]).0
}

fn signatures_are_those_of_stripe_s_library(kind: DatabaseKind) {
    let Some(python) = python() else { return };
    let till = till(kind, "http://127.0.0.1:9", KEY);
    let body = event("evt_1", "payout.paid", &json!({"object": "payout", "name": "Niño €"}));
    let now = till.shop.app.now();
    let seconds = now.micros() / 1_000_000;
    let theirs = signed(&python, &body, seconds);
    let ours = sandbox::sign(SECRET, body.as_bytes(), now);
    assert_eq!(theirs, ours, "the sandbox signs as Stripe does");
    let (moment, tag) = theirs.split_once(',').unwrap();
    let old = signed(&python, &body, seconds - 400);
    let headers = [
        theirs.clone(),
        format!("{theirs},{}", tag.replace('1', "2")),
        format!("{moment},v1=00,{tag}"),
        format!("{moment},v0=00,{tag}"),
        signed(&python, &body, seconds - 200),
        old,
        theirs.replace("v1=", "v0="),
        theirs.replace("t=", "t=1"),
        theirs.replace("t=", "u="),
        format!("{theirs}00"),
        moment.to_owned(),
        tag.to_owned(),
        "t=,v1=".to_owned(),
        String::new(),
    ];
    let case =
        |header: &String| json!({"op": "verify", "body": body, "secret": SECRET, "header": header});
    let cases: Vec<Value> = headers.iter().map(case).collect();
    let judged = verdicts(&python, "signatures.py", &json!(cases));
    assert_eq!(judged.iter().filter(|verdict| **verdict == json!(true)).count(), 5);
    for (header, verdict) in headers.iter().zip(judged) {
        let path = format!("/api/v1/hooks/payments/stripe/{}", till.shop.account);
        let request = till.shop.app.anonymous().request("POST", &path);
        let reply = Reply::to(request.header("Stripe-Signature", header).body(body.clone()));
        let expected = if verdict == json!(true) { 200 } else { 401 };
        assert_eq!(reply.status, expected, "{header}");
    }
}

fn signatures_are_those_of_mercado_pago_s_library(kind: DatabaseKind) {
    let Some(python) = python() else { return };
    let shop = Shop::of(App::start(kind));
    let secret = mercadopago::SECRET;
    let body = json!({"key": mercadopago::KEY, "notificationSecret": secret});
    let _ = shop.client.send("PUT", "/payments/providers/mercadopago", &body).expect(200);
    let now = shop.app.now();
    let right = mercadopago::signature(secret, "123456", "req-1", now);
    let (moment, tag) = right.split_once(',').unwrap();
    let headers = [
        right.clone(),
        format!("{tag},{moment}"),
        format!("{moment}, {tag}"),
        format!("{right},v2=00"),
        format!("{moment}000,{tag}"),
        mercadopago::signature("otro", "123456", "req-1", now),
        mercadopago::signature(secret, "123457", "req-1", now),
        mercadopago::signature(secret, "123456", "req-2", now),
        format!("{right}00"),
        right.replace("v1=", "v2="),
        right.replace("ts=", "ts=x"),
        moment.to_owned(),
        tag.to_owned(),
    ];
    let case = |header: &String| json!({"op": "mercadopago", "header": header, "request": "req-1", "id": "123456", "secret": secret});
    let cases: Vec<Value> = headers.iter().map(case).collect();
    let judged = verdicts(&python, "signatures.py", &json!(cases));
    assert_eq!(judged.iter().filter(|verdict| **verdict == json!(true)).count(), 4);
    for (header, verdict) in headers.iter().zip(judged) {
        let path = format!(
            "/api/v1/hooks/payments/mercadopago/{}?data.id=123456&type=payment",
            shop.account
        );
        let request = shop.app.anonymous().request("POST", &path).header("x-signature", header);
        let reply = Reply::to(request.header("x-request-id", "req-1").body("{}"));
        let expected = if verdict == json!(true) { 200 } else { 401 };
        assert_eq!(reply.status, expected, "{header}");
    }
}

/// The header that Stripe's library makes.
fn signed(python: &Path, body: &str, seconds: i64) -> String {
    let case = json!([{"op": "sign", "body": body, "secret": SECRET, "seconds": seconds}]);
    let header = verdicts(python, "signatures.py", &case);
    header[0].as_str().unwrap().to_owned()
}
