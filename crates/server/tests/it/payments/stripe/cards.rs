//! Cards, typed into a page of the merchant's or into Stripe's.

use serde_json::json;
use testkit::{DatabaseKind, on_both, stripe::KEY};

use super::desk::Desk;
use crate::orders::shop::id;

on_both!(
    a_card_pays_an_order,
    the_client_secret_is_shown_with_its_payment_alone,
    a_declined_card_may_be_tried_again,
    a_part_of_what_is_authorized_is_captured,
    what_is_authorized_lapses_or_is_called_off,
    a_card_is_paid_in_installments,
    a_page_takes_the_card,
    a_page_is_closed,
    another_currency_has_its_own_units,
    the_limits_are_those_of_stripe,
);

fn a_card_pays_an_order(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.till.order(2);
    let ask = json!({"orderId": order, "method": "card", "description": "Dos tazas"});
    let payment = desk.till.pay(&ask);
    assert_eq!(
        (&payment["status"], &payment["provider"], &payment["outcome"]),
        (&json!("requires_action"), &json!("stripe"), &json!("known"))
    );
    let call = &desk.stripe.received("create")[0];
    assert!(call.header("idempotency-key").unwrap().starts_with("pcl_"));
    let form = call.form();
    for (name, value) in [
        ("amount", "10000"),
        ("currency", "mxn"),
        ("payment_method_types[]", "card"),
        ("capture_method", "automatic"),
        ("description", "Dos tazas"),
        ("metadata[account]", &desk.till.shop.account.to_string()),
        ("metadata[payment]", &id(&payment)),
        ("metadata[call]", call.header("idempotency-key").unwrap()),
    ] {
        assert!(form.contains(&(name.to_owned(), value.to_owned())), "{name}: {form:?}");
    }
    desk.tell("payment_intent.succeeded", |books| {
        let intent = books.of(&payment);
        intent.pay();
        intent.shown()
    });
    let paid = desk.till.once(&payment, "paid");
    assert_eq!(
        (&paid["amountCaptured"], &paid["fee"], &paid["net"], &paid["satPaymentForm"]),
        (&json!(100), &json!(3.6), &json!(96.4), &json!("04"))
    );
    assert_eq!(paid["card"], json!({"brand": "visa", "last4": "4242", "funding": "credit"}));
    assert_eq!(desk.till.order_now(&order)["status"], "paid");
    assert_eq!(desk.till.shop.told("payment.received").len(), 1);
    let _ = desk.sync(&payment);
    assert_eq!(desk.till.order_now(&order)["amountPaid"], 100);
    // Neither what it is called with nor what it is signed with is anywhere to be read.
    let texts = desk.till.shop.app.database.texts();
    assert!(texts.iter().all(|text| !text.contains(KEY)));
}

fn the_client_secret_is_shown_with_its_payment_alone(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    let secret = &payment["instructions"]["clientSecret"];
    assert!(secret.as_str().unwrap().starts_with("pi_0001_secret_"), "{payment}");
    assert_eq!(&desk.till.read(&payment)["instructions"]["clientSecret"], secret);
    let page = desk.till.shop.client.get("/payments").expect(200);
    let listed = &page["data"][0];
    assert_eq!(
        (&listed["id"], &listed["instructions"]["clientSecret"]),
        (&payment["id"], &json!(null))
    );
    desk.stripe.books(|books| books.of(&payment).pay());
    assert_eq!(desk.sync(&payment)["instructions"]["clientSecret"], json!(null));
}

fn a_declined_card_may_be_tried_again(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({}));
    desk.tell("payment_intent.payment_failed", |books| {
        let intent = books.of(&payment);
        intent.decline("insufficient_funds");
        intent.shown()
    });
    let path = format!("/payments/{}", id(&payment));
    let tried = desk.till.shop.client.once(&path, |seen| !seen["failure"].is_null());
    assert_eq!(
        (&tried["status"], &tried["failure"]["code"], &tried["failure"]["retryable"]),
        (&json!("requires_action"), &json!("insufficient_funds"), &json!(true))
    );
    desk.stripe.books(|books| books.of(&payment).decline("stolen_card"));
    let failure = &desk.sync(&payment)["failure"];
    assert_eq!((&failure["code"], &failure["retryable"]), (&json!("card_declined"), &json!(false)));
    desk.stripe.books(|books| books.of(&payment).pay());
    let paid = desk.sync(&payment);
    assert_eq!((&paid["status"], &paid["failure"]), (&json!("paid"), &json!(null)));
}

