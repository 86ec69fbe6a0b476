//! Many stampings at one moment: what is recorded together is exact for each.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, on_both};

use super::office::{Office, attribute, id, item, sale};
use crate::races::at_once;

on_both!(
    in_spanish:
    credits_that_end_amid_a_crowd_are_spent_once,
    an_answer_kept_for_another_keeps_no_neighbour_from_its_stamp,
    two_nodes_stamp_each_draft_once,
);

on_both!(
    a_crowd_of_one_account_is_stamped_once_each,
    crowds_of_several_accounts_are_kept_apart,
    drafts_that_change_amid_a_crowd_are_stamped_as_they_are,
    what_stands_alone_and_what_does_not_are_stamped_at_once,
    twins_in_a_crowd_are_one_stamp_each,
    certificates_and_providers_change_amid_a_crowd,
);

fn in_series(series: &str) -> Value {
    let mut sale = sale(116.0);
    sale["series"] = json!(series);
    sale
}

fn drafts(office: &Office, series: &str, count: usize) -> Vec<String> {
    (0..count).map(|_| id(&office.draft(&in_series(series)))).collect()
}

fn stamp_once(client: &Client, draft: &str, key: &str) -> Reply {
    let request = client.request("POST", &format!("/invoices/{draft}/timbrar"));
    Reply::to(request.header("Idempotency-Key", key))
}

/// Asserts that each has one stamp and one charge, was told of once, and that all documents are what was sealed.
#[track_caller]
fn assert_stamped_once(office: &Office, drafts: &[String]) -> Vec<Value> {
    let once = [("reserve".to_owned(), -10), ("commit".to_owned(), 0)];
    let told = office.app.database.events(office.account, "invoice.stamped");
    let mut stamped = Vec::new();
    for draft in drafts {
        let invoice = office.read(draft);
        assert_eq!(invoice["status"], "stamped");
        assert_eq!(office.ledger(draft), once);
        let of_it = told.iter().filter(|event| event["data"]["id"] == json!(draft));
        let uuids: Vec<&Value> = of_it.map(|event| &event["data"]["uuid"]).collect();
        assert_eq!(uuids, [&invoice["uuid"]]);
        let xml = office.client.get(&format!("/invoices/{draft}/xml")).text;
        assert_eq!(json!(attribute(&xml, "Folio")), invoice["folio"]);
        assert_eq!(attribute(&xml, "Serie"), invoice["series"].as_str().unwrap());
        let total: f64 = attribute(&xml, "Total").parse().unwrap();
        assert_eq!(json!(total), json!(invoice["total"].as_f64().unwrap()));
        stamped.push(invoice);
    }
    let open = format!(
        "SELECT id AS line FROM tasks WHERE account_id = '{}' AND due_at IS NOT NULL",
        office.account
    );
    assert_eq!(office.app.database.lines(&open), [""; 0]);
    stamped
}

/// The folios of invoices by series, in ascending order.
fn folios(invoices: &[Value]) -> BTreeMap<String, Vec<u64>> {
    let mut folios: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for invoice in invoices {
        let series = invoice["series"].as_str().unwrap().to_owned();
        folios.entry(series).or_default().push(invoice["folio"].as_str().unwrap().parse().unwrap());
    }
    folios.values_mut().for_each(|folios| folios.sort_unstable());
    folios
}

#[track_caller]
fn assert_without_gaps(invoices: &[Value]) {
    for (series, folios) in folios(invoices) {
        let expected: Vec<u64> = (1..=folios.len() as u64).collect();
        assert_eq!(folios, expected, "{series}");
    }
}

fn a_crowd_of_one_account_is_stamped_once_each(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts = drafts(&office, "F", 64);
    // Every other one under a key of its own.
    let stamp = |which: usize| match which % 2 {
        0 => office.stamp(&drafts[which]),
        _ => stamp_once(&office.client, &drafts[which], &format!("k{which}")),
    };
    let replies = at_once(drafts.len(), stamp);
    for reply in &replies {
        assert_eq!((reply.status, reply.header("idempotent-replayed")), (200, None));
    }
    assert_eq!(office.credits(), (1_000 - 640, 0));
    let stamped = assert_stamped_once(&office, &drafts);
    assert_without_gaps(&stamped);
    let kept = office.app.database.lines("SELECT uuid AS line FROM sandbox_stamps");
    assert_eq!(kept.len(), drafts.len());
    for which in [1, 63] {
        let again = stamp(which);
        assert_eq!(
            (&again.text, again.header("idempotent-replayed")),
            (&replies[which].text, Some("true"))
        );
    }
}

