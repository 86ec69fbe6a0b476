//! Live accounts and their test accounts: apart from each other, and from what the other is for.

use serde_json::json;
use testkit::{App, DatabaseKind, FakePac, FakeSmtp, on_both};

use crate::invoices::office::{Office, id, item, sale, sale_in_parts};

on_both!(
    a_test_account_sees_nothing_of_the_live_one,
    there_is_one_test_account_for_a_live_one,
    a_live_account_stamps_with_no_sandbox,
    a_test_account_stamps_with_the_sandbox_alone,
    what_the_sandbox_stamped_is_no_part_of_live_documents,
    what_the_sandbox_had_begun_ends_in_a_live_account,
    the_first_credits_of_two_processes_add_up,
    a_test_account_sends_mail_to_testers_alone,
);

const PROVIDER: &str = "/invoices/cfdi/provider";

fn a_test_account_sees_nothing_of_the_live_one(kind: DatabaseKind) {
    let app = App::start(kind);
    let live = app.live_account();
    let test = app.test_account(live);
    let (live_key, test_key) = (app.key(live, "*").0, app.key(test, "*").0);
    assert!(live_key.starts_with("service_") && !live_key.starts_with("service_test_"));
    assert!(test_key.starts_with("service_test_"), "{test_key}");
    let (live, test) = (app.client_of(live, "*"), app.client_of(test, "*"));
    let product = json!({"name": "Taza", "sku": "TAZA", "price": 10, "externalId": "7"});
    let made = id(&live.post("/products", &product).expect(201));
    assert_eq!(test.get("/products").expect(200)["total"], 0);
    let _ = test.get(&format!("/products/{made}")).refused(404, "not_found");
    // Neither a SKU nor an identifier is taken by the other.
    let _ = test.post("/products", &product).expect(201);
    assert_eq!(live.get("/products").expect(200)["total"], 1);
}

fn there_is_one_test_account_for_a_live_one(kind: DatabaseKind) {
    let app = App::start(kind);
    let live = app.live_account();
    let opened = crate::races::at_once(8, |_| app.test_account(live));
    assert!(opened.iter().all(|test| *test == opened[0] && *test != live), "{opened:?}");
    assert_eq!(app.test_account(opened[0]), opened[0], "a test account is its own");
    assert_ne!(app.test_account(app.live_account()), opened[0]);
}

fn a_live_account_stamps_with_no_sandbox(kind: DatabaseKind) {
    let office = Office::live(kind);
    assert_eq!(office.client.get(PROVIDER).expect(200)["provider"], json!(null));
    let draft = office.sale(116.0);
    let message = office.stamp(&draft).refused(409, "provider_missing");
    assert!(message.contains("PUT /invoices/cfdi/provider"), "{message}");
    // What cannot be stamped is not created, spends no folio and no credits.
    let _ =
        office.client.post("/invoices?stamp=true", &sale(116.0)).refused(409, "provider_missing");
    assert_eq!(office.client.get("/invoices").expect(200)["total"], 1);
    assert_eq!(office.read(&draft)["folio"], json!(null));
    assert_eq!(office.credits(), (testkit::invoicing::CREDITS, 0));
    let sandbox = json!({"provider": "sandbox"});
    let message = office.client.send("PUT", PROVIDER, &sandbox).refused(400, "validation_failed");
    assert!(message.contains("provider must be sw or finkok"), "{message}");
}

fn a_test_account_stamps_with_the_sandbox_alone(kind: DatabaseKind) {
    let office = Office::open(kind);
    assert_eq!(office.client.get(PROVIDER).expect(200)["provider"], "sandbox");
    assert_eq!(office.stamped_sale(116.0)["stamp"]["sandbox"], true);
    let sw = json!({"provider": "sw", "user": "ana", "password": "x"});
    let message = office.client.send("PUT", PROVIDER, &sw).refused(400, "validation_failed");
    assert!(message.contains("provider must be sandbox"), "{message}");
    let live = json!({"provider": "sw", "user": "ana", "password": "x", "simulate": {"stamping": "timeout"}});
    let client = office.app.client_of(office.app.live_account(), "*");
    let message = client.send("PUT", PROVIDER, &live).refused(400, "validation_failed");
    assert!(message.contains("simulate"), "{message}");
}

