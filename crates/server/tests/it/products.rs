//! Products over HTTP.

mod categories;
mod lists;
mod lookup;
mod numbers;
mod price_lists;
mod skus;
mod stock;
mod variants;

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use crate::customers::Desk;

testkit::on_both!(
    a_product_needs_a_name_and_a_price_only,
    a_product_keeps_everything_it_is_given,
    a_patch_merges_and_null_clears,
    changes_are_told_with_what_they_changed,
    what_was_read_can_be_sent_back,
    notes_survive_a_client_that_writes_them_in_its_own_way,
    stale_changes_are_refused,
    a_sale_is_no_lost_update_but_is_seen_by_caches,
    sold_stock_does_not_come_back,
    stock_moves_by_differences,
    what_the_service_sets_is_not_dropped_without_a_word,
    a_deleted_product_is_gone_but_its_orders_stay,
);

const ALL: &str = "/products";

fn everything() -> Value {
    json!({
        "name": "Taza de barro", "sku": "TAZA-01", "description": "Hecha a mano\nen Oaxaca",
        "ean": "7501031311309", "price": 19.99, "currency": "USD", "inventory": 100,
        "status": "archived", "lowStockThreshold": 3, "taxIncluded": false,
        "taxes": [
            {"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false},
            {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true},
            {"tax": "IEPS", "factor": "Cuota", "rate": 5, "withheld": false},
        ],
        "satProductKey": "52152100", "satUnitKey": "H87", "unit": "pieza", "quantityDecimals": 0,
        "brand": "Talavera", "compareAtPrice": 24.9, "cost": 8.25, "weight": 0.35,
        "images": ["https://example.com/taza.jpg", "https://example.com/taza-2.jpg"],
        "dimensions": {"length": 12, "width": 8.5, "height": 10}, "categoryIds": [],
        "metadata": {"color": "azul", "peso": 0.35, "frágil": true},
        "variants": [
            {"name": "Azul", "sku": "TAZA-01-A", "ean": "96385074", "price": 21.5, "inventory": 20},
            {"name": "Roja", "sku": null, "ean": null, "price": null, "inventory": 0},
        ],
    })
}

/// Something to sell: so many pieces at 10.
fn taza(desk: &Desk, pieces: u32) -> Value {
    desk.create(ALL, &json!({"name": "Taza", "price": 10, "inventory": pieces}))
}

/// Orders so many pieces of something.
#[track_caller]
fn order(desk: &Desk, items: &Value) -> Value {
    let buyer = desk.create("/customers", &json!({"name": "Ana"}));
    desk.create("/orders", &json!({"customerId": buyer["id"], "items": items}))
}

fn a_product_needs_a_name_and_a_price_only(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &json!({"name": "Taza", "price": 0}));
    let expected = json!({
        "id": made["id"], "externalId": null, "name": "Taza", "sku": made["id"], "description": null, "ean": null,
        "price": 0, "currency": "MXN", "inventory": 0, "status": "active",
        "lowStockThreshold": null, "taxIncluded": true, "taxes": [], "satProductKey": null,
        "satUnitKey": null, "unit": null, "quantityDecimals": 0, "categoryIds": [], "brand": null, "compareAtPrice": null, "cost": null, "images": [],
        "weight": null, "dimensions": null, "variants": [], "metadata": {}, "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    });
    assert_eq!(made, expected);
    assert!(made["id"].as_str().unwrap().starts_with("prd_"));
    let told = json!({"id": made["id"], "name": "Taza", "sku": made["id"]});
    assert_eq!(desk.events("product.created"), [told]);
    let nothing = desk.client.post(ALL, &json!({})).refused(400, "validation_failed");
    assert_eq!(nothing, "name is required; price is required");
}

fn a_product_keeps_everything_it_is_given(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let mut expected = everything();
    for (index, variant) in made["variants"].as_array().unwrap().iter().enumerate() {
        assert!(variant["id"].as_str().unwrap().starts_with("var_"));
        expected["variants"][index]["id"] = variant["id"].clone();
    }
    for name in ["id", "externalId", "createdAt", "updatedAt"] {
        expected[name] = made[name].clone();
    }
    assert_eq!(made, expected);
    assert_eq!(desk.show(ALL)["data"][0], made);
    let told = json!({"id": made["id"], "name": "Taza de barro", "sku": "TAZA-01"});
    assert_eq!(desk.events("product.created"), [told]);
    let exempt = json!([{"tax": "IVA", "factor": "Exento"}]);
    let made = desk.create(ALL, &json!({"name": "Pan", "price": 1, "taxes": exempt}));
    let shown = json!([{"tax": "IVA", "factor": "Exento", "rate": null, "withheld": false}]);
    assert_eq!(made["taxes"], shown);
}

fn a_patch_merges_and_null_clears(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &made);
    let changes = json!({"price": 25, "taxes": [], "metadata": {"color": "rojo"}});
    let changed = desk.change(&place, &changes);
    let mut expected = made;
    for (name, value) in changes.as_object().unwrap() {
        expected[name] = value.clone();
    }
    expected["updatedAt"] = changed["updatedAt"].clone();
    assert_eq!(changed, expected);

    let optional = [
        "description",
        "ean",
        "lowStockThreshold",
        "satProductKey",
        "satUnitKey",
        "unit",
        "brand",
        "compareAtPrice",
        "cost",
        "weight",
        "dimensions",
    ];
    let nulls: Value = optional.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    let cleared = desk.change(&place, &nulls);
    assert!(optional.iter().all(|name| cleared[name].is_null()), "{cleared}");
    assert_eq!(desk.change(&place, &json!({"metadata": null}))["metadata"], json!({}));
    assert_eq!(desk.change(&place, &json!({"images": null}))["images"], json!([]));
    for field in ["name", "sku", "price", "currency", "inventory", "status", "taxIncluded"] {
        let refused = desk.client.patch(&place, &json!({field: null}));
        let message = refused.refused(400, "validation_failed");
        assert_eq!(message, format!("{field} must not be null"));
    }
}

fn changes_are_told_with_what_they_changed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let (place, id) = (Desk::place(ALL, &made), &made["id"]);
    desk.change(&place, &json!({"price": 25, "name": "Taza de barro", "description": null}));
    desk.change(&place, &json!({"status": "active"}));
    desk.change(&place, &json!({"inventory": 99}));
    let refused = desk.client.patch(&place, &json!({"price": -1}));
    assert_eq!(refused.refused(400, "validation_failed"), "price must not be negative");
    desk.delete(ALL, id.as_str().unwrap());
    let told = [
        json!({"id": id, "changes": {"price": 25, "description": null}}),
        json!({"id": id, "changes": {"status": "active"}}),
        json!({"id": id, "changes": {"inventory": 99}}),
    ];
    assert_eq!(desk.events("product.updated"), told);
    assert_eq!(desk.events("product.deleted"), [json!({"id": id})]);
    let names = ["created", "updated", "updated", "updated", "deleted"];
    assert_eq!(desk.event_names(), names.map(|name| format!("product.{name}")));
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for body in [everything(), json!({"name": "Pan", "price": 0.1})] {
        let made = desk.create(ALL, &body);
        desk.assert_survives_a_round_trip(&Desk::place(ALL, &made));
    }
    let copy = desk.show("/products?sku=TAZA-01")["data"][0].clone();
    let message = desk.client.post(ALL, &copy).refused(400, "validation_failed");
    for field in ["id", "createdAt", "updatedAt", "variants[0].id"] {
        assert!(
            message.contains(&format!("{field} is read-only: the service sets it")),
            "{message}"
        );
    }
}

