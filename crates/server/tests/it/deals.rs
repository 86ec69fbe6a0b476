//! Deals and pipelines over HTTP.

mod activities;
mod board;
mod pipelines;

use serde_json::{Value, json};
use testkit::DatabaseKind;

use crate::customers::Desk;

testkit::on_both!(
    a_deal_needs_a_title_only,
    a_deal_keeps_everything_it_is_given,
    what_was_read_can_be_sent_back,
    stale_changes_are_refused,
    winning_and_losing_are_told_once,
    a_move_to_a_closed_stage_closes,
    a_deal_goes_back_to_the_stage_that_it_left,
    deals_stand_where_they_were_put,
    a_place_in_a_stage_is_one_of_that_stage,
    a_place_beside_a_deal_that_has_gone_is_refused,
    one_place_can_be_used_for_ever,
    what_has_happened_is_on_record,
    filters_find_deals,
    a_deleted_deal_leaves_its_lead,
    bad_bodies_are_explained,
);

const ALL: &str = "/crm/deals";

/// The identifiers of the stages of the default pipeline, in their order: three open ones, won, lost.
fn stages(desk: &Desk) -> Vec<String> {
    let pipelines = desk.show("/crm/pipelines");
    let stages = pipelines["data"][0]["stages"].as_array().unwrap().iter();
    stages.map(id_of).collect()
}

fn id_of(resource: &Value) -> String {
    resource["id"].as_str().unwrap().to_owned()
}

fn opened(desk: &Desk, title: &str) -> String {
    id_of(&desk.create(ALL, &json!({"title": title})))
}

/// Does something with a deal.
#[track_caller]
fn act(desk: &Desk, deal: &str, act: &str, body: &Value) -> Value {
    let place = format!("{ALL}/{deal}");
    let acted = desk.client.post(&format!("{place}/{act}"), body).expect(200);
    assert_eq!(desk.show(&place), acted, "what was answered is what is there");
    acted
}

/// The titles of the deals of a stage, in their order, page by page.
fn in_order(desk: &Desk, stage: &str) -> Vec<String> {
    let first = format!("{ALL}?stageId={stage}&sort=rank&limit=2");
    let (mut path, mut titles) = (first.clone(), Vec::new());
    loop {
        let page = desk.show(&path);
        let rows = page["data"].as_array().unwrap().iter();
        titles.extend(rows.map(|row| row["title"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["nextCursor"].as_str() else { return titles };
        path = format!("{first}&cursor={cursor}");
    }
}

fn a_deal_needs_a_title_only(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &json!({"title": "Tazas"}));
    let expected = json!({
        "id": made["id"], "title": "Tazas", "value": 0, "currency": "MXN", "status": "open",
        "pipelineId": made["pipelineId"], "stageId": stages(&desk)[0], "lostReason": null, "customerId": null,
        "leadId": null, "ownerId": null, "expectedCloseDate": null, "wonAt": null, "lostAt": null,
        "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
    });
    assert_eq!(made, expected);
    assert_eq!(desk.event_names(), [""; 0]);
}

fn a_deal_keeps_everything_it_is_given(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let customer = desk.create("/customers", &json!({"name": "Rosa"}));
    let lead = desk.create("/crm/leads", &json!({"name": "Rosa"}));
    let everything = json!({"title": "Tazas", "value": 18500.5, "currency": "USD", "stageId": stages(&desk)[1],
        "customerId": customer["id"], "leadId": lead["id"], "ownerId": "luis", "expectedCloseDate": "2026-12-31"});
    let made = desk.create(ALL, &everything);
    for (name, value) in everything.as_object().unwrap() {
        assert_eq!(made[name], *value, "{name}");
    }
    let place = Desk::place(ALL, &made);
    let cleared =
        json!({"customerId": null, "ownerId": null, "expectedCloseDate": null, "value": 1});
    let changed = desk.change(&place, &cleared);
    for (name, value) in cleared.as_object().unwrap() {
        assert_eq!(changed[name], *value, "{name}");
    }
    desk.delete("/customers", &id_of(&customer));
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let place = format!("{ALL}/{}", opened(&desk, "Tazas"));
    desk.assert_survives_a_round_trip(&place);
    let elsewhere = desk.client.patch(&place, &json!({"stageId": stages(&desk)[1]}));
    assert!(elsewhere.refused(400, "validation_failed").contains("stageId"));
}

fn stale_changes_are_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let place = format!("{ALL}/{}", opened(&desk, "Tazas"));
    desk.assert_guards_against_lost_updates(&place, [&json!({"value": 1}), &json!({"value": 2})]);
}

fn winning_and_losing_are_told_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deal = id_of(&desk.create(ALL, &json!({"title": "Tazas", "value": 99.5})));
    let won = act(&desk, &deal, "win", &json!({}));
    assert_eq!((&won["status"], &won["stageId"]), (&json!("won"), &json!(stages(&desk)[3])));
    assert!(won["wonAt"].is_string());
    assert_eq!(act(&desk, &deal, "win", &json!({})), won);
    let told = json!({"id": deal, "value": 99.5});
    assert_eq!(desk.events("deal.won"), std::slice::from_ref(&told));
    let _ = act(&desk, &deal, "reopen", &json!({}));
    let _ = act(&desk, &deal, "win", &json!({}));
    assert_eq!(desk.events("deal.won"), [told.clone(), told]);
    let lost = act(&desk, &deal, "lose", &json!({"reason": "Precio"}));
    assert_eq!((&lost["lostReason"], &lost["wonAt"]), (&json!("Precio"), &Value::Null));
    let otherwise = act(&desk, &deal, "lose", &json!({"reason": "Otra"}));
    assert_eq!((&otherwise["lostReason"], &otherwise["lostAt"]), (&json!("Otra"), &lost["lostAt"]));
    assert_eq!(desk.events("deal.lost"), [json!({"id": deal, "reason": "Precio"})]);
}

