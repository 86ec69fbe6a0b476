//! SIGTERM under load: nothing that was accepted is lost, no kept connection is cut.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use testkit::{DatabaseKind, on_both};

use super::program::{Site, stocked};

on_both!(
    stopping_under_load_answers_every_request,
    an_idle_service_stops_with_its_connections_open
);

const BUYERS: usize = 6;

fn stopping_under_load_answers_every_request(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (_, key) = site.account_and_key();
    let mut server = site.serve(&[]);
    let (cart, _) = stocked(&server, &key, 1_000_000);
    let (orders, answered) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let mut wires: Vec<_> = (0..BUYERS).map(|_| server.wire(&key)).collect();
    let farewells: Vec<bool> = thread::scope(|scope| {
        let buyers: Vec<_> = wires
            .iter_mut()
            .map(|wire| {
                scope.spawn(|| {
                    loop {
                        let sent = wire.send("POST", "/api/v1/orders", &[], Some(&cart));
                        let answer = sent.expect("a request on a kept connection is answered");
                        match answer.status {
                            201 => orders.lock().unwrap().push(answer.json()["id"].clone()),
                            _ => assert_eq!(answer.status, 503, "{}", answer.text),
                        }
                        answered.fetch_add(1, Ordering::Relaxed);
                        if answer.header("connection") == Some("close") {
                            return true;
                        }
                    }
                })
            })
            .collect();
        let deadline = Instant::now() + Duration::from_secs(60);
        while answered.load(Ordering::Relaxed) < 100 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        server.terminate();
        buyers.into_iter().map(|buyer| buyer.join().unwrap_or_default()).collect()
    });
    assert_eq!(farewells, [true; BUYERS], "every buyer is told before its connection closes");
    assert_eq!(server.ended().code(), Some(0));
    server.logged("stopped");

    let database = site.database.as_ref().unwrap();
    let mut kept = database.lines("SELECT id AS line FROM orders");
    let mut acknowledged: Vec<String> =
        orders.into_inner().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    kept.sort();
    acknowledged.sort();
    assert_eq!(acknowledged, kept, "what was answered is kept, and what is kept was answered");
    assert_eq!(database.violations(), [""; 0]);
}

fn an_idle_service_stops_with_its_connections_open(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (_, key) = site.account_and_key();
    let mut server = site.serve(&[]);
    let mut wires: Vec<_> = (0..4).map(|_| server.wire(&key)).collect();
    for wire in &mut wires {
        assert_eq!(wire.send("GET", "/api/v1/orders", &[], None).unwrap().status, 200);
    }
    server.terminate();
    assert_eq!(server.ended().code(), Some(0));
    assert!(std::net::TcpStream::connect(server.addr).is_err());
}
