//! What the program tells its operator: a line a request, figures, and never a secret.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use testkit::{
    DatabaseKind,
    invoicing::{COMPANY, PASSWORD},
    on_both,
};

use super::program::{Site, stocked};

on_both!(
    the_log_has_a_line_a_request_and_no_secret,
    the_log_has_no_secret_of_an_issuer,
    metrics_are_served_on_a_listener_of_their_own,
    approvals_are_counted,
);

const MARKER: &str = "zapato-violeta-4711";

fn the_log_has_a_line_a_request_and_no_secret(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, key) = site.account_and_key();
    let mut server = site.serve(&["--log", "debug"]);
    let (mut cart, _) = stocked(&server, &key, 10);
    cart["notes"] = json!(MARKER);
    let searched = format!("/orders?search={MARKER}");
    let unknown = format!("/{MARKER}");
    let misspelt = json!({"name": MARKER, MARKER: MARKER});
    let requests = [
        ("POST", "/orders", Some(&cart), 201),
        ("GET", searched.as_str(), None, 200),
        ("POST", "/customers", Some(&misspelt), 400),
        ("GET", unknown.as_str(), None, 404),
    ];
    let mut wire = server.wire(&key);
    for (number, (method, path, body, status)) in requests.iter().enumerate() {
        let id = format!("request-{number}");
        let headers = [("X-Request-Id", id.as_str()), ("Idempotency-Key", id.as_str())];
        let answer = wire.send(method, &format!("/api/v1{path}"), &headers, *body).unwrap();
        assert_eq!(answer.status, *status, "{}", answer.text);
        assert_eq!(answer.header("x-request-id"), Some(id.as_str()));
    }
    let stranger = server.ask("service_wrong", "GET", "/orders", None);
    assert_eq!(stranger.status, 401);
    server.terminate();
    server.ended();
    server.logged("stopped");

    let lines = server.log.all();
    let records: Vec<Value> =
        lines.iter().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let of_requests: Vec<&Value> =
        records.iter().filter(|record| record["message"] == "request").collect();
    // Customer, product, the four above, the stranger.
    assert_eq!(of_requests.len(), 7, "{lines:#?}");
    for record in &of_requests {
        assert!(record["request_id"].is_string(), "{record}");
        assert!(record["status"].is_u64() && record["method"].is_string(), "{record}");
    }
    for (number, (method, _, _, status)) in requests.iter().enumerate() {
        let id = format!("request-{number}");
        let record = of_requests.iter().find(|record| record["request_id"] == id.as_str()).unwrap();
        assert_eq!((&record["method"], &record["status"]), (&json!(method), &json!(status)));
        assert_eq!(record["client"], "127.0.0.1", "{record}");
        let error = match status {
            400 => json!("validation_failed"),
            404 => json!("not_found"),
            _ => Value::Null,
        };
        assert_eq!(record["error"], error, "{record}");
        if *status != 404 {
            assert_eq!(record["account"], account.as_str(), "{record}");
        }
    }
    let (secret, said) = (key.strip_prefix("service_").unwrap(), server.out.all());
    for line in lines.iter().chain(&said) {
        let lower = line.to_lowercase();
        for hidden in [&secret.to_lowercase()[..32], "bearer ", "authorization", MARKER] {
            assert!(!lower.contains(hidden), "{hidden} in {line}");
        }
    }
}

