//! Events of the past, delivered again.

use std::{collections::BTreeMap, thread, time::Duration};

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reaction, Request, on_both};

use super::audience::{Audience, Hook, event_ids, until};
use crate::{imports, orders::shop::id};

on_both!(
    a_window_of_the_past_arrives_again,
    a_long_past_arrives_completely_and_once,
    new_events_do_not_wait_for_the_past,
    a_replay_that_makes_no_sense_is_refused,
    a_replay_goes_on_after_a_restart,
    a_replay_repeated_with_its_key_is_replayed_once,
    what_an_import_tells_lets_others_pass,
);

/// How often each event was told of.
fn counted(requests: &[Request]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for id in event_ids(requests) {
        *counts.entry(id).or_default() += 1;
    }
    counts
}

/// The ids of the account's events of one name, oldest first.
fn ids(audience: &Audience, name: &str) -> Vec<String> {
    audience.app.database.events(audience.account, name).iter().map(id).collect()
}

/// Has everything that happened until now delivered again.
fn replay_all(audience: &Audience, hook: &Hook) {
    // What happens at the very moment is not past.
    audience.app.advance_seconds(1);
    let _ = audience.replay(hook, &json!({"since": "2020-01-01T00:00:00Z"})).expect(200);
}

fn a_window_of_the_past_arrives_again(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let lead = |name: &str| {
        let _ = audience.client.post("/crm/leads", &json!({"name": name})).expect(201);
    };
    let mut moments = Vec::new();
    for _ in 0..4 {
        moments.push(audience.app.now().to_string());
        audience.happen(2);
        lead("Rosa");
        audience.app.advance_seconds(3);
    }
    let hook = audience.subscribe("/a", &["contact.created", "lead.created", "order.paid"]);
    audience.let_it_look_around();
    assert_eq!(audience.count(&hook, ""), 0, "a webhook gets what happens from now on");

    let (contacts, leads) = (ids(&audience, "contact.created"), ids(&audience, "lead.created"));
    let both = |contacts: &[String], leads: &[String]| -> Vec<String> {
        contacts.iter().chain(leads).cloned().collect()
    };
    let names = json!(["order.paid", "lead.created", "contact.created"]);
    let cases: Vec<(Value, Vec<String>)> = vec![
        (json!({"since": moments[0], "until": moments[1]}), both(&contacts[..2], &leads[..1])),
        (json!({"since": moments[1], "until": moments[3]}), both(&contacts[2..6], &leads[1..3])),
        (json!({"since": moments[2], "events": ["lead.created"]}), leads[2..].to_vec()),
        (json!({"since": moments[3], "until": moments[3]}), Vec::new()),
        (json!({"since": moments[0], "until": null, "events": names}), both(&contacts, &leads)),
        (json!({"since": moments[0], "until": "2999-01-01T00:00:00Z"}), both(&contacts, &leads)),
    ];
    let unwanted = json!({"since": moments[0], "events": ["deal.won"]});
    let why = audience.replay(&hook, &unwanted).refused(400, "validation_failed");
    assert!(why.starts_with("events names no event"), "{why}");
    for (wanted, mut expected) in cases {
        let before = audience.receiver.received_at("/a").len();
        let replay = audience.replay(&hook, &wanted).expect(200);
        assert!(id(&replay).starts_with("rpl_") && replay["webhookId"] == hook.id.as_str());
        assert_eq!(replay["since"], wanted["since"]);
        audience.receiver.wait_at("/a", before + expected.len());
        audience.let_it_look_around();
        let mut arrived = event_ids(&audience.receiver.received_at("/a")[before..]);
        arrived.sort();
        expected.sort();
        assert_eq!(arrived, expected, "{wanted}");
    }
}

fn a_long_past_arrives_completely_and_once(kind: DatabaseKind) {
    const EVENTS: usize = 450;
    let audience = Audience::gather(kind);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| audience.happen(EVENTS / 3));
        }
    });
    let hook = audience.subscribe("/a", &["*"]);
    replay_all(&audience, &hook);
    audience.wait_count(&hook, "state=delivered", EVENTS as u64);
    audience.let_it_look_around();
    let arrived = counted(&audience.receiver.received_at("/a"));
    let expected = ids(&audience, "contact.created").into_iter().map(|id| (id, 1));
    assert_eq!(arrived, expected.collect());
    assert_eq!(arrived.len(), EVENTS);
    let under_way = || audience.app.database.lines("SELECT id AS line FROM replays");
    until(|| Some(()).filter(|()| under_way().is_empty()), under_way);
}

fn new_events_do_not_wait_for_the_past(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    audience.happen(150);
    let hook = audience.subscribe("/a", &["*"]);
    replay_all(&audience, &hook);
    audience.happen(50);
    audience.wait_count(&hook, "state=delivered", 200);
    let arrived = counted(&audience.receiver.received_at("/a"));
    assert_eq!(arrived, ids(&audience, "contact.created").into_iter().map(|id| (id, 1)).collect());
}

