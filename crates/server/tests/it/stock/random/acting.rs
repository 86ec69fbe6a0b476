//! What is done with stock, as dice have it.

use serde_json::{Value, json};
use testkit::Reply;

use super::Dice;
use crate::{
    imports::{ended, sent_to},
    orders::shop::{Shop, id},
};

/// From one unit to so many.
fn units(dice: &mut Dice, most: u32) -> f64 {
    f64::from(u32::try_from(dice.roll(u64::from(most))).unwrap() + 1)
}

/// A quantity as clients write it.
fn number(units: f64) -> Value {
    if units.fract() == 0.0 { json!(units as i64) } else { json!(units) }
}

/// One of all things that are done with stock, but imports.
pub(super) fn step(
    shop: &Shop,
    dice: &mut Dice,
    (places, products): (&[String], &[String]),
    orders: &mut Vec<String>,
) -> Reply {
    let place_of = usize::try_from(dice.roll(products.len() as u64)).unwrap();
    let (product, code) = (products[place_of].clone(), format!("P-{place_of}"));
    // The last of the products is weighed.
    let grams = if place_of + 1 == products.len() { 0.125 } else { 0.0 };
    let quantity = units(dice, 9) + grams;
    let place = dice.pick(places).to_owned();
    match dice.roll(27) {
        0..=3 => {
            let other = dice.pick(products).to_owned();
            let mut cart = shop.cart(&[(&product, 1), (&other, 1)]);
            cart["items"][0]["quantity"] = number(quantity);
            if dice.roll(4) == 0 {
                cart["warehouseId"] = json!(place);
            }
            let placed = shop.client.post("/orders", &cart);
            if placed.status == 201 {
                orders.push(id(&placed.json()));
            }
            placed
        }
        4 => match orders.pop() {
            Some(order) => shop.step(&order, "cancelled"),
            None => shop.client.get("/stock"),
        },
        5 => match orders.pop() {
            Some(order) if dice.roll(2) == 0 => {
                let paid = shop.step(&order, "paid");
                orders.push(order);
                paid
            }
            Some(order) => {
                let shipped = shop.step(&order, "shipped");
                orders.insert(0, order);
                shipped
            }
            None => shop.client.get("/warehouses"),
        },
        6 => match orders.first() {
            Some(order) => {
                let line = json!({"line": 1, "quantity": 1, "restock": dice.roll(2) == 0});
                let body = json!({"items": [line], "reason": "Rota"});
                shop.client.post(&format!("/orders/{order}/returns"), &body)
            }
            None => shop.client.get("/stock/movements"),
        },
        7 => {
            let path = format!("/products/{product}");
            let delta = if dice.roll(2) == 0 { quantity } else { -quantity };
            shop.client.patch(&path, &json!({"inventoryDelta": number(delta)}))
        }
        8 | 9 => {
            let cost = dice.roll(2_000);
            let body = json!({"supplier": "Barro SA", "items": [
                {"productId": product, "warehouseId": place, "quantity": number(quantity), "unitCost": cost},
                {"productId": dice.pick(products), "quantity": 1}]});
            let received = shop.client.post("/stock/receipts", &body);
            if received.status == 201 && dice.roll(3) == 0 {
                return shop
                    .client
                    .act(&format!("/stock/receipts/{}/cancel", id(&received.json())));
            }
            received
        }
        18..=22 => ship_goods(shop, dice, places, orders),
        23 | 24 => reallocate_goods(shop, dice, places, orders),
        15..=17 => count_goods(shop, dice, &place, (&product, &code, quantity)),
        11..=14 => {
            let to = dice.pick(places).to_owned();
            move_goods(shop, dice, (&place, &to), (&product, quantity))
        }
        10 if dice.roll(4) == 0 => {
            let item = json!({"productId": product, "averageCost": number(quantity)});
            shop.client.post("/stock/costs", &json!({"items": [item]}))
        }
        _ => {
            let change: Value = match dice.roll(3) {
                0 => json!({"countedQuantity": number(quantity * 2.0)}),
                1 => json!({"delta": number(-quantity)}),
                _ => json!({"delta": number(quantity)}),
            };
            let mut line = change;
            line["productId"] = json!(product);
            line["warehouseId"] = json!(place);
            let other = json!({"productId": dice.pick(products), "warehouseId": dice.pick(places), "delta": 1});
            let body = json!({"reason": "other", "items": [line, other]});
            shop.client.post("/stock/adjustments", &body)
        }
    }
}

