//! Money that was received or given back: payment, order, refunds, events and what is to be done next, in one
//! transaction. Orders are locked before their payments, and these before
//! their refunds and links.

use ::orders::{Order, OrderStatus, paying};
use ::payments::{
    Call, CallId, CallKind, CallOutcome, Flag, Judged, NewRefund, OrderId, Origin, Payment,
    PaymentId, Refund, RefundId, RefundStep, SeenRefund, Status, link, refund, watch,
};
use ::tasks::{Claim, NewTask, Payload, Task, kind};
use kernel::{AccountId, Amount, NewEvent, Timestamp};

use super::{invoices, links, owed, papers, refunds, rows, settings};
use crate::{events, ordering::money, tasks, tx::Tx};

/// A payment at work, with its order.
pub(super) struct Books {
    pub(super) account: AccountId,
    pub(super) payment: Payment,
    pub(super) order: Option<Order>,
    pub(super) now: Timestamp,
    told: Vec<NewEvent>,
    is_payment_changed: bool,
    is_order_changed: bool,
    /// Whether money has come.
    has_received: bool,
    /// What has come for an order that is cancelled.
    late: Option<Amount>,
    /// Refunds that have given money back, or have failed to after all.
    given_back: Vec<Refund>,
    /// The other payments of the order, where they were read since it was locked.
    pub(super) others: Option<Vec<Payment>>,
    /// What else is known of the order, where payments of many were read at once; they are written at once then.
    pub(super) known: Option<Known>,
    /// Whether it was just tried to call the payment off.
    pub(super) was_called_off: bool,
    /// Where the payment stood.
    before: Status,
}

/// What has to be looked at when money comes for an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// Whether links of it can be paid by.
    pub(super) is_linked: bool,
    /// Whether an invoice bills it.
    pub(super) is_invoiced: bool,
}

/// The order that a payment is for, locked.
pub(super) fn order_of(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: Option<OrderId>,
) -> diesel::QueryResult<Option<Order>> {
    let id = order.map(|id| ::orders::OrderId::from_u128(id.to_u128()));
    Ok(id.map(|id| money::locked(tx, account, id)).transpose()?.flatten())
}

impl Books {
    pub(super) fn open(
        account: AccountId,
        payment: Payment,
        order: Option<Order>,
        now: Timestamp,
    ) -> Self {
        Self {
            account,
            before: payment.status,
            payment,
            order,
            now,
            told: Vec::new(),
            is_payment_changed: false,
            is_order_changed: false,
            has_received: false,
            late: None,
            given_back: Vec::new(),
            others: None,
            known: None,
            was_called_off: false,
        }
    }

    /// Counts what was received, and tells of it.
    pub(super) fn receive(
        &mut self,
        tx: &mut Tx<'_>,
        received: Option<Amount>,
        events: Vec<NewEvent>,
    ) -> diesel::QueryResult<()> {
        self.told.extend(events);
        self.has_received |= received.is_some();
        let (Some(amount), Some(order)) = (received, &self.order) else { return Ok(()) };
        let is_cancelled = order.status == OrderStatus::Cancelled;
        let withholds = order.paid_at.is_none() && owed::withholds(tx.db, self.account, order)?;
        let received = paying::receive(order, amount, withholds, self.now);
        if is_cancelled {
            self.set(self.payment.clone().flagged(Flag::Late));
            self.late = Some(amount);
        } else if received.is_excess {
            self.set(self.payment.clone().flagged(Flag::Excess));
        }
        self.told.extend(received.events);
        self.order = Some(received.order);
        self.is_order_changed = true;
        Ok(())
    }

    /// Takes over what was decided of something seen, its refunds too.
    pub(super) fn judged(&mut self, tx: &mut Tx<'_>, judged: Judged) -> diesel::QueryResult<()> {
        self.is_payment_changed |= judged.payment != self.payment;
        self.payment = judged.payment;
        self.receive(tx, judged.received, judged.events)?;
        if judged.refunds.is_empty() {
            return Ok(());
        }
        let known = refunds::of_payment(tx.db, self.account, self.payment.id)?;
        for seen in judged.refunds {
            self.seen_refund(tx, &known, &seen)?;
        }
        Ok(())
    }

