//! Payments through Conekta, which a double on this machine plays.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{
    App, DatabaseKind, FakeConekta, Reply,
    conekta::{KEY, digest, give_back, mark, public_key},
    on_both,
    provider::{Behaviour, Reply as Answered},
};

use super::{
    reconciling::{around, compared, outcomes},
    till::Till,
};
use crate::orders::shop::{Shop, id};

on_both!(
    a_card_is_typed_on_its_page,
    a_card_is_paid_in_installments,
    what_is_authorized_is_captured_whole,
    cash_and_transfers_wait_for_their_payers,
    a_payment_is_called_off_or_expires,
    what_is_lost_is_looked_for_and_never_repeated,
    a_call_that_never_came_is_given_up,
    a_lost_refund_is_known_by_its_amount,
    only_what_it_has_signed_is_taken_for_its_own,
    its_list_is_compared_page_by_page,
);

struct Desk {
    till: Till,
    provider: FakeConekta,
}

impl Desk {
    fn open(kind: DatabaseKind) -> Self {
        let provider = FakeConekta::start();
        let app = App::with(kind).collecting_with(|set| {
            set.conekta_url = provider.url();
            set.timeout = Duration::from_millis(900);
        });
        let till = Till::of(Shop::of(app.start()));
        let body = json!({"key": KEY, "notificationSecret": public_key(), "default": true});
        let client = &till.shop.client;
        let _ = client.send("PUT", "/payments/providers/conekta", &body).expect(200);
        Self { till, provider }
    }

    #[track_caller]
    fn pay(&self, method: &str, more: &Value) -> Value {
        let payer =
            json!({"name": "Ana Torres", "email": "ana@shop.example", "phone": "+525512345678"});
        let mut body = json!({"method": method, "amount": 100, "currency": "MXN", "payer": payer});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.till.pay(&body)
    }

    /// A card payment that was paid.
    #[track_caller]
    fn paid(&self) -> Value {
        let payment = self.pay("card", &json!({}));
        self.provider.books(|books| mark(books.of(&payment), "paid"));
        let paid = self.sync(&payment);
        assert_eq!(paid["status"], "paid", "{paid}");
        paid
    }

    #[track_caller]
    fn sync(&self, payment: &Value) -> Value {
        self.till.shop.client.act(&format!("/payments/{}/sync", id(payment))).expect(200)
    }

    fn notify(&self, header: Option<&str>, body: &str) -> Reply {
        let path = format!("/api/v1/hooks/payments/conekta/{}", self.till.shop.account);
        let mut request = self.till.shop.app.anonymous().request("POST", &path);
        if let Some(header) = header {
            request = request.header("DIGEST", header);
        }
        Reply::to(request.body(body.to_owned()))
    }

    /// An event about the order of a payment.
    fn event(&self, kind: &str, payment: &Value) -> String {
        let order = self.provider.books(|books| books.of(payment).clone());
        json!({"id": "6407b5bee1329a000175ba11", "object": "event", "type": kind,
            "data": {"object": order}})
        .to_string()
    }

    #[track_caller]
    fn in_time(&self, path: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..200 {
            let seen = self.till.shop.client.get(path).expect(200);
            if is_wanted(&seen) {
                return seen;
            }
            self.till.shop.app.advance_seconds(30);
            std::thread::sleep(Duration::from_millis(60));
        }
        panic!("{}", self.till.shop.client.get(path).text);
    }
}

