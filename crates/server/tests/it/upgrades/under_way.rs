//! What the earlier release had begun is finished: once.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Receiver, on_both};

use super::release::{Merchant, Release};
use crate::webhooks::audience::{standard_signature, until};

on_both!(
    deliveries_arrive_signed_with_their_secrets,
    stampings_end_in_one_stamp_and_one_charge,
    a_requested_cancellation_is_followed,
);

/// Longer than any pause before another attempt.
const PAUSE_SECONDS: i64 = 7_500;

fn list(client: &Client, path: &str) -> Vec<Value> {
    client.get(path).expect(200)["data"].as_array().unwrap().clone()
}

/// Points the webhooks of the earlier release to a receiver of now, and delivers.
fn delivered_to(receiver: &Receiver, app: App, merchant: &Merchant) -> App {
    let client = &merchant.client(&app);
    for hook in list(client, "/webhooks?limit=100") {
        let id = hook["id"].as_str().unwrap();
        let url = receiver.url(&format!("/{id}"));
        let _ = client.patch(&format!("/webhooks/{id}"), &json!({"url": url})).expect(200);
    }
    let again = app.again().delivering();
    app.stop();
    again.start()
}

fn deliveries_arrive_signed_with_their_secrets(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let receiver = Receiver::start();
        let app = release.continued().start();
        let [merchant, _] = release.merchants();
        let waiting = waiting(&merchant.client(&app));
        assert!(waiting.len() > 5, "{waiting:?}");
        let replayed = app.database.lines(&format!(
            "SELECT e.id AS line FROM events e JOIN replays r ON r.account_id = e.account_id \
             WHERE e.account_id = '{}' AND e.name = 'contact.created' AND e.created_at < r.until",
            merchant.account
        ));
        assert!(replayed.len() > 2, "{replayed:?}");
        // Before anything is on its way: whose claim expires meanwhile would be sent again.
        app.advance_seconds(PAUSE_SECONDS);
        let app = delivered_to(&receiver, app, &merchant);
        let client = merchant.client(&app);
        let came = waiting.len() + replayed.len();
        receiver.wait_for(came);
        until(
            || Some(()).filter(|()| self::waiting(&client).is_empty()),
            || self::waiting(&client),
        );
        assert_eq!(receiver.received().len(), came, "each once");
        // The secret of a webhook whose secret was never replaced is in the answer that made it.
        let made = release.kept().iter().filter(|call| call["path"] == "/webhooks");
        let secrets =
            made.map(|call| serde_json::from_str::<Value>(call["answer"].as_str().unwrap()));
        let mut signed = 0;
        for made in secrets.map(Result::unwrap) {
            let path = format!("/{}", made["id"].as_str().unwrap());
            for request in receiver.received_at(&path) {
                let signature = standard_signature(made["secret"].as_str().unwrap(), &request);
                let told = request.header("webhook-signature").unwrap();
                assert!(told.split(' ').any(|one| one == signature), "{path}");
                signed += 1;
            }
        }
        assert_eq!(signed, came);
    }
}

/// The deliveries of every webhook that are not finished.
fn waiting(client: &Client) -> Vec<Value> {
    let of_hook = |hook: &Value| {
        let id = hook["id"].as_str().unwrap();
        list(client, &format!("/webhooks/{id}/deliveries?limit=100&state=attempting"))
    };
    list(client, "/webhooks?limit=100").iter().flat_map(of_hook).collect()
}

fn stampings_end_in_one_stamp_and_one_charge(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let app = release.continued().start();
        let [merchant, _] = release.merchants();
        let client = merchant.client(&app);
        let before = list(&client, "/invoices?status=stamping");
        assert!(!before.is_empty());
        app.advance_seconds(PAUSE_SECONDS);
        for invoice in before {
            let id = invoice["id"].as_str().unwrap();
            let read = || client.get(&format!("/invoices/{id}")).expect(200);
            let stamped = until(|| Some(read()).filter(|now| now["status"] != "stamping"), read);
            assert_eq!(
                (&stamped["status"], &stamped["lastError"]),
                (&json!("stamped"), &json!(null))
            );
            assert_eq!(stamped["folio"], invoice["folio"]);
            let ledger = list(&client, &format!("/credits/ledger?invoiceId={id}"));
            let kinds: Vec<_> =
                ledger.iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
            assert_eq!(kinds, ["commit", "reserve"], "newest first");
            let uuid = stamped["uuid"].as_str().unwrap();
            let stamps = format!("SELECT uuid AS line FROM sandbox_stamps WHERE uuid = '{uuid}'");
            assert_eq!(app.database.lines(&stamps).len(), 1);
        }
    }
}

fn a_requested_cancellation_is_followed(kind: DatabaseKind) {
    for release in Release::every(kind) {
        let app = release.continued().start();
        let [merchant, _] = release.merchants();
        let client = merchant.client(&app);
        let requested = |invoice: &Value| invoice["cancellation"]["status"] == "requested";
        let all = list(&client, "/invoices?limit=100");
        let before: Vec<_> = all.into_iter().filter(requested).collect();
        assert!(!before.is_empty());
        app.advance_seconds(PAUSE_SECONDS);
        for invoice in before {
            let id = invoice["id"].as_str().unwrap();
            let read = || client.get(&format!("/invoices/{id}")).expect(200);
            let ended = until(|| Some(read()).filter(|now| !requested(now)), read);
            assert_eq!(
                (&ended["status"], &ended["cancellation"]["status"]),
                (&json!("cancelled"), &json!("accepted"))
            );
        }
    }
}
