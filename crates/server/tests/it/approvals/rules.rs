//! Rules: who may make them, what is wrong with them, what they would ask.

use accounts::{NewUser, Password, Role, UserOffice};
use kernel::{AccountId, Actor, Ctx, UserId};
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

use super::desk::{Desk, id, level};

on_both!(
    a_rule_is_made_changed_and_deleted,
    faults_of_a_rule_are_named,
    approvers_are_keys_that_may_approve,
    approvers_are_members_whose_role_approves,
    only_who_may_approve_changes_rules,
    rules_are_tried_without_asking_anybody,
    a_rule_of_another_account_is_not_there,
);

fn a_rule_is_made_changed_and_deleted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.guard_discounts();
    assert_eq!(
        (&rule["expiresAfterHours"], &rule["allowSelfApproval"]),
        (&json!(72), &json!(false))
    );
    let place = format!("/approval-rules/{}", id(&rule));
    let client = &desk.ana.client;
    let shown = client.get(&place);
    assert_eq!(shown.json(), rule);
    let tag = shown.header("etag").unwrap().to_owned();
    let changes = json!({"name": "Descuentos", "expiresAfterHours": 24, "conditions": []});
    let changed = client.patch(&place, &changes).expect(200);
    assert_eq!((&changed["name"], &changed["conditions"]), (&json!("Descuentos"), &json!([])));
    assert_eq!(client.patch(&place, &changed).expect(200), changed, "what was read is no change");
    let stale = client.request("DELETE", &place).header("If-Match", tag);
    let _ = testkit::Reply::to(stale).refused(412, "precondition_failed");
    let listed = client.get("/approval-rules").expect(200);
    assert_eq!(listed["data"], json!([changed]));
    let _ = client.delete(&place).expect(200);
    let _ = client.get(&place).refused(404, "not_found");
}

fn faults_of_a_rule_are_named(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let one = [level(&[&desk.ana], 1)];
    let refused = |entity: &str, currency: Value, conditions: Value, levels: &[Value]| {
        let body = json!({"entityType": entity, "currency": currency, "conditions": conditions,
            "levels": levels});
        desk.ana.client.post("/approval-rules", &body).refused(400, "validation_failed")
    };
    let money = json!([{"field": "discountTotal", "op": "gt", "value": 500}]);
    let total = json!([{"field": "total", "op": "gt", "value": 500}]);
    for (entity, conditions) in [
        ("order_discount", &money),
        ("order_cancellation", &total),
        ("invoice_cancellation", &total),
    ] {
        let problem = refused(entity, Value::Null, conditions.clone(), &one);
        assert!(problem.starts_with("currency is required"), "{problem}");
        let body = json!({"entityType": entity, "currency": "MXN", "conditions": conditions,
            "levels": one});
        let _ = desk.ana.client.post("/approval-rules", &body).expect(201);
    }
    let motive = json!([{"field": "motive", "op": "eq", "value": "02"}]);
    let problem = refused("order_discount", Value::Null, motive, &one);
    assert!(problem.starts_with("conditions[0].field must be one of discountPct"), "{problem}");
    let twice = [one[0].clone(), one[0].clone()];
    let problem = refused("order_discount", Value::Null, json!([]), &twice);
    assert!(problem.contains("each approver decides once"), "{problem}");
    let user = json!({"approvers": [{"type": "user", "id": "usr_1"}]});
    let problem = refused("order_discount", Value::Null, json!([]), &[user]);
    assert!(problem.starts_with("levels[0].approvers[0].id"), "{problem}");
}

fn approvers_are_keys_that_may_approve(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let app = &desk.shop.app;
    let other = app.approving_key(app.account(), "*").1;
    let plain = app.key(desk.shop.account, "*").1;
    let elsewhere = app.approving_key(desk.shop.account, "products").1;
    let revoked = app.approving_key(desk.shop.account, "*").1;
    app.revoke(revoked);
    for (key, problem) in [
        (other, "names no API key of this account"),
        (plain, "may not approve"),
        (plain, "\"mayApprove\": true"),
        (elsewhere, "may not approve"),
        (revoked, "may not approve"),
    ] {
        let approver = json!([{"type": "key", "id": key.to_string()}]);
        let body = json!({"entityType": "order_discount", "levels": [{"approvers": approver}]});
        let said = desk.ana.client.post("/approval-rules", &body).refused(400, "validation_failed");
        assert!(said.starts_with("levels[0].approvers[0].id") && said.contains(problem), "{said}");
    }
}