fn a_move_to_a_closed_stage_closes(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (deal, stages) = (opened(&desk, "Tazas"), stages(&desk));
    assert_eq!(act(&desk, &deal, "move", &json!({"stageId": stages[3]}))["status"], "won");
    let place = format!("{ALL}/{deal}/move");
    let refused = desk.client.post(&place, &json!({"stageId": stages[4]}));
    assert!(refused.refused(400, "validation_failed").contains("reason"));
    let to_lost = json!({"stageId": stages[4], "reason": "Precio"});
    assert_eq!(act(&desk, &deal, "move", &to_lost)["lostReason"], "Precio");
    let open = act(&desk, &deal, "move", &json!({"stageId": stages[0]}));
    assert_eq!((&open["status"], &open["lostReason"]), (&json!("open"), &Value::Null));
    assert_eq!(desk.event_names(), ["deal.won", "deal.lost"]);
}

fn a_deal_goes_back_to_the_stage_that_it_left(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (deal, stages) = (opened(&desk, "Tazas"), stages(&desk));
    let _ = act(&desk, &deal, "move", &json!({"stageId": stages[2]}));
    let _ = act(&desk, &deal, "lose", &json!({"reason": "Precio"}));
    let open = act(&desk, &deal, "reopen", &json!({}));
    assert_eq!((&open["status"], &open["stageId"]), (&json!("open"), &json!(stages[2])));
    assert_eq!(act(&desk, &deal, "reopen", &json!({})), open);
}

