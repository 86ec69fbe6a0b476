//! What has changed between two orders counts for the second, whoever has changed it, though on PostgreSQL a node remembers
//! what orders ask for.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::shop::{Shop, id};
use crate::{
    races::at_once,
    stock::{first, level, put, store, take_anywhere},
};

on_both!(
    the_catalog_of_the_moment_counts,
    the_settings_of_the_moment_count,
    who_is_told_is_who_wants_it_at_the_moment,
    what_comes_to_a_new_place_counts,
    a_repeat_is_answered_as_before,
    each_order_is_at_the_price_that_was_set_before_it,
);

const ISSUER: &str = "/invoices/cfdi/issuer";

/// A shop and, where the database allows it, a second node beside its own.
struct Place {
    shop: Shop,
    second: Option<App>,
}

impl Place {
    fn open(kind: DatabaseKind) -> Self {
        let shop = Shop::of(App::with(kind).not_delivering().start());
        let second = (kind == DatabaseKind::Postgres).then(|| shop.app.again().start());
        Self { shop, second }
    }

    /// The owner of the shop at each of the nodes. Orders are placed at the first.
    fn owners(&self) -> Vec<Client> {
        let other = self.second.iter().map(|second| self.shop.client.at(second));
        std::iter::once(self.shop.client.clone()).chain(other).collect()
    }
}

fn the_catalog_of_the_moment_counts(kind: DatabaseKind) {
    let place = Place::open(kind);
    let shop = &place.shop;
    for owner in place.owners() {
        let shirt = json!({"name": "Playera", "price": 10, "inventory": 100, "lowStockThreshold": 0,
            "variants": [{"name": "Azul", "inventory": 9}]});
        let made = shop.make("/products", &shirt);
        let (shirt, blue) = (id(&made), id(&made["variants"][0]));
        let path = format!("/products/{shirt}");
        let change = |changes: Value| drop(owner.patch(&path, &changes).expect(200));
        let buy = || shop.order(&[(&shirt, 1)]);
        let assert_refused =
            |status: u16| assert_eq!(shop.try_order(&[(&shirt, 1)]).status, status);
        let _ = (buy(), buy());
        change(json!({"price": 20, "name": "Camisa"}));
        let order = buy();
        let shown = (&order["totalAmount"], &order["items"][0]["name"]);
        assert_eq!(shown, (&json!(20), &json!("Camisa")));
        change(json!({"taxIncluded": false}));
        assert_eq!(buy()["totalAmount"], 23.2);
        change(json!({"lowStockThreshold": 96}));
        let told = shop.told("inventory.low").len();
        let _ = buy();
        assert_eq!(shop.told("inventory.low").len(), told + 1, "95 left");

        change(json!({"inventory": 1}));
        let _ = buy();
        assert_refused(409);
        change(json!({"inventory": 5}));
        let _ = buy();
        assert_eq!(shop.stock(&shirt), 4);
        change(json!({"status": "archived"}));
        assert_refused(400);
        change(json!({"status": "active"}));
        let _ = buy();

        let item = json!({"productId": shirt, "variantId": blue, "quantity": 1});
        let cart = json!({"customerId": shop.customer, "items": [item]});
        let ask = || shop.client.post("/orders", &cart);
        let _ = (ask().expect(201), ask().expect(201));
        let variant = json!([{"id": blue, "price": 33, "name": "Añil"}]);
        change(json!({"variants": variant}));
        let order = ask().expect(201);
        let shown = (&order["items"][0]["unitPrice"], &order["items"][0]["name"]);
        assert_eq!(shown, (&json!(33), &json!("Camisa / Añil")));
        change(json!({"removeVariants": [blue], "force": true}));
        assert_eq!(ask().status, 400);
        assert!(owner.delete(&path).status < 300);
        assert_refused(400);
    }
}