/// Notes are kept as they were written. A client that reads and writes JSON gives back the same values, but
/// not always the same letters.
fn notes_survive_a_client_that_writes_them_in_its_own_way(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = br#"{"name": "Taza", "price": 1,
        "metadata": {"a": "fr\u00e1gil", "b": "1\/2", "c": 1.50, "d": 2e0}}"#;
    let made = desk.client.send_raw("POST", ALL, body.to_vec()).expect(201);
    let metadata = json!({"a": "frágil", "b": "1/2", "c": 1.5, "d": 2.0});
    assert_eq!(made["metadata"], metadata);
    let place = Desk::place(ALL, &made);
    let tag = desk.tag(&place);
    assert_eq!(desk.client.patch(&place, &json!({"metadata": metadata})).status, 200);
    assert_eq!((desk.tag(&place), desk.event_names().len()), (tag, 1), "nothing changed");
}

fn stale_changes_are_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let changes = [json!({"price": 1}), json!({"price": 2})];
    let place = Desk::place(ALL, &made);
    desk.assert_guards_against_lost_updates(&place, [&changes[0], &changes[1]]);
}

fn a_sale_is_no_lost_update_but_is_seen_by_caches(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = taza(&desk, 10);
    let place = Desk::place(ALL, &made);
    let before = desk.tag(&place);
    order(&desk, &json!([{"productId": made["id"], "quantity": 1}]));
    let read = desk.client.request("GET", &place).header("If-None-Match", &before);
    assert_eq!(Reply::to(read).expect(200)["inventory"], 9, "the stock has moved");
    let body = json!({"price": 11}).to_string();
    let change = desk.client.request("PATCH", &place).header("If-Match", &before).body(body);
    let changed = Reply::to(change.header("Content-Type", "application/json")).expect(200);
    assert_eq!((&changed["price"], &changed["inventory"]), (&json!(11), &json!(9)));
    // What is no tag would never be met, however often the product is read again.
    let bare = patch_at(&desk, &place, before.trim_matches('"'), &json!({"price": 12}));
    let _ = bare.refused(400, "malformed_request");
}

