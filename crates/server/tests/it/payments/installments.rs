//! Cards paid in monthly installments without interest: what is offered, what the payer has chosen, and what that counts for.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    links::{Payer, link},
    till::Till,
};

on_both!(
    who_pays_at_once_takes_as_long_as_is_offered,
    whoever_waits_chooses_and_what_they_chose_is_recorded,
    what_cannot_be_offered_is_named,
    an_account_sets_what_it_offers,
    a_link_offers_what_suits_its_amount,
    a_link_for_an_order_offers_what_suits_what_is_left,
);

fn offer(amount: f64, installments: &Value) -> Value {
    json!({"method": "card", "amount": amount, "currency": "MXN", "installments": installments})
}

fn months(payment: &Value) -> (Value, Value) {
    (payment["installments"].clone(), payment["installmentsChosen"].clone())
}

fn who_pays_at_once_takes_as_long_as_is_offered(kind: DatabaseKind) {
    let till = Till::open(kind);
    let paid = till.pay(&offer(1_200.0, &json!([12, 3, 3])));
    assert_eq!(months(&paid), (json!([3, 12]), json!(12)));
    // All of it is there at once, by credit card.
    assert_eq!(
        (&paid["status"], &paid["amountCaptured"], &paid["satPaymentForm"]),
        (&json!("paid"), &json!(1_200), &json!("04"))
    );
    assert_eq!(months(&till.read(&paid)), (json!([3, 12]), json!(12)));
    let plain = till.by_card(1_200.0);
    assert_eq!(months(&plain), (json!([]), json!(null)));
    // A refund is as any other.
    let back = till.act(&paid, "refunds", &json!({"amount": 200})).expect(201);
    assert_eq!(back["status"], "succeeded");
}

fn whoever_waits_chooses_and_what_they_chose_is_recorded(kind: DatabaseKind) {
    let till = Till::open(kind);
    let asked = till.pay(&offer(7_000.05, &json!([3, 6])));
    assert_eq!(asked["status"], "requires_action");
    assert_eq!(months(&asked), (json!([3, 6]), json!(null)));
    let wrong = json!({"event": "pay", "installments": 9});
    let said = till.act(&asked, "simulate", &wrong).refused(409, "conflict");
    assert!(said.contains("So many installments are not offered"), "{said}");
    let paid = till.act(&asked, "simulate", &json!({"event": "pay", "installments": 6}));
    assert_eq!(months(&paid.expect(200)), (json!([3, 6]), json!(6)));
    let asked = till.pay(&offer(7_000.05, &json!([3, 6])));
    let paid = till.act(&asked, "simulate", &json!({"event": "pay"})).expect(200);
    assert_eq!((months(&paid), &paid["status"]), ((json!([3, 6]), json!(null)), &json!("paid")));
}

fn what_cannot_be_offered_is_named(kind: DatabaseKind) {
    let till = Till::open(kind);
    let refused = |body: &Value, words: &str| {
        let said = till.ask(body).refused(400, "validation_failed");
        assert!(said.contains(words), "{words}: {said}");
    };
    refused(
        &offer(299.0, &json!([3])),
        "installments cannot contain 3: so many months are offered from 300 on",
    );
    refused(&offer(900.0, &json!([4])), "installments[0] must be one of 3, 6, 9, 12, 18, 24");
    for (field, value) in [("method", "spei"), ("currency", "USD")] {
        let mut body = offer(900.0, &json!([3]));
        body[field] = json!(value);
        let words = if field == "method" {
            "installments goes only with card payments in MXN"
        } else {
            "MXN"
        };
        refused(&body, words);
    }
    let mut by_hand = offer(900.0, &json!([3]));
    by_hand["provider"] = json!("manual");
    refused(&by_hand, "installments must be absent: the provider manual offers no installments");
    let body =
        json!({"title": "A bed", "amount": 900, "installments": [3], "allowedMethods": ["spei"]});
    let said = till.shop.client.post("/payment-links", &body).refused(400, "validation_failed");
    assert!(said.contains("installments goes only with card among allowedMethods"), "{said}");
    let body = json!({"title": "A bed", "amount": 900, "installments": [3, 12]});
    let said = till.shop.client.post("/payment-links", &body).refused(400, "validation_failed");
    assert!(said.contains("installments cannot contain 12"), "{said}");
}

/// What cards through the sandbox offer.
#[track_caller]
fn offered(till: &Till) -> Value {
    let methods = till.shop.client.get("/payment-methods?currency=MXN").expect(200);
    let mut rows = methods["data"].as_array().unwrap().iter();
    let row = rows.find(|row| row["method"] == "card" && row["provider"] == "sandbox");
    row.unwrap()["installments"].clone()
}

