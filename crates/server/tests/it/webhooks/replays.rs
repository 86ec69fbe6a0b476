//! Events of the past, delivered again.

use std::{collections::BTreeMap, ops::Range, thread, time::Duration};

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
    an_import_is_told_as_it_was_wanted,
    what_is_imported_while_a_webhook_is_disabled_is_missed,
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

/// An audience that is waited for longer than a test takes.
fn patient(kind: DatabaseKind) -> Audience {
    Audience::gather_with(kind, |delivering| {
        let timeout = Duration::from_secs(120);
        delivering.outbound.exchange_timeout = timeout;
        delivering.dispatch.exchange_timeout = timeout;
    })
}

/// Imports products of these numbers, which differ in their price by what is said.
fn import(audience: &Audience, numbers: Range<usize>, price: usize) {
    let rows = numbers.map(|row| format!("P-{row},Producto,{},5,5\n", row + price));
    let header = "sku,name,price,inventory,lowStockThreshold\n".to_owned();
    let file: String = std::iter::once(header).chain(rows).collect();
    let import = imports::imported(&audience.client, "", file);
    assert_eq!(import["failed"], 0, "{import}");
}

/// Waits until nothing is left to be opened for any webhook.
fn wait_until_opened(audience: &Audience) {
    let backlogs = "SELECT subscription_id AS line FROM backlogs";
    let left = || audience.app.database.lines(backlogs);
    until(|| Some(()).filter(|()| left().is_empty()), left);
}

/// However many rows a file has, few deliveries of them wait before those of other events.
fn what_an_import_tells_lets_others_pass(kind: DatabaseKind) {
    const ROWS: usize = 1_500;
    let audience = patient(kind);
    let wanted = ["product.created", "product.updated", "inventory.low", "contact.created"];
    let hook = audience.subscribe("/a", &wanted);
    let other = audience.subscribe("/b", &["contact.created"]);
    audience.receiver.always("/a", Reaction::Hang);
    import(&audience, 0..ROWS, 0);
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
    let buyer = audience.client.post("/customers", &json!({"name": "Beto"})).expect(201);
    let items = json!([{"productId": changed[1], "quantity": 1}]);
    let order = json!({"customerId": buyer["id"], "items": items});
    let _ = audience.client.post("/orders", &order).expect(201);
    audience.wait_count(&other, "state=delivered", 3);
    let opened = audience.count(&hook, "");
    assert!(opened < 1_000, "{opened} deliveries wait at once");
    audience.receiver.always("/a", Reaction::status(200));
    let all = ROWS as u64 + 7;
    audience.wait_count(&hook, "state=delivered", all);
    audience.let_it_look_around();
    assert_eq!(audience.count(&hook, ""), all);
    let twice = "SELECT event_id AS line FROM deliveries GROUP BY subscription_id, event_id \
        HAVING COUNT(*) > 1";
    assert_eq!(audience.app.database.lines(twice), [""; 0]);
    wait_until_opened(&audience);
    let received = audience.receiver.received_at("/a");
    let told = |product: &str| -> Vec<Value> {
        let events = received.iter().map(Request::json);
        let about = |event: &Value| ["id", "productId"].map(|name| event["data"][name] == product);
        events.filter(|event| about(event).contains(&true)).map(|it| it["event"].clone()).collect()
    };
    assert_eq!(told(&changed[0]), ["product.created", "product.updated"]);
    assert_eq!(told(&changed[1]), ["product.created", "product.updated", "inventory.low"]);
}

/// What a webhook wants meanwhile changes nothing of what was told before.
fn an_import_is_told_as_it_was_wanted(kind: DatabaseKind) {
    const ROWS: usize = 700;
    let audience = patient(kind);
    let hook = audience.subscribe("/a", &["product.created"]);
    audience.receiver.always("/a", Reaction::Hang);
    let want = |name: &str| {
        let _ = audience.client.patch(&hook.place(), &json!({"events": [name]})).expect(200);
    };
    import(&audience, 0..ROWS, 1);
    want("product.updated");
    import(&audience, 0..ROWS, 2);
    import(&audience, ROWS..ROWS + 10, 1);
    want("product.created");
    import(&audience, 0..ROWS, 3);
    audience.receiver.always("/a", Reaction::status(200));
    let all = 2 * ROWS as u64;
    audience.wait_count(&hook, "state=delivered", all);
    wait_until_opened(&audience);
    assert_eq!(audience.count(&hook, ""), all);
    let arrived = counted(&audience.receiver.received_at("/a"));
    assert_eq!(arrived.len(), 2 * ROWS);
}

/// As of any other event, there is no delivery of it; what was told before waits.
fn what_is_imported_while_a_webhook_is_disabled_is_missed(kind: DatabaseKind) {
    const ROWS: usize = 700;
    let audience = patient(kind);
    let hook = audience.subscribe("/a", &["product.created"]);
    audience.receiver.always("/a", Reaction::Hang);
    import(&audience, 0..ROWS, 1);
    let _ = audience.act(&hook, "disable");
    import(&audience, ROWS..ROWS + 50, 1);
    let _ = audience.act(&hook, "enable");
    import(&audience, ROWS + 50..ROWS + 150, 1);
    audience.receiver.always("/a", Reaction::status(200));
    let all = ROWS as u64 + 100;
    audience.wait_count(&hook, "state=delivered", all);
    wait_until_opened(&audience);
    assert_eq!(audience.count(&hook, ""), all);
}
