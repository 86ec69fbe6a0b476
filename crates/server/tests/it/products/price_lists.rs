//! Price lists and the groups that they are for, and what orders pay by them.

use std::thread;

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::ALL;
use crate::{customers::Desk, races::at_once};

testkit::on_both!(
    groups_and_lists_are_made_and_changed,
    prices_are_set_and_removed,
    an_order_pays_by_the_lists_of_its_customer,
    a_list_that_is_named_sets_the_currency,
    what_is_named_is_not_removed,
    a_deleted_list_is_gone_before_its_prices,
    prices_go_with_what_they_are_of,
    many_at_once_keep_their_prices,
);

const LISTS: &str = "/price-lists";
const GROUPS: &str = "/customer-groups";

fn text(thing: &Value, name: &str) -> String {
    thing[name].as_str().unwrap().to_owned()
}

fn list(desk: &Desk, fields: &Value) -> Value {
    desk.create(LISTS, fields)
}

/// Where the prices of a list are.
fn items(list: &Value) -> String {
    format!("{LISTS}/{}/items", text(list, "id"))
}

#[track_caller]
fn set(desk: &Desk, list: &Value, prices: &Value) {
    let _ = desk.client.send("PUT", &items(list), &json!({"items": prices})).expect(200);
}

/// The prices of a list: from how many on, and how much.
fn prices(desk: &Desk, list: &Value) -> Vec<(i64, f64)> {
    let page = desk.show(&items(list));
    let rows = page["data"].as_array().unwrap().iter();
    rows.map(|row| (row["minQuantity"].as_i64().unwrap(), row["price"].as_f64().unwrap())).collect()
}

/// What a product costs a customer that orders so many.
#[track_caller]
fn paid(desk: &Desk, customer: &Value, product: &Value, quantity: i64) -> Value {
    let item = json!({"productId": product["id"], "quantity": quantity});
    let order = json!({"customerId": customer["id"], "items": [item]});
    desk.client.post("/orders", &order).expect(201)["items"][0]["unitPrice"].clone()
}

fn groups_and_lists_are_made_and_changed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let group = desk.create(GROUPS, &json!({"name": "Mayoreo"}));
    let twin = desk.client.post(GROUPS, &json!({"name": "MAYOREO"}));
    assert!(twin.refused(409, "conflict").contains(&text(&group, "id")));
    let place = Desk::place(GROUPS, &group);
    let group = desk.change(&place, &json!({"name": "Distribuidores"}));
    assert_eq!(desk.change(&place, &group), group, "what was read can be sent back");
    let ana = desk.create("/customers", &json!({"name": "Ana", "groupId": group["id"]}));
    let beto = desk.create("/customers", &json!({"name": "Beto"}));
    assert_eq!((&ana["groupId"], &beto["groupId"]), (&group["id"], &Value::Null));
    let found = desk.show(&format!("/customers?groupId={}", text(&group, "id")));
    assert_eq!((&found["total"], &found["data"][0]["id"]), (&json!(1), &ana["id"]));
    let everything = json!({"name": "Mayoreo", "currency": "USD", "customerGroupId": group["id"],
        "priority": 7, "validFrom": "2026-01-01T00:00:00.000Z", "validUntil": "2027-01-01T00:00:00.000Z"});
    let made = list(&desk, &everything);
    for (name, value) in everything.as_object().unwrap() {
        assert_eq!(made[name], *value, "{name}");
    }
    let twin = desk.client.post(LISTS, &json!({"name": "mayoreo"}));
    assert!(twin.refused(409, "conflict").contains(&text(&made, "id")));
    let place = Desk::place(LISTS, &made);
    let changes =
        json!({"customerGroupId": null, "validFrom": null, "validUntil": null, "priority": 100});
    let changed = desk.change(&place, &changes);
    for (name, value) in changes.as_object().unwrap() {
        assert_eq!(changed[name], *value, "{name}");
    }
    assert_eq!(desk.change(&place, &changed), changed);
    let backwards =
        json!({"validFrom": "2026-01-02T00:00:00Z", "validUntil": "2026-01-01T00:00:00Z"});
    let refused = desk.client.patch(&place, &backwards).refused(400, "validation_failed");
    assert!(refused.starts_with("validUntil "), "{refused}");
    let page = desk.show(LISTS);
    assert_eq!((&page["total"], &page["data"][0]), (&json!(1), &changed));
    let nobody = json!("cgr_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    for (path, body, field) in [
        (LISTS, json!({"name": "x", "customerGroupId": nobody}), "customerGroupId "),
        ("/customers", json!({"name": "x", "groupId": nobody}), "groupId "),
    ] {
        let refused = desk.client.post(path, &body).refused(400, "validation_failed");
        assert!(refused.starts_with(field), "{refused}");
    }
    // All that is wrong with the body at once, and all that is wrong with what is there.
    let body = json!({"name": "", "validFrom": "2026-01-02T00:00:00Z", "validUntil": "2026-01-01T00:00:00Z"});
    for reply in [desk.client.post(LISTS, &body), desk.client.patch(&place, &body)] {
        let message = reply.refused(400, "validation_failed");
        assert!(message.contains("name ") && message.contains("validUntil "), "{message}");
    }
    let _ = desk.change(&place, &json!({"validFrom": "2026-01-02T00:00:00Z"}));
    let body = json!({"customerGroupId": nobody, "validUntil": "2026-01-01T00:00:00Z"});
    let message = desk.client.patch(&place, &body).refused(400, "validation_failed");
    assert!(message.contains("customerGroupId ") && message.contains("validUntil "), "{message}");
}

