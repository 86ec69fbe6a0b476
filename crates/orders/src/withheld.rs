//! What of an order is withheld as taxes where its stamped invoice decides it: what that states, whatever its customer pays.

use kernel::{Amount, Currency, Timestamp};
use pricing::{decimal, step};
use serde::{Deserialize, Serialize};

use crate::{Order, paying::changed};

/// What the stamped invoice of an order states as withheld of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldStated {
    /// How much.
    pub amount: Amount,
    /// Of what: what the lines that it bills come to of such taxes, or else what is paid for them. Of less, once goods have come
    /// back, less is withheld in proportion.
    pub of: Amount,
}

/// What a stamped invoice asks for the one order that it bills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invoiced {
    /// The currency of its amounts.
    pub currency: Currency,
    /// What it is before anything is withheld.
    pub gross: Amount,
    /// What it states as withheld of that as taxes.
    pub withheld: Amount,
}

impl WithheldStated {
    /// What of it is of so much of what it was stated of.
    fn left(self, of: Amount, decimals: u32) -> Amount {
        if self.of == Amount::ZERO || self.of == of {
            return self.amount;
        }
        decimal::share(self.amount, of, self.of).rounded(decimals)
    }
}

impl Order {
    /// What of the total a customer who withholds taxes pays to the tax authority instead, once it is invoiced: what its stamped
    /// invoice states, or else what its lines come to.
    #[must_use]
    pub fn withheld_total(&self) -> Amount {
        self.withheld_stated.map_or_else(|| self.withheld_of_lines(), |stated| stated.amount)
    }

    /// The same of what has not come back: what an invoice of that alone states.
    pub(crate) fn withheld_left(&self) -> Amount {
        let Some(stated) = self.withheld_stated else { return self.withheld_of_rest() };
        let of = match self.bears_withheld_taxes() {
            true => self.withheld_of_rest(),
            false => self.amount_charged(),
        };
        stated.left(of, self.currency.decimals()).min(self.amount_charged())
    }

    /// What an invoice states as withheld of it, which bills it or what was left of it.
    fn stated(&self, invoiced: &Invoiced) -> WithheldStated {
        let (whole, rest) = match self.bears_withheld_taxes() {
            true => (self.withheld_of_lines(), self.withheld_of_rest()),
            false => (self.total, self.amount_charged()),
        };
        let rounding = Amount::from_micros(step(self.currency.decimals()));
        let is_whole = decimal::sum([invoiced.gross, rounding]) >= self.total;
        let of = match is_whole {
            true => whole,
            false => decimal::share(rest, invoiced.gross, self.amount_charged()),
        };
        WithheldStated { amount: invoiced.withheld, of }
    }
}

/// The order once its stamped invoice decides what is withheld of it, or no invoice does any more; nothing where that is so already.
/// What was paid beyond what is owed then is owed back, whenever it was paid.
#[must_use]
pub fn restate(before: &Order, invoiced: Option<&Invoiced>, now: Timestamp) -> Option<Order> {
    let invoiced = invoiced.filter(|invoiced| invoiced.currency == before.currency);
    let known = before.withheld_stated.map(|stated| stated.amount);
    if known == invoiced.map(|invoiced| invoiced.withheld) {
        return None;
    }
    let withheld_stated = invoiced.map(|invoiced| before.stated(invoiced));
    let mut order = Order { withheld_stated, ..before.clone() };
    changed(&mut order, now);
    Some(order)
}

#[cfg(test)]
mod tests {
    use pricing::tax::{Tax, TaxRate};
    use proptest::prelude::*;

    use super::*;
    use crate::{
        NewReturn, OrderStatus, ReturnId, ReturnLine,
        paying::receive,
        returns::{Earlier, take_back},
        update::tests::order,
    };

    const NOW: Timestamp = Timestamp::from_micros(7);

    fn centavos(centavos: i64) -> Amount {
        Amount::from_micros(centavos * 10_000)
    }

