//! The list of variants in a change: those with an `id` are changed, those without added, others removed.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{ALL, everything};
use crate::customers::Desk;

testkit::on_both!(
    a_list_of_variants_replaces_the_one_before,
    a_variant_changes_in_the_fields_that_are_sent,
    a_variant_that_is_not_the_product_s_is_refused,
);

fn names(product: &Value) -> Vec<&str> {
    let variants = product["variants"].as_array().unwrap().iter();
    variants.map(|variant| variant["name"].as_str().unwrap()).collect()
}

fn a_list_of_variants_replaces_the_one_before(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &made);
    let [blue, red] = [&made["variants"][0], &made["variants"][1]];
    assert_eq!(names(&desk.change(&place, &json!({"name": "Taza grande"}))), ["Azul", "Roja"]);
    let list = json!([{"id": red["id"]}, {"name": "Verde", "inventory": 5}, {"id": blue["id"]}]);
    let changed = desk.change(&place, &json!({"variants": list}));
    assert_eq!(names(&changed), ["Roja", "Verde", "Azul"], "in the order of the list");
    assert_eq!(changed["variants"][2], *blue);
    assert_eq!(changed["variants"][0], *red);
    let green = changed["variants"][1].clone();
    let only = desk.change(&place, &json!({"variants": [{"id": green["id"]}]}));
    assert_eq!(only["variants"], json!([green]));
    assert_eq!(desk.change(&place, &json!({"variants": []}))["variants"], json!([]));
    let ledger = desk.app.database.lines(
        "SELECT reason || ' ' || delta AS line FROM stock_movements WHERE variant_id <> '' ORDER BY id",
    );
    assert_eq!(ledger, ["initial 20", "initial 5", "removal -20", "removal -5"]);
    let back = desk.client.patch(&place, &json!({"variants": [{"id": green["id"]}]}));
    let message = back.refused(400, "validation_failed");
    assert_eq!(message, "variants[0].id is not a variant of this product", "what is gone is gone");
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
        (json!([{"id": 7}]), "variants[0].id must be a text"),
        (json!([{"inventory": 1}]), "variants[0].name is required"),
    ] {
        let refused = desk.client.patch(&place, &json!({"variants": list, "price": 1}));
        let message = refused.refused(400, "validation_failed");
        assert!(message.starts_with(fault), "{message}");
        assert_eq!(message.matches("variants[").count(), 1, "one fault, named once: {message}");
    }
    assert_eq!((desk.tag(&place), desk.event_names()), (tag, events));
}