fn a_part_of_what_is_authorized_is_captured(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("card", &json!({"capture": false}));
    desk.tell("payment_intent.amount_capturable_updated", |books| {
        let intent = books.of(&payment);
        intent.pay();
        intent.shown()
    });
    let held = desk.till.once(&payment, "authorized");
    assert_eq!((&held["amountAuthorized"], &held["amountCaptured"]), (&json!(100), &json!(0)));
    assert!(held["expiresAt"].is_string(), "a bank holds it for some days: {held}");
    let captured = desk.till.act(&payment, "capture", &json!({"amount": 60})).expect(200);
    assert_eq!(
        (&captured["status"], &captured["amountCaptured"], &captured["amountRefundable"]),
        (&json!("paid"), &json!(60), &json!(60))
    );
    // What was released stands among the refunds at Stripe, and is none.
    let seen = desk.sync(&payment);
    assert_eq!((&seen["amountRefunded"], &seen["flags"]), (&json!(0), &json!([])));
    let back = desk.till.act(&payment, "refunds", &json!({"amount": 20})).expect(201);
    assert_eq!(back["status"], "succeeded");
    assert_eq!(desk.sync(&payment)["amountRefunded"], 20);
}

fn what_is_authorized_lapses_or_is_called_off(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let [lapses, called_off, open] = [false, false, true].map(|capture| {
        let payment = desk.pay("card", &json!({"capture": capture}));
        if !capture {
            desk.stripe.books(|books| books.of(&payment).pay());
            assert_eq!(desk.sync(&payment)["status"], "authorized");
        }
        payment
    });
    desk.stripe.books(|books| books.of(&lapses).lapse());
    assert_eq!(desk.sync(&lapses)["status"], "expired");
    for payment in [&called_off, &open] {
        let path = format!("/payments/{}/cancel", id(payment));
        assert_eq!(desk.till.shop.client.act(&path).expect(200)["status"], "canceled");
    }
    // What was paid meanwhile is not called off, and its money is found.
    let paid = desk.pay("card", &json!({}));
    desk.stripe.books(|books| books.of(&paid).pay());
    let shown = desk.till.act(&paid, "cancel", &json!({})).expect(200);
    assert_eq!(shown["failure"]["code"], "not_open", "{shown}");
    assert_eq!(desk.sync(&paid)["status"], "paid");
}

fn a_card_is_paid_in_installments(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let name = "payment_method_options[card][installments][enabled]";
    let typed = desk.pay("card", &json!({"amount": 700, "installments": [3, 6]}));
    let back = "https://shop.example.com/back";
    let hosted = json!({"amount": 700, "installments": [3, 6], "returnUrl": back});
    let hosted = desk.pay("card", &hosted);
    for call in desk.stripe.received("create") {
        assert!(call.form().contains(&(name.to_owned(), "true".to_owned())), "{call:?}");
    }
    desk.stripe.books(|books| {
        books.of(&typed).pay_in(6);
        books.pay_on_page(&hosted).months = Some(3);
    });
    for (payment, months) in [(&typed, 6), (&hosted, 3)] {
        let paid = desk.sync(payment);
        assert_eq!(
            (&paid["status"], &paid["installmentsChosen"], &paid["amountCaptured"]),
            (&json!("paid"), &json!(months), &json!(700))
        );
    }
    let _ = desk.paid();
    let plain = &desk.stripe.received("create")[2];
    assert!(plain.form().iter().all(|(known, _)| known != name), "{plain:?}");
    // Which plans there are is set at Stripe: a payment leaves none of them out.
    let some = json!({"method": "card", "amount": 700, "currency": "MXN", "installments": [3]});
    let said = desk.till.ask(&some).refused(400, "validation_failed");
    assert!(said.contains("installments must be [3, 6]: the payer chooses at stripe"), "{said}");
    desk.set_up(&json!({"installments": [{"months": 3, "minAmount": 300}]}));
    let paid = desk.till.pay(&some);
    assert_eq!(paid["installments"], json!([3]));
}

