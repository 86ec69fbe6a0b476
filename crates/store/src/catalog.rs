//! The catalog: products with their variants, and their stock.

mod products;
pub(crate) mod stock;

pub(crate) use products::{products_by_key, renew_terms};
