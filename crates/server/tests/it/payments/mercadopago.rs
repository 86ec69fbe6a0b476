//! Payments through Mercado Pago, which a double on this machine plays.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{
    App, DatabaseKind, FakeMercadoPago, Reply,
    mercadopago::{KEY, SECRET, approve, give_back, signature},
    on_both,
    provider::{Behaviour, Reply as Answered},
};

use super::{
    reconciling::{around, compared, outcomes},
    till::Till,
};
use crate::orders::shop::{Shop, id};

on_both!(
    a_card_is_paid_on_its_page,
    a_card_is_paid_in_installments,
    two_payments_on_one_page_are_an_excess,
    a_refused_card_leaves_the_page_open,
    a_page_is_closed_or_expires,
    cash_and_transfers_wait_for_their_payers,
    refunds_are_made_once_and_those_made_there_are_found,
    whatever_is_lost_there_is_one_payment,
    only_what_it_has_signed_is_taken_for_its_own,
    its_list_is_compared_page_by_page,
);

struct Desk {
    till: Till,
    provider: FakeMercadoPago,
}

impl Desk {
    fn open(kind: DatabaseKind) -> Self {
        let provider = FakeMercadoPago::start();
        let app = App::with(kind).collecting_with(|set| {
            set.mercadopago_url = provider.url();
            set.public_url = Some("https://shop.example".to_owned());
            set.timeout = Duration::from_millis(900);
        });
        let till = Till::of(Shop::of(app.start()));
        let body = json!({"key": KEY, "notificationSecret": SECRET, "default": true});
        let client = &till.shop.client;
        let _ = client.send("PUT", "/payments/providers/mercadopago", &body).expect(200);
        Self { till, provider }
    }

    #[track_caller]
    fn pay(&self, method: &str, more: &Value) -> Value {
        let mut body = json!({"method": method, "amount": 99.5, "currency": "MXN",
            "provider": "mercadopago", "payer": {"name": "Ana Torres", "email": "ana@shop.example"}});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.till.pay(&body)
    }

    /// A card payment that was paid.
    #[track_caller]
    fn paid(&self) -> Value {
        let payment = self.pay("card", &json!({}));
        self.provider.books(|books| books.pay_on_page(&payment, "approved", "accredited"));
        let paid = self.sync(&payment);
        assert_eq!(paid["status"], "paid", "{paid}");
        paid
    }

    #[track_caller]
    fn sync(&self, payment: &Value) -> Value {
        self.till.shop.client.act(&format!("/payments/{}/sync", id(payment))).expect(200)
    }

