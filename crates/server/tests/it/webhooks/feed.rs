//! The feed: events for those who would rather ask than be told.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::audience::{Audience, event_ids};
use crate::orders::shop::id;

on_both!(
    the_feed_shows_what_is_delivered,
    filters_find_events,
    a_reader_at_the_end_stays_there,
    tests_are_not_in_the_feed,
    a_reader_beside_writers_misses_nothing,
);

/// One part of the feed: the events, where to read on, and whether there is more.
fn read(client: &Client, query: &str) -> (Vec<Value>, Option<String>, bool) {
    let part = client.get(&format!("/events?{query}")).expect(200);
    let cursor = part["nextCursor"].as_str().map(str::to_owned);
    (part["data"].as_array().unwrap().clone(), cursor, part["hasMore"].as_bool().unwrap())
}

/// Everything from the beginning, in parts of `limit`.
fn read_all(client: &Client, limit: usize) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let from = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let (events, next, more) = read(client, &format!("limit={limit}{from}"));
        assert!(events.len() == limit || !more);
        all.extend(events);
        if !more {
            return all;
        }
        cursor = next;
    }
}

fn happen(client: &Client, times: usize) {
    for _ in 0..times {
        let _ = client.post("/customers", &json!({"name": "Ana"})).expect(201);
    }
}

fn the_feed_shows_what_is_delivered(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    assert_eq!(read(&audience.client, ""), (Vec::new(), None, false));
    happen(&audience.app.client(), 2);
    audience.happen(3);
    let _ = audience.client.post("/crm/leads", &json!({"name": "Rosa"})).expect(201);
    audience.wait_count(&hook, "state=delivered", 4);
    let events = read_all(&audience.client, 3);
    let mut sent = audience.receiver.received();
    sent.sort_by_key(|request| request.header("webhook-id").unwrap().to_owned());
    let sent: Vec<Value> = sent.iter().map(testkit::Request::json).collect();
    assert_eq!(events, sent);
    assert_eq!(events[3]["event"], "lead.created");
}

fn filters_find_events(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    app.hold_clock();
    happen(&client, 2);
    app.advance_seconds(10);
    let since = app.now().to_string();
    let _ = client.post("/crm/leads", &json!({"name": "Rosa"})).expect(201);
    happen(&client, 1);
    let _ = client.post("/products", &json!({"name": "T", "sku": "T", "price": 1})).expect(201);
    app.advance_seconds(1);
    let until_now = app.now().to_string();
    let (contact, lead, product) = ("contact.created", "lead.created", "product.created");
    let cases: Vec<(String, Vec<&str>)> = vec![
        (String::new(), vec![contact, contact, lead, contact, product]),
        ("limit=2".to_owned(), vec![contact, contact]),
        (format!("since={since}"), vec![lead, contact, product]),
        (format!("since={until_now}"), vec![]),
        ("events=lead.created".to_owned(), vec![lead]),
        (format!("events={lead},{product}"), vec![lead, product]),
        (format!("events={contact}&since={since}"), vec![contact]),
        ("events=*".to_owned(), vec![contact, contact, lead, contact, product]),
        ("events=deal.won".to_owned(), vec![]),
    ];
    for (query, names) in cases {
        let (events, _, more) = read(&client, &query);
        let found: Vec<&str> = events.iter().map(|one| one["event"].as_str().unwrap()).collect();
        assert_eq!((found, more), (names, query == "limit=2"), "{query}");
    }
    for query in ["events=order.create", "events=webhook.test", "since=now", "limit=0", "cursor=x"]
    {
        let message = client.get(&format!("/events?{query}")).refused(400, "validation_failed");
        assert!(message.starts_with(query.split('=').next().unwrap()), "{query}: {message}");
    }
    let foreign = client.get("/products?limit=1");
    assert_eq!(foreign.status, 200);
    let _ =
        app.client_of(app.account(), "orders").get("/events").refused(403, "insufficient_scope");
}

