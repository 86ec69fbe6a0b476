//! Payers, and what becomes of their money.

use serde_json::json;
use testkit::{App, DatabaseKind, on_both};

use super::{Payer, began, copied, counts, cup, link, payments};
use crate::{
    orders::shop::{Shop, id},
    payments::till::Till,
    races::at_once,
};

on_both!(
    an_order_is_paid_by_card,
    a_transfer_is_waited_for_and_can_be_given_up,
    a_slip_has_a_barcode_that_says_its_reference,
    of_many_payers_one_pays,
    a_declined_card_gives_its_place_back,
    who_does_not_go_on_gives_their_place_back,
    money_that_comes_late_is_kept,
    the_payer_chooses_an_amount,
    who_is_being_asked_for_when_another_pays_is_called_off,
    a_short_transfer_is_told_as_such,
);

fn an_order_is_paid_by_card(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let thanks = "https://shop.example.com/thanks";
    let (made, page) = link(&till, &json!({"orderId": order, "successUrl": thanks}));
    assert_eq!((&made["amount"], &made["status"]), (&json!(null), &json!("active")));
    assert!(made["title"].as_str().unwrap().starts_with("ORD-"), "{made}");
    let payer = Payer::of(&till);
    let shown = payer.sees(&page);
    assert!(shown.text.contains("$100.00") && shown.text.contains("SANDBOX"), "{}", shown.text);
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert_eq!(shown.header("referrer-policy"), Some("no-referrer"));
    assert!(!shown.text.contains("<script") && !shown.text.contains("style="), "{}", shown.text);
    // Looking takes nothing.
    assert_eq!(counts(&till, &made), (json!("active"), json!(0), json!(0)));
    let attempt = payer.begins(&page, "card");
    assert_eq!(counts(&till, &made), (json!("active"), json!(1), json!(0)));
    let bank = format!("{attempt}/bank");
    assert!(payer.sees(&attempt).text.contains(&bank));
    assert_eq!(payer.sees(&bank).status, 200);
    assert_eq!(began(&payer.sends(&bank, &[("event", "pay")])), attempt);
    let paid = payer.sees(&attempt);
    assert!(paid.text.contains(thanks) && paid.text.contains("role=\"status\""), "{}", paid.text);
    assert_eq!(till.order_now(&order)["status"], "paid");
    assert_eq!(counts(&till, &made), (json!("completed"), json!(0), json!(1)));
    assert_eq!(payer.sees(&page).status, 410);
    let payment = &payments(&till, &made)[0];
    assert_eq!((&payment["status"], &payment["orderId"]), (&json!("paid"), &json!(order)));
    // What leads to the page is in no row of the payment.
    let own = attempt.rsplit_once('/').unwrap().1;
    assert!(!payment.to_string().contains(own), "{payment}");
    assert_eq!(till.shop.told("payment.received").len(), 1);
}

fn a_transfer_is_waited_for_and_can_be_given_up(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let first = payer.begins(&page, "spei");
    let shown = payer.sees(&first);
    let clabe = payments(&till, &made)[0]["instructions"]["clabe"].as_str().unwrap().to_owned();
    assert!(copied(&shown.text).contains(&clabe), "{}", shown.text);
    let other = Payer::of(&till).sees(&page);
    assert!(other.status == 409 && other.text.contains("role=\"status\""), "{}", other.text);
    assert_eq!(began(&payer.sends(&format!("{first}/cancel"), &[])), page);
    assert!(payer.sees(&first).text.contains("Ya no pague"), "{}", payer.sees(&first).text);
    assert_eq!(counts(&till, &made), (json!("active"), json!(0), json!(0)));
    let second = payer.begins(&page, "spei");
    let payment = payments(&till, &made)[0].clone();
    let half = till.act(&payment, "simulate", &json!({"event": "pay", "amount": 40})).expect(200);
    assert_eq!(half["status"], "requires_action");
    // What is left is to be transferred, not all of it once more.
    let shown = payer.sees(&second).text;
    assert!(shown.contains("$40.00") && shown.contains("$60.00"), "{shown}");
    let _ = till.act(&payment, "simulate", &json!({"event": "pay", "amount": 60})).expect(200);
    assert_eq!(counts(&till, &made), (json!("completed"), json!(0), json!(1)));
}

