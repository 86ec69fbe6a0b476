//! A shop that is paid: the steps that stories about payments have in common.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use crate::orders::shop::{Shop, id};

/// A shop with a product of 50.00 to be sold.
pub(super) struct Till {
    pub(super) shop: Shop,
    mug: String,
}

impl Till {
    pub(super) fn open(kind: DatabaseKind) -> Self {
        Self::of(Shop::open(kind))
    }

    /// A till of this shop.
    pub(super) fn of(shop: Shop) -> Self {
        let mug = shop.product("TAZA", 50.0, 100_000);
        Self { shop, mug }
    }

    /// An order of so many pieces of 50.00.
    #[track_caller]
    pub(super) fn order(&self, pieces: i64) -> String {
        self.shop.order_id(&[(&self.mug, pieces)])
    }

    /// Asks for a payment.
    pub(super) fn ask(&self, body: &Value) -> Reply {
        self.shop.client.post("/payments", body)
    }

    /// A payment that is made.
    #[track_caller]
    pub(super) fn pay(&self, body: &Value) -> Value {
        self.ask(body).expect(201)
    }

    /// A payment by card of so much, of no order.
    #[track_caller]
    pub(super) fn by_card(&self, amount: f64) -> Value {
        self.pay(&json!({"method": "card", "amount": amount, "currency": "MXN"}))
    }

    /// Does something with a payment.
    pub(super) fn act(&self, payment: &Value, action: &str, body: &Value) -> Reply {
        self.shop.client.post(&format!("/payments/{}/{action}", id(payment)), body)
    }

    /// A payment as it is now.
    #[track_caller]
    pub(super) fn read(&self, payment: &Value) -> Value {
        self.shop.client.get(&format!("/payments/{}", id(payment))).expect(200)
    }

    /// An order as it is now.
    #[track_caller]
    pub(super) fn order_now(&self, order: &str) -> Value {
        self.shop.read(order).json()
    }

    /// A payment once it is in this status.
    #[track_caller]
    pub(super) fn once(&self, payment: &Value, status: &str) -> Value {
        let path = format!("/payments/{}", id(payment));
        self.shop.client.once(&path, |seen| seen["status"] == status)
    }

    /// Waits until these payments were told of and no notification is left to be looked into.
    pub(super) fn quiet(&self, payments: &[&Value]) {
        let is_over = |page: &Value| {
            let rows = page["data"].as_array().unwrap();
            let is_told =
                |payment: &&Value| rows.iter().any(|row| row["paymentId"] == payment["id"]);
            payments.iter().all(is_told) && rows.iter().all(|row| row["status"] == "processed")
        };
        let _ = self.shop.client.once("/payments/notifications?limit=100", is_over);
    }
}
