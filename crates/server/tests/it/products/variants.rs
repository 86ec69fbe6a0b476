//! Variants: in the list of a change, and one by one.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{ALL, everything};
use crate::customers::Desk;

testkit::on_both!(
    a_list_adds_and_changes_and_leaves_the_others,
    variants_have_a_place_of_their_own,
    a_variant_changes_in_the_fields_that_are_sent,
    a_variant_that_is_not_the_product_s_is_refused,
);

fn names(product: &Value) -> Vec<&str> {
    let variants = product["variants"].as_array().unwrap().iter();
    variants.map(|variant| variant["name"].as_str().unwrap()).collect()
}

fn a_list_adds_and_changes_and_leaves_the_others(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &made);
    let [blue, red] = [&made["variants"][0], &made["variants"][1]];
    assert_eq!(names(&desk.change(&place, &json!({"name": "Taza grande"}))), ["Azul", "Roja"]);
    let list = json!([{"id": red["id"], "price": 9}, {"name": "Verde", "inventory": 5}]);
    let changed = desk.change(&place, &json!({"variants": list}));
    assert_eq!(names(&changed), ["Azul", "Roja", "Verde"]);
    assert_eq!(changed["variants"][0], *blue);
    assert_eq!(changed["variants"][1]["price"], 9);
    assert_eq!(desk.change(&place, &json!({"variants": []})), changed);

    let [blue, red] = [&blue["id"], &red["id"]];
    let message = desk.client.patch(&place, &json!({"removeVariants": [red, blue]}));
    let message = message.refused(409, "conflict");
    assert!(message.contains("has 20 in stock") && message.contains("force"), "{message}");
    let left = desk.change(&place, &json!({"removeVariants": [red]}));
    assert_eq!(names(&left), ["Azul", "Verde"]);
    let left = desk.change(&place, &json!({"removeVariants": [blue], "force": true}));
    assert_eq!(names(&left), ["Verde"]);
    let ledger = desk.app.database.lines(
        "SELECT reason || ' ' || delta AS line FROM stock_movements WHERE variant_id <> '' ORDER BY id",
    );
    assert_eq!(ledger, ["initial 20", "initial 5", "removal -20"]);
    for (body, fault) in [
        (json!({"removeVariants": [blue]}), "removeVariants[0] is not a variant of this product"),
        (json!({"variants": [{"id": blue}]}), "variants[0].id is not a variant of this product"),
        (json!({"removeVariants": ["x"]}), "removeVariants[0] must be the id of a variant"),
    ] {
        let message = desk.client.patch(&place, &body).refused(400, "validation_failed");
        assert!(message.starts_with(fault), "{message}");
    }
}

fn variants_have_a_place_of_their_own(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &json!({"name": "Taza", "price": 10}));
    let place = Desk::place(ALL, &made);
    let all = format!("{place}/variants");
    let blue = desk.create(&all, &json!({"name": "Azul", "sku": "T-A", "inventory": 4}));
    let one = Desk::place(&all, &blue);
    assert_eq!(desk.show(&place)["variants"], json!([blue]));
    assert_eq!(desk.tag(&one), desk.tag(&place));
    let twice = || desk.client.post_once(&all, "k", &json!({"name": "Roja"}));
    let (first, second) = (twice(), twice());
    assert_eq!((first.status, &first.text), (201, &second.text));
    assert_eq!(second.header("idempotent-replayed"), Some("true"));

    let changed = desk.change(&one, &json!({"price": 12, "sku": null, "inventoryDelta": -1}));
    assert_eq!((&changed["price"], &changed["sku"]), (&json!(12), &json!(null)));
    assert_eq!(changed["inventory"], 3);
    assert_eq!(desk.change(&one, &changed), changed, "what was read can be sent back");
    let message = desk.client.delete(&one).refused(409, "conflict");
    assert!(message.contains("has 3 in stock"), "{message}");
    let gone = desk.client.delete(&format!("{one}?force=true")).expect(200);
    assert_eq!(gone, json!({"id": blue["id"], "deleted": true}));
    for reply in [
        desk.client.get(&one),
        desk.client.delete(&one),
        desk.client.patch(&one, &json!({"price": 1})),
        desk.client.get(&format!("{all}/x")),
    ] {
        let _ = reply.refused(404, "not_found");
    }
    assert_eq!(names(&desk.show(&place)), ["Roja"]);
    let many =
        json!((0..100).map(|number| json!({"name": format!("V{number}")})).collect::<Vec<_>>());
    let message = desk.client.patch(&place, &json!({"variants": many}));
    let message = message.refused(400, "validation_failed");
    assert!(message.starts_with("variants would be more than 100"), "{message}");
}

fn a_variant_changes_in_the_fields_that_are_sent(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &made);
    let (blue, red) = (&made["variants"][0], &made["variants"][1]);
    let change = |fields: Value| {
        let mut fields = fields;
        fields["id"] = blue["id"].clone();
        let list = json!({"variants": [fields, {"id": red["id"]}]});
        desk.change(&place, &list)["variants"][0].clone()
    };
    let mut expected = blue.clone();
    for (field, value) in [
        ("name", json!("Azul marino")),
        ("sku", json!("TAZA-01-AM")),
        ("price", json!(22.22)),
        ("inventory", json!(7)),
        ("ean", Value::Null),
        ("price", Value::Null),
        ("sku", Value::Null),
    ] {
        expected[field] = value.clone();
        assert_eq!(change(json!({field: value})), expected, "{field}");
    }
    let told = desk.events("product.updated");
    assert_eq!(told.len(), 7);
    let last = &told[6]["changes"];
    assert_eq!(last.as_object().unwrap().len(), 1, "{last}");
    assert_eq!(last["variants"], desk.show(&place)["variants"]);
}

fn a_variant_that_is_not_the_product_s_is_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let body = json!({"name": "x", "price": 1, "variants": [{"name": "v"}]});
    let other = desk.create(ALL, &body);
    let place = Desk::place(ALL, &made);
    let own = &made["variants"][0]["id"];
    let (tag, events) = (desk.tag(&place), desk.event_names());
    let unknown = json!("var_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    for (list, fault) in [
        (json!([{"id": unknown}]), "variants[0].id is not a variant of this product"),
        (json!([{"id": own}, {"id": other["variants"][0]["id"]}]), "variants[1].id is not"),
        (json!([{"id": own}, {"id": own}]), "variants[1].id names a variant twice"),
        (json!([{"id": made["id"]}]), "variants[0].id must be the id of a variant"),
        (json!([{"id": 7}]), "variants[0].id must be a string"),
        (json!([{"inventory": 1}]), "variants[0].name is required"),
    ] {
        let refused = desk.client.patch(&place, &json!({"variants": list, "price": 1}));
        let message = refused.refused(400, "validation_failed");
        assert!(message.starts_with(fault), "{message}");
        assert_eq!(message.matches("variants[").count(), 1, "one fault, named once: {message}");
    }
    assert_eq!((desk.tag(&place), desk.event_names()), (tag, events));
}