fn a_slip_has_a_barcode_that_says_its_reference(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let attempts = format!("{page}/attempts");
    let form = payer.form(&page);
    let nobody = payer.sends(&attempts, &[("form", &form), ("method", "oxxo"), ("email", "x")]);
    assert_eq!(nobody.status, 422, "{}", nobody.text);
    for at in ["name-fault", "email-fault", "Error: "] {
        assert!(nobody.text.contains(at), "{at}: {}", nobody.text);
    }
    let form = payer.form(&page);
    let fields = [
        ("form", form.as_str()),
        ("method", "oxxo"),
        ("name", "Ana"),
        ("email", "ana@example.com"),
    ];
    let attempt = began(&payer.sends(&attempts, &fields));
    let payment = payments(&till, &made)[0].clone();
    assert_eq!(payment["payer"]["email"], "ana@example.com");
    let shown = payer.sees(&attempt);
    let reference = payment["instructions"]["reference"].as_str().unwrap();
    assert!(copied(&shown.text).contains(reference), "{}", shown.text);
    assert!(shown.text.contains("<svg") && shown.text.contains("<rect"), "{}", shown.text);
}

fn of_many_payers_one_pays(kind: DatabaseKind) {
    const PAYERS: usize = 100;
    // From one address most of them would have to wait.
    let proxy = "127.0.0.1".parse().unwrap();
    let app = App::with(kind).api(|api| api.trusted_proxies = vec![proxy]).start();
    let till = Till::of(Shop::of(app));
    let wanted = json!({"title": "A cup", "amount": 100, "maxPayments": 1});
    let (made, page) = link(&till, &wanted);
    let forms: Vec<_> = (0..PAYERS).map(|_| Payer::of(&till).form(&page)).collect();
    let begun = at_once(PAYERS, |number| {
        let address = Some(format!("203.0.113.{number}"));
        Payer { address, ..Payer::of(&till) }.tries(&page, &forms[number], "card")
    });
    let won: Vec<_> = begun.iter().filter(|reply| reply.status == 303).collect();
    assert_eq!(won.len(), 1, "{:?}", begun.iter().map(|reply| reply.status).collect::<Vec<_>>());
    assert!(begun.iter().filter(|reply| reply.status != 303).all(|reply| reply.status == 409));
    assert_eq!(payments(&till, &made).len(), 1);
    let asked = till.shop.app.database.lines("SELECT payment_id AS line FROM sandbox_charges");
    assert_eq!(asked.len(), 1, "nobody else is charged");
    let bank = format!("{}/bank", began(won[0]));
    let _ = began(&Payer::of(&till).sends(&bank, &[("event", "pay")]));
    assert_eq!(counts(&till, &made), (json!("completed"), json!(0), json!(1)));
    assert_eq!(till.shop.told("payment.received").len(), 1);
}

fn a_declined_card_gives_its_place_back(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "card");
    let _ = began(&payer.sends(&format!("{attempt}/bank"), &[("event", "decline")]));
    let shown = payer.sees(&attempt);
    assert!(shown.text.contains("role=\"alert\"") && shown.text.contains(&page), "{}", shown.text);
    assert_eq!(counts(&till, &made), (json!("active"), json!(0), json!(0)));
    // The bank does not decide twice.
    let _ = began(&payer.sends(&format!("{attempt}/bank"), &[("event", "pay")]));
    assert_eq!(payments(&till, &made)[0]["status"], "failed");
    let _ = payer.begins(&page, "card");
}

