//! Many orders at a time on PostgreSQL, where a batch is judged by what those before it have left.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use testkit::{App, DatabaseKind};

use super::shop::{Shop, id};
use crate::races::at_once;

const BUYERS: usize = 24;

#[test]
fn each_takes_what_those_before_it_have_left() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let (mug, pen) = (shop.product("TAZA", 10.0, 300), shop.product("PLUMA", 1.0, 100_000));
    let placed = AtomicUsize::new(0);
    let _ = at_once(BUYERS, |_| {
        for _ in 0..20 {
            let order = shop.try_order(&[(&mug, 1), (&pen, 2), (&mug, 1)]);
            match order.status {
                201 => drop(placed.fetch_add(1, Ordering::Relaxed)),
                _ => drop(order.refused(409, "insufficient_stock")),
            }
        }
    });
    let placed = placed.into_inner();
    assert_eq!((placed, shop.stock(&mug), shop.orders()), (150, 0, 150));
    assert_eq!(shop.stock(&pen), 100_000 - 2 * 150);
    assert_eq!(shop.told("order.created").len(), 150);
    assert_eq!(shop.app.database.violations(), [""; 0]);
}

/// Prices that change meanwhile, keys that come twice and connections that are cut undo batches.
#[test]
fn what_was_judged_in_vain_is_judged_anew() {
    let shop = Shop::of(App::with(DatabaseKind::Postgres).not_delivering().start());
    let second = shop.app.again().start();
    let other = shop.client.at(&second);
    let mug = shop.product("TAZA", 1.0, 100_000);
    let cart = shop.cart(&[(&mug, 1)]);
    let left = AtomicUsize::new(BUYERS);
    let outcomes = at_once(BUYERS + 1, |thread| {
        let (mut placed, mut unknown) = (BTreeSet::new(), 0);
        if thread == BUYERS {
            for price in 2.. {
                if left.load(Ordering::Relaxed) == 0 {
                    break;
                }
                let _ = other.patch(&format!("/products/{mug}"), &json!({"price": price}));
                if price % 16 == 0 {
                    let _ = shop.app.database.lines(
                        "SELECT CAST(pg_terminate_backend(pid) AS TEXT) AS line FROM pg_stat_activity \
                         WHERE datname = current_database() AND pid <> pg_backend_pid() \
                         AND query LIKE 'WITH v AS%'",
                    );
                }
            }
            return (placed, unknown);
        }
        for number in 0..20 {
            // Two buyers share each key.
            let order =
                shop.client.post_once("/orders", &format!("{}-{number}", thread / 2), &cart);
            match order.status {
                201 => drop(placed.insert(id(&order.json()))),
                503 => unknown += 1,
                _ => drop(order.refused(409, "idempotency_key_in_use")),
            }
        }
        left.fetch_sub(1, Ordering::Relaxed);
        (placed, unknown)
    });
    let placed: BTreeSet<_> = outcomes.iter().flat_map(|(placed, _)| placed).collect();
    let unknown: usize = outcomes.iter().map(|(_, unknown)| unknown).sum();
    let there = usize::try_from(shop.orders()).unwrap();
    assert!((placed.len()..=placed.len() + unknown).contains(&there), "{there}, {}", placed.len());
    assert!(there <= BUYERS / 2 * 20);
    assert_eq!(shop.stock(&mug), 100_000 - there as i64);
    assert_eq!(shop.told("order.created").len(), there);
    assert_eq!(shop.app.database.violations(), [""; 0]);
}
