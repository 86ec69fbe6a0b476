//! The certification provider: chosen, and called with secrets that nobody is shown.

use std::thread;

use serde_json::{Value, json};
use testkit::{Client, DatabaseKind, FakePac, on_both};

use super::office::{Office, id, is_moment};

on_both!(
    the_sandbox_is_there_from_the_start,
    secrets_are_nowhere_to_be_read,
    what_does_not_go_together_is_refused,
    secrets_that_are_left_out_stay,
    a_stale_version_of_the_provider_is_refused,
    the_chosen_provider_stamps,
);

const PROVIDER: &str = "/invoices/cfdi/provider";

fn choose(client: &Client, choice: &Value) -> testkit::Reply {
    client.send("PUT", PROVIDER, choice)
}

fn the_sandbox_is_there_from_the_start(kind: DatabaseKind) {
    let office = Office::open(kind);
    let none = json!({"stamping": "normal", "cancellation": "accept"});
    let shown = office.client.get(PROVIDER).expect(200);
    let usual = json!({"provider": "sandbox", "user": null, "simulate": none, "updatedAt": null});
    assert_eq!(shown, usual);
    let stamped = office.stamped_sale(116.0);
    assert_eq!(
        (&stamped["stamp"]["provider"], &stamped["stamp"]["sandbox"]),
        (&json!("sandbox"), &json!(true))
    );
    let pending = json!({"provider": "sandbox", "simulate": {"cancellation": "pending"}});
    let chosen = choose(&office.client, &pending).expect(200);
    assert_eq!(chosen["simulate"], json!({"stamping": "normal", "cancellation": "pending"}));
    assert!(is_moment(&chosen["updatedAt"]), "{chosen}");
    assert_eq!(office.client.get(PROVIDER).expect(200), chosen);
    assert_eq!(choose(&office.client, &chosen).expect(200)["simulate"], chosen["simulate"]);
}

fn secrets_are_nowhere_to_be_read(kind: DatabaseKind) {
    let office = Office::live(kind);
    let (password, token) = ("hunter2-zapato", "ficha.violeta.4711");
    let by_password = json!({"provider": "sw", "user": "ana@tienda.example", "password": password});
    let by_token = json!({"provider": "sw", "token": token});
    for choice in [by_password, by_token] {
        let chosen = choose(&office.client, &choice);
        let shown = office.client.get(PROVIDER);
        assert_eq!(chosen.json(), shown.json());
        assert_eq!(shown.json()["user"], choice["user"]);
        let texts = office.app.database.texts();
        let kept = |text: &&String| {
            text.starts_with("certification_providers.credentials: ")
                || text.starts_with("invoice_providers.credentials: ")
        };
        assert!(texts.iter().any(|text| kept(&text)), "credentials were looked at");
        for text in texts.iter().chain([&chosen.text, &shown.text]) {
            assert!(!text.contains(password) && !text.contains(token), "{text}");
        }
    }
}

fn what_does_not_go_together_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let cases = [
        (json!({}), "provider"),
        (json!({"provider": "pac"}), "provider"),
        (json!({"provider": "sandbox", "user": "a"}), "provider"),
        (json!({"provider": "sandbox", "token": "t"}), "provider"),
        (json!({"provider": "sw"}), "user"),
        (json!({"provider": "sw", "user": "a"}), "password"),
        (json!({"provider": "sw", "password": "p"}), "user"),
        (json!({"provider": "sw", "user": "a", "password": "p", "token": "t"}), "token"),
        (json!({"provider": "finkok", "token": "t"}), "token"),
        (json!({"provider": "finkok", "user": "a"}), "password"),
        (json!({"provider": "sandbox", "simulate": {"stamping": "late"}}), "simulate.stamping"),
        (json!({"provider": "sandbox", "simulate": {"cancellation": 1}}), "simulate.cancellation"),
        (json!({"provider": "sandbox", "url": "http://x"}), "url"),
    ];
    for (choice, field) in cases {
        let message = choose(&office.client, &choice).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message:?}");
    }
    assert_eq!(office.client.get(PROVIDER).expect(200)["updatedAt"], json!(null));
}

