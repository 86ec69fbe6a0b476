//! The audit of what the database holds: our books, the provider's, and what was acknowledged.

use std::collections::{BTreeMap, BTreeSet};

use super::ask::Kind;
use super::book::Book;
use super::promise::Money;
use super::provider::Charge;
use super::snapshot::{OrderRow, PaymentRow, RefundRow, Snapshot};

/// Statuses of refunds that hold what they ask for.
const UNDER_WAY: &[&str] = &["pending", "processing", "requires_action"];

/// When the provider was last asked about everything, and when its books are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) asked: i64,
    pub(super) read: i64,
    /// Whether all calls had the time to be made again.
    pub(super) is_last: bool,
}

/// Compares everything; the payments of which all agrees.
pub(super) fn audit(book: &mut Book, snapshot: &Snapshot, moments: Moments) -> BTreeSet<String> {
    let mut quiet = BTreeSet::new();
    let mut of_payment: BTreeMap<&str, Vec<&RefundRow>> = BTreeMap::new();
    for refund in snapshot.refunds.values() {
        of_payment.entry(&refund.payment).or_default().push(refund);
        refund_events(book, snapshot, refund);
    }
    for payment in snapshot.payments.values() {
        let refunds = of_payment.get(payment.id.as_str()).map_or(&[][..], Vec::as_slice);
        amounts(book, payment, refunds);
        received_event(book, snapshot, payment);
        if agrees_with_provider(book, snapshot, payment, refunds, moments) {
            quiet.insert(payment.id.clone());
        }
    }
    for charge in snapshot.charges.values() {
        let is_ours = snapshot.payments.contains_key(&charge.payment);
        let is_one = !snapshot.charged_twice.contains(&charge.payment);
        book.verdict.check(Money::OneCharge, is_one, || charge.payment.clone());
        book.verdict
            .check(Money::ProviderAgrees, is_ours, || format!("a charge of nothing: {charge:?}"));
    }
    orders(book, snapshot);
    acknowledged(book, snapshot);
    explained(book, snapshot);
    stock(book, snapshot);
    quiet
}

fn amounts(book: &mut Book, payment: &PaymentRow, refunds: &[&RefundRow]) {
    let PaymentRow { authorized, captured, refunded, refund_pending, .. } = *payment;
    let detail = || format!("{payment:?}");
    let within =
        0 <= captured && captured <= authorized && (captured > 0) == (payment.status == "paid");
    book.verdict.check(Money::CapturedWithinAuthorized, within, detail);
    let within = refunded >= 0 && refund_pending >= 0 && refunded + refund_pending <= captured;
    book.verdict.check(Money::RefundedWithinCaptured, within, detail);
    let sum = |wanted: &dyn Fn(&str) -> bool| -> i64 {
        refunds.iter().filter(|refund| wanted(&refund.status)).map(|refund| refund.amount).sum()
    };
    let done = sum(&|status| status == "succeeded");
    let held = sum(&|status| UNDER_WAY.contains(&status));
    book.verdict.check(Money::RefundsAddUp, done == refunded && held == refund_pending, || {
        format!("{payment:?}: {done} given back, {held} under way")
    });
}

fn received_event(book: &mut Book, snapshot: &Snapshot, payment: &PaymentRow) {
    let told = snapshot.told("payment.received", &payment.id);
    // Of a transfer, or of cash at a shop, more may come after the first of it was told of.
    let is_right = match told {
        [] => payment.captured == 0,
        [amount] if matches!(payment.method.as_str(), "spei" | "oxxo") => {
            *amount <= payment.captured
        }
        [amount] => *amount == payment.captured,
        _ => false,
    };
    book.verdict
        .check(Money::OneReceivedEvent, is_right, || format!("{told:?} told of {payment:?}"));
}

fn refund_events(book: &mut Book, snapshot: &Snapshot, refund: &RefundRow) {
    let done = snapshot.told("refund.succeeded", &refund.id);
    let failed = snapshot.told("refund.failed", &refund.id);
    let is_right = match refund.status.as_str() {
        "succeeded" => done == [refund.amount] && failed.is_empty(),
        "failed" => done.len() <= 1 && failed == [refund.amount],
        _ => done.is_empty() && failed.is_empty(),
    };
    book.verdict.check(Money::RefundEvents, is_right, || {
        format!("{refund:?}: succeeded {done:?}, failed {failed:?}")
    });
}