fn a_reader_at_the_end_stays_there(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    happen(&client, 3);
    let (events, cursor, more) = read(&client, "");
    let cursor = cursor.unwrap();
    assert_eq!((events.len(), more), (3, false));
    let at_the_end = format!("cursor={cursor}");
    for _ in 0..2 {
        assert_eq!(read(&client, &at_the_end), (Vec::new(), Some(cursor.clone()), false));
    }
    let filtered = format!("{at_the_end}&events=deal.won&limit=1");
    assert_eq!(read(&client, &filtered), (Vec::new(), Some(cursor), false));
    happen(&client, 1);
    let (events, _, more) = read(&client, &at_the_end);
    assert_eq!((events.len(), more), (1, false));
}

fn tests_are_not_in_the_feed(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    audience.act(&hook, "test");
    audience.happen(1);
    audience.wait_count(&hook, "state=delivered", 3);
    assert_eq!(event_ids(&audience.receiver.received()).len(), 3);
    let names: Vec<Value> =
        read_all(&audience.client, 1).into_iter().map(|event| event["event"].clone()).collect();
    assert_eq!(names, ["contact.created", "contact.created"]);
}

/// Reads beside writers, on two nodes where there can be two: each event comes once, in the order in which the feed has them at
/// the end, whoever reads.
fn a_reader_beside_writers_misses_nothing(kind: DatabaseKind) {
    const WRITERS: usize = 4;
    const EACH: usize = 60;
    let app = App::start(kind);
    let second = (kind == DatabaseKind::Postgres).then(|| app.again().start());
    let client = app.client();
    let other = second.as_ref().map_or_else(|| client.clone(), |second| client.at(second));
    let made = |path: &str, body: Value| id(&client.post(path, &body).expect(201));
    let buyer = made("/customers", json!({"name": "Ana"}));
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 1, "inventory": 100_000});
    let mug = made("/products", mug);
    let cart = json!({"customerId": buyer, "items": [{"productId": mug, "quantity": 1}]});
    // Each in a way of its own: orders are recorded by one statement, and what is changed is locked for others before.
    let write = |client: &Client, writer: usize| {
        for number in 0..EACH {
            let _ = match (writer + number) % 4 {
                0 => client.post("/customers", &json!({"name": "Beto"})).expect(201),
                1 => {
                    let price = json!({"price": 2 + writer * EACH + number});
                    client.patch(&format!("/products/{mug}"), &price).expect(200)
                }
                _ => client.post("/orders", &cart).expect(201),
            };
        }
    };
    let done = AtomicBool::new(false);
    let read_along = |client: &Client| {
        let (mut seen, mut cursor) = (Vec::new(), None::<String>);
        loop {
            // Looked at before the last reading, not after it.
            let last = done.load(Ordering::SeqCst);
            let query = cursor.as_ref().map(|cursor| format!("limit=7&cursor={cursor}"));
            let (events, next, more) = read(client, &query.unwrap_or("limit=7".to_owned()));
            seen.extend(events.iter().map(id));
            cursor = next.or(cursor);
            if last && !more {
                return seen;
            }
        }
    };
    let (write, read_along) = (&write, &read_along);
    let seen_by_each = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let client = if writer % 2 == 0 { &client } else { &other };
                scope.spawn(move || write(client, writer))
            })
            .collect();
        let readers = [&client, &other].map(|client| scope.spawn(move || read_along(client)));
        let written: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        // Nobody reads on for ever, whatever has become of the writers.
        done.store(true, Ordering::SeqCst);
        written.into_iter().for_each(|written| written.expect("everything is written"));
        readers.map(|reader| reader.join().expect("everything is read"))
    });
    let at_the_end: Vec<String> = read_all(&client, 100).iter().map(id).collect();
    let distinct: BTreeSet<&String> = at_the_end.iter().collect();
    let told = 2 + WRITERS * EACH;
    assert_eq!((at_the_end.len(), distinct.len()), (told, told));
    for seen in seen_by_each {
        assert_eq!(seen, at_the_end);
    }
    let query = "SELECT CAST(position AS TEXT) AS line FROM events ORDER BY position, id";
    let positions: Vec<String> = (1..=told).map(|position| position.to_string()).collect();
    assert_eq!(app.database.lines(query), positions);
}
