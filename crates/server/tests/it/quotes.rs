//! Quotes over HTTP, and their pages.

mod accepting;
mod approving;
mod pages;

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

pub(crate) use crate::orders::shop::{Shop, id};
use crate::races::at_once;

testkit::on_both!(
    a_draft_shows_what_it_offers,
    prices_stay_as_they_were_quoted,
    drafts_are_changed_and_deleted,
    what_was_read_can_be_sent_back,
    a_sent_quote_never_changes,
    a_draft_is_sent_as_it_was_seen,
    a_change_and_a_sending_of_what_was_seen_do_not_both_win,
    revisions_take_the_place_of_those_before,
    a_rejected_quote_says_why,
    time_ends_a_quote_at_midnight,
    days_end_where_the_merchant_is,
    the_last_day_is_bounded,
    filters_find_quotes,
    bad_bodies_are_explained,
    quotes_keep_their_customer_and_their_deal,
    a_quote_is_printed,
);

const ALL: &str = "/crm/quotes";
/// Later than any day on which the tests run.
const FAR: &str = "2026-12-31";

/// A shop with something to quote.
pub(super) struct Counter {
    pub(super) shop: Shop,
    pub(super) mug: String,
    pub(super) plate: String,
}

impl Counter {
    pub(super) fn open(kind: DatabaseKind) -> Self {
        Self::of(Shop::open(kind))
    }

    pub(super) fn of(shop: Shop) -> Self {
        let (mug, plate) = (shop.product("TAZA", 116.0, 100), shop.product("PLATO", 58.0, 100));
        Self { shop, mug, plate }
    }

    /// Ten mugs and two plates, each plate at 50 and all of it ten percent off.
    pub(super) fn offer(&self) -> Value {
        json!({"customerId": self.shop.customer, "title": "Tazas", "discount": {"percent": 10},
            "items": [{"productId": self.mug, "quantity": 10}, {"productId": self.plate, "quantity": 2, "unitPrice": 50}]})
    }

    #[track_caller]
    pub(super) fn draft(&self, body: &Value) -> Value {
        let made = self.shop.make(ALL, body);
        assert_eq!(self.read(&made), made, "what was answered is what is there");
        made
    }

    /// A quote that its customer can accept.
    #[track_caller]
    pub(super) fn sent(&self, body: &Value) -> Value {
        self.act(&self.draft(body), "send", &json!({})).expect(200)
    }

    pub(super) fn act(&self, quote: &Value, act: &str, body: &Value) -> Reply {
        let path = format!("{ALL}/{}/{act}", id(quote));
        match body.as_object().is_some_and(serde_json::Map::is_empty) {
            true => self.shop.client.act(&path),
            false => self.shop.client.post(&path, body),
        }
    }

    #[track_caller]
    pub(super) fn read(&self, quote: &Value) -> Value {
        self.shop.client.get(&format!("{ALL}/{}", id(quote))).expect(200)
    }

    /// The `ETag` of a quote as it is by now.
    fn tag(&self, quote: &Value) -> String {
        let shown = self.shop.client.get(&format!("{ALL}/{}", id(quote)));
        shown.header("etag").unwrap().to_owned()
    }

    /// Sends what was seen.
    fn send_as(&self, quote: &Value, tag: &str) -> Reply {
        let path = format!("{ALL}/{}/send", id(quote));
        Reply::to(self.shop.client.request("POST", &path).header("If-Match", tag))
    }

    fn change(&self, quote: &Value, changes: &Value) -> Reply {
        self.shop.client.patch(&format!("{ALL}/{}", id(quote)), changes)
    }
}

/// Where the page of a quote lies.
pub(super) fn page_of(quote: &Value) -> String {
    let url = quote["url"].as_str().unwrap();
    format!("/quotes/{}", url.rsplit_once("/quotes/").unwrap().1)
}

