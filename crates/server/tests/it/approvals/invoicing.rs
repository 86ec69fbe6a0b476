//! Cancellations of invoices, which others than the approvers decide about in the end.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use super::desk::{Approver, is, level, state, ticket};
use crate::invoices::office::{Office, id};

on_both!(
    an_approved_cancellation_is_asked_for_once,
    what_cannot_be_cancelled_asks_nobody,
    an_invoice_that_has_changed_supersedes,
    a_refusal_of_the_provider_is_the_result,
);

struct Desk {
    office: Office,
    ana: Approver,
}

impl Desk {
    /// An office whose cancellations of more than so much are approved.
    fn open(app: App) -> Self {
        let office = Office::of(app);
        let (text, key) = office.app.approving_key(office.account, "invoices");
        let ana = Approver { client: office.client.with_key(&text), key: key.to_string() };
        let conditions = json!([{"field": "total", "op": "gt", "value": 100},
            {"field": "motive", "op": "ne", "value": "01"}]);
        let rule = json!({"entityType": "invoice_cancellation", "currency": "MXN",
            "conditions": conditions, "levels": [level(&[&ana], 1)]});
        let _ = ana.client.post("/approval-rules", &rule).expect(201);
        Self { office, ana }
    }

    /// An approval once what it has led to is known.
    #[track_caller]
    fn settled(&self, approval: &str) -> Value {
        let client: &Client = &self.ana.client;
        client.once(&format!("/approvals/{approval}"), |seen| seen["effect"] != "queued")
    }
}

fn an_approved_cancellation_is_asked_for_once(kind: DatabaseKind) {
    let desk = Desk::open(App::start(kind));
    let small = id(&desk.office.stamped_sale(100.0));
    assert_eq!(desk.office.cancel(&small, "02").expect(200)["status"], "cancelled");
    let invoice = id(&desk.office.stamped_sale(116.0));
    let cancel = || {
        let body = json!({"reason": "02"});
        desk.office.client.post_once(&format!("/invoices/{invoice}/cancel"), "k", &body)
    };
    let approval = ticket(&cancel());
    assert_eq!(ticket(&desk.office.cancel(&invoice, "02")), approval);
    assert_eq!(desk.office.read(&invoice)["cancellation"]["status"], "none");
    let asked = desk.ana.client.get(&format!("/approvals/{approval}")).expect(200);
    assert_eq!(asked["facts"], json!({"total": 116, "motive": "02", "ageDays": 0}));

    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!(approved["status"], "approved");
    let settled = desk.settled(&approval);
    assert_eq!(state(&settled), is("approved", "applied"));
    assert_eq!(settled["result"]["status"], 200);
    let cancelled = desk.office.read(&invoice);
    assert_eq!(
        (&cancelled["status"], &settled["result"]["body"]),
        (&json!("cancelled"), &cancelled)
    );
    assert_eq!(ticket(&cancel()), approval, "the key is answered as it was");
    let jobs = format!("/jobs?kind=invoices.cancel_approved&subject={invoice}");
    let jobs = desk.office.client.get(&jobs).expect(200);
    assert_eq!((&jobs["total"], &jobs["data"][0]["status"]), (&json!(1), &json!("succeeded")));
    let events = desk.office.app.database.events(desk.office.account, "approval.decided");
    assert_eq!(events.len(), 1);
}

fn what_cannot_be_cancelled_asks_nobody(kind: DatabaseKind) {
    let desk = Desk::open(App::start(kind));
    let draft = desk.office.sale(116.0);
    let _ = desk.office.cancel(&draft, "02").refused(409, "invalid_transition");
    let _ = desk.office.cancel(&draft, "05").refused(400, "invalid_cancellation_reason");
    let _ = desk.office.cancel("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV", "02").refused(404, "not_found");
    assert_eq!(desk.ana.client.get("/approvals").expect(200)["total"], 0);
}

fn an_invoice_that_has_changed_supersedes(kind: DatabaseKind) {
    let desk = Desk::open(App::start(kind));
    let invoice = id(&desk.office.stamped_sale(116.0));
    let (one, other) =
        (ticket(&desk.office.cancel(&invoice, "02")), ticket(&desk.office.cancel(&invoice, "03")));
    let _ = desk.ana.approve(&one).expect(200);
    assert_eq!(state(&desk.settled(&one)), is("approved", "applied"));
    assert_eq!(state(&desk.ana.approve(&other).expect(200)), is("superseded", "none"));
    assert_eq!(desk.office.read(&invoice)["cancellation"]["reason"], "02");
}

fn a_refusal_of_the_provider_is_the_result(kind: DatabaseKind) {
    let desk = Desk::open(App::start(kind));
    let invoice = id(&desk.office.stamped_sale(116.0));
    let approval = ticket(&desk.office.cancel(&invoice, "02"));
    // Nothing can sign the request any more.
    let certificates = "/invoices/cfdi/issuer/certificates";
    let listed = desk.office.client.get(certificates).expect(200);
    for certificate in listed["data"].as_array().unwrap() {
        let _ =
            desk.office.client.delete(&format!("{certificates}/{}", id(certificate))).expect(200);
    }
    let _ = desk.ana.approve(&approval).expect(200);
    let settled = desk.settled(&approval);
    assert_eq!(state(&settled), is("approved", "failed"));
    let result = &settled["result"];
    assert_eq!(
        (&result["status"], &result["body"]["error"]),
        (&json!(409), &json!("certificate_missing"))
    );
    assert_eq!(desk.office.read(&invoice)["status"], "stamped");
}
