//! The catalog: products with their variants, and their stock.

pub(crate) mod categories;
pub(crate) mod price_lists;
mod products;
mod rates;
pub(crate) mod stock;

pub(crate) use products::{bulk, product_names, products_by_key, renew_terms};
pub(crate) use rates::product_rates;
