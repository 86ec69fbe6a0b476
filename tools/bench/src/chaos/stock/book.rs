//! What was asked for and what was acknowledged: what the audit goes by.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::ask::{Ask, Goods, Kind};
use super::promise::Promised;
use crate::chaos::asked::{Outcome, Reading};
use crate::chaos::verdict::Verdict;
use crate::service::Answer;
use crate::service::client::text_field;

/// The book, shared by all storekeepers of one thread; never locked across a wait.
pub(super) type SharedBook = Arc<Mutex<Book>>;

pub(super) fn open(book: &SharedBook) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A product.
#[derive(Clone, Debug)]
pub(super) struct Ware {
    pub(super) id: String,
    pub(super) sku: String,
    /// In all warehouses together; in thousandths of what is weighed.
    pub(super) initial_stock: i64,
    pub(super) is_weighed: bool,
}

impl Ware {
    /// How many make a unit.
    pub(super) const fn scale(&self) -> i64 {
        if self.is_weighed { 1_000 } else { 1 }
    }

    /// So much of it.
    pub(super) fn goods(&self, quantity: i64) -> Goods {
        Goods { product: self.id.clone(), quantity, is_weighed: self.is_weighed }
    }
}

/// Something that was made, with what it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) id: String,
    pub(super) lines: Vec<Goods>,
}

/// Everything asked and acknowledged on one database.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) api_key: String,
    pub(super) customer: String,
    pub(super) wares: Vec<Ware>,
    /// The warehouses.
    pub(super) places: Vec<String>,
    pub(super) key_prefix: String,
    pub(super) asks: Vec<Ask>,
    /// What was made for asks of each kind.
    pub(super) things: BTreeMap<Kind, Vec<Thing>>,
    /// The identifiers of what was made for a key.
    pub(super) names: HashSet<String>,
    /// What was made before anybody asked for anything.
    pub(super) set_up: BTreeSet<String>,
    /// Asks whose fate is not known.
    pub(super) unsettled: BTreeSet<usize>,
    pub(super) answers_lost: u64,
    pub(super) refused: u64,
    pub(super) verdict: Verdict<Promised>,
}

impl Book {
    /// Writes an ask down before it is sent.
    pub(super) fn write(&mut self, ask: Ask) -> usize {
        let key = format!("{}-{}", self.key_prefix, self.asks.len());
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
        let code = if answer.status < 300 { String::new() } else { answer.error_code() };
        let reading = kind.reading(answer.status, &code);
        let expected = reading != Reading::Unexpected;
        self.verdict.check(Promised::ExpectedAnswer, expected, || {
            format!("{kind:?} {key}: {}", answer.excerpt())
        });
        match reading {
            Reading::Done => self.done(ask, answer, repeated),
            Reading::Again if self.is_done(ask) => {}
            Reading::Again => drop(self.unsettled.insert(ask)),
            Reading::Refused | Reading::Unexpected => {
                self.refused += 1;
                self.unsettled.remove(&ask);
                self.verdict.check(Promised::OneEffectPerKey, !repeated, || {
                    format!("{kind:?} {key}: acknowledged, then refused: {}", answer.excerpt())
                });
                let open = self.asks.get_mut(ask).filter(|ask| ask.outcome == Outcome::Open);
                if let Some(asked) = open {
                    asked.outcome = Outcome::Refused;
                }
            }
        }
    }

    fn done(&mut self, ask: usize, answer: &Answer, repeated: bool) {
        self.unsettled.remove(&ask);
        let shown = answer.json();
        let id = text_field(&shown, "id");
        let Some(asked) = self.asks.get(ask).cloned() else { return };
        let (kind, key) = (asked.kind, &asked.key);
        if repeated {
            self.verdict
                .check(Promised::ReplayIsMarked, answer.replayed, || format!("{kind:?} {key}"));
        }
        if let Outcome::Done(first) = &asked.outcome {
            self.verdict.check(Promised::OneEffectPerKey, *first == id, || {
                format!("{kind:?} {key}: first {first}, then {id}")
            });
            return;
        }
        let is_as_asked = !id.is_empty() && is_as_asked(&asked, &shown);
        self.verdict.check(Promised::AsAsked, is_as_asked, || {
            format!("{kind:?} {key} {} {}: {}", asked.path, asked.body, answer.excerpt())
        });
        if kind.makes() {
            let is_new = self.names.insert(id.clone());
            self.verdict.check(Promised::OneEffectPerKey, is_new, || {
                format!("{kind:?} {key}: {id} of another key")
            });
            let thing = Thing { id: id.clone(), lines: asked.lines.clone() };
            self.things.entry(kind).or_default().push(thing);
        }
        if let Some(asked) = self.asks.get_mut(ask) {
            asked.outcome = Outcome::Done(id);
        }
    }