/// Whether the provider's books and ours agree on a payment; it counts unless something of it is under way.
fn agrees_with_provider(
    book: &mut Book,
    snapshot: &Snapshot,
    payment: &PaymentRow,
    refunds: &[&RefundRow],
    moments: Moments,
) -> bool {
    let charge = snapshot.charges.get(&payment.id);
    if payment.provider == "manual" {
        let is_alone = charge.is_none() && payment.status == "paid";
        book.verdict
            .check(Money::ProviderAgrees, is_alone, || format!("{payment:?} and {charge:?}"));
        return is_alone;
    }
    let is_called = snapshot.called.contains(&payment.id);
    let refund_is_called = refunds.iter().any(|refund| refund.is_called);
    if moments.is_last {
        let is_left = snapshot.is_left(&payment.id);
        book.verdict.check(Money::NoCallIsLeft, !is_left, || format!("{payment:?}, {refunds:?}"));
    }
    // What was refused after an earlier attempt was lost is asked about for a quarter of an hour before it is given up.
    if is_called || refund_is_called {
        return false;
    }
    let Some(charge) = charge else {
        // One outside may have asked us to wait before it took the call.
        let may_come = payment.provider != "sandbox" && payment.status == "pending";
        let is_over = matches!(payment.status.as_str(), "failed" | "canceled");
        let is_never = (is_over || may_come) && payment.captured == 0;
        book.verdict
            .check(Money::ProviderAgrees, is_never, || format!("{payment:?} and no charge"));
        return is_never && !may_come;
    };
    // What has happened there since it was last asked is not known here yet.
    let asked = charge.at(moments.asked);
    if asked != charge.at(moments.read) {
        return false;
    }
    let agrees = if payment.in_conflict {
        payment.captured <= asked.captured
    } else {
        payment.captured == asked.captured && asked.stands_as(&payment.status, payment.received)
    };
    book.verdict.check(Money::ProviderAgrees, agrees, || format!("{payment:?} and {asked:?}"));
    let refunds_agree = refunds_agree(book, payment, refunds, &asked);
    agrees && refunds_agree && asked.next_at.is_none()
}

fn refunds_agree(
    book: &mut Book,
    payment: &PaymentRow,
    refunds: &[&RefundRow],
    charge: &Charge,
) -> bool {
    let mut agree = true;
    for theirs in &charge.refunds {
        let ours = refunds.iter().find(|ours| match &theirs.refund {
            Some(id) => ours.id == *id,
            None => ours.provider_ref.as_deref() == Some(theirs.id.as_str()),
        });
        let room = payment.captured - payment.refunded - payment.refund_pending;
        let is_right = match ours {
            Some(ours) => {
                ours.amount == theirs.amount && ours.status == theirs.status && !ours.is_manual
            }
            // One that was made there waits until there is room for it; one that has failed takes none.
            None => theirs.refund.is_none() && (theirs.amount > room || theirs.status == "failed"),
        };
        book.verdict.check(Money::RefundsAgree, is_right, || {
            format!("{theirs:?} and {ours:?} of {payment:?}")
        });
        agree &= is_right;
    }
    for ours in refunds.iter().filter(|ours| ours.status == "succeeded" && !ours.is_manual) {
        let is_there = charge.refunds.iter().any(|theirs| {
            theirs.refund.as_ref() == Some(&ours.id)
                || ours.provider_ref.as_ref() == Some(&theirs.id)
        });
        book.verdict
            .check(Money::RefundsAgree, is_there, || format!("{ours:?} is not there: {charge:?}"));
        agree &= is_there;
    }
    agree
}

fn orders(book: &mut Book, snapshot: &Snapshot) {
    let mut sums: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    for payment in snapshot.payments.values() {
        if let Some(order) = &payment.order {
            let sum = sums.entry(order).or_default();
            *sum = (sum.0 + payment.captured, sum.1 + payment.refunded);
        }
    }
    for order in snapshot.orders.values() {
        let (paid, refunded) = sums.remove(order.id.as_str()).unwrap_or_default();
        let add_up = (order.paid, order.refunded) == (paid, refunded);
        book.verdict.check(Money::OrderMoneyAddsUp, add_up, || {
            format!("{order:?}: its payments have {paid} and {refunded}")
        });
        let told = snapshot.told("order.paid", &order.id).len();
        book.verdict.check(Money::OnePaidEvent, told == usize::from(order.was_paid), || {
            format!("{told} order.paid of {order:?}")
        });
        book.verdict.check(Money::PaidIsPaidFor, paid_means_money(order), || format!("{order:?}"));
    }
    for (order, sum) in sums {
        book.verdict
            .check(Money::OrderMoneyAddsUp, false, || format!("{sum:?} for no order: {order}"));
    }
}

