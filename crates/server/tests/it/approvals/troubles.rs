//! What holds when the database refuses, or holds what cannot be read.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::desk::{Desk, id, is, level, state};

on_both!(
    in_spanish:
    a_decision_and_its_effect_are_there_together_or_not_at_all,
    what_cannot_be_read_opens_nothing,
);

/// Lets no decision be recorded, which is the last thing that a decision does.
fn refuse_decisions(desk: &Desk, kind: DatabaseKind) {
    desk.shop.app.database.execute(match kind {
        DatabaseKind::Sqlite => {
            "CREATE TRIGGER none BEFORE INSERT ON approval_decisions \
             BEGIN SELECT RAISE(ABORT, 'none'); END"
        }
        DatabaseKind::Postgres => {
            "ALTER TABLE approval_decisions ADD CONSTRAINT none CHECK (person = '') NOT VALID"
        }
    });
}

fn accept_decisions(desk: &Desk, kind: DatabaseKind) {
    desk.shop.app.database.execute(match kind {
        DatabaseKind::Sqlite => "DROP TRIGGER none",
        DatabaseKind::Postgres => "ALTER TABLE approval_decisions DROP CONSTRAINT none",
    });
}

fn a_decision_and_its_effect_are_there_together_or_not_at_all(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    desk.rule("order_cancellation", &json!([]), &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let (discount, order) = (desk.asked(&mug, 20), desk.paid(&mug));
    let cancellation = super::desk::ticket(&desk.shop.step(&order, "cancelled"));
    let before = [&discount, &cancellation].map(|approval| desk.read(approval));
    let events = desk.shop.app.database.event_names(desk.shop.account);

    refuse_decisions(&desk, kind);
    for approval in [&discount, &cancellation] {
        let broken = desk.ana.approve(approval);
        assert!([500, 503].contains(&broken.status), "{}", broken.text);
    }
    assert_eq!([&discount, &cancellation].map(|approval| desk.read(approval)), before);
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (1, 8));
    assert_eq!(desk.shop.read(&order).json()["status"], "paid");
    assert_eq!(desk.shop.app.database.event_names(desk.shop.account), events);

    accept_decisions(&desk, kind);
    for approval in [&discount, &cancellation] {
        assert_eq!(state(&desk.ana.approve(approval).expect(200)), is("approved", "applied"));
    }
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (2, 8));
}

fn what_cannot_be_read_opens_nothing(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = id(&desk.guard_discounts());
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let [one, broken, other] = [20, 30, 40].map(|percent| desk.asked(&mug, percent));
    let database = &desk.shop.app.database;
    database.execute(&format!("UPDATE approvals SET facts = '{{' WHERE id = '{broken}'"));
    let page = desk.shop.client.get("/approvals").expect(200);
    let shown: Vec<_> = page["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!((shown, &page["total"]), (vec![other, one], &json!(3)));
    let _ = desk.ana.approve(&broken).refused(500, "internal_error");
    // A rule that cannot be read is not passed over.
    database.execute(&format!("UPDATE approval_rules SET conditions = '{{' WHERE id = '{rule}'"));
    assert_eq!(desk.ana.client.get("/approval-rules").expect(200)["data"], json!([]));
    let cart = desk.cart(&mug, 50);
    let _ = desk.shop.client.post("/orders", &cart).refused(500, "internal_error");
    let _ = desk.shop.order(&[(&mug, 1)]);
    assert_eq!(desk.shop.orders(), 1);
}
