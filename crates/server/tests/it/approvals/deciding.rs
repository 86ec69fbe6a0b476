//! Who decides, how often, and how requests end.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::desk::{Approver, Desk, is, level, state};
use crate::{languages::told_apart, races::at_once};

on_both!(
    in_spanish:
    two_levels_take_two_decisions,
    all_rules_that_want_it_are_asked,
    a_decision_is_made_once,
    a_rejection_takes_a_comment_and_ends_it,
    who_asks_does_not_decide,
    many_approvals_at_once_apply_it_once,
    several_calls_with_one_key_are_answered_alike,
    a_request_expires,
    a_request_is_taken_back,
    of_a_decision_and_its_taking_back_one_counts,
    what_others_have_decided_since_is_looked_at_first,
    approvals_are_asked_for_by_hand,
    another_accounts_approvals_are_not_there,
    lists_show_what_scopes_cover,
    a_decision_survives_a_restart,
);

fn two_levels_take_two_decisions(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let levels = [level(&[&desk.ana, &desk.beto], 1), level(&[&desk.carla, &desk.ana], 1)];
    desk.rule("order_discount", &json!([]), &levels);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let _ = desk.carla.approve(&approval).refused(403, "not_an_approver");
    let first = desk.ana.approve(&approval).expect(200);
    assert_eq!((state(&first), &first["level"]), (is("pending", "none"), &json!(2)));
    assert_eq!(desk.shop.orders(), 0);
    // Once for all levels.
    assert_eq!(desk.ana.approve(&approval).expect(200), first);
    let _ = desk.beto.approve(&approval).refused(403, "not_an_approver");
    let body = json!({"comment": "Va"});
    let last = desk.carla.client.post(&format!("/approvals/{approval}/approve"), &body).expect(200);
    assert_eq!(state(&last), is("approved", "applied"));
    let told: Vec<_> = last["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| json!([it["by"]["id"], it["decision"], it["level"], it["comment"]]))
        .collect();
    let (ana, carla) = (&desk.ana.key, &desk.carla.key);
    let wanted = json!([[ana, "approve", 1, null], [carla, "approve", 2, "Va"]]);
    assert_eq!(json!(told), wanted);
    assert_eq!(desk.shop.told("approval.decided").len(), 1);
}

fn all_rules_that_want_it_are_asked(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.rule("order_discount", &json!([]), &[level(&[&desk.ana, &desk.beto], 1)]);
    desk.rule("order_discount", &json!([]), &[level(&[&desk.beto, &desk.carla], 2)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    assert_eq!(state(&desk.beto.approve(&approval).expect(200)), is("pending", "none"));
    assert_eq!(state(&desk.carla.approve(&approval).expect(200)), is("approved", "applied"));
    assert_eq!(desk.shop.orders(), 1);
}

fn a_decision_is_made_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!(desk.ana.approve(&approval).expect(200), approved);
    let _ = desk.ana.reject(&approval).refused(409, "conflict");
    let _ = desk.beto.approve(&approval).refused(409, "approval_closed");
    assert_eq!((desk.shop.orders(), desk.shop.told("approval.decided").len()), (1, 1));
}

fn a_rejection_takes_a_comment_and_ends_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.rule("order_discount", &json!([]), &[level(&[&desk.ana, &desk.beto], 2)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let _ = desk.ana.approve(&approval).expect(200);
    let place = format!("/approvals/{approval}/reject");
    for body in [json!({}), json!({"comment": ""}), json!({"comment": null})] {
        let said = desk.beto.client.post(&place, &body).refused(400, "validation_failed");
        assert!(said.starts_with("comment "), "{said}");
    }
    let rejected = desk.beto.reject(&approval).expect(200);
    assert_eq!((state(&rejected), &rejected["result"]), (is("rejected", "none"), &json!(null)));
    assert_eq!(desk.beto.reject(&approval).expect(200), rejected);
    let _ = desk.carla.approve(&approval).refused(409, "approval_closed");
    let told = json!([{"requestId": approval, "decision": "rejected"}]);
    assert_eq!(json!(desk.shop.told("approval.decided")), told);
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (0, 10));
}

fn who_asks_does_not_decide(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.rule("order_discount", &json!([]), &[level(&[&desk.ana, &desk.beto], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let asked =
        |by: &Approver| super::desk::ticket(&by.client.post("/orders", &desk.cart(&mug, 20)));
    let approval = asked(&desk.ana);
    let _ = desk.ana.approve(&approval).refused(403, "not_an_approver");
    let _ = desk.ana.reject(&approval).refused(403, "not_an_approver");
    // Neither does who may not approve at all, or is not named.
    let plain = desk.shop.client.act(&format!("/approvals/{approval}/approve"));
    let said = plain.refused(403, "not_an_approver");
    assert!(said.contains("\"mayApprove\": true"), "{said}");
    let _ = desk.carla.approve(&approval).refused(403, "not_an_approver");
    assert_eq!(desk.state(&approval), is("pending", "none"));
    let _ = desk.beto.approve(&approval).expect(200);

    let place = format!("/approval-rules/{}", super::desk::id(&rule));
    let _ = desk.ana.client.patch(&place, &json!({"allowSelfApproval": true})).expect(200);
    let allowed = asked(&desk.ana);
    assert_eq!(state(&desk.ana.approve(&allowed).expect(200)), is("approved", "applied"));
}

fn many_approvals_at_once_apply_it_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let others: Vec<Approver> = (0..7).map(|_| Approver::of(&desk.shop)).collect();
    let named: Vec<&Approver> = others.iter().chain([&desk.ana]).collect();
    desk.rule("order_discount", &json!([]), &[level(&named, 2)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let neighbour = desk.shop.app.again().start();
    let replies = at_once(16, |racer| {
        let approver = named[racer % 8];
        let place = format!("/approvals/{approval}/approve");
        match racer < 8 {
            true => approver.client.act(&place),
            false => approver.client.at(&neighbour).act(&place),
        }
    });
    for reply in &replies {
        match reply.status {
            200 => {}
            _ => drop(reply.clone().refused(409, "approval_closed")),
        }
    }
    let approved = desk.read(&approval);
    assert_eq!(state(&approved), is("approved", "applied"));
    assert_eq!(approved["decisions"].as_array().unwrap().len(), 2);
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (1, 8));
    assert_eq!(desk.shop.told("approval.decided").len(), 1);
    neighbour.stop();
}

fn several_calls_with_one_key_are_answered_alike(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let cart = desk.cart(&mug, 20);
    let replies = at_once(16, |_| desk.shop.client.post_once("/orders", "k", &cart));
    let tickets: std::collections::BTreeSet<String> =
        replies.iter().map(super::desk::ticket).collect();
    assert_eq!((tickets.len(), desk.shop.told("approval.requested").len()), (1, 1));
    let approval = tickets.first().unwrap();
    let place = format!("/approvals/{approval}/approve");
    let approve = || desk.ana.client.post_once(&place, "a", &json!({}));
    let (first, again) = (approve(), approve());
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(first.expect(200), again.expect(200));
}

fn a_request_expires(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let (approval, other) = (desk.asked(&mug, 20), desk.asked(&mug, 30));
    desk.shop.app.advance_seconds(72 * 3_600 - 60);
    assert_eq!(desk.state(&other), is("pending", "none"));
    desk.shop.app.advance_seconds(61);
    let seen = desk.read(&approval);
    assert_eq!((state(&seen), &seen["endedAt"]), (is("expired", "none"), &seen["expiresAt"]));
    let _ = desk.ana.approve(&approval).refused(409, "approval_closed");
    let listed = |status: &str| {
        let page = desk.shop.client.get(&format!("/approvals?status={status}")).expect(200);
        page["total"].as_u64().unwrap()
    };
    assert_eq!((listed("pending"), listed("expired")), (0, 2));
    desk.shop.app.housekeep();
    // What is marked later reads as it did.
    assert_eq!(desk.read(&approval), seen);
    assert_eq!((listed("pending"), listed("expired")), (0, 2));
    assert_eq!(desk.shop.told("approval.decided").len(), 0);
}

fn a_request_is_taken_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let (approval, other) = (desk.asked(&mug, 20), desk.asked(&mug, 30));
    let place = format!("/approvals/{approval}/cancel");
    let stranger = desk.shop.app.client_of(desk.shop.account, "orders");
    let _ = stranger.act(&place).refused(403, "not_an_approver");
    let canceled = desk.shop.client.act(&place).expect(200);
    assert_eq!(state(&canceled), is("canceled", "none"));
    assert_eq!(desk.shop.client.act(&place).expect(200), canceled);
    let _ = desk.ana.approve(&approval).refused(409, "approval_closed");
    let _ = desk.carla.client.act(&format!("/approvals/{other}/cancel")).expect(200);
    assert_eq!((desk.shop.orders(), desk.shop.told("approval.decided").len()), (0, 0));
}

/// Whoever comes first, on whichever node: the other is refused, and what was asked for is done or not.
fn of_a_decision_and_its_taking_back_one_counts(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 100);
    let neighbour = desk.shop.app.again().start();
    let mut approved = 0_i64;
    for _ in 0..8 {
        let approval = desk.asked(&mug, 20);
        let place = format!("/approvals/{approval}/cancel");
        let replies = at_once(2, |which| match which {
            0 => desk.ana.approve(&approval),
            _ => desk.shop.client.at(&neighbour).act(&place),
        });
        let statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        match statuses.as_slice() {
            [200, 409] => {
                approved += 1;
                let _ = replies[1].refused(409, "approval_closed");
                assert_eq!(desk.state(&approval), is("approved", "applied"));
            }
            [409, 200] => {
                let _ = replies[0].refused(409, "approval_closed");
                assert_eq!(desk.state(&approval), is("canceled", "none"));
            }
            _ => panic!("{statuses:?}: {}", desk.read(&approval)),
        }
        let orders = i64::try_from(desk.shop.orders()).unwrap();
        let told = i64::try_from(desk.shop.told("approval.decided").len()).unwrap();
        assert_eq!((orders, told), (approved, approved));
        assert_eq!(desk.shop.stock(&mug), 100 - 2 * approved);
    }
    neighbour.stop();
}

fn what_others_have_decided_since_is_looked_at_first(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let levels = [level(&[&desk.ana], 1), level(&[&desk.beto], 1)];
    desk.rule("order_discount", &json!([]), &levels);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let of = |act: &str| format!("/approvals/{approval}{act}");
    let tag = || desk.shop.client.get(&of("")).header("etag").unwrap().to_owned();
    let acted = |by: &testkit::Client, act: &str, tag: &str| {
        let request = by.request("POST", &of(act)).header("If-Match", tag);
        let body = json!({"comment": "x"}).to_string();
        testkit::Reply::to(match act {
            "/cancel" => request,
            _ => request.header("Content-Type", "application/json").body(body),
        })
    };
    let [_, seen] = told_apart(&desk.shop.client, &of(""));
    let _ = acted(&desk.ana.client, "/approve", &seen).expect(200);
    // A repeat is no other decision.
    let _ = acted(&desk.ana.client, "/approve", &seen).expect(200);
    for (by, act) in [
        (&desk.shop.client, "/cancel"),
        (&desk.beto.client, "/approve"),
        (&desk.beto.client, "/reject"),
    ] {
        let _ = acted(by, act, &seen).refused(412, "precondition_failed");
    }
    assert_eq!(desk.state(&approval), is("pending", "none"));
    let now = tag();
    let cancelled = acted(&desk.shop.client, "/cancel", &now).expect(200);
    assert_eq!(state(&cancelled), is("canceled", "none"));
    assert_eq!(acted(&desk.shop.client, "/cancel", &now).expect(200), cancelled);
    let _ = acted(&desk.beto.client, "/approve", &tag()).refused(409, "approval_closed");
}

fn approvals_are_asked_for_by_hand(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let order = desk.paid(&mug);
    let body = |entity: &str, id: &str| {
        json!({"entityType": entity, "entityId": id, "reason": "Regalo de fin de año",
            "levels": [level(&[&desk.ana], 1)], "expiresAfterHours": 1})
    };
    let ask = |body| desk.shop.client.post("/approvals", &body);
    let made = ask(body("order_cancellation", &order));
    assert!(made.header("location").is_some());
    let made = made.expect(201);
    let approval = super::desk::id(&made);
    assert_eq!(made["facts"], json!({"total": 200, "status": "paid"}));
    assert_eq!((&made["requirements"][0]["ruleId"], &made["level"]), (&json!(null), &json!(1)));
    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!((state(&approved), &approved["result"]), (is("approved", "none"), &json!(null)));
    assert_eq!(desk.shop.read(&order).json()["status"], "paid");
    assert_eq!(desk.shop.told("approval.decided").len(), 1);

    for (entity, id) in [("order_cancellation", mug.as_str()), ("refund", &order)] {
        let said = ask(body(entity, id)).refused(400, "validation_failed");
        assert!(said.starts_with("entityId names nothing"), "{said}");
    }
    let own = desk.ana.client.post("/approvals", &body("order_cancellation", &order));
    let said = own.refused(400, "validation_failed");
    assert!(said.starts_with("levels must name enough others"), "{said}");
    let _ = desk
        .shop
        .app
        .client_of(desk.shop.account, "invoices")
        .post("/approvals", &body("order_cancellation", &order))
        .refused(403, "insufficient_scope");
}

fn another_accounts_approvals_are_not_there(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let app = &desk.shop.app;
    let stranger = desk.shop.client.with_key(&app.approving_key(app.account(), "*").0);
    let place = format!("/approvals/{approval}");
    let _ = stranger.get(&place).refused(404, "not_found");
    let comment = json!({"comment": "no"});
    for action in ["approve", "reject", "cancel"] {
        let act = format!("{place}/{action}");
        let reply = match action {
            "cancel" => stranger.act(&act),
            _ => stranger.post(&act, &comment),
        };
        let _ = reply.refused(404, "not_found");
    }
    assert_eq!(stranger.get("/approvals").expect(200)["total"], 0);
    assert_eq!(desk.state(&approval), is("pending", "none"));
}

fn lists_show_what_scopes_cover(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    desk.rule("order_cancellation", &json!([]), &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let (discount, order) = (desk.asked(&mug, 20), desk.paid(&mug));
    let cancellation = super::desk::ticket(&desk.shop.step(&order, "cancelled"));
    let ids = |client: &testkit::Client, query: &str| -> Vec<String> {
        let page = client.get(&format!("/approvals?{query}")).expect(200);
        page["data"].as_array().unwrap().iter().map(super::desk::id).collect()
    };
    let own = &desk.shop.client;
    assert_eq!(ids(own, ""), [cancellation.as_str(), &discount]);
    assert_eq!(ids(own, "entityType=order_discount"), [discount.as_str()]);
    assert_eq!(ids(own, &format!("entityId={order}")), [cancellation.as_str()]);
    assert_eq!(ids(own, "limit=1"), [cancellation.as_str()]);
    let invoices = desk.shop.app.client_of(desk.shop.account, "invoices");
    assert_eq!(ids(&invoices, ""), [""; 0]);
    let _ = invoices.get(&format!("/approvals/{discount}")).refused(403, "insufficient_scope");
}

fn a_decision_survives_a_restart(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.rule("order_discount", &json!([]), &[level(&[&desk.ana, &desk.beto], 2)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    let first = desk.ana.approve(&approval).expect(200);
    let again = desk.shop.app.again().start();
    let place = format!("/approvals/{approval}");
    assert_eq!(desk.ana.client.at(&again).get(&place).expect(200), first);
    let last = desk.beto.client.at(&again).act(&format!("{place}/approve")).expect(200);
    assert_eq!(state(&last), is("approved", "applied"));
    again.stop();
    assert_eq!(desk.read(&approval), last);
}