/// Ships a part of an order, or takes a shipment back, or what came back of it or will never be shipped.
fn ship_goods(shop: &Shop, dice: &mut Dice, places: &[String], orders: &[String]) -> Reply {
    if orders.is_empty() {
        return shop.client.get("/stock");
    }
    let order = dice.pick(orders);
    let path = format!("/orders/{order}/shipments");
    let shipments = shop.client.get(&path).expect(200);
    let shipments = shipments["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    let line = dice.roll(2) + 1;
    match dice.roll(8) {
        0 | 1 if !shipments.is_empty() => {
            shop.client.act(&format!("/shipments/{}/cancel", dice.pick(&shipments)))
        }
        2 if !shipments.is_empty() && dice.roll(2) == 0 => {
            let path = format!("/shipments/{}", dice.pick(&shipments));
            shop.client.patch(&path, &json!({"status": "delivered"}))
        }
        3 => {
            let mut line = json!({"line": line, "quantity": 1});
            if dice.roll(2) == 0 {
                line["restock"] = json!(dice.roll(2) == 0);
            }
            let unshipped = dice.roll(3) > 0;
            let body = json!({"items": [line], "reason": "Agotada", "unshipped": unshipped});
            shop.client.post(&format!("/orders/{order}/returns"), &body)
        }
        4 => shop.client.post(&path, &json!({"warehouseId": dice.pick(places)})),
        _ => {
            let quantity = dice.roll(4) + 1;
            let mut body = json!({"items": [{"line": line, "quantity": quantity}]});
            if dice.roll(2) == 0 {
                body["warehouseId"] = json!(dice.pick(places));
            }
            shop.client.post(&path, &body)
        }
    }
}

/// Has a part of an order promised from another warehouse.
fn reallocate_goods(shop: &Shop, dice: &mut Dice, places: &[String], orders: &[String]) -> Reply {
    if orders.is_empty() {
        return shop.client.get("/warehouses");
    }
    let order = dice.pick(orders);
    let shown = shop.client.get(&format!("/orders/{order}?expand=items.allocations")).expect(200);
    let mut parts = Vec::new();
    for (item, line) in shown["items"].as_array().unwrap().iter().zip(1..) {
        for part in item["allocations"].as_array().unwrap() {
            let quantity = number(part["quantity"].as_f64().unwrap().min(units(dice, 5)));
            let (from, to) = (&part["warehouseId"], dice.pick(places));
            if from != to {
                parts.push(json!({"line": line, "quantity": quantity, "from": from, "to": to}));
            }
        }
    }
    parts.truncate(usize::try_from(dice.roll(2) + 1).unwrap());
    shop.client.post(&format!("/orders/{order}/reallocate"), &json!({"items": parts}))
}

/// Opens a count, or goes on with one that may be of another thread.
fn count_goods(
    shop: &Shop,
    dice: &mut Dice,
    place: &str,
    (product, code, quantity): (&str, &str, f64),
) -> Reply {
    let open = shop.client.get("/stock/counts?limit=10").expect(200);
    let open = open["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    if open.is_empty() || dice.roll(6) == 0 {
        let uncounted = if dice.roll(8) == 0 { "zero" } else { "leave" };
        let body = json!({"warehouseId": place, "uncounted": uncounted});
        return shop.client.post("/stock/counts", &body);
    }
    let path = format!("/stock/counts/{}", dice.pick(&open));
    let item = json!({"productId": product, "countedQuantity": number(quantity * 2.0)});
    match dice.roll(8) {
        0..=2 => {
            let body = json!({"code": code, "quantity": number(quantity)});
            shop.client.post(&format!("{path}/scan"), &body)
        }
        3 | 4 => shop.client.send("PUT", &format!("{path}/lines"), &json!({"items": [item]})),
        5 => {
            let item = json!({"productId": product});
            shop.client.post(&format!("{path}/post"), &json!({"items": [item]}))
        }
        6 => shop.client.act(&format!("{path}/cancel")),
        _ => shop.client.post(&format!("{path}/post"), &json!({})),
    }
}

/// Imports what lies in a warehouse, or what there is of each product.
pub(super) fn import_goods(shop: &Shop, dice: &mut Dice, places: &[String]) -> Reply {
    let of_stock = dice.roll(3) > 0;
    let mut row = |number| {
        let grams = if number == 3 { ".5" } else { "" };
        match of_stock {
            true => format!("P-{number},{},{}{grams}\n", dice.pick(places), dice.roll(15)),
            false => format!("P-{number},{}{grams}\n", dice.roll(60)),
        }
    };
    let rows: String = (0..4).map(&mut row).collect();
    let sent = match of_stock {
        true => sent_to(&shop.client, "stock", "", format!("sku,warehouse,onHand\n{rows}")),
        false => sent_to(&shop.client, "products", "mode=update", format!("sku,inventory\n{rows}")),
    };
    let _ = ended(&shop.client, &sent.clone().expect(202));
    sent
}

/// Plans a transfer, or goes on with one that may be of another thread.
fn move_goods(
    shop: &Shop,
    dice: &mut Dice,
    (from, to): (&str, &str),
    (product, quantity): (&str, f64),
) -> Reply {
    let open = shop.client.get("/transfers?limit=20").expect(200);
    let open = open["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    if open.is_empty() || dice.roll(4) == 0 {
        let items = json!([{"productId": product, "quantity": number(quantity)}]);
        let body = json!({"fromWarehouseId": from, "toWarehouseId": to, "items": items});
        return shop.client.post("/transfers", &body);
    }
    let path = format!("/transfers/{}", dice.pick(&open));
    match dice.roll(8) {
        0..=2 => shop.client.act(&format!("{path}/dispatch")),
        3 => shop.client.act(&format!("{path}/cancel")),
        step => {
            let [received, damaged, lost, found] = [3, 2, 2, 2].map(|most| dice.roll(most));
            let item = json!({"line": 1, "received": received, "damaged": damaged, "lost": lost, "found": found, "reason": "Caja mojada"});
            let body = json!({"items": [item], "final": step == 7});
            shop.client.post(&format!("{path}/receive"), &body)
        }
    }
}
