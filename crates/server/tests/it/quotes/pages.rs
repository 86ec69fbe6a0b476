//! The page of a quote, where its customer accepts or asks.

use serde_json::{Value, json};
use testkit::{Client, DatabaseKind, Reply};

use super::{ALL, Counter, id, page_of};

testkit::on_both!(
    a_customer_accepts_what_they_see,
    what_has_no_sku_is_called_by_its_name,
    the_page_speaks_both_languages,
    the_same_form_is_one_acceptance,
    a_revision_that_was_not_seen_is_not_accepted,
    an_expired_quote_is_not_accepted_by_its_customer,
    what_is_no_offer_any_more_is_not_said_to_have_changed,
    a_customer_turns_it_down,
    a_customer_asks,
    a_form_of_another_site_has_no_effect,
    links_that_lead_nowhere_look_alike,
    who_sends_too_often_reads_so,
);

fn visitor(counter: &Counter) -> Client {
    counter.shop.client.with_key("")
}

fn sees(visitor: &Client, page: &str) -> String {
    let shown = visitor.get(page);
    assert_eq!(shown.status, 200, "{}", shown.text);
    for header in ["content-security-policy", "referrer-policy", "x-robots-tag"] {
        assert!(shown.header(header).is_some(), "{header}");
    }
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    shown.text
}

fn sends(visitor: &Client, page: &str, fields: &[(&str, &str)]) -> Reply {
    sends_from(visitor, page, fields, None)
}

fn sends_from(
    visitor: &Client,
    page: &str,
    fields: &[(&str, &str)],
    origin: Option<&str>,
) -> Reply {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
    let request = visitor
        .request("POST", page)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Accept-Language", "es-MX");
    let request = match origin {
        Some(origin) => request.header("Origin", origin),
        None => request,
    };
    Reply::to(request.body(pairs.collect::<Vec<_>>().join("&")))
}

fn encoded(value: &str) -> String {
    let marks =
        [('@', "%40"), ('?', "%3F"), ('\r', "%0D"), ('\n', "%0A"), ('\0', "%00"), (' ', "+")];
    marks.iter().fold(value.to_owned(), |text, (mark, code)| text.replace(*mark, code))
}

/// What tells the form that goes to this place from others.
fn form(html: &str, place: &str) -> String {
    let (_, form) = html.split_once(&format!("/{place}\"")).unwrap_or_else(|| panic!("{html}"));
    let (_, value) = form.split_once("name=\"form\" value=\"").unwrap();
    value.split_once('"').unwrap().0.to_owned()
}

fn accepts(visitor: &Client, page: &str, form: &str, revision: &str) -> Reply {
    let fields = [("form", form), ("revision", revision), ("acceptName", "Ana Flores")];
    sends(visitor, &format!("{page}/accept"), &fields)
}

fn a_customer_accepts_what_they_see(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let html = sees(&visitor, &page);
    for part in ["COT-000001", "TAZA", "1,134.00 MXN", "Tazas", "hora del centro", "Ana"] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("<script"), "{html}");
    assert_eq!(counter.read(&sent), sent, "reading changes nothing");
    let reply = accepts(&visitor, &page, &form(&html, "accept"), "1");
    assert_eq!((reply.status, reply.header("location")), (303, Some(page.as_str())));
    let ordered = counter.read(&sent);
    assert_eq!(
        (&ordered["status"], &ordered["acceptedBy"], &ordered["acceptedName"]),
        (&json!("ordered"), &json!("customer"), &json!("Ana Flores"))
    );
    let html = sees(&visitor, &page);
    assert!(html.contains("ORD-000001") && !html.contains("/accept\""), "{html}");
    let pdf = visitor.get(&format!("{page}/pdf"));
    assert!(pdf.status == 200 && pdf.text.starts_with("%PDF"));
}

fn what_has_no_sku_is_called_by_its_name(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let napkin = counter.shop.make("/products", &json!({"name": "Servilleta", "price": 10}));
    let items = json!([{"productId": napkin["id"], "quantity": 10}]);
    let sent = counter.sent(&json!({"customerId": counter.shop.customer, "items": items}));
    let html = sees(&visitor(&counter), &page_of(&sent));
    assert!(html.contains("Servilleta") && !html.contains("prd_"), "{html}");
}

