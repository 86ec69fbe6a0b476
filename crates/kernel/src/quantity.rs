//! Whole counts of things.

/// How many pieces, as a whole number.
pub type Quantity = i64;

/// The largest quantity of one thing that the service keeps or sells: a billion pieces.
pub const QUANTITY_MAX: Quantity = 1_000_000_000;
