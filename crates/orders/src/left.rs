//! What is left of an order once what has come back is taken off.

use kernel::{Amount, Measure};
use pricing::{Kept, decimal};

use crate::{Order, returns::share};

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
}