fn the_settings_of_the_moment_count(kind: DatabaseKind) {
    let place = Place::open(kind);
    let shop = &place.shop;
    shop.app.can_invoice(shop.account);
    let (home, north) = (first(shop), store(shop, "Norte", 1));
    for owner in place.owners() {
        let mug = shop.product(&format!("TAZA-{}", shop.orders()), 116.0, 50);
        put(shop, &mug, &north, 50);
        let change =
            |path: &str, settings: Value| drop(owner.send("PUT", path, &settings).expect(200));
        let buy = || shop.order(&[(&mug, 1)]);
        let left = || (level(shop, &mug, &home).0, level(shop, &mug, &north).0);
        assert_eq!((&buy()["taxTotal"], &buy()["taxTotal"]), (&json!(16), &json!(16)));
        let usual = owner.get(ISSUER).expect(200)["defaultTaxes"].clone();
        let tax = |taxes: &Value| {
            let mut issuer = owner.get(ISSUER).expect(200);
            issuer["defaultTaxes"] = taxes.clone();
            change(ISSUER, issuer);
        };
        tax(&json!([]));
        assert_eq!(buy()["taxTotal"], 0);
        tax(&usual);
        assert_eq!(buy()["taxTotal"], 16);

        assert_eq!(left(), (46, 50));
        change("/stock/settings", json!({"defaultWarehouseId": north}));
        let _ = (buy(), buy());
        assert_eq!(left(), (46, 48));
        change("/stock/settings", json!({"allocation": "anyAvailable"}));
        let _ = (buy(), buy());
        assert_eq!(left(), (46, 46), "the other one comes first");
        let of_north = format!("/warehouses/{north}");
        let _ = owner.patch(&of_north, &json!({"priority": 900})).expect(200);
        let _ = (buy(), buy());
        assert_eq!(left(), (44, 46));
        // What is moved from one place to another changes no total.
        let moved = json!({"reason": "correction", "items": [
            {"productId": mug, "warehouseId": home, "delta": -44},
            {"productId": mug, "warehouseId": north, "delta": 44},
        ]});
        let _ = owner.post("/stock/adjustments", &moved).expect(201);
        let _ = buy();
        assert_eq!(left(), (0, 89));
        let _ = owner.patch(&of_north, &json!({"priority": 1})).expect(200);
        change("/stock/settings", json!({}));
        put(shop, &mug, &home, 10);

        let cost = json!({"items": [{"productId": mug, "averageCost": 7.5}]});
        let _ = (buy(), owner.post("/stock/costs", &cost).expect(200));
        let order = id(&buy());
        let cost = shop.app.database.lines(&format!(
            "SELECT CAST(unit_cost AS TEXT) AS line FROM order_items WHERE order_id = '{order}'"
        ));
        assert_eq!(cost, ["7500000"]);
        let customer = format!("/customers/{}", shop.customer);
        let name = format!("Zenaida{}", shop.orders());
        let _ = owner.patch(&customer, &json!({"name": name})).expect(200);
        let order = id(&buy());
        let terms = shop
            .app
            .database
            .lines(&format!("SELECT search_text AS line FROM orders WHERE id = '{order}'"));
        assert!(terms[0].contains(&name.to_lowercase()), "{terms:?}");
    }
    let mug = shop.product("OFERTA", 20.0, 50);
    let buy = || shop.order(&[(&mug, 1)])["items"][0]["unitPrice"].clone();
    assert_eq!((buy(), buy()), (json!(20), json!(20)));
    let owner = place.owners().pop().unwrap();
    let list = id(&owner.post("/price-lists", &json!({"name": "Oferta"})).expect(201));
    let prices = json!({"items": [{"sku": "OFERTA", "price": 18}]});
    let _ = owner.send("PUT", &format!("/price-lists/{list}/items"), &prices).expect(200);
    assert_eq!(buy(), 18);
}

