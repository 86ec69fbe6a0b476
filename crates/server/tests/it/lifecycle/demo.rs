//! `serve --demo`: what it prints works as it stands.

use std::net::SocketAddr;

use serde_json::Value;
use testkit::{DatabaseKind, on_both};

use super::{
    program::{Server, Site},
    wire::{Answer, Wire},
};

on_both!(the_demo_works_as_printed_and_is_made_once);

/// What the demo has printed.
struct Guide {
    key: String,
    /// The request that creates an order.
    order: Curl,
}

/// A line of `curl`, taken apart as a shell does: no word here holds a quote.
struct Curl {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Value,
}

impl Guide {
    #[track_caller]
    fn of(server: &Server) -> Self {
        let line = server.out.find(|line| line.starts_with("curl") && line.contains("POST"));
        let key = server.out.find(|line| line.starts_with("API key:"));
        Self { key: key.split_whitespace().last().unwrap().to_owned(), order: Curl::read(&line) }
    }
}

impl Curl {
    fn read(line: &str) -> Self {
        let words: Vec<String> = line
            .split('\'')
            .enumerate()
            .flat_map(|(part, text)| match part % 2 {
                0 => text.split_whitespace().map(str::to_owned).collect(),
                _ => vec![text.to_owned()],
            })
            .collect();
        let behind = |flag: &str| -> Vec<String> {
            words.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].clone()).collect()
        };
        let header = |text: String| {
            let (name, value) = text.split_once(": ").unwrap();
            (name.to_owned(), value.to_owned())
        };
        Self {
            method: behind("-X").remove(0),
            url: words.iter().find(|word| word.starts_with("http")).unwrap().clone(),
            headers: behind("-H").into_iter().map(header).collect(),
            body: serde_json::from_str(&behind("-d").remove(0)).unwrap(),
        }
    }

    fn header(&self, name: &str) -> &str {
        &self.headers.iter().find(|(known, _)| known == name).unwrap().1
    }

    /// Sends it.
    #[track_caller]
    fn run(&self) -> Answer {
        let (host, path) = self.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let host: SocketAddr = host.parse().unwrap();
        let key = self.header("Authorization").strip_prefix("Bearer ").unwrap();
        let headers = [("Idempotency-Key", self.header("Idempotency-Key"))];
        assert_eq!(self.header("Content-Type"), "application/json");
        let mut wire = Wire::connect(host, key).unwrap();
        wire.send(&self.method, &format!("/{path}"), &headers, Some(&self.body)).unwrap()
    }
}

#[track_caller]
fn total(server: &Server, key: &str, path: &str) -> Value {
    server.ask(key, "GET", path, None).json()["total"].clone()
}

fn the_demo_works_as_printed_and_is_made_once(kind: DatabaseKind) {
    // On SQLite the program makes folder and database itself.
    let site = if kind == DatabaseKind::Sqlite { Site::bare() } else { Site::new(kind) };
    let mut server = site.serve(&["--demo"]);
    let guide = Guide::of(&server);
    let placed = guide.order.run();
    assert_eq!(placed.status, 201, "{}", placed.text);
    let order = placed.json();
    assert_eq!(
        (&order["orderNumber"], &order["status"]),
        (&"ORD-000061".into(), &"pending".into())
    );
    let pasted_twice = guide.order.run();
    assert_eq!(pasted_twice.text, placed.text);
    assert_eq!(pasted_twice.header("idempotent-replayed"), Some("true"));

    let (products, customers) =
        (total(&server, &guide.key, "/products"), total(&server, &guide.key, "/customers"));
    assert!(products.as_u64() > Some(3), "{products}");
    server.terminate();
    assert_eq!(server.ended().code(), Some(0));

    let server = site.serve(&["--demo"]);
    let again = Guide::of(&server);
    assert_eq!(total(&server, &again.key, "/products"), products, "the catalog is not made twice");
    assert_eq!(total(&server, &again.key, "/customers"), customers);
    assert_eq!(total(&server, &again.key, "/orders"), 61);
    assert_eq!(total(&server, &guide.key, "/orders"), 61, "the first key works on");
    assert_eq!(again.order.run().status, 201);
    let accounts = site.say(&["account", "list"]);
    assert_eq!(accounts.matches("Demo").count(), 2, "a live one and its test account: {accounts}");
    assert!(guide.key.starts_with("service_test_"), "{}", guide.key);
}
