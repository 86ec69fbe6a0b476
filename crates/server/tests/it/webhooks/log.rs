//! The deliveries of a webhook as its owner reads them.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reaction, on_both};

use super::audience::{Audience, subscribe};
use crate::orders::shop::{id, is_moment};

on_both!(
    a_delivery_is_shown_as_documented,
    filters_find_deliveries,
    pages_and_cursors_walk_them_all,
);

fn a_delivery_is_shown_as_documented(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::Answer(202, "vale".to_owned()));
    audience.happen(1);
    let shown = audience.wait_attempts(&audience.only(&hook), 1);
    let event = audience.app.database.events(audience.account, "contact.created").remove(0);
    let attempt = &shown["attemptLog"][0];
    let expected = json!({
        "id": shown["id"], "webhookId": hook.id, "eventId": event["id"],
        "event": "contact.created", "state": "delivered", "attempts": 1, "nextAttemptAt": null,
        "retryOf": null, "createdAt": event["createdAt"], "finishedAt": shown["finishedAt"],
        "body": audience.receiver.received()[0].body,
        "attemptLog": [{"attempt": 1, "startedAt": attempt["startedAt"],
            "durationMs": attempt["durationMs"], "status": 202, "errorCode": null,
            "error": null, "answer": "vale"}],
    });
    assert_eq!(shown, expected);
    assert!(is_moment(&shown["finishedAt"]) && is_moment(&attempt["startedAt"]));
    let mut listed = shown.clone();
    for field in ["body", "attemptLog"] {
        listed.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(audience.only(&hook), listed);
    let place = format!("/webhooks/deliveries/{}", id(&shown));
    let tag = audience.client.get(&place).header("etag").unwrap().to_owned();
    let request = audience.client.request("GET", &place).header("If-None-Match", tag);
    assert_eq!(testkit::Reply::to(request).status, 304);
}

fn filters_find_deliveries(kind: DatabaseKind) {
    let audience = Audience::gather_with(kind, |delivering| {
        let twice = vec![std::time::Duration::ZERO, std::time::Duration::from_secs(3_600)];
        delivering.dispatch.schedule = webhooks::Schedule::new(twice).unwrap();
    });
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(2);
    for delivery in audience.deliveries(&hook, "") {
        audience.wait_attempts(&delivery, 1);
    }
    let failed = audience.deliveries(&hook, "").remove(0);
    let _ = audience.retry(&failed).expect(200);
    audience.wait_attempts(&failed, 2);
    audience.receiver.always("/a", Reaction::status(200));
    let _ = audience.client.post("/crm/leads", &json!({"name": "Rosa"})).expect(201);
    audience.wait_count(&hook, "state=delivered", 1);
    audience.act(&hook, "test");
    audience.wait_count(&hook, "state=delivered", 2);

    let event = failed["eventId"].as_str().unwrap();
    let cases: Vec<(String, &[&str])> = vec![
        (String::new(), &["webhook.test", "lead.created", "contact.created", "contact.created"]),
        ("state=delivered".to_owned(), &["webhook.test", "lead.created"]),
        ("state=failed".to_owned(), &["contact.created"]),
        ("state=attempting".to_owned(), &["contact.created"]),
        ("event=contact.created".to_owned(), &["contact.created", "contact.created"]),
        ("event=webhook.test".to_owned(), &["webhook.test"]),
        ("event=order.paid".to_owned(), &[]),
        (format!("eventId={event}"), &["contact.created"]),
        (format!("eventId={event}&state=failed&event=contact.created"), &["contact.created"]),
        (format!("eventId={event}&state=delivered"), &[]),
        ("eventId=evt_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(), &[]),
        ("limit=1&page=2".to_owned(), &["lead.created"]),
    ];
    for (query, names) in cases {
        let page = audience.client.get(&format!("{}?{query}", hook.at("deliveries"))).expect(200);
        let rows = page["data"].as_array().unwrap();
        let found: Vec<&Value> = rows.iter().map(|row| &row["event"]).collect();
        assert_eq!(found, names, "{query}");
        let total = if query.contains("page=") { 4 } else { names.len() };
        assert_eq!(page["total"], total, "{query}");
    }
    for query in ["state=lost", "event=order.create", "event=*", "eventId=7", "page=0", "cursor=x"]
    {
        let path = format!("{}?{query}", hook.at("deliveries"));
        let message = audience.client.get(&path).refused(400, "validation_failed");
        assert!(message.starts_with(query.split('=').next().unwrap()), "{query}: {message}");
    }
}

fn pages_and_cursors_walk_them_all(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    let stranger = audience.app.client();
    subscribe(&stranger, &audience.receiver, "/b", &["*"]);
    audience.happen(25);
    audience.wait_count(&hook, "state=delivered", 25);
    let mut all: Vec<String> = audience.deliveries(&hook, "").iter().map(id).collect();
    assert!(all.is_sorted_by(|a, b| a > b), "newest first");
    let mut walked: Vec<String> = Vec::new();
    let mut query = "limit=10&state=delivered".to_owned();
    loop {
        let page = audience.client.get(&format!("{}?{query}", hook.at("deliveries"))).expect(200);
        walked.extend(page["data"].as_array().unwrap().iter().map(id));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        query = format!("limit=10&state=delivered&cursor={cursor}");
        if walked.len() == 10 {
            audience.happen(3);
            audience.wait_count(&hook, "state=delivered", 28);
        }
    }
    assert_eq!(walked, all);
    let pages = (1..=3).flat_map(|page| {
        let place = format!("{}?limit=10&page={page}", hook.at("deliveries"));
        let page = audience.client.get(&place).expect(200);
        page["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>()
    });
    let pages: Vec<String> = pages.collect();
    all = audience.deliveries(&hook, "").iter().map(id).collect();
    assert_eq!(pages, all);
}
