//! What goes wrong while a period is invoiced: nothing is lost, nothing is done twice, and the next day follows.

use std::collections::HashMap;

use ::invoices::global::{Drafted, GlobalQueue};
use kernel::{Actor, Timestamp};
use serde_json::{Value, json};
use tasks::{Task, TaskId, TaskOffice, TaskQueue, Want, kind::GLOBAL};
use testkit::{App, DatabaseKind, on_both};

use super::{Shop, at, daily, id, with};
use crate::invoices::office::Office;

on_both!(
    without_credits_the_draft_stays_and_the_next_day_follows,
    a_run_outlives_the_process_that_began_it,
    what_is_invoiced_in_between_is_left_out,
    a_provider_that_is_away_is_asked_again,
    a_branch_that_is_gone_is_told_and_the_next_day_follows,
    an_abandoned_run_is_followed_by_the_next,
);

/// Codes and subjects of the failures that were told. The feed shows them when nobody on the same server, in whatever database,
/// writes any more what was begun before.
fn failures(office: &Office, count: usize) -> Vec<(String, String)> {
    let path = "/events?limit=100&events=invoice.stamp_failed";
    let page = office.client.once(path, |feed| feed["data"].as_array().unwrap().len() >= count);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let events = page["data"].as_array().unwrap().iter();
    events.map(|event| (text(&event["data"]["code"]), text(&event["data"]["id"]))).collect()
}

fn without_credits_the_draft_stays_and_the_next_day_follows(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    let client = app.client_of(account, "*");
    let shop = Shop::of(Office { app, account, client }, "2026-12-14");
    let _ = shop.set(&daily());
    let first = shop.sold();
    shop.wait_for("2026-12-15");
    let left = shop.result("2026-12-14/2026-12-14")["invoices"][0].clone();
    assert_eq!(
        (&left["status"], &left["error"]["code"]),
        (&json!("draft"), &json!("insufficient_credits"))
    );
    let seen = shop.office.read(&id(&left));
    let told = |seen: &Value| seen["lastError"]["message"].as_str().unwrap().to_owned();
    assert_eq!(seen["lastError"]["code"], "insufficient_credits");
    assert_eq!(told(&seen), "a stamp takes 10 credits and 0 are available");
    let spanish = shop.office.in_spanish(&format!("/invoices/{}", id(&left)));
    assert_eq!(told(&spanish), "un timbre cuesta 10 créditos y hay 0 disponibles");
    assert_eq!(failures(&shop.office, 1), [("insufficient_credits".to_owned(), id(&left))]);

    shop.office.app.grant(account, 100);
    let second = shop.sold();
    shop.wait_for("2026-12-16");
    let next = shop.result("2026-12-15/2026-12-15")["invoices"][0].clone();
    assert_eq!((&next["status"], &shop.orders(&next)), (&json!("stamped"), &json!([second])));
    let stamped = shop.office.stamp(&id(&left)).expect(200);
    assert_eq!((&stamped["orderIds"], &stamped["lastError"]), (&json!([first]), &json!(null)));
    assert_eq!(shop.office.credits(), (80, 0));
}

/// When the run of 14 December is due.
fn due() -> Timestamp {
    at("2026-12-15T06:01:00Z")
}

/// That run, claimed as another process would, before the service does.
fn claimed(shop: &Shop) -> Task {
    let want = Want {
        kind: GLOBAL.name,
        version: GLOBAL.version,
        room: 1,
        room_per_account: 1,
        busy: HashMap::new(),
    };
    // A second before it is due for the service: what is written far ahead of its clock may be taken from anybody.
    shop.office.app.advance_to(due().plus_seconds(-1));
    let (store, until) = (shop.office.app.store(), due().plus_seconds(30));
    let claimed = TaskQueue::claim(&**store, vec![want], due(), until).wait();
    claimed.unwrap().unwrap().value.pop().expect("the run")
}

/// Makes the next draft of a run.
fn drafted(shop: &Shop, task: &Task) -> Drafted {
    shop.office.app.store().draft_next(task, due()).wait().unwrap().unwrap().value
}

/// Whoever has begun dies after the first draft.
fn a_run_outlives_the_process_that_began_it(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&with(daily(), &json!({"ticketsPerInvoice": 1})));
    let [first, second] = [shop.sold(), shop.sold()];
    let task = claimed(&shop);
    let Drafted::Made(run) = drafted(&shop, &task) else { panic!("no draft") };
    let made = run.invoices[0].id.to_string();

    shop.office.app.advance_to(due().plus_seconds(60));
    let result = shop.result("2026-12-14/2026-12-14");
    let invoices = result["invoices"].as_array().unwrap();
    assert_eq!((invoices.len(), id(&invoices[0])), (2, made));
    for (invoice, order) in invoices.iter().zip([first, second]) {
        assert_eq!(
            (&invoice["status"], &shop.orders(invoice)),
            (&json!("stamped"), &json!([order]))
        );
        assert_eq!(shop.office.ledger(&id(invoice)).len(), 2, "one charge");
    }
    // Who was given up for dead makes nothing any more.
    assert_eq!(drafted(&shop, &task), Drafted::Lost);
    assert_eq!(shop.office.client.get("/invoices").expect(200)["total"], 2);
    assert_eq!(shop.jobs("2026-12-15/2026-12-15").len(), 1);
}