fn crowds_of_several_accounts_are_kept_apart(kind: DatabaseKind) {
    let app = App::start(kind);
    let clients: Vec<Client> = (0..4).map(|_| app.issuer()).collect();
    let made: Vec<(usize, String)> = (0..64)
        .map(|number| {
            let series = if number % 8 < 4 { "A" } else { "B" };
            let draft = clients[number % 4].post("/invoices", &in_series(series)).expect(201);
            (number % 4, id(&draft))
        })
        .collect();
    let replies = at_once(made.len(), |which| {
        let (client, draft) = &made[which];
        clients[*client].act(&format!("/invoices/{draft}/timbrar"))
    });
    assert!(replies.iter().all(|reply| reply.status == 200));
    for (place, client) in clients.iter().enumerate() {
        let credits = client.get("/credits").expect(200);
        assert_eq!((&credits["available"], &credits["reserved"]), (&json!(840), &json!(0)));
        let own = made.iter().filter(|(of, _)| *of == place);
        let own: Vec<Value> =
            own.map(|(_, draft)| client.get(&format!("/invoices/{draft}")).expect(200)).collect();
        assert!(own.iter().all(|invoice| invoice["status"] == "stamped"));
        assert_without_gaps(&own);
    }
}

fn credits_that_end_amid_a_crowd_are_spent_once(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    app.grant(account, 104);
    let poor = Office { account, client: app.client_of(account, "*"), app };
    let rich = poor.app.issuer();
    let drafts = drafts(&poor, "F", 24);
    let others: Vec<String> =
        (0..8).map(|_| id(&rich.post("/invoices", &sale(116.0)).expect(201))).collect();
    let replies = at_once(drafts.len() + others.len(), |which| match drafts.get(which) {
        Some(draft) => poor.stamp(draft),
        None => rich.act(&format!("/invoices/{}/timbrar", others[which - drafts.len()])),
    });
    let (of_poor, of_rich) = replies.split_at(drafts.len());
    assert!(of_rich.iter().all(|reply| reply.status == 200), "no neighbour is concerned");
    for reply in of_poor.iter().filter(|reply| reply.status != 200) {
        let _ = reply.refused(402, "insufficient_credits");
    }
    let is_stamped = |(_, reply): &(&String, &Reply)| reply.status == 200;
    let stamped = drafts.iter().zip(of_poor).filter(is_stamped).map(|(draft, _)| draft.clone());
    let stamped: Vec<String> = stamped.collect();
    assert_eq!((stamped.len(), poor.credits()), (10, (4, 0)));
    let _ = assert_stamped_once(&poor, &stamped);
    // Whoever took a folio keeps it for the next attempt.
    poor.app.grant(account, 1_000);
    let all: Vec<Value> = drafts.iter().map(|draft| poor.stamp(draft).expect(200)).collect();
    assert_without_gaps(&all);
}

fn drafts_that_change_amid_a_crowd_are_stamped_as_they_are(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts = drafts(&office, "F", 24);
    let replies = at_once(drafts.len() * 2, |act| {
        let draft = &drafts[act / 2];
        match act % 2 {
            0 => office.stamp(draft),
            _ => office.change(draft, &json!({"items": [item(232.0)]})),
        }
    });
    for (act, reply) in replies.iter().enumerate() {
        match (act % 2, reply.status) {
            (_, 200) => {}
            // It was changed too often while it was being sealed.
            (0, _) => drop(reply.refused(409, "in_progress")),
            _ => drop(reply.refused(409, "invalid_transition")),
        }
    }
    for draft in &drafts {
        assert_eq!(office.stamp(draft).status, 200);
    }
    let stamped = assert_stamped_once(&office, &drafts);
    assert_without_gaps(&stamped);
    assert_eq!(office.credits(), (1_000 - 240, 0));
}

fn what_stands_alone_and_what_does_not_are_stamped_at_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 116.0, &json!({}));
    let customer = office.customer();
    let mut all = drafts(&office, "F", 12);
    for _ in 0..8 {
        let order = office.order(&customer, &[(&mug, 1)]);
        all.push(id(&office.draft(&json!({"orderId": order["id"], "paymentForm": "03"}))));
    }
    for _ in 0..4 {
        let sold = office.stamped_sale(116.0);
        let note = json!({"type": "E", "paymentForm": "03", "items": [item(58.0)],
            "related": [{"relation": "01", "uuids": [sold["uuid"]]}]});
        all.push(id(&office.draft(&note)));
    }
    let (before, _) = office.credits();
    let statuses = at_once(all.len(), |which| office.stamp(&all[which]).status);
    assert_eq!(statuses, vec![200; all.len()]);
    let _ = assert_stamped_once(&office, &all);
    assert_eq!(office.credits(), (before - 10 * all.len() as i64, 0));
}