fn an_account_sets_what_it_offers(kind: DatabaseKind) {
    let till = Till::open(kind);
    let all = offered(&till);
    assert_eq!(all[0], json!({"months": 3, "minAmount": 300}));
    assert_eq!(all.as_array().unwrap().len(), 6);
    let methods = till.shop.client.get("/payment-methods?currency=MXN").expect(200);
    for row in methods["data"].as_array().unwrap() {
        let has_some = row["installments"] != json!([]);
        assert_eq!(has_some, row["method"] == "card" && row["provider"] == "sandbox", "{row}");
    }
    let path = "/payments/providers/sandbox";
    let set = |body: &Value| till.shop.client.send("PUT", path, body);
    let own = json!([{"months": 6, "minAmount": 800}, {"months": 3, "minAmount": 500.5}]);
    let sorted = json!([{"months": 3, "minAmount": 500.5}, {"months": 6, "minAmount": 800}]);
    assert_eq!(set(&json!({"installments": own})).expect(200)["installments"], sorted);
    assert_eq!(offered(&till), sorted);
    // What is left out stays.
    assert_eq!(set(&json!({"default": true})).expect(200)["installments"], sorted);
    let said = till.ask(&offer(400.0, &json!([3]))).refused(400, "validation_failed");
    assert!(said.contains("offered from 500.5 on"), "{said}");
    let said = till.ask(&offer(9_000.0, &json!([3, 12]))).refused(400, "validation_failed");
    assert!(
        said.contains("installments must be among 3, 6, which the provider sandbox offers"),
        "{said}"
    );
    assert_eq!(set(&json!({"installments": []})).expect(200)["installments"], json!([]));
    let said = till.ask(&offer(9_000.0, &json!([3]))).refused(400, "validation_failed");
    assert!(said.contains("offers no installments"), "{said}");
    assert_eq!(set(&json!({"installments": null})).expect(200)["installments"], all);
    for (plans, words) in [
        (
            json!([{"months": 3, "minAmount": 1}, {"months": 3, "minAmount": 2}]),
            "each number of months once",
        ),
        (
            json!([{"months": 3, "minAmount": 9}, {"months": 6, "minAmount": 2}]),
            "a smaller minAmount for more months",
        ),
        (json!([{"months": 3}]), "installments[0].minAmount is required"),
    ] {
        let said = set(&json!({"installments": plans})).refused(400, "validation_failed");
        assert!(said.contains(words), "{said}");
    }
    let manual = json!({"installments": [{"months": 3, "minAmount": 300}]});
    let said = till.shop.client.send("PUT", "/payments/providers/manual", &manual);
    assert!(said.refused(400, "validation_failed").contains("must be absent: manual"));
}

/// Pays at the bank of the sandbox, in so many months.
#[track_caller]
fn paid_at_bank(payer: &Payer, attempt: &str, months: &str) {
    let decided =
        payer.sends(&format!("{attempt}/bank"), &[("event", "pay"), ("installments", months)]);
    assert_eq!(decided.status, 303, "{}", decided.text);
}

fn of_link(till: &Till, link: &Value) -> Value {
    let path = format!("/payments?paymentLinkId={}", link["id"].as_str().unwrap());
    till.shop.client.get(&path).expect(200)["data"][0].clone()
}

fn a_link_offers_what_suits_its_amount(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payer = Payer::of(&till);
    let (made, page) =
        link(&till, &json!({"title": "A bed", "amount": 900, "installments": [3, 9]}));
    assert_eq!(made["installments"], json!([3, 9]));
    let shown = payer.sees(&page).text;
    assert!(shown.contains("Hasta 9 meses sin intereses."), "{shown}");
    let attempt = payer.begins(&page, "card");
    let bank = payer.sees(&format!("{attempt}/bank")).text;
    assert!(bank.contains("<option value=\"9\">9 meses sin intereses</option>"), "{bank}");
    // What is not offered is not paid.
    paid_at_bank(&payer, &attempt, "24");
    assert_eq!(of_link(&till, &made)["status"], "requires_action");
    paid_at_bank(&payer, &attempt, "9");
    let paid = of_link(&till, &made);
    assert_eq!((months(&paid), &paid["status"]), ((json!([3, 9]), json!(9)), &json!("paid")));
    // The payer chooses less than the most: what suits that is offered.
    let range =
        json!({"title": "A gift", "amountMin": 100, "amountMax": 1_000, "installments": [3, 9]});
    let (made, page) = link(&till, &range);
    let form = payer.form(&page);
    let chosen = [("form", form.as_str()), ("method", "card"), ("amount", "350")];
    let begun = payer.sends(&format!("{page}/attempts"), &chosen);
    let attempt = begun.header("location").unwrap().to_owned();
    assert_eq!(months(&of_link(&till, &made)), (json!([3]), json!(null)));
    paid_at_bank(&payer, &attempt, "1");
    let paid = of_link(&till, &made);
    assert_eq!((months(&paid), &paid["status"]), ((json!([3]), json!(null)), &json!("paid")));
}

fn a_link_for_an_order_offers_what_suits_what_is_left(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payer = Payer::of(&till);
    let order = till.order(14);
    let (made, page) = link(&till, &json!({"orderId": order, "installments": [3, 6]}));
    assert!(payer.sees(&page).text.contains("Hasta 6 meses"), "{made}");
    let _ = till.pay(&json!({"orderId": order, "method": "cash", "amount": 300}));
    assert!(payer.sees(&page).text.contains("Hasta 3 meses"));
    let attempt = payer.begins(&page, "card");
    assert_eq!(of_link(&till, &made)["installments"], json!([3]));
    paid_at_bank(&payer, &attempt, "3");
    assert_eq!(of_link(&till, &made)["installmentsChosen"], 3);
    assert_eq!(till.order_now(&order)["paymentStatus"], "paid");
}