fn deals_stand_where_they_were_put(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deals = ["A", "B", "C", "D"].map(|title| opened(&desk, title));
    let stages = stages(&desk);
    assert_eq!(in_order(&desk, &stages[0]), ["A", "B", "C", "D"]);
    let put = |deal: usize, how: &str, other: usize| {
        let body = json!({"stageId": stages[0], how: deals[other]});
        act(&desk, &deals[deal], "move", &body)
    };
    let _ = put(3, "before", 0);
    assert_eq!(in_order(&desk, &stages[0]), ["D", "A", "B", "C"]);
    let moved = put(0, "after", 1);
    assert_eq!(in_order(&desk, &stages[0]), ["D", "B", "A", "C"]);
    assert_eq!(put(0, "before", 2), moved, "it is there already");
    assert_eq!(put(0, "after", 1), moved, "it is there already");
    let _ = act(&desk, &deals[3], "move", &json!({"stageId": stages[0]}));
    assert_eq!(in_order(&desk, &stages[0]), ["B", "A", "C", "D"]);
    let _ = act(&desk, &deals[0], "move", &json!({"stageId": stages[1]}));
    let _ = act(&desk, &deals[1], "move", &json!({"stageId": stages[1], "before": deals[0]}));
    assert_eq!(in_order(&desk, &stages[1]), ["B", "A"]);
    assert_eq!(in_order(&desk, &stages[0]), ["C", "D"]);
}

fn a_place_in_a_stage_is_one_of_that_stage(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let stages = stages(&desk);
    for stage in &stages[..2] {
        for title in ["Uno", "Dos"] {
            let _ = desk.create(ALL, &json!({"title": title, "stageId": stage}));
        }
    }
    let list = |stage: &str| format!("{ALL}?sort=rank&stageId={stage}");
    let page = desk.show(&format!("{}&limit=1", list(&stages[0])));
    let cursor = page["nextCursor"].as_str().unwrap();
    let rest = |stage: &str| desk.client.get(&format!("{}&limit=9&cursor={cursor}", list(stage)));
    assert_eq!(rest(&stages[0]).expect(200)["data"].as_array().map(Vec::len), Some(1));
    let refused = rest(&stages[1]).refused(400, "validation_failed");
    assert!(refused.contains("cursor belongs to another list"), "{refused}");
}

fn a_place_beside_a_deal_that_has_gone_is_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (one, other, stages) = (opened(&desk, "A"), opened(&desk, "B"), stages(&desk));
    let _ = act(&desk, &other, "move", &json!({"stageId": stages[1]}));
    let place = format!("{ALL}/{one}/move");
    let gone = desk.client.post(&place, &json!({"stageId": stages[0], "after": other}));
    assert!(gone.refused(409, "conflict").contains(&other));
    for (body, field) in [
        (json!({"stageId": stages[0], "after": one}), "after"),
        (json!({"stageId": stages[0], "before": one, "after": other}), "after"),
        (json!({"before": one}), "stageId"),
    ] {
        let refused = desk.client.post(&place, &body).refused(400, "validation_failed");
        assert!(refused.contains(field), "{refused}");
    }
}

fn one_place_can_be_used_for_ever(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let deals = ["A", "B", "C"].map(|title| opened(&desk, title));
    let stage = &stages(&desk)[0];
    // Two deals take turns behind the first: the gap is halved each time.
    for turn in 0..260 {
        let body = json!({"stageId": stage, "after": deals[0]});
        let _ = desk.client.post(&format!("{ALL}/{}/move", deals[1 + turn % 2]), &body).expect(200);
    }
    assert_eq!(in_order(&desk, stage), ["A", "C", "B"]);
    let longest = "SELECT CAST(MAX(LENGTH(rank)) AS TEXT) AS line FROM deals";
    let longest: usize = desk.app.database.lines(longest)[0].parse().unwrap();
    assert!((3..=32).contains(&longest), "{longest}");
}

