//! Discounts of quotes are approved before the customer sees them.

use serde_json::json;
use testkit::DatabaseKind;

use super::{ALL, Counter, id};
use crate::approvals::{Approver, Desk, level};

testkit::on_both!(
    a_discount_is_approved_before_it_is_sent,
    a_quote_that_has_changed_is_not_sent_by_its_approval,
    what_was_approved_is_what_is_sent,
    what_rules_do_not_want_is_sent_at_once,
);

/// A counter whose discounts above 5 % are approved.
fn guarded(kind: DatabaseKind) -> (Approver, Counter) {
    let desk = Desk::open(kind);
    let conditions = json!([{"field": "discountPct", "op": "gt", "value": 5}]);
    let _ = desk.rule("order_discount", &conditions, &[level(&[&desk.ana], 1)]);
    let Desk { shop, ana, .. } = desk;
    (ana, Counter::of(shop))
}

fn a_discount_is_approved_before_it_is_sent(kind: DatabaseKind) {
    let (ana, counter) = guarded(kind);
    let draft = counter.draft(&counter.offer());
    let waits = counter.act(&draft, "send", &json!({})).expect(202);
    let approval = waits["approvalId"].as_str().unwrap();
    assert_eq!(counter.read(&draft)["status"], "draft");
    assert_eq!(counter.act(&draft, "send", &json!({})).expect(202)["approvalId"], *approval);
    let decided = ana.approve(approval).expect(200);
    assert_eq!(
        (&decided["effect"], &decided["result"]["body"]["id"]),
        (&json!("applied"), &draft["id"])
    );
    assert_eq!(counter.read(&draft)["status"], "sent");
    assert_eq!(counter.shop.told("quote.sent").len(), 1);
    // The customer's acceptance asks nobody any more.
    assert_eq!(counter.act(&draft, "accept", &json!({})).expect(200)["status"], "ordered");
}

fn a_quote_that_has_changed_is_not_sent_by_its_approval(kind: DatabaseKind) {
    let (ana, counter) = guarded(kind);
    let draft = counter.draft(&counter.offer());
    let waits = counter.act(&draft, "send", &json!({})).expect(202);
    let place = format!("{ALL}/{}", id(&draft));
    let _ = counter.shop.client.patch(&place, &json!({"discount": {"percent": 60}})).expect(200);
    let decided = ana.approve(waits["approvalId"].as_str().unwrap()).expect(200);
    assert_eq!(decided["status"], "superseded");
    assert_eq!(counter.read(&draft)["status"], "draft");
}

fn what_was_approved_is_what_is_sent(kind: DatabaseKind) {
    let (ana, counter) = guarded(kind);
    let other = id(&counter.shop.make("/customers", &json!({"name": "Beto"})));
    let archived = json!({"status": "archived"});
    for (change, archives) in [
        (json!({"customerId": other}), false),
        (json!({"notes": "Otra entrega"}), false),
        (json!({"discount": {"percent": 90}}), true),
    ] {
        let mut offer = counter.offer();
        let plate =
            id(&counter.shop.make("/products", &json!({"name": "Plato hondo", "price": 58})));
        offer["items"][1]["productId"] = json!(plate);
        let draft = counter.draft(&offer);
        let waits = counter.act(&draft, "send", &json!({})).expect(202);
        let place = format!("{ALL}/{}", id(&draft));
        let _ = counter.shop.client.patch(&place, &change).expect(200);
        if archives {
            let _ = counter.shop.client.patch(&format!("/products/{plate}"), &archived).expect(200);
        }
        let decided = ana.approve(waits["approvalId"].as_str().unwrap()).expect(200);
        assert_eq!(decided["status"], "superseded", "{change}");
        assert_eq!(counter.read(&draft)["status"], "draft", "{change}");
    }
    assert!(counter.shop.told("quote.sent").is_empty());
}

fn what_rules_do_not_want_is_sent_at_once(kind: DatabaseKind) {
    let (_ana, counter) = guarded(kind);
    let mut offer = counter.offer();
    offer["discount"] = json!({"percent": 5});
    assert_eq!(counter.sent(&offer)["status"], "sent");
}