fn what_is_invoiced_in_between_is_left_out(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&with(daily(), &json!({"ticketsPerInvoice": 1})));
    let [first, own, last] = [shop.sold(), shop.sold(), shop.sold()];
    let task = claimed(&shop);
    assert!(matches!(drafted(&shop, &task), Drafted::Made(_)));
    let invoice = shop.office.draft(&json!({"orderId": own, "paymentForm": "03"}));
    let Drafted::Made(run) = drafted(&shop, &task) else { panic!("no draft") };
    let made = run.invoices.iter().map(|made| shop.office.read(&made.id.to_string()));
    let orders: Vec<Value> = made.map(|made| made["orderIds"].clone()).collect();
    assert_eq!(orders, [json!([first]), json!([last])]);
    assert_eq!(drafted(&shop, &task), Drafted::All(run));
    assert_eq!(shop.orders(&invoice), json!([own]));
}

fn a_provider_that_is_away_is_asked_again(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&daily());
    let sold = shop.sold();
    shop.office.simulate("unavailable", "accept");
    shop.wait_for("2026-12-15");
    let days = "2026-12-14/2026-12-14";
    let path = format!("/jobs?kind=invoices.global&subject={days}");
    let page = shop.office.client.once(&path, |page| page["data"][0]["attempts"] == 1);
    assert_eq!(page["data"][0]["status"], "queued");
    // Whatever is set now, what has begun ends as it was asked for.
    let _ = shop.set(&with(daily(), &json!({"delayHours": 1})));
    shop.office.simulate("normal", "accept");
    shop.office.app.advance_seconds(60);
    let invoice = shop.result(days)["invoices"][0].clone();
    assert_eq!((&invoice["status"], &shop.orders(&invoice)), (&json!("stamped"), &json!([sold])));
    assert_eq!(shop.office.credits(), (990, 0));
    let next = &shop.jobs("2026-12-15/2026-12-15")[0];
    assert_eq!(next["nextAttemptAt"], "2026-12-16T07:00:00.000Z");
}

fn a_branch_that_is_gone_is_told_and_the_next_day_follows(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let branch = json!({"name": "Norte", "placeOfIssue": "42501"});
    let branch = id(&shop.office.make("/invoices/cfdi/branches", &branch));
    let _ = shop.set(&with(daily(), &json!({"branchId": branch})));
    let sold = shop.sold();
    let _ = shop.office.client.delete(&format!("/invoices/cfdi/branches/{branch}")).expect(200);
    shop.wait_for("2026-12-15");
    let job = shop.ended("2026-12-14/2026-12-14");
    assert_eq!(job["status"], "failed");
    assert_eq!(job["lastError"], "branchId names no branch of this account");
    let spanish = shop.office.in_spanish(&format!("/jobs/{}", id(&job)));
    assert!(spanish["lastError"].as_str().unwrap().starts_with("branchId no "), "{spanish}");
    assert_eq!(job["result"], Value::Null);
    // The next day's, and by hand what was left.
    let _ = shop.set(&daily());
    let wanted = json!({"date": "2026-12-14"});
    let by_hand = shop.office.client.post("/invoices/global", &wanted).expect(202);
    let by_hand = shop.office.ended(&id(&by_hand));
    assert_eq!(shop.orders(&by_hand["result"]["invoices"][0]), json!([sold]));
    shop.wait_for("2026-12-16");
    assert_eq!(shop.result("2026-12-15/2026-12-15")["invoices"], json!([]));
}

fn an_abandoned_run_is_followed_by_the_next(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let _ = shop.set(&daily());
    let job = shop.jobs("2026-12-14/2026-12-14")[0].clone();
    let _ = shop.office.client.act(&format!("/jobs/{}/cancel", id(&job))).refused(409, "conflict");
    let task = TaskId::parse(&id(&job)).unwrap();
    let (actor, note) = (Actor::Operator("ana".into()), "invoiced elsewhere".to_owned());
    let given_up = shop.office.app.store().abandon(task, actor, note, shop.office.app.now());
    let _ = given_up.wait().unwrap().unwrap();
    assert_eq!(shop.ended("2026-12-14/2026-12-14")["status"], "cancelled");
    let _ = shop.sold();
    shop.wait_for("2026-12-16");
    assert_eq!(shop.result("2026-12-15/2026-12-15")["tickets"], 0);
    assert_eq!(shop.jobs("2026-12-16/2026-12-16")[0]["status"], "queued");
}
