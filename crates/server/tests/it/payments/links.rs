//! Payment links: what they ask for, who may pay by one, and the pages that a payer sees.

mod forms;
mod paying;

use serde_json::{Value, json};
use testkit::{Client, DatabaseKind, Reply, on_both};

use super::till::Till;
use crate::orders::shop::id;

on_both!(
    links_are_changed_closed_and_listed,
    a_link_closes_with_its_order,
    what_cannot_be_asked_for_is_named,
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
