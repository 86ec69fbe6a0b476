//! What of an order is paid, refunded and still due, and what comes of money for it.

use kernel::{Amount, NewEvent, Timestamp};
use pricing::{step, tax};
use serde::{Deserialize, Serialize};

use crate::{Order, OrderStatus, events};

/// How far an order is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    /// Nothing is paid.
    Unpaid,
    /// Some of it is paid.
    PartiallyPaid,
    /// All of it is paid, or it costs nothing.
    Paid,
    /// Some of what was paid has been refunded.
    PartiallyRefunded,
    /// All that was paid has been refunded.
    Refunded,
}

impl PaymentStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Unpaid, Self::PartiallyPaid, Self::Paid, Self::PartiallyRefunded, Self::Refunded];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unpaid => "unpaid",
            Self::PartiallyPaid => "partially_paid",
            Self::Paid => "paid",
            Self::PartiallyRefunded => "partially_refunded",
            Self::Refunded => "refunded",
        }
    }
}

/// What comes of money for an order: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The order with the money.
    pub order: Order,
    /// Whether this is what pays it in full.
    pub completes: bool,
    /// Whether more has now been paid than it amounts to, without what its invoice states as withheld.
    pub is_excess: bool,
    /// What is told.
    pub events: Vec<NewEvent>,
}

impl Order {
    /// What was paid for it, in all.
    #[must_use]
    pub fn amount_paid(&self) -> Amount {
        match (self.amount_paid, self.paid_at) {
            (Some(paid), _) => paid,
            (None, Some(_)) => self.total,
            (None, None) => Amount::ZERO,
        }
    }

    /// What it amounts to without the goods that have come back.
    #[must_use]
    pub fn amount_charged(&self) -> Amount {
        excess_over(self.total, self.returned_total)
    }

    /// The same without what its customer withholds of that as taxes: what an invoice of what is left asks for.
    #[must_use]
    pub fn amount_charged_net(&self) -> Amount {
        excess_over(self.amount_charged(), self.withheld_left())
    }

    /// What of that is to be paid here: once a stamped invoice states what is withheld of it, all of it but that.
    fn amount_payable(&self) -> Amount {
        excess_over(self.amount_charged(), self.withheld_by(false))
    }

    /// What pays it in full at least: who withholds taxes pays these to the tax authority, and the rest here. Where something
    /// came back, an invoice whose credit notes are rounded each by itself may ask for a step less.
    pub(crate) fn amount_sufficient(&self, withholds: bool) -> Amount {
        let withheld = self.withheld_by(withholds);
        let is_rounded = withheld > Amount::ZERO && self.returned_total > Amount::ZERO;
        let rounding = if is_rounded { step(self.currency.decimals()) } else { 0 };
        let withheld = Amount::from_micros(withheld.micros().saturating_add(rounding));
        excess_over(self.amount_charged(), withheld)
    }

    /// How far it is paid.
    #[must_use]
    pub fn payment_status(&self) -> PaymentStatus {
        let (paid, refunded) = (self.amount_paid(), self.amount_refunded);
        if refunded > Amount::ZERO {
            return match refunded >= paid {
                true => PaymentStatus::Refunded,
                false => PaymentStatus::PartiallyRefunded,
            };
        }
        if paid >= self.amount_charged() || self.paid_at.is_some() {
            return PaymentStatus::Paid;
        }
        match paid == Amount::ZERO {
            true => PaymentStatus::Unpaid,
            false => PaymentStatus::PartiallyPaid,
        }
    }

    /// Whether all that was paid for it has been given back and nothing is owed: it is a sale no more.
    #[must_use]
    pub fn is_given_back(&self) -> bool {
        self.payment_status() == PaymentStatus::Refunded && self.amount_due() == Amount::ZERO
    }