fn a_draft_shows_what_it_offers(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let made = counter.draft(&counter.offer());
    // 1,160 + 100, ten percent off.
    for (name, value) in [
        ("quoteNumber", json!("COT-000001")),
        ("revision", json!(1)),
        ("status", json!("draft")),
        ("subtotal", json!(1260)),
        ("discountTotal", json!(126)),
        ("totalAmount", json!(1134)),
        ("taxTotal", json!(156.41)),
        ("currency", json!("MXN")),
        ("timeZone", json!("America/Mexico_City")),
        ("orderId", Value::Null),
        ("problem", Value::Null),
    ] {
        assert_eq!(made[name], value, "{name}");
    }
    assert_eq!(
        (&made["items"][0]["unitPrice"], &made["items"][1]["unitPrice"]),
        (&json!(116), &json!(50))
    );
    assert_eq!(counter.draft(&counter.offer())["quoteNumber"], "COT-000002");
    assert_eq!(counter.shop.stock(&counter.mug), 100, "nothing is reserved");
    assert_eq!(counter.shop.told("quote.sent").len(), 0);
}

fn prices_stay_as_they_were_quoted(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let made = counter.draft(&counter.offer());
    let dearer = json!({"price": 500, "taxIncluded": false, "taxes": []});
    let _ = counter.shop.client.patch(&format!("/products/{}", counter.mug), &dearer).expect(200);
    let same = json!({"items": [
        {"productId": counter.mug, "quantity": 10, "unitPrice": 116},
        {"productId": counter.plate, "quantity": 2, "unitPrice": 50}]});
    let kept = counter.change(&made, &same).expect(200);
    assert_eq!(
        (&kept["items"], &kept["taxTotal"]),
        (&made["items"], &made["taxTotal"]),
        "taxes too, where the unit price is the same"
    );
    let renamed =
        counter.change(&made, &json!({"title": "Otras", "discount": {"percent": 20}})).expect(200);
    assert_eq!(
        (&renamed["items"][0]["unitPrice"], &renamed["totalAmount"]),
        (&json!(116), &json!(1008))
    );
    let _ = counter.act(&renamed, "send", &json!({})).expect(200);
    let accepted = counter.act(&renamed, "accept", &json!({})).expect(200);
    let order = counter.shop.read(accepted["orderId"].as_str().unwrap()).json();
    for name in ["totalAmount", "taxTotal", "subtotal", "discountTotal", "currency"] {
        assert_eq!(order[name], renamed[name], "{name}");
    }
    assert_eq!(order["items"][0]["taxIncluded"], true);
}

fn drafts_are_changed_and_deleted(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let made = counter.draft(&counter.offer());
    let items = json!([{"productId": counter.plate, "quantity": 3}]);
    let changes =
        json!({"items": items, "discount": null, "notes": "Entrega\nen 5 días", "validUntil": FAR});
    let changed = counter.change(&made, &changes).expect(200);
    assert_eq!(
        (&changed["totalAmount"], &changed["notes"]),
        (&json!(174), &json!("Entrega\nen 5 días"))
    );
    assert_eq!(changed["expiresAt"], "2027-01-01T06:00:00.000Z");
    let place = format!("{ALL}/{}", id(&made));
    let stale = counter.shop.client.request("DELETE", &place).header("If-Match", "\"1-0\"");
    assert!(!Reply::to(stale).refused(412, "precondition_failed").is_empty());
    let deleted = counter.shop.client.delete(&place).expect(200);
    assert_eq!(deleted, json!({"id": made["id"], "deleted": true}));
    assert!(!counter.shop.client.get(&place).refused(404, "not_found").is_empty());
    assert_eq!(counter.shop.client.with_key("").get(&page_of(&made)).status, 404);
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let shipped = json!({"name": "Estafeta", "amount": 99});
    let mut offer = counter.offer();
    offer["shipping"] = shipped;
    let made = counter.draft(&offer);
    let back = counter.change(&made, &made).expect(200);
    assert_eq!(back, made);
    let wrong = counter.change(&made, &json!({"totalAmount": 5}));
    assert!(wrong.refused(400, "validation_failed").contains("totalAmount"));
}

