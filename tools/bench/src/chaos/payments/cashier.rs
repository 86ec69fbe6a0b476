//! Whoever sells, takes money and gives it back until the server dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time;

use super::ask::{Ask, Kind, Paying, Place};
use super::book::{Book, KnownPayment, SharedBook, open};
use super::outside::Outside;
use crate::http::{Lost, Request};
use crate::random::SplitMix64;
use crate::service::{Answer, ApiClient};

/// Before the next try when the server cannot be reached though nobody killed it.
const RECONNECT_PAUSE: Duration = Duration::from_millis(5);
/// Most of what is done is done to what is new.
const RECENT: usize = 60;
/// The amounts that choose what happens at the sandbox.
const MAGIC: usize = 20;

/// One cashier with a connection, and a second one for doing a thing twice at once.
pub(super) struct Cashier {
    pub(super) client: ApiClient,
    pub(super) twin: ApiClient,
    pub(super) outside: Outside,
    pub(super) book: SharedBook,
    pub(super) random: SplitMix64,
    pub(super) server_killed: Arc<AtomicBool>,
}

impl Cashier {
    /// Works until the server is killed.
    pub(super) async fn work(mut self) {
        while !self.server_killed.load(Ordering::Relaxed) {
            match self.random.below(100) {
                0..=17 => self.order().await,
                18..=42 => self.pay_an_order().await,
                43..=52 => self.pay_without_an_order().await,
                53..=86 => self.act_on_a_payment().await,
                87..=90 => self.act_on_an_order(Kind::Return).await,
                91..=93 => self.act_on_an_order(Kind::CancelOrder).await,
                94..=95 => self.act_on_an_order(Kind::MarkPaid).await,
                96..=97 => self.read_a_payment().await,
                _ => self.repeat_an_old_one().await,
            }
        }
    }

    async fn order(&mut self) {
        let ask = {
            let book = open(&self.book);
            let mut items: Vec<(String, i64)> = Vec::new();
            for _ in 0..self.random.between(1, 3) {
                let ware = book.wares.get(self.random.below(book.wares.len()));
                let Some(ware) = ware else { return };
                if items.iter().all(|(id, _)| *id != ware.id) {
                    let quantity = i64::try_from(self.random.between(1, 3)).unwrap_or(1);
                    items.push((ware.id.clone(), quantity));
                }
            }
            Ask::order(&book.customer, &items)
        };
        self.ask(ask).await;
    }

    async fn pay_an_order(&mut self) {
        let Some((order, due)) = self.pick_order() else { return };
        let amount = match self.random.below(10) {
            0..=3 => None,
            4..=6 => Some(self.magic()),
            _ => Some(self.part_of(due)),
        };
        let paying = self.paying(Some(order), amount, due);
        self.ask(Ask::pay(&paying)).await;
    }

    async fn pay_without_an_order(&mut self) {
        let amount = if self.random.below(2) == 0 { self.magic() } else { self.part_of(900_000) };
        let paying = self.paying(None, Some(amount), amount);
        self.ask(Ask::pay(&paying)).await;
    }

    /// `due` as it was last heard of.
    fn paying(&mut self, order: Option<String>, amount: Option<i64>, due: i64) -> Paying {
        let method = match self.random.below(10) {
            0..=4 => "card",
            5..=6 => "spei",
            7 => "oxxo",
            8 => "cash",
            _ => "transfer",
        };
        let place = match (method, self.random.below(6)) {
            ("card", 0 | 1) => Place::Outside,
            ("card", 2) => Place::PageOutside,
            // The payer has to be known there.
            ("spei" | "oxxo", 0..=2) if order.is_some() => Place::Outside,
            _ => Place::Default,
        };
        Paying {
            order,
            method,
            place,
            amount: match (method, place) {
                // A shop takes ten pesos to ten thousand.
                ("oxxo", _) => Some(amount.map_or(123_456, |a| a.clamp(1_000, 900_000))),
                (_, Place::Default) => amount,
                // Stripe takes no less than ten pesos.
                _ => Some(amount.unwrap_or(due).max(1_000)),
            },
            captures: method != "card" || self.random.below(3) > 0,
            overpays: self.random.below(10) == 0,
        }
    }