fn the_page_speaks_both_languages(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let request = visitor(&counter).request("GET", &page_of(&sent)).header("Accept-Language", "en");
    let english = Reply::to(request);
    assert!(
        english.text.contains("Accept and order for") && english.text.contains("Mexico City time")
    );
    assert_eq!(english.header("content-language"), Some("en"));
}

fn the_same_form_is_one_acceptance(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let form = form(&sees(&visitor, &page), "accept");
    for _ in 0..3 {
        assert_eq!(accepts(&visitor, &page, &form, "1").status, 303);
    }
    assert_eq!((counter.shop.orders(), counter.shop.told("quote.accepted").len()), (1, 1));
}

fn a_revision_that_was_not_seen_is_not_accepted(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let first = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&first));
    let seen = form(&sees(&visitor, &page), "accept");
    let second = counter.act(&first, "revise", &json!({})).expect(201);
    let dearer = json!({"discount": null});
    let _ = counter.shop.client.patch(&format!("{ALL}/{}", id(&second)), &dearer).expect(200);
    assert!(sees(&visitor, &page).contains("1,134.00"), "a draft is nobody else's business");
    let _ = counter.act(&second, "send", &json!({})).expect(200);
    let changed = accepts(&visitor, &page, &seen, "1");
    assert_eq!(changed.status, 409);
    assert!(
        changed.text.contains("La oferta cambió") && changed.text.contains("1,260.00"),
        "{}",
        changed.text
    );
    assert_eq!(counter.shop.orders(), 0);
    let anew = form(&changed.text, "accept");
    assert_eq!(accepts(&visitor, &page, &anew, "2").status, 303);
    assert_eq!(counter.shop.orders(), 1);
}

fn an_expired_quote_is_not_accepted_by_its_customer(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    counter.shop.app.hold_clock();
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let seen = form(&sees(&visitor, &page), "accept");
    let end = kernel::Timestamp::parse(sent["expiresAt"].as_str().unwrap()).unwrap();
    counter.shop.app.advance_to(end);
    let late = accepts(&visitor, &page, &seen, "1");
    assert_eq!(late.status, 409);
    assert!(late.text.contains("ya venció"), "{}", late.text);
    assert_eq!(counter.shop.orders(), 0);
}

fn what_is_no_offer_any_more_is_not_said_to_have_changed(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let html = sees(&visitor, &page);
    let _ = counter.act(&sent, "reject", &json!({})).expect(200);
    let late = accepts(&visitor, &page, &form(&html, "accept"), "1");
    assert_eq!(late.status, 409);
    assert!(late.text.contains("fue rechazada") && !late.text.contains("La oferta cambió"));
    assert_eq!(counter.shop.orders(), 0);
}

fn a_customer_turns_it_down(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let own = form(&sees(&visitor, &page), "reject");
    let place = format!("{page}/reject");
    let rejects = |form: &str, revision: &str, reason: &str| {
        sends(&visitor, &place, &[("form", form), ("revision", revision), ("reason", reason)])
    };
    let wrong = rejects(&own, "1", &"x".repeat(501));
    assert!(wrong.status == 422 && wrong.text.contains("id=\"reason-fault\""), "{}", wrong.text);
    assert_eq!(rejects(&own, "2", "Caro").status, 409);
    assert_eq!(counter.read(&sent)["status"], "sent");
    for _ in 0..2 {
        assert_eq!(rejects(&own, "1", "Caro").status, 303);
    }
    let rejected = counter.read(&sent);
    assert_eq!(
        (&rejected["status"], &rejected["rejectReason"]),
        (&json!("rejected"), &json!("Caro"))
    );
    assert_eq!(counter.shop.told("quote.rejected").len(), 1);
    let html = sees(&visitor, &page);
    assert!(!html.contains("/accept\"") && !html.contains("/reject\""), "{html}");
    assert_eq!(accepts(&visitor, &page, &own, "1").status, 200, "a form of another purpose");
    assert_eq!(counter.shop.orders(), 0);
}

fn questions(counter: &Counter, quote: &Value) -> Vec<Value> {
    let path = format!("{ALL}/{}/questions", id(quote));
    counter.shop.client.get(&path).expect(200)["data"].as_array().unwrap().clone()
}

