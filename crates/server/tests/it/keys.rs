//! API keys: who is let in, how it is told, when it ends, and that no key is ever written down.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use accounts::{Accounts, ApiKeyId, NewApiKey, Scopes, service::CreateApiKey};
use api::{Clock, SystemClock};
use kernel::{AccountId, Mode, Timestamp};
use serde_json::json;
use store::Store;
use testkit::{App, DatabaseKind, Reply, on_both};

use crate::orders::shop::Shop;

on_both!(
    the_scheme_is_read_in_any_case,
    what_is_no_key_is_refused,
    a_challenge_says_what_is_missing,
    a_key_in_the_query_is_refused,
    a_revoked_key_dies_soon_on_warm_connections_too,
    a_key_that_a_node_revokes_is_refused_there_at_once,
    an_expired_key_is_refused,
    a_key_of_another_brand_is_refused,
    a_typo_is_refused,
    a_scope_opens_its_own_endpoints_only,
    a_key_is_never_written_down,
);

/// A request with a value of `Authorization`.
fn with_authorization(app: &App, value: &str) -> Reply {
    Reply::to(app.anonymous().request("GET", "/products").header("Authorization", value))
}

/// Asserts that requests are refused within three seconds, and from then on.
#[track_caller]
pub(crate) fn assert_refused_soon(mut ask: impl FnMut() -> u16) {
    let deadline = Instant::now() + Duration::from_secs(3);
    while ask() != 401 {
        assert!(Instant::now() < deadline, "a revoked key opens the door still");
        std::thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..5 {
        assert_eq!(ask(), 401, "a revoked key opens the door again");
    }
}

/// Puts a key on record beside the running service, as the command line does.
fn key_on_record(
    app: &App,
    account: AccountId,
    brand: &str,
    expires_at: Option<Timestamp>,
) -> String {
    let random: Vec<u8> = (0..64).map(|byte| byte * 3).collect();
    let key = NewApiKey::from_random(brand, Mode::Live, &random).unwrap();
    let command = CreateApiKey {
        account,
        name: "test".to_owned(),
        digest: key.digest,
        last4: key.last4().to_owned(),
        scopes: Scopes::all(),
        may_approve: false,
        rate_per_hour: None,
        expires_at,
    };
    let store = Store::open(&app.database.settings()).unwrap();
    store.create_key(command, SystemClock.now()).wait().unwrap().unwrap();
    key.text
}

fn the_scheme_is_read_in_any_case(kind: DatabaseKind) {
    let app = App::start(kind);
    let (key, _) = app.key(app.account(), "products");
    for scheme in ["Bearer ", "bearer ", "BEARER ", "bEaReR   "] {
        assert_eq!(with_authorization(&app, &format!("{scheme}{key}")).status, 200, "{scheme}");
    }
}

fn what_is_no_key_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let (key, _) = app.key(app.account(), "products");
    let unknown = NewApiKey::from_random("service", Mode::Live, &[7; 64]).unwrap().text;
    let values = [
        "".to_owned(),
        key.clone(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Basic {key}"),
        format!("Bearer{key}"),
        format!("Bearer {key} x"),
        format!("Bearer {key},{key}"),
        format!("Bearer \"{key}\""),
        format!("Bearer {}", key.to_uppercase()),
        format!("Bearer {}", &key[..key.len() - 1]),
        format!("Bearer {key}0"),
        format!("Bearer {unknown}"),
        format!("Bearer service_{}", "x".repeat(38)),
        format!("Bearer {}", "x".repeat(5_000)),
        "Bearer service_' OR 1=1 --".to_owned(),
    ];
    for value in &values {
        let reply = with_authorization(&app, value);
        let message = reply.refused(401, "unauthorized");
        assert!(!message.contains(&key) && !message.contains(&unknown), "{value}: {message}");
        let challenge = reply.header("www-authenticate").unwrap();
        assert!(challenge.contains("error=\"invalid_token\""), "{value}: {challenge}");
    }
    for (value, part) in [
        (key.clone(), "must follow the word Bearer"),
        (format!("Basic {key}"), "must be Bearer"),
        (format!("Bearer \"{key}\""), "without quotation marks"),
        (format!("Bearer {}", &key[..key.len() - 1]), "mistyped or incomplete"),
        ("Bearer sk_live_x".to_owned(), "begin with \"service_\""),
    ] {
        let message = with_authorization(&app, &value).refused(401, "unauthorized");
        assert!(message.contains(part), "{message}");
    }
    // Nobody learns which of these a key is.
    let revoked = app.key(app.account(), "products");
    app.revoke(revoked.1);
    for gone in [unknown, revoked.0] {
        let message = with_authorization(&app, &format!("Bearer {gone}"));
        let message = message.refused(401, "unauthorized");
        assert_eq!(message, "the API key is unknown, revoked or expired");
    }
    let twice = app.anonymous().request("GET", "/products");
    let twice = twice.header("Authorization", format!("Bearer {key}"));
    let twice = Reply::to(twice.header("Authorization", format!("Bearer {key}")));
    let _ = twice.refused(401, "unauthorized");
}

fn a_challenge_says_what_is_missing(kind: DatabaseKind) {
    let app = App::start(kind);
    let absent = app.anonymous().get("/products");
    assert!(absent.refused(401, "unauthorized").contains("Authorization: Bearer"));
    assert_eq!(absent.header("www-authenticate"), Some("Bearer realm=\"service\""));

    let wrong = with_authorization(&app, "Bearer service_wrong");
    let challenge = "Bearer realm=\"service\", error=\"invalid_token\"";
    assert_eq!(wrong.header("www-authenticate"), Some(challenge));

    let weak = app.client_of(app.account(), "orders,leads").get("/products");
    assert!(weak.refused(403, "insufficient_scope").contains("products"));
    let challenge = "Bearer realm=\"service\", error=\"insufficient_scope\", scope=\"products\"";
    assert_eq!(weak.header("www-authenticate"), Some(challenge));
}

fn a_key_in_the_query_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let (key, _) = app.key(app.account(), "*");
    for name in ["access_token", "api_key", "key", "token", "Authorization"] {
        let reply = app.anonymous().get(&format!("/products?{name}={key}"));
        let _ = reply.refused(401, "unauthorized");
        assert!(!reply.text.contains(&key));
    }
    for header in ["X-API-Key", "Api-Key", "Proxy-Authorization", "Cookie"] {
        let request = app.anonymous().request("GET", "/products").header(header, &key);
        let _ = Reply::to(request).refused(401, "unauthorized");
    }
}