fn a_card_is_typed_on_its_page(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({"returnUrl": "https://shop.example/gracias"}));
    assert_eq!(payment["status"], "requires_action");
    let url = payment["instructions"]["url"].as_str().unwrap();
    assert!(url.starts_with("https://pay.conekta.com/"), "{url}");
    let call = &desk.provider.received("create")[0];
    let body: Value = serde_json::from_str(&call.body).unwrap();
    assert_eq!(body["line_items"][0]["unit_price"], 10_000);
    assert_eq!(body["metadata"]["payment"], payment["id"]);
    assert_eq!(body["checkout"]["success_url"], "https://shop.example/gracias");
    desk.provider.books(|books| mark(books.of(&payment), "paid"));
    let body = desk.event("order.paid", &payment);
    assert_eq!(desk.notify(Some(&digest(&body)), &body).status, 200);
    let paid = desk.till.once(&payment, "paid");
    assert_eq!(
        (&paid["amountCaptured"], &paid["fee"], &paid["satPaymentForm"]),
        (&json!(100), &json!(3.9), &json!("04"))
    );
    assert_eq!(paid["card"], json!({"brand": "visa", "last4": "4242", "funding": "credit"}));
    for missing in ["name", "email", "phone"] {
        let mut payer = json!({"name": "Ana", "email": "a@shop.example", "phone": "+525512345678"});
        payer.as_object_mut().unwrap().remove(missing);
        let failed = desk.pay("card", &json!({ "payer": payer }));
        let words = failed["failure"]["message"].as_str().unwrap();
        assert!(words.starts_with(&format!("payer.{missing} ")), "{words}");
    }
}

fn a_card_is_paid_in_installments(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({"amount": 900, "installments": [3, 9]}));
    let call = &desk.provider.received("create")[0];
    let body: Value = serde_json::from_str(&call.body).unwrap();
    assert_eq!(body["checkout"]["monthly_installments_enabled"], true);
    assert_eq!(body["checkout"]["monthly_installments_options"], json!([3, 9]));
    desk.provider.books(|books| {
        let order = books.of(&payment);
        mark(order, "paid");
        order["charges"]["data"][0]["monthly_installments"] = json!(9);
    });
    let paid = desk.sync(&payment);
    assert_eq!(
        (&paid["status"], &paid["installmentsChosen"], &paid["satPaymentForm"]),
        (&json!("paid"), &json!(9), &json!("04"))
    );
    let plain = desk.pay("card", &json!({}));
    let body: Value = serde_json::from_str(&desk.provider.received("create")[1].body).unwrap();
    assert_eq!(body["checkout"]["monthly_installments_enabled"], false, "{plain}");
    let payer = json!({"name": "Ana", "email": "ana@shop.example", "phone": "+525512345678"});
    let long = json!({"method": "card", "amount": 9_000, "currency": "MXN", "payer": payer,
        "installments": [24]});
    let said = desk.till.ask(&long).refused(400, "validation_failed");
    assert!(said.contains("must be among 3, 6, 9, 12, 18, which the provider conekta"), "{said}");
}

fn what_is_authorized_is_captured_whole(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({"capture": false}));
    desk.provider.books(|books| mark(books.of(&payment), "pre_authorized"));
    assert_eq!(desk.sync(&payment)["amountAuthorized"], 100);
    let part = desk.till.act(&payment, "capture", &json!({"amount": 60})).expect(200);
    assert_eq!(
        (&part["status"], &part["failure"]["code"]),
        (&json!("authorized"), &json!("capture_failed"))
    );
    let whole = desk.till.act(&payment, "capture", &json!({})).expect(200);
    assert_eq!((&whole["status"], &whole["amountCaptured"]), (&json!("paid"), &json!(100)));
}

fn cash_and_transfers_wait_for_their_payers(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (slip, transfer) = (desk.pay("oxxo", &json!({})), desk.pay("spei", &json!({})));
    assert_eq!(slip["instructions"]["reference"], "93000262276908");
    assert_eq!(slip["instructions"]["barcode"], "93000262276908");
    assert_eq!(transfer["instructions"]["clabe"], "646180111805034237");
    assert_eq!(transfer["instructions"]["bank"], "STP");
    for payment in [&slip, &transfer] {
        assert_eq!(payment["status"], "requires_action");
        assert!(payment["expiresAt"].is_string());
        desk.provider.books(|books| mark(books.of(payment), "paid"));
        assert_eq!(desk.sync(payment)["amountCaptured"], 100);
        let said = desk.till.act(payment, "refunds", &json!({}));
        let _ = said.refused(409, "method_not_refundable");
    }
}