    /// Two pieces of 580.00, of which 12.50 are withheld, or nothing is known to be.
    fn sold(bears_taxes: bool) -> Order {
        let isr = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) };
        let iva = TaxRate::iva(160_000);
        let mut order = Order { total: centavos(116_000), ..order() };
        for item in &mut order.items {
            item.unit_price = centavos(58_000);
            item.taxes = Some(if bears_taxes { vec![iva, isr] } else { vec![iva] });
        }
        order
    }

    fn invoiced(gross: i64, withheld: i64) -> Invoiced {
        let (gross, withheld) = (centavos(gross), centavos(withheld));
        Invoiced { currency: Currency::MXN, gross, withheld }
    }

    fn back(order: &Order) -> Order {
        let (quantity, reason) = (kernel::Measure::whole(1), "rota".to_owned());
        let lines = vec![ReturnLine { line: 1, quantity, is_restocked: true, warehouse: None }];
        let new = NewReturn { lines, shipping: None, reason, refunds: false, is_unshipped: false };
        take_back(order, &new, &Earlier::default(), ReturnId::from_u128(1), NOW).unwrap().order
    }

    #[test]
    fn what_an_invoice_states_is_owed_back_whatever_was_paid() {
        // Nobody has left anything out.
        let paid = receive(&sold(true), centavos(116_000), true, NOW).order;
        assert_eq!((paid.amount_withheld, paid.refund_due), (Some(Amount::ZERO), Amount::ZERO));
        let whole = invoiced(116_000, 1_250);
        let decided = restate(&paid, Some(&whole), NOW).unwrap();
        assert_eq!(
            (decided.withheld_total(), decided.refund_due),
            (centavos(1_250), centavos(1_250))
        );
        assert_eq!(restate(&decided, Some(&whole), NOW), None);
        let more = receive(&decided, centavos(28_047), true, NOW);
        assert_eq!((more.is_excess, more.order.refund_due), (true, centavos(29_297)));
        // Another takes its place, and is cancelled.
        let other = restate(&more.order, Some(&invoiced(116_000, 1_000)), NOW).unwrap();
        assert_eq!((other.withheld_total(), other.refund_due), (centavos(1_000), centavos(29_047)));
        let none = restate(&other, None, NOW).unwrap();
        assert_eq!((none.withheld_total(), none.refund_due), (centavos(1_250), centavos(28_047)));
        assert_eq!(restate(&none, None, NOW), None);
        // What is stated in another currency says nothing.
        let dollars = Invoiced { currency: Currency::parse("USD").unwrap(), ..whole };
        assert_eq!(restate(&paid, Some(&dollars), NOW), None);
    }

    #[test]
    fn goods_that_come_back_take_their_part_of_it_with_them() {
        for (bears_taxes, is_before, gross, stated, left) in [
            (true, false, 116_000, 1_250, 625),
            (true, false, 116_000, 1_000, 500),
            (false, false, 116_000, 10_000, 5_000),
            // One came back before the stamping: the draft has both, or the other one alone.
            (true, true, 116_000, 1_250, 625),
            (true, true, 58_000, 625, 625),
            (false, true, 116_000, 10_000, 5_000),
            (false, true, 58_000, 5_000, 5_000),
        ] {
            let sent = Order { status: OrderStatus::Shipped, ..sold(bears_taxes) };
            let decide =
                |order: &Order| restate(order, Some(&invoiced(gross, stated)), NOW).unwrap();
            let order = if is_before { decide(&back(&sent)) } else { back(&decide(&sent)) };
            let asked = centavos(58_000 - left);
            assert_eq!(order.withheld_total(), centavos(stated), "{stated} of {gross}");
            assert_eq!((order.amount_due(), order.amount_owed(false)), (asked, asked));
            assert_eq!(order.amount_charged_net(), asked, "{stated} of {gross}");
            let paid = receive(&order, asked, false, NOW);
            assert_eq!((paid.completes, paid.order.amount_due()), (true, Amount::ZERO));
            let last = back(&paid.order);
            assert_eq!((last.amount_due(), last.refund_due), (Amount::ZERO, asked));
        }
    }

    #[test]
    fn what_was_left_out_is_still_known_once_its_invoice_is_gone() {
        let stated = restate(&sold(false), Some(&invoiced(116_000, 10_000)), NOW).unwrap();
        let paid = receive(&stated, centavos(106_000), true, NOW).order;
        let gone = restate(&paid, None, NOW).unwrap();
        assert_eq!((gone.amount_due(), gone.withheld_kept()), (Amount::ZERO, centavos(10_000)));
        // It is paid after all, in two parts.
        let part = receive(&gone, centavos(4_000), false, NOW).order;
        assert_eq!((part.withheld_kept(), part.refund_due), (centavos(6_000), Amount::ZERO));
        let all = receive(&part, centavos(6_000), false, NOW).order;
        assert_eq!((all.withheld_kept(), all.refund_due), (Amount::ZERO, Amount::ZERO));
        // Who has paid all of it has left nothing out, whatever the invoice stated.
        let whole = receive(&stated, centavos(117_000), true, NOW).order;
        assert_eq!(restate(&whole, None, NOW).unwrap().withheld_kept(), Amount::ZERO);
    }

    proptest! {
        /// Whatever is paid, before an invoice decides and after that, is owed back as far as it is more than what that asks for, and
        /// no more is due than the rest of this.
        #[test]
        fn what_is_paid_beyond_an_invoice_is_owed_back(
            bears_taxes in any::<bool>(),
            stated in 1_i64..20_000,
            paid in prop::collection::vec(1_i64..130_000, 0..5),
            before in 0_usize..5,
        ) {
            let mut order = sold(bears_taxes);
            let (first, then) = paid.split_at(before.min(paid.len()));
            for paid in first {
                order = receive(&order, centavos(*paid), true, NOW).order;
            }
            order = restate(&order, Some(&invoiced(116_000, stated)), NOW).unwrap();
            for paid in then {
                order = receive(&order, centavos(*paid), true, NOW).order;
            }
            let (asked, paid) = (116_000 - stated, paid.iter().sum::<i64>());
            prop_assert_eq!(order.refund_due, centavos((paid - asked).max(0)));
            let due = if order.paid_at.is_some() { 0 } else { (asked - paid).max(0) };
            prop_assert_eq!(order.amount_due(), centavos(due));
            prop_assert_eq!(order.amount_owed(true), centavos(due));
        }

        /// An invoice that states what the lines of its order come to, and is cancelled, leaves it as if it had never been.
        #[test]
        fn what_was_decided_goes_with_its_invoice(
            paid in prop::collection::vec(1_i64..130_000, 0..5),
            before in 0_usize..5,
        ) {
            let (mut decided, mut plain) = (sold(true), sold(true));
            let (first, then) = paid.split_at(before.min(paid.len()));
            for paid in first {
                decided = receive(&decided, centavos(*paid), true, NOW).order;
                plain = receive(&plain, centavos(*paid), true, NOW).order;
            }
            decided = restate(&decided, Some(&invoiced(116_000, 1_250)), NOW).unwrap();
            for paid in then {
                decided = receive(&decided, centavos(*paid), true, NOW).order;
                plain = receive(&plain, centavos(*paid), true, NOW).order;
            }
            let after = restate(&decided, None, NOW).unwrap();
            let (version, updated_at) = (plain.version, plain.updated_at);
            prop_assert_eq!(Order { version, updated_at, ..after }, plain);
        }
    }
}
