//! One SKU names one thing of an account.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::ALL;
use crate::customers::Desk;

testkit::on_both!(
    a_taken_sku_is_refused_and_its_holder_named,
    a_product_does_not_use_a_sku_twice,
    skus_move_when_nobody_else_has_them,
    skus_are_compared_as_written,
);

fn product(sku: &str, variant: &str) -> Value {
    json!({"name": "x", "price": 1, "sku": sku, "variants": [{"name": "v", "sku": variant}]})
}

fn a_taken_sku_is_refused_and_its_holder_named(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let holder = desk.create(ALL, &product("A", "A-1"));
    let other = desk.create(ALL, &product("B", "B-1"));
    let plain = desk.create(ALL, &json!({"name": "plain", "price": 1}));
    let holder_id = holder["id"].as_str().unwrap();
    let variant = &other["variants"][0]["id"];
    let place = Desk::place(ALL, &other);
    let before = (desk.show(&place), desk.event_names(), desk.tag(&place));
    let post = |body: Value| desk.client.post(ALL, &body);
    let patch = |body: Value| desk.client.patch(&place, &body);
    for (case, reply, sku) in [
        ("product takes product's", post(product("A", "C-1")), "A"),
        ("product takes variant's", post(product("A-1", "C-1")), "A-1"),
        ("variant takes product's", post(product("C", "A")), "A"),
        ("variant takes variant's", post(product("C", "A-1")), "A-1"),
        ("blanks at the ends", post(product(" A ", "C-1")), "A"),
        ("change to product's", patch(json!({"sku": "A"})), "A"),
        ("change to variant's", patch(json!({"sku": "A-1"})), "A-1"),
        ("variant's change", patch(json!({"variants": [{"id": variant, "sku": "A"}]})), "A"),
        ("variant's addition", patch(json!({"variants": [{"name": "n", "sku": "A-1"}]})), "A-1"),
    ] {
        let message = reply.refused(409, "duplicate_sku");
        assert!(
            message.contains(holder_id) && message.contains(&format!("{sku:?}")),
            "{case}: {message}"
        );
    }
    assert_eq!((desk.show(&place), desk.event_names(), desk.tag(&place)), before);
    let own_id = product(plain["sku"].as_str().unwrap(), "C-1");
    assert_eq!(desk.client.post(ALL, &own_id).status, 409, "an id that serves as SKU is taken");
    assert_eq!(desk.show(ALL)["total"], 3);
    assert_eq!(desk.app.client().post(ALL, &product("A", "A-1")).status, 201, "another account");
}

fn a_product_does_not_use_a_sku_twice(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let variants = json!([{"name": "a", "sku": "V"}, {"name": "b", "sku": "V"}]);
    let message = desk.client.post(ALL, &product("A", "A")).refused(400, "validation_failed");
    assert!(message.starts_with("variants[0].sku repeats \"A\""), "{message}");
    let body = json!({"name": "x", "price": 1, "variants": variants});
    let message = desk.client.post(ALL, &body).refused(400, "validation_failed");
    assert!(message.starts_with("variants[1].sku repeats \"V\""), "{message}");
    let made = desk.create(ALL, &product("A", "A-1"));
    let refused = desk.client.patch(&Desk::place(ALL, &made), &json!({"sku": "A-1"}));
    let message = refused.refused(400, "validation_failed");
    assert!(message.starts_with("variants[0].sku repeats"), "{message}");
}

fn skus_move_when_nobody_else_has_them(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &product("A", "A-1"));
    let place = Desk::place(ALL, &made);
    let variant = &made["variants"][0]["id"];
    // Product and variant swap theirs in one request.
    let swapped = json!({"sku": "A-1", "variants": [{"id": variant, "sku": "A"}]});
    let swapped = desk.change(&place, &swapped);
    assert_eq!((&swapped["sku"], &swapped["variants"][0]["sku"]), (&json!("A-1"), &json!("A")));
    desk.change(&place, &json!({"variants": [{"id": variant, "sku": null}]}));
    let other = desk.create(ALL, &product("A", "B-1"));
    let gone = json!({"removeVariants": [other["variants"][0]["id"]], "force": true});
    desk.change(&Desk::place(ALL, &other), &gone);
    desk.create(ALL, &product("B-1", "C"));
    desk.change(&place, &json!({"sku": "D"}));
    desk.create(ALL, &product("A-1", "E"));
}

fn skus_are_compared_as_written(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for sku in ["a", "A", "á", "Á", "a%", "a_", "a\\", "日本", "a b", "a  b"] {
        desk.create(ALL, &json!({"name": "x", "price": 1, "sku": sku}));
    }
    for (query, sku) in [("a", "a"), ("A", "A"), ("%C3%A1", "á"), ("a%25", "a%"), ("a_", "a_")] {
        let found = desk.show(&format!("{ALL}?sku={query}"));
        assert_eq!(
            (&found["total"], &found["data"][0]["sku"]),
            (&json!(1), &json!(sku)),
            "{query}"
        );
    }
}