fn a_sent_quote_never_changes(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    assert_eq!(sent["status"], "sent");
    let told = json!({"id": sent["id"], "number": "COT-000001", "revision": 1, "customerId": counter.shop.customer,
        "total": 1134, "currency": "MXN"});
    assert_eq!(counter.shop.told("quote.sent"), [told]);
    assert_eq!(counter.act(&sent, "send", &json!({})).expect(200), sent);
    assert_eq!(counter.shop.told("quote.sent").len(), 1);
    let changed = counter.change(&sent, &json!({"title": "Otra"})).refused(409, "conflict");
    assert!(changed.contains("/revise"), "{changed}");
    let place = format!("{ALL}/{}", id(&sent));
    assert!(!counter.shop.client.delete(&place).refused(409, "conflict").is_empty());
}

fn a_draft_is_sent_as_it_was_seen(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let draft = counter.draft(&counter.offer());
    let seen = counter.tag(&draft);
    let _ = counter.change(&draft, &json!({"notes": "Otra"})).expect(200);
    for stale in [seen.as_str(), "\"99\"", "\"x\""] {
        let _ = counter.send_as(&draft, stale).refused(412, "precondition_failed");
    }
    assert_eq!(counter.read(&draft)["status"], "draft");
    assert!(counter.shop.told("quote.sent").is_empty());
    let sent = counter.send_as(&draft, &counter.tag(&draft)).expect(200);
    assert_eq!((&sent["status"], &sent["notes"]), (&json!("sent"), &json!("Otra")));
    // What is sent already stays so.
    for tag in [&counter.tag(&draft), "*", &seen] {
        assert_eq!(counter.send_as(&draft, tag).expect(200), sent);
    }
    assert_eq!(counter.shop.told("quote.sent").len(), 1);
}

fn a_change_and_a_sending_of_what_was_seen_do_not_both_win(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    for _ in 0..8 {
        let draft = counter.draft(&counter.offer());
        let seen = counter.tag(&draft);
        let statuses = at_once(2, |which| match which {
            0 => counter.send_as(&draft, &seen).status,
            _ => counter.change(&draft, &json!({"notes": "Otra"})).status,
        });
        let left = counter.read(&draft);
        let left = (left["status"].as_str().unwrap(), left["notes"].as_str());
        match statuses.as_slice() {
            [200, 409] => assert_eq!(left, ("sent", None)),
            [412, 200] => assert_eq!(left, ("draft", Some("Otra"))),
            _ => panic!("{statuses:?}: {left:?}"),
        }
    }
}

fn revisions_take_the_place_of_those_before(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let first = counter.sent(&counter.offer());
    let second = counter.act(&first, "revise", &json!({})).expect(201);
    for name in ["quoteNumber", "url", "totalAmount", "items", "customerId"] {
        assert_eq!(second[name], first[name], "{name}");
    }
    assert_eq!((&second["revision"], &second["status"]), (&json!(2), &json!("draft")));
    let twice = counter.act(&first, "revise", &json!({})).refused(409, "conflict");
    assert!(twice.contains(&id(&second)), "{twice}");
    assert_eq!(counter.read(&first)["status"], "sent", "until the next one is sent");
    let _ = counter.change(&second, &json!({"discount": {"percent": 50}})).expect(200);
    let _ = counter.act(&second, "send", &json!({})).expect(200);
    assert_eq!(counter.read(&first)["status"], "superseded");
    let late = counter.act(&first, "accept", &json!({}));
    assert!(!late.refused(409, "invalid_transition").is_empty());
    let other = counter.act(&second, "accept", &json!({"revision": 1})).refused(409, "conflict");
    assert!(other.contains('2'), "{other}");
    assert_eq!(
        counter.act(&second, "accept", &json!({"revision": 2})).expect(200)["status"],
        "ordered"
    );
}

