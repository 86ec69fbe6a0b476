//! Rates per client and per key: exact, told on every answer, and no weapon in anybody's hands.

mod shared;

use std::time::Instant;

use serde_json::json;
use testkit::{App, Client, DatabaseKind, Reply, on_both};

on_both!(
    a_client_has_sixty_requests_a_minute,
    every_answer_tells_what_is_left,
    a_key_has_its_requests_an_hour,
    a_key_can_have_a_rate_of_its_own,
    a_key_is_limited_apart_from_its_neighbours,
    the_client_is_limited_before_its_key_is_looked_at,
    a_header_from_anybody_changes_nothing,
    a_trusted_proxy_tells_clients_apart,
    a_spoofed_header_neither_escapes_nor_locks_others_out,
    a_network_of_ipv6_counts_as_one,
    threads_at_once_get_no_more,
    health_is_not_limited,
);

/// A service where each client has so few requests that the wait for more is long.
fn with_ip_rate(kind: DatabaseKind, rate: u32) -> App {
    App::with(kind).api(|api| api.ip_rate_per_minute = rate).start()
}

/// The same behind a proxy on this machine.
fn behind_proxy(kind: DatabaseKind, rate: u32) -> App {
    let proxies = ["127.0.0.1", "10.0.0.0/8"].map(|proxy| proxy.parse().unwrap());
    App::with(kind)
        .api(|api| {
            api.ip_rate_per_minute = rate;
            api.trusted_proxies = proxies.to_vec();
        })
        .start()
}

/// A request that says for whom it was forwarded.
fn forwarded(client: &Client, forwarded_for: &str) -> Reply {
    let request = client.request("GET", "/products");
    Reply::to(request.header("X-Forwarded-For", forwarded_for))
}

#[track_caller]
fn whole(reply: &Reply, header: &str) -> u64 {
    let value = reply.header(header).unwrap_or_else(|| panic!("{header} on {}", reply.text));
    value.parse().unwrap_or_else(|_| panic!("{header}: {value}"))
}

/// Asserts the refusal of a request beyond a limit.
#[track_caller]
fn assert_limited(reply: &Reply, limit: u64) {
    let message = reply.refused(429, "rate_limited");
    assert!(message.contains(&limit.to_string()), "{message}");
    assert!(whole(reply, "retry-after") >= 1);
    assert_eq!(whole(reply, "ratelimit-limit"), limit);
    assert_eq!(whole(reply, "ratelimit-remaining"), 0);
    assert!(whole(reply, "ratelimit-reset") >= 1);
}

fn a_client_has_sixty_requests_a_minute(kind: DatabaseKind) {
    let default = api::Settings::default().ip_rate_per_minute;
    assert_eq!(default, 60);
    let app = with_ip_rate(kind, default);
    let client = app.client();
    let started = Instant::now();
    let mut allowed = 0;
    let refused = loop {
        match client.get("/products") {
            reply if reply.status == 200 => allowed += 1,
            reply => break reply,
        }
    };
    // One comes back every second, should the machine be that slow.
    assert!((60..=60 + started.elapsed().as_secs()).contains(&allowed), "{allowed}");
    assert_limited(&refused, 60);
    assert!(whole(&refused, "retry-after") <= 60);
}

fn every_answer_tells_what_is_left(kind: DatabaseKind) {
    let app = with_ip_rate(kind, 60);
    let client = app.client();
    let answers = [
        (client.get("/products"), 200),
        (client.post("/customers", &json!({"name": "Ana"})), 201),
        (client.post("/customers", &json!({})), 400),
        (app.anonymous().get("/products"), 401),
        (app.client_of(app.account(), "orders").get("/products"), 403),
        (client.get("/products/nothing"), 404),
        (client.get("/nowhere"), 404),
        (client.delete("/orders"), 405),
        (Reply::to(client.request("POST", "/products").body("x")), 415),
    ];
    for (used, (reply, status)) in answers.iter().enumerate() {
        assert_eq!(reply.status, *status, "{}", reply.text);
        assert_eq!(whole(reply, "ratelimit-limit"), 60, "{status}");
        let remaining = whole(reply, "ratelimit-remaining");
        assert!(remaining >= 59 - used as u64 && remaining < 60, "{remaining} after {used}");
        assert!((1..=60).contains(&whole(reply, "ratelimit-reset")), "{status}");
        assert_eq!(reply.header("retry-after"), None, "{status}");
    }
}

fn a_key_has_its_requests_an_hour(kind: DatabaseKind) {
    let default = api::Settings::default().key_rate_per_hour;
    let app = App::with(kind).api(|api| api.key_rate_per_hour = default).start();
    let reply = app.client().get("/products");
    let told = (whole(&reply, "ratelimit-limit"), whole(&reply, "ratelimit-remaining"));
    assert_eq!((reply.status, told), (200, (3_600, 3_599)));

    let app = App::with(kind).api(|api| api.key_rate_per_hour = 5).start();
    let client = app.client();
    for left in (0..5).rev() {
        let reply = client.get("/products");
        assert_eq!((reply.status, whole(&reply, "ratelimit-remaining")), (200, left));
    }
    assert_limited(&client.get("/products"), 5);
    assert_limited(&client.post("/customers", &json!({"name": "Ana"})), 5);
    assert_eq!(app.database.lines("SELECT id AS line FROM customers"), [""; 0]);
}

fn a_key_can_have_a_rate_of_its_own(kind: DatabaseKind) {
    let app = App::with(kind).api(|api| api.key_rate_per_hour = 2).start();
    let account = app.account();
    for rate in [1, 4] {
        let (key, _) = app.key_with_rate(account, "products", Some(rate));
        let client = app.anonymous().with_key(&key);
        for _ in 0..rate {
            assert_eq!(client.get("/products").status, 200);
        }
        assert_limited(&client.get("/products"), u64::from(rate));
    }
}