    /// What is still to be paid; nothing of a cancelled order, nor where the rest was withheld as taxes, or is as its invoice states.
    /// Refunds do not make it due again.
    #[must_use]
    pub fn amount_due(&self) -> Amount {
        match self.status {
            OrderStatus::Cancelled => Amount::ZERO,
            _ if self.paid_at.is_some() => Amount::ZERO,
            _ => excess_over(self.amount_payable(), self.amount_paid()),
        }
    }

    /// What is owed of that here, and asked for where no amount is named: who withholds taxes pays these to the tax authority.
    #[must_use]
    pub fn amount_owed(&self, withholds: bool) -> Amount {
        match self.withheld_stated {
            Some(_) => self.amount_due(),
            None => excess_over(self.amount_due(), self.withheld_by(withholds)),
        }
    }

    /// What is withheld of what has not come back, if whoever pays withholds taxes, or where its invoice states it.
    fn withheld_by(&self, withholds: bool) -> Amount {
        let is_withheld = withholds || self.withheld_stated.is_some();
        if is_withheld { self.withheld_left() } else { Amount::ZERO }
    }

    /// What of what has not come back is withheld as taxes instead of being paid here: what was when it was paid, or else what
    /// will be if whoever pays it withholds.
    #[must_use]
    pub fn amount_left_out(&self, withholds: bool) -> Amount {
        match (self.paid_at, self.status) {
            (Some(_), _) => self.withheld_when_paid(|| self.is_paid_net()),
            (None, OrderStatus::Cancelled) => Amount::ZERO,
            (None, _) => self.withheld_by(withholds),
        }
    }

    /// What of what has not come back its customer had withheld as taxes when they paid it. Of orders that were paid before that
    /// was kept nobody knows.
    #[must_use]
    pub fn withheld_kept(&self) -> Amount {
        self.withheld_known().unwrap_or_default()
    }

    /// The same where it was kept: no more than its lines come to, unless an invoice stated more and that was left out.
    fn withheld_known(&self) -> Option<Amount> {
        let (withheld, of_rest) = (self.amount_withheld?, self.withheld_of_rest());
        let left_out = excess_over(self.amount_charged(), self.amount_paid());
        // A step is not left out but rounded off, where something came back.
        let rounding = Amount::from_micros(step(self.currency.decimals()));
        let is_more = excess_over(left_out, of_rest) > rounding;
        Some(withheld.min(if is_more { left_out } else { of_rest }))
    }

    /// What was paid for it and not given back.
    #[must_use]
    pub fn amount_kept(&self) -> Amount {
        excess_over(self.amount_paid(), self.amount_refunded)
    }

    /// Takes down that it is paid, and what its customer has withheld of it as taxes: what they left out. Who withholds them
    /// whatever was paid has withheld no less than all of them. That is kept, too, while an invoice decides it.
    pub(crate) fn settle(&mut self, withholds: bool, now: Timestamp) {
        let left_out = excess_over(self.amount_charged(), self.amount_paid());
        let withheld = if withholds { self.withheld_left() } else { Amount::ZERO };
        self.amount_withheld = Some(left_out.max(withheld));
        self.paid_at = Some(now);
    }

    /// [Settles](Self::settle) it, and says what is told of it. It becomes `paid`, or only gets its moment of payment if it has
    /// been shipped before.
    pub(crate) fn complete(&mut self, withholds: bool, now: Timestamp) -> Vec<NewEvent> {
        let mut told = Vec::new();
        self.settle(withholds, now);
        if self.status == OrderStatus::Pending {
            self.status = OrderStatus::Paid;
            told.push(events::updated(self.id, OrderStatus::Pending, self.status));
        }
        told.push(events::paid(self));
        told
    }

    /// What the customer is owed: what was paid and not given back, beyond what the order amounts to.
    #[must_use]
    pub fn refund_owed(&self) -> Amount {
        self.excess_kept(self.withheld_when_paid(|| self.is_paid_net()))
    }

    /// The same of what this order was before something came back: whoever has paid just what was left of it, without what
    /// is withheld of that, is given back no less.
    pub(crate) fn refund_owed_after(&self, before: &Self) -> Amount {
        self.excess_kept(self.withheld_when_paid(|| self.seems_paid_net_after(before)))
    }