fn twins_in_a_crowd_are_one_stamp_each(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts = drafts(&office, "F", 12);
    let replies = at_once(drafts.len() * 4, |act| {
        let (draft, twin) = (&drafts[act / 4], act % 4);
        let key = if twin < 2 { draft.clone() } else { format!("{draft}-{twin}") };
        stamp_once(&office.client, draft, &key)
    });
    for (act, reply) in replies.iter().enumerate() {
        let error = reply.json()["error"].clone();
        let is_known = error == "in_progress" || error == "idempotency_key_in_use";
        assert!(reply.status == 200 || is_known, "{}", reply.text);
        if reply.status == 200 {
            assert_eq!(reply.json()["id"], json!(drafts[act / 4]));
        }
    }
    let stamped = assert_stamped_once(&office, &drafts);
    assert_without_gaps(&stamped);
    assert_eq!(office.credits(), (1_000 - 120, 0));
}

/// Requests under a key that has been answered are among others: those of its invoice are repeated, all others are stamped. A
/// key is one invoice's.
fn an_answer_kept_for_another_keeps_no_neighbour_from_its_stamp(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts = drafts(&office, "F", 13);
    let (first, rest) = drafts.split_first().unwrap();
    let kept = stamp_once(&office.client, first, "k");
    assert_eq!(kept.status, 200);
    let replies = at_once(rest.len(), |which| match which % 3 {
        0 => stamp_once(&office.client, &rest[which], "k"),
        1 => stamp_once(&office.client, first, "k"),
        _ => office.stamp(&rest[which]),
    });
    for (which, reply) in replies.iter().enumerate() {
        match (which % 3, reply.status) {
            (1, 409) => drop(reply.refused(409, "idempotency_key_in_use")),
            (1, _) => assert_eq!((reply.status, &reply.text), (200, &kept.text)),
            _ => assert_eq!(reply.status, 200, "{}", reply.text),
        }
    }
    let stamped = rest.iter().enumerate().filter(|(which, _)| which % 3 != 1);
    let stamped: Vec<String> = stamped.map(|(_, draft)| draft.clone()).collect();
    let _ = assert_stamped_once(&office, &stamped);
    assert_eq!(office.ledger(first).len(), 2);
}

fn two_nodes_stamp_each_draft_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let other = office.app.again().start();
    let nodes = [office.client.at(&office.app), office.client.at(&other)];
    let drafts = drafts(&office, "F", 24);
    let replies = at_once(drafts.len() * 2, |act| {
        nodes[act % 2].act(&format!("/invoices/{}/timbrar", drafts[act / 2]))
    });
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        // On a busy machine the provider may answer too late for the request; the stamp follows.
        match reply.status {
            504 => drop(reply.refused(504, "provider_timeout")),
            _ => drop(reply.refused(409, "in_progress")),
        }
    }
    for draft in &drafts {
        let _ = office.until(draft, |invoice| invoice["status"] == "stamped");
    }
    let stamped = assert_stamped_once(&office, &drafts);
    assert_without_gaps(&stamped);
    assert_eq!(office.credits(), (1_000 - 240, 0));
}

/// Whoever changes what stamping rests on waits for it, or is refused; what is under way ends. A provider that is chosen again
/// between the look at a draft and its reservation is looked at anew.
fn certificates_and_providers_change_amid_a_crowd(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts = drafts(&office, "F", 16);
    let issuer = "/invoices/cfdi/issuer";
    let replies = at_once(drafts.len() + 8, |act| match drafts.get(act) {
        Some(draft) => office.stamp(draft),
        None if act % 2 == 0 => {
            let choice = json!({"provider": "sandbox",
                "simulate": {"stamping": "normal", "cancellation": "accept"}});
            office.client.send("PUT", "/invoices/cfdi/provider", &choice)
        }
        None => {
            // When it was changed is sent back by nobody: another's change in between would be refused.
            let mut kept = office.client.get(issuer).expect(200);
            let _ = kept.as_object_mut().unwrap().remove("updatedAt");
            kept["taxZip"] = json!("42501");
            office.client.send("PUT", issuer, &kept)
        }
    });
    let (stampings, changes) = replies.split_at(drafts.len());
    for reply in stampings {
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    for reply in changes {
        assert!([200, 409, 412].contains(&reply.status), "{}: {}", reply.status, reply.text);
    }
    let stamped = assert_stamped_once(&office, &drafts);
    assert_without_gaps(&stamped);
}