fn a_key_is_limited_apart_from_its_neighbours(kind: DatabaseKind) {
    let app = App::with(kind).api(|api| api.key_rate_per_hour = 3).start();
    let account = app.account();
    let (busy, quiet) = (app.client_of(account, "*"), app.client_of(account, "*"));
    for _ in 0..3 {
        assert_eq!(busy.get("/products").status, 200);
    }
    assert_limited(&busy.get("/products"), 3);
    assert_eq!(quiet.get("/products").status, 200);

    // A key that is refused for its scope or its request has been used all the same.
    let weak = app.client_of(account, "orders");
    for status in [403, 403, 404] {
        let path = if status == 403 { "/products" } else { "/orders/nothing" };
        assert_eq!(weak.get(path).status, status);
    }
    assert_limited(&weak.get("/orders"), 3);
}

fn the_client_is_limited_before_its_key_is_looked_at(kind: DatabaseKind) {
    let app = with_ip_rate(kind, 3);
    let client = app.client();
    let guesser = app.anonymous().with_key("service_guess");
    for _ in 0..3 {
        let _ = guesser.get("/products").refused(401, "unauthorized");
    }
    assert_limited(&guesser.get("/products"), 3);
    assert_limited(&app.anonymous().get("/products"), 3);
    assert_limited(&client.get("/products"), 3);
    assert_limited(&client.get("/nowhere"), 3);
}

fn a_header_from_anybody_changes_nothing(kind: DatabaseKind) {
    let app = with_ip_rate(kind, 4);
    let client = app.client();
    let spoofs =
        ["203.0.113.1", "203.0.113.2, 127.0.0.1", "::1", "2001:db8::1", "garbage", "10.0.0.1"];
    let replies: Vec<u16> = spoofs.iter().map(|spoof| forwarded(&client, spoof).status).collect();
    assert_eq!(replies, [200, 200, 200, 200, 429, 429]);
    for header in ["X-Real-IP", "Forwarded", "CF-Connecting-IP", "True-Client-IP", "Client-IP"] {
        let request = client.request("GET", "/products").header(header, "for=203.0.113.9");
        assert_limited(&Reply::to(request), 4);
    }
}

fn a_trusted_proxy_tells_clients_apart(kind: DatabaseKind) {
    let app = behind_proxy(kind, 2);
    let client = app.client();
    for visitor in ["203.0.113.1", "203.0.113.2", "2001:db8::1", "203.0.113.4, 10.1.2.3"] {
        for _ in 0..2 {
            assert_eq!(forwarded(&client, visitor).status, 200, "{visitor}");
        }
        assert_limited(&forwarded(&client, visitor), 2);
    }
    // The proxy's own requests count for itself; an IPv4 address is the same in IPv6 clothes.
    assert_eq!(client.get("/products").status, 200);
    assert_limited(&forwarded(&client, "::ffff:203.0.113.1"), 2);
}

fn a_spoofed_header_neither_escapes_nor_locks_others_out(kind: DatabaseKind) {
    let app = behind_proxy(kind, 3);
    let client = app.client();
    // The proxy appends the address that it sees; what stands before it the client made up.
    let (victim, attacker) = ("198.51.100.7", "203.0.113.66");
    for guess in 0..8 {
        let made_up = if guess % 2 == 0 { victim.to_owned() } else { format!("192.0.2.{guess}") };
        let reply = forwarded(&client, &format!("{made_up}, {attacker}"));
        assert_eq!(reply.status, if guess < 3 { 200 } else { 429 }, "{guess}");
    }
    for _ in 0..3 {
        assert_eq!(forwarded(&client, victim).status, 200);
    }
    // In several lines it is one list.
    let request = client.request("GET", "/products").header("X-Forwarded-For", victim);
    assert_limited(&Reply::to(request.header("X-Forwarded-For", attacker)), 3);
    // What no proxy can have written counts for the proxy.
    for _ in 0..3 {
        assert_eq!(forwarded(&client, &format!("{victim}, nonsense")).status, 200);
    }
    assert_limited(&forwarded(&client, "nonsense"), 3);
}

fn a_network_of_ipv6_counts_as_one(kind: DatabaseKind) {
    let app = behind_proxy(kind, 3);
    let client = app.client();
    let addresses =
        ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:0db8:0001:0002::3", "2001:db8:1:2::4"];
    let replies: Vec<u16> =
        addresses.iter().map(|visitor| forwarded(&client, visitor).status).collect();
    assert_eq!(replies, [200, 200, 200, 429]);
    assert_eq!(forwarded(&client, "2001:db8:1:3::1").status, 200);
}

fn threads_at_once_get_no_more(kind: DatabaseKind) {
    let app = with_ip_rate(kind, 20);
    let client = app.client();
    let started = Instant::now();
    let replies: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..32)
            .map(|_| scope.spawn(|| [(); 2].map(|()| client.get("/products").status)))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let allowed = replies.iter().filter(|status| **status == 200).count() as u64;
    assert!((20..=20 + started.elapsed().as_secs() / 3).contains(&allowed), "{allowed}");
    assert_eq!(replies.iter().filter(|status| **status == 429).count() as u64, 64 - allowed);
}

fn health_is_not_limited(kind: DatabaseKind) {
    let app = with_ip_rate(kind, 1);
    let client = app.client();
    assert_eq!(client.get("/products").status, 200);
    assert_limited(&client.get("/products"), 1);
    for path in ["/healthz", "/readyz", "/healthz", "/readyz"] {
        assert_eq!(app.anonymous().get(path).status, 200);
    }
}
