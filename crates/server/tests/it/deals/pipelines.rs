//! Pipelines: stages, the default one, and deals of a release without them.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{ALL as DEALS, Desk, act, id_of, opened, stages};

testkit::on_both!(
    an_account_begins_with_a_pipeline,
    a_pipeline_keeps_what_it_is_given,
    a_pipeline_is_changed_as_it_was_read,
    stages_with_deals_stay,
    the_default_pipeline_can_be_another,
    bad_stages_are_explained,
    deals_of_before_are_taken_in,
);

const ALL: &str = "/crm/pipelines";

fn an_account_begins_with_a_pipeline(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let page = desk.show(ALL);
    assert_eq!((&page["total"], &page["data"][0]["isDefault"]), (&json!(1), &json!(true)));
    let stages = page["data"][0]["stages"].as_array().unwrap().iter();
    let stages: Vec<_> = stages.map(|stage| (&stage["kind"], &stage["probability"])).collect();
    let (open, won, lost) = (&json!("open"), &json!("won"), &json!("lost"));
    let percents = [10, 40, 70, 100, 0].map(|percent| json!(percent));
    let [a, b, c, d, e] = &percents;
    assert_eq!(stages, [(open, a), (open, b), (open, c), (won, d), (lost, e)]);
    assert_eq!(desk.show(ALL), page, "reading again makes no other");
    assert_eq!(desk.show("/crm/deals/board")["pipelineId"], page["data"][0]["id"]);
}

fn a_pipeline_keeps_what_it_is_given(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &crate::openapi::pipeline());
    assert_eq!((&made["name"], &made["isDefault"]), (&json!("Mayoreo"), &json!(false)));
    let deal = json!({"title": "A", "pipelineId": made["id"]});
    let deal = desk.create(DEALS, &deal);
    assert_eq!(deal["stageId"], made["stages"][0]["id"]);
    let place = Desk::place(ALL, &made);
    assert!(!desk.client.delete(&place).refused(409, "conflict").is_empty());
    desk.delete(DEALS, &id_of(&deal));
    desk.delete(ALL, &id_of(&made));
}

fn a_pipeline_is_changed_as_it_was_read(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &crate::openapi::pipeline());
    let place = Desk::place(ALL, &made);
    desk.assert_survives_a_round_trip(&place);
    desk.assert_guards_against_lost_updates(&place, [&json!({"name": "A"}), &json!({"name": "B"})]);
    let mut stages = made["stages"].as_array().unwrap().clone();
    stages.swap(0, 2);
    stages.insert(1, json!({"name": "Nuevo", "probability": 5}));
    let changed = desk.change(&place, &json!({"stages": stages}));
    let names: Vec<_> = changed["stages"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["Perdido", "Nuevo", "Ganado", "Cotizado"]);
    assert_eq!(changed["stages"][3]["id"], made["stages"][0]["id"]);
}

fn stages_with_deals_stay(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &crate::openapi::pipeline());
    let (place, stages) = (Desk::place(ALL, &made), made["stages"].as_array().unwrap());
    let stage = id_of(&stages[0]);
    let deal = id_of(&desk.create(DEALS, &json!({"title": "A", "stageId": stage})));
    let mut without = stages.clone();
    without[0] = json!({"name": "Otro", "probability": 5});
    let mut otherwise = stages.clone();
    otherwise[0]["kind"] = json!("lost");
    otherwise[0]["probability"] = json!(0);
    otherwise.push(json!({"name": "Otro", "probability": 5}));
    for stages in [&without, &otherwise] {
        let refused = desk.client.patch(&place, &json!({"stages": stages}));
        assert!(refused.refused(409, "conflict").contains(&stage));
    }
    let _ = act(&desk, &deal, "win", &json!({}));
    let changed = desk.change(&place, &json!({"stages": without}));
    assert_eq!(changed["stages"][0]["name"], "Otro");
    // The stage that it left is gone: it begins anew.
    assert_eq!(act(&desk, &deal, "reopen", &json!({}))["stageId"], changed["stages"][0]["id"]);
}

fn the_default_pipeline_can_be_another(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let first = desk.show(ALL)["data"][0].clone();
    let first = Desk::place(ALL, &first);
    let tag = desk.tag(&first);
    let stays = desk.client.patch(&first, &json!({"isDefault": false}));
    assert!(stays.refused(400, "validation_failed").contains("isDefault"));
    let made = desk.create(ALL, &crate::openapi::pipeline());
    let place = Desk::place(ALL, &made);
    assert_eq!(desk.change(&place, &json!({"isDefault": true}))["isDefault"], true);
    assert_eq!(desk.show(&first)["isDefault"], false);
    assert_ne!(desk.tag(&first), tag, "it is another now");
    assert_eq!(desk.create(DEALS, &json!({"title": "A"}))["pipelineId"], made["id"]);
    assert!(!desk.client.delete(&place).refused(409, "conflict").is_empty());
    assert_eq!(desk.client.delete(&first).status, 200);
}

fn bad_stages_are_explained(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let stage = |name: &str, kind: &str, probability: Value| json!({"name": name, "kind": kind, "probability": probability});
    let (won, lost) = (stage("G", "won", Value::Null), stage("P", "lost", Value::Null));
    for (stages, field) in [
        (json!([]), "stages"),
        (json!([won, lost]), "stages must have at least one stage of kind open"),
        (json!([stage("A", "open", Value::Null), won, lost]), "stages[0].probability"),
        (json!([stage("A", "open", json!(101)), won, lost]), "stages[0].probability"),
        (json!([stage("G", "open", json!(10)), won, lost]), "stages[1].name"),
        (json!([stage("A", "won", json!(10)), won, lost]), "stages[0].probability"),
    ] {
        let body = json!({"name": "Mayoreo", "stages": stages});
        let refused = desk.client.post(ALL, &body).refused(400, "validation_failed");
        assert!(refused.contains(field), "{field}: {refused}");
    }
}

/// What a release without pipelines has left, and what its nodes still make while this one is rolled out.
fn deals_of_before_are_taken_in(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (account, customer) = (desk.account, desk.create("/customers", &json!({"name": "Rosa"})));
    let old = |number: u128| {
        let id = crm::DealId::from_u128(number);
        desk.app.database.execute(&format!(
            "INSERT INTO deals (account_id, id, title, value, currency, status, customer_id, lead_id, owner_id, created_at, \
             updated_at, version) VALUES ('{account}', '{id}', 'Old {number}', 1500000, 'MXN', 'open', '{}', \
             'lead_01ARZ3NDEKTSV4RRFFQ69G5FAV', NULL, {number}, {number}, 1)",
            id_of(&customer)
        ));
    };
    (1..=3).for_each(old);
    let board = desk.show("/crm/deals/board");
    let sums = json!([{"currency": "MXN", "count": 3, "value": 4.5, "weightedValue": 0.45}]);
    assert_eq!(board["stages"][0]["sums"], sums);
    old(4);
    let _ = opened(&desk, "New");
    let stage = &stages(&desk)[0];
    assert_eq!(super::in_order(&desk, stage), ["Old 1", "Old 2", "Old 3", "Old 4", "New"]);
    assert_eq!(desk.show("/crm/deals/board")["stages"][0]["count"], 5);
}
