//! Payments through the embedded provider: what its payers and banks do.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Receiver, Reply, on_both};

use super::{
    links::{Payer, link},
    till::Till,
};
use crate::{
    languages::told_apart,
    orders::shop::{Shop, id},
};

on_both!(
    what_was_never_sent_is_called_off_at_once,
    what_may_have_been_sent_is_not_called_off_before_it_is_known,
    a_card_pays_an_order,
    a_card_is_declined,
    a_transfer_waits_for_its_payer,
    what_is_authorized_is_captured_once,
    what_is_authorized_can_be_called_off,
    another_amount_counts_for_nothing_until_somebody_decides,
    money_that_comes_late_is_not_lost,
    a_lost_answer_is_found_out,
    only_the_sandbox_is_simulated,
    the_jobs_of_payments_make_no_file,
    what_is_still_to_come_is_told_in_the_language_of_the_reader,
);

fn a_card_pays_an_order(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let payment = till.pay(&json!({"orderId": order, "method": "card"}));
    assert_eq!(
        (&payment["status"], &payment["provider"], &payment["outcome"]),
        (&json!("paid"), &json!("sandbox"), &json!("known"))
    );
    let last4 = payment["card"]["last4"].as_str().unwrap();
    assert!(last4.len() == 4 && last4.bytes().all(|byte| byte.is_ascii_digit()), "{payment}");
    assert_eq!(till.order_now(&order)["status"], "paid");
    assert_eq!(till.shop.told("payment.received").len(), 1);
    // The notification comes on top, and changes nothing.
    let told = |page: &Value| {
        page["data"].as_array().unwrap().iter().any(|row| row["status"] == "processed")
    };
    let page = till.shop.client.once("/payments/notifications", told);
    assert_eq!(page["data"][0]["paymentId"], payment["id"]);
    assert_eq!(page["data"][0]["signed"], true);
    assert_eq!(till.shop.told("payment.received").len(), 1);
    assert_eq!(till.order_now(&order)["amountPaid"], 100);
}

fn a_card_is_declined(kind: DatabaseKind) {
    let till = Till::open(kind);
    for (amount, code) in
        [(7_000.01, "card_declined"), (7_000.02, "insufficient_funds"), (7_000.03, "expired_card")]
    {
        let payment = till.by_card(amount);
        assert_eq!((&payment["status"], &payment["amountCaptured"]), (&json!("failed"), &json!(0)));
        assert_eq!(payment["failure"]["code"], code, "{payment}");
        assert_eq!(payment["failure"]["retryable"], true);
        let words = |language: &str| {
            let path = format!("/payments/{}", id(&payment));
            let request = till.shop.client.request("GET", &path);
            let reply = Reply::to(request.header("Accept-Language", language));
            assert_eq!(reply.header("content-language"), Some(language));
            reply.json()["failure"]["message"].as_str().unwrap().to_owned()
        };
        assert!(words("es").to_lowercase().contains("tarjeta"), "{}", words("es"));
        assert!(words("en").contains("card"), "{}", words("en"));
        let _ = told_apart(&till.shop.client, &format!("/payments/{}", id(&payment)));
    }
    let told = till.shop.told("payment.failed");
    assert_eq!((told.len(), &told[0]["code"]), (3, &json!("card_declined")));
    assert!(till.shop.told("payment.received").is_empty());
}

fn a_transfer_waits_for_its_payer(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let payment = till.pay(&json!({"orderId": order, "method": "spei"}));
    assert_eq!(payment["status"], "requires_action");
    let clabe = payment["instructions"]["clabe"].as_str().unwrap();
    assert!(clabe.len() == 18 && clabe.bytes().all(|byte| byte.is_ascii_digit()), "{payment}");
    assert_eq!(payment["instructions"]["expiresAt"], payment["expiresAt"]);
    assert_eq!(till.order_now(&order)["status"], "pending");
    let half = till.act(&payment, "simulate", &json!({"event": "pay", "amount": 40})).expect(200);
    assert_eq!((&half["amountReceived"], &half["amountCaptured"]), (&json!(40), &json!(0)));
    let paid = till.act(&payment, "simulate", &json!({"event": "pay", "amount": 60})).expect(200);
    assert_eq!((&paid["status"], &paid["amountCaptured"]), (&json!("paid"), &json!(100)));
    assert_eq!(paid["satPaymentForm"], "03");
    assert_eq!(till.order_now(&order)["status"], "paid");
    let again = till.act(&payment, "simulate", &json!({"event": "expire"}));
    let said = again.refused(409, "conflict");
    assert!(said.starts_with("the sandbox refuses"), "{said}");
}