    /// A notification at the address that the payment was made with.
    fn notify(&self, payment: &Value, number: &str, header: Option<&str>) -> Reply {
        let account = self.till.shop.account;
        let path = format!(
            "/api/v1/hooks/payments/mercadopago/{account}?payment={}&data.id={number}&type=payment",
            id(payment)
        );
        let mut request = self.till.shop.app.anonymous().request("POST", &path);
        if let Some(header) = header {
            request = request.header("x-signature", header).header("x-request-id", "req-1");
        }
        let body = json!({"id": 12_345, "type": "payment", "action": "payment.updated",
            "data": {"id": number}});
        Reply::to(request.body(body.to_string()))
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

fn a_card_is_paid_on_its_page(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({"returnUrl": "https://shop.example/gracias"}));
    assert_eq!(payment["status"], "requires_action");
    let url = payment["instructions"]["url"].as_str().unwrap();
    assert!(url.starts_with("https://www.mercadopago.com.mx/checkout/"), "{url}");
    let call = &desk.provider.received("create")[0];
    assert!(call.header("x-idempotency-key").unwrap().starts_with("pcl_"));
    let body: Value = serde_json::from_str(&call.body).unwrap();
    assert_eq!(body["external_reference"], payment["id"]);
    assert_eq!(body["items"][0]["unit_price"], json!(99.5));
    let hook = format!(
        "https://shop.example/api/v1/hooks/payments/mercadopago/{}?payment={}",
        desk.till.shop.account,
        id(&payment)
    );
    assert_eq!(body["notification_url"], json!(hook));
    let number = desk.provider.books(|books| books.pay_on_page(&payment, "approved", "accredited"));
    let header = signature(SECRET, &number, "req-1", desk.till.shop.app.now());
    assert_eq!(desk.notify(&payment, &number, Some(&header)).status, 200);
    let paid = desk.till.once(&payment, "paid");
    assert_eq!(
        (&paid["amountCaptured"], &paid["fee"], &paid["satPaymentForm"], &paid["paidAt"]),
        (&json!(99.5), &json!(4.05), &json!("04"), &json!("2026-11-24T16:00:00.000Z"))
    );
    assert_eq!(paid["card"], json!({"brand": "visa", "last4": "3704", "funding": "credit"}));
    let page = desk.till.shop.client.get("/payments/notifications").expect(200);
    assert_eq!(page["data"][0]["signed"], true);
}

fn a_card_is_paid_in_installments(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({"amount": 900, "installments": [3, 6]}));
    let body: Value = serde_json::from_str(&desk.provider.received("create")[0].body).unwrap();
    assert_eq!(body["payment_methods"]["installments"], 6);
    // A card that was refused has chosen nothing.
    desk.provider.books(|books| {
        books.pay_on_page(&payment, "rejected", "cc_rejected_other_reason");
        books.change_payment(&payment, |one| one["installments"] = json!(3));
    });
    assert_eq!(desk.sync(&payment)["installmentsChosen"], Value::Null);
    desk.provider.books(|books| {
        books.pay_on_page(&payment, "approved", "accredited");
        books.change_payment(&payment, |one| one["installments"] = json!(6));
    });
    let paid = desk.sync(&payment);
    assert_eq!(
        (&paid["status"], &paid["installmentsChosen"], &paid["installments"]),
        (&json!("paid"), &json!(6), &json!([3, 6]))
    );
    let _ = desk.pay("card", &json!({}));
    let body: Value = serde_json::from_str(&desk.provider.received("create")[1].body).unwrap();
    assert_eq!(body["payment_methods"]["installments"], 1);
    let gap = json!({"method": "card", "amount": 900, "currency": "MXN", "installments": [6]});
    let said = desk.till.ask(&gap).refused(400, "validation_failed");
    assert!(
        said.contains("installments must be [3, 6]: mercadopago is told the largest"),
        "{said}"
    );
}

fn two_payments_on_one_page_are_an_excess(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    desk.provider.books(|books| books.pay_on_page(&payment, "approved", "accredited"));
    let twice = desk.sync(&payment);
    assert_eq!((&twice["amountCaptured"], &twice["flags"]), (&json!(199), &json!(["excess"])));
    // Which of the two is given back has to be said there: a repetition might choose the other one.
    let back = desk.till.act(&payment, "refunds", &json!({"amount": 99.5})).expect(201);
    assert_eq!(
        (&back["status"], &back["failure"]["code"]),
        (&json!("failed"), &json!("not_refundable"))
    );
    assert_eq!(desk.sync(&payment)["amountRefundable"], 199);
}

fn a_refused_card_leaves_the_page_open(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    for (detail, code, retryable) in [
        ("cc_rejected_insufficient_amount", "insufficient_funds", true),
        ("cc_rejected_high_risk", "card_declined", false),
    ] {
        desk.provider.books(|books| books.pay_on_page(&payment, "rejected", detail));
        let tried = desk.sync(&payment);
        assert_eq!(tried["status"], "requires_action", "{tried}");
        let failure = &tried["failure"];
        assert_eq!((&failure["code"], &failure["retryable"]), (&json!(code), &json!(retryable)));
    }
    desk.provider.books(|books| books.pay_on_page(&payment, "approved", "accredited"));
    assert_eq!(desk.sync(&payment)["amountCaptured"], 99.5);
}

fn a_page_is_closed_or_expires(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (closed, paid, late) = (
        desk.pay("wallet", &json!({})),
        desk.pay("card", &json!({})),
        desk.pay("card", &json!({})),
    );
    let cancel = |payment: &Value| desk.till.act(payment, "cancel", &json!({})).expect(200);
    assert_eq!(cancel(&closed)["status"], "canceled");
    desk.provider.books(|books| books.pay_on_page(&paid, "approved", "accredited"));
    assert_eq!(cancel(&paid)["status"], "paid", "what was paid meanwhile is found");
    desk.till.shop.app.advance_seconds(86_500);
    assert_eq!(desk.sync(&late)["status"], "expired");
}