    /// What goods of so much that have come back since `before` give back at most: what was withheld of them was not paid.
    pub(crate) fn net_of_returned(&self, before: &Self, amount: Amount) -> Amount {
        let seems_net = || self.seems_paid_net_after(before);
        let withheld = before.withheld_when_paid(seems_net);
        excess_over(amount, excess_over(withheld, self.withheld_when_paid(seems_net)))
    }

    /// What was paid beyond what the customer pays for what has not come back, whatever of that was given back since.
    #[must_use]
    pub fn amount_paid_beyond(&self) -> Amount {
        let withheld = self.withheld_when_paid(|| self.is_paid_net());
        excess_over(self.amount_paid(), self.taken(withheld))
    }

    /// What was paid and not given back beyond what the customer pays for what has not come back, of which so much is
    /// withheld.
    fn excess_kept(&self, withheld: Amount) -> Amount {
        excess_over(self.amount_kept(), self.taken(withheld))
    }

    /// What the customer pays for what has not come back, of which so much is withheld.
    fn taken(&self, withheld: Amount) -> Amount {
        match self.status {
            OrderStatus::Cancelled => Amount::ZERO,
            _ => excess_over(self.amount_charged(), withheld),
        }
    }

    /// What was withheld when it was paid, as far as it is of what has not come back: what its invoice states, whatever was paid.
    /// Where that was not taken down yet, what was paid and kept has to tell.
    fn withheld_when_paid(&self, seems_net: impl FnOnce() -> bool) -> Amount {
        match (self.withheld_stated, self.amount_withheld) {
            (Some(_), _) => self.withheld_left(),
            (None, Some(withheld)) => withheld.min(self.withheld_left()),
            (None, None) if seems_net() => self.withheld_left(),
            (None, None) => Amount::ZERO,
        }
    }

    /// Whether its customer seems to have paid the whole order without what is withheld of it.
    fn is_paid_net(&self) -> bool {
        let withheld = self.withheld_total();
        withheld > Amount::ZERO
            && self.paid_at.is_some()
            && self.amount_paid() == excess_over(self.total, withheld)
    }

    /// Whether the one or the other: the whole order, or what was left of it before something came back.
    fn seems_paid_net_after(&self, before: &Self) -> bool {
        self.is_paid_net() || before.is_kept_net()
    }

    /// Whether they seem to have paid so what has not come back, and been given back the rest.
    fn is_kept_net(&self) -> bool {
        let withheld = self.withheld_left();
        let owed = excess_over(self.amount_charged(), withheld);
        withheld > Amount::ZERO
            && self.paid_at.is_some()
            && (self.amount_sufficient(true)..=owed).contains(&self.amount_kept())
    }
}

/// Whether who pays an order withholds taxes of it, where it bears such: as its invoice states where that
/// settles it, and else [by their RFC](tax::withholds).
#[must_use]
pub fn withholds(is_stated: Option<bool>, rfc: Option<&str>) -> bool {
    is_stated.unwrap_or_else(|| rfc.is_some_and(tax::withholds))
}

/// What of an amount is above another; nothing where it is below.
fn excess_over(amount: Amount, other: Amount) -> Amount {
    Amount::from_micros(amount.micros().saturating_sub(other.micros()).max(0))
}

