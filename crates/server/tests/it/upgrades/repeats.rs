//! A request that the earlier release answered gets that answer again, and no second effect.

use std::time::Duration;

use serde_json::Value;
use testkit::{App, DatabaseKind, FakeSmtp, Reply, on_both};

use super::release::{Release, assert_says};

on_both!(kept_answers_are_given_again,);

/// What a second effect would add to.
const TABLES: &[&str] = &[
    "events",
    "orders",
    "products",
    "customers",
    "leads",
    "deals",
    "invoices",
    "withholdings",
    "stock_movements",
    "credit_entries",
    "deliveries",
    "replays",
    "subscriptions",
    "issuer_certificates",
    "sandbox_stamps",
    "idempotency_answers",
];

fn kept_answers_are_given_again(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let smtp = FakeSmtp::start();
        let mail = outbound::mail::Settings {
            smtp_url: smtp.url(),
            from: "Tienda <ventas@tienda.example>".to_owned(),
            timeout: Duration::from_secs(10),
            ca_file: None,
        };
        let app = release.continued().mail(mail).start();
        let before = sizes(&app);
        for call in release.kept() {
            assert_repeats(&release, &app, call);
        }
        assert_eq!(sizes(&app), before);
        assert!(smtp.emails().is_empty(), "no email is sent twice");
    }
}

fn sizes(app: &App) -> Vec<String> {
    let size = |table| {
        let query = format!("SELECT '{table} ' || COUNT(*) AS line FROM {table}");
        app.database.lines(&query).concat()
    };
    TABLES.iter().map(size).collect()
}

#[track_caller]
fn assert_repeats(release: &Release, app: &App, call: &Value) {
    let text = |name: &str| call[name].as_str();
    let path = text("path").unwrap();
    let mut request = release.client_of(app, call).request("POST", path);
    request = request.header("Idempotency-Key", text("idempotencyKey").unwrap());
    if let Some(body) = text("body") {
        request = request.header("Content-Type", "application/json").body(body.to_owned());
    }
    let again = Reply::to(request);
    assert_eq!(again.header("idempotent-replayed"), Some("true"), "{path}: {}", again.text);
    assert_eq!(u64::from(again.status), call["status"].as_u64().unwrap(), "{path}");
    assert_eq!(again.header("location"), text("location"), "{path}");
    assert_eq!(again.header("etag"), text("etag"), "{path}");
    let answer = serde_json::from_str(text("answer").unwrap()).unwrap();
    assert_says(&again.json(), &answer, path);
}