fn cash_and_transfers_wait_for_their_payers(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (slip, transfer) = (desk.pay("oxxo", &json!({})), desk.pay("spei", &json!({})));
    assert_eq!(slip["instructions"]["reference"], "1234567890");
    assert_eq!(transfer["instructions"]["reference"], "6410293433784980810");
    for payment in [&slip, &transfer] {
        assert_eq!(payment["status"], "requires_action");
        assert!(payment["instructions"]["url"].as_str().unwrap().ends_with("/ticket"));
        let number = desk.provider.books(|books| books.change_payment(payment, approve));
        let header = signature(SECRET, &number, "req-1", desk.till.shop.app.now());
        assert_eq!(desk.notify(payment, &number, Some(&header)).status, 200);
        let paid =
            desk.in_time(&format!("/payments/{}", id(payment)), |seen| seen["status"] == "paid");
        assert_eq!(paid["amountCaptured"], 99.5);
    }
    let said = desk.till.act(&slip, "refunds", &json!({})).refused(409, "method_not_refundable");
    assert!(said.contains("manual"), "{said}");
    let expired = desk.pay("oxxo", &json!({}));
    desk.provider.books(|books| {
        books.change_payment(&expired, |one| {
            one["status"] = json!("cancelled");
            one["status_detail"] = json!("expired");
        })
    });
    assert_eq!(desk.sync(&expired)["status"], "expired");
    let nobody = desk.pay("oxxo", &json!({"payer": {}}));
    assert!(nobody["failure"]["message"].as_str().unwrap().starts_with("payer.email"), "{nobody}");
}

fn refunds_are_made_once_and_those_made_there_are_found(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.paid();
    let part = desk.till.act(&payment, "refunds", &json!({"amount": 20})).expect(201);
    assert_eq!(part["status"], "succeeded");
    desk.provider.script("refund", [Behaviour::Then(Answered::Reset)]);
    let lost = desk.till.act(&payment, "refunds", &json!({"amount": 30})).expect(201);
    assert_eq!(lost["status"], "pending");
    let path = format!("/refunds/{}", id(&lost));
    let _ = desk.in_time(&path, |seen| seen["status"] == "succeeded");
    desk.provider.books(|books| {
        books.change_payment(&payment, |one| {
            assert!(give_back(one, &json!(9.5)).is_some());
        })
    });
    let seen = desk.sync(&payment);
    assert_eq!((&seen["amountRefunded"], &seen["refundStatus"]), (&json!(59.5), &json!("partial")));
    let page = desk.till.shop.client.get("/refunds").expect(200);
    assert_eq!((&page["total"], &page["data"][0]["origin"]), (&json!(3), &json!("external")));
}

fn whatever_is_lost_there_is_one_payment(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for method in ["card", "spei"] {
        for reply in [Answered::Reset, Answered::Half, Answered::status(500), Answered::Hang] {
            desk.provider.script("create", [Behaviour::Then(reply.clone())]);
            let payment = desk.pay(method, &json!({}));
            assert_eq!(payment["outcome"], "unknown", "{reply:?}");
            let path = format!("/payments/{}", id(&payment));
            let found = desk.in_time(&path, |seen| seen["status"] == "requires_action");
            assert!(found["instructions"]["url"].is_string(), "{found}");
            assert_eq!(desk.provider.books(|books| books.times(&payment)), 1, "{method} {reply:?}");
        }
    }
    // An error page of a gateway's is no word of Mercado Pago's; its own is.
    let page = Answered::Http(400, Vec::new(), "<html>".to_owned());
    desk.provider.script("create", [Behaviour::Then(page)]);
    assert_eq!(desk.pay("card", &json!({}))["outcome"], "unknown");
    let own = json!({"message": "invalid expiration", "error": "bad_request", "status": 400});
    let own = Answered::Http(400, Vec::new(), own.to_string());
    desk.provider.script("create", [Behaviour::Instead(own)]);
    let refused = desk.pay("card", &json!({}));
    assert_eq!(
        (&refused["status"], &refused["failure"]["message"]),
        (&json!("failed"), &json!("invalid expiration"))
    );
}

