//! The account panel, as browsers see it.

mod approving;
mod browser;
mod bulk;
mod guards;
mod imports;
mod invoices;
mod keys;
mod money;
mod people;
mod sales;
mod search;
mod shop;
mod stock;
mod tools;
mod walk;
