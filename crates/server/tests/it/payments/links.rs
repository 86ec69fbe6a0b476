//! Payment links: what they ask for, who may pay by one, and the pages that a payer sees.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, on_both};

use super::till::Till;
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

on_both!(
    an_order_is_paid_by_card,
    a_transfer_is_waited_for_and_can_be_given_up,
    a_slip_has_a_barcode_that_says_its_reference,
    of_many_payers_one_pays,
    the_same_form_is_one_attempt,
    a_declined_card_gives_its_place_back,
    who_does_not_go_on_gives_their_place_back,
    money_that_comes_late_is_kept,
    the_payer_chooses_an_amount,
    links_are_changed_closed_and_listed,
    a_link_closes_with_its_order,
    what_cannot_be_asked_for_is_named,
    links_that_lead_nowhere_look_alike,
    a_form_of_another_site_has_no_effect,
    a_link_that_is_tried_too_often_rests,
    a_form_that_came_too_late_is_told_so,
    a_number_of_a_card_is_not_kept,
    who_is_being_asked_for_when_another_pays_is_called_off,
    a_short_transfer_is_told_as_such,
    who_sends_too_often_reads_so,
);

/// Somebody with a browser and no key.
pub(super) struct Payer {
    browser: Client,
    /// The address that a proxy says they come from.
    address: Option<String>,
}

impl Payer {
    pub(super) fn of(till: &Till) -> Self {
        Self::with(&till.shop.client)
    }

    /// Somebody who reaches the service of this client.
    pub(super) fn with(client: &Client) -> Self {
        Self { browser: client.with_key(""), address: None }
    }

    pub(super) fn sees(&self, page: &str) -> Reply {
        self.browser.get(page)
    }

    pub(super) fn sends(&self, page: &str, fields: &[(&str, &str)]) -> Reply {
        self.sends_from(page, fields, None)
    }

    fn sends_from(&self, page: &str, fields: &[(&str, &str)], origin: Option<&str>) -> Reply {
        let escaped = |text: &str| {
            text.replace('@', "%40").replace('$', "%24").replace(',', "%2C").replace(' ', "+")
        };
        let pairs = fields.iter().map(|(name, value)| format!("{name}={}", escaped(value)));
        let request = self
            .browser
            .request("POST", page)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept-Language", "es-MX");
        let request = match origin {
            Some(origin) => request.header("Origin", origin),
            None => request,
        };
        let request = match &self.address {
            Some(address) => request.header("X-Forwarded-For", address),
            None => request,
        };
        Reply::to(request.body(pairs.collect::<Vec<_>>().join("&")))
    }

    /// What tells the form on a page from others.
    pub(super) fn form(&self, page: &str) -> String {
        let shown = self.sees(page);
        assert_eq!(shown.status, 200, "{}", shown.text);
        between(&shown.text, "name=\"form\" value=\"", "\"").to_owned()
    }

    fn tries(&self, page: &str, form: &str, method: &str) -> Reply {
        self.sends(&format!("{page}/attempts"), &[("form", form), ("method", method)])
    }

    /// Begins to pay; the page of the attempt.
    pub(super) fn begins(&self, page: &str, method: &str) -> String {
        began(&self.tries(page, &self.form(page), method))
    }
}

pub(super) fn began(reply: &Reply) -> String {
    assert_eq!(reply.status, 303, "{}", reply.text);
    reply.header("location").unwrap().to_owned()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}"));
    rest.split_once(end).unwrap().0
}

/// What is on a page without its tags, as it is copied from there.
fn copied(page: &str) -> String {
    page.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect()
}

/// A link, and the path of its page.
#[track_caller]
pub(super) fn link(till: &Till, body: &Value) -> (Value, String) {
    let link = till.shop.client.post("/payment-links", body).expect(201);
    let path = page_of(&link);
    (link, path)
}

pub(super) fn page_of(link: &Value) -> String {
    let url = link["url"].as_str().unwrap();
    format!("/pay/{}", url.rsplit_once("/pay/").unwrap().1)
}

fn cup() -> Value {
    json!({"title": "A cup", "amount": 100})
}

fn now(till: &Till, link: &Value) -> Value {
    till.shop.client.get(&format!("/payment-links/{}", id(link))).expect(200)
}

/// The payments of a link, the newest first.
fn payments(till: &Till, link: &Value) -> Vec<Value> {
    let page = till.shop.client.get(&format!("/payments?paymentLinkId={}", id(link))).expect(200);
    page["data"].as_array().unwrap().clone()
}

fn counts(till: &Till, link: &Value) -> (Value, Value, Value) {
    let link = now(till, link);
    (link["status"].clone(), link["paymentsOpen"].clone(), link["paymentsPaid"].clone())
}

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

