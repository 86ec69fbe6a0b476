//! Stock under load: never oversold, never lost.

use serde_json::json;
use testkit::{DatabaseKind, Reply, on_both};

use super::crowd::{at_once, statuses};
use crate::orders::shop::{Shop, id};

on_both!(
    in_spanish:
    the_last_pieces_are_sold_once,
    opposite_orders_of_products_do_not_block_each_other,
    many_cancellations_give_the_stock_back_once,
    cancelling_and_shipping_exclude_each_other,
    adjustments_and_orders_add_up,
    the_last_piece_that_comes_back_is_sold_again,
);

fn the_last_pieces_are_sold_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 50);
    let replies = at_once(200, |_| shop.try_order(&[(&mug, 1)]));
    assert_eq!(statuses(&replies), [(201, 50), (409, 150)]);
    for reply in replies.iter().filter(|reply| reply.status == 409) {
        let _ = reply.refused(409, "insufficient_stock");
    }
    assert_eq!((shop.stock(&mug), shop.orders()), (0, 50));
    assert_eq!(shop.told("order.created").len(), 50);
    let low = json!({"productId": mug, "currentStock": 4, "threshold": 5});
    assert_eq!(shop.told("inventory.low"), [low], "told once");
}

fn opposite_orders_of_products_do_not_block_each_other(kind: DatabaseKind) {
    const THREADS: usize = 16;
    const ROUNDS: usize = 10;
    let shop = Shop::open(kind);
    let (a, b) = (shop.product("A", 1.0, 100), shop.product("B", 1.0, 100));
    let replies: Vec<Reply> = at_once(THREADS, |buyer| {
        let lines = if buyer % 2 == 0 { [(&*a, 1), (&*b, 1)] } else { [(&*b, 1), (&*a, 1)] };
        (0..ROUNDS).map(|_| shop.try_order(&lines)).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    assert_eq!(statuses(&replies), [(201, 100), (409, THREADS * ROUNDS - 100)]);
    for reply in replies.iter().filter(|reply| reply.status == 409) {
        let _ = reply.refused(409, "insufficient_stock");
    }
    assert_eq!((shop.stock(&a), shop.stock(&b)), (0, 0));
}

fn many_cancellations_give_the_stock_back_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 30);
    for round in 1..=5 {
        let order = shop.order_id(&[(&mug, 7)]);
        let replies = at_once(16, |_| shop.step(&order, "cancelled"));
        assert!(replies.iter().any(|reply| reply.status == 200), "one cancels");
        assert!(replies.iter().all(|reply| reply.status < 500), "{:?}", statuses(&replies));
        assert_eq!(shop.stock(&mug), 30);
        assert_eq!(shop.told("order.cancelled").len(), round);
    }
}

fn cancelling_and_shipping_exclude_each_other(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    for _ in 0..10 {
        let (order, left) = (shop.order_id(&[(&mug, 1)]), shop.stock(&mug));
        let replies = at_once(8, |racer| {
            shop.step(&order, if racer % 2 == 0 { "cancelled" } else { "shipped" })
        });
        let status = shop.read(&order).json()["status"].clone();
        for reply in replies.iter().filter(|reply| reply.status == 200) {
            assert_eq!(reply.json()["status"], status, "only one of them happened");
        }
        let back = i64::from(status == "cancelled");
        assert_eq!(shop.stock(&mug), left + back);
        assert!(["cancelled", "shipped"].iter().any(|end| status == *end), "{status}");
    }
    assert_eq!(shop.told("order.cancelled").len() + shop.told("order.shipped").len(), 10);
}

/// What it says of the ledger is asserted by the audit of the service's database, which ends every test.
fn adjustments_and_orders_add_up(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 50);
    let pen = shop.product("PLUMA", 1.0, 1_000);
    let path = format!("/products/{mug}");
    let replies: Vec<Reply> = at_once(16, |actor| {
        (0..12)
            .map(|round| match actor % 4 {
                0 => shop.client.patch(&path, &json!({"inventory": 20 + round})),
                1 => shop.client.patch(&path, &json!({"price": 10 + round})),
                2 => shop.try_order(&[(&mug, 2), (&pen, 1)]),
                _ => match shop.try_order(&[(&pen, 1), (&mug, 1)]) {
                    placed if placed.status == 201 => shop.step(&id(&placed.json()), "cancelled"),
                    refused => refused,
                },
            })
            .collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    for reply in &replies {
        match reply.status {
            200 | 201 => {}
            _ => drop(reply.refused(409, "insufficient_stock")),
        }
    }
    let kept: i64 = shop
        .app
        .database
        .lines("SELECT CAST(quantity AS TEXT) AS line FROM stock_levels ORDER BY quantity")
        .iter()
        .map(|line| line.parse::<i64>().unwrap())
        .sum();
    assert_eq!(shop.stock(&mug) + shop.stock(&pen), kept);
}

fn the_last_piece_that_comes_back_is_sold_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 3);
    let kept: Vec<usize> = at_once(12, |_| {
        // Buys and gives back, again and again; whoever is refused comes again.
        (0..15)
            .filter(|_| {
                let placed = shop.try_order(&[(&mug, 1)]);
                if placed.status == 201 {
                    let _ = shop.step(&id(&placed.json()), "cancelled").expect(200);
                    return true;
                }
                let _ = placed.refused(409, "insufficient_stock");
                false
            })
            .count()
    });
    assert!(kept.iter().sum::<usize>() > 3, "{kept:?}");
    assert_eq!(shop.stock(&mug), 3);
}
