//! The audit of what arrived: all of it, nothing else, and always the same.

use std::collections::{HashMap, HashSet};

use super::promise::DeliveryPromise;
use crate::chaos::book::Book;
use crate::chaos::verdict::Verdict;
use crate::receiver::Arrival;

/// Compares what arrived with the book, in which no order is unsettled.
pub(crate) fn audit(
    verdict: &mut Verdict<DeliveryPromise>,
    book: &Book,
    paths: &[&str],
    arrivals: &[Arrival],
    malformed: u64,
) {
    verdict.check(DeliveryPromise::NothingUnexplained, malformed == 0, || {
        format!("{malformed} requests that are no deliveries")
    });
    let mut accepted = HashSet::new();
    let mut events: HashMap<&str, (&str, u64)> = HashMap::new();
    let mut event_of_order: HashMap<&str, &str> = HashMap::new();
    for arrival in arrivals {
        let explained =
            book.order_by_id.contains_key(&*arrival.order_id) && paths.contains(&&*arrival.path);
        verdict.check(DeliveryPromise::NothingUnexplained, explained, || format!("{arrival:?}"));
        let genuine = arrival.genuine;
        verdict.check(DeliveryPromise::SignatureIsRight, genuine, || format!("{arrival:?}"));
        let content = (&*arrival.order_id, arrival.digest);
        let first = *events.entry(&arrival.event_id).or_insert(content);
        verdict.check(DeliveryPromise::EventIsTheSame, first == content, || {
            format!("{first:?} became {arrival:?}")
        });
        let event = *event_of_order.entry(&arrival.order_id).or_insert(&arrival.event_id);
        verdict.check(DeliveryPromise::OneEventPerOrder, event == &*arrival.event_id, || {
            format!("{event}, then {arrival:?}")
        });
        if arrival.accepted {
            accepted.insert((&*arrival.path, &*arrival.order_id));
        }
    }
    for order in &book.orders {
        for path in paths {
            let id = order.shown.id.as_str();
            let arrived = accepted.contains(&(*path, id));
            verdict.check(DeliveryPromise::NothingIsLost, arrived, || {
                format!("{id}, placed at {}, never arrived at {path}", order.placed_micros)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chaos::order::Product;
    use crate::random::SplitMix64;
    use crate::service::Answer;

    /// A book with the orders `ord_0` and `ord_1`.
    fn book() -> Book {
        let product = Product { id: "prd_a".into(), price_cents: 1000, initial_stock: 50 };
        let mut book = Book { products: vec![product], ..Book::default() };
        for number in 0..2 {
            let ask = book.ask(&mut SplitMix64::new(number));
            let quantity = book.asks[ask].lines[0].quantity;
            let body = format!(
                r#"{{"id":"ord_{number}","orderNumber":"ORD-1","status":"pending","totalAmount":{},
                "items":[{{"productId":"prd_a","quantity":{quantity}}}]}}"#,
                10 * quantity
            );
            let answer = Answer { status: 201, replayed: false, body: body.into_bytes() };
            book.order_answered(ask, &answer, false);
        }
        assert_eq!((book.orders.len(), book.verdict.violations()), (2, 0));
        book
    }

    fn arrival(path: &str, number: u64) -> Arrival {
        Arrival {
            path: path.into(),
            unix_micros: 1,
            order_id: format!("ord_{number}").into(),
            event_id: format!("evt_{number}").into(),
            attempt: 1,
            accepted: true,
            genuine: true,
            digest: number,
        }
    }

    #[track_caller]
    fn assert_violations(arrivals: &[Arrival], malformed: u64, expected: u64) {
        let mut verdict = Verdict::default();
        audit(&mut verdict, &book(), &["/ok/1"], arrivals, malformed);
        assert_eq!(verdict.violations(), expected, "{}", verdict.report());
    }

    #[test]
    fn what_arrived_again_and_the_same_is_right() {
        let mut failed = arrival("/ok/1", 0);
        failed.accepted = false;
        let arrivals = [failed, arrival("/ok/1", 0), arrival("/ok/1", 1), arrival("/ok/1", 0)];
        assert_violations(&arrivals, 0, 0);
    }

    #[test]
    fn each_fault_is_one_violation() {
        let both = || vec![arrival("/ok/1", 0), arrival("/ok/1", 1)];
        assert_violations(&both(), 3, 1);
        assert_violations(&both()[1..], 0, 1);
        let with = |change: fn(&mut Arrival)| {
            let mut arrivals = both();
            let mut odd = arrival("/ok/1", 1);
            change(&mut odd);
            arrivals.push(odd);
            arrivals
        };
        assert_violations(&with(|odd| odd.genuine = false), 0, 1);
        assert_violations(&with(|odd| odd.digest = 9), 0, 1);
        assert_violations(&with(|odd| odd.event_id = "evt_9".into()), 0, 1);
        assert_violations(&with(|odd| odd.path = "/ok/moved".into()), 0, 1);
        let stranger = |odd: &mut Arrival| {
            odd.order_id = "ord_9".into();
            odd.event_id = "evt_9".into();
        };
        assert_violations(&with(stranger), 0, 1);
    }
}
