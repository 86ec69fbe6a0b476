//! Many at once: stock, keys and names stay exact, on one node and on two.

mod crowd;
mod nodes;
mod stalled;
mod stock;

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use crate::orders::shop::{Shop, id};
pub(crate) use crowd::at_once;
use crowd::statuses;

on_both!(
    in_spanish:
    twins_of_a_key_are_one_order,
    of_two_bodies_racing_on_a_key_one_wins,
    a_sku_is_given_once,
    an_address_is_given_once,
    order_numbers_have_neither_twins_nor_gaps,
    a_page_shows_what_was_saved_before_it_was_asked_for,
);

fn twins_of_a_key_are_one_order(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let cart = shop.cart(&[(&mug, 1)]);
    let twins = at_once(64, |_| shop.client.post_once("/orders", "k", &cart));
    crowd::assert_twins(&twins);
    assert_eq!((shop.orders(), shop.stock(&mug)), (1, 99));
    assert_eq!(shop.told("order.created").len(), 1);
}

fn of_two_bodies_racing_on_a_key_one_wins(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 1_000);
    for round in 0..10 {
        let key = format!("k{round}");
        let carts = [shop.cart(&[(&mug, 1)]), shop.cart(&[(&mug, 2)])];
        let replies =
            at_once(16, |racer| shop.client.post_once("/orders", &key, &carts[racer % 2]));
        let placed: Vec<_> = replies.iter().filter(|reply| reply.status == 201).collect();
        let winner = placed.first().expect("one wins").json();
        assert!(placed.iter().all(|reply| reply.json() == winner), "all winners are one order");
        for (racer, reply) in replies.iter().enumerate() {
            let quantity = carts[racer % 2]["items"][0]["quantity"].clone();
            match reply.status {
                201 => assert_eq!(winner["items"][0]["quantity"], quantity),
                409 => drop(reply.refused(409, "idempotency_key_in_use")),
                _ => {
                    assert_ne!(winner["items"][0]["quantity"], quantity);
                    let _ = reply.refused(422, "idempotency_key_reused");
                }
            }
        }
    }
    assert_eq!(shop.orders(), 10);
}

fn a_sku_is_given_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    for round in 0..5 {
        let product =
            json!({"name": "Taza", "sku": format!("T-{round}"), "price": 1, "inventory": 3});
        let replies = at_once(16, |_| shop.client.post("/products", &product));
        assert_eq!(statuses(&replies), [(201, 1), (409, 15)]);
        let holder = id(&replies.iter().find(|reply| reply.status == 201).unwrap().json());
        for reply in replies.iter().filter(|reply| reply.status == 409) {
            assert!(reply.refused(409, "duplicate_sku").contains(&holder), "{}", reply.text);
        }
    }
    assert_eq!(shop.told("product.created").len(), 5);
}

fn an_address_is_given_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    for round in 0..5 {
        // The same address, whatever its case.
        let address = |racer| match racer % 2 {
            0 => format!("eva{round}@example.com"),
            _ => format!("EVA{round}@Example.com"),
        };
        let replies = at_once(16, |racer| {
            shop.client.post("/customers", &json!({"name": "Eva", "email": address(racer)}))
        });
        assert_eq!(statuses(&replies), [(201, 1), (409, 15)]);
        for reply in replies.iter().filter(|reply| reply.status == 409) {
            let _ = reply.refused(409, "duplicate_email");
        }
    }
    assert_eq!(shop.told("contact.created").len(), 6, "the shop's own customer and these");
}

fn order_numbers_have_neither_twins_nor_gaps(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 60);
    let pen = shop.product("PLUMA", 1.0, 0);
    let replies = at_once(80, |buyer| {
        // Every fourth is refused by stock: a refusal takes no number.
        if buyer % 4 == 0 { shop.try_order(&[(&pen, 1)]) } else { shop.try_order(&[(&mug, 1)]) }
    });
    assert_eq!(statuses(&replies), [(201, 60), (409, 20)]);
    let mut numbers: Vec<String> = replies
        .iter()
        .filter(|reply| reply.status == 201)
        .map(|reply| reply.json()["orderNumber"].as_str().unwrap().to_owned())
        .collect();
    numbers.sort();
    let expected: Vec<String> = (1..=60).map(|number| format!("ORD-{number:06}")).collect();
    assert_eq!(numbers, expected);
}

/// Those who ask for the same page at once may share its answer, which is never older than their question.
fn a_page_shows_what_was_saved_before_it_was_asked_for(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    at_once(16, |racer| {
        for round in 0..5 {
            let mine = shop.product(&format!("T-{racer}-{round}"), 1.0, 1);
            let page = shop.client.get("/products?limit=100").json();
            let shown = page["data"].as_array().unwrap();
            assert!(shown.iter().any(|product| product["id"] == mine), "{mine} is missing");
        }
    });
}
