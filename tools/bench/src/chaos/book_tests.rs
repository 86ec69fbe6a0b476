//! The book's judgement of answers.

use super::*;

fn book() -> Book {
    let product = |id: &str| Product { id: id.into(), price_cents: 1000, initial_stock: 50 };
    Book { products: vec![product("prd_a")], key_prefix: "k".into(), ..Book::default() }
}

fn placed(book: &Book, ask: usize, id: &str) -> Answer {
    let line = book.asks[ask].lines[0];
    let body = format!(
        r#"{{"id":"{id}","orderNumber":"ORD-1","status":"pending","totalAmount":{}.00,
        "items":[{{"productId":"prd_a","quantity":{}}}]}}"#,
        10 * line.quantity,
        line.quantity
    );
    Answer { status: 201, replayed: false, body: body.into_bytes() }
}

fn refused() -> Answer {
    let body = r#"{"statusCode":409,"message":"m","error":"insufficient_stock"}"#;
    Answer { status: 409, replayed: false, body: body.into() }
}

#[test]
fn an_acknowledged_order_takes_its_stock() {
    let mut book = book();
    let ask = book.ask(&mut SplitMix64::new(1));
    let answer = placed(&book, ask, "ord_1");
    book.order_answered(ask, &answer, false);
    assert_eq!(book.expected_stock(), [50 - book.asks[ask].lines[0].quantity]);
    book.orders[0].shown.status = CANCELLED.to_owned();
    assert_eq!(book.expected_stock(), [50]);
    assert_eq!(book.verdict.violations(), 0);
}

#[test]
fn a_replay_must_be_the_same_and_say_so() {
    let mut book = book();
    let ask = book.ask(&mut SplitMix64::new(1));
    let mut answer = placed(&book, ask, "ord_1");
    book.order_answered(ask, &answer, false);
    answer.replayed = true;
    book.order_answered(ask, &answer, true);
    assert_eq!(book.verdict.violations(), 0);
    answer.replayed = false;
    book.order_answered(ask, &answer, true);
    assert_eq!(book.verdict.violations(), 1, "not marked");
    let mut other = placed(&book, ask, "ord_2");
    other.replayed = true;
    book.order_answered(ask, &other, true);
    assert_eq!(book.verdict.violations(), 2, "a second order for one key");
    book.order_answered(ask, &refused(), true);
    assert_eq!(book.verdict.violations(), 3, "taken back");
}

#[test]
fn two_keys_never_share_an_order() {
    let mut book = book();
    let mut random = SplitMix64::new(1);
    for violations in 0..2 {
        let ask = book.ask(&mut random);
        let answer = placed(&book, ask, "ord_1");
        book.order_answered(ask, &answer, false);
        assert_eq!(book.verdict.violations(), violations);
    }
}

#[test]
fn a_lost_answer_stays_open_until_it_is_settled() {
    let mut book = book();
    let ask = book.ask(&mut SplitMix64::new(1));
    book.order_lost(ask);
    // A twin's refusal does not say what became of the lost one.
    book.order_answered(ask, &refused(), false);
    assert_eq!(book.asks[ask].outcome, Outcome::Open);
    book.unsettled.remove(&ask);
    book.order_answered(ask, &refused(), false);
    assert_eq!(book.asks[ask].outcome, Outcome::Refused);
}

#[test]
fn what_the_api_does_not_promise_is_a_violation() {
    let mut book = book();
    let ask = book.ask(&mut SplitMix64::new(1));
    let answer = Answer { status: 500, replayed: false, body: Vec::new() };
    book.order_answered(ask, &answer, false);
    assert_eq!(book.verdict.violations(), 1);
    assert!(book.unsettled.contains(&ask));
}

#[test]
fn an_order_with_another_total_is_a_violation() {
    let mut book = book();
    let ask = book.ask(&mut SplitMix64::new(1));
    let mut answer = placed(&book, ask, "ord_1");
    answer.body = String::from_utf8(answer.body).unwrap().replace(".00", ".01").into_bytes();
    book.order_answered(ask, &answer, false);
    assert_eq!(book.verdict.violations(), 1);
}