/// A `PATCH` of what was read at this tag.
fn patch_at(desk: &Desk, place: &str, tag: &str, body: &Value) -> Reply {
    let request = desk.client.request("PATCH", place).header("If-Match", tag);
    Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
}

fn sold_stock_does_not_come_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = json!({"name": "Taza", "price": 10, "inventory": 10,
        "variants": [{"name": "Azul", "inventory": 5}]});
    let made = desk.create(ALL, &body);
    let place = Desk::place(ALL, &made);
    let (mut dearer, tag) = (desk.show(&place), desk.tag(&place));
    order(&desk, &json!([{"productId": made["id"], "quantity": 8}]));

    dearer["price"] = json!(12);
    let _ = patch_at(&desk, &place, &tag, &dearer).refused(412, "precondition_failed");
    let blue = json!({"variants": [{"id": made["variants"][0]["id"], "inventory": 5}]});
    let _ = patch_at(&desk, &place, &tag, &blue).refused(412, "precondition_failed");
    assert_eq!(desk.show(&place)["inventory"], 2);
    let variant = format!("{place}/variants/{}", made["variants"][0]["id"].as_str().unwrap());
    let count = json!({"inventory": 5});
    let _ = patch_at(&desk, &variant, &tag, &count).refused(412, "precondition_failed");

    // What sets no stock is not hindered by sales, and a count with the present tag holds.
    let changed = patch_at(&desk, &place, &tag, &json!({"price": 12})).expect(200);
    assert_eq!((&changed["price"], &changed["inventory"]), (&json!(12), &json!(2)));
    let tag = desk.tag(&place);
    let counted = patch_at(&desk, &place, &tag, &json!({"inventory": 7})).expect(200);
    assert_eq!(counted["inventory"], 7);
    assert_eq!(desk.change(&place, &json!({"inventory": 9}))["inventory"], 9, "without a tag");
}

fn stock_moves_by_differences(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = json!({"name": "Taza", "price": 10, "inventory": 10,
        "variants": [{"name": "Azul", "inventory": 5}]});
    let made = desk.create(ALL, &body);
    let place = Desk::place(ALL, &made);
    let blue = &made["variants"][0]["id"];
    let tag = desk.tag(&place);
    order(&desk, &json!([{"productId": made["id"], "quantity": 8}]));
    let moved = patch_at(&desk, &place, &tag, &json!({"inventoryDelta": 20})).expect(200);
    assert_eq!(moved["inventory"], 22, "a difference needs no count");
    let list = json!({"inventoryDelta": -22, "variants": [{"id": blue, "inventoryDelta": -4}]});
    let moved = desk.change(&place, &list);
    assert_eq!((&moved["inventory"], &moved["variants"][0]["inventory"]), (&json!(0), &json!(1)));
    for (body, field, available) in [
        (json!({"inventoryDelta": -1}), "inventoryDelta", 0),
        (
            json!({"variants": [{"id": blue, "inventoryDelta": -2}]}),
            "variants[0].inventoryDelta",
            1,
        ),
    ] {
        let message = desk.client.patch(&place, &body).refused(409, "insufficient_stock");
        assert_eq!(message, format!("{field} takes more than the {available} in stock"));
    }
    for (body, fault) in [
        (json!({"inventory": 1, "inventoryDelta": 1}), "inventoryDelta cannot be given together"),
        (json!({"inventoryDelta": 0.5}), "inventoryDelta must be a whole number"),
        (
            json!({"variants": [{"name": "Roja", "inventoryDelta": 1}]}),
            "variants[0].inventoryDelta",
        ),
    ] {
        let message = desk.client.patch(&place, &body).refused(400, "validation_failed");
        assert!(message.starts_with(fault), "{message}");
    }
}