    /// A refund that the provider shows: one of ours, or one that was made there.
    fn seen_refund(
        &mut self,
        tx: &mut Tx<'_>,
        known: &[Refund],
        seen: &SeenRefund,
    ) -> diesel::QueryResult<()> {
        let is_it = |refund: &&Refund| match seen.refund {
            Some(id) => refund.id == id,
            None => refund.provider_ref.as_deref() == Some(seen.provider_ref.as_str()),
        };
        match known.iter().find(is_it) {
            Some(ours) => {
                let step = refund::settle(&self.payment, ours, seen, self.now);
                if step.payment != self.payment
                    || step.refund.status != ours.status
                    || step.refund.provider_ref != ours.provider_ref
                {
                    self.refunded(tx, step, false)?;
                }
            }
            // It may be the one whose answer we still wait for.
            None if known.iter().any(|ours| may_be(ours, seen)) => {}
            None => {
                let ids = (RefundId::from_u128(tx.ids.next()), CallId::from_u128(tx.ids.next()));
                if let Some(step) = refund::external(&self.payment, seen, ids, self.now) {
                    self.refunded(tx, step, true)?;
                }
            }
        }
        Ok(())
    }

    /// Records a step of a refund.
    pub(super) fn refunded(
        &mut self,
        tx: &mut Tx<'_>,
        step: RefundStep,
        is_new: bool,
    ) -> diesel::QueryResult<()> {
        self.is_payment_changed |= step.payment != self.payment;
        self.payment = step.payment;
        if let Some(order) = self.order.take_if(|_| step.given_back != Amount::ZERO) {
            self.order = Some(paying::refund(&order, step.given_back, self.now));
            self.is_order_changed = true;
        }
        if step.given_back != Amount::ZERO {
            self.given_back.push(step.refund.clone());
        }
        self.told.extend(step.events);
        match is_new {
            true => refunds::insert(tx, self.account, &step.refund),
            false => refunds::save(tx, self.account, &step.refund),
        }
    }

    /// Sets the payment as it is now.
    pub(super) fn set(&mut self, payment: Payment) {
        self.is_payment_changed |= payment != self.payment;
        self.payment = payment;
    }

    /// Sets aside what has come for a cancelled order, where it is to be given back by itself and its provider does that.
    fn returned_at_once(&mut self, tx: &mut Tx<'_>) -> diesel::QueryResult<Option<Refund>> {
        let Some(amount) = self.late.take() else { return Ok(None) };
        if !settings::gives_late_back(tx.db, self.account)? {
            return Ok(None);
        }
        let new = NewRefund {
            amount: Some(amount),
            is_manual: false,
            origin: Origin::Cancellation,
            reason: None,
            note: None,
        };
        let ids = (RefundId::from_u128(tx.ids.next()), CallId::from_u128(tx.ids.next()));
        match refund::reserve(&self.payment, &new, ids, self.now) {
            Ok(step) if !step.refund.is_manual => {
                let refund = step.refund.clone();
                self.refunded(tx, step, true)?;
                Ok(Some(refund))
            }
            // It stays owed, for somebody to give it back.
            _ => Ok(None),
        }
    }

    /// Writes everything down, and opens what has to be done next.
    pub(super) fn close(mut self, tx: &mut Tx<'_>, is_new: bool) -> diesel::QueryResult<Payment> {
        let (account, now) = (self.account, self.now);
        let returned = self.returned_at_once(tx)?;
        self.save(tx, is_new)?;
        self.tell_link(tx, is_new)?;
        events::append(tx, account, now, std::mem::take(&mut self.told))?;
        self.open_papers(tx)?;
        let may_be_settled = self.has_received
            || (!is_new && !self.was_called_off && self.payment.is_called_off_when_settled());
        if let Some(invoice) = self.payment.invoice.filter(|_| may_be_settled) {
            invoices::settle_named(tx, account, invoice, self.spared(), now)?;
        }
        self.settle_order(tx)?;
        if let Some(refund) = returned {
            open_refund(tx, account, &refund, None, now)?;
        }
        keep_watch(tx, account, &self.payment, now)?;
        Ok(self.payment)
    }