fn secrets_that_are_left_out_stay(kind: DatabaseKind) {
    let pac = FakePac::start();
    let office = Office::of(testkit::App::with(kind).pac(&pac).start());
    let by_password =
        json!({"provider": "sw", "user": FakePac::USER, "password": FakePac::PASSWORD});
    let chosen = choose(&office.client, &by_password).expect(200);
    // What was read can be sent back, and the password is still known.
    let again = choose(&office.client, &chosen).expect(200);
    assert_eq!((&again["provider"], &again["user"]), (&json!("sw"), &json!(FakePac::USER)));
    assert_eq!(office.stamped_sale(116.0)["stamp"]["provider"], "sw");
    let other = json!({"provider": "sw", "user": "otra@tienda.example"});
    assert!(choose(&office.client, &other).refused(400, "validation_failed").contains("password"));
    let elsewhere = json!({"provider": "finkok", "user": FakePac::USER});
    let _ = choose(&office.client, &elsewhere).refused(400, "validation_failed");
    // Whoever has gone to another has given the secrets up.
    let other = json!({"provider": "finkok", "user": FakePac::USER, "password": "x"});
    let _ = choose(&office.client, &other).expect(200);
    let _ = choose(&office.client, &json!({"provider": "sw"})).refused(400, "validation_failed");
}

fn a_stale_version_of_the_provider_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let first = office.client.get(PROVIDER).header("etag").unwrap().to_owned();
    let second = choose_if(&office, &first).header("etag").unwrap().to_owned();
    assert_ne!(first, second);
    let _ = choose_if(&office, &first).refused(412, "precondition_failed");
    assert_eq!(choose_if(&office, &second).status, 200);
}

fn choose_if(office: &Office, tag: &str) -> testkit::Reply {
    let request = office.client.request("PUT", PROVIDER).header("If-Match", tag);
    let choice = json!({"provider": "sandbox"}).to_string();
    testkit::Reply::to(request.header("Content-Type", "application/json").body(choice))
}

/// Not even where that is changed after it was looked at.
#[test]
fn a_provider_that_somebody_else_chooses_meanwhile_stays() {
    let office = Office::open(DatabaseKind::Postgres);
    let chosen = json!({"provider": "sandbox", "simulate": {"cancellation": "pending"}});
    let seen = choose(&office.client, &chosen).header("etag").unwrap().to_owned();
    let mut held = office.app.database.hold("SELECT FROM issuers FOR UPDATE");
    let reply = thread::scope(|scope| {
        let choosing = scope.spawn(|| choose_if(&office, &seen));
        held.wait_for(1, || choosing.is_finished());
        held.go_on("UPDATE certification_providers SET updated_at = updated_at + 1000000");
        held.commit();
        choosing.join().unwrap()
    });
    let _ = reply.refused(412, "precondition_failed");
    let shown = office.client.get(PROVIDER).expect(200);
    assert_eq!(shown["simulate"]["cancellation"], "pending");
}

fn the_chosen_provider_stamps(kind: DatabaseKind) {
    let pac = FakePac::start();
    let office = Office::of(testkit::App::with(kind).pac(&pac).start());
    let user = json!({"user": FakePac::USER, "password": FakePac::PASSWORD});
    let token = json!({"token": FakePac::TOKEN});
    for (provider, credentials) in [("sw", &user), ("sw", &token), ("finkok", &user)] {
        let mut choice = credentials.clone();
        choice["provider"] = json!(provider);
        let _ = choose(&office.client, &choice).expect(200);
        let stamped = office.stamped_sale(116.0);
        assert_eq!(stamped["stamp"]["provider"], provider);
        assert_eq!(stamped["stamp"]["sandbox"], false);
        let path = format!("/invoices/{}/xml", id(&stamped));
        assert!(office.client.get(&path).text.contains(stamped["uuid"].as_str().unwrap()));
    }
    assert_eq!(pac.stamps().len(), 3);
}