    /// What is done to a payment is mostly what its status allows.
    async fn act_on_a_payment(&mut self) {
        let Some(payment) = self.pick_payment() else { return };
        if payment.provider == "stripe" && !payment.in_conflict && self.random.below(2) == 0 {
            self.happen_outside(&payment.id).await;
            return;
        }
        let asks = match payment.status.as_str() {
            _ if payment.in_conflict => {
                let decided = [r#""resolution":"accept""#, r#""resolution":"reject""#];
                let [accept, reject] = decided
                    .map(|decision| Ask::of_payment(Kind::Resolve, &payment.id, None, decision));
                if self.random.below(3) > 0 { [accept, reject] } else { [reject, accept] }
            }
            "authorized" => {
                let part =
                    Some(self.part_of(payment.authorized)).filter(|_| self.random.below(2) == 0);
                let capture = Ask::of_payment(Kind::Capture, &payment.id, part, "");
                let cancel = Ask::of_payment(Kind::Cancel, &payment.id, None, "");
                if self.random.below(4) > 0 { [capture, cancel] } else { [cancel, capture] }
            }
            "paid" => [self.refund(&payment), self.refund(&payment)],
            _ if payment.provider == "stripe" => {
                let cancel = Ask::of_payment(Kind::Cancel, &payment.id, None, "");
                if self.random.below(6) > 0 {
                    self.happen_outside(&payment.id).await;
                    return;
                }
                [cancel, self.refund(&payment)]
            }
            "pending" | "requires_action" | "processing" => {
                let cancel = Ask::of_payment(Kind::Cancel, &payment.id, None, "");
                let simulate = self.simulate(&payment);
                if self.random.below(6) > 0 { [simulate, cancel] } else { [cancel, simulate] }
            }
            _ => [self.simulate(&payment), self.refund(&payment)],
        };
        let [first, second] = asks;
        if self.random.below(6) == 0 {
            self.ask_both(first, second).await;
        } else {
            self.ask(first).await;
        }
    }

    /// Something happens to a payment at the provider, which may tell nobody.
    async fn happen_outside(&mut self, payment: &str) {
        open(&self.book).touched.insert(payment.to_owned());
        self.outside.happen(payment, &mut self.random).await;
    }

    fn refund(&mut self, payment: &KnownPayment) -> Ask {
        let amount = Some(self.part_of(payment.refundable.max(payment.amount)));
        match self.random.below(12) {
            0..=3 => Ask::of_payment(Kind::Refund, &payment.id, None, ""),
            4..=8 => Ask::of_payment(Kind::Refund, &payment.id, amount, ""),
            9 => Ask::of_payment(Kind::Refund, &payment.id, amount, r#""manual":true"#),
            _ if payment.provider == "stripe" => {
                Ask::of_payment(Kind::Refund, &payment.id, amount, "")
            }
            _ => Ask::of_payment(Kind::Simulate, &payment.id, amount, r#""event":"refund""#),
        }
    }

    fn simulate(&mut self, payment: &KnownPayment) -> Ask {
        let (event, amount) = match self.random.below(10) {
            0..=5 => ("pay", None),
            6 => ("pay", Some(self.part_of(payment.amount))),
            7 => ("decline", None),
            8 => ("process", None),
            _ => ("expire", None),
        };
        Ask::of_payment(Kind::Simulate, &payment.id, amount, &format!(r#""event":"{event}""#))
    }

    async fn act_on_an_order(&mut self, kind: Kind) {
        let Some((order, _)) = self.pick_order() else { return };
        let ask = match kind {
            Kind::Return => Ask::return_of(&order, self.random.below(4) > 0),
            kind => Ask::of_order(kind, &order),
        };
        self.ask(ask).await;
    }

    /// What one reads may be newer than what one was answered.
    async fn read_a_payment(&mut self) {
        let Some(payment) = self.pick_payment() else { return };
        let request = {
            let path = format!("/api/v1/payments/{}", payment.id);
            Request::get(&path, Some(&open(&self.book).api_key)).render()
        };
        match self.client.exchange(&request).await {
            Ok(answer) if answer.status == 200 => open(&self.book).note_payment(&answer.json()),
            Ok(_) => {}
            Err(_) => time::sleep(RECONNECT_PAUSE).await,
        }
    }

    async fn repeat_an_old_one(&mut self) {
        let asked = open(&self.book).asks.len();
        if asked > 0 {
            let ask = self.random.below(asked);
            self.send(ask).await;
        }
    }

    /// Asks for something: once, twice at once under its key, or again when it is answered.
    async fn ask(&mut self, ask: Ask) {
        let ask = open(&self.book).write(ask);
        match self.random.below(10) {
            0 => {
                let request = open(&self.book).request(ask);
                let twins =
                    tokio::join!(self.client.exchange(&request), self.twin.exchange(&request));
                self.came(ask, twins.0, false).await;
                self.came(ask, twins.1, false).await;
            }
            1 => {
                self.send(ask).await;
                self.send(ask).await;
            }
            _ => self.send(ask).await,
        }
    }

    /// Two different things at the same moment.
    async fn ask_both(&mut self, one: Ask, other: Ask) {
        let (one, other, requests) = {
            let mut book = open(&self.book);
            let (one, other) = (book.write(one), book.write(other));
            (one, other, [book.request(one), book.request(other)])
        };
        let [first, second] = &requests;
        let answers = tokio::join!(self.client.exchange(first), self.twin.exchange(second));
        self.came(one, answers.0, false).await;
        self.came(other, answers.1, false).await;
    }

    async fn send(&mut self, ask: usize) {
        let (request, repeated) = {
            let book = open(&self.book);
            (book.request(ask), book.is_done(ask))
        };
        let came = self.client.exchange(&request).await;
        self.came(ask, came, repeated).await;
    }

    async fn came(&mut self, ask: usize, came: Result<Answer, Lost>, repeated: bool) {
        match came {
            Ok(answer) => open(&self.book).answered(ask, &answer, repeated),
            Err(_) => {
                open(&self.book).lost(ask);
                time::sleep(RECONNECT_PAUSE).await;
            }
        }
    }

    fn pick_order(&mut self) -> Option<(String, i64)> {
        let book = open(&self.book);
        let place = recent(&mut self.random, book.orders.len());
        book.orders.get(place).map(|order| (order.id.clone(), order.due))
    }

    fn pick_payment(&mut self) -> Option<KnownPayment> {
        let book: &Book = &open(&self.book);
        let place = recent(&mut self.random, book.payments.len());
        book.payments.get(place).cloned()
    }

    fn magic(&mut self) -> i64 {
        700_000 + i64::try_from(self.random.between(1, MAGIC)).unwrap_or(1)
    }

    /// Some cents of an amount, at least one.
    fn part_of(&mut self, amount: i64) -> i64 {
        let most = usize::try_from(amount.max(1)).unwrap_or(1);
        i64::try_from(self.random.between(1, most)).unwrap_or(1)
    }
}

/// A place among so many things, mostly of the last ones.
fn recent(random: &mut SplitMix64, count: usize) -> usize {
    let any = random.below(count);
    let back = random.below(RECENT);
    if random.below(8) == 0 { any } else { count.saturating_sub(1 + back) }
}
