//! Forms that are sent again, too late, too often or from elsewhere.

use serde_json::json;
use testkit::{DatabaseKind, Reply, on_both};

use super::{Payer, began, counts, cup, link, payments};
use crate::payments::till::Till;

on_both!(
    the_same_form_is_one_attempt,
    links_that_lead_nowhere_look_alike,
    a_form_of_another_site_has_no_effect,
    a_link_that_is_tried_too_often_rests,
    a_form_that_came_too_late_is_told_so,
    a_number_of_a_card_is_not_kept,
    who_sends_too_often_reads_so,
);

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