    /// Saves the payment and its order, or leaves them to be saved with others where payments of many were read at once.
    fn save(&self, tx: &mut Tx<'_>, is_new: bool) -> diesel::QueryResult<()> {
        let (account, writes_later) = (self.account, self.known.is_some());
        if is_new && writes_later {
            rows::leave(tx, account, &self.payment)?;
        } else if is_new {
            rows::insert(tx, account, &self.payment)?;
        } else if self.is_payment_changed {
            rows::save(tx, account, &self.payment)?;
        }
        match self.order.as_ref().filter(|_| self.is_order_changed) {
            Some(order) if writes_later => money::leave(tx, account, order),
            Some(order) => money::save(tx, account, order)?,
            None => {}
        }
        Ok(())
    }

    /// Has the link of the payment follow it.
    fn tell_link(&self, tx: &mut Tx<'_>, is_new: bool) -> diesel::QueryResult<()> {
        let (account, now) = (self.account, self.now);
        let Some(link) = self.payment.link else { return Ok(()) };
        let change = link::moved((!is_new).then_some(self.before), self.payment.status);
        if !change.is_none() {
            links::moved(tx, account, (link, self.payment.id), change, now)?;
        }
        // It could not be called off when somebody else paid, for a call of it was under way.
        let may_bring_more = !self.was_called_off && self.payment.is_called_off_when_settled();
        if may_bring_more && links::is_paid_up(tx.db, account, link)? {
            call_off(tx, account, &self.payment, now)?;
        }
        Ok(())
    }

    /// Opens the tasks that draft the documents of what was received and given back.
    fn open_papers(&self, tx: &mut Tx<'_>) -> diesel::QueryResult<()> {
        if self.has_received && self.known.is_none_or(|known| known.is_invoiced) {
            papers::receipt_due(tx, self.account, &self.payment, self.now)?;
        }
        for refund in &self.given_back {
            papers::note_due(tx, self.account, &self.payment, refund, self.now)?;
        }
        Ok(())
    }

    /// The payment, if it could not be called off just now: that is tried again when there is news of it.
    fn spared(&self) -> Option<PaymentId> {
        self.was_called_off.then_some(self.payment.id)
    }

    /// Calls off what else might be paid for an order of which nothing is due any more.
    fn settle_order(&mut self, tx: &mut Tx<'_>) -> diesel::QueryResult<()> {
        let (account, now, spared) = (self.account, self.now, self.spared());
        let Some(order) = self.order.as_ref().filter(|order| is_settled(order)) else {
            return Ok(());
        };
        if !self.is_order_changed {
            return match spared.is_none() && self.payment.is_called_off_when_settled() {
                true => call_off(tx, account, &self.payment, now),
                false => Ok(()),
            };
        }
        let payments = match self.others.take() {
            Some(mut payments) => {
                payments.push(self.payment.clone());
                payments
            }
            None => rows::of_order(tx.db, account, payments_of(order))?,
        };
        if self.known.is_none_or(|known| known.is_linked) {
            close_links(tx, account, order, now)?;
        }
        call_off_all(tx, account, &payments, spared, now)
    }
}

/// Whether a refund that the provider shows without our identifier may be one of ours that has no answer yet.
fn may_be(ours: &Refund, seen: &SeenRefund) -> bool {
    // Nobody is called for what the merchant gives back, so no answer is awaited.
    let is_called = !ours.is_manual && ours.call.outcome == CallOutcome::Open;
    let is_unanswered = is_called && ours.provider_ref.is_none();
    seen.refund.is_none() && is_unanswered && ours.amount == seen.amount
}

