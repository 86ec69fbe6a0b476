//! What was asked for and what was acknowledged: what the audit goes by.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::ask::{Ask, Kind};
use super::promise::Money;
use crate::chaos::asked::{Outcome, Reading};
use crate::chaos::verdict::Verdict;
use crate::service::Answer;
use crate::service::client::text_field;

/// The book, shared by all cashiers of one thread; never locked across a wait.
pub(super) type SharedBook = Arc<Mutex<Book>>;

pub(super) fn open(book: &SharedBook) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A payment as it was last answered; it may have moved on.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownPayment {
    pub(super) id: String,
    /// The order that it is for; empty where it is for none.
    pub(super) order: String,
    pub(super) provider: String,
    pub(super) status: String,
    pub(super) amount: i64,
    pub(super) authorized: i64,
    pub(super) refundable: i64,
    pub(super) in_conflict: bool,
}

/// An order as it was last answered.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownOrder {
    pub(super) id: String,
    pub(super) due: i64,
}

/// A product that is sold.
#[derive(Clone, Debug)]
pub(super) struct Ware {
    pub(super) id: String,
    pub(super) initial_stock: i64,
}

/// Everything asked and acknowledged on one database.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) api_key: String,
    pub(super) customer: String,
    pub(super) wares: Vec<Ware>,
    pub(super) key_prefix: String,
    pub(super) asks: Vec<Ask>,
    pub(super) payments: Vec<KnownPayment>,
    pub(super) orders: Vec<KnownOrder>,
    /// Where each order and payment is.
    pub(super) places: HashMap<String, usize>,
    /// The identifiers of what was made for a key.
    pub(super) names: HashSet<String>,
    /// Asks whose fate is not known.
    pub(super) unsettled: BTreeSet<usize>,
    /// Payments and orders that were touched since all that was heard of them was audited.
    pub(super) touched: BTreeSet<String>,
    pub(super) answers_lost: u64,
    pub(super) refused: u64,
    pub(super) verdict: Verdict<Money>,
}

impl Book {
    /// Writes an ask down before it is sent.
    pub(super) fn write(&mut self, ask: Ask) -> usize {
        let key = format!("{}-{}", self.key_prefix, self.asks.len());
        if ask.kind != Kind::Pay
            && let Some(about) = &ask.about
        {
            self.touched.insert(about.clone());
        }
        self.asks.push(Ask { key, ..ask });
        self.asks.len() - 1
    }

    pub(super) fn request(&self, ask: usize) -> Vec<u8> {
        self.asks.get(ask).map(|ask| ask.render(&self.api_key)).unwrap_or_default()
    }

    pub(super) fn is_done(&self, ask: usize) -> bool {
        self.asks.get(ask).is_some_and(|ask| matches!(ask.outcome, Outcome::Done(_)))
    }

    /// The answer to an ask did not come.
    pub(super) fn lost(&mut self, ask: usize) {
        self.answers_lost += 1;
        self.unsettled.insert(ask);
    }

    /// Judges an answer. `repeated`: the ask was acknowledged before this request was sent.
    pub(super) fn answered(&mut self, ask: usize, answer: &Answer, repeated: bool) {
        let Some(asked) = self.asks.get(ask) else { return };
        let (kind, key) = (asked.kind, asked.key.clone());
        let repeated = repeated && kind.is_keyed();
        let code = if answer.status < 300 { String::new() } else { answer.error_code() };
        let reading = kind.reading(answer.status, &code);
        let expected = reading != Reading::Unexpected;
        self.verdict.check(Money::ExpectedAnswer, expected, || {
            format!("{kind:?} {key}: {}", answer.excerpt())
        });
        match reading {
            Reading::Done => self.done(ask, answer, repeated),
            Reading::Again if !self.is_done(ask) => {
                self.unsettled.insert(ask);
            }
            Reading::Again => {}
            Reading::Refused | Reading::Unexpected => {
                self.refused += 1;
                let held = !repeated;
                self.verdict.check(Money::OneEffectPerKey, held, || {
                    format!("{kind:?} {key}: acknowledged, then refused: {}", answer.excerpt())
                });
                if let Some(asked) =
                    self.asks.get_mut(ask).filter(|ask| ask.outcome == Outcome::Open)
                {
                    asked.outcome = Outcome::Refused;
                }
            }
        }
    }

    fn done(&mut self, ask: usize, answer: &Answer, repeated: bool) {
        self.unsettled.remove(&ask);
        let shown = answer.json();
        let id = text_field(&shown, "id");
        let Some(asked) = self.asks.get_mut(ask) else { return };
        let (kind, key) = (asked.kind, asked.key.clone());
        if repeated {
            self.verdict
                .check(Money::ReplayIsMarked, answer.replayed, || format!("{kind:?} {key}"));
        }
        match &asked.outcome {
            Outcome::Done(first) => {
                self.verdict.check(Money::OneEffectPerKey, *first == id, || {
                    format!("{kind:?} {key}: first {first}, then {id}")
                });
            }
            Outcome::Open | Outcome::Refused => {
                let is_as_asked = !id.is_empty() && is_as_asked(asked, &shown);
                self.verdict.check(Money::AsAsked, is_as_asked, || {
                    format!("{kind:?} {key} {}: {}", asked.body, answer.excerpt())
                });
                if kind.makes() {
                    let is_new = self.names.insert(id.clone());
                    self.verdict.check(Money::OneEffectPerKey, is_new, || {
                        format!("{kind:?} {key}: {id} of another key")
                    });
                }
                if let Some(asked) = self.asks.get_mut(ask) {
                    asked.outcome = Outcome::Done(id);
                }
            }
        }
        self.note(kind, &shown);
    }