fn a_customer_asks(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let form = form(&sees(&visitor, &page), "questions");
    let place = format!("{page}/questions");
    let wrong = sends(&visitor, &place, &[("form", &form), ("question", " "), ("email", "nobody")]);
    assert_eq!(wrong.status, 422);
    assert!(
        wrong.text.contains("id=\"question-fault\"") && wrong.text.contains("id=\"email-fault\"")
    );
    let fields =
        [("form", form.as_str()), ("question", "¿Incluye envío?"), ("email", "ana@example.com")];
    for _ in 0..2 {
        let asked = sends(&visitor, &place, &fields);
        assert_eq!(asked.status, 200, "{}", asked.text);
        assert!(asked.text.contains("su pregunta fue enviada"), "{}", asked.text);
    }
    let found = questions(&counter, &sent);
    assert_eq!(found.len(), 1, "{found:?}");
    let long = format!("{}\r\n{}", "a".repeat(700), "b".repeat(700));
    for wrong in ["a\0b", &long] {
        let again = sends(&visitor, &place, &[("form", &form), ("question", wrong)]);
        assert_eq!(again.status, 422, "{}", again.text);
        assert!(again.text.contains("id=\"question-fault\""), "{}", again.text);
    }
    let lines = sends(
        &visitor,
        &place,
        &[("form", &form), ("question", "Dos dudas:\r\n1.  Envío\r\n2. Color\r\n")],
    );
    assert_eq!(lines.status, 200, "{}", lines.text);
    let found = questions(&counter, &sent).split_off(1);
    let newest = &questions(&counter, &sent)[0];
    assert_eq!(newest["question"], "Dos dudas:\n1.  Envío\n2. Color");
    assert_eq!(
        (&found[0]["question"], &found[0]["email"]),
        (&json!("¿Incluye envío?"), &json!("ana@example.com"))
    );
    let told = json!({"id": sent["id"], "number": "COT-000001", "question": "¿Incluye envío?", "name": "",
        "email": "ana@example.com"});
    assert_eq!(counter.shop.told("quote.question_asked")[0], told);
}

fn a_form_of_another_site_has_no_effect(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, page) = (visitor(&counter), page_of(&sent));
    let html = sees(&visitor, &page);
    let (own, asking) = (form(&html, "accept"), form(&html, "questions"));
    let place = format!("{page}/accept");
    let fields = [("form", own.as_str()), ("revision", "1")];
    let foreign = sends_from(&visitor, &place, &fields, Some("https://evil.example"));
    assert_eq!(foreign.status, 200);
    for other in ["", "x.y", asking.as_str()] {
        assert_eq!(sends(&visitor, &place, &[("form", other), ("revision", "1")]).status, 200);
    }
    assert_eq!((counter.read(&sent)["status"].clone(), counter.shop.orders()), (json!("sent"), 0));
    let ours = counter.shop.app.origin();
    assert_eq!(sends_from(&visitor, &place, &fields, Some(&ours)).status, 303);
}

fn links_that_lead_nowhere_look_alike(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let draft = counter.draft(&counter.offer());
    let visitor = visitor(&counter);
    let nobody = "/quotes/AAAAAAAAAAAAAAAAAAAAAAAA";
    let nothing = visitor.get(nobody);
    assert_eq!(nothing.status, 404);
    for page in [
        page_of(&draft),
        "/quotes/x".to_owned(),
        format!("{nobody}/pdf"),
        format!("{}/pdf", page_of(&draft)),
    ] {
        let same = visitor.get(&page);
        assert_eq!((same.status, &same.text), (404, &nothing.text), "{page}");
    }
    let sent = sends(&visitor, &format!("{nobody}/accept"), &[("form", "x")]);
    assert_eq!(sent.status, 404);
}

fn who_sends_too_often_reads_so(kind: DatabaseKind) {
    let counter = Counter::open(kind);
    let sent = counter.sent(&counter.offer());
    let (visitor, place) = (visitor(&counter), format!("{}/accept", page_of(&sent)));
    let replies: Vec<Reply> = (0..12).map(|_| sends(&visitor, &place, &[("form", "x")])).collect();
    let last = replies.last().unwrap();
    assert_eq!(last.status, 429);
    assert!(last.text.contains("Espere un momento"), "{}", last.text);
}