fn the_same_form_is_one_attempt(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &json!({"title": "A cup", "amount": 100, "maxPayments": 3}));
    let payer = Payer::of(&till);
    let form = payer.form(&page);
    let first = began(&payer.tries(&page, &form, "card"));
    assert_eq!(began(&payer.tries(&page, &form, "card")), first);
    assert_eq!(counts(&till, &made), (json!("active"), json!(1), json!(0)));
    assert_ne!(began(&payer.tries(&page, &form, "spei")), first);
    assert_eq!(counts(&till, &made), (json!("active"), json!(2), json!(0)));
    let invented = payer.tries(&page, "01M8.AAAA", "card");
    assert!(invented.status == 200 && invented.text.contains("<form"), "{}", invented.text);
    assert_eq!(counts(&till, &made), (json!("active"), json!(2), json!(0)));
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

fn links_are_changed_closed_and_listed(kind: DatabaseKind) {
    let till = Till::open(kind);
    let client = &till.shop.client;
    let (made, page) = link(&till, &cup());
    let path = format!("/payment-links/{}", id(&made));
    let changed =
        client.patch(&path, &json!({"title": "A blue cup", "maxPayments": 2})).expect(200);
    assert_eq!((&changed["title"], &changed["maxPayments"]), (&json!("A blue cup"), &json!(2)));
    let said = client.patch(&path, &json!({"amount": 90})).refused(400, "validation_failed");
    assert!(said.contains("amount"), "{said}");
    assert_eq!(client.patch(&path, &now(&till, &made)).expect(200)["title"], "A blue cup");
    till.shop.app.advance_seconds(8 * 86_400);
    assert_eq!(now(&till, &made)["status"], "expired");
    assert_eq!(Payer::of(&till).sees(&page).status, 410);
    let listed = |status: &str| {
        let list = client.get(&format!("/payment-links?status={status}")).expect(200);
        list["total"].as_i64().unwrap()
    };
    assert_eq!((listed("expired"), listed("active")), (1, 0));
    let (second, _) = link(&till, &cup());
    let later = json!({"expiresAt": second["expiresAt"]});
    assert_eq!(client.patch(&path, &later).expect(200)["status"], "active");
    assert_eq!((listed("expired"), listed("active")), (0, 2));
    for _ in 0..2 {
        let off = client.act(&format!("{path}/deactivate")).expect(200);
        assert_eq!(off["status"], "inactive");
    }
    let said = client.patch(&path, &later).refused(409, "invalid_transition");
    assert!(said.contains("inactive"), "{said}");
    assert_eq!((listed("inactive"), listed("active")), (1, 1));
    assert_eq!(Payer::of(&till).sees(&page).status, 410);
}

fn a_link_closes_with_its_order(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (paid, cancelled) = (till.order(2), till.order(2));
    let (first, page) = link(&till, &json!({"orderId": paid}));
    let (second, _) = link(&till, &json!({"orderId": cancelled}));
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "spei");
    let _ = till.pay(&json!({"orderId": paid, "method": "cash"}));
    assert_eq!(now(&till, &first)["status"], "completed");
    // Whoever was about to pay is called off.
    let waiting = payments(&till, &first)[0].clone();
    assert_eq!(till.once(&waiting, "canceled")["amountCaptured"], 0);
    assert_eq!(counts(&till, &first), (json!("completed"), json!(0), json!(0)));
    assert!(payer.sees(&attempt).text.contains("Ya no pague"));
    let cancel = json!({"status": "cancelled", "reason": "The customer asked for it"});
    let _ = till.shop.client.patch(&format!("/orders/{cancelled}"), &cancel).expect(200);
    assert_eq!(now(&till, &second)["status"], "inactive");
    let again = till.shop.client.post("/payment-links", &json!({"orderId": cancelled}));
    let _ = again.refused(409, "order_cancelled");
    let again = till.shop.client.post("/payment-links", &json!({"orderId": paid}));
    let _ = again.refused(409, "conflict");
}

fn what_cannot_be_asked_for_is_named(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(1);
    for (body, field) in [
        (json!({"amount": 5}), "title"),
        (json!({"title": "x"}), "amount"),
        (json!({"title": "x", "amountMin": 5, "amountMax": 5}), "amountMax"),
        (json!({"title": "x", "amount": 5, "amountMin": 1, "amountMax": 9}), "amount"),
        (json!({"orderId": order, "amount": 5}), "amount"),
        (json!({"orderId": order, "currency": "USD"}), "currency"),
        (json!({"orderId": "ord_01JD3V9QK4W8N2RZ6T5B7C0XEA"}), "orderId"),
        (json!({"title": "x", "amount": 5.001}), "amount"),
        (json!({"title": "x", "amount": 5, "allowedMethods": ["oxxo"]}), "allowedMethods"),
        (json!({"title": "x", "amount": 5, "allowedMethods": []}), "allowedMethods"),
        (json!({"title": "x", "amount": 5, "expiresAt": "2020-01-01T00:00:00Z"}), "expiresAt"),
        (json!({"title": "x", "amount": 5, "url": "https://x.example"}), "url"),
    ] {
        let said = till.shop.client.post("/payment-links", &body).refused(400, "validation_failed");
        assert!(said.contains(field), "{body}: {said}");
    }
    let unset = json!({"title": "x", "amount": 50, "provider": "conekta"});
    let said = till.shop.client.post("/payment-links", &unset);
    assert!(said.refused(409, "provider_not_configured").contains("conekta"));
    let card = json!({"title": "4242 4242 4242 4242", "amount": 50});
    let _ = till.shop.client.post("/payment-links", &card).refused(400, "card_data_refused");
}