    /// Notes what an answer shows of an order or a payment.
    fn note(&mut self, kind: Kind, shown: &Value) {
        match kind {
            Kind::Order | Kind::CancelOrder | Kind::MarkPaid => self.note_order(shown),
            Kind::Pay | Kind::Capture | Kind::Cancel | Kind::Simulate | Kind::Resolve => {
                self.note_payment(shown);
            }
            Kind::Refund | Kind::Return => {}
        }
    }

    pub(super) fn note_order(&mut self, shown: &Value) {
        let known = KnownOrder { id: text_field(shown, "id"), due: cents(shown, "amountDue") };
        let next = self.orders.len();
        let place = *self.places.entry(known.id.clone()).or_insert(next);
        match self.orders.get_mut(place) {
            Some(order) => *order = known,
            None => self.orders.push(known),
        }
    }

    pub(super) fn note_payment(&mut self, shown: &Value) {
        let known = KnownPayment {
            id: text_field(shown, "id"),
            order: text_field(shown, "orderId"),
            provider: text_field(shown, "provider"),
            status: text_field(shown, "status"),
            amount: cents(shown, "amount"),
            authorized: cents(shown, "amountAuthorized"),
            refundable: cents(shown, "amountRefundable"),
            in_conflict: shown
                .get("flags")
                .is_some_and(|flags| flags.to_string().contains("conflict")),
        };
        self.touched.insert(known.id.clone());
        let next = self.payments.len();
        let place = *self.places.entry(known.id.clone()).or_insert(next);
        match self.payments.get_mut(place) {
            Some(payment) => *payment = known,
            None => self.payments.push(known),
        }
    }

    /// The payments that were touched, by themselves or with their orders.
    pub(super) fn touched_payments(&mut self) -> Vec<String> {
        let with_order = self.payments.iter().filter(|known| self.touched.contains(&known.order));
        let with_order: Vec<String> = with_order.map(|known| known.id.clone()).collect();
        self.touched.retain(|id| id.starts_with("pay_"));
        self.touched.extend(with_order);
        self.touched.iter().cloned().collect()
    }

    /// The identifiers that were acknowledged to asks of a kind.
    pub(super) fn made(&self, kind: Kind) -> BTreeSet<&str> {
        let done = self.asks.iter().filter(|ask| ask.kind == kind);
        done.filter_map(|ask| match &ask.outcome {
            Outcome::Done(id) => Some(id.as_str()),
            Outcome::Open | Outcome::Refused => None,
        })
        .collect()
    }
}

/// Whether what is shown is what was asked for.
fn is_as_asked(asked: &Ask, shown: &Value) -> bool {
    let names = |field: &str| Some(text_field(shown, field)) == asked.about;
    match asked.kind {
        Kind::Order => text_field(shown, "status") == "pending",
        Kind::Pay => {
            asked.about.as_ref().is_none_or(|_| names("orderId"))
                && asked.amount.is_none_or(|amount| amount == cents(shown, "amount"))
        }
        Kind::Refund => {
            names("paymentId") && asked.amount.is_none_or(|amount| amount == cents(shown, "amount"))
        }
        Kind::Return => names("orderId"),
        Kind::CancelOrder => names("id") && text_field(shown, "status") == "cancelled",
        Kind::MarkPaid => names("id") && text_field(shown, "status") == "paid",
        Kind::Capture | Kind::Cancel | Kind::Simulate | Kind::Resolve => names("id"),
    }
}

/// An amount of a JSON object, in cents; zero when it is not there.
#[expect(clippy::cast_possible_truncation, reason = "the amounts of this run are small")]
pub(super) fn cents(shown: &Value, name: &str) -> i64 {
    let amount = shown.get(name).and_then(Value::as_f64).unwrap_or_default();
    (amount * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        Book { key_prefix: "k".to_owned(), ..Book::default() }
    }

    fn refund(book: &mut Book) -> usize {
        book.write(Ask::of_payment(Kind::Refund, "pay_1", Some(500), ""))
    }

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, replayed: false, body: body.into() }
    }

    #[test]
    fn a_lost_answer_is_settled_by_the_one_that_comes() {
        let mut book = book();
        let ask = refund(&mut book);
        book.lost(ask);
        assert_eq!(book.unsettled.len(), 1);
        book.answered(ask, &answer(201, r#"{"id":"rfd_1","paymentId":"pay_1","amount":5}"#), false);
        assert!(book.unsettled.is_empty() && book.is_done(ask));
        assert_eq!(book.made(Kind::Refund).into_iter().collect::<Vec<_>>(), ["rfd_1"]);
        assert_eq!(book.verdict.violations(), 0);
    }

    #[test]
    fn what_must_not_be_is_counted() {
        for (status, body, repeated) in [
            // Another refund for the same key, and one that is no replay.
            (201, r#"{"id":"rfd_2","paymentId":"pay_1","amount":5}"#, true),
            // Refused after it was acknowledged.
            (409, r#"{"error":"refund_exceeds_refundable"}"#, true),
            (500, r#"{"error":"internal_error"}"#, false),
        ] {
            let mut book = book();
            let ask = refund(&mut book);
            let first = r#"{"id":"rfd_1","paymentId":"pay_1","amount":5}"#;
            book.answered(ask, &answer(201, first), false);
            book.answered(ask, &answer(status, body), repeated);
            assert!(book.verdict.violations() > 0, "{status} {body}");
        }
        let mut book = book();
        let ask = refund(&mut book);
        book.answered(ask, &answer(201, r#"{"id":"rfd_1","paymentId":"pay_1","amount":6}"#), false);
        assert_eq!(book.verdict.violations(), 1);
    }
}