fn who_does_not_go_on_gives_their_place_back(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "card");
    till.shop.app.advance_seconds(1_900);
    let _ = till
        .shop
        .client
        .once(&format!("/payment-links/{}", id(&made)), |link| link["paymentsOpen"] == 0);
    assert_eq!(payments(&till, &made)[0]["status"], "canceled");
    assert_eq!(payer.sees(&attempt).status, 200);
    let _ = payer.begins(&page, "card");
}

fn money_that_comes_late_is_kept(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "spei");
    let payment = payments(&till, &made)[0].clone();
    let _ = till.act(&payment, "simulate", &json!({"event": "expire"})).expect(200);
    let off = till.shop.client.act(&format!("/payment-links/{}/deactivate", id(&made))).expect(200);
    assert_eq!(off["status"], "inactive");
    let paid = till.act(&payment, "simulate", &json!({"event": "pay"})).expect(200);
    assert_eq!((&paid["status"], &paid["flags"]), (&json!("paid"), &json!(["late"])));
    assert_eq!(counts(&till, &made), (json!("inactive"), json!(0), json!(1)));
    assert!(payer.sees(&attempt).text.contains("después del plazo"));
}

fn the_payer_chooses_an_amount(kind: DatabaseKind) {
    let till = Till::open(kind);
    let body =
        json!({"title": "Donation", "amountMin": 50, "amountMax": 5000, "maxPayments": null});
    let (made, page) = link(&till, &body);
    assert_eq!((&made["maxPayments"], &made["amountMin"]), (&json!(null), &json!(50)));
    let payer = Payer::of(&till);
    let attempts = format!("{page}/attempts");
    for wrong in ["", "49.99", "5000.01", "many", "60.001"] {
        let form = payer.form(&page);
        let fields = [("form", form.as_str()), ("method", "spei"), ("amount", wrong)];
        let refused = payer.sends(&attempts, &fields);
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.text);
        assert!(refused.text.contains("id=\"amount-fault\""), "{wrong}: {}", refused.text);
    }
    till.shop.app.advance_seconds(61);
    let form = payer.form(&page);
    let fields = [("form", form.as_str()), ("method", "spei"), ("amount", "$1,250.50")];
    let _ = began(&payer.sends(&attempts, &fields));
    assert_eq!(payments(&till, &made)[0]["amount"], 1_250.5);
    assert_eq!(counts(&till, &made), (json!("active"), json!(1), json!(0)));
}

fn who_is_being_asked_for_when_another_pays_is_called_off(kind: DatabaseKind) {
    let till = Till::open(kind);
    // The first call of this amount is lost: the payment stays pending for some seconds.
    let (made, page) = link(&till, &json!({"title": "A cup", "amount": 7_000.07}));
    let payer = Payer::of(&till);
    let _ = payer.begins(&page, "spei");
    let first = till.once(&payments(&till, &made)[0], "requires_action");
    let _ = till.act(&first, "simulate", &json!({"event": "expire"})).expect(200);
    let second = payer.begins(&page, "card");
    assert!(payer.sees(&second).text.contains("aún no responde"), "{}", payer.sees(&second).text);
    let paid = till.act(&first, "simulate", &json!({"event": "pay"})).expect(200);
    assert_eq!(paid["status"], "paid");
    let waiting = payments(&till, &made)[0].clone();
    till.shop.app.advance_seconds(600);
    assert_eq!(till.once(&waiting, "canceled")["amountCaptured"], 0);
    assert_eq!(counts(&till, &made), (json!("completed"), json!(0), json!(1)));
}

fn a_short_transfer_is_told_as_such(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "spei");
    let payment = payments(&till, &made)[0].clone();
    let _ = till.act(&payment, "simulate", &json!({"event": "pay", "amount": 40})).expect(200);
    let _ = till.act(&payment, "simulate", &json!({"event": "expire"})).expect(200);
    let shown = payer.sees(&attempt);
    assert!(shown.text.contains("es menos de lo que se pidió"), "{}", shown.text);
    assert!(shown.text.contains("$40.00") && !shown.text.contains("$100.00"), "{}", shown.text);
}
