//! A shop whose cards are taken by Stripe.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Duration,
};

use serde_json::{Value, json};
use testkit::{
    App, DatabaseKind, FakeStripe, Reply,
    stripe::{KEY, SECRET, StripeBooks, event, signature},
};

use crate::{
    orders::shop::{Shop, id},
    payments::till::Till,
};

/// The till, and Stripe at the other end.
pub(super) struct Desk {
    pub(super) till: Till,
    pub(super) stripe: FakeStripe,
    told: AtomicU32,
}

impl Desk {
    /// An account that has set Stripe up.
    pub(super) fn open(kind: DatabaseKind) -> Self {
        Self::with(kind, Duration::from_secs(10))
    }

    /// One that gives calls up soon.
    pub(super) fn hasty(kind: DatabaseKind) -> Self {
        Self::with(kind, Duration::from_millis(700))
    }

    fn with(kind: DatabaseKind, timeout: Duration) -> Self {
        let stripe = FakeStripe::start();
        let app = App::with(kind).stripe(&stripe).collecting_with(|set| set.timeout = timeout);
        let till = Till::of(Shop::of(app.start()));
        let desk = Self { till, stripe, told: AtomicU32::new(0) };
        desk.set_up(&json!({"key": KEY, "notificationSecret": SECRET, "default": true}));
        desk
    }

    /// Sets Stripe up.
    #[track_caller]
    pub(super) fn set_up(&self, body: &Value) {
        let _ = self.till.shop.client.send("PUT", "/payments/providers/stripe", body).expect(200);
    }

    /// A payment of 100 pesos by a method, with what else is asked.
    #[track_caller]
    pub(super) fn pay(&self, method: &str, more: &Value) -> Value {
        let mut body = json!({"method": method, "amount": 100, "currency": "MXN"});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.till.pay(&body)
    }

    /// A card payment that was paid.
    #[track_caller]
    pub(super) fn paid(&self) -> Value {
        let payment = self.pay("card", &json!({}));
        self.stripe.books(|books| books.of(&payment).pay());
        let paid = self.sync(&payment);
        assert_eq!(paid["status"], "paid", "{paid}");
        paid
    }

    /// Something happens at Stripe, and Stripe tells of it.
    #[track_caller]
    pub(super) fn tell(&self, kind: &str, happens: impl FnOnce(&mut StripeBooks) -> Value) {
        let object = self.stripe.books(happens);
        let number = self.told.fetch_add(1, Relaxed);
        let body = event(&format!("evt_told_{number}"), kind, &object);
        assert_eq!(self.notify(SECRET, &body).status, 200);
    }

    /// A notification, signed with a secret now.
    pub(super) fn notify(&self, secret: &str, body: &str) -> Reply {
        self.hook(&signature(secret, body, self.till.shop.app.now()), body)
    }

    /// A notification with a header.
    pub(super) fn hook(&self, header: &str, body: &str) -> Reply {
        let path = format!("/api/v1/hooks/payments/stripe/{}", self.till.shop.account);
        let request = self.till.shop.app.anonymous().request("POST", &path);
        Reply::to(request.header("Stripe-Signature", header).body(body.to_owned()))
    }

    /// A payment after Stripe was asked about it.
    #[track_caller]
    pub(super) fn sync(&self, payment: &Value) -> Value {
        self.till.shop.client.act(&format!("/payments/{}/sync", id(payment))).expect(200)
    }

    /// How often Stripe has this payment: once, or never.
    pub(super) fn times(&self, payment: &Value) -> usize {
        let payments = self.stripe.books(|books| books.payments());
        payments.iter().filter(|known| payment["id"] == known.as_str()).count()
    }

    /// A payment once it is as wanted, while the clock moves on.
    #[track_caller]
    pub(super) fn in_time(&self, payment: &Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..200 {
            let seen = self.till.read(payment);
            if is_wanted(&seen) {
                return seen;
            }
            self.till.shop.app.advance_seconds(30);
            std::thread::sleep(Duration::from_millis(60));
        }
        panic!("{}", self.till.read(payment));
    }
}
