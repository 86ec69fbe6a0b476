//! What has been asked of the server and what it has acknowledged: the truth of the audit.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use crate::chaos::order::{Line, Product, ShownOrder, total_cents};
use crate::chaos::verdict::{Invariant, Verdict};
use crate::http::Request;
use crate::random::SplitMix64;
use crate::service::Answer;
use crate::wall_clock::unix_micros;

pub(crate) const PENDING: &str = "pending";
pub(crate) const CANCELLED: &str = "cancelled";
const LINES_MAX: usize = 3;
const QUANTITY_MAX: usize = 3;

/// An order that was asked for, under a key of its own.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) key: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) outcome: Outcome,
}

/// What is known of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Open,
    /// Not enough stock. A later retry may find some.
    Refused,
    /// The order at this place in the book.
    Placed(usize),
}

/// An order that the server acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct KnownOrder {
    pub(crate) shown: ShownOrder,
    /// When it was acknowledged.
    pub(crate) placed_micros: u64,
    /// A cancellation was sent, so that it may be cancelled without our knowing.
    pub(crate) cancel_asked: bool,
    /// A walk through the list has met it.
    pub(crate) seen: bool,
    answer_digest: u64,
}

/// Everything asked and acknowledged on one database.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) api_key: String,
    pub(crate) customer_id: String,
    pub(crate) products: Vec<Product>,
    pub(crate) asks: Vec<Ask>,
    pub(crate) orders: Vec<KnownOrder>,
    pub(crate) order_by_id: HashMap<String, usize>,
    /// Asks whose fate is not known: an answer was lost, or said to come again.
    pub(crate) unsettled: BTreeSet<usize>,
    /// Orders of which a cancellation's fate is not known.
    pub(crate) unsettled_cancels: BTreeSet<usize>,
    pub(crate) answers_lost: u64,
    pub(crate) verdict: Verdict,
    pub(crate) key_prefix: String,
}

impl Book {
    /// Writes down a new ask of one to three products before it is sent.
    pub(crate) fn ask(&mut self, random: &mut SplitMix64) -> usize {
        let mut lines: Vec<Line> = Vec::new();
        for _ in 0..random.between(1, LINES_MAX) {
            let product = random.below(self.products.len());
            if lines.iter().all(|line| line.product != product) {
                let quantity = random.between(1, QUANTITY_MAX);
                lines.push(Line { product, quantity: i64::try_from(quantity).unwrap_or(1) });
            }
        }
        let key = format!("{}-{}", self.key_prefix, self.asks.len());
        self.asks.push(Ask { key, lines, outcome: Outcome::Open });
        self.asks.len() - 1
    }

    /// The request of an ask, the same bytes each time.
    pub(crate) fn order_request(&self, ask: usize) -> Vec<u8> {
        let Some(asked) = self.asks.get(ask) else { return Vec::new() };
        let items = asked.lines.iter().filter_map(|line| {
            let id = &self.products.get(line.product)?.id;
            Some(format!(r#"{{"productId":"{id}","quantity":{}}}"#, line.quantity))
        });
        let items = items.collect::<Vec<_>>().join(",");
        let body = format!(r#"{{"customerId":"{}","items":[{items}]}}"#, self.customer_id);
        let mut request = Request::with_body("POST", "/api/v1/orders", &self.api_key, &body);
        request.idempotency_key = Some(&asked.key);
        request.render()
    }

    /// The answer to an ask did not come.
    pub(crate) fn order_lost(&mut self, ask: usize) {
        self.answers_lost += 1;
        self.unsettled.insert(ask);
        if let Some(asked) = self.asks.get_mut(ask)
            && asked.outcome == Outcome::Refused
        {
            asked.outcome = Outcome::Open;
        }
    }

    pub(crate) fn is_placed(&self, ask: usize) -> bool {
        self.asks.get(ask).is_some_and(|ask| matches!(ask.outcome, Outcome::Placed(_)))
    }

    /// Judges an answer. `repeated`: the order was acknowledged before this request was sent.
    pub(crate) fn order_answered(&mut self, ask: usize, answer: &Answer, repeated: bool) {
        let code = if answer.status == 409 { answer.error_code() } else { String::new() };
        let refused = code == "insufficient_stock";
        let again = code == "idempotency_key_in_use" || answer.status == 503;
        let expected = answer.status == 201 || refused || again;
        self.verdict.check(Invariant::ExpectedAnswer, expected, || {
            format!("{}: {}", self.asks.get(ask).map_or("", |ask| &ask.key), answer.excerpt())
        });
        if answer.status == 201 {
            self.order_placed(ask, answer, repeated);
        } else if refused {
            self.order_refused(ask, repeated);
        } else if !self.is_placed(ask) {
            self.unsettled.insert(ask);
        }
    }

    fn order_refused(&mut self, ask: usize, repeated: bool) {
        let unsettled = self.unsettled.contains(&ask);
        let Some(asked) = self.asks.get_mut(ask) else { return };
        if repeated {
            self.verdict.check(Invariant::OneOrderPerKey, false, || {
                format!("{}: acknowledged, then refused", asked.key)
            });
        }
        if asked.outcome == Outcome::Open && !unsettled {
            asked.outcome = Outcome::Refused;
        }
    }

    fn order_placed(&mut self, ask: usize, answer: &Answer, repeated: bool) {
        let Some(asked) = self.asks.get_mut(ask) else { return };
        if repeated {
            self.verdict.check(Invariant::ReplayIsMarked, answer.replayed, || asked.key.clone());
        }
        let answer_digest = digest(&answer.body);
        if let Outcome::Placed(order) = asked.outcome {
            let first = self.orders.get(order).map(|order| order.answer_digest);
            self.verdict.check(Invariant::OneOrderPerKey, first == Some(answer_digest), || {
                format!("{}: another answer: {}", asked.key, answer.excerpt())
            });
            return;
        }
        let Some(shown) = ShownOrder::read(&answer.json(), &self.products) else {
            self.verdict.check(Invariant::ExpectedAnswer, false, || {
                format!("{}: not an order: {}", asked.key, answer.excerpt())
            });
            return;
        };
        let mut lines = asked.lines.clone();
        lines.sort_unstable();
        let as_asked = shown.lines == lines
            && shown.total_cents == total_cents(&lines, &self.products)
            && shown.status == PENDING;
        self.verdict.check(Invariant::OrderAsAsked, as_asked, || {
            format!("{}: {}", asked.key, answer.excerpt())
        });
        let order = self.orders.len();
        let other = self.order_by_id.insert(shown.id.clone(), order);
        self.verdict.check(Invariant::OneOrderPerKey, other.is_none(), || {
            format!("{}: the order {} of another key", asked.key, shown.id)
        });
        asked.outcome = Outcome::Placed(order);
        self.unsettled.remove(&ask);
        let placed_micros = unix_micros();
        let (cancel_asked, seen) = (false, false);
        let known = KnownOrder { shown, placed_micros, cancel_asked, seen, answer_digest };
        self.orders.push(known);
    }

    /// What each product's stock must be when nothing is unsettled.
    pub(crate) fn expected_stock(&self) -> Vec<i64> {
        let mut stock: Vec<i64> = self.products.iter().map(|p| p.initial_stock).collect();
        for order in self.orders.iter().filter(|order| order.shown.status != CANCELLED) {
            for line in &order.shown.lines {
                if let Some(left) = stock.get_mut(line.product) {
                    *left -= line.quantity;
                }
            }
        }
        stock
    }
}

/// Enough to tell two answers apart without keeping them all.
fn digest(body: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