fn a_rejected_quote_says_why(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let rejected = counter.act(&sent, "reject", &json!({"reason": "Caro"})).expect(200);
    assert_eq!(
        (&rejected["status"], &rejected["rejectReason"]),
        (&json!("rejected"), &json!("Caro"))
    );
    assert_eq!(counter.act(&sent, "reject", &json!({"reason": "Otra"})).expect(200), rejected);
    let told = json!({"id": sent["id"], "number": "COT-000001", "reason": "Caro"});
    assert_eq!(counter.shop.told("quote.rejected"), [told]);
    assert!(
        !counter.act(&sent, "accept", &json!({})).refused(409, "invalid_transition").is_empty()
    );
    assert_eq!(counter.act(&sent, "revise", &json!({})).expect(201)["revision"], 2);
}

fn time_ends_a_quote_at_midnight(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    counter.shop.app.hold_clock();
    let sent = counter.sent(&counter.offer());
    let end = kernel::Timestamp::parse(sent["expiresAt"].as_str().unwrap()).unwrap();
    assert!(sent["expiresAt"].as_str().unwrap().ends_with("T06:00:00.000Z"), "{sent}");
    counter.shop.app.advance_to(end.plus_seconds(-1));
    assert_eq!(counter.read(&sent)["status"], "sent");
    counter.shop.app.housekeep();
    assert_eq!(counter.shop.told("quote.expired").len(), 0);
    counter.shop.app.advance_to(end);
    assert_eq!(counter.read(&sent)["status"], "expired", "before anybody has noted it");
    let listed = counter.shop.client.get(&format!("{ALL}?status=expired")).expect(200);
    assert_eq!(listed["data"][0]["id"], sent["id"]);
    counter.shop.app.housekeep();
    counter.shop.app.housekeep();
    let told = json!({"id": sent["id"], "number": "COT-000001"});
    assert_eq!(counter.shop.told("quote.expired"), [told]);
    let listed = counter.shop.client.get(&format!("{ALL}?status=expired")).expect(200);
    assert_eq!(listed["total"], 1);
    let late = counter.act(&sent, "accept", &json!({})).expect(200);
    assert_eq!((&late["status"], &late["acceptedBy"]), (&json!("ordered"), &json!("merchant")));
}

fn days_end_where_the_merchant_is(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let before = counter.draft(&counter.offer());
    let issuer = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "22000"});
    let _ = counter.shop.make("/invoices/cfdi/issuers", &issuer);
    let mut offer = counter.offer();
    offer["validUntil"] = json!(FAR);
    let made = counter.sent(&offer);
    assert_eq!(
        (&made["timeZone"], &made["expiresAt"]),
        (&json!("America/Tijuana"), &json!("2027-01-01T08:00:00.000Z"))
    );
    let page = counter.shop.client.with_key("").get(&page_of(&made)).text;
    assert!(page.contains("31 de diciembre de 2026 (hora del noroeste)"), "{page}");
    assert_eq!(counter.read(&before), before, "a quote keeps the days that it was made with");
    let _ = counter.act(&before, "send", &json!({})).expect(200);
    let revised = counter.act(&before, "revise", &json!({})).expect(201);
    assert_eq!(revised["timeZone"], "America/Tijuana");
}

fn the_last_day_is_bounded(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    for day in ["2020-01-01", "2099-01-01", "31/12/2026"] {
        let mut offer = counter.offer();
        offer["validUntil"] = json!(day);
        let refused = counter.shop.client.post(ALL, &offer).refused(400, "validation_failed");
        assert!(refused.contains("validUntil"), "{refused}");
    }
    counter.shop.app.hold_clock();
    let draft = counter.draft(&counter.offer());
    let end = kernel::Timestamp::parse(draft["expiresAt"].as_str().unwrap()).unwrap();
    counter.shop.app.advance_to(end);
    let late = counter.act(&draft, "send", &json!({})).refused(400, "validation_failed");
    assert!(late.contains("validUntil"), "{late}");
}