/// Whether nothing is to be paid for an order any more.
fn is_settled(order: &Order) -> bool {
    order.amount_due() == Amount::ZERO
}

/// Calls off the payments of an order, but for one, for which nothing is to be paid any more.
pub(crate) fn call_off_settled(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: &Order,
    spared: Option<PaymentId>,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    if !is_settled(order) {
        return Ok(());
    }
    let payments = rows::of_order(tx.db, account, payments_of(order))?;
    close_links(tx, account, order, now)?;
    call_off_all(tx, account, &payments, spared, now)
}

/// An order as payments name it.
fn payments_of(order: &Order) -> OrderId {
    OrderId::from_u128(order.id.to_u128())
}

/// Closes the links of an order for which nothing is to be paid any more.
fn close_links(
    tx: &mut Tx<'_>,
    account: AccountId,
    order: &Order,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    let is_cancelled = order.status == OrderStatus::Cancelled;
    links::settle(tx, account, payments_of(order), is_cancelled, now)
}

/// Calls the payments of a settled order off, but for one.
fn call_off_all(
    tx: &mut Tx<'_>,
    account: AccountId,
    payments: &[Payment],
    spared: Option<PaymentId>,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    for payment in payments {
        if payment.is_called_off_when_settled() && spared != Some(payment.id) {
            call_off(tx, account, payment, now)?;
        }
    }
    Ok(())
}

/// Has a payment called off, unless another call of it is under way: what follows from that looks again.
pub(super) fn call_off(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: &Payment,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    if rows::open_call(tx.db, account, payment.id)?.is_none() {
        let call = CallId::from_u128(tx.ids.next());
        let call = Call::open(call, payment.id, CallKind::Cancel, None, now);
        open_call(tx, account, &call, None, now)?;
    }
    Ok(())
}

/// What the task of the open call of a payment is known by.
pub(super) fn call_key(payment: PaymentId) -> String {
    format!("payment call {payment}")
}

/// Puts a call on record with the task that makes it.
pub(super) fn open_call(
    tx: &mut Tx<'_>,
    account: AccountId,
    call: &Call,
    claim: Option<Claim>,
    now: Timestamp,
) -> diesel::QueryResult<Task> {
    rows::insert_call(tx, account, call)?;
    let new = NewTask {
        kind: kind::PAYMENT_CALL.name,
        subject: call.payment.to_string(),
        exclusive_key: Some(call_key(call.payment)),
        payload: Payload::none(),
        due_at: now,
        claim,
    };
    tasks::open(tx, account, new, now)
}

/// Opens the task that has a refund made.
pub(super) fn open_refund(
    tx: &mut Tx<'_>,
    account: AccountId,
    refund: &Refund,
    claim: Option<Claim>,
    now: Timestamp,
) -> diesel::QueryResult<Task> {
    let new = NewTask {
        kind: kind::REFUND.name,
        subject: refund.id.to_string(),
        exclusive_key: Some(format!("refund {}", refund.id)),
        payload: Payload::none(),
        due_at: now,
        claim,
    };
    tasks::open(tx, account, new, now)
}

/// Has a payment asked after from time to time, as long as something is expected of it.
fn keep_watch(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: &Payment,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    let Some(seconds) = watch::next(payment, now) else { return Ok(()) };
    let is_pending = payment.status == Status::Pending;
    if is_pending && rows::open_call(tx.db, account, payment.id)?.is_some() {
        return Ok(());
    }
    let key = format!("payment check {}", payment.id);
    if tasks::by_key(tx.db, account, &key)?.is_some() {
        return Ok(());
    }
    let new = NewTask {
        kind: kind::PAYMENT_CHECK.name,
        subject: payment.id.to_string(),
        exclusive_key: Some(key),
        payload: Payload::none(),
        due_at: now.plus_seconds(watch::spread(seconds, payment)),
        claim: None,
    };
    tasks::open(tx, account, new, now).map(drop)
}
