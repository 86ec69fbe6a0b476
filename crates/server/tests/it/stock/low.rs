//! What is low: an index has it, and says at every moment what a look at every level would.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use super::{
    first, put,
    random::{Dice, seed},
    store, take_anywhere,
};
use crate::{
    imports::imported,
    orders::shop::{Shop, id},
};

testkit::on_both!(
    whatever_is_done_what_is_low_is_what_a_recount_says,
    whatever_changes_a_threshold_counts_at_once,
);

const STEPS: usize = 60;
/// A recount after so many of them.
const EACH: usize = 6;

fn whatever_is_done_what_is_low_is_what_a_recount_says(kind: DatabaseKind) {
    let (seed, shop) = (seed(), Shop::open(kind));
    let mut dice = Dice::of(seed, 0);
    let places = vec![first(&shop), store(&shop, "Norte", 10)];
    let mut products: Vec<String> =
        (0..4).map(|number| shop.product(&format!("P-{number}"), 10.0, number * 4)).collect();
    let variants = json!([{"name": "Azul", "inventory": 3}, {"name": "Rojo", "inventory": 9}]);
    let cap =
        json!({"name": "Gorra", "sku": "P-4", "price": 5, "inventory": 6, "variants": variants});
    products.push(id(&shop.make("/products", &cap)));
    take_anywhere(&shop);
    let mut orders = Vec::new();
    for number in 1..=STEPS {
        let reply = step(&shop, &mut dice, (&*places, &mut products), &mut orders);
        let is_usual = matches!(reply.status, 200..=202 | 400 | 404 | 409);
        assert!(is_usual, "{} {}, seed {seed}", reply.status, reply.text);
        if number % EACH == 0 {
            recount(&shop, &places[1], &format!("step {number}, seed {seed}"));
        }
    }
}

/// One of the things that change what is low.
fn step(
    shop: &Shop,
    dice: &mut Dice,
    (places, products): (&[String], &mut Vec<String>),
    orders: &mut Vec<String>,
) -> Reply {
    let product = dice.pick(products).to_owned();
    let path = format!("/products/{product}");
    let quantity = i64::try_from(dice.roll(6)).unwrap() + 1;
    match dice.roll(14) {
        0..=4 => {
            let placed = shop.try_order(&[(&product, quantity)]);
            if placed.status == 201 {
                orders.push(id(&placed.json()));
            }
            placed
        }
        5 => match orders.pop() {
            Some(order) => shop.step(&order, "cancelled"),
            None => shop.client.get("/stock"),
        },
        6..=8 => {
            let delta = if dice.roll(2) == 0 { quantity } else { -quantity };
            let place = dice.pick(places);
            let item = json!({"productId": product, "warehouseId": place, "delta": delta});
            shop.client.post("/stock/adjustments", &json!({"reason": "other", "items": [item]}))
        }
        9 => shop.client.patch(&path, &json!({"lowStockThreshold": dice.roll(12)})),
        10 => shop.client.patch(&path, &json!({"lowStockThreshold": null})),
        11 => {
            let variant = json!({"name": "Verde", "inventory": quantity});
            shop.client.patch(&path, &json!({"variants": [variant]}))
        }
        12 => {
            let shown = shop.client.get(&path).expect(200);
            match shown["variants"].as_array().unwrap().first() {
                Some(variant) => {
                    shop.client.patch(&path, &json!({"removeVariants": [variant["id"]]}))
                }
                None => shop.client.patch(&path, &json!({"inventory": quantity})),
            }
        }
        _ if products.len() > 3 => {
            products.retain(|kept| *kept != product);
            shop.client.delete(&path)
        }
        _ => shop.client.get(&path),
    }
}

/// Every line, and those that are low, are not, or lie in a warehouse: what is asked for is what the lines themselves say.
#[track_caller]
fn recount(shop: &Shop, place: &str, when: &str) {
    let all = lines(shop, "");
    let is_low = |line: &&Value| {
        line["available"].as_f64().unwrap() < line["lowStockThreshold"].as_f64().unwrap()
    };
    let (low, high): (Vec<&Value>, Vec<&Value>) = all.iter().partition(is_low);
    let keys = |lines: &[&Value]| lines.iter().map(|line| key(line)).collect::<Vec<_>>();
    let asked = |query: &str| lines(shop, query).iter().map(key).collect::<Vec<_>>();
    assert_eq!(asked("&belowThreshold=true"), keys(&low), "{when}");
    assert_eq!(asked("&belowThreshold=false"), keys(&high), "{when}");
    let there = asked(&format!("&warehouseId={place}"));
    let both = |lines: &[&Value]| {
        keys(lines).into_iter().filter(|key| there.contains(key)).collect::<Vec<_>>()
    };
    let narrowed = |is_low: bool| asked(&format!("&warehouseId={place}&belowThreshold={is_low}"));
    assert_eq!((narrowed(true), narrowed(false)), (both(&low), both(&high)), "{when}");
    assert_eq!(shop.app.database.violations(), [""; 0], "{when}");
}

/// What is listed, all of it on one page and counted.
#[track_caller]
fn lines(shop: &Shop, query: &str) -> Vec<Value> {
    let page = shop.client.get(&format!("/stock?limit=100{query}")).expect(200);
    let lines = page["data"].as_array().unwrap().clone();
    assert_eq!((&page["total"], &page["totalIsExact"]), (&json!(lines.len()), &json!(true)));
    lines
}

fn key(line: &Value) -> String {
    format!("{} {}", line["productId"], line["variantId"])
}

fn whatever_changes_a_threshold_counts_at_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let north = store(&shop, "Norte", 10);
    let low = || {
        let names = lines(&shop, "&belowThreshold=true");
        names.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The account's own is five.
    let mug = shop.product("TAZA", 10.0, 4);
    assert_eq!(low(), ["TAZA"]);
    put(&shop, &mug, &north, 1);
    assert_eq!(low(), [""; 0]);
    let path = format!("/products/{mug}");
    let _ = shop.client.patch(&path, &json!({"lowStockThreshold": 6})).expect(200);
    assert_eq!(low(), ["TAZA"]);
    let rope = shop.product("CUERDA", 10.0, 0);
    let _ = shop.client.patch(&path, &json!({"lowStockThreshold": null})).expect(200);
    assert_eq!(low(), ["CUERDA"]);
    let metres = json!({"unit": "m", "quantityDecimals": 3});
    let _ = shop.client.patch(&format!("/products/{rope}"), &metres).expect(200);
    put(&shop, &rope, &north, 4);
    assert_eq!(low(), ["CUERDA"], "four metres, of five");

    let file = "sku,name,price,inventory,lowStockThreshold\nTAZA,TAZA,10,5,9\nCUERDA,CUERDA,10,4,2\nNUEVA,NUEVA,1,3,4\nOTRA,OTRA,1,7,\n";
    let _ = imported(&shop.client, "", file);
    assert_eq!(low(), ["TAZA", "NUEVA"]);
    let _ = shop.client.delete(&path).expect(200);
    assert_eq!(low(), ["NUEVA"]);
}