fn what_is_authorized_is_captured_once(kind: DatabaseKind) {
    let till = Till::open(kind);
    let body = json!({"method": "card", "amount": 80, "currency": "MXN", "capture": false});
    let payment = till.pay(&body);
    assert_eq!(
        (&payment["status"], &payment["amountAuthorized"], &payment["amountCaptured"]),
        (&json!("authorized"), &json!(80), &json!(0))
    );
    assert_eq!(till.shop.told("payment.authorized").len(), 1);
    let more = till.act(&payment, "capture", &json!({"amount": 80.01}));
    assert!(more.refused(409, "amount_exceeds_authorized").contains("at most 80,"));
    let captured = till.act(&payment, "capture", &json!({"amount": 50})).expect(200);
    assert_eq!(
        (&captured["status"], &captured["amountCaptured"], &captured["amountRefundable"]),
        (&json!("paid"), &json!(50), &json!(50))
    );
    let said = till.act(&payment, "capture", &json!({})).refused(409, "invalid_transition");
    assert!(said.contains("is paid") && said.contains("authorized"), "{said}");
    assert_eq!(till.shop.told("payment.received")[0]["amount"], 50);
}

fn what_is_authorized_can_be_called_off(kind: DatabaseKind) {
    let till = Till::open(kind);
    let body = json!({"method": "card", "amount": 80, "currency": "MXN", "capture": false});
    let payment = till.pay(&body);
    for _ in 0..2 {
        let path = format!("/payments/{}/cancel", id(&payment));
        assert_eq!(till.shop.client.act(&path).expect(200)["status"], "canceled");
    }
    assert_eq!(till.shop.told("payment.canceled").len(), 1);
    let paid = till.by_card(10.0);
    let _ = till.act(&paid, "cancel", &json!({})).refused(409, "invalid_transition");
}

fn another_amount_counts_for_nothing_until_somebody_decides(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(200);
    let ask = json!({"orderId": order, "method": "card", "amount": 7_000.19});
    let payment = till.pay(&ask);
    assert_eq!((&payment["flags"], &payment["amountCaptured"]), (&json!(["conflict"]), &json!(0)));
    let conflict =
        json!({"amount": 6_999.19, "currency": "MXN", "captured": 6_999.19, "rejected": false});
    assert_eq!(payment["conflict"], conflict);
    assert_eq!(till.order_now(&order)["amountPaid"], 0);
    let body = json!({"resolution": "accept", "note": "Seen at the provider"});
    let resolved = till.act(&payment, "resolve", &body).expect(200);
    assert_eq!(
        (&resolved["status"], &resolved["conflict"], &resolved["amountCaptured"]),
        (&json!("paid"), &json!(null), &json!(6_999.19))
    );
    assert_eq!(till.order_now(&order)["amountPaid"], 6_999.19);
    let _ = till.act(&payment, "resolve", &body).refused(409, "conflict");
    assert_eq!(till.shop.told("payment.received")[0]["amount"], 6_999.19);
    let other = till.by_card(7_000.19);
    let rejected = till.act(&other, "resolve", &json!({"resolution": "reject"})).expect(200);
    assert_eq!((&rejected["amountCaptured"], &rejected["flags"]), (&json!(0), &json!([])));
    assert_eq!(rejected["conflict"]["rejected"], true);
    assert_eq!(till.shop.told("payment.received").len(), 1);
    // Who has decided is on record.
    let accepted = json!([["key", "payment.accepted", "Seen at the provider"]]);
    assert_eq!(audited(&till, &payment), accepted);
    assert_eq!(audited(&till, &other), json!([["key", "payment.rejected", null]]));
}

/// What the audit log has about a payment: by whom, what was done, and what was said about it.
#[track_caller]
fn audited(till: &Till, payment: &Value) -> Value {
    let client = till.shop.app.client_of(till.shop.account, "*");
    let page = client.get(&format!("/audit?resource={}", id(payment))).expect(200);
    let entries = page["data"].as_array().unwrap().iter();
    entries.map(|one| json!([one["actor"]["type"], one["action"], one["note"]])).collect()
}

fn money_that_comes_late_is_not_lost(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.pay(&json!({"method": "spei", "amount": 7_000.20, "currency": "MXN"}));
    let sync = format!("/payments/{}/sync", id(&payment));
    till.shop.app.advance_seconds(10);
    let late = till.shop.client.act(&sync).expect(200);
    assert_eq!((&late["status"], &late["amountCaptured"]), (&json!("paid"), &json!(7_000.20)));
    let _ = till.once(&payment, "paid");
}

fn a_lost_answer_is_found_out(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(7_000.06);
    assert_eq!(
        (&payment["status"], &payment["outcome"]),
        (&json!("pending"), &json!("unknown")),
        "{payment}"
    );
    let sync = format!("/payments/{}/sync", id(&payment));
    let found = till.shop.client.act(&sync).expect(200);
    assert_eq!((&found["status"], &found["outcome"]), (&json!("paid"), &json!("known")));
    assert_eq!(till.shop.told("payment.received").len(), 1);
}

