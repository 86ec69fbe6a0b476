//! One SKU names one thing of an account.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::ALL;
use crate::{
    customers::Desk,
    imports::{counts, imported},
};

testkit::on_both!(
    a_taken_sku_is_refused_and_its_holder_named,
    a_product_does_not_use_a_sku_twice,
    skus_move_when_nobody_else_has_them,
    skus_are_compared_as_written,
    accented_letters_have_one_spelling,
    products_that_were_told_apart_by_their_spelling_stay_apart,
);

/// One SKU as programs write it: the accent in its letter (NFC), and apart (NFD).
const SPELLINGS: [&str; 2] = ["CAF\u{c9}-1", "CAFE\u{301}-1"];

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

/// Keeps the SKU of a product as the last release did: with the accent apart.
fn keep_apart(desk: &Desk, id: &str) {
    let [_, apart] = SPELLINGS;
    for change in [
        format!("UPDATE products SET sku = '{apart}' WHERE id = '{id}'"),
        format!("UPDATE skus SET sku = '{apart}' WHERE product_id = '{id}'"),
    ] {
        desk.app.database.execute(&change);
    }
}

fn accented_letters_have_one_spelling(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let [composed, apart] = SPELLINGS;
    let coffee = desk.create(ALL, &json!({"name": "Café", "price": 1, "sku": apart}));
    assert_eq!(coffee["sku"], composed);
    let id = coffee["id"].as_str().unwrap();
    let is_found_and_taken = || {
        for sku in SPELLINGS {
            for path in [format!("{ALL}?sku={sku}"), format!("{ALL}/lookup?code={sku}")] {
                let found = desk.show(&path).to_string();
                assert!(found.contains(id), "{path}: {found}");
            }
            for taken in [product(sku, "V"), product("B", sku)] {
                let _ = desk.client.post(ALL, &taken).refused(409, "duplicate_sku");
            }
            let own = json!({"variants": [{"name": "v", "sku": sku}]});
            let own = desk.client.patch(&Desk::place(ALL, &coffee), &own);
            let _ = own.refused(400, "validation_failed");
            let found = json!({"reason": "found", "items": [{"sku": sku, "delta": 1}]});
            let _ = desk.client.post("/stock/adjustments", &found).expect(201);
        }
    };
    is_found_and_taken();
    keep_apart(&desk, id);
    is_found_and_taken();
    let table = format!("sku,price\n{composed},2\n");
    assert_eq!(counts(&imported(&desk.client, "", table)), json!([0, 1, 0, 0]));
    is_found_and_taken();
    let all = desk.show(ALL);
    let shown = (&all["total"], &all["data"][0]["sku"], &all["data"][0]["price"]);
    assert_eq!(shown, (&json!(1), &json!(composed), &json!(2)));
}

fn products_that_were_told_apart_by_their_spelling_stay_apart(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let [composed, apart] = SPELLINGS;
    let make = |own: &str, sku: &str| {
        let body = json!({"name": "Café", "price": 1, "externalId": own, "sku": sku});
        desk.create(ALL, &body)["id"].as_str().unwrap().to_owned()
    };
    let (other, first) = (make("b", "B"), make("a", composed));
    keep_apart(&desk, &other);
    let now = || {
        [&first, &other].map(|id| {
            let seen = desk.show(&format!("{ALL}/{id}"));
            let [sku, price, inventory] = ["sku", "price", "inventory"].map(|of| seen[of].clone());
            (sku, price, inventory)
        })
    };
    // What each is known by besides says which is meant.
    let import = |table: String| counts(&imported(&desk.client, "", table));
    assert_eq!(import("externalId,price\na,2\nb,3\n".to_owned()), json!([0, 2, 0, 0]));
    let seen = [(composed, 2), (apart, 3)];
    let seen = seen.map(|(sku, price)| (json!(sku), json!(price), json!(0)));
    assert_eq!(now(), seen);
    // Their SKU is that of the one that is kept so.
    assert_eq!(import(format!("sku,price\n{composed},4\n")), json!([0, 1, 0, 0]));
    let found = desk.show(&format!("{ALL}/lookup?code={apart}")).to_string();
    assert!(found.contains(&first) && !found.contains(&other), "{found}");
    let some = json!({"reason": "found", "items": [{"sku": apart, "delta": 1}]});
    let _ = desk.client.post("/stock/adjustments", &some).expect(201);
    let [_, of_other] = seen;
    assert_eq!(now(), [(json!(composed), json!(4), json!(1)), of_other]);
    // The other is changed as before, and does not take it.
    let place = format!("{ALL}/{other}");
    let _ = desk.client.patch(&place, &json!({"price": 5})).expect(200);
    let _ = desk.client.patch(&place, &json!({"sku": composed})).refused(409, "duplicate_sku");
}