fn a_payment_is_called_off_or_expires(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (off, over, refused) =
        (desk.pay("spei", &json!({})), desk.pay("oxxo", &json!({})), desk.pay("card", &json!({})));
    let cancel = desk.till.act(&off, "cancel", &json!({})).expect(200);
    assert_eq!(cancel["status"], "canceled");
    desk.provider.books(|books| mark(books.of(&over), "expired"));
    assert_eq!(desk.sync(&over)["status"], "expired");
    desk.provider.books(|books| {
        let order = books.of(&refused);
        mark(order, "declined");
        order["charges"]["data"][0]["failure_code"] = json!("insufficient_funds");
        order["payment_status"] = json!("pending_payment");
    });
    let tried = desk.sync(&refused);
    assert_eq!(
        (&tried["status"], &tried["failure"]["code"]),
        (&json!("requires_action"), &json!("insufficient_funds"))
    );
}

fn what_is_lost_is_looked_for_and_never_repeated(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let replies = [Answered::Reset, Answered::Half, Answered::Hang, Answered::status(500)];
    for (index, reply) in replies.into_iter().enumerate() {
        desk.provider.script("create", [Behaviour::Then(reply.clone())]);
        let payment = desk.pay("spei", &json!({}));
        assert_eq!(payment["outcome"], "unknown", "{reply:?}");
        desk.provider.books(|books| books.crowd(130));
        let path = format!("/payments/{}", id(&payment));
        let found = desk.in_time(&path, |seen| seen["status"] == "requires_action");
        assert_eq!(found["instructions"]["clabe"], "646180111805034237");
        assert_eq!(desk.provider.books(|books| books.times(&payment)), 1, "{reply:?}");
        assert_eq!(desk.provider.received("create").len(), index + 1);
    }
    // Its own refusal is one; a gateway's is none.
    let own = json!({"object": "error", "type": "parameter_validation_error",
        "details": [{"debug_message": "No"}]});
    let own = Answered::Http(422, Vec::new(), own.to_string());
    desk.provider.script("create", [Behaviour::Instead(own)]);
    let refused = desk.pay("spei", &json!({}));
    assert_eq!(
        (&refused["status"], &refused["failure"]["message"]),
        (&json!("failed"), &json!("No"))
    );
    let page = Answered::Http(422, Vec::new(), "<html>".to_owned());
    desk.provider.script("create", [Behaviour::Instead(page)]);
    assert_eq!(desk.pay("spei", &json!({}))["outcome"], "unknown");
}

fn a_call_that_never_came_is_given_up(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.provider.script("create", [Behaviour::Instead(Answered::Reset)]);
    let payment = desk.pay("spei", &json!({}));
    let path = format!("/payments/{}", id(&payment));
    let failed = desk.in_time(&path, |seen| seen["status"] == "failed");
    assert_eq!(failed["failure"]["code"], "provider_error");
    assert_eq!(desk.provider.received("create").len(), 1);
    assert_eq!(desk.provider.books(|books| books.times(&payment)), 0);
}

fn a_lost_refund_is_known_by_its_amount(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    let part = desk.till.act(&payment, "refunds", &json!({"amount": 20})).expect(201);
    assert_eq!(part["status"], "succeeded");
    for reply in [Answered::Reset, Answered::status(500)] {
        desk.provider.script("refund", [Behaviour::Then(reply)]);
        let lost = desk.till.act(&payment, "refunds", &json!({"amount": 20})).expect(201);
        assert_eq!(lost["status"], "pending");
        let _ =
            desk.in_time(&format!("/refunds/{}", id(&lost)), |seen| seen["status"] == "succeeded");
    }
    assert_eq!(desk.provider.received("refund").len(), 3, "none is asked for twice");
    desk.provider.books(|books| assert_eq!(give_back(books.of(&payment), 500), Ok(())));
    let seen = desk.sync(&payment);
    assert_eq!((&seen["amountRefunded"], &seen["amountRefundable"]), (&json!(65), &json!(35)));
    let page = desk.till.shop.client.get("/refunds").expect(200);
    assert_eq!((&page["total"], &page["data"][0]["origin"]), (&json!(4), &json!("external")));
}

