//! What summing and settling need of a line, whatever else it states.

use kernel::Amount;

use crate::tax::ItemTax;

/// A line with its amounts, of an order or of a document.
pub trait Line {
    /// How many units.
    fn quantity(&self) -> Amount;
    /// All units, before taxes and discount.
    fn amount(&self) -> Amount;
    /// What is taken off before taxes.
    fn discount(&self) -> Option<Amount>;
    /// The taxes.
    fn taxes(&self) -> &[ItemTax];
    /// Whether its amount follows from a price with taxes inside, so that rounding may move it: what was stated
    /// before taxes stays as it is.
    fn is_movable(&self) -> bool;
    /// Sets the amount, and what follows from it.
    fn set_amount(&mut self, amount: Amount, unit_price: Amount, taxes: Vec<ItemTax>);
}
