//! A provider outside of the service: Stripe, whose books outlive every kill, whose answers are lost before and after
//! their effect, and whose payers and banks do what they like meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use doubles::FakeStripe;
use doubles::provider::{Behaviour, Reply};
use doubles::stripe::{Intent, KEY, SECRET, event, signature};
use kernel::Timestamp;
use serde_json::{Value, json};
use tokio::time;

use super::postman::Postman;
use super::provider::{Charge, ChargeRefund};
use crate::random::SplitMix64;
use crate::service::ApiClient;
use crate::wall_clock::unix_micros;

/// What the service calls.
const CALLS: &[&str] = &["create", "customer", "capture", "cancel", "refund", "fetch", "list"];
/// More calls of a kind than a life of the server makes.
const CALLS_OF_A_LIFE: usize = 5_000;
/// Longer than the life of a server: what is late may come to the next one.
const LATE_MS_MAX: usize = 6_000;
/// Millionths in a cent, in which Stripe counts.
const CENT: i64 = 10_000;

/// Stripe, and those who pay there; cheap to clone.
#[derive(Clone)]
pub(super) struct Outside {
    stripe: Arc<FakeStripe>,
    postman: Postman,
    /// The account that the notifications are for.
    account: Arc<str>,
    told: Arc<AtomicU64>,
}

impl Outside {
    pub(super) fn new(stripe: FakeStripe, postman: &Postman, account: &str) -> Self {
        let (stripe, told) = (Arc::new(stripe), Arc::default());
        Self { stripe, postman: postman.clone(), account: account.into(), told }
    }

    /// Has the account take payments there.
    pub(super) async fn set_up(client: &mut ApiClient) -> anyhow::Result<()> {
        let body = json!({"key": KEY, "notificationSecret": SECRET}).to_string();
        client.put("/api/v1/payments/providers/stripe", &body).await
    }

    /// From now on a call in six goes wrong.
    pub(super) fn misbehave(&self, random: &mut SplitMix64) {
        for call in CALLS {
            let next: Vec<Behaviour> = (0..CALLS_OF_A_LIFE).map(|_| drawn(random)).collect();
            self.stripe.script(call, next);
        }
    }

    /// From now on all goes well.
    pub(super) fn behave(&self) {
        for call in CALLS {
            self.stripe.script(call, []);
        }
    }

    /// Somebody there does something about a payment, and Stripe tells of it: before, after, twice, late, or never.
    pub(super) async fn happen(&self, payment: &str, random: &mut SplitMix64) {
        let way = random.below(100);
        let number = self.told.fetch_add(1, Ordering::Relaxed);
        let id = format!("evt_{number:06}");
        if way < 10 {
            let before = self.stripe.books(|books| books.intent(payment).map(|one| one.shown()));
            if let Some(intent) = before {
                self.tell(&id, &intent).await;
            }
        }
        let (what, part) = (random.below(100), random.between(1, 100));
        let after = self.stripe.books(|books| {
            let on_page = books.pay_on_open_page(payment).map(|intent| intent.shown());
            on_page.or_else(|| {
                let intent = books.intent(payment)?;
                act(intent, what, part as i64);
                Some(intent.shown())
            })
        });
        let Some(intent) = after else { return };
        match way {
            0..=29 => {}
            30..=69 => self.tell(&id, &intent).await,
            70..=84 => {
                tokio::join!(self.tell(&id, &intent), self.tell(&id, &intent));
            }
            _ => {
                let (outside, late) = (self.clone(), random.between(50, LATE_MS_MAX) as u64);
                tokio::spawn(async move {
                    time::sleep(Duration::from_millis(late)).await;
                    outside.tell(&id, &intent).await;
                });
            }
        }
    }