fn links_that_lead_nowhere_look_alike(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (_, page) = link(&till, &json!({"title": "x", "amount": 50, "maxPayments": 2}));
    let (_, other) = link(&till, &json!({"title": "y", "amount": 50, "maxPayments": 2}));
    let payer = Payer::of(&till);
    let attempt = payer.begins(&page, "spei");
    let own = attempt.rsplit_once('/').unwrap().1.to_owned();
    let wrong = "A".repeat(24);
    let nothing = payer.sees(&format!("/pay/{wrong}"));
    assert_eq!(nothing.status, 404);
    for path in [
        "/pay/short".to_owned(),
        format!("/pay/{own}"),
        format!("{page}/a/{wrong}"),
        format!("{other}/a/{own}"),
        format!("{other}/a/{own}/bank"),
    ] {
        let seen = payer.sees(&path);
        assert_eq!((seen.status, &seen.text), (404, &nothing.text), "{path}");
    }
    for path in [format!("/pay/{wrong}/attempts"), format!("{other}/a/{own}/cancel")] {
        assert_eq!(payer.sends(&path, &[("method", "spei")]).status, 404, "{path}");
    }
}

fn a_form_of_another_site_has_no_effect(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let form = payer.form(&page);
    let fields = [("form", form.as_str()), ("method", "spei")];
    let attempts = format!("{page}/attempts");
    let foreign = payer.sends_from(&attempts, &fields, Some("https://evil.example"));
    assert!(foreign.status == 200 && foreign.text.contains("<form"), "{}", foreign.text);
    assert!(payments(&till, &made).is_empty());
    let attempt = began(&payer.sends_from(&attempts, &fields, Some("null")));
    let cancel = format!("{attempt}/cancel");
    let foreign = payer.sends_from(&cancel, &[], Some("https://evil.example"));
    assert_eq!(began(&foreign), attempt);
    assert_eq!(payments(&till, &made)[0]["status"], "requires_action");
    let origin = till.shop.app.origin();
    assert_eq!(began(&payer.sends_from(&cancel, &[], Some(&origin))), page);
}

fn a_link_that_is_tried_too_often_rests(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    for _ in 0..10 {
        till.shop.app.advance_seconds(20);
        let attempt = payer.begins(&page, "card");
        let _ = began(&payer.sends(&format!("{attempt}/bank"), &[("event", "decline")]));
    }
    // Who tries card after card tries out the numbers of others.
    let shown = payer.sees(&page);
    assert!(!shown.text.contains("value=\"card\"") && shown.text.contains("value=\"spei\""));
    till.shop.app.advance_seconds(3_600);
    assert!(payer.sees(&page).text.contains("value=\"card\""));
    assert_eq!(counts(&till, &made), (json!("active"), json!(0), json!(0)));
}

fn a_form_that_came_too_late_is_told_so(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let (_, page) = link(&till, &json!({"orderId": order}));
    let (payer, other) = (Payer::of(&till), Payer::of(&till));
    let (form, late) = (payer.form(&page), other.form(&page));
    let attempt = began(&payer.tries(&page, &form, "card"));
    assert_eq!(other.tries(&page, &late, "card").status, 409);
    let _ = began(&payer.sends(&format!("{attempt}/bank"), &[("event", "pay")]));
    assert_eq!(other.tries(&page, &late, "card").status, 410);
    // What was sent before leads where it led.
    assert_eq!(began(&payer.tries(&page, &form, "card")), attempt);
    assert_eq!(payer.tries(&page, "01M8.AAAA", "card").status, 410);
}

fn a_number_of_a_card_is_not_kept(kind: DatabaseKind) {
    const NUMBER: &str = "4242 4242 4242 4242";
    let till = Till::open(kind);
    let (made, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let form = payer.form(&page);
    let fields = [("form", form.as_str()), ("method", "spei"), ("name", NUMBER)];
    let refused = payer.sends(&format!("{page}/attempts"), &fields);
    assert!(refused.status == 422 && refused.text.contains("name-fault"), "{}", refused.text);
    assert!(!refused.text.contains("4242"), "{}", refused.text);
    assert!(payments(&till, &made).is_empty());
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

fn who_sends_too_often_reads_so(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (_, page) = link(&till, &cup());
    let payer = Payer::of(&till);
    let sends = |language: &str| {
        let request = payer
            .browser
            .request("POST", &format!("{page}/attempts"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept-Language", language);
        Reply::to(request.body("form=x"))
    };
    let refused = (0..40).map(|_| sends("es-MX")).find(|reply| reply.status == 429);
    let refused = refused.expect("a refusal");
    assert!(refused.header("content-type").unwrap().starts_with("text/html"), "{}", refused.text);
    assert!(refused.header("retry-after").is_some() && refused.text.contains("no se hizo ningún"));
    assert_eq!(refused.header("content-language"), Some("es"));
    assert!(sends("en").text.contains("nothing was charged"), "{}", sends("en").text);
}