fn only_what_it_has_signed_is_taken_for_its_own(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("spei", &json!({}));
    let body = desk.event("order.pending_payment", &payment);
    let right = digest(&body);
    for (header, body) in [
        ("nonsense", body.as_str()),
        ("", &body),
        (&right, &body.replace("pending_payment", "paid")),
        (&digest("{}"), &body),
    ] {
        let _ = desk.notify(Some(header), body).refused(401, "unauthorized");
    }
    let _ = desk.notify(Some(&digest("{}")), "{}").refused(400, "malformed_request");
    assert_eq!(desk.notify(Some(&right), &body).status, 200);
    // An account without a key there is sent no signature: it only says what to ask about.
    assert_eq!(desk.notify(None, &body).status, 200);
    let all_processed = |page: &Value| {
        let rows = page["data"].as_array().unwrap();
        rows.len() == 2 && rows.iter().all(|row| row["status"] == "processed")
    };
    let page = desk.till.shop.client.once("/payments/notifications", all_processed);
    let signed = page["data"].as_array().unwrap().iter().filter(|row| row["signed"] == true);
    assert_eq!(signed.count(), 1);
    assert_eq!(desk.till.read(&payment)["status"], "requires_action");
}

fn its_list_is_compared_page_by_page(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let paid = desk.paid();
    let _ = desk.till.act(&paid, "refunds", &json!({"amount": 30})).expect(201);
    let slip = desk.pay("oxxo", &json!({}));
    let lost = desk.paid();
    let changed = desk.paid();
    desk.provider.books(|books| {
        give_back(books.of(&changed), 2_500).unwrap();
        books.crowd(120);
        books.forget(&lost);
    });
    let busy = Answered::Http(429, vec![("retry-after", "1")], String::new());
    desk.provider.script("list", [Behaviour::Documented, Behaviour::Instead(busy)]);
    let told = compared(&desk.till);
    assert_eq!((&told["compared"], &told["notCompared"]), (&json!(["conekta"]), &json!([])));
    let rows = outcomes(&told);
    let row = |payment: &Value, outcome: &str| (id(payment), outcome.to_owned());
    for row in [
        row(&paid, "matched"),
        row(&slip, "matched"),
        row(&lost, "missing_there"),
        row(&changed, "different"),
    ] {
        assert!(rows.contains(&row), "{row:?}: {rows:?}");
    }
    let strange = rows.iter().filter(|(_, outcome)| outcome == "missing_here").count();
    assert_eq!((strange, rows.len()), (120, 124));
    let pages = desk.provider.received("list");
    assert_eq!(pages.len(), 3, "two pages, and one that was asked for twice");
    assert!(pages[2].query.contains("next=ord_"), "{}", pages[2].query);
    // What is not within the time ends the list, even where the provider does not narrow it.
    let now = desk.till.shop.app.now();
    let query = format!("from={}&to={}", now.plus_seconds(60), now.plus_seconds(120));
    let path = format!("/payments/reconciliation?{query}");
    assert_eq!(desk.till.shop.client.get(&path).expect(200)["data"], json!([]));
    let failing = Behaviour::Instead(Answered::status(500));
    desk.provider.script("list", [Behaviour::Documented, failing]);
    let path = format!("/payments/reconciliation?{}", around(&desk.till));
    let said = desk.till.shop.client.get(&path).refused(502, "provider_error");
    assert!(said.contains("HTTP 500"), "{said}");
}