fn a_page_takes_the_card(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let back = json!({"returnUrl": "https://shop.example/gracias", "capture": false,
        "payer": {"email": "ana@shop.example"}});
    let payment = desk.pay("card", &back);
    let how = &payment["instructions"];
    assert!(how["url"].as_str().unwrap().starts_with("https://checkout.stripe.com/"), "{how}");
    assert_eq!(
        (&payment["status"], &how["clientSecret"]),
        (&json!("requires_action"), &json!(null))
    );
    assert!(payment["expiresAt"].is_string());
    desk.tell("checkout.session.completed", |books| {
        let intent = books.pay_on_page(&payment);
        intent.shown()
    });
    let held = desk.till.once(&payment, "authorized");
    assert_eq!(held["card"]["last4"], "4242");
    let captured = desk.till.act(&payment, "capture", &json!({})).expect(200);
    assert_eq!((&captured["status"], &captured["amountCaptured"]), (&json!("paid"), &json!(100)));
    let refund = desk.till.act(&payment, "refunds", &json!({})).expect(201);
    assert_eq!((&refund["status"], &refund["amount"]), (&json!("succeeded"), &json!(100)));
    assert_eq!(desk.sync(&payment)["refundStatus"], "full");
    assert_eq!(desk.times(&payment), 1, "a page and the intent that it was paid by are one");
}

fn a_page_is_closed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let page = || desk.pay("card", &json!({"returnUrl": "https://shop.example/gracias"}));
    let (called_off, expired, held) = (page(), page(), page());
    let path = format!("/payments/{}/cancel", id(&called_off));
    assert_eq!(desk.till.shop.client.act(&path).expect(200)["status"], "canceled");
    desk.stripe.books(|books| books.expire_page(&expired));
    assert_eq!(desk.sync(&expired)["status"], "expired");
    // Nobody has paid there yet, so that there is nothing to be captured.
    let said = desk.till.act(&held, "capture", &json!({})).refused(409, "invalid_transition");
    assert!(said.contains("requires_action"), "{said}");
}

fn another_currency_has_its_own_units(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let yen = desk.till.pay(&json!({"method": "card", "amount": 500, "currency": "JPY"}));
    assert_eq!(yen["status"], "requires_action");
    let form = desk.stripe.received("create")[0].form();
    assert!(form.contains(&("amount".to_owned(), "500".to_owned())), "{form:?}");
    desk.stripe.books(|books| books.of(&yen).pay());
    let paid = desk.sync(&yen);
    // Stripe settles in pesos here: what it keeps is not an amount of the payment's currency.
    assert_eq!((&paid["amountCaptured"], &paid["fee"]), (&json!(500), &json!(null)));
}

fn the_limits_are_those_of_stripe(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (method, amount, currency) in
        [("card", 9.99, "MXN"), ("oxxo", 10_000.01, "MXN"), ("card", 1_000_000.0, "USD")]
    {
        let body = json!({"method": method, "amount": amount, "currency": currency});
        let said = desk.till.ask(&body).refused(400, "validation_failed");
        assert!(said.starts_with("amount must be from"), "{said}");
    }
    for (field, body) in [
        ("method", json!({"method": "spei", "amount": 100, "currency": "USD"})),
        ("capture", json!({"method": "spei", "amount": 100, "currency": "MXN", "capture": false})),
    ] {
        let said = desk.till.ask(&body).refused(400, "validation_failed");
        assert!(said.starts_with(field), "{said}");
    }
    let methods = desk.till.shop.client.get("/payment-methods").expect(200);
    let rows = methods["data"].as_array().unwrap();
    for method in ["card", "oxxo", "spei"] {
        let row = rows.iter().find(|row| row["method"] == method && row["provider"] == "stripe");
        assert_eq!(row.unwrap()["default"], true, "{method}");
    }
    assert!(desk.stripe.received("create").is_empty());
}