fn prices_are_set_and_removed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mug = desk.create(
        ALL,
        &json!({"name": "Taza", "sku": "T", "price": 20,
        "variants": [{"name": "Azul", "sku": "T-A"}]}),
    );
    let wholesale = list(&desk, &json!({"name": "Mayoreo"}));
    set(
        &desk,
        &wholesale,
        &json!([{"productId": mug["id"], "price": 18}, {"sku": "T", "minQuantity": 12, "price": 15.5},
        {"sku": "T-A", "price": 17}]),
    );
    assert_eq!(prices(&desk, &wholesale), [(1, 18.0), (12, 15.5), (1, 17.0)]);
    let shown = desk.show(&items(&wholesale));
    assert_eq!(shown["data"][2]["variantId"], mug["variants"][0]["id"]);
    set(&desk, &wholesale, &json!([{"sku": "T", "price": 19}, {"sku": "T-A", "price": null}]));
    assert_eq!(prices(&desk, &wholesale), [(1, 19.0), (12, 15.5)]);
    // Page by page it is the same.
    let first = desk.show(&format!("{}?limit=1", items(&wholesale)));
    let next = text(&first, "nextCursor");
    let second = desk.show(&format!("{}?limit=1&cursor={next}", items(&wholesale)));
    assert_eq!(
        (&first["data"][0]["price"], &second["data"][0]["price"]),
        (&json!(19), &json!(15.5))
    );
    assert_eq!(second["nextCursor"], Value::Null);
    let found = desk.show(&format!("{ALL}?priceListId={}", text(&wholesale, "id")));
    assert_eq!((&found["total"], &found["data"][0]["id"]), (&json!(1), &mug["id"]));
    let steps: Vec<Value> =
        (1..=11).map(|from| json!({"sku": "T", "minQuantity": from * 2, "price": 1})).collect();
    for (wrong, field) in [
        (json!([{"sku": "T", "price": 1}, {"sku": "X", "price": 1}]), "items[1].sku "),
        (
            json!([{"sku": "T", "price": 1}, {"productId": mug["id"], "price": 2}]),
            "items[1].productId ",
        ),
        (json!([{"sku": "T"}]), "items[0].price "),
        (json!([{"sku": "T", "minQuantity": 0, "price": 1}]), "items[0].minQuantity "),
        (json!([{"sku": "T", "price": -1}]), "items[0].price "),
        (json!(steps), "items[0].minQuantity "),
    ] {
        let refused = desk.client.send("PUT", &items(&wholesale), &json!({"items": wrong}));
        let refused = refused.refused(400, "validation_failed");
        assert!(refused.starts_with(field), "{refused}");
    }
    assert_eq!(prices(&desk, &wholesale), [(1, 19.0), (12, 15.5)], "all of them, or none");
}