/// Until release 0.1.0 the sandbox stamped for every account.
fn what_the_sandbox_stamped_is_no_part_of_live_documents(kind: DatabaseKind) {
    let pac = FakePac::start();
    let app = App::with(kind).pac(&pac).start();
    let account = app.test_account(app.live_account());
    let office = Office::of_account(app, account);
    let (pretended, in_parts) = (office.stamped_sale(116.0), office.stamped(&sale_in_parts(116.0)));
    let before = json!({"type": "E", "paymentForm": "03", "items": [item(10.0)],
        "related": [{"relation": "01", "uuids": [pretended["uuid"]]}]});
    let before = id(&office.draft(&before));
    let live = format!("UPDATE accounts SET test_of = NULL WHERE id = '{}'", office.account);
    office.app.database.execute(&live);
    let sw = json!({"provider": "sw", "user": FakePac::USER, "password": FakePac::PASSWORD});
    let _ = office.client.send("PUT", PROVIDER, &sw).expect(200);

    let related = json!([{"relation": "01", "uuids": [pretended["uuid"]]}]);
    let mut note = sale(10.0);
    note["type"] = json!("E");
    note["related"] = related;
    let receipt = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(), "paymentForm": "03",
        "amount": 116, "documents": [{"invoiceId": id(&in_parts), "amount": 116}]}]});
    for (body, field) in [(note, "related"), (receipt, "payments")] {
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(message.contains(field) && message.contains("no fiscal value"), "{message}");
    }
    // Nor may one that was made before.
    let message = office.stamp(&before).refused(400, "validation_failed");
    assert!(message.contains("related") && message.contains("no fiscal value"), "{message}");
    assert!(pac.stamps().is_empty());
    let copy = format!("/invoices/{}/copy", id(&pretended));
    let message =
        office.client.post(&copy, &json!({"replace": true})).refused(400, "validation_failed");
    assert!(message.contains("no fiscal value"), "{message}");
    // A copy is another sale.
    let _ = office.client.post(&copy, &json!({})).expect(201);
    // What a provider has stamped is referred to as ever.
    let real = office.stamped_sale(116.0);
    assert_eq!(real["stamp"]["provider"], "sw");
    let related = json!([{"relation": "01", "uuids": [real["uuid"]]}]);
    let _ = office.draft(&json!({"type": "E", "receiver": crate::invoices::office::company(),
        "paymentForm": "03", "items": [item(10.0)], "related": related}));
}

fn a_test_account_sends_mail_to_testers_alone(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let settings = outbound::mail::Settings {
        smtp_url: smtp.url(),
        from: "ventas@tienda.example".to_owned(),
        timeout: std::time::Duration::from_secs(10),
        ca_file: None,
    };
    let app = App::with(kind).mail(settings).testers("ana@tienda.example").start();
    let office = Office::of(app);
    let path = format!("/invoices/{}/email", id(&office.stamped_sale(116.0)));
    let send = |to: &str| office.client.post(&path, &json!({"to": [to]}));
    let message = send("eva@tienda.example").refused(400, "validation_failed");
    assert!(message.contains("to names eva@tienda.example"), "{message}");
    assert!(message.contains("test_mail_to: ana@tienda.example"), "{message}");
    assert!(smtp.emails().is_empty());
    let _ = send("ana@tienda.example").expect(200);
    assert_eq!(smtp.wait_for(1).len(), 1);
}

/// Until release 0.1.0 any account could have the sandbox pretend to be out of reach.
fn what_the_sandbox_had_begun_ends_in_a_live_account(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("timeout", "accept");
    let draft = office.sale(116.0);
    let _ = office.stamp(&draft).refused(504, "provider_timeout");
    let live = format!("UPDATE accounts SET test_of = NULL WHERE id = '{}'", office.account);
    office.app.database.execute(&live);
    office.app.advance_seconds(7_500);
    let stamped = office.until(&draft, |invoice| invoice["status"] == "stamped");
    assert_eq!(stamped["stamp"]["sandbox"], true);
    // Now another can be chosen.
    let sw = json!({"provider": "sw", "user": "ana", "password": "x"});
    let _ = office.client.send("PUT", PROVIDER, &sw).expect(200);
}

fn the_first_credits_of_two_processes_add_up(kind: DatabaseKind) {
    let app = App::start(kind);
    let other = app.again().start();
    for _ in 0..10 {
        let account = app.account();
        std::thread::scope(|scope| {
            scope.spawn(|| app.grant(account, 1_000));
            other.grant(account, 500);
        });
        let client = app.client_of(account, "*");
        assert_eq!(client.get("/credits").expect(200)["available"], 1_500);
    }
}