/// An order that has received money. One that is then paid in full becomes `paid`, or only gets its moment of payment
/// if it has been shipped before; a cancelled one stays cancelled and owes the money back. Only who withholds taxes pays it
/// without these, and what they have paid tells how much they do: nothing where they have paid all of it. What a stamped invoice
/// states decides it whatever they pay.
#[must_use]
pub fn receive(before: &Order, amount: Amount, withholds: bool, now: Timestamp) -> Received {
    let mut order = before.clone();
    let paid = before.amount_paid().micros().saturating_add(amount.micros());
    order.amount_paid = Some(Amount::from_micros(paid));
    let mut events = Vec::new();
    let is_cancelled = before.status == OrderStatus::Cancelled;
    let sufficient = before.amount_sufficient(withholds).micros();
    let completes = !is_cancelled && before.paid_at.is_none() && paid >= sufficient;
    if completes {
        // Who has paid more than all of it has not chosen to: it was more when they were asked for it.
        events = order.complete(withholds && paid > before.amount_charged().micros(), now);
    } else if let Some(withheld) = before.withheld_known() {
        // Who pays after all what they had withheld has it withheld no longer, and is owed what is beyond that. Who pays all
        // again that they pay without it has paid twice.
        let is_less_than_all = !is_cancelled && amount < before.amount_charged_net();
        if amount <= withheld || is_less_than_all {
            order.amount_withheld = Some(excess_over(withheld, amount));
        }
    }
    changed(&mut order, now);
    Received { completes, is_excess: paid > before.amount_payable().micros(), order, events }
}

/// An order of whose money so much has been given back, or less than nothing where a refund that was thought to have
/// succeeded has failed.
#[must_use]
pub fn refund(before: &Order, amount: Amount, now: Timestamp) -> Order {
    let mut order = before.clone();
    // What was paid before payments were kept is written down before something is taken off it.
    order.amount_paid = Some(before.amount_paid());
    let refunded = before.amount_refunded.micros().saturating_add(amount.micros());
    order.amount_refunded = Amount::from_micros(refunded.max(0));
    changed(&mut order, now);
    order
}

pub(crate) fn changed(order: &mut Order, now: Timestamp) {
    order.refund_due = order.refund_owed();
    order.updated_at = now;
    order.version += 1;
}

#[cfg(test)]
mod tests {
    use pricing::tax::{Tax, TaxRate};

    use super::*;
    use crate::update::tests::order;

    const NOW: Timestamp = Timestamp::from_micros(5);

    fn amount(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    fn names(events: &[NewEvent]) -> Vec<&'static str> {
        events.iter().map(|event| event.name).collect()
    }

    #[test]
    fn an_order_is_paid_when_all_of_it_is() {
        let first = receive(&order(), amount(4), false, NOW);
        assert_eq!(first.order.payment_status(), PaymentStatus::PartiallyPaid);
        assert_eq!((first.order.amount_due(), first.completes), (amount(6), false));
        assert_eq!((first.order.status, names(&first.events)), (OrderStatus::Pending, vec![]));
        let second = receive(&first.order, amount(6), false, NOW);
        assert_eq!(second.order.payment_status(), PaymentStatus::Paid);
        assert_eq!((second.order.status, second.order.paid_at), (OrderStatus::Paid, Some(NOW)));
        assert_eq!(names(&second.events), ["order.updated", "order.paid"]);
        assert!(second.completes && !second.is_excess);
    }

    #[test]
    fn what_is_paid_twice_is_owed_back_and_told_once() {
        let paid = receive(&order(), amount(10), false, NOW).order;
        let twice = receive(&paid, amount(10), false, NOW);
        assert_eq!((twice.is_excess, twice.completes), (true, false));
        assert_eq!(names(&twice.events), [""; 0]);
        assert_eq!((twice.order.refund_due, twice.order.amount_due()), (amount(10), Amount::ZERO));
    }

    #[test]
    fn money_for_a_shipped_order_only_marks_its_payment() {
        let shipped = Order { status: OrderStatus::Shipped, ..order() };
        let received = receive(&shipped, amount(10), false, NOW);
        assert_eq!(received.order.status, OrderStatus::Shipped);
        assert_eq!(names(&received.events), ["order.paid"]);
    }

    #[test]
    fn money_for_a_cancelled_order_is_owed_back() {
        let cancelled = Order { status: OrderStatus::Cancelled, ..order() };
        let received = receive(&cancelled, amount(10), false, NOW);
        assert_eq!((received.order.status, received.completes), (OrderStatus::Cancelled, false));
        assert_eq!((received.order.paid_at, received.order.refund_due), (None, amount(10)));
        assert_eq!(names(&received.events), [""; 0]);
    }