fn paid_means_money(order: &OrderRow) -> bool {
    let has_money = order.paid >= order.total - order.returned;
    match order.status.as_str() {
        "pending" => !has_money && !order.was_paid,
        "cancelled" => true,
        _ => has_money && order.was_paid,
    }
}

/// Whatever was acknowledged is there.
fn acknowledged(book: &mut Book, snapshot: &Snapshot) {
    type IsKept<'a> = &'a dyn Fn(&str) -> bool;
    let kept: [(Kind, IsKept<'_>); 4] = [
        (Kind::Order, &|id| snapshot.orders.contains_key(id)),
        (Kind::Pay, &|id| snapshot.payments.contains_key(id)),
        (Kind::Refund, &|id| snapshot.refunds.contains_key(id)),
        (Kind::Return, &|id| snapshot.returns.contains(id)),
    ];
    for (kind, is_kept) in kept {
        let made: Vec<String> = book.made(kind).into_iter().map(str::to_owned).collect();
        for id in made {
            book.verdict.check(Money::AcknowledgedIsKept, is_kept(&id), || {
                format!("{kind:?} {id} is gone")
            });
        }
    }
}

/// Whatever is there was asked for.
fn explained(book: &mut Book, snapshot: &Snapshot) {
    let own = |ids: BTreeSet<&str>| ids.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    let [orders, payments, refunds, returns] =
        [Kind::Order, Kind::Pay, Kind::Refund, Kind::Return].map(|kind| own(book.made(kind)));
    let about = |kind| {
        let done = book.asks.iter().filter(|ask| ask.kind == kind);
        done.filter_map(|ask| ask.about.clone()).collect::<BTreeSet<String>>()
    };
    let [marked, cancelled, returned] =
        [Kind::MarkPaid, Kind::CancelOrder, Kind::Return].map(about);
    let is_of = |orders: &BTreeSet<String>, order: &Option<String>| {
        order.as_ref().is_some_and(|order| orders.contains(order))
    };
    let mut marks: BTreeMap<&str, u32> = BTreeMap::new();
    for payment in snapshot.payments.values().filter(|payment| !payments.contains(&payment.id)) {
        let count = marks.entry(payment.order.as_deref().unwrap_or_default()).or_default();
        *count += 1;
        let is_mark = payment.method == "other" && is_of(&marked, &payment.order) && *count == 1;
        book.verdict.check(Money::NothingUnexplained, is_mark, || format!("{payment:?}"));
    }
    for refund in snapshot.refunds.values() {
        let is_explained = match refund.origin.as_str() {
            "api" => refunds.contains(&refund.id),
            "return" => is_of(&returned, &refund.order),
            "cancellation" => is_of(&cancelled, &refund.order),
            _ => snapshot.charges.get(&refund.payment).is_some_and(|charge| {
                charge.refunds.iter().any(|theirs| Some(&theirs.id) == refund.provider_ref.as_ref())
            }),
        };
        book.verdict.check(Money::NothingUnexplained, is_explained, || format!("{refund:?}"));
    }
    for id in snapshot.orders.keys() {
        book.verdict
            .check(Money::NothingUnexplained, orders.contains(id), || format!("order {id}"));
    }
    for id in &snapshot.returns {
        book.verdict
            .check(Money::NothingUnexplained, returns.contains(id), || format!("return {id}"));
    }
}

fn stock(book: &mut Book, snapshot: &Snapshot) {
    for ware in &book.wares {
        let [level, ledger, held] = snapshot.stock.get(&ware.id).copied().unwrap_or_default();
        let agree = level == ledger && level == ware.initial_stock - held && level >= 0;
        book.verdict.check(Money::StockAddsUp, agree, || {
            format!("{ware:?}: level {level}, ledger {ledger}, {held} held by orders")
        });
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