fn only_the_sandbox_is_simulated(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.pay(&json!({"method": "cash", "amount": 10, "currency": "MXN"}));
    let said = till.act(&payment, "simulate", &json!({"event": "pay"})).refused(409, "conflict");
    assert!(said.contains("sandbox"), "{said}");
    let said = till.act(&payment, "simulate", &json!({"event": "steal"}));
    assert!(said.refused(400, "validation_failed").starts_with("event must be one of pay"));
}

fn the_jobs_of_payments_make_no_file(kind: DatabaseKind) {
    let till = Till::open(kind);
    let _ = till.by_card(10.0);
    let jobs = till.shop.client.get("/jobs").expect(200);
    let call = jobs["data"].as_array().unwrap().iter().find(|job| job["kind"] == "payments.call");
    let file = format!("/jobs/{}/file", id(call.expect("the call was made by a job")));
    let message = till.shop.client.get(&file).refused(409, "conflict");
    assert!(message.contains("has made no file"), "{message}");
}

fn what_is_still_to_come_is_told_in_the_language_of_the_reader(kind: DatabaseKind) {
    let till = Till::open(kind);
    // It is told that it waits for its payer, and lapses some day.
    let _ = till.pay(&json!({"method": "spei", "amount": 10, "currency": "MXN"}));
    let path = "/jobs?kind=payments.sandbox";
    let english = "the payment is about to change";
    let told = |page: &Value| {
        page["data"][0]["lastError"].as_str().is_some_and(|said| said.starts_with(english))
    };
    let _ = till.shop.client.once(path, told);
    for (language, wanted) in [("en", english), ("es", "el pago está por cambiar")] {
        let request = till.shop.client.request("GET", path).header("Accept-Language", language);
        let page = Reply::to(request).expect(200);
        let said = page["data"][0]["lastError"].as_str().unwrap();
        assert!(said.starts_with(wanted), "{said}");
    }
}

fn what_was_never_sent_is_called_off_at_once(kind: DatabaseKind) {
    let till = Till::open(kind);
    till.shop.app.hold_clock();
    let waiting = till.by_card(7_000.08);
    assert_eq!((&waiting["status"], &waiting["outcome"]), (&json!("pending"), &json!("known")));
    // Why it waits is told in the language of whoever asks.
    let [english, spanish] = ["en", "es"].map(|language| {
        let request = till.shop.client.request("GET", "/jobs?kind=payments.call");
        Reply::to(request.header("Accept-Language", language)).expect(200)["data"][0]["lastError"]
            .clone()
    });
    assert!(english.is_string() && spanish.is_string() && english != spanish, "{english}");
    let off = till.act(&waiting, "cancel", &json!({})).expect(200);
    assert_eq!(off["status"], "canceled");
    assert_eq!(till.shop.told("payment.canceled").len(), 1);
    // Once more, and when the provider can be reached again: nothing is asked for.
    assert_eq!(till.act(&waiting, "cancel", &json!({})).expect(200)["version"], off["version"]);
    till.shop.app.advance_seconds(60);
    let other = till.by_card(10.0);
    assert_eq!(other["status"], "paid");
    assert_eq!(till.read(&waiting)["status"], "canceled");
    let booked = till.shop.app.database.lines("SELECT payment_id AS line FROM sandbox_charges");
    assert_eq!(booked, [id(&other)]);
    // Its place is free again.
    let (made, page) = link(&till, &json!({"title": "A bed", "amount": 7_000.08}));
    let made = format!("/payment-links/{}", id(&made));
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "card");
    assert!(payer.sees(&attempt).text.contains(&format!("{attempt}/cancel")));
    let begun = till.shop.client.get(&made).expect(200);
    assert_eq!(begun["paymentsOpen"], 1);
    let gone = payer.sends(&format!("{attempt}/cancel"), &[]);
    assert_eq!((gone.status, gone.header("location")), (303, Some(page.as_str())));
    let free = till.shop.client.get(&made).expect(200);
    assert_eq!((&free["paymentsOpen"], &free["status"]), (&json!(0), &json!("active")));
}

fn what_may_have_been_sent_is_not_called_off_before_it_is_known(kind: DatabaseKind) {
    // Its notifications go elsewhere: here it is found out by asking.
    let elsewhere = Receiver::start();
    let url = elsewhere.url("");
    let app = App::with(kind).api(|settings| settings.public_url = Some(url)).start();
    let till = Till::of(Shop::of(app));
    till.shop.app.hold_clock();
    let lost = till.by_card(7_000.06);
    assert_eq!((&lost["status"], &lost["outcome"]), (&json!("pending"), &json!("unknown")));
    let said = till.act(&lost, "cancel", &json!({})).refused(409, "call_in_progress");
    let next = till.shop.app.now().plus_seconds(5);
    assert!(said.contains(&format!("it is asked again at {next}")), "{said}");
    till.shop.app.advance_seconds(6);
    let paid = till.once(&lost, "paid");
    assert_eq!(paid["amountCaptured"], json!(7_000.06));
}
