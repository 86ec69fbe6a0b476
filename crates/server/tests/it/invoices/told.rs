//! What is told of the life of an invoice, to those who ask for it by name.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Receiver, on_both};

use super::office::{Office, id};

on_both!(
    stampings_and_cancellations_are_told,
    failures_are_told_with_their_reasons,
    extensions_are_told_to_those_who_name_them,
);

const EXTENSIONS: &str = "invoice.stamped,invoice.stamp_failed,invoice.cancellation_requested,\
    invoice.cancelled,invoice.cancellation_rejected";

/// Names and payloads of what was told beyond the contract, oldest first.
fn told(office: &Office, count: usize) -> Vec<(String, Value)> {
    let path = format!("/events?limit=100&events={EXTENSIONS}");
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let feed = office.client.get(&path).expect(200);
        let events = feed["data"].as_array().unwrap();
        // An event is shown when nothing that began before it can be written any more.
        if events.len() >= count || Instant::now() > end {
            let name = |event: &Value| event["event"].as_str().unwrap().to_owned();
            return events.iter().map(|event| (name(event), event["data"].clone())).collect();
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn stampings_and_cancellations_are_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = office.stamped_sale(116.0);
    let uuid = stamped["uuid"].as_str().unwrap();
    let _ = office.stamp(&id(&stamped)).expect(200);
    let _ = office.cancel(&id(&stamped), "02").expect(200);
    let named = json!({"id": stamped["id"], "uuid": uuid});
    let expected = [
        ("invoice.stamped", json!({"id": stamped["id"], "uuid": uuid, "amount": 116})),
        ("invoice.cancellation_requested", named.clone()),
        ("invoice.cancelled", named),
    ];
    assert_eq!(told(&office, 3), expected.map(|(name, data)| (name.to_owned(), data)));
    let all = office.client.get("/events?limit=100").expect(200).to_string();
    assert!(all.contains("invoice.created") && !all.contains("invoice.stamped"), "{all}");
}

fn failures_are_told_with_their_reasons(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(5_000.0);
    office.simulate("unavailable", "reject");
    let _ = office.stamp(&draft).refused(502, "provider_error");
    let failed = told(&office, 1);
    assert_eq!((failed.len(), failed[0].0.as_str()), (1, "invoice.stamp_failed"));
    assert_eq!(failed[0].1["code"], "provider_unavailable");
    office.simulate("normal", "reject");
    let _ = office.stamp(&draft).expect(200);
    let _ = office.cancel(&draft, "02");
    let _ = office.until(&draft, |seen| seen["cancellation"]["status"] == "rejected");
    let names: Vec<String> = told(&office, 4).into_iter().map(|(name, _)| name).collect();
    let expected = [
        "invoice.stamp_failed",
        "invoice.stamped",
        "invoice.cancellation_requested",
        "invoice.cancellation_rejected",
    ];
    assert_eq!(names, expected);
    assert!(!told(&office, 4)[3].1["reason"].as_str().unwrap().is_empty());
}

fn extensions_are_told_to_those_who_name_them(kind: DatabaseKind) {
    let office = Office::of(App::with(kind).delivering_with(|_| {}).start());
    let receiver = Receiver::start();
    for (path, events) in [
        ("/all", json!(["*"])),
        ("/both", json!(["*", "invoice.stamped"])),
        ("/one", json!(["invoice.stamped"])),
    ] {
        let body = json!({"url": receiver.url(path), "events": events});
        let _ = office.make("/webhooks", &body);
    }
    let _ = office.stamped_sale(116.0);
    let names = |path: &str, count: usize| -> Vec<String> {
        let received = receiver.wait_at(path, count);
        let name = |body: Value| body["event"].as_str().unwrap().to_owned();
        let mut names: Vec<String> = received.iter().map(|one| name(one.json())).collect();
        names.sort();
        names
    };
    assert_eq!(names("/both", 2), ["invoice.created", "invoice.stamped"]);
    assert_eq!(names("/one", 1), ["invoice.stamped"]);
    assert_eq!(names("/all", 1), ["invoice.created"]);
    let catalog = office.client.get("/webhooks/events").expect(200);
    let extensions = catalog["extensions"].as_array().unwrap();
    assert!(extensions.iter().any(|event| event["event"] == "invoice.stamped"));
    assert!(!catalog["events"].to_string().contains("invoice.stamped"));
}