fn who_is_told_is_who_wants_it_at_the_moment(kind: DatabaseKind) {
    let place = Place::open(kind);
    let shop = &place.shop;
    let mug = shop.product("TAZA", 10.0, 100);
    let buy = || shop.order_id(&[(&mug, 1)]);
    let _ = (buy(), buy());
    for owner in place.owners() {
        let wanted = json!({"url": "http://127.0.0.1:9/hook", "events": ["order.created"]});
        let hook = format!("/webhooks/{}", id(&owner.post("/webhooks", &wanted).expect(201)));
        let told = |order: &str| {
            let deliveries = format!(
                "SELECT d.id AS line FROM deliveries d JOIN events e ON e.account_id = d.account_id \
                 AND e.id = d.event_id WHERE e.entity_id = '{order}'"
            );
            shop.app.database.lines(&deliveries).len()
        };
        assert_eq!((told(&buy()), told(&buy())), (1, 1));
        let other = json!({"events": ["order.paid"]});
        let _ = owner.patch(&hook, &other).expect(200);
        assert_eq!((told(&buy()), told(&buy())), (0, 0));
        let _ = owner.patch(&hook, &json!({"events": ["*"]})).expect(200);
        assert_eq!(told(&buy()), 1);
        assert!(owner.delete(&hook).status < 300);
        assert_eq!(told(&buy()), 0);
    }
}

/// A level that was not there before makes up for nothing else that has changed.
fn what_comes_to_a_new_place_counts(kind: DatabaseKind) {
    let place = Place::open(kind);
    let shop = &place.shop;
    let (mug, pen) = (shop.product("TAZA", 10.0, 90), shop.product("PLUMA", 1.0, 90));
    let (home, north) = (first(shop), store(shop, "Norte", 200));
    put(shop, &mug, &north, 5);
    put(shop, &pen, &north, 5);
    take_anywhere(shop);
    let buy = |items: &[(&str, i64)]| {
        let stock = || items.iter().map(|(product, _)| shop.stock(product)).collect::<Vec<_>>();
        let left = || level(shop, &mug, &home).0;
        let (before, there) = (stock(), left());
        let order = shop.order(items);
        let expected: Vec<i64> = before.iter().map(|stock| stock - 1).collect();
        assert_eq!((stock(), left()), (expected, there - 1));
        assert_eq!(shop.app.database.violations(), [""; 0]);
        order
    };
    let (one, both) = ([(mug.as_str(), 1)], [(mug.as_str(), 1), (pen.as_str(), 1)]);
    for (number, owner) in place.owners().iter().enumerate() {
        let moved = |product: &str, place: &str, delta: i64| {
            let item = json!({"productId": product, "warehouseId": place, "delta": delta});
            let moved = json!({"reason": "correction", "items": [item]});
            let _ = owner.post("/stock/adjustments", &moved).expect(201);
        };
        let open = |name: &str| store(shop, &format!("{name} {number}"), 300);
        for (name, items) in [("Sur", &one[..]), ("Este", &both[..])] {
            let _ = (buy(items), buy(items));
            moved(&mug, &open(name), 7);
            let _ = (buy(items), buy(items));
        }
        // In and out again leaves a level of nothing, here beside another price.
        let place = open("Vacío");
        moved(&mug, &place, 3);
        moved(&mug, &place, -3);
        let price = 20 + number;
        let _ = owner.patch(&format!("/products/{mug}"), &json!({"price": price})).expect(200);
        assert_eq!(buy(&both)["items"][0]["unitPrice"], price);
        let _ = buy(&both);
        let place = open("Sin nada");
        moved(&pen, &place, 3);
        moved(&pen, &place, -3);
        let wanted = json!({"url": "http://127.0.0.1:9/hook", "events": ["order.created"]});
        let hook = id(&owner.post("/webhooks", &wanted).expect(201));
        let _ = buy(&both);
        let told = format!("SELECT id AS line FROM deliveries WHERE subscription_id = '{hook}'");
        assert_eq!(shop.app.database.lines(&told).len(), 1);
    }
}