fn what_has_happened_is_on_record(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (deal, stages) = (opened(&desk, "A"), stages(&desk));
    let _ = desk.change(&format!("{ALL}/{deal}"), &json!({"value": 5, "ownerId": "luis"}));
    let _ = act(&desk, &deal, "move", &json!({"stageId": stages[1]}));
    let _ = act(&desk, &deal, "lose", &json!({"reason": "Precio"}));
    let _ = act(&desk, &deal, "reopen", &json!({}));
    let _ = act(&desk, &deal, "win", &json!({}));
    let history = desk.show(&format!("{ALL}/{deal}/history"));
    let rows = history["data"].as_array().unwrap();
    let events: Vec<_> = rows.iter().map(|row| row["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["won", "reopened", "lost", "moved", "updated", "created"]);
    assert_eq!(
        (&rows[2]["reason"], &rows[2]["fromStageId"]),
        (&json!("Precio"), &json!(stages[1]))
    );
    assert_eq!((&rows[4]["value"], &rows[4]["ownerId"]), (&json!(5), &json!("luis")));
    assert_eq!((&rows[5]["fromStageId"], &rows[5]["toStageId"]), (&Value::Null, &json!(stages[0])));
    let first = desk.show(&format!("{ALL}/{deal}/history?limit=4"));
    let rest = format!("{ALL}/{deal}/history?cursor={}", first["nextCursor"].as_str().unwrap());
    assert_eq!(desk.show(&rest)["data"].as_array().unwrap(), &rows[4..]);
}

fn filters_find_deals(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let customer = id_of(&desk.create("/customers", &json!({"name": "Rosa"})));
    let (one, other, stages) = (opened(&desk, "A"), opened(&desk, "B"), stages(&desk));
    let place = format!("{ALL}/{other}");
    let _ = desk.change(&place, &json!({"customerId": customer, "ownerId": "luis"}));
    let _ = act(&desk, &one, "win", &json!({}));
    let pipeline = desk.show(&place)["pipelineId"].as_str().unwrap().to_owned();
    for (query, expected) in [
        ("", vec!["B", "A"]),
        ("sort=createdAt", vec!["A", "B"]),
        ("sort=-updatedAt", vec!["A", "B"]),
        ("status=won", vec!["A"]),
        (&format!("stageId={}", stages[0]), vec!["B"]),
        (&format!("pipelineId={pipeline}"), vec!["B", "A"]),
        (&format!("customerId={customer}"), vec!["B"]),
        ("ownerId=luis", vec!["B"]),
        (&format!("ids={one}"), vec!["A"]),
        ("updatedSince=2999-01-01T00:00:00Z", vec![]),
    ] {
        let page = desk.show(&format!("{ALL}?{query}"));
        let rows = page["data"].as_array().unwrap().iter();
        let titles: Vec<_> = rows.map(|row| row["title"].as_str().unwrap()).collect();
        assert_eq!((titles, &page["total"]), (expected.clone(), &json!(expected.len())), "{query}");
    }
}

fn a_deleted_deal_leaves_its_lead(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lead = desk.create("/crm/leads", &json!({"name": "Rosa", "estimatedValue": 7}));
    let lead = Desk::place("/crm/leads", &lead);
    let convert = format!("{lead}/convert");
    let made = desk.client.act(&convert).expect(200);
    let deal = id_of(&made["deal"]);
    assert_eq!(made["deal"]["stageId"], json!(stages(&desk)[0]));
    assert_eq!(desk.show(&format!("{ALL}/{deal}")), made["deal"]);
    desk.delete(ALL, &deal);
    let left = desk.show(&lead);
    assert_eq!((&left["status"], &left["dealId"]), (&json!("converted"), &Value::Null));
    assert!(!desk.client.act(&convert).refused(409, "invalid_transition").is_empty());
}

fn bad_bodies_are_explained(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let won = stages(&desk).remove(3);
    for (body, field) in [
        (json!({}), "title"),
        (json!({"title": "A", "value": -1}), "value"),
        (json!({"title": "A", "expectedCloseDate": "31/12/2026"}), "expectedCloseDate"),
        (json!({"title": "A", "stageId": won}), "stageId"),
        (json!({"title": "A", "status": "won"}), "status"),
        (json!({"title": "A", "amount": 5}), "amount"),
    ] {
        let refused = desk.client.post(ALL, &body).refused(400, "validation_failed");
        assert!(refused.contains(field), "{refused}");
    }
    let unsorted = desk.client.get(&format!("{ALL}?sort=rank"));
    assert!(unsorted.refused(400, "validation_failed").contains("stageId"));
}
