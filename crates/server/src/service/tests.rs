//! The service starts, answers and stops inside one process.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use store::Store;

use super::{Listeners, Service, start, url_of};

fn service(folder: &tempfile::TempDir) -> Service {
    let url = format!("sqlite://{}/test.db", folder.path().display());
    let store = store::Settings { url, ..store::Settings::default() };
    Service::new(store, api::Settings::default())
}

fn answer(addr: SocketAddr) -> String {
    let mut client = TcpStream::connect(addr).unwrap();
    client.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    answer
}

/// The threads of the listener let go of the store a moment after they have answered for the last time.
#[track_caller]
fn assert_freed(store: &Weak<Store>) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while store.strong_count() > 0 {
        assert!(Instant::now() < deadline, "somebody keeps the store");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn starts_answers_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let metrics = Some("127.0.0.1:0".parse().unwrap());
    let listeners = Listeners { metrics, ..Listeners::default() };
    let running = start(service(&folder).listeners(listeners)).unwrap();
    let addr = running.addr();
    let store = Arc::downgrade(running.store());
    assert!(answer(addr).starts_with("HTTP/1.1 200"));
    assert!(answer(running.metrics_addr().unwrap()).starts_with("HTTP/1.1 "));

    running.stop();
    assert!(TcpStream::connect(addr).is_err());
    assert_freed(&store);
}

#[test]
fn a_dropped_service_frees_its_port_and_its_store() {
    let folder = tempfile::tempdir().unwrap();
    let running = start(service(&folder)).unwrap();
    let (addr, store) = (running.addr(), Arc::downgrade(running.store()));
    // An idle client must not hold it up.
    let _client = TcpStream::connect(addr).unwrap();
    drop(running);
    assert!(TcpStream::connect(addr).is_err());
    assert_freed(&store);
}

#[test]
fn a_taken_port_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let running = start(service(&folder)).unwrap();
    let listeners = Listeners { api: running.addr(), ..Listeners::default() };
    let error = start(service(&folder).listeners(listeners)).err().unwrap().to_string();
    assert!(error.contains("another program is already listening on"), "{error}");
    assert!(error.contains("--listen or TRASTIENDA_LISTEN"), "{error}");
}

#[test]
fn unspecified_addresses_become_local_ones() {
    for (addr, is_tls, url) in [
        ("0.0.0.0:8080", false, "http://127.0.0.1:8080"),
        ("[::]:80", true, "https://[::1]:80"),
        ("10.1.2.3:8080", false, "http://10.1.2.3:8080"),
    ] {
        assert_eq!(url_of(addr.parse().unwrap(), is_tls), url);
    }
}