fn an_order_pays_by_the_lists_of_its_customer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mug = desk.create(
        ALL,
        &json!({"name": "Taza", "sku": "T", "price": 20, "inventory": 500,
        "variants": [{"name": "Azul", "sku": "T-A", "inventory": 50}]}),
    );
    let group = desk.create(GROUPS, &json!({"name": "Mayoreo"}));
    let ana = desk.create("/customers", &json!({"name": "Ana", "groupId": group["id"]}));
    let beto = desk.create("/customers", &json!({"name": "Beto"}));
    assert_eq!(paid(&desk, &ana, &mug, 1), 20);
    let wholesale = list(&desk, &json!({"name": "Mayoreo", "customerGroupId": group["id"]}));
    set(
        &desk,
        &wholesale,
        &json!([{"sku": "T", "price": 18}, {"sku": "T", "minQuantity": 12, "price": 15.5}]),
    );
    assert_eq!(
        (paid(&desk, &ana, &mug, 11), paid(&desk, &ana, &mug, 12)),
        (json!(18), json!(15.5))
    );
    assert_eq!(paid(&desk, &beto, &mug, 12), 20);
    // Both items together reach the quantity; the variant is another thing, and the price of an item comes first.
    let items = json!([
        {"productId": mug["id"], "quantity": 6},
        {"productId": mug["id"], "quantity": 6, "unitPrice": 1},
        {"productId": mug["id"], "variantId": mug["variants"][0]["id"], "quantity": 1},
    ]);
    let order = json!({"customerId": ana["id"], "items": items});
    let order = desk.client.post("/orders", &order).expect(201);
    let each: Vec<&Value> =
        order["items"].as_array().unwrap().iter().map(|item| &item["unitPrice"]).collect();
    assert_eq!(each, [&json!(15.5), &json!(1), &json!(18)]);
    let lists = |order: &Value| {
        let items = order["items"].as_array().unwrap().iter();
        items.map(|item| item["priceListId"].clone()).collect::<Vec<_>>()
    };
    let by = [wholesale["id"].clone(), Value::Null, wholesale["id"].clone()];
    assert_eq!(lists(&order), by);
    // One for all that comes first, then one that is over, and one in another currency.
    let offer = list(&desk, &json!({"name": "Oferta", "priority": 1}));
    set(&desk, &offer, &json!([{"sku": "T", "price": 10}]));
    assert_eq!((paid(&desk, &ana, &mug, 1), paid(&desk, &beto, &mug, 1)), (json!(10), json!(10)));
    let place = Desk::place(LISTS, &offer);
    let _ = desk.change(&place, &json!({"validUntil": "2020-01-01T00:00:00Z"}));
    assert_eq!((paid(&desk, &ana, &mug, 1), paid(&desk, &beto, &mug, 1)), (json!(18), json!(20)));
    let dollars = list(&desk, &json!({"name": "Dólares", "currency": "USD", "priority": 0}));
    set(&desk, &dollars, &json!([{"sku": "T", "price": 1}]));
    assert_eq!(paid(&desk, &ana, &mug, 1), 18);
    for gone in [&wholesale, &offer, &dollars] {
        desk.delete(LISTS, gone["id"].as_str().unwrap());
    }
    assert_eq!(paid(&desk, &ana, &mug, 12), 20);
    assert_eq!(lists(&desk.show(&Desk::place("/orders", &order))), by, "what it was, it stays");
}

fn a_list_that_is_named_sets_the_currency(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let product = |name: &str| json!({"name": name, "sku": name, "price": 20, "inventory": 50});
    let (mug, plate) = (desk.create(ALL, &product("T")), desk.create(ALL, &product("P")));
    let ana = desk.create("/customers", &json!({"name": "Ana"}));
    let group = desk.create(GROUPS, &json!({"name": "Exportación"}));
    let dollars =
        list(&desk, &json!({"name": "USD", "currency": "USD", "customerGroupId": group["id"]}));
    set(&desk, &dollars, &json!([{"sku": "T", "price": 1.25}]));
    let order = |things: &[&Value]| {
        let items: Vec<Value> =
            things.iter().map(|it| json!({"productId": it["id"], "quantity": 2})).collect();
        json!({"customerId": ana["id"], "priceListId": dollars["id"], "items": items})
    };
    let placed = desk.client.post("/orders", &order(&[&mug])).expect(201);
    assert_eq!((&placed["currency"], &placed["totalAmount"]), (&json!("USD"), &json!(2.5)));
    let refused = desk.client.post("/orders", &order(&[&mug, &plate]));
    assert!(refused.refused(400, "validation_failed").starts_with("items[1].productId "));
}

