//! The audit sees what is wrong.

use super::*;
use crate::chaos::asked::Outcome;
use crate::chaos::payments::ask::{Ask, Paying, Place};
use crate::chaos::payments::book::Ware;
use crate::chaos::verdict::Promise;

const MOMENTS: Moments = Moments { asked: 1, read: 1, is_last: true };

/// An order of 100.00, paid by card, of which 30.00 were given back.
fn sound() -> (Book, Snapshot) {
    let mut book =
        Book { wares: vec![Ware { id: "prd_1".to_owned(), initial_stock: 10 }], ..Book::default() };
    let paying = Paying {
        order: Some("ord_1".to_owned()),
        method: "card",
        amount: None,
        captures: true,
        overpays: false,
        place: Place::Default,
    };
    for (ask, id) in [
        (Ask::order("cus_1", &[]), "ord_1"),
        (Ask::pay(&paying), "pay_1"),
        (Ask::of_payment(Kind::Refund, "pay_1", Some(3_000), ""), "rfd_1"),
    ] {
        let ask = book.write(ask);
        book.asks[ask].outcome = Outcome::Done(id.to_owned());
    }
    let mut snapshot = Snapshot::default();
    let (all, some) = (100_000_000, 30_000_000);
    let payment = PaymentRow {
        id: "pay_1".to_owned(),
        order: Some("ord_1".to_owned()),
        provider: "sandbox".to_owned(),
        method: "card".to_owned(),
        status: "paid".to_owned(),
        amount: all,
        received: all,
        authorized: all,
        captured: all,
        refunded: some,
        ..PaymentRow::default()
    };
    snapshot.payments.insert(payment.id.clone(), payment);
    let refund = RefundRow {
        id: "rfd_1".to_owned(),
        payment: "pay_1".to_owned(),
        order: Some("ord_1".to_owned()),
        amount: some,
        status: "succeeded".to_owned(),
        origin: "api".to_owned(),
        ..RefundRow::default()
    };
    snapshot.refunds.insert(refund.id.clone(), refund);
    let order = OrderRow {
        id: "ord_1".to_owned(),
        status: "paid".to_owned(),
        total: all,
        paid: all,
        refunded: some,
        returned: 0,
        was_paid: true,
    };
    snapshot.orders.insert(order.id.clone(), order);
    let charge = r#"{"payment":"pay_1","method":"card","amount":100,"is_captured_at_once":true,"state":"paid",
        "received":100,"captured":100,"next_at":null,
        "refunds":[{"id":"sbx_r1","refund":"rfd_1","amount":30,"status":"succeeded"}]}"#;
    snapshot.charges.insert("pay_1".to_owned(), Charge::read(charge).unwrap());
    for (name, of, amount) in [
        ("payment.received", "pay_1", all),
        ("refund.succeeded", "rfd_1", some),
        ("order.paid", "ord_1", all),
    ] {
        snapshot.events.insert((name.to_owned(), of.to_owned()), vec![amount]);
    }
    snapshot.stock.insert("prd_1".to_owned(), [10, 10, 0]);
    (book, snapshot)
}

/// What the audit says after something was spoilt.
fn verdict(spoil: impl FnOnce(&mut Snapshot)) -> String {
    let (mut book, mut snapshot) = sound();
    spoil(&mut snapshot);
    audit(&mut book, &snapshot, MOMENTS);
    match book.verdict.violations() {
        0 => String::new(),
        _ => book.verdict.report(),
    }
}

fn payment(snapshot: &mut Snapshot) -> &mut PaymentRow {
    snapshot.payments.get_mut("pay_1").unwrap()
}

fn event<'a>(snapshot: &'a mut Snapshot, name: &str, of: &str) -> &'a mut Vec<i64> {
    snapshot.events.get_mut(&(name.to_owned(), of.to_owned())).unwrap()
}

#[test]
fn what_is_sound_is_held() {
    let (mut book, snapshot) = sound();
    let quiet = audit(&mut book, &snapshot, MOMENTS);
    assert_eq!((book.verdict.violations(), quiet.len()), (0, 1), "{}", book.verdict.report());
}

#[test]
fn every_fault_is_seen() {
    type Spoil = fn(&mut Snapshot);
    let faults: [(Money, Spoil); 17] = [
        (Money::CapturedWithinAuthorized, |s| payment(s).authorized -= 1),
        (Money::RefundedWithinCaptured, |s| payment(s).refund_pending = 80_000_000),
        (Money::RefundsAddUp, |s| payment(s).refunded -= 1),
        (Money::ProviderAgrees, |s| payment(s).captured -= 10_000),
        (Money::ProviderAgrees, |s| s.charges.clear()),
        (Money::ProviderAgrees, |s| payment(s).id = "pay_2".to_owned()),
        (Money::RefundsAgree, |s| s.charges.get_mut("pay_1").unwrap().refunds.clear()),
        (Money::OneReceivedEvent, |s| event(s, "payment.received", "pay_1").push(1)),
        (Money::OneReceivedEvent, |s| event(s, "payment.received", "pay_1")[0] -= 1),
        (Money::RefundEvents, |s| event(s, "refund.succeeded", "rfd_1").clear()),
        (Money::OrderMoneyAddsUp, |s| s.orders.get_mut("ord_1").unwrap().refunded = 0),
        (Money::PaidIsPaidFor, |s| {
            s.orders.get_mut("ord_1").unwrap().status = "pending".to_owned();
        }),
        (Money::OnePaidEvent, |s| event(s, "order.paid", "ord_1").push(1)),
        (Money::AcknowledgedIsKept, |s| s.refunds.clear()),
        (Money::NothingUnexplained, |s| {
            let twin = PaymentRow { id: "pay_3".to_owned(), ..payment(s).clone() };
            s.payments.insert(twin.id.clone(), twin);
        }),
        (Money::NoCallIsLeft, |s| s.called.extend(["pay_1".to_owned()])),
        (Money::StockAddsUp, |s| s.stock.get_mut("prd_1").unwrap()[1] -= 1),
    ];
    for (promise, spoil) in faults {
        let report = verdict(spoil);
        assert!(
            report.contains(&format!("- {promise:?}: ")),
            "{promise:?} ({}): {report}",
            promise.sentence()
        );
    }
}
