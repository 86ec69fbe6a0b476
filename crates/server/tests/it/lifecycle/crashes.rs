//! `kill -9` in the middle of a burst: what was acknowledged is there, what was not happens once.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use testkit::{DatabaseKind, on_both};

use super::program::{Server, Site, stocked};

on_both!(acknowledged_orders_survive_a_crash);

const CYCLES: usize = 3;
const BUYERS: usize = 8;
const STOCK: i64 = 100_000;
/// Acknowledged orders of a cycle before the program is killed.
const BURST: usize = 60;

/// What the buyers know: the answer to each idempotency key, if there was one.
type Ledger = Mutex<BTreeMap<String, Option<Value>>>;

fn acknowledged_orders_survive_a_crash(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (_, key) = site.account_and_key();
    let mut server = site.serve(&[]);
    let (cart, product) = stocked(&server, &key, STOCK);
    let ledger = Ledger::default();
    for cycle in 0..CYCLES {
        burst_until_killed(&mut server, &key, &cart, &ledger, cycle);
        server = site.serve(&[]);
        settle(&server, &key, &cart, &ledger);
    }

    let ledger = ledger.into_inner().unwrap();
    assert!(ledger.len() >= CYCLES * BURST);
    for order in ledger.values().map(|order| order.as_ref().unwrap()) {
        let read =
            server.ask(&key, "GET", &format!("/orders/{}", order["id"].as_str().unwrap()), None);
        assert_eq!(read.json(), *order);
    }
    let total = server.ask(&key, "GET", "/orders?limit=1", None).json()["total"].clone();
    assert_eq!(total, ledger.len(), "one order a key");
    let left = server.ask(&key, "GET", &format!("/products/{product}"), None).json();
    assert_eq!(left["inventory"], STOCK - ledger.len() as i64);
    server.kill();
    assert_eq!(site.database.as_ref().unwrap().violations(), [""; 0]);
}

/// Buyers order as fast as they can until the program dies under their hands.
fn burst_until_killed(server: &mut Server, key: &str, cart: &Value, ledger: &Ledger, cycle: usize) {
    let acknowledged = AtomicUsize::new(0);
    let mut wires: Vec<_> = (0..BUYERS).map(|_| server.wire(key)).collect();
    thread::scope(|scope| {
        for (buyer, wire) in wires.iter_mut().enumerate() {
            let acknowledged = &acknowledged;
            scope.spawn(move || {
                for number in 0.. {
                    let name = format!("{cycle}-{buyer}-{number}");
                    ledger.lock().unwrap().insert(name.clone(), None);
                    let headers = [("Idempotency-Key", name.as_str())];
                    let sent = wire.send("POST", "/api/v1/orders", &headers, Some(cart));
                    let Ok(answer) = sent else { break };
                    assert_eq!(answer.status, 201, "{}", answer.text);
                    ledger.lock().unwrap().insert(name, Some(answer.json()));
                    acknowledged.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let deadline = Instant::now() + Duration::from_secs(60);
        while acknowledged.load(Ordering::Relaxed) < BURST && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        server.kill();
    });
    assert!(acknowledged.load(Ordering::Relaxed) >= BURST, "too few orders in time");
}

/// Every request whose answer was lost is sent again under its key, and so is every other: all get the
/// answer that they had.
fn settle(server: &Server, key: &str, cart: &Value, ledger: &Ledger) {
    let mut wire = server.wire(key);
    for (name, known) in ledger.lock().unwrap().iter_mut() {
        let headers = [("Idempotency-Key", name.as_str())];
        let answer = wire.send("POST", "/api/v1/orders", &headers, Some(cart)).unwrap();
        assert_eq!(answer.status, 201, "{}", answer.text);
        let order = answer.json();
        if let Some(known) = known {
            assert_eq!(*known, order);
            assert_eq!(answer.header("idempotent-replayed"), Some("true"));
        }
        *known = Some(order);
    }
}