fn a_replay_that_makes_no_sense_is_refused(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    audience.wait_count(&hook, "state=delivered", 1);
    let now = audience.app.now().to_string();
    let later = audience.app.now().plus_seconds(60).to_string();
    let cases = [
        (json!({}), "since is required"),
        (json!({"since": "yesterday"}), "since "),
        (json!({"since": now, "until": "2020-01-01T00:00:00Z"}), "until must not be before since"),
        (json!({"since": later}), "since must not be in the future"),
        (json!({"since": now, "events": ["order.create"]}), "events[0] \"order.create\" is not"),
        (json!({"since": now, "events": []}), "events must not be empty"),
        (json!({"since": now, "from": now}), "\"from\" is not a field"),
    ];
    for (wanted, message) in cases {
        let told = audience.replay(&hook, &wanted).refused(400, "validation_failed");
        assert!(told.starts_with(message), "{wanted}: {told}");
    }
    audience.let_it_look_around();
    assert_eq!(audience.count(&hook, ""), 1);
}

fn a_replay_goes_on_after_a_restart(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    audience.happen(120);
    let silent = audience.app.again().not_delivering();
    let again = audience.app.again();
    let audience = audience.then(silent);
    let hook = audience.subscribe("/a", &["*"]);
    replay_all(&audience, &hook);
    let audience = audience.then(again);
    audience.wait_count(&hook, "state=delivered", 120);
    assert_eq!(counted(&audience.receiver.received_at("/a")).len(), 120);
}

fn a_replay_repeated_with_its_key_is_replayed_once(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    audience.happen(3);
    audience.app.advance_seconds(1);
    let hook = audience.subscribe("/a", &["*"]);
    let wanted = json!({"since": "2020-01-01T00:00:00Z"});
    let replay = || audience.client.post_once(&hook.at("replay"), "k", &wanted);
    let (first, again) = (replay(), replay());
    assert_eq!((first.status, again.header("idempotent-replayed")), (200, Some("true")));
    assert_eq!(first.text, again.text);
    audience.wait_count(&hook, "state=delivered", 3);
    audience.let_it_look_around();
    assert_eq!(audience.receiver.received_at("/a").len(), 3);
}

/// However many rows a file has, few deliveries of them wait before those of other events.
fn what_an_import_tells_lets_others_pass(kind: DatabaseKind) {
    const ROWS: usize = 1_500;
    let audience = Audience::gather_with(kind, |delivering| {
        let timeout = Duration::from_secs(120);
        delivering.outbound.exchange_timeout = timeout;
        delivering.dispatch.exchange_timeout = timeout;
    });
    let wanted = ["product.created", "product.updated", "contact.created"];
    let hook = audience.subscribe("/a", &wanted);
    let other = audience.subscribe("/b", &["contact.created"]);
    audience.receiver.always("/a", Reaction::Hang);
    let rows = (0..ROWS).map(|row| format!("P-{row},Producto,{row}\n"));
    let file: String = std::iter::once("sku,name,price\n".to_owned()).chain(rows).collect();
    let import = imports::imported(&audience.client, "", file);
    assert_eq!(imports::counts(&import)[0], ROWS);
    let made = json!({"name": "Taza", "price": 1});
    let _ = audience.client.post("/products", &made).expect(201);
    audience.happen(2);
    // Those that are about products of the file follow what that tells of them, opened already or not.
    let changed = ["P-0", "P-1499"].map(|sku| {
        let page = audience.client.get(&format!("/products?sku={sku}")).expect(200);
        let product = id(&page["data"][0]);
        let path = format!("/products/{product}");
        let _ = audience.client.patch(&path, &json!({"price": 9_999})).expect(200);
        product
    });
    audience.wait_count(&other, "state=delivered", 2);
    let opened = audience.count(&hook, "");
    assert!(opened < 1_000, "{opened} deliveries wait at once");
    audience.receiver.always("/a", Reaction::status(200));
    let all = ROWS as u64 + 5;
    audience.wait_count(&hook, "state=delivered", all);
    audience.let_it_look_around();
    assert_eq!(audience.count(&hook, ""), all);
    let twice = "SELECT event_id AS line FROM deliveries GROUP BY subscription_id, event_id \
        HAVING COUNT(*) > 1";
    assert_eq!(audience.app.database.lines(twice), [""; 0]);
    let under_way = || audience.app.database.lines("SELECT id AS line FROM replays");
    until(|| Some(()).filter(|()| under_way().is_empty()), under_way);
    let received = audience.receiver.received_at("/a");
    for product in changed {
        let told =
            received.iter().map(Request::json).filter(|it| it["data"]["id"] == product.as_str());
        let names: Vec<Value> = told.map(|it| it["event"].clone()).collect();
        assert_eq!(names, ["product.created", "product.updated"]);
    }
}