fn a_revoked_key_dies_soon_on_warm_connections_too(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let (text, key) = app.key(account, "*");
    // Each client keeps a connection of its own open.
    let clients: Vec<_> = (0..4).map(|_| app.anonymous().with_key(&text)).collect();
    for _ in 0..10 {
        assert!(clients.iter().all(|client| client.get("/products").status == 200));
    }
    let other = app.client_of(account, "*");
    app.revoke(key);
    let newcomer = app.anonymous().with_key(&text);
    assert_refused_soon(|| {
        let statuses =
            clients.iter().chain([&newcomer]).map(|client| client.get("/products").status);
        // The first of them that is still let in, or the refusal.
        statuses.min().unwrap_or_default()
    });
    assert_eq!(other.get("/products").status, 200, "another key of the account lives on");
    let _ = clients[0].post("/customers", &json!({"name": "Ana"})).refused(401, "unauthorized");
}

/// The age at which a node looks a key up again plays no part in these tests.
const NEVER: Duration = Duration::from_secs(86_400);

fn a_key_that_a_node_revokes_is_refused_there_at_once(kind: DatabaseKind) {
    let app = App::with(kind).api(|api| api.key_cache_ttl = NEVER).start();
    let (text, key) = app.key(app.account(), "*");
    let client = app.anonymous().with_key(&text);
    assert_eq!(client.get("/products").status, 200);
    app.revoke(key);
    let _ = client.get("/products").refused(401, "unauthorized");
}

/// PostgreSQL tells every node, whoever revokes.
#[test]
fn a_key_that_another_process_revokes_is_refused_before_it_is_looked_up_again() {
    let app = App::with(DatabaseKind::Postgres).api(|api| api.key_cache_ttl = NEVER).start();
    let beside = app.again().start();
    let account = app.account();
    let knows = |node: &App, text: &str| node.anonymous().with_key(text);
    let revoke_elsewhere = |id| {
        // As the command line does.
        let store = Store::open(&app.database.settings()).unwrap();
        store.revoke_key(id, SystemClock.now()).wait().unwrap().unwrap();
        store.close();
    };
    let revoke_here = |id| app.revoke(id);
    let ways: [&dyn Fn(ApiKeyId); 2] = [&revoke_here, &revoke_elsewhere];
    let (kept, _) = app.key(account, "*");
    for revoke in ways {
        let (text, id) = app.key(account, "*");
        let clients = [&app, &beside].map(|node| [knows(node, &text), knows(node, &kept)]);
        for client in clients.iter().flatten() {
            assert_eq!(client.get("/products").status, 200);
        }
        revoke(id);
        for [revoked, other] in &clients {
            assert_refused_in_the_end(|| revoked.get("/products").status);
            assert_eq!(other.get("/products").status, 200, "another key lives on");
        }
    }
}

/// Asserts that requests are refused at some time, and from then on.
#[track_caller]
fn assert_refused_in_the_end(mut ask: impl FnMut() -> u16) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while ask() != 401 {
        assert!(Instant::now() < deadline, "a revoked key opens the door still");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(ask(), 401, "a revoked key opens the door again");
}