#[test]
fn who_does_not_speak_http_is_told_of_with_a_hint() {
    let site = Site::new(DatabaseKind::Sqlite);
    let server = site.serve(&["--log", "debug"]);
    for (bytes, hint) in [
        (&b"\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\r\n\r\n"[..], "https:// needs tls_cert"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2 needs tls_cert"),
        (b"PROXY TCP4 192.0.2.1 192.0.2.2 5 80\r\nGET / HTTP/1.1\r\n\r\n", "X-Forwarded-For"),
        (b"\0\0\0\r\n\r\n", "not HTTP"),
    ] {
        let mut stream = TcpStream::connect(server.addr).unwrap();
        let client = stream.local_addr().unwrap().to_string();
        stream.write_all(bytes).unwrap();
        drop(stream.read_to_end(&mut Vec::new()));
        let line = server.log.find(|line| line.contains(&client));
        let record: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((&record["client"], &record["level"]), (&json!(client), &json!("DEBUG")));
        assert!(record["hint"].as_str().is_some_and(|said| said.contains(hint)), "{record}");
        let lines = server.log.all();
        assert_eq!(lines.iter().filter(|line| line.contains(&client)).count(), 1, "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("ERROR")), "{lines:#?}");
    }
}

fn the_log_has_no_secret_of_an_issuer(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (_, key) = site.account_and_key();
    let mut server = site.serve(&["--log", "trace"]);
    let issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxRegime": "601", "taxZip": "42501"});
    let (certificate, private_key) = COMPANY;
    let private_key = STANDARD.encode(private_key);
    let pair = |password: &str| {
        json!({"certificate": STANDARD.encode(certificate),
        "privateKey": private_key, "password": password})
    };
    let provider = json!({"provider": "sw", "user": "ana@tienda.example", "password": MARKER});
    let token = json!({"provider": "sw", "token": MARKER});
    for (method, path, body, status) in [
        ("PUT", "issuer", &issuer, 200),
        ("POST", "issuer/certificates", &pair(MARKER), 400),
        ("POST", "issuer/certificates", &pair(PASSWORD), 201),
        ("PUT", "provider", &provider, 200),
        ("PUT", "provider", &token, 200),
    ] {
        let answer = server.ask(&key, method, &format!("/invoices/cfdi/{path}"), Some(body));
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    server.terminate();
    server.ended();
    server.logged("stopped");
    for line in server.log.all().iter().chain(&server.out.all()) {
        for hidden in [MARKER, PASSWORD, &private_key[..60], &private_key[200..260]] {
            assert!(!line.contains(hidden), "{hidden} in {line}");
        }
    }
}

fn metrics_are_served_on_a_listener_of_their_own(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (_, key) = site.account_and_key();
    let server = site.serve(&["--metrics-listen", "127.0.0.1:0"]);
    let (cart, _) = stocked(&server, &key, 10);
    for status in [201, 201, 400] {
        let body = if status == 201 { cart.clone() } else { json!({}) };
        assert_eq!(server.ask(&key, "POST", "/orders", Some(&body)).status, status);
    }
    let metrics = server.logged("serving metrics")["address"].as_str().unwrap().parse().unwrap();
    let mut wire = super::wire::Wire::connect(metrics, &key).unwrap();
    let scraped = wire.send("GET", "/metrics", &[], None).unwrap();
    assert_eq!(scraped.status, 200);
    assert!(scraped.header("content-type").unwrap().starts_with("application/openmetrics-text"));

    let value = |wanted: &[&str]| -> f64 {
        let line = scraped
            .text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .find(|line| wanted.iter().all(|part| line.contains(part)));
        let line = line.unwrap_or_else(|| panic!("{wanted:?} in {}", scraped.text));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    let orders = ["http_requests_total{", "method=\"POST\"", "route=\"/orders\""];
    assert_eq!(value(&[&orders[..], &["status=\"201\""]].concat()), 2.0);
    assert_eq!(value(&[&orders[..], &["status=\"400\""]].concat()), 1.0);
    assert_eq!(value(&["http_request_duration_seconds_count{route=\"/orders\""]), 3.0);
    // Customer, product and two orders, each told once.
    assert!(value(&["store_commands_total "]) >= 4.0);
    assert_eq!(value(&["store_events_total "]), 4.0);
    for gauge in ["store_commits_total ", "store_commands_waiting ", "limiter_tracked "] {
        assert!(value(&[gauge]) >= 0.0);
    }
    let longest = value(&["store_batch_longest_seconds "]);
    assert!(longest > 0.0 && longest <= value(&["store_batch_seconds_total "]));
    assert!(scraped.text.ends_with("# EOF\n"), "a whole exposition");
    assert!(!scraped.text.contains(&key));
    assert_eq!(server.ask(&key, "GET", "/../../metrics", None).status, 404, "not beside the API");
}

fn approvals_are_counted(kind: DatabaseKind) {
    let site = Site::new(kind);
    let (account, key) = site.account_and_key();
    let new = ["key", "create", "--name", "Manager", "--scopes", "*", "--approve", "--account"];
    let manager = site.say(&[&new[..], &[account.as_str()]].concat());
    let keys = site.say(&["key", "list", "--account", &account]);
    let row = keys.lines().find(|line| line.contains("Manager")).expect("a row");
    let id = row.split_whitespace().find(|word| word.starts_with("key_")).expect("an identifier");
    let server = site.serve(&["--metrics-listen", "127.0.0.1:0"]);
    let (mut cart, _) = stocked(&server, &key, 10);
    let rule = json!({"entityType": "order_discount",
        "levels": [{"approvers": [{"type": "key", "id": id}]}]});
    assert_eq!(server.ask(&manager, "POST", "/approval-rules", Some(&rule)).status, 201);
    cart["discount"] = json!({"percent": 10});
    let asked = server.ask(&key, "POST", "/orders", Some(&cart));
    assert_eq!(asked.status, 202, "{}", asked.text);
    let asked: Value = serde_json::from_str(&asked.text).unwrap();
    let path = format!("/approvals/{}/approve", asked["approvalId"].as_str().unwrap());
    assert_eq!(server.ask(&manager, "POST", &path, None).status, 200);
    let metrics = server.logged("serving metrics")["address"].as_str().unwrap().parse().unwrap();
    let mut wire = super::wire::Wire::connect(metrics, &key).unwrap();
    let scraped = wire.send("GET", "/metrics", &[], None).unwrap().text;
    for (name, value) in
        [("requested", "1"), ("approved", "1"), ("rejected", "0"), ("expired", "0")]
    {
        let line = format!("approvals_{name}_total {value}");
        assert!(scraped.lines().any(|seen| seen.starts_with(&line)), "{line} in {scraped}");
    }
    for gauge in ["approvals_pending ", "approvals_oldest_pending_seconds "] {
        assert!(scraped.lines().any(|line| line.starts_with(gauge)), "{gauge} in {scraped}");
    }
}