fn a_repeat_is_answered_as_before(kind: DatabaseKind) {
    let place = Place::open(kind);
    let shop = &place.shop;
    let mug = shop.product("TAZA", 10.0, 100);
    let (cart, other) = (shop.cart(&[(&mug, 1)]), shop.cart(&[(&mug, 2)]));
    for (number, owner) in place.owners().iter().enumerate() {
        let key = format!("k{number}");
        let _ = (shop.order(&[(&mug, 1)]), shop.order(&[(&mug, 1)]));
        let order = owner.post_once("/orders", &key, &cart);
        assert_eq!(order.status, 201);
        let orders = shop.orders();
        for _ in 0..5 {
            let again = shop.client.post_once("/orders", &key, &cart);
            assert_eq!((again.status, &again.text), (201, &order.text));
            assert!(again.header("idempotent-replayed").is_some());
            let status = shop.client.post_once("/orders", &key, &other).status;
            assert!((400..500).contains(&status), "{status}");
        }
        assert_eq!(shop.orders(), orders);
        let _ = shop.client.post_once("/orders", &format!("{key}-next"), &cart).expect(201);
        assert_eq!(shop.orders(), orders + 1);
    }
    assert_eq!(shop.stock(&mug), 100 - i64::try_from(shop.orders()).unwrap());
}

fn each_order_is_at_the_price_that_was_set_before_it(kind: DatabaseKind) {
    const THREADS: usize = 8;
    let place = Place::open(kind);
    let (shop, owners) = (&place.shop, place.owners());
    let products: Vec<String> =
        (0..THREADS).map(|number| shop.product(&format!("P-{number}"), 1.0, 1_000)).collect();
    let sold = at_once(THREADS, |thread| {
        let product = &products[thread];
        let (mut sold, path) = (0, format!("/products/{product}"));
        for price in 2..12 {
            let owner = &owners[(thread + price) % owners.len()];
            let _ = owner.patch(&path, &json!({"price": price})).expect(200);
            for buyer in &owners {
                // One that changes all the time, and one that others buy, too.
                let cart = shop.cart(&[(product, 1), (&products[0], 1)]);
                let order = buyer.post("/orders", &cart).expect(201);
                if thread > 0 {
                    assert_eq!(order["items"][0]["unitPrice"], price);
                }
                sold += 1;
            }
        }
        sold
    });
    let all: i64 = sold.iter().sum();
    assert_eq!(shop.stock(&products[0]), 1_000 - all - sold[0]);
    assert_eq!(shop.stock(&products[1]), 1_000 - sold[1]);
    assert_eq!(i64::try_from(shop.orders()).unwrap(), all);
}

/// The connection of a lane that has rested may be gone: that is found out before anything is written.
#[test]
fn a_connection_that_was_cut_costs_no_order() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let mug = shop.product("TAZA", 10.0, 100);
    let _ = (shop.order(&[(&mug, 1)]), shop.order(&[(&mug, 1)]));
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let _ = shop.app.database.lines(
        "SELECT CAST(pg_terminate_backend(pid) AS TEXT) AS line FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    let _ = shop.order(&[(&mug, 1)]);
    assert_eq!((shop.stock(&mug), shop.orders()), (97, 3));
}

#[test]
fn orders_for_what_is_known_are_placed_without_a_look() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let (mug, pen) = (shop.product("TAZA", 10.0, 100), shop.product("PLUMA", 1.0, 100));
    let counted = |what: &str| shop.app.gauge(&format!("store_order_batches_{what}_total")) as u64;
    for _ in 0..10 {
        let _ = shop.order(&[(&mug, 1), (&pen, 2)]);
    }
    // Now and then something else is in the batch.
    assert!(counted("from_memory") >= 5, "{}", counted("from_memory"));
    assert!(counted("looked_up") >= 1);
    let known = counted("from_memory");
    let unknown = shop.product("PLATO", 5.0, 10);
    let _ = shop.order(&[(&unknown, 1)]);
    assert_eq!(counted("from_memory"), known);
}
