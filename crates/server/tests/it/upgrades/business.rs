//! Business goes on with what the earlier release left.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, FakePac, on_both};

use super::release::Release;
use crate::orders::shop::id;

on_both!(
    orders_are_placed_and_moved,
    invoices_are_stamped_paid_and_cancelled,
    sealed_credentials_reach_their_provider,
    what_has_served_its_time_is_removed,
);

fn list(client: &Client, path: &str) -> Vec<Value> {
    client.get(path).expect(200)["data"].as_array().unwrap().clone()
}

/// Runs a story with both merchants of every release.
fn with_each(kind: DatabaseKind, story: impl Fn(&App, &Client)) {
    for release in Release::every(kind) {
        let app = release.continued().start();
        for merchant in release.merchants() {
            story(&app, &merchant.client(&app));
        }
    }
}

fn orders_are_placed_and_moved(kind: DatabaseKind) {
    with_each(kind, |_, client| {
        let before = client.get("/orders?limit=100").expect(200);
        let pending = |order: &&Value| order["status"] == "pending";
        let old = before["data"].as_array().unwrap().iter().find(pending).unwrap();
        let item = &old["items"][0];
        let product = format!("/products/{}", item["productId"].as_str().unwrap());
        let stock = || client.get(&product).expect(200)["inventory"].as_i64().unwrap();
        let stock_before = stock();

        let cart = json!({"customerId": old["customerId"],
            "items": [{"productId": item["productId"], "quantity": 2}]});
        let placed = client.post_once("/orders", "after the upgrade", &cart);
        assert_eq!(placed.status, 201, "{}", placed.text);
        assert_eq!(client.post_once("/orders", "after the upgrade", &cart).text, placed.text);
        let number = format!("ORD-{:06}", before["total"].as_u64().unwrap() + 1);
        assert_eq!(placed.json()["orderNumber"], number, "numbers go on");
        assert_eq!(stock(), stock_before - 2);

        let cancelled = json!({"status": "cancelled", "reason": "Se arrepintió"});
        let _ = client.patch(&format!("/orders/{}", id(old)), &cancelled).expect(200);
        assert_eq!(stock(), stock_before - 2 + item["quantity"].as_i64().unwrap());
        let steps = ["paid", "shipped", "delivered"];
        for status in steps {
            let place = format!("/orders/{}", id(&placed.json()));
            let _ = client.patch(&place, &json!({"status": status})).expect(200);
        }
        let _ = client.patch(&product, &json!({"price": 25, "inventory": 500})).expect(200);
        for lead in list(client, "/crm/leads?status=qualified") {
            let _ = client.act(&format!("/crm/leads/{}/convert", id(&lead))).expect(200);
        }
    });
}

fn invoices_are_stamped_paid_and_cancelled(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let app = release.continued().start();
        let [merchant, other] = release.merchants();
        let client = merchant.client(&app);
        let draft = id(&list(&client, "/invoices?status=draft")[0]);
        let stamp = format!("/invoices/{draft}/timbrar");
        let _ = client.act(&stamp).refused(409, "provider_missing");
        // From here on as what the sandbox stamps for today: a test account.
        let (test, live) = (&merchant.account, &other.account);
        app.database
            .execute(&format!("UPDATE accounts SET test_of = '{live}' WHERE id = '{test}'"));
        for draft in list(&client, "/invoices?status=draft") {
            let place = format!("/invoices/{}", id(&draft));
            let _ = client.patch(&place, &json!({"notes": "Gracias"})).expect(200);
            let stamped = client.act(&format!("{place}/timbrar")).expect(200);
            assert_eq!(stamped["status"], "stamped");
            assert!(client.get(&format!("{place}/xml")).text.contains("TimbreFiscalDigital"));
        }
        let owed = |invoice: &Value| invoice["balance"].as_f64().is_some_and(|left| left > 0.0);
        let invoices = list(&client, "/invoices?limit=100");
        let owed = invoices.iter().find(|invoice| owed(invoice)).unwrap();
        let receipt = json!({"type": "P", "payments": [{"paidAt": app.now().to_string(),
            "paymentForm": "03", "amount": owed["balance"],
            "documents": [{"invoiceId": owed["id"], "amount": owed["balance"]}]}]});
        let receipt = id(&client.post("/invoices", &receipt).expect(201));
        let _ = client.act(&format!("/invoices/{receipt}/timbrar")).expect(200);
        let paid = client.get(&format!("/invoices/{}", id(owed))).expect(200);
        assert_eq!((&paid["balance"], &paid["installments"]), (&json!(0), &json!(2)));

        let is_small = |invoice: &&Value| {
            invoice["status"] == "stamped"
                && invoice["total"] == 116.0
                && invoice["balance"].is_null()
        };
        let small = list(&client, "/invoices?limit=100");
        let small = small.iter().find(is_small).unwrap();
        let cancel = format!("/invoices/{}/cancel", id(small));
        let cancelled = client.post(&cancel, &json!({"reason": "02"})).expect(200);
        assert_eq!(cancelled["status"], "cancelled");
    }
}

fn sealed_credentials_reach_their_provider(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let pac = FakePac::start();
        let app = release.continued().pac(&pac).start();
        let [_, merchant] = release.merchants();
        let client = merchant.client(&app);
        for draft in list(&client, "/invoices?status=draft") {
            let stamped = client.act(&format!("/invoices/{}/timbrar", id(&draft))).expect(200);
            assert_eq!(stamped["stamp"]["provider"], "sw");
        }
        assert_eq!(pac.stamps().len(), 1);
    }
}

fn what_has_served_its_time_is_removed(kind: DatabaseKind) {
    const DAY_SECONDS: i64 = 86_400;
    for release in Release::every(kind) {
        let app = release.continued().start();
        let answers = || app.database.lines("SELECT key AS line FROM idempotency_answers");
        app.housekeep();
        assert_eq!(answers().len(), release.kept().len());
        app.advance_seconds(2 * DAY_SECONDS);
        app.housekeep();
        assert_eq!(answers(), [""; 0]);
    }
}