fn what_is_named_is_not_removed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let group = desk.create(GROUPS, &json!({"name": "Mayoreo"}));
    let ana = desk.create("/customers", &json!({"name": "Ana", "groupId": group["id"]}));
    let made = list(&desk, &json!({"name": "Mayoreo", "customerGroupId": group["id"]}));
    let place = Desk::place(GROUPS, &group);
    assert!(!desk.client.delete(&place).refused(409, "conflict").is_empty());
    let _ = desk.change(&Desk::place("/customers", &ana), &json!({"groupId": null}));
    assert!(!desk.client.delete(&place).refused(409, "conflict").is_empty());
    let _ = desk.change(&Desk::place(LISTS, &made), &json!({"customerGroupId": null}));
    let _ = desk.client.delete(&place).expect(200);
    assert!(!desk.client.delete(&place).refused(404, "not_found").is_empty());
}

/// However many prices it has: they are removed behind it, a slice at a time.
fn a_deleted_list_is_gone_before_its_prices(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let group = desk.create(GROUPS, &json!({"name": "Mayoreo"}));
    let ana = desk.create("/customers", &json!({"name": "Ana", "groupId": group["id"]}));
    let made = list(&desk, &json!({"name": "Mayoreo", "customerGroupId": group["id"]}));
    let kept = list(&desk, &json!({"name": "Otra", "priority": 900}));
    let products: Vec<Value> = (0..6)
        .map(|number| {
            let sku = format!("T-{number}");
            desk.create(ALL, &json!({"name": "Taza", "sku": sku, "price": 20, "inventory": 9}))
        })
        .collect();
    let steps = products.iter().flat_map(|product| {
        let step = |from: i64| json!({"productId": product["id"], "minQuantity": from, "price": 5});
        (1..=10).map(step).collect::<Vec<_>>()
    });
    set(&desk, &made, &steps.collect());
    let ribbon = desk.create(ALL, &json!({"name": "Cinta", "sku": "CINTA", "price": 5}));
    set(&desk, &made, &json!([{"sku": "CINTA", "minQuantity": 10, "price": 4}]));
    let (ribbon, by_metres) = (Desk::place(ALL, &ribbon), json!({"quantityDecimals": 3}));
    assert!(!desk.client.patch(&ribbon, &by_metres).refused(409, "decimals_fixed").is_empty());
    set(&desk, &kept, &json!([{"productId": products[1]["id"], "price": 7}]));
    assert_eq!(paid(&desk, &ana, &products[0], 1), json!(5));
    let left = || {
        let count = "SELECT CAST(COUNT(*) AS TEXT) AS line FROM price_list_items";
        desk.app.database.lines(count).remove(0)
    };
    assert_eq!(left(), "62");

    desk.delete(LISTS, made["id"].as_str().unwrap());
    for path in [Desk::place(LISTS, &made), items(&made)] {
        assert!(!desk.client.get(&path).refused(404, "not_found").is_empty());
    }
    let priced = json!({"items": [{"productId": products[0]["id"], "price": 1}]});
    let refused = desk.client.send("PUT", &items(&made), &priced);
    assert!(!refused.refused(404, "not_found").is_empty());
    assert_eq!(desk.show(LISTS)["total"], 1);
    let named = format!("priceListId={}", text(&made, "id"));
    assert_eq!(desk.show(&format!("{ALL}?{named}"))["total"], 0);
    assert_eq!(paid(&desk, &ana, &products[0], 1), json!(20));
    assert_eq!(paid(&desk, &ana, &products[1], 1), json!(7), "the next list counts");
    assert_eq!(desk.change(&ribbon, &by_metres)["quantityDecimals"], 3, "no list has any of it");
    let _ = desk.change(&Desk::place("/customers", &ana), &json!({"groupId": null}));
    desk.delete(GROUPS, group["id"].as_str().unwrap());
    let _ = list(&desk, &json!({"name": "Mayoreo"}));

    desk.app.housekeep();
    assert_eq!(left(), "1");
    let lists = "SELECT CAST(COUNT(*) AS TEXT) AS line FROM price_lists";
    assert_eq!(desk.app.database.lines(lists), ["2"]);
}