    #[test]
    fn refunds_never_make_an_order_due_again() {
        let paid = receive(&order(), amount(10), false, NOW).order;
        let part = refund(&paid, amount(3), NOW);
        assert_eq!(part.payment_status(), PaymentStatus::PartiallyRefunded);
        assert_eq!(part.amount_due(), Amount::ZERO);
        let whole = refund(&part, amount(7), NOW);
        assert_eq!(whole.payment_status(), PaymentStatus::Refunded);
        assert_eq!((whole.amount_due(), whole.status), (Amount::ZERO, OrderStatus::Paid));
        assert!(whole.is_given_back() && !part.is_given_back() && !paid.is_given_back());
        // Of which a part was paid and given back, the whole is to be paid as before.
        let deposit = receive(&order(), amount(4), false, NOW).order;
        assert!(!refund(&deposit, amount(4), NOW).is_given_back());
        let failed = refund(&whole, amount(-10), NOW);
        assert_eq!(failed.payment_status(), PaymentStatus::Paid);
    }

    #[test]
    fn orders_that_older_releases_marked_paid_are_paid_in_full() {
        let old = Order { paid_at: Some(NOW), status: OrderStatus::Paid, ..order() };
        assert_eq!(old.amount_paid(), amount(10));
        assert_eq!(old.payment_status(), PaymentStatus::Paid);
        assert_eq!(refund(&old, amount(10), NOW).payment_status(), PaymentStatus::Refunded);
    }

    #[test]
    fn only_legal_persons_withhold_unless_their_invoice_says_otherwise() {
        for (rfc, is_legal_person) in
            [(Some("URE180429TM6"), true), (Some("CACX7605101P8"), false), (None, false)]
        {
            assert_eq!(withholds(None, rfc), is_legal_person, "{rfc:?}");
            for stated in [true, false] {
                assert_eq!(withholds(Some(stated), rfc), stated, "{rfc:?}");
            }
        }
    }

    /// Of 1160, of which 12.50 are withheld, whatever is left out counts as withheld and can be paid later: what was paid is what
    /// was asked for or is owed back.
    #[test]
    fn what_who_withholds_leaves_out_is_withheld() {
        let amount = |text: &str| Amount::parse(text).unwrap();
        let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
        let mut order = Order { total: amount("1160"), ..order() };
        for item in &mut order.items {
            (item.unit_price, item.quantity) = (amount("1160"), 1);
            item.taxes = Some(vec![TaxRate::iva(160_000), isr]);
        }
        for (paid, withheld, owed, more, withheld_then, owed_then) in [
            ("1147.5", "12.5", "0", "10", "2.5", "0"),
            ("1150", "10", "0", "4", "6", "0"),
            ("1150", "10", "0", "10", "0", "0"),
            ("1150", "10", "0", "30", "0", "20"),
            ("1160", "0", "0", "5", "0", "5"),
            ("1161", "12.5", "13.5", "1147.5", "12.5", "1161"),
        ] {
            let first = receive(&order, amount(paid), true, NOW);
            let then = receive(&first.order, amount(more), true, NOW);
            assert_eq!((first.completes, then.completes), (true, false), "{paid}");
            for (order, withheld, owed) in
                [(&first.order, withheld, owed), (&then.order, withheld_then, owed_then)]
            {
                assert_eq!(order.amount_withheld, Some(amount(withheld)), "{paid} {more}");
                assert_eq!(order.refund_due, amount(owed), "{paid} {more}");
            }
        }
    }

    #[test]
    fn what_costs_nothing_is_paid() {
        let free = Order { total: Amount::ZERO, ..order() };
        assert_eq!(free.payment_status(), PaymentStatus::Paid);
        assert_eq!(free.amount_due(), Amount::ZERO);
    }
}
