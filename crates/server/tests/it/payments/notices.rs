//! Notifications of providers, which come without a key.

use serde_json::json;
use testkit::{App, DatabaseKind, Receiver, Reply, on_both};

use super::till::Till;
use crate::orders::shop::id;

on_both!(
    what_is_no_notification_is_refused,
    forged_ones_are_limited,
    a_dead_one_is_looked_into_again,
    those_of_the_sandbox_go_to_the_public_address
);

fn what_is_no_notification_is_refused(kind: DatabaseKind) {
    let till = Till::open(kind);
    let _ = till.by_card(10.0);
    let hook =
        |provider: &str, account: &str| format!("/api/v1/hooks/payments/{provider}/{account}");
    let account = till.shop.account.to_string();
    let anonymous = till.shop.app.anonymous();
    let send = |path: &str, signature: &str, body: Vec<u8>| {
        let request = anonymous.request("POST", path).header("Sandbox-Signature", signature);
        Reply::to(request.header("Content-Type", "text/plain").body(body))
    };
    let news = br#"{"id": "x", "type": "charge.changed", "charge": "sbx_1", "payment": null}"#;
    let own = hook("sandbox", &account);
    for signature in ["", "t=1,v1=00", "nonsense"] {
        let refused = send(&own, signature, news.to_vec());
        let said = refused.refused(401, "unauthorized");
        assert!(said.contains("notificationSecret"), "{said}");
    }
    let unsigned = |body: &'static [u8]| Reply::to(anonymous.request("POST", &own).body(body));
    let _ = unsigned(br#"{"id": "x", "charge": "sbx_1"}"#).refused(401, "unauthorized");
    // Digits within an identifier are no number of a card.
    let named = br#"{"id": "x", "charge": "sbx_01a211e4f4242424242424242eefb94c"}"#;
    let _ = unsigned(named).refused(401, "unauthorized");
    for odd in [&br#"{"id": "x", "charge": "a\u0000"}"#[..], b"[1", b""] {
        let _ = unsigned(odd).refused(400, "malformed_request");
    }
    for path in [
        hook("stripe", &account),
        hook("sandbox", "acc_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        hook("sandbox", "acc_1"),
        hook("bank", &account),
    ] {
        let _ = send(&path, "", news.to_vec()).refused(404, "not_found");
    }
    let large = send(&own, "", vec![b' '; 256 * 1024 + 1]);
    let _ = large.refused(413, "payload_too_large");
    let get = anonymous.get(&own);
    let _ = get.refused(405, "method_not_allowed");
    let told = till.shop.client.get("/payments/notifications").expect(200);
    let told = told["data"].as_array().unwrap();
    assert!(told.iter().all(|row| row["signed"] == true), "nothing forged is kept: {told:?}");
}

fn forged_ones_are_limited(kind: DatabaseKind) {
    let till = Till::open(kind);
    let _ = till.by_card(10.0);
    let hook = format!("/api/v1/hooks/payments/sandbox/{}", till.shop.account);
    let anonymous = till.shop.app.anonymous();
    let mut limited = 0;
    for _ in 0..40 {
        let forged = anonymous.request("POST", &hook).header("Sandbox-Signature", "t=1,v1=00");
        let reply = Reply::to(forged.body("{}"));
        if reply.status == 429 {
            assert!(reply.header("retry-after").is_some());
            limited += 1;
        } else {
            let _ = reply.refused(401, "unauthorized");
        }
    }
    assert!(limited > 0, "somebody who guesses is slowed down");
    // The genuine ones still come.
    let payment = till.by_card(11.0);
    let is_told = |page: &serde_json::Value| {
        page["data"].as_array().unwrap().iter().any(|row| row["paymentId"] == payment["id"])
    };
    let _ = till.shop.client.once("/payments/notifications", is_told);
}

fn a_dead_one_is_looked_into_again(kind: DatabaseKind) {
    let till = Till::open(kind);
    let _ = till.by_card(10.0);
    let all_over = |page: &serde_json::Value| {
        let rows = page["data"].as_array().unwrap();
        !rows.is_empty() && rows.iter().all(|row| row["status"] == "processed")
    };
    let page = till.shop.client.once("/payments/notifications", all_over);
    let notice = id(&page["data"][0]);
    let retry = format!("/payments/notifications/{notice}/retry");
    let _ = till.shop.client.act(&retry).refused(409, "conflict");
    let account = till.shop.account;
    till.shop.app.database.execute(&format!(
        "UPDATE payment_notices SET status = 'dead', tries = 10 \
         WHERE account_id = '{account}' AND id = '{notice}'"
    ));
    let again = || {
        let request = till.shop.client.request("POST", &retry).header("Idempotency-Key", "otra");
        Reply::to(request)
    };
    let retried = again().expect(200);
    assert_eq!(again().header("idempotent-replayed"), Some("true"));
    assert_eq!((&retried["status"], &retried["attempts"]), (&json!("received"), &json!(0)));
    let _ = till.shop.client.once("/payments/notifications", all_over);
}

fn those_of_the_sandbox_go_to_the_public_address(kind: DatabaseKind) {
    let outside = Receiver::start();
    let public_url = outside.url("");
    let app = App::with(kind).api(|settings| settings.public_url = Some(public_url)).start();
    let account = app.account();
    let client = app.client_of(account, "*");
    let body = json!({"method": "card", "amount": 10, "currency": "MXN"});
    let paid = id(&client.post("/payments", &body).expect(201));
    let hook = format!("/api/v1/hooks/payments/sandbox/{account}");
    let told = outside.wait_at(&hook, 1);
    assert_eq!(told[0].json()["payment"], paid.as_str());
}