fn what_the_service_sets_is_not_dropped_without_a_word(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let person = json!({"name": "Ana", "email": "ana@shop.example"});
    let buyer = desk.create("/customers", &person);
    let made = taza(&desk, 10);
    let lead = desk.create("/crm/leads", &json!({"name": "Rosa"}));
    let cart =
        json!({"customerId": buyer["id"], "items": [{"productId": made["id"], "quantity": 1}]});
    let order = desk.create("/orders", &cart);
    let moment = json!("2020-01-01T00:00:00.000Z");
    for (list, resource, field, other) in [
        (ALL, &made, "id", json!("prd_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
        (ALL, &made, "updatedAt", moment.clone()),
        ("/customers", &buyer, "createdAt", moment),
        ("/crm/leads", &lead, "dealId", json!("deal_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
        ("/orders", &order, "totalAmount", json!(1)),
        ("/orders", &order, "items", json!([])),
        ("/orders", &order, "customerId", json!("cus_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    ] {
        let place = Desk::place(list, resource);
        let (before, case) = (desk.show(&place), format!("{field} of {place}"));
        let refused = desk.client.patch(&place, &json!({field: other}));
        let message = refused.refused(400, "validation_failed");
        let expected = "is read-only; leave it out, or send the value that it has";
        assert_eq!(message, format!("{field} {expected}"), "{case}");
        let same = json!({field: before[field].clone()});
        assert_eq!(desk.client.patch(&place, &same).expect(200), before, "{case}");
    }
    // Whoever expects an older version is told that first.
    let place = Desk::place("/customers", &buyer);
    let (tag, mut read) = (desk.tag(&place), desk.show(&place));
    desk.app.advance_seconds(1);
    desk.change(&place, &json!({"name": "Ana María"}));
    read["phone"] = json!("+525512345678");
    let _ = patch_at(&desk, &place, &tag, &read).refused(412, "precondition_failed");
    let message = desk.client.patch(&place, &read).refused(400, "validation_failed");
    assert!(message.starts_with("updatedAt is read-only"), "{message}");
}

fn a_deleted_product_is_gone_but_its_orders_stay(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mut body = everything();
    body["status"] = json!("active");
    let made = desk.create(ALL, &body);
    let variant = &made["variants"][0]["id"];
    let order = order(
        &desk,
        &json!([{"productId": made["id"], "quantity": 2},
            {"productId": made["id"], "variantId": variant, "quantity": 3}]),
    );
    let place = Desk::place("/orders", &order);
    desk.delete(ALL, made["id"].as_str().unwrap());
    for query in ["search=taza", "sku=TAZA-01", "sku=TAZA-01-A", "ean=96385074", "status=active"] {
        assert_eq!(desk.show(&format!("{ALL}?{query}"))["total"], 0, "{query}");
    }
    assert_eq!(desk.show(&place), order, "as it was");
    assert_eq!(desk.show("/orders")["data"][0], order);
    desk.assert_survives_a_round_trip(&place);
    let again = json!({"customerId": order["customerId"],
        "items": [{"productId": made["id"], "quantity": 1}]});
    let refused = desk.client.post("/orders", &again).refused(400, "validation_failed");
    assert_eq!(refused, "items[0].productId names no product of this account");
    assert_ne!(desk.create(ALL, &body)["id"], made["id"], "its SKU and its variant's are free");
    desk.change(&place, &json!({"status": "cancelled", "reason": "sold out"}));
    assert_eq!(desk.show("/products?sku=TAZA-01")["data"][0]["inventory"], 100);
}
