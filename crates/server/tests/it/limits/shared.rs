//! Limits that hold over three nodes, counted by a Valkey or Redis of the test.

use std::{
    thread,
    time::{Duration, Instant},
};

use testkit::{App, Client, DatabaseKind, Valkey};

/// An hour's requests of a key: none comes back while a test runs.
const RATE: u32 = 60;

struct Nodes {
    // In the order in which they stop.
    apps: Vec<App>,
    clients: Vec<Client>,
}

impl Nodes {
    /// Three nodes that know of each other.
    fn start(valkey: &Valkey) -> Self {
        let first = App::with(DatabaseKind::Postgres)
            .api(|api| api.key_rate_per_hour = RATE)
            .counting_at(&valkey.url())
            .start();
        let (key, _) = first.key(first.account(), "*");
        let others = [first.again().start(), first.again().start()];
        let apps: Vec<App> = others.into_iter().chain([first]).collect();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !apps.iter().all(|app| app.metric("limiter_nodes") == 3.0) {
            assert!(Instant::now() < deadline, "the nodes do not know of each other");
            thread::sleep(Duration::from_millis(20));
        }
        let clients = apps.iter().map(|app| app.anonymous().with_key(&key)).collect();
        Self { apps, clients }
    }

    /// Sends so many requests to each node, and says how many were let through.
    fn pass(&self, each: usize) -> usize {
        let statuses: Vec<u16> = thread::scope(|scope| {
            let ask = |client: &Client| client.get("/products").status;
            let of =
                |client| scope.spawn(move || (0..each).map(|_| ask(client)).collect::<Vec<_>>());
            let threads: Vec<_> = self.clients.iter().map(of).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(statuses.len(), 3 * each);
        assert!(statuses.iter().all(|status| matches!(status, 200 | 429)), "{statuses:?}");
        statuses.iter().filter(|status| **status == 200).count()
    }
}

#[test]
fn three_nodes_let_through_no_more_than_one() {
    let Some(valkey) = Valkey::start() else { return };
    let nodes = Nodes::start(&valkey);
    let passed = nodes.pass(100);
    assert!((60..=61).contains(&passed), "{passed}");
    for app in &nodes.apps {
        assert_eq!(app.metric("limiter_shared"), 1.0);
        assert_eq!(app.metric("limiter_alone_total"), 0.0);
    }
}

#[test]
fn what_a_node_answers_is_what_all_have_used() {
    let Some(valkey) = Valkey::start() else { return };
    let nodes = Nodes::start(&valkey);
    for (used, client) in nodes.clients.iter().enumerate() {
        let reply = client.get("/products");
        let told = ["ratelimit-limit", "ratelimit-remaining"].map(|name| reply.header(name));
        assert_eq!(told, [Some("60"), Some((59 - used).to_string().as_str())]);
    }
}

#[test]
fn without_the_counter_every_answer_comes_and_no_more_pass() {
    let Some(mut valkey) = Valkey::start() else { return };
    let nodes = Nodes::start(&valkey);
    let before = nodes.pass(10);
    assert_eq!(before, 30);
    valkey.kill();
    let passed = before + nodes.pass(90);
    assert!((60..=61).contains(&passed), "{passed}");
    for app in &nodes.apps {
        assert_eq!((app.metric("limiter_shared"), app.metric("limiter_nodes")), (0.0, 3.0));
    }
}

#[test]
fn a_counter_that_is_not_there_keeps_nobody_from_anything() {
    let app = App::with(DatabaseKind::Sqlite)
        .api(|api| api.key_rate_per_hour = 2)
        .counting_at("redis://127.0.0.1:1")
        .start();
    let client = app.client();
    let statuses = [(); 3].map(|()| client.get("/products").status);
    assert_eq!(statuses, [200, 200, 429]);
    assert_eq!(app.metric("limiter_shared"), 0.0);
}