    /// What was done for asks of a kind, with the identifier of what was answered.
    pub(super) fn acknowledged(&self, kind: Kind) -> impl Iterator<Item = (&Ask, &str)> {
        let of_kind = self.asks.iter().filter(move |ask| ask.kind == kind);
        of_kind.filter_map(|ask| match &ask.outcome {
            Outcome::Done(id) => Some((ask, id.as_str())),
            Outcome::Open | Outcome::Refused => None,
        })
    }

    /// What is on hand of each product by all that was acknowledged, but what counts have found.
    pub(super) fn expected(&self) -> BTreeMap<String, i64> {
        let mut expected: BTreeMap<String, i64> =
            self.wares.iter().map(|ware| (ware.id.clone(), ware.initial_stock)).collect();
        let done = self.asks.iter().filter(|ask| matches!(ask.outcome, Outcome::Done(_)));
        for (product, quantity) in done.flat_map(|ask| &ask.moves) {
            *expected.entry(product.clone()).or_default() += quantity;
        }
        expected
    }
}

/// Whether what is shown is what was asked for.
fn is_as_asked(asked: &Ask, shown: &Value) -> bool {
    let names = |field: &str| Some(text_field(shown, field)) == asked.about;
    let stands = |status: &str| text_field(shown, "status") == status;
    match asked.kind {
        Kind::Order => stands("pending"),
        Kind::Receipt | Kind::Adjust => true,
        Kind::Plan | Kind::OpenCount => stands("draft"),
        Kind::Dispatch => names("id") && stands("in_transit"),
        Kind::CancelReceipt | Kind::CancelTransfer | Kind::CancelCount | Kind::CancelShipment => {
            names("id") && stands("cancelled")
        }
        Kind::PostCount => names("id") && stands("posted"),
        Kind::Receive | Kind::Reallocate => names("id"),
        Kind::Scan => !text_field(shown, "productId").is_empty(),
        Kind::Ship | Kind::Return => names("orderId"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, replayed: false, body: body.into() }
    }

    fn book() -> (Book, usize) {
        let (id, sku) = ("prd_1".to_owned(), "SKU-1".to_owned());
        let ware = Ware { id, sku, initial_stock: 10, is_weighed: false };
        let received = ware.goods(4);
        let mut book = Book { key_prefix: "k".to_owned(), wares: vec![ware], ..Book::default() };
        let ask = book.write(Ask::receipt("whs_1", vec![received], None));
        (book, ask)
    }

    #[test]
    fn a_lost_answer_is_settled_by_the_one_that_comes() {
        let (mut book, ask) = book();
        book.lost(ask);
        assert_eq!((book.unsettled.len(), book.expected().get("prd_1")), (1, Some(&10)));
        book.answered(ask, &answer(201, r#"{"id":"rcp_1"}"#), false);
        assert!(book.unsettled.is_empty() && book.is_done(ask));
        assert_eq!(book.expected().get("prd_1"), Some(&14));
        // A repetition adds nothing.
        let again = Answer { replayed: true, ..answer(201, r#"{"id":"rcp_1"}"#) };
        book.answered(ask, &again, true);
        assert_eq!(book.expected().get("prd_1"), Some(&14));
        assert_eq!(
            book.acknowledged(Kind::Receipt).map(|(_, id)| id).collect::<Vec<_>>(),
            ["rcp_1"]
        );
        assert_eq!(book.verdict.violations(), 0);
    }

    #[test]
    fn what_must_not_be_is_counted() {
        for (status, body, repeated) in [
            // Another receipt for the same key, and one that is no replay.
            (201, r#"{"id":"rcp_2"}"#, true),
            // Refused after it was acknowledged.
            (409, r#"{"error":"insufficient_stock"}"#, true),
            (500, r#"{"error":"internal_error"}"#, false),
        ] {
            let (mut book, ask) = book();
            book.answered(ask, &answer(201, r#"{"id":"rcp_1"}"#), false);
            book.answered(ask, &answer(status, body), repeated);
            assert!(book.verdict.violations() > 0, "{status} {body}");
        }
    }
}
