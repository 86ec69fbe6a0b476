//! What is left of an order once what has come back is taken off.

use kernel::{Amount, Measure};
use pricing::{Kept, decimal};

use crate::{Order, Return, returns::share};

/// What is left of an order of which something has come back: what is kept, and to be invoiced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Each line of the order, in their order.
    pub lines: Vec<LeftLine>,
    /// What of the shipping was not given back.
    pub shipping: Amount,
}

/// What is left of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftLine {
    /// How many units.
    pub quantity: Measure,
    /// What is paid for them, with discounts and taxes.
    pub amount: Amount,
}

impl LeftLine {
    /// The same as the line is priced by.
    #[must_use]
    pub fn kept(&self) -> Kept {
        Kept { quantity: self.quantity.amount(), cost: self.amount }
    }
}

impl Order {
    /// It as if these goods had not come back, as far as what is left of it and charged for it goes.
    #[must_use]
    pub fn without_returns<'a>(&self, returns: impl IntoIterator<Item = &'a Return>) -> Self {
        let mut order = self.clone();
        for record in returns {
            for line in &record.lines {
                let index = line.line.saturating_sub(1);
                if let Some(item) = order.items.get_mut(index) {
                    item.returned -= line.quantity.quantity(item.decimals);
                }
            }
            order.returned_total = decimal::less(order.returned_total, record.amount);
        }
        order
    }

    /// What is left of it, if anything that was worth something has come back. Together with the shipping the lines are
    /// [`Order::amount_charged()`].
    #[must_use]
    pub fn left(&self) -> Option<Left> {
        if self.returned_total == Amount::ZERO {
            return None;
        }
        let decimals = self.currency.decimals();
        let mut of_lines = Amount::ZERO;
        let mut lines = Vec::with_capacity(self.items.len());
        for (item, total) in self.items.iter().zip(self.item_totals()) {
            let returned = share(total, item.returned, item.quantity, decimals);
            let returned = Amount::from_micros(returned);
            of_lines = decimal::sum([of_lines, returned]);
            lines.push(LeftLine {
                quantity: item.measure(item.quantity - item.returned),
                amount: decimal::less(total, returned),
            });
        }
        let of_shipping = decimal::less(self.returned_total, of_lines).max(Amount::ZERO);
        let shipping = decimal::less(self.shipping_total(), of_shipping).max(Amount::ZERO);
        Some(Left { lines, shipping })
    }

    /// Whether nothing is left of it: all has come back, and nothing is paid for having sent it.
    #[must_use]
    pub fn is_all_back(&self) -> bool {
        self.left().is_some_and(|left| {
            let is_back = |line: &LeftLine| line.quantity.amount() == Amount::ZERO;
            left.shipping == Amount::ZERO && left.lines.iter().all(is_back)
        })
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Quantity, Timestamp};
    use pricing::tax::{Tax, TaxRate};
    use proptest::prelude::*;

    use super::*;
    use crate::{
        Item, NewReturn, OrderStatus, ReturnId, ReturnLine,
        returns::{Earlier, take_back},
        update::tests::order,
    };

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    /// Which taxes a line bears: IVA alone, or with what is withheld of goods, of freight and of fees.
    fn rates(which: usize) -> Vec<TaxRate> {
        let withheld = |tax, micros| TaxRate { tax, withheld: true, ..TaxRate::iva(micros) };
        let more = match which {
            0 => vec![],
            1 => vec![withheld(Tax::Isr, 12_500)],
            2 => vec![withheld(Tax::Iva, 40_000)],
            _ => vec![withheld(Tax::Isr, 100_000), withheld(Tax::Iva, 106_667)],
        };
        [vec![TaxRate::iva(160_000)], more].concat()
    }

    /// An order that was sent of lines with a price in centavos, pieces and taxes.
    fn sent(lines: &[(i64, Quantity, usize)]) -> Order {
        let (one, mut total) = (order().items.remove(0), 0);
        let items = lines.iter().map(|(price, quantity, which)| {
            let unit_price = Amount::from_micros(price * 10_000);
            total += unit_price.micros() * quantity;
            Item { unit_price, quantity: *quantity, taxes: Some(rates(*which)), ..one.clone() }
        });
        let items: Vec<Item> = items.collect();
        let total = Amount::from_micros(total);
        Order { items, total, status: OrderStatus::Shipped, ..order() }
    }

    fn back(order: &Order, line: usize, pieces: i64) -> (Order, Return) {
        let quantity = Measure::whole(pieces);
        let lines = vec![ReturnLine { line, quantity, is_restocked: true, warehouse: None }];
        let reason = "rota".to_owned();
        let new = NewReturn { lines, shipping: None, reason, refunds: false, is_unshipped: false };
        let (id, now) = (ReturnId::from_u128(1), Timestamp::from_micros(3));
        let made = take_back(order, &new, &Earlier::default(), id, now).unwrap();
        (made.order, made.record)
    }

    /// ISR of 447.93 and IVA of 477.79 are withheld of four pieces at 1299.00, rounded each by itself as an invoice does: both
    /// together would be 925.73.
    #[test]
    fn what_is_withheld_of_the_rest_is_rounded_tax_by_tax() {
        let order = sent(&[(129_900, 5, 3)]);
        assert_eq!(order.amount_owed(true), amount("5337.85"));
        let (left, record) = back(&order, 1, 1);
        assert_eq!(
            (left.amount_charged(), left.amount_owed(true)),
            (amount("5196"), amount("4270.28"))
        );
        assert_eq!(left.amount_charged_net(), left.amount_owed(true));
        let before = left.without_returns([&record]);
        assert_eq!(before.amount_charged_net(), amount("5337.85"));
    }

    proptest! {
        /// What is left of an order is asked for as an order of that alone would be, whatever came back in whichever steps; and
        /// what came back can be thought away again.
        #[test]
        fn the_rest_is_asked_for_as_if_nothing_else_had_been_sold(
            lines in prop::collection::vec((100_i64..300_000, 1_i64..9, 0_usize..4), 1..6),
            steps in prop::collection::vec((0_usize..6, 1_i64..5), 1..8),
        ) {
            let whole = sent(&lines);
            let (mut left, mut records) = (whole.clone(), Vec::new());
            for (index, pieces) in steps {
                let Some(item) = left.items.get(index) else { continue };
                let pieces = pieces.min(item.quantity - item.returned);
                if pieces > 0 {
                    let (after, record) = back(&left, index + 1, pieces);
                    left = after;
                    records.push(record);
                }
            }
            let rest = left.items.iter().zip(&lines).map(|(item, (price, quantity, which))| {
                (*price, quantity - item.returned, *which)
            });
            let rest: Vec<_> = rest.filter(|(_, quantity, _)| *quantity > 0).collect();
            prop_assert_eq!(left.amount_charged_net(), sent(&rest).amount_charged_net());
            let before = left.without_returns(&records);
            prop_assert_eq!(before.left(), None);
            prop_assert_eq!(before.amount_charged_net(), whole.amount_charged_net());
        }
    }
}
