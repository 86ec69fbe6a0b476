//! The catalog: products with their variants, and their stock.

mod products;
pub(crate) mod stock;

pub(crate) use products::{BY_SKU, products_by_key, renew_terms};