fn filters_find_quotes(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let deal = id(&counter.shop.make("/crm/deals", &json!({"title": "A"})));
    let mut offer = counter.offer();
    let draft = counter.draft(&offer);
    offer["dealId"] = json!(deal);
    let sent = counter.sent(&offer);
    for (query, expected) in [
        (String::new(), vec![&sent, &draft]),
        ("status=draft".to_owned(), vec![&draft]),
        ("status=sent".to_owned(), vec![&sent]),
        ("status=expired".to_owned(), vec![]),
        (format!("dealId={deal}"), vec![&sent]),
        (format!("customerId={}", counter.shop.customer), vec![&sent, &draft]),
        ("quoteNumber=cot-2".to_owned(), vec![&sent]),
        (format!("ids={}", id(&draft)), vec![&draft]),
        ("createdTo=2020-01-01T00:00:00Z".to_owned(), vec![]),
    ] {
        let page = counter.shop.client.get(&format!("{ALL}?{query}")).expect(200);
        let rows = page["data"].as_array().unwrap().iter();
        let ids: Vec<_> = rows.map(|row| row["id"].clone()).collect();
        let expected: Vec<_> = expected.iter().map(|quote| quote["id"].clone()).collect();
        assert_eq!(ids, expected, "{query}");
    }
}

fn bad_bodies_are_explained(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let with = |field: &str, value: Value| {
        let mut offer = counter.offer();
        offer[field] = value;
        offer
    };
    let mug = &counter.mug;
    for (body, field) in [
        (with("items", json!([])), "items"),
        (with("items", json!([{"productId": mug, "quantity": 0}])), "items[0].quantity"),
        (
            with("items", json!([{"productId": "prd_01ARZ3NDEKTSV4RRFFQ69G5FAV", "quantity": 1}])),
            "items[0].productId",
        ),
        (with("discount", json!({"amount": 9_999})), "discount"),
        (with("customerId", Value::Null), "customerId"),
        (with("customerId", json!("cus_01ARZ3NDEKTSV4RRFFQ69G5FAV")), "customerId"),
        (with("dealId", json!("deal_01ARZ3NDEKTSV4RRFFQ69G5FAV")), "dealId"),
        (with("amount", json!(5)), "amount"),
    ] {
        let refused = counter.shop.client.post(ALL, &body).refused(400, "validation_failed");
        assert!(refused.contains(field), "{field}: {refused}");
    }
}

fn quotes_keep_their_customer_and_their_deal(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let client = &counter.shop.client;
    let deal = json!({"title": "A", "customerId": counter.shop.customer});
    let deal = id(&counter.shop.make("/crm/deals", &deal));
    let mut offer = counter.offer();
    offer.as_object_mut().unwrap().remove("customerId");
    offer["dealId"] = json!(deal);
    let draft = counter.draft(&offer);
    assert_eq!(draft["customerId"], json!(counter.shop.customer), "the deal's");
    let deal = format!("/crm/deals/{deal}");
    assert!(client.delete(&deal).refused(409, "conflict").len() > 10);
    let _ = client.patch(&deal, &json!({"customerId": null})).expect(200);
    let customer = format!("/customers/{}", counter.shop.customer);
    assert!(client.delete(&customer).refused(409, "conflict").len() > 10);
    let _ = client.delete(&format!("{ALL}/{}", id(&draft))).expect(200);
    let _ = client.delete(&deal).expect(200);
    let _ = client.delete(&customer).expect(200);
}

fn a_quote_is_printed(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let draft = counter.draft(&counter.offer());
    let pdf = counter.shop.client.request("GET", &format!("{ALL}/{}/pdf", id(&draft)));
    let pdf = Reply::to(pdf);
    assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
    assert!(pdf.header("content-disposition").unwrap().contains("COT-000001.pdf"));
    assert!(pdf.text.starts_with("%PDF"));
}