fn only_what_it_has_signed_is_taken_for_its_own(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    let now = desk.till.shop.app.now();
    let right = signature(SECRET, "999", "req-1", now);
    for header in [
        "nonsense".to_owned(),
        signature("otro", "999", "req-1", now),
        signature(SECRET, "998", "req-1", now),
        signature(SECRET, "999", "req-2", now),
        right.replace("ts=", "ts=9"),
    ] {
        let _ = desk.notify(&payment, "999", Some(&header)).refused(401, "unauthorized");
    }
    assert_eq!(desk.notify(&payment, "999", Some(&right)).status, 200);
    // Its libraries sign the identifier in lower case, or as it is.
    for signed in ["abc-9", "ABC-9"] {
        let header = signature(SECRET, signed, "req-1", now);
        assert_eq!(desk.notify(&payment, "ABC-9", Some(&header)).status, 200, "{signed}");
    }
    // Some are not signed at all: they only say what to ask about.
    assert_eq!(desk.notify(&payment, "999", None).status, 200);
    let page = desk.till.shop.client.get("/payments/notifications").expect(200);
    let rows = page["data"].as_array().unwrap();
    assert!(
        rows.iter().any(|row| row["signed"] == false)
            && rows.iter().any(|row| row["signed"] == true)
    );
    assert_eq!(desk.till.read(&payment)["status"], "requires_action");
}

fn its_list_is_compared_page_by_page(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let paid = desk.paid();
    let _ = desk.till.act(&paid, "refunds", &json!({"amount": 30})).expect(201);
    let slip = desk.pay("oxxo", &json!({}));
    // Of what happens on a page the list has the tries alone.
    let tried = desk.pay("card", &json!({}));
    desk.provider.books(|books| {
        books.pay_on_page(&tried, "rejected", "cc_rejected_other_reason");
        books.pay_on_page(&tried, "rejected", "cc_rejected_insufficient_amount");
    });
    let twice = desk.paid();
    desk.provider.books(|books| books.pay_on_page(&twice, "approved", "accredited"));
    assert_eq!(desk.sync(&twice)["amountCaptured"], 199);
    let (lost, changed) = (desk.paid(), desk.paid());
    desk.provider.books(|books| {
        books.change_payment(&changed, |one| {
            give_back(one, &json!(25)).unwrap();
        });
        books.crowd(120);
        books.forget(&lost);
    });
    let busy = Answered::Http(429, vec![("retry-after", "1")], String::new());
    desk.provider.script("search", [Behaviour::Documented, Behaviour::Instead(busy)]);
    let told = compared(&desk.till);
    assert_eq!((&told["compared"], &told["notCompared"]), (&json!(["mercadopago"]), &json!([])));
    let rows = outcomes(&told);
    let row = |payment: &Value, outcome: &str| (id(payment), outcome.to_owned());
    for row in [
        row(&paid, "matched"),
        row(&slip, "matched"),
        row(&tried, "matched"),
        row(&twice, "matched"),
        row(&lost, "missing_there"),
        row(&changed, "different"),
    ] {
        assert!(rows.contains(&row), "{row:?}: {rows:?}");
    }
    let strange = rows.iter().filter(|(_, outcome)| outcome == "missing_here").count();
    assert_eq!((strange, rows.len()), (120, 126));
    let pages = desk.provider.received("search").into_iter();
    let pages: Vec<_> = pages.filter(|page| page.query.starts_with("range=")).collect();
    assert_eq!(pages.len(), 3, "two pages, and one that was asked for twice");
    assert!(pages[2].query.contains("offset=100"), "{}", pages[2].query);
    let failing = Behaviour::Instead(Answered::Half);
    desk.provider.script("search", [Behaviour::Documented, failing]);
    let path = format!("/payments/reconciliation?{}", around(&desk.till));
    let _ = desk.till.shop.client.get(&path).refused(502, "provider_error");
}