/// A new member of an account.
fn joined(app: &App, account: AccountId, role: Role) -> UserId {
    let user = NewUser {
        name: role.name().to_owned(),
        email: format!("{}@shop.example", role.name()),
        password: Password::new("siete perros en la azotea"),
        language: None,
        account_name: None,
    };
    let ctx = Ctx::system(account, app.now()).by(Actor::Operator("test".into()));
    app.store().add_user(ctx, user, role).wait().unwrap().unwrap().value.id
}

fn approvers_are_members_whose_role_approves(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (app, account) = (&desk.shop.app, desk.shop.account);
    let member = |account, role| joined(app, account, role).to_string();
    let (admin, accountant) = (member(account, Role::Admin), member(account, Role::Accountant));
    let stranger = member(app.account(), Role::Owner);
    let made = |entity: &str, user: &str| {
        let levels = json!([{"approvers": [{"type": "user", "id": user}]}]);
        let body = json!({"entityType": entity, "levels": levels});
        desk.ana.client.post("/approval-rules", &body)
    };
    for (entity, user) in [
        ("order_discount", &accountant),
        ("order_discount", &stranger),
        ("refund", &"usr_00000000000000000000000001".to_owned()),
    ] {
        let said = made(entity, user).refused(400, "validation_failed");
        assert!(said.starts_with("levels[0].approvers[0].id"), "{said}");
    }
    let _ = made("refund", &accountant).expect(201);
    let rule = made("order_discount", &admin).expect(201);
    assert_eq!(rule["levels"][0]["approvers"], json!([{"type": "user", "id": admin}]));
    let place = format!("/approval-rules/{}", id(&rule));
    assert_eq!(
        desk.ana.client.patch(&place, &rule).expect(200),
        rule,
        "what was read is no change"
    );
}

fn only_who_may_approve_changes_rules(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.guard_discounts();
    let place = format!("/approval-rules/{}", id(&rule));
    let plain = &desk.shop.client;
    let body = json!({"entityType": "order_discount", "levels": rule["levels"]});
    let _ = plain.post("/approval-rules", &body).refused(403, "not_an_approver");
    let _ = plain.patch(&place, &json!({"conditions": []})).refused(403, "not_an_approver");
    let _ = plain.delete(&place).refused(403, "not_an_approver");
    assert_eq!(plain.get(&place).expect(200), rule);
    let invoices = desk.shop.app.client_of(desk.shop.account, "invoices");
    let _ = invoices.get(&place).refused(403, "insufficient_scope");
    assert_eq!(invoices.get("/approval-rules").expect(200)["data"], json!([]));
}

fn rules_are_tried_without_asking_anybody(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.guard_discounts();
    let tried = |facts: Value| {
        let body = json!({"entityType": "order_discount", "facts": facts});
        desk.shop.client.post("/approval-rules/evaluate", &body)
    };
    let above = tried(json!({"discountPct": 15.000_001})).expect(200);
    assert_eq!(above, json!({"required": true, "rules": [{"id": rule["id"], "name": null}]}));
    let at = tried(json!({"discountPct": 15, "channel": "web"})).expect(200);
    assert_eq!(at, json!({"required": false, "rules": []}));
    let said = tried(json!({"discountTotal": 300})).refused(400, "validation_failed");
    assert!(said.starts_with("currency is required beside facts.discountTotal"), "{said}");
    let of_pesos = json!({"entityType": "order_discount", "currency": "MXN", "levels": rule["levels"],
        "conditions": [{"field": "channel", "op": "eq", "value": "web"}]});
    let _ = desk.ana.client.post("/approval-rules", &of_pesos).expect(201);
    let said = tried(json!({"channel": "web"})).refused(400, "validation_failed");
    assert!(said.starts_with("currency is required: the rule arl_"), "{said}");
    assert_eq!(tried(json!({"channel": "tienda"})).expect(200)["required"], false);
    let said = tried(json!({"motive": "02"})).refused(400, "validation_failed");
    assert!(said.starts_with("facts.motive is not known of order_discount"), "{said}");
    assert_eq!(desk.shop.told("approval.requested").len(), 0);
}

fn a_rule_of_another_account_is_not_there(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.guard_discounts();
    let app = &desk.shop.app;
    let stranger = desk.shop.client.with_key(&app.approving_key(app.account(), "*").0);
    let place = format!("/approval-rules/{}", id(&rule));
    let _ = stranger.get(&place).refused(404, "not_found");
    let _ = stranger.patch(&place, &json!({"name": "x"})).refused(404, "not_found");
    let _ = stranger.delete(&place).refused(404, "not_found");
    assert_eq!(stranger.get("/approval-rules").expect(200)["data"], json!([]));
}