fn prices_go_with_what_they_are_of(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let variants = json!([{"name": "Azul", "sku": "T-A"}, {"name": "Rojo", "sku": "T-R"}]);
    let mug = json!({"name": "Taza", "sku": "T", "price": 20, "variants": variants});
    let mug = desk.create(ALL, &mug);
    let made = list(&desk, &json!({"name": "Mayoreo"}));
    set(
        &desk,
        &made,
        &json!([{"sku": "T", "price": 3}, {"sku": "T-A", "price": 1}, {"sku": "T-R", "price": 2}]),
    );
    let place = Desk::place(ALL, &mug);
    let _ = desk.change(&place, &json!({"removeVariants": [mug["variants"][0]["id"]]}));
    assert_eq!(prices(&desk, &made), [(1, 3.0), (1, 2.0)]);
    desk.delete(ALL, mug["id"].as_str().unwrap());
    assert!(prices(&desk, &made).is_empty());
}

/// Whatever comes first, no price is of a product that is not there.
#[test]
fn no_price_is_set_of_a_product_that_is_being_removed() {
    let desk = Desk::open(DatabaseKind::Postgres);
    let second = desk.app.again().start();
    let other = desk.client.at(&second);
    let made = list(&desk, &json!({"name": "Mayoreo"}));
    let product = |sku: &str| {
        desk.create(ALL, &json!({"name": "Taza", "sku": sku, "price": 20}))["id"].clone()
    };
    for is_set_first in [true, false] {
        let (first, gone) = (product("T-1"), product("T-2"));
        let body =
            json!({"items": [{"productId": first, "price": 1}, {"productId": gone, "price": 2}]});
        let set = || desk.client.send("PUT", &items(&made), &body);
        let remove = || {
            let place = format!("{ALL}/{}", gone.as_str().unwrap());
            let _ = other.delete(&place).expect(200);
        };
        // The price of the first product cannot be written yet, or the code of the other not be given back.
        let (account, first) = (desk.account, first.as_str().unwrap());
        let mut held = desk.app.database.hold(&match is_set_first {
            true => format!(
                "INSERT INTO price_list_items (account_id, product_id, variant_id, list_id, min_quantity, price) \
                 VALUES ('{account}', '{first}', '', '{}', 1, 1)",
                text(&made, "id")
            ),
            false => "SELECT 1 FROM skus WHERE sku = 'T-2' FOR UPDATE".to_owned(),
        });
        thread::scope(|scope| {
            if is_set_first {
                let setting = scope.spawn(set);
                held.wait_for(1, || setting.is_finished());
                let removing = scope.spawn(remove);
                held.wait_for(2, || removing.is_finished());
                drop(held);
                let _ = setting.join().unwrap().expect(200);
                removing.join().unwrap();
            } else {
                let removing = scope.spawn(remove);
                held.wait_for(1, || removing.is_finished());
                let setting = scope.spawn(set);
                held.wait_for(2, || setting.is_finished());
                drop(held);
                removing.join().unwrap();
                let refused = setting.join().unwrap().refused(400, "validation_failed");
                assert!(refused.starts_with("items[1].productId "), "{refused}");
            }
        });
        let kept = if is_set_first { vec![(1, 1.0)] } else { vec![] };
        assert_eq!(prices(&desk, &made), kept);
        desk.delete(ALL, first);
    }
}

/// Lists of one name are one; prices set at once are all there; a group that is removed leaves nobody in it.
fn many_at_once_keep_their_prices(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for name in 0..8 {
        let _ = desk.create(ALL, &json!({"name": "x", "sku": format!("P-{name}"), "price": 1}));
    }
    let twins = at_once(8, |_| desk.client.post(LISTS, &json!({"name": "Mayoreo"})));
    let made: Vec<_> = twins.iter().filter(|reply| reply.status == 201).collect();
    assert_eq!(made.len(), 1);
    let made = made[0].json();
    let set = at_once(8, |racer| {
        let prices = json!({"items": [{"sku": format!("P-{racer}"), "price": 2}]});
        desk.client.send("PUT", &items(&made), &prices).status
    });
    assert_eq!(set, [200; 8]);
    assert_eq!(prices(&desk, &made).len(), 8);
    for round in 0..5 {
        let group = desk.create(GROUPS, &json!({"name": format!("G{round}")}));
        let place = Desk::place(GROUPS, &group);
        let replies = at_once(6, |racer| match racer {
            0 => desk.client.delete(&place),
            _ => desk.client.post("/customers", &json!({"name": "x", "groupId": group["id"]})),
        });
        let inside = format!("/customers?groupId={}", text(&group, "id"));
        assert_eq!(replies[0].status == 200, desk.show(&inside)["total"] == 0);
    }
}
