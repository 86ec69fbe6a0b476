//! What a shop has of payments: one of each state that something can be done with.

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{App, Client};

use super::shop::id;

/// Payments through the sandbox, and one in cash.
pub(crate) struct ShopPayments {
    /// By card, refunded in part.
    pub(crate) paid: String,
    pub(crate) refund: String,
    pub(crate) authorized: String,
    /// By transfer, waiting for its payer.
    pub(crate) waiting: String,
    /// The provider shows another amount.
    pub(crate) conflict: String,
    /// A notification that could not be looked into.
    pub(crate) notice: String,
    /// A payment link.
    pub(crate) link: String,
}

impl ShopPayments {
    /// Makes them; a part of `order` is paid.
    pub(crate) fn make(app: &App, client: &Client, (account, order): (AccountId, &str)) -> Self {
        let made = |path: &str, body: &Value| client.post(path, body).expect(201);
        let pay = |method: &str, amount: f64, capture: bool| {
            let body =
                json!({"method": method, "amount": amount, "currency": "MXN", "capture": capture});
            id(&made("/payments", &body))
        };
        for provider in ["sandbox", "manual"] {
            let path = format!("/payments/providers/{provider}");
            let _ = client.send("PUT", &path, &json!({"default": false})).expect(200);
        }
        let cash =
            id(&made("/payments", &json!({"method": "cash", "orderId": order, "amount": 1})));
        let _ = made(&format!("/payments/{cash}/refunds"), &json!({"amount": 0.25}));
        let paid = pay("card", 100.0, true);
        let refund = json!({"amount": 30, "reason": "Broken"});
        let refund = id(&made(&format!("/payments/{paid}/refunds"), &refund));
        let (authorized, waiting) = (pay("card", 150.0, false), pay("spei", 60.0, true));
        let conflict = pay("card", 7000.19, true);
        let seen = client.once("/payments/notifications?limit=100", |page| {
            let rows = page["data"].as_array().expect("rows");
            let told = |payment: &str| rows.iter().any(|row| row["paymentId"] == payment);
            let is_quiet = rows.iter().all(|row| row["status"] != "received");
            is_quiet && [&paid, &authorized, &waiting, &conflict].into_iter().all(|one| told(one))
        });
        let notice = id(&seen["data"][0]);
        app.database.execute(&format!(
            "UPDATE payment_notices SET status = 'dead' WHERE account_id = '{account}' AND id = '{notice}'"
        ));
        let link = id(&made("/payment-links", &json!({"title": "A cup", "amount": 100})));
        Self { link, paid, refund, authorized, waiting, conflict, notice }
    }

    /// The identifier that belongs into a path below `/payments` or `/refunds`.
    pub(crate) fn id_in(&self, path: &str) -> &str {
        match path.rsplit('/').next() {
            _ if path.starts_with("/refunds") => &self.refund,
            _ if path.starts_with("/payment-links") => &self.link,
            Some("capture") => &self.authorized,
            Some("cancel" | "simulate") => &self.waiting,
            Some("resolve") => &self.conflict,
            Some("retry") => &self.notice,
            _ => &self.paid,
        }
    }
}
