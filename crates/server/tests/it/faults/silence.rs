//! A database that takes what it is sent and never answers: nobody hangs, and all is well once it answers again.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::line::{Condition, Line};
use crate::lifecycle::program::{Server, Site, stocked};

/// Callers at once, more than there are connections.
const CALLERS: usize = 12;
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
fn a_database_that_swallows_keeps_nobody_hanging_and_is_found_again() {
    let site = Site::new(DatabaseKind::Postgres);
    let (_, key) = site.account_and_key();
    let line = Line::to(&site.database.as_ref().unwrap().url);
    let server = site.serve(&[
        "--database-url",
        &line.url,
        "--database-statement-timeout-seconds",
        "1",
        "--database-connect-timeout-seconds",
        "2",
        "--request-timeout-seconds",
        "6",
    ]);
    let (cart, product) = stocked(&server, &key, 1_000);
    let product = format!("/products/{product}");
    let statuses = || call(&server, &key, &cart, &product);
    assert!(statuses().iter().all(|status| [200, 201].contains(status)));

    line.set(Condition::Swallowing);
    for _ in 0..2 {
        assert_eq!(statuses(), [503; CALLERS]);
    }
    assert_eq!(server.wire(&key).send("GET", "/readyz", &[], None).unwrap().status, 503);
    line.set(Condition::Open);
    let mended = Instant::now();
    while statuses().contains(&503) {
        assert!(mended.elapsed() < PATIENCE, "it is not found again");
    }
    let _ =
        server.logged("the database takes statements and does not answer: its connections are cut");
    drop(server);
    assert_eq!(site.database.unwrap().violations(), [""; 0]);
}

/// What callers are answered who read and write at the same time.
fn call(server: &Server, key: &str, cart: &Value, product: &str) -> Vec<u16> {
    thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|number| {
                scope.spawn(move || match number % 3 {
                    0 => server.ask(key, "POST", "/orders", Some(cart)).status,
                    1 => server.ask(key, "GET", product, None).status,
                    _ => {
                        server.ask(key, "POST", "/customers", Some(&json!({"name": "Ana"}))).status
                    }
                })
            })
            .collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    })
}
