//! What a sale amounts to: unit prices, discounts, taxes and totals, exact to the cent.
//!
//! An order and the invoice that is made of it reckon by the same functions, so they always agree. A [`Stated`] line says
//! what is sold at which price; [`priced`] gives its [`Amounts`] and what the whole of it costs. [`Sums`] rounds as
//! SAT does: only sums, half up. [`spread`] divides an amount so that the parts add up to it.

mod amounts;
pub mod decimal;
mod line;
pub mod lists;
mod priced;
mod settle;
mod spread;
mod sums;
pub mod tax;

pub use amounts::{Amounts, Price, amounts, taxes};
pub use line::Line;
pub use priced::{Priced, Stated, priced};
pub use settle::settle;
pub use spread::{spread, step};
pub use sums::{Sums, summed};

#[cfg(test)]
mod tests;