fn an_expired_key_is_refused(kind: DatabaseKind) {
    const HOUR_SECONDS: i64 = 3_600;
    let app = App::start(kind);
    let expiry = SystemClock.now().plus_seconds(HOUR_SECONDS);
    let key = key_on_record(&app, app.account(), "service", Some(expiry));
    let client = app.anonymous().with_key(&key);
    assert_eq!(client.get("/products").status, 200);
    app.advance_seconds(HOUR_SECONDS / 2);
    assert_eq!(client.get("/products").status, 200);
    app.advance_seconds(HOUR_SECONDS / 2 + 1);
    let expired = client.get("/products");
    let _ = expired.refused(401, "unauthorized");
    let challenge = "Bearer realm=\"service\", error=\"invalid_token\"";
    assert_eq!(expired.header("www-authenticate"), Some(challenge));
}

fn a_key_of_another_brand_is_refused(kind: DatabaseKind) {
    let app = App::with(kind).api(|api| api.brand = "lupita".to_owned()).start();
    let account = app.account();
    let (own, _) = app.key(account, "*");
    assert!(own.starts_with("lupita_"), "{own}");
    assert_eq!(app.anonymous().with_key(&own).get("/products").status, 200);

    // On record it is, but it was made under another word.
    let other = key_on_record(&app, account, "service", None);
    let refused = app.anonymous().with_key(&other).get("/products");
    let _ = refused.refused(401, "unauthorized");
    let challenge = refused.header("www-authenticate").unwrap();
    assert!(challenge.contains("realm=\"lupita\""), "{challenge}");
    let renamed = other.replacen("service_", "lupita_", 1);
    let _ = app.anonymous().with_key(&renamed).get("/products").refused(401, "unauthorized");
}

fn a_typo_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let (key, _) = app.key(app.account(), "*");
    for position in ["service_".len(), key.len() / 2, key.len() - 1] {
        let mut typo = key.clone().into_bytes();
        typo[position] = if typo[position] == b'x' { b'y' } else { b'x' };
        let typo = String::from_utf8(typo).unwrap();
        let _ = app.anonymous().with_key(&typo).get("/products").refused(401, "unauthorized");
    }
    assert_eq!(app.anonymous().with_key(&key).get("/products").status, 200);
}

fn a_scope_opens_its_own_endpoints_only(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let places = [
        ("products", "/products"),
        ("orders", "/orders"),
        ("customers", "/customers"),
        ("leads", "/crm/leads"),
    ];
    for (scope, _) in places {
        let client = app.client_of(account, scope);
        for (needed, path) in places {
            let [read, write] = [client.get(path), client.post(path, &json!({}))];
            let one = client.patch(&format!("{path}/nothing"), &json!({}));
            if scope == needed {
                assert_eq!([read.status, write.status, one.status], [200, 400, 404], "{path}");
                continue;
            }
            for reply in [read, write, one] {
                let message = reply.refused(403, "insufficient_scope");
                assert!(message.contains(&format!("\"{needed}\"")), "{scope} at {path}: {message}");
            }
        }
    }
    let none = app.client_of(account, "");
    let all = app.client_of(account, "*");
    for (_, path) in places {
        let _ = none.get(path).refused(403, "insufficient_scope");
        assert_eq!(all.get(path).status, 200);
    }
}

fn a_key_is_never_written_down(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let (key, _) = shop.app.key(shop.account, "*");
    let client = shop.client.with_key(&key);
    let cart = shop.cart(&[(&mug, 1)]);
    for _ in 0..2 {
        let reply = client.post_once("/orders", "k", &cart).expect(201);
        let _ = client
            .patch(&format!("/orders/{}", reply["id"].as_str().unwrap()), &json!({"notes": "a"}))
            .expect(200);
    }
    let _ = client.post_once("/orders", "k", &json!({})).refused(400, "validation_failed");
    let _ = shop.client.with_key(&format!("{key}0")).get("/orders").refused(401, "unauthorized");

    let secret = key.strip_prefix("service_").unwrap();
    let rows = [
        "SELECT body AS line FROM events",
        "SELECT operation || ' ' || key || ' ' || digest || ' ' || answer AS line FROM idempotency_answers",
        "SELECT id || ' ' || name || ' ' || digest || ' ' || last4 AS line FROM api_keys",
    ];
    for query in rows {
        let lines = shop.app.database.lines(query);
        assert!(!lines.is_empty(), "{query}");
        assert!(lines.iter().all(|line| !line.contains(&secret[..32])), "{query}");
    }
    if let Some(path) = shop.app.database.url.strip_prefix("sqlite://") {
        let folder = Path::new(path).parent().unwrap();
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            let bytes = fs::read(&file).unwrap();
            let found = bytes.windows(32).any(|window| window == &secret.as_bytes()[..32]);
            assert!(!found, "{}", file.display());
        }
    }
}
