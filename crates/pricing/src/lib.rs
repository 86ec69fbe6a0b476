//! What a sale amounts to: unit prices, discounts, taxes and totals, exact to the cent.
//!
//! An order and the invoice that is made of it use the same functions, so they always agree. A [`Stated`] line says
//! what is sold at which price; [`priced`] gives the [`Amounts`] of each line and the total. [`Sums`] rounds as
//! SAT does: only sums, half up. [`spread`] divides an amount so that the parts add up to it.
//!
//! ```
//! use kernel::Amount;
//! use pricing::{Stated, priced, spread, tax::TaxRate};
//!
//! // Three pieces at 33.33, with 16 % of IVA inside the price.
//! let unit_price = Amount::parse("33.33")?;
//! let rates = [TaxRate::iva(160_000)];
//! let line = Stated {
//!     quantity: Amount::parse("3")?,
//!     unit_price,
//!     discount: None,
//!     tax_included: true,
//!     rates: &rates,
//! };
//! let sale = priced(&[line], 2);
//! assert_eq!(sale.total, Amount::parse("99.99")?);
//! assert!(sale.is_settled());
//!
//! // A discount of 10.00 over three equal lines.
//! let parts = spread(Amount::parse("10")?, &[unit_price; 3], 2);
//! assert_eq!(parts, [Amount::parse("3.34")?, Amount::parse("3.33")?, Amount::parse("3.33")?]);
//! # Ok::<(), kernel::Message>(())
//! ```

mod amounts;
pub mod decimal;
mod kept;
mod line;
pub mod lists;
mod priced;
mod settle;
mod spread;
mod sums;
pub mod tax;

pub use amounts::{Amounts, Price, amounts, taxes};
pub use kept::{Kept, kept, price_of_each};
pub use line::Line;
pub use priced::{Priced, Stated, priced};
pub use settle::settle;
pub use spread::{spread, step};
pub use sums::{Sums, summed};

#[cfg(test)]
mod tests;