    /// Carries a notification about an intent.
    async fn tell(&self, id: &str, intent: &Value) {
        let kind = match intent.get("status").and_then(Value::as_str) {
            Some("succeeded") => "payment_intent.succeeded",
            Some("canceled") => "payment_intent.canceled",
            Some("requires_capture") => "payment_intent.amount_capturable_updated",
            _ => "payment_intent.payment_failed",
        };
        let body = event(id, kind, intent);
        let now = Timestamp::from_micros(i64::try_from(unix_micros()).unwrap_or(i64::MAX));
        let (account, length) = (&self.account, body.len());
        let header = signature(SECRET, &body, now);
        let notice = format!(
            "POST /api/v1/hooks/payments/stripe/{account} HTTP/1.1\r\nHost: bench\r\nStripe-Signature: {header}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.postman.carry(notice.as_bytes()).await;
    }

    /// What the books hold, a charge for each payment, and the payments that are there twice.
    pub(super) fn charges(&self) -> (Vec<Charge>, Vec<String>) {
        self.stripe.books(|books| {
            let mut payments = books.payments();
            payments.sort_unstable();
            let twice = payments.chunk_by(|one, other| one == other);
            let twice = twice.filter(|same| same.len() > 1).filter_map(|same| same.first());
            let twice = twice.cloned().collect();
            let paid: Vec<Charge> = books.intents().iter().map(charge).collect();
            let pages = books.pages().filter(|(payment, _)| {
                // A page that was paid has an intent, which says more.
                paid.iter().all(|charge| charge.payment != *payment)
            });
            let pages: Vec<Charge> = pages.map(|(payment, status)| page(payment, status)).collect();
            (paid.into_iter().chain(pages).collect(), twice)
        })
    }
}

/// What happens to a call: four of five are carried out and answered.
fn drawn(random: &mut SplitMix64) -> Behaviour {
    let busy = || Reply::Http(429, vec![("Retry-After", "1")], String::new());
    match random.below(100) {
        0..=4 => Behaviour::Then(Reply::status(500)),
        5..=7 => Behaviour::Then(Reply::Reset),
        8..=9 => Behaviour::Then(Reply::Half),
        10 => Behaviour::Then(Reply::Hang),
        11..=12 => Behaviour::Instead(Reply::Reset),
        13 => Behaviour::Instead(Reply::status(503)),
        14..=15 => Behaviour::Instead(busy()),
        16 => Behaviour::Instead(Reply::status(409)),
        _ => Behaviour::Documented,
    }
}

/// A payer or a bank does what the intent allows.
fn act(intent: &mut Intent, what: usize, part: i64) {
    let is_card = intent.method == "card";
    match intent.status.as_str() {
        // A slip that has expired is not paid any more.
        "requires_payment_method" if !is_card => {}
        "requires_payment_method" | "requires_action" => match what {
            0..=59 => intent.pay(),
            60..=74 if is_card => intent.decline("insufficient_funds"),
            60..=74 if intent.method == "oxxo" => intent.expire(),
            60..=84 if intent.method == "customer_balance" => {
                let left = intent.amount - intent.received;
                intent.arrive((left * part / 100).clamp(1, left));
            }
            75..=89 => {}
            _ => intent.lapse(),
        },
        "requires_capture" if what < 20 => intent.lapse(),
        "succeeded" => {
            let has_refund = intent.refunds.last().is_some_and(|last| last.moves);
            if has_refund && what < 30 {
                intent.fail_refund();
            } else if what < 60 {
                // In the dashboard, of as much as there may be: Stripe refuses what is not left.
                drop(intent.refund((intent.received * part / 100).max(1), json!({})));
            }
        }
        _ => {}
    }
}

fn charge(intent: &Intent) -> Charge {
    let text = |name: &str| intent.metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    let state = match intent.status.as_str() {
        "succeeded" => "paid",
        "requires_capture" => "authorized",
        "canceled" => "over",
        // The slip or the CLABE is spent; a card may be tried again.
        "requires_payment_method" if intent.method != "card" => "over",
        _ => "open",
    };
    let captured = if state == "paid" { intent.received * CENT } else { 0 };
    let refunds = intent.refunds.iter().filter(|refund| refund.moves).map(|refund| ChargeRefund {
        id: refund.id.clone(),
        refund: refund.metadata.get("refund").and_then(Value::as_str).map(str::to_owned),
        amount: refund.amount * CENT,
        status: refund.status.clone(),
    });
    let payment = text("payment").unwrap_or_default();
    Charge::outside(payment, state, captured, refunds.collect())
}

fn page(payment: &str, status: &str) -> Charge {
    let state = if status == "expired" { "over" } else { "open" };
    Charge::outside(payment.to_owned(), state, 0, Vec::new())
}
